"""What does not hold in a journal: pure functions over records and heads."""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from msgspec import Struct

from controller.journal.checkpoints import Checkpoint, Signed
from controller.journal.head import Head, KeptHead
from controller.journal.record import Record, Tip

#: `content`: a field was changed. `number`: a record carries another number. `order`: records changed places.
#: `missing`: taken out. `extra`: put in. `cut`: the tail is gone. `head`: the head's file is gone or spoilt.
#: `file`: damage outside the records. `fact`: not what the inputs give. `signature`: not what was signed.
What = Literal["content", "number", "order", "missing", "extra", "cut", "head", "file", "fact", "signature"]


class Break(Struct, frozen=True):
    """The first thing that does not hold. `seq`: the record's number; None where no one record is meant."""

    seq: int | None
    what: What
    detail: str

    def __str__(self) -> str:
        return f"{self.what}: {self.detail}"


class Chain:
    """Passes records on while they hold; `tip` is the last that did, `held` says whether all have."""

    def __init__(self, tip: Tip) -> None:
        self.tip = tip
        self.held = True

    def follow(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records that hold, up to the first that does not."""
        for record in records:
            if record.seq != self.tip.seq + 1 or record.hash != record.digest_after(self.tip.hash):
                self.held = False
                return
            self.tip = Tip(record.seq, record.hash)
            yield record


def explain(tip: Tip, later: Iterable[Record]) -> Break:
    """What happened behind `tip`. `later`: the records as they lie, the one that does not hold first."""
    wanted = tip.seq + 1
    rest = iter(later)
    here = next(rest)
    if here.seq < wanted:
        return Break(here.seq, "extra", f"record {here.seq} stands before the first")
    if here.seq > wanted:
        return _explain_gap(tip, here, rest)
    home: Record | None = None
    follower: Record | None = None
    moved = copied = False
    for record in rest:
        copied = copied or record.hash == here.hash
        follower = follower or record
        if home is None and record.hash == record.digest_after(tip.hash, wanted):
            home = record
        # `here` belongs behind `record`, whose own number may have been shifted by one.
        moved = moved or here.hash in (here.digest_after(record.hash, record.seq + n) for n in (0, 1))
    if home and not copied and (moved or home.seq != wanted + 1):
        return Break(
            wanted, "order", f"record {wanted} changed places: what belongs there now stands at {home.seq}"
        )
    if home:
        return Break(wanted, "extra", f"record {wanted} was put in and the records behind it renumbered")
    if follower and follower.hash == follower.digest_after(here.hash, follower.seq + 1):
        return Break(wanted, "missing", f"record {wanted} was taken out and the records behind it renumbered")
    if follower and follower.hash == follower.digest_after(here.digest_after(tip.hash)):
        return Break(wanted, "content", f"record {wanted}: its hash was changed")
    also = ", or the journal's description," if wanted == 1 else ""
    return Break(wanted, "content", f"record {wanted}{also} is not as it was written")


def _explain_gap(tip: Tip, here: Record, rest: Iterator[Record]) -> Break:
    wanted = tip.seq + 1
    for record in (here, *rest):
        if record.hash == record.digest_after(tip.hash, wanted):
            return Break(wanted, "number", f"record {wanted} was given the number {record.seq}")
    which = f"record {wanted} is" if here.seq == wanted + 1 else f"records {wanted} to {here.seq - 1} are"
    return Break(wanted, "missing", f"{which} missing")


def unjoined(tip: Tip, origin: Tip) -> Break:
    """A file that does not begin behind `tip`, where the one before it ends."""
    if origin.seq > tip.seq:
        detail = f"records {tip.seq + 1} to {origin.seq} are missing: a file of the archive is gone"
        return Break(tip.seq + 1, "missing", detail)
    if origin.seq < tip.seq:
        return Break(tip.seq, "extra", f"record {origin.seq + 1} and those behind it are in two files")
    return Break(tip.seq, "content", f"record {tip.seq} is not the one that the next file was begun behind")


def against_signed(
    signed: Signed,
    holds: Callable[[Checkpoint], bool],
    table: str,
    origin: Tip,
    tip: Tip,
    hash_of: Callable[[int], bytes | None],
) -> Break | None:
    """A file that holds in itself against the checkpoints beside it. `holds`: its signature does. `hash_of`:
    of the record of this number.
    """
    if signed.unreadable:
        return Break(None, "signature", f"{signed.unreadable} lines beside the signed checkpoints are none")
    if not signed.checkpoints:
        return Break(None, "signature", "there is no signed checkpoint")
    for checkpoint in signed.checkpoints:
        seq = checkpoint.seq
        if not holds(checkpoint):
            return Break(seq, "signature", f"the checkpoint of record {seq} was not signed with this key")
        if checkpoint.table != table:
            what = f"the checkpoint of record {seq} is table {checkpoint.table}'s, the journal {table}'s"
            return Break(seq, "signature", what)
        if seq > tip.seq:
            return Break(tip.seq + 1, "cut", f"record {seq} was signed, the journal ends with {tip.seq}")
        # Those before this file are of one in the archive, and stand beside that as well.
        if seq >= origin.seq and bytes.fromhex(checkpoint.hash) != hash_of(seq):
            return Break(seq, "signature", f"record {seq} is not the one that was signed")
    return None


def cut_behind(head: KeptHead, tip: Tip) -> Break | None:
    """A chain that ends before the record which its head names, if there is one."""
    if not isinstance(head, Head) or head.seq <= tip.seq:
        return None
    wanted = f"the head names record {head.seq}, the journal ends with {tip.seq}"
    return Break(tip.seq + 1, "cut", f"the tail is cut: {wanted}")


def against_head(
    before: KeptHead, after: KeptHead, tip: Tip, hash_at_head: bytes | None, origin: int
) -> Break | None:
    """The chain's end against its head. `before`, `after`: the head read before and after the records were.

    The two differ only while a writer runs. `hash_at_head`: of the record that `before` names. `origin`: the
    record that the file begins behind.
    """
    if not isinstance(before, Head) or not isinstance(after, Head):
        if tip.seq == 0 == origin:
            return None  # a power cut between the journal's creation and its head's
        return Break(None, "head", f"the head's file is {after if isinstance(before, Head) else before}")
    if gone := cut_behind(before, tip):
        return gone
    if before.hash != hash_at_head and before.seq == origin:
        return Break(None, "content", "the journal's description was changed")
    if before.hash != hash_at_head:
        detail = f"record {before.seq} is not the one the head was written for: the chain was written anew"
        return Break(before.seq, "content", detail)
    if after.closed and tip.seq > after.seq:
        return Break(after.seq + 1, "extra", f"record {after.seq + 1} was added after the journal was closed")
    return None
