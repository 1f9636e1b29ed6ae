"""The rules, as text for a person."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

from rich.console import Console
from rich.table import Table

from controller.cli.io import write_text
from controller.facts import WagerSettled
from controller.rules.explanation import Explanation
from controller.rules.outcome import Result
from controller.rules.remedies import Pack, Rule, instruction, titles
from controller.rules.ruleset import Ruleset
from controller.rules.terms import Term
from controller.rules.wagers import paytable_text


@contextmanager
def _console() -> Iterator[Console]:
    """What is printed on it is written at the end; as wide as the terminal, 140 columns into a pipe."""
    there, printed = Console(), StringIO()
    yield Console(
        file=printed,
        highlight=False,
        markup=False,
        force_terminal=there.is_terminal,
        width=there.width if there.is_terminal else 140,
    )
    write_text(printed.getvalue().removesuffix("\n"))


def _table(title: str, *columns: str, rows: Iterable[tuple[str, ...]]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", show_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


# -- explain ----------------------------------------------------------------------------------------------


def show_explanation(told: Explanation, settled: list[WagerSettled]) -> None:
    """Card by card, the result, the settlement."""
    with _console() as console:
        console.print(
            _table(
                "The cards",
                "card",
                "goes to",
                "then",
                "because",
                rows=[
                    (
                        step.card,
                        f"{step.hand.title()} {step.index}",
                        _due(step.due.hand) if step.due else "",
                        step.due.citation if step.due else "",
                    )
                    for step in told.steps
                ],
            )
        )
        if told.due.hand and len(told.steps) < 4:
            console.print(f"\n{_due(told.due.hand)}: {told.due.citation}")
        if told.result:
            console.print(f"\n{result_text(told.result)}")
        if told.surplus:
            console.print(
                f"\nNobody was owed: {' '.join(told.surplus)}. The result stands on the cards before."
            )
        if settled:
            rows = [(s.wager, s.amount, s.outcome, s.pays, s.vigorish, s.citation) for s in settled]
            console.print()
            console.print(_table("Wagers", "wager", "stake", "", "pays", "vigorish", "because", rows=rows))


def _due(hand: str | None) -> str:
    return f"{hand.title()} draws" if hand else "no more cards"


def result_text(result: Result) -> str:
    """One line: who won, by which counts, what else is true."""
    counts = f"Player {result.player_total}, Banker {result.banker_total}"
    winner = "Tie" if result.winner == "tie" else f"{result.winner.title()} wins"
    marks = ("natural", "player_pair", "banker_pair", "dragon_7", "panda_8")
    also = [name.replace("_", " ") for name in marks if getattr(result, name)]
    return f"{winner}: {counts}; {', '.join([f'{result.cards} cards', *also])}."


# -- odds -------------------------------------------------------------------------------------------------


def show_odds(document: dict[str, Any]) -> None:
    """Probabilities, then house edges."""
    total = document["total"]
    with _console() as console:
        console.print(f"{document['decks']} decks, {total:,} ordered sequences of six cards\n")
        events = [
            (name.replace("_", " "), f"{n:,}", f"{n / total:.6%}") for name, n in document["counts"].items()
        ]
        console.print(_table("How often", "event", "sequences", "probability", rows=events))
        for title, part in (
            (f"Wagers of {document['ruleset']}", "wagers"),
            ("Further pay tables", "variants"),
        ):
            rows = [
                (name, one["pays"], f"{float(one['house_edge']['decimal']):.6%}", one["figures"]["source"])
                for name, one in document[part].items()
            ]
            console.print()
            console.print(_table(title, "wager", "pays", "house edge", "figures are", rows=rows))


# -- rules ------------------------------------------------------------------------------------------------


_DRAWING = {
    "deal": "first four cards",
    "natural": "naturals",
    "player": "Player's third card",
    "banker": "Banker's third card",
    "banker_alone": "Banker, where Player stays",
    "banker_low": "Banker on 0 to 2",
}


def show_rules(law: Ruleset, pack: Pack) -> None:
    """A whole ruleset with its remedies, and at the end what nobody has read."""
    with _console() as console:

        def show(title: str, *columns: str, rows: Iterable[tuple[str, ...]]) -> None:
            console.print()
            console.print(_table(title, *columns, rows=rows))

        console.print(f"{law.title} ({law.name}), under {law.law}")
        show("Player, by count", *"0123456789", rows=[tuple(law.third_card.player)])
        banker = [(str(count), *row) for count, row in enumerate(law.third_card.banker)]
        show("Banker, by Player's third card", "count", "none", *"0123456789", rows=banker)
        console.print("D draws, S stays.")
        if gap := law.third_card.fallback:
            console.print(f"A gap: {gap.note} ({gap.citation}); {gap.table} is used instead.")
        cites = [(_DRAWING[name], citation) for name, citation in law.third_card.cites]
        show("Dealing", "rule", "written in", rows=cites)
        show("Table and shoe", "what", "rule", "written in", "source", rows=_house_rows(law))
        show("Wagers", "wager", "pays", "figures written in", "source", rows=_pay_rows(law))
        show("Won, lost and void", "wager", "on", "written in", "source", rows=_cite_rows(law))
        for rule in law.exclusion:
            console.print(f"{rule.wager} is not offered beside {', '.join(rule.beside)} ({rule.citation}).")
        title = f"Irregularities: {pack.title} ({pack.name}), under {pack.law}"
        show(
            title,
            "code",
            "when",
            "proposed",
            "the rule says",
            "written in",
            "source",
            rows=_remedy_rows(pack),
        )
        console.print("Whatever is not listed: no rule, the supervisor decides.")
        console.print(f"A second person confirms: {', '.join(pack.second_person.orders) or 'no order'}.")
        console.print(f"Called, where nothing else is said: {titles(pack, pack.call)}.")
        if unverified := law.unverified + pack.unverified:
            rows = [(one["rule"], one["citation"], one["note"]) for one in unverified]
            show("Unverified, so not approved for play", "rule", "citation", "note", rows=rows)


def _remedy_rows(pack: Pack) -> list[tuple[str, ...]]:
    return [
        (code, ", ".join(rule.when), _proposed(rule), instruction(pack, rule), rule.citation, rule.source)
        for code, rules in pack.irregularities.items()
        for rule in rules
    ]


def _proposed(rule: Rule) -> str:
    if rule.order is None:
        return f"no rule; {' or '.join(rule.allow)}" if rule.allow else "no rule"
    return f"{rule.order}; or {' or '.join(rule.allow)}" if rule.allow else rule.order


def _house_rows(law: Ruleset) -> list[tuple[str, ...]]:
    gear = {True: "required", False: "optional"}
    burn = {"none": "none", "first-card": "as many as the first card's value, ten and court cards 10"}
    by_wager = law.handling.by == "highest-wager"
    handled = "the patron with the highest wager on the hand" if by_wager else "the dealer"
    if law.handling.other_hand:
        handled += "; on a hand without wagers, one with a wager on the other"
    place, last = law.cut_card.place, law.cut_card.last_round
    vigorish = law.vigorish
    charged = "none" if vigorish.on == "none" else f"{vigorish.rate} on {vigorish.on.replace('-', ' ')}"
    if vigorish.also_on_ties:
        charged += f", and {vigorish.also_on_ties.rate} on Banker ties"
    if vigorish.on != "none":
        rounded = f"rounded {vigorish.rounding} to {vigorish.chip}" if vigorish.chip else "exact"
        charged += f", {rounded}, collected {vigorish.collected.replace('-', ' ')}"
    rows = (
        ("seats", f"at most {law.seats.max}", law.seats),
        ("decks", f"{law.decks.min} to {law.decks.max}", law.decks),
        ("shoe", gear[law.equipment.shoe.required], law.equipment.shoe),
        ("shuffler", gear[law.equipment.shuffler.required], law.equipment.shuffler),
        ("card values", "ace 1, 2 to 9 face, ten and court cards 0; last digit counts", law.counting),
        ("dealing", f"{' or '.join(law.deal.options)}; {law.deal.default} by default", law.deal),
        ("cards turned by", handled, law.handling),
        ("third cards", "the tables above", law.third_card),
        ("burn", burn.get(law.burn.policy) or f"{law.burn.count} cards", law.burn),
        ("cut cards", f"a shoe may show {law.cut_card.shows}", law.cut_card),
        ("cut card's place", f"at least {place.behind} cards behind it", place),
        ("last hand", f"{last.rounds_after} after the round in which the cut card comes", last),
        ("vigorish", charged, vigorish),
        ("permitted wagers", ", ".join(law.permitted.wagers + law.permitted.approved), law.permitted),
        *((name.replace("_", " "), one.text, one) for name, one in law.definitions.items()),
    )
    return [(what, _noted(text, term), term.citation, term.source) for what, text, term in rows]


def _noted(text: str, term: Term) -> str:
    return f"{text} ({term.note})" if term.note else text


def _pay_rows(law: Ruleset) -> list[tuple[str, ...]]:
    return [
        (name, paytable_text(name, wager, law.vigorish), wager.figures.citation, wager.figures.source)
        for name, wager in law.wagers.items()
    ]


def _cite_rows(law: Ruleset) -> list[tuple[str, ...]]:
    return [
        (name, kind.replace("_", " "), term.citation, term.source)
        for name, wager in law.wagers.items()
        for kind, term in wager.cites.items()
    ]
