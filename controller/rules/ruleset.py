"""A ruleset: everything a house plays by, parsed from TOML and checked as a whole."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from pydantic import Field, PrivateAttr, ValidationError

from controller.cards import Card
from controller.ports import ConfigurationError
from controller.rules.drawing import POINTS, DrawTable
from controller.rules.kinds import WagerName
from controller.rules.shipped import read_law, shipped_names
from controller.rules.terms import (
    Burn,
    CutCard,
    Deal,
    Decks,
    Definition,
    Equipments,
    Exclusion,
    Handling,
    Objection,
    Permitted,
    Seats,
    Strict,
    Term,
    ThirdCard,
    Vigorish,
    Wager,
)
from controller.toml_lines import fault, faults, read_toml


class Ruleset(Strict):
    """Frozen. Every rule is a `Term`: value, citation, source."""

    name: str = Field(pattern="^[a-z0-9-]+$")
    title: str
    law: str
    remedies: str = Field(pattern="^[a-z0-9-]+$")
    seats: Seats
    decks: Decks
    equipment: Equipments
    counting: Term
    deal: Deal
    handling: Handling
    third_card: ThirdCard
    burn: Burn
    cut_card: CutCard
    vigorish: Vigorish
    permitted: Permitted
    exclusion: list[Exclusion] = Field(default_factory=list)
    definitions: dict[str, Definition] = Field(default_factory=dict)
    wagers: dict[WagerName, Wager] = Field(min_length=1)

    _text: str = PrivateAttr(default="")

    @property
    def text(self) -> str:
        """The TOML it was parsed from."""
        return self._text

    @cached_property
    def draw(self) -> DrawTable:
        return self.third_card.draw_table()

    @property
    def rounds_after_cut_card(self) -> int:
        """Rounds that follow the one in which the cut card came."""
        return self.cut_card.last_round.rounds_after

    @property
    def cut_cards(self) -> int:
        """How many cutting cards one shoe may show: 1 or 2."""
        return self.cut_card.shows

    @cached_property
    def terms(self) -> dict[str, Term]:
        """Every rule by its place, such as `burn`, `cut_card.place` or `wagers.tie.figures`."""
        return dict(_terms(self, ""))

    def citation(self, topic: str) -> str:
        """What the rule at a place of `terms` cites. Raises KeyError."""
        return self.terms[topic].citation

    @cached_property
    def unverified(self) -> list[dict[str, str]]:
        """The rules whose text was not read; while there are any, nobody may call it approved for play."""
        return [
            {"rule": place, "citation": term.citation, "note": term.note}
            for place, term in self.terms.items()
            if term.source == "unverified"
        ]

    def objections(self) -> Iterator[Objection]:
        """What the offered wagers break: their own pay tables, the law's permission, its exclusions."""
        void = "banker" in self.wagers and self.wagers["banker"].pays.get("dragon_7") == "void"
        for name, wager in self.wagers.items():
            yield from ((("wagers", name, *path), what) for path, what in wager.objections(name))
            if name not in self.permitted.wagers + self.permitted.approved:
                yield (
                    ("wagers", name),
                    f"is not permitted ({self.permitted.citation}); remove it, or name it in "
                    "permitted.approved if the regulator approved it",
                )
            if name in self.permitted.no_vigorish_only and not void:
                yield (
                    ("wagers", name),
                    "goes only with the no-vigorish variation, where Banker is void on a dragon 7; remove "
                    'it, or set wagers.banker.pays.dragon_7 = "void"',
                )
        for rule in self.exclusion:
            both = [other for other in rule.beside if other in self.wagers]
            if rule.wager in self.wagers and both:
                yield (
                    ("wagers", rule.wager),
                    f"may not be offered beside {', '.join(both)} ({rule.citation}); remove one or the other",
                )


def _terms(value: Any, place: str) -> Any:
    if isinstance(value, Term):
        yield place, value
    if isinstance(value, Strict):
        parts = [(name, getattr(value, name)) for name in type(value).model_fields]
    elif isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list):
        parts = [(str(index), item) for index, item in enumerate(value)]
    else:
        return
    for name, part in parts:
        yield from _terms(part, f"{place}.{name}" if place else name)


def burn_value(card: Card) -> int:
    """How many cards a first card burns: ace 1, 2 to 9 their face, ten and court cards 10 (France 55-14)."""
    return POINTS[card] or 10


def parse_ruleset(text: str, origin: str) -> Ruleset:
    """The ruleset of a TOML text; `origin` names its file in messages. Raises ConfigurationError, one line
    for each fault.
    """
    data = read_toml(text, origin)
    try:
        ruleset = Ruleset.model_validate(data)
    except ValidationError as error:
        raise ConfigurationError("\n".join(faults(error, text, origin))) from None
    if found := [fault(path, what, text, origin) for path, what in ruleset.objections()]:
        raise ConfigurationError("\n".join(found))
    ruleset._text = text
    return ruleset


def ruleset_names() -> list[str]:
    """The shipped rulesets, sorted."""
    return shipped_names("rulesets")


def load_ruleset(name_or_path: str) -> Ruleset:
    """A shipped ruleset by name, or one of the house's by path. Raises ConfigurationError."""
    return parse_ruleset(*read_law("rulesets", "ruleset", name_or_path))
