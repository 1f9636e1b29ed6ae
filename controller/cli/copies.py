"""Commands that copy a journal: `backup`, `restore`, `keep-aside`, `export`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from controller.journal.audit import Verdict

_JOURNAL = typer.Argument(help="A journal.db, or the state folder it lies in.")
_JSON = typer.Option("--json", help="One JSON document.")


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command()(backup)
    app.command()(restore)
    app.command("keep-aside")(keep_aside)
    app.command()(export)


def backup(
    journal: Annotated[Path, _JOURNAL],
    folder: Annotated[
        Path, typer.Argument(help="Where the copy goes, on another disk; may hold an older one.")
    ],
    json: Annotated[bool, _JSON] = False,
) -> None:
    """Copy a journal with its archive and its people, also while the table plays, and check the copy."""
    from controller.journal.copies import backup as copy
    from controller.journal.reader import locate

    _tell(copy(locate(journal), folder), folder, json)


def restore(
    folder: Annotated[Path, typer.Argument(help="A copy made by `tablectl backup`.")],
    state: Annotated[Path, typer.Argument(help="The table's state folder; it must have no journal.")],
    json: Annotated[bool, _JSON] = False,
) -> None:
    """Bring a checked copy of a journal back, and check it there."""
    from controller.journal.copies import restore as bring_back

    _tell(bring_back(folder, state), state, json)


def keep_aside(
    state: Annotated[Path, typer.Argument(help="The table's state folder; its service must be stopped.")],
) -> None:
    """Move a journal that cannot be opened into a folder of its own, so that play can go on in a new one."""
    from controller.cli.io import write_text
    from controller.journal.copies import keep_aside as move

    write_text(f"{move(state)}: the journal is kept here; the next start begins a new one")


def export(journal: Annotated[Path, _JOURNAL]) -> None:
    """Every record as a line of JSON, the archive's first; only reads, also while the table plays."""
    import msgspec

    from controller.cli.io import write_json
    from controller.journal.reader import locate, records

    for record in records(locate(journal)):
        write_json(
            {
                "seq": record.seq,
                "kind": record.kind,
                "device": record.device,
                "at": record.at,
                "wall": record.wall,
                "body": msgspec.Raw(record.body),
                "hash": record.hash.hex(),
            }
        )


def _tell(verdict: "Verdict", place: Path, json: bool) -> None:
    """Exit 1: the copy does not hold."""
    from controller.cli.io import write_json, write_text

    if json:
        document = {"folder": str(place), "ok": verdict.ok, "records": verdict.records}
        write_json({**document, "files": verdict.files, "first": verdict.first})
    elif verdict.ok:
        files = "a file" if verdict.files == 1 else f"{verdict.files} files"
        write_text(f"{place}: {verdict.records} records in {files}, checked")
    else:
        write_text(f"{place}: broken: {verdict.first}")
    raise typer.Exit(0 if verdict.ok else 1)
