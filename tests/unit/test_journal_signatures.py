"""Signed checkpoints: what a third party sees with the table's public key and nothing else."""

import json
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli import main
from controller.journal.audit import Verdict, verify
from controller.journal.checkpoints import read_signed, signed_path
from controller.journal.errors import JournalError
from controller.journal.head import HeadFile
from controller.journal.reader import records
from controller.journal.record import Entry, Record, Tip, chained
from controller.journal.signing import KEY, PUBLIC, load_signer, load_verifier
from controller.journal.store import Store
from controller.ports import ConfigurationError
from controller.runtime.signature import signer_of

WALL = "2026-03-14T20:00:00.000+00:00"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three files: records 1 to 4, 5 to 8 and 9 to 10, all signed for."""
    path = tmp_path / "state" / "journal.db"
    store = Store(path, "MB-01")
    store.sign_with(signer_of(path.parent, "MB-01"))
    for number in range(1, 11):
        store.write([(Entry("fact", b"%d" % number), WALL)])
        store.mark()
        if number in (5, 9):
            store.divide(number, 0)
    store.close()
    return path


def audit(path: Path, *elsewhere: Path) -> Verdict:
    kept = [checkpoint for file in elsewhere for checkpoint in read_signed(file).checkpoints]
    return verify(path, None, load_verifier(path.parent / PUBLIC), kept)


def written_anew(path: Path, change: Callable[[list[Record]], list[tuple[Entry, str]]]) -> None:
    """Somebody who can compute the chain writes the journal's file anew, and its head with it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        (after, previous) = (
            dict(connection.execute("SELECT * FROM meta")).get(k) for k in ("after", "previous")
        )
        own = [record for record in records(path) if record.seq > int(after)]
        entries = change(own)
        tip = Tip(int(after), bytes.fromhex(previous))
        connection.execute("DELETE FROM record")
        fields = chained(tip, entries)
        for record in fields:
            values = (record.seq, record.kind, None, None, record.wall, record.body, record.hash)
            connection.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    head = HeadFile(path.with_suffix(".head"))
    end = Tip(fields[-1].seq, fields[-1].hash) if fields else tip
    head.seal(end, closed=True)
    head.close()


def entries(own: list[Record]) -> list[tuple[Entry, str]]:
    return [(Entry(record.kind, record.body), record.wall) for record in own]


def test_a_sound_journal_is_signed_to_its_end(path: Path) -> None:
    verdict = audit(path)
    assert (verdict.first, verdict.signed, verdict.files) == (None, 10, 3)
    alone = path.parent / "archive" / "journal-000000000005.db"
    verdict = verify(alone, None, load_verifier(path.parent / PUBLIC))
    assert (verdict.first, verdict.signed) == (None, 8)


def test_a_chain_written_anew_is_seen_with_the_key_and_not_without(path: Path) -> None:
    written_anew(path, lambda own: [(Entry("fact", b"0"), WALL), *entries(own)[1:]])
    assert verify(path).ok
    first = audit(path).first
    assert first is not None
    assert (first.seq, first.what) == (9, "signature")


def test_a_cut_tail_is_seen_with_the_key(path: Path) -> None:
    written_anew(path, lambda own: entries(own)[:-1])
    assert verify(path).ok
    first = audit(path).first
    assert first is not None
    assert (first.seq, first.what) == (10, "cut")


def test_a_tail_cut_with_its_checkpoints_shows_against_one_kept_elsewhere(path: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.signed"
    kept.write_bytes(signed_path(path).read_bytes())
    written_anew(path, lambda own: entries(own)[:-1])
    lines = signed_path(path).read_bytes().splitlines(keepends=True)
    signed_path(path).write_bytes(b"".join(line for line in lines if b'"seq":10' not in line))
    assert audit(path).ok
    first = audit(path, kept).first
    assert first is not None
    assert (first.seq, first.what) == (10, "cut")


@pytest.mark.parametrize("field", ["seq", "hash", "wall", "table", "signature"])
def test_a_changed_checkpoint_is_seen(path: Path, field: str) -> None:
    lines = signed_path(path).read_bytes().splitlines()
    changed = json.loads(lines[-1])
    value = changed[field]
    changed[field] = value - 1 if field == "seq" else ("A" if value[0] != "A" else "B") + value[1:]
    signed_path(path).write_bytes(json.dumps(changed).encode() + b"\n")
    first = audit(path).first
    assert first is not None
    assert first.what == "signature"


def test_without_any_checkpoint_the_journal_is_not_vouched_for(path: Path) -> None:
    signed_path(path).unlink()
    assert str(audit(path).first) == "signature: there is no signed checkpoint"


def test_an_older_file_needs_none_of_its_own(path: Path) -> None:
    (path.parent / "archive" / "journal-000000000001.signed").unlink()
    assert audit(path).ok


def test_another_table_s_key_does_not_hold(path: Path, tmp_path: Path) -> None:
    load_signer(tmp_path, "MB-02", None)
    first = verify(path, None, load_verifier(tmp_path / PUBLIC)).first
    assert first is not None
    assert first.what == "signature"


def test_a_line_torn_by_a_power_cut_is_passed_over_and_the_next_goes_on(path: Path) -> None:
    with signed_path(path).open("ab") as file:
        file.write(b'{"table":"MB-01","seq":')
    assert audit(path).ok
    store = Store(path, "MB-01")
    store.sign_with(signer_of(path.parent, "MB-01"))
    store.write([(Entry("fact", b"11"), WALL)])
    store.mark()
    store.close()
    verdict = audit(path)
    assert (verdict.first, verdict.signed) == (None, 11)


def test_the_private_key_is_nobody_else_s(path: Path) -> None:
    key = path.parent / KEY
    assert key.stat().st_mode & 0o777 == 0o600
    before = (path.parent / PUBLIC).read_bytes()
    signer_of(path.parent, "MB-01")
    assert (path.parent / PUBLIC).read_bytes() == before
    key.chmod(0o644)
    with pytest.raises(ConfigurationError, match=r"signing\.key: mode 644 lets others at the secret"):
        signer_of(path.parent, "MB-01")


def test_a_spoilt_key_is_refused_with_what_to_do(path: Path) -> None:
    (path.parent / KEY).write_text("no key\n")
    with pytest.raises(JournalError, match=r"signing\.key: no Ed25519 private key; restore it"):
        signer_of(path.parent, "MB-01")


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object
) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["tablectl", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out + err


def test_the_command_takes_key_and_checkpoint(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    public, kept = path.parent / PUBLIC, signed_path(path)
    # The bodies here follow from nothing, and that is told first.
    code, said = run(monkeypatch, capsys, "audit", path, "--key", public, "--checkpoint", kept)
    assert code == 1
    assert "fact" in said
    assert run(monkeypatch, capsys, "audit", path, "--checkpoint", kept)[0] == 2
    for wrong in (path, path.parent / "none", Path(os.devnull)):
        code, said = run(monkeypatch, capsys, "audit", path, "--key", wrong)
        assert code == 2
        assert said.count("\n") == 1
        assert "name the table's signing.pub" in said
