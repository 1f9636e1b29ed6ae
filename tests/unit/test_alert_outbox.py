"""The outbox on the disk: order, one transaction, and files that are not what they should be."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.outputs.alerts.outbox import Letter, Outbox, OutboxError


def letters(*names: str, target: str = "floor") -> list[Letter]:
    return [Letter(0, target, name, f'"{name}"'.encode()) for name in names]


def ids(outbox: Outbox, target: str = "floor") -> list[str]:
    """Everything that waits, delivered."""
    found, done = [], None
    while letter := outbox.next(target, done):
        found.append(letter.id)
        done = letter.number
    return found


def test_gives_each_target_its_letters_in_order(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "outbox.db")
    assert outbox.state is None
    outbox.write(letters("a", "b"), b"1")
    outbox.write([*letters("x", target="shift"), *letters("c")], b"2")
    assert outbox.waiting() == {"floor": 3, "shift": 1}
    assert ids(outbox) == ["a", "b", "c"]
    assert outbox.waiting() == {"shift": 1}
    assert outbox.next("floor") is None


def test_gives_a_letter_again_until_it_is_said_to_be_done(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "outbox.db")
    outbox.write(letters("a"), b"1")
    first = outbox.next("floor")
    assert first == outbox.next("floor")
    outbox.close()
    assert first == Outbox(tmp_path / "outbox.db").next("floor")


def test_what_was_written_is_there_after_a_start(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "outbox.db")
    outbox.write(letters("a", "b"), b"state")
    outbox.next("floor", 1)
    outbox.close()
    again = Outbox(tmp_path / "outbox.db")
    assert again.state == b"state"
    assert ids(again) == ["b"]


def test_a_number_is_never_given_twice(tmp_path: Path) -> None:
    """Else a late word about the one would forget the other."""
    outbox = Outbox(tmp_path / "outbox.db")
    outbox.write(letters("a"), b"1")
    assert outbox.next("floor", 1) is None
    outbox.write(letters("b"), b"2")
    letter = outbox.next("floor", 1)
    assert letter and (letter.id, letter.number) == ("b", 2)


def test_drops_what_waits_for_a_target_that_is_gone(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "outbox.db")
    outbox.write([*letters("a"), *letters("x", target="gone")], b"1")
    outbox.drop("gone")
    assert outbox.waiting() == {"floor": 1}


def test_letters_and_state_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    fail = False

    def at_point(point: str) -> None:
        if fail and point == "inserted":
            raise sqlite3.OperationalError("disk I/O error")

    outbox = Outbox(tmp_path / "outbox.db", at_point)
    outbox.write(letters("a"), b"1")
    fail = True
    with pytest.raises(OutboxError, match=r"outbox.db: disk I/O error; check this disk"):
        outbox.write(letters("b"), b"2")
    fail = False
    outbox.close()
    again = Outbox(tmp_path / "outbox.db")
    assert (again.state, ids(again)) == (b"1", ["a"])


def test_every_commit_is_on_the_disk(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "outbox.db")
    assert outbox._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert outbox._connection.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("damage", [b"not a database at all" * 100, None])
def test_a_damaged_file_is_put_aside_and_a_new_one_begun(tmp_path: Path, damage: bytes | None) -> None:
    path = tmp_path / "outbox.db"
    outbox = Outbox(path)
    outbox.write(letters(*map(str, range(200))), b"1")
    outbox.close()
    content = damage or bytearray(path.read_bytes())
    if isinstance(content, bytearray):
        content[4096:8192] = b"\xa5" * 4096
    path.write_bytes(content)
    again = Outbox(path)
    assert again.damaged == tmp_path / "outbox.db.damaged"
    assert again.damaged.read_bytes() == bytes(content)
    assert again.state is None
    again.write(letters("a"), b"2")
    assert ids(again) == ["a"]


@pytest.mark.parametrize("text", [b"CREATE TABLE letter", b"target TEXT NOT NULL", b"CREATE INDEX line"])
def test_a_spoilt_text_of_the_file_is_damage_too(tmp_path: Path, text: bytes) -> None:
    """SQLite says so in words that are no text any more."""
    path = tmp_path / "outbox.db"
    Outbox(path).close()
    content = path.read_bytes()
    assert text in content
    path.write_bytes(content.replace(text, b"\x91" * len(text)))
    again = Outbox(path)
    assert again.damaged == tmp_path / "outbox.db.damaged"
    again.close()


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "outbox.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA application_id = 7")
        other.execute("CREATE TABLE theirs (a)")
    with pytest.raises(OutboxError, match="another program's database; move it away"):
        Outbox(path)


def test_a_newer_softwares_outbox_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "outbox.db"
    Outbox(path).close()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version = 2")
    with pytest.raises(OutboxError, match="schema version 2, this software has 1; update the software"):
        Outbox(path)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutboxError, match=r"file/outbox.db: .*; check this disk"):
        Outbox(tmp_path / "file" / "outbox.db")


def test_a_file_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "outbox.db").mkdir()
    with pytest.raises(OutboxError, match="unable to open database file"):
        Outbox(tmp_path / "outbox.db")
