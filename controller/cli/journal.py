"""Commands of the journal: `audit`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.ports import InputError

if TYPE_CHECKING:
    from controller.journal.audit import Key, Mismatch, Verdict
    from controller.journal.checkpoints import Checkpoint
    from controller.journal.record import Record
    from controller.runtime.replaying import Rederivation

_ROUND = b'"type":"round_opened"'


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command()(audit)


def audit(
    journal: Annotated[Path, typer.Argument(help="A journal.db, or the state folder it lies in.")],
    key: Annotated[
        Path | None, typer.Option(help="The table's signing.pub: check what was signed, too.")
    ] = None,
    checkpoint: Annotated[
        str | None, typer.Option(metavar="FILE", help="Signed checkpoints that were kept elsewhere.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Check a journal's chain and head and derive every fact anew; exit 1 names what does not hold."""
    from controller.cli.io import write_json, write_text
    from controller.journal.audit import verify
    from controller.journal.reader import locate

    path = locate(journal)
    rounds = _counting()
    if checkpoint is not None and key is None:
        raise InputError("--checkpoint: name the key it was signed with, too: --key signing.pub")
    verdict = verify(path, rounds, _key(key), _elsewhere(checkpoint))
    if json:
        write_json(_document(path, verdict, rounds.count))
    else:
        write_text(_sentence(verdict, rounds.count))
    raise typer.Exit(0 if verdict.ok else 1)


def _key(path: Path | None) -> "Key | None":
    if path is None:
        return None
    from controller.journal.signing import load_verifier

    return load_verifier(path)


def _elsewhere(name: str | None) -> "list[Checkpoint]":
    """Raises InputError."""
    from controller.cli.io import read_bytes
    from controller.journal.checkpoints import parse_signed

    if name is None:
        return []
    found = parse_signed(read_bytes(name))
    if found.unreadable or not found.checkpoints:
        raise InputError(f"{name}: no signed checkpoints; name a file like journal.signed")
    return found.checkpoints


def _counting() -> "_Rounds":
    from controller.runtime.replaying import Rederivation

    return _Rounds(Rederivation())


class _Rounds:
    """Derives every record anew, and counts the rounds opened while they pass."""

    def __init__(self, again: "Rederivation") -> None:
        self.count = 0
        self._again = again

    def take(self, record: "Record") -> "Mismatch | None":
        """The next record, if it does not follow from the inputs before it."""
        self.count += record.kind == "fact" and _ROUND in record.body
        return self._again.take(record)

    def end(self) -> "Mismatch | None":
        """What should have followed the last record."""
        return self._again.end()


def _document(path: Path, verdict: "Verdict", rounds: int) -> dict[str, object]:
    return {
        "journal": str(path),
        "ok": verdict.ok,
        "records": verdict.records,
        "kinds": verdict.kinds,
        "rounds": rounds,
        "behind": verdict.behind,
        "begins": verdict.begins,
        "files": verdict.files,
        "signed": verdict.signed,
        "first": verdict.first,
    }


def _sentence(verdict: "Verdict", rounds: int) -> str:
    if verdict.first:
        return f"broken: {verdict.first} ({verdict.records} records hold before it)"
    head = f"head {verdict.behind} behind, as after a power cut" if verdict.behind else "head matches"
    files = f" in {verdict.files} files" if verdict.files > 1 else ""
    begins = f", from record {verdict.begins} on" if verdict.begins > 1 else ""
    signed = f", signed up to record {verdict.signed}" if verdict.signed is not None else ""
    return f"ok: {verdict.records} records{files}{begins}, {rounds} rounds, {head}{signed}"
