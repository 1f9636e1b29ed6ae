"""Commands that play: `replay`."""

import codecs
from collections.abc import Iterable
from typing import Annotated

import typer

from controller.cli.io import reading, write_json
from controller.facts import IrregularityRaised
from controller.orders import Event
from controller.play.boundaries import Boundaries, infer_boundaries
from controller.ports import InputError

#: What some editors put before the first line of a text in UTF-8.
BOM = codecs.BOM_UTF8


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command()(replay)


def replay(
    file: Annotated[
        str,
        typer.Argument(
            help="Observations and orders as JSON lines, - for standard input; or a scenario, FILE.deal."
        ),
    ],
    ruleset: Annotated[str, typer.Option(help="A shipped ruleset's name, or a path.")] = "nj-mini-baccarat",
    decks: Annotated[int, typer.Option(min=1, max=12)] = 8,
    boundaries: Annotated[
        str | None, typer.Option(help="announced, device or first_card; inferred from the input if absent.")
    ] = None,
) -> None:
    """Judge recorded observations: facts as JSON lines. Exit 3 when an irregularity was raised.

    A scenario plays by its own rules; exit 1 when something does not come as it says.
    """
    if file.endswith(".deal"):
        from controller.cli.scenario import replay_scenario

        replay_scenario(file, ruleset)
        return
    from controller.play.answers import answers
    from controller.play.house import House
    from controller.play.table import Table
    from controller.rules.remedies import load_pack
    from controller.rules.ruleset import load_ruleset

    rules = load_ruleset(ruleset)
    pack = load_pack(rules.remedies, answers())
    events = _read(file)
    if boundaries is None:
        events = list(events)
        boundaries = infer_boundaries(events)
    table = Table(House(rules, decks, _boundaries(boundaries), pack=pack))
    raised = False
    for event in events:
        for fact in table.apply(event):
            raised = raised or isinstance(fact, IrregularityRaised)
            write_json(fact)
    if raised:
        raise typer.Exit(3)


def _boundaries(text: str) -> Boundaries:
    match text:
        case "announced" | "device" | "first_card":
            return text
    raise InputError(f"--boundaries {text!r}: not known; give announced, device or first_card")


def _read(file: str) -> Iterable[Event]:
    import msgspec

    from controller.strict_json import decode

    decoder = msgspec.json.Decoder(Event)
    with reading(file) as lines:
        for number, line in enumerate(lines, 1):
            line = line.removeprefix(BOM) if number == 1 else line
            if not line.strip():
                continue
            try:
                yield decode(line, decoder)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise InputError(
                    f"{file}, line {number}: {error}; every line is one observation or order as JSON"
                ) from None
