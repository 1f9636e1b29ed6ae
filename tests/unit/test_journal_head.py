"""The head: two slots, one of them whole whatever a power cut tears."""

from pathlib import Path

import pytest

from controller.journal.head import SLOT, Head, HeadFile, newest, parse, read_head
from controller.journal.record import Tip

HASH = bytes(range(32))
LINE = Head(3, 41, HASH, False).line()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.head"


def written(path: Path, *seqs: int, closed: bool = False) -> bytes:
    head = HeadFile(path)
    for seq in seqs:
        head.write(Tip(seq, HASH), closed=closed)
    head.close()
    return path.read_bytes()


def test_line_is_plain_text_of_one_length() -> None:
    assert LINE == (
        b"00000000000000000003 00000000000000000041 "
        b"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f open   0dbc439e343067c9\n"
    )
    assert len(Head(2**60, 2**60, HASH, True).line()) == len(LINE)
    assert parse(LINE) == Head(3, 41, HASH, False)


@pytest.mark.parametrize("at", range(len(LINE)))
def test_no_byte_of_a_line_can_change(at: int) -> None:
    for bit in range(8):
        spoilt = LINE[:at] + bytes([LINE[at] ^ 1 << bit]) + LINE[at + 1 :]
        assert parse(spoilt) is None


def test_last_write_counts(path: Path) -> None:
    assert newest(written(path, 1, 2, 3)) == Head(3, 3, HASH, False)
    assert newest(written(path, 4)) == Head(4, 4, HASH, False)


@pytest.mark.parametrize("turn", [5, 6])
def test_write_torn_at_any_byte_leaves_a_head(path: Path, turn: int) -> None:
    before = written(path, *range(1, turn))
    after = written(path, turn)
    slot = turn % 2 * SLOT
    for torn in range(len(LINE) + 1):
        left = after[: slot + torn] + before[slot + torn :]
        found = newest(left)
        assert found is not None
        assert found.seq in (turn - 1, turn)
        assert found.seq == turn or torn < len(LINE)


def test_slot_lost_as_a_whole_page_leaves_a_head(path: Path) -> None:
    whole = written(path, 1, 2)
    assert newest(bytes(SLOT) + whole[SLOT:]) == Head(1, 1, HASH, False)
    assert newest(whole[:SLOT]) == Head(2, 2, HASH, False)


def test_seal_leaves_no_older_head(path: Path) -> None:
    written(path, 1, 2)
    head = HeadFile(path)
    head.seal(Tip(9, HASH), closed=True)
    head.close()
    data = path.read_bytes()
    slots = [parse(data[at : at + len(LINE)]) for at in (0, SLOT)]
    assert slots == [Head(4, 9, HASH, True), Head(3, 9, HASH, True)]


def test_missing_and_damaged_are_told_apart(path: Path) -> None:
    assert read_head(path) == "missing"
    path.write_bytes(b"")
    assert read_head(path) == "damaged"
    path.write_bytes(b"\xff" * 2 * SLOT)
    assert read_head(path) == "damaged"


def test_spoilt_file_can_be_written_again(path: Path) -> None:
    path.write_bytes(b"\xff" * 100)
    assert newest(written(path, 7)) == Head(1, 7, HASH, False)
