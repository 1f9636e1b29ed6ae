"""Commands about the rules: `explain`, `odds`, `rules`."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.cards import is_card
from controller.cli.io import write_json
from controller.ports import InputError

if TYPE_CHECKING:
    from controller.facts import WagerSettled
    from controller.rules.explanation import Explanation, Step
    from controller.rules.odds import Odds
    from controller.rules.remedies import Pack
    from controller.rules.ruleset import Ruleset

DEFAULT = "nj-mini-baccarat"
RulesetOption = Annotated[str, typer.Option("--ruleset", help="A shipped ruleset's name, or a .toml file.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("explain")(explain)
    app.command("rules")(rules)
    app.command("odds")(odds)


# -- explain ----------------------------------------------------------------------------------------------


def explain(
    cards: Annotated[list[str], typer.Argument(metavar="CARD...", help="In the order dealt: 2C TD KS.")],
    ruleset: RulesetOption = DEFAULT,
    bets: Annotated[str, typer.Option(help="Wagers to settle: player=100,tie=5.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Whose card is due after each card, why, the result, the settlement. Exit 3: cards nobody was owed."""
    from controller.rules.explanation import explain as deal
    from controller.rules.ruleset import load_ruleset
    from controller.rules.wagers import settle

    for place, card in enumerate(cards, 1):
        if not is_card(card):
            raise InputError(
                f"card {place}: {card!r} is no card; write a rank A 2..9 T J Q K and a suit C D H S, as in TD"
            )
    law = load_ruleset(ruleset)
    placed = _bets(law, bets)
    told = deal(cards, law.draw)
    settled = [settle(law, told.result, *bet) for bet in placed] if told.result else []
    if as_json:
        write_json(_explained(told, settled))
    else:
        from controller.cli import law_text

        law_text.show_explanation(told, settled)
    if told.surplus:
        raise typer.Exit(3)


def _bets(law: "Ruleset", text: str) -> list[tuple[str, str]]:
    """`player=100,tie=5` as pairs. Raises InputError."""
    from controller.rules.wagers import refusal

    pairs = [part.strip().partition("=") for part in text.split(",") if part.strip()]
    names = [name for name, _, _ in pairs]
    for name, equals, amount in pairs:
        if not equals:
            raise InputError(f"--bets: {name!r} has no amount; write it as {name}=100")
        if names.count(name) > 1:
            raise InputError(f"--bets: {name} stands there twice; give it once, with the whole amount")
        if reason := refusal(law, name, amount, beside=names):
            raise InputError(f"--bets: {name}: {reason}")
    return [(name, amount) for name, _, amount in pairs]


def _explained(told: "Explanation", settled: list["WagerSettled"]) -> dict[str, Any]:
    from msgspec import structs

    from controller.facts import RoundDecided

    result = told.result and RoundDecided(round=1, corrected=False, **structs.asdict(told.result))
    return {
        "steps": [_step(step) for step in told.steps],
        "due": told.due.hand,
        "citation": told.due.citation,
        "surplus": told.surplus,
        "result": result,
        "wagers": settled,
    }


def _step(step: "Step") -> dict[str, Any]:
    told = {"card": step.card, "hand": step.hand, "index": step.index}
    return told | {"due": step.due.hand, "citation": step.due.citation} if step.due else told


# -- odds -------------------------------------------------------------------------------------------------


def odds(
    decks: Annotated[int, typer.Option(min=1, max=12, help="Decks in the pack.")] = 8,
    ruleset: RulesetOption = DEFAULT,
    as_json: JsonOption = False,
) -> None:
    """Exact probabilities and house edges, by counting every round that a full pack can deal."""
    from controller.rules.odds import enumerate_rounds
    from controller.rules.ruleset import load_ruleset

    law = load_ruleset(ruleset)
    counted = enumerate_rounds(decks, law.draw)
    document = _odds(law, counted)
    if as_json:
        write_json(document)
    else:
        from controller.cli import law_text

        law_text.show_odds(document)


def _odds(law: "Ruleset", counted: "Odds") -> dict[str, Any]:
    from controller.rules.odds import event_counts
    from controller.rules.pay_tables import pay_tables
    from controller.rules.wagers import house_edge, paytable_text

    def entry(wager: Any, table: Any, vigorish: Any) -> dict[str, Any]:
        edge = house_edge(wager, table, vigorish, counted.classes(wager))
        return {
            "house_edge": {"exact": f"{edge.numerator}/{edge.denominator}", "decimal": _decimal(edge)},
            "pays": paytable_text(wager, table, vigorish),
            "figures": {"citation": table.figures.citation, "source": table.figures.source},
        }

    own = {name: entry(name, wager, law.vigorish) for name, wager in law.wagers.items()}
    further = {
        name: entry(table.wager, table, table.vigorish)
        for name, table in pay_tables().items()
        if name not in own or paytable_text(table.wager, table, table.vigorish) != own[name]["pays"]
    }
    counts = event_counts(counted)
    return {
        "decks": counted.decks,
        "ruleset": law.name,
        "total": counted.total,
        "player": counts["player"],
        "banker": counts["banker"],
        "tie": counts["tie"],
        "counts": counts,
        "wagers": own,
        "variants": further,
    }


def _decimal(value: Fraction) -> str:
    """Twelve places, rounded half to even."""
    scaled = round(value * 10**12)
    return f"{'-' if scaled < 0 else ''}{abs(scaled) // 10**12}.{abs(scaled) % 10**12:012d}"


# -- rules ------------------------------------------------------------------------------------------------


def rules(
    ruleset: RulesetOption = DEFAULT,
    remedies: Annotated[
        str, typer.Option(help="Other remedies than the ruleset's: a shipped pack's name, or a .toml file.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """The rules in force and the remedies of irregularities, with citations, and what is unverified."""
    from controller.play.answers import answers
    from controller.rules.remedies import load_pack
    from controller.rules.ruleset import load_ruleset

    law = load_ruleset(ruleset)
    pack = load_pack(remedies or law.remedies, answers())
    if as_json:
        write_json(_rules(law, pack))
    else:
        from controller.cli import law_text

        law_text.show_rules(law, pack)


def _rules(law: "Ruleset", pack: "Pack") -> dict[str, Any]:
    document = law.model_dump(exclude_none=True)
    document["third_card"]["player"] = list(law.third_card.player)
    document["third_card"]["banker"] = [list(row) for row in law.third_card.banker]
    return {
        "ruleset": document.pop("name"),
        **document,
        "remedies": pack.name,
        "irregularities": [
            {"code": code} | rule.model_dump()
            for code, rules in pack.irregularities.items()
            for rule in rules
        ],
        "second_person": pack.second_person.model_dump(),
        "unverified": law.unverified + pack.unverified,
    }
