"""The chain's hash, against values computed by hand, and entries that could not be read back."""

import math
from dataclasses import dataclass

import pytest

from controller.journal.record import Entry, Tip, chained, digest, genesis

WALL = "2025-03-01T10:00:01.250+00:00"
GENESIS = "6088784db108c46d0765f7432141231136e6b56d9c5a91ba635585fc5ad2a946"
HASHES = [
    "501604e85d0cfb87db67c92a0599aecb0fe82731e2d194fa73da42e275a7496b",
    "0ea7ea45157a789cb83c2a42d71065ea417ec8774d66efad27b2b06ace90b8a4",
    "f36d228d15054de864da9345b2dac7368a2e562a64c2b1378f055aaab7538e6a",
]
STAMPED = [
    (Entry("start", b'{"version":"0.1.0"}'), "2025-03-01T10:00:00.000+00:00"),
    (Entry("configuration", b'{"ruleset":"nj-mini-baccarat"}'), "2025-03-01T10:00:00.000+00:00"),
    (Entry("signal", b'{"signal":"received","data":"AgM="}', "shoe", 12.5), WALL),
]


def test_genesis_and_hashes_are_those_computed_by_hand() -> None:
    assert genesis({"table": "MB-01", "schema": "1"}).hex() == GENESIS
    records = chained(Tip(0, bytes.fromhex(GENESIS)), STAMPED)
    assert [record.hash.hex() for record in records] == HASHES
    assert [record.seq for record in records] == [1, 2, 3]


def test_chain_goes_on_where_it_stopped() -> None:
    tail = chained(Tip(2, bytes.fromhex(HASHES[1])), STAMPED[2:])
    assert [(record.seq, record.hash.hex()) for record in tail] == [(3, HASHES[2])]


@dataclass
class Fields:
    previous: bytes = bytes(32)
    seq: int = 7
    kind: str = "fact"
    device: str | None = "shoe"
    at: float | None = 1.5
    wall: str = WALL
    body: bytes = b"{}"

    def hash(self) -> bytes:
        return digest(self.previous, self.seq, self.kind, self.device, self.at, self.wall, self.body)


@pytest.mark.parametrize(
    "other",
    [
        Fields(previous=bytes(31) + b"\1"),
        Fields(seq=8),
        Fields(kind="input"),
        Fields(device=None),
        Fields(device=""),
        Fields(at=None),
        Fields(at=0.0),
        Fields(wall=WALL[:-1]),
        Fields(body=b""),
        Fields(kind="factshoe", device=""),
        Fields(device="sho", wall="e" + WALL),
        Fields(wall=WALL + "{", body=b"}"),
    ],
)
def test_every_field_and_every_border_between_fields_counts(other: Fields) -> None:
    assert other.hash() != Fields().hash()


def test_absent_time_is_not_zero_and_minus_zero_is_zero() -> None:
    assert Fields(at=None).hash() != Fields(at=0.0).hash()
    assert Fields(at=-0.0).hash() == Fields(at=0.0).hash()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"kind": "note"}, "kind is one of start, .*, carried, not 'note'"),
        ({"kind": "fact", "at": math.nan}, "time is a finite number, not nan"),
        ({"kind": "fact", "at": math.inf}, "time is a finite number, not inf"),
        ({"kind": "fact", "device": "shoe-é"}, "name is ASCII"),
    ],
)
def test_entry_that_could_not_be_read_back_is_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Entry(body=b"{}", **fields)
