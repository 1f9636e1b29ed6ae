"""Commands of the journal: `audit`."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from controller.journal.audit import Mismatch, Verdict
    from controller.journal.record import Record

_ROUND = b'"type":"round_opened"'


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command()(audit)


def audit(
    journal: Annotated[Path, typer.Argument(help="A journal.db, or the state folder it lies in.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Check a journal's chain and head and derive every fact anew; exit 1 names what does not hold."""
    from controller.cli.io import write_json, write_text
    from controller.journal.audit import verify
    from controller.journal.reader import locate

    path = locate(journal)
    rounds = _Rounds()
    verdict = verify(path, rounds.watch)
    if json:
        write_json(_document(path, verdict, rounds.count))
    else:
        write_text(_sentence(verdict, rounds.count))
    raise typer.Exit(0 if verdict.ok else 1)


class _Rounds:
    """Re-derives every record, and counts the rounds opened while the records pass."""

    def __init__(self) -> None:
        self.count = 0

    def watch(self, records: "Iterable[Record]") -> "Iterator[Mismatch]":
        """Every record that does not follow from the inputs before it."""
        from controller.runtime.core import rederive

        return rederive(self._counted(records))

    def _counted(self, records: "Iterable[Record]") -> "Iterator[Record]":
        for record in records:
            self.count += record.kind == "fact" and _ROUND in record.body
            yield record


def _document(path: Path, verdict: "Verdict", rounds: int) -> dict[str, object]:
    return {
        "journal": str(path),
        "ok": verdict.ok,
        "records": verdict.records,
        "kinds": verdict.kinds,
        "rounds": rounds,
        "behind": verdict.behind,
        "first": verdict.first,
    }


def _sentence(verdict: "Verdict", rounds: int) -> str:
    if verdict.first:
        return f"broken: {verdict.first} ({verdict.records} records hold before it)"
    head = f"head {verdict.behind} behind, as after a power cut" if verdict.behind else "head matches"
    return f"ok: {verdict.records} records, {rounds} rounds, {head}"
