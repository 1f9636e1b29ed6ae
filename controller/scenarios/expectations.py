"""What must follow from the acts of a scenario: how each is written, and whether it holds."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Protocol, get_args, get_origin

import msgspec
from msgspec import Struct

from controller import facts
from controller.cards import Hand
from controller.rules.remedies import CODES
from controller.scenarios.forms import Mistake, read, split, value


class After(Struct, frozen=True, kw_only=True):
    """The table behind some acts: the facts that they made, whose card is due, whether the round is held."""

    said: Sequence[facts.Fact]
    due: Hand | None
    held: bool


class Expectation(Protocol):
    """What a scenario expects behind some of its acts."""

    @property
    def text(self) -> str:
        """As it is written."""

    def unmet(self, after: After) -> str | None:
        """What is so instead; None: it holds."""


class _Written(Struct, frozen=True, kw_only=True):
    text: str


class Due(_Written, frozen=True):
    hand: Hand | None

    def unmet(self, after: After) -> str | None:
        return None if after.due == self.hand else f"{after.due or 'nobody'} is due"


class Held(_Written, frozen=True):
    held: bool

    def unmet(self, after: After) -> str | None:
        return None if after.held == self.held else f"the round is {'' if after.held else 'not '}held"


class Said(_Written, frozen=True):
    """A fact of one of these types, with all these fields; not `wanted`: there is none."""

    types: tuple[type[facts.Fact], ...]
    fields: Mapping[str, Any] = {}
    wanted: bool = True

    def unmet(self, after: After) -> str | None:
        alike = [fact for fact in after.said if isinstance(fact, self.types)]
        found = any(all(getattr(f, name) == value for name, value in self.fields.items()) for f in alike)
        if found == self.wanted:
            return None
        said = "; ".join(_words(fact, self.fields) for fact in alike)
        others = ", ".join(dict.fromkeys(_name(type(fact)) for fact in after.said))
        return f"it says {said or others or 'nothing'}"


class Raised(_Written, frozen=True):
    """An irregularity of that code; `proposing`: exactly these orders are proposed, None: whatever is."""

    code: str
    proposing: frozenset[str] | None = None

    def unmet(self, after: After) -> str | None:
        raised = [fact for fact in after.said if isinstance(fact, facts.IrregularityRaised)]
        mine = [_proposed(fact) for fact in raised if fact.code == self.code]
        if not mine:
            return f"raised: {', '.join(fact.code for fact in raised) or 'nothing'}"
        if self.proposing is None or self.proposing in mine:
            return None
        return f"proposed: {', '.join(sorted(mine[0])) or 'nothing'}"


class Silent(_Written, frozen=True):
    """No fact at all."""

    def unmet(self, after: After) -> str | None:
        said = dict.fromkeys(_name(type(fact)) for fact in after.said)
        return f"it says {', '.join(said)}" if said else None


def foreseen(code: str, expected: Sequence[Expectation]) -> bool:
    """One of these expects an irregularity of that code."""
    codes = [one.code for one in expected if isinstance(one, Raised)]
    said = [one.fields for one in expected if isinstance(one, Said) and facts.IrregularityRaised in one.types]
    return code in codes or any(fields.get("code", code) == code for fields in said)


def _proposed(fact: facts.IrregularityRaised) -> frozenset[str]:
    return frozenset(remedy.order for remedy in fact.remedies if remedy.proposed)


def _words(fact: facts.Fact, fields: Mapping[str, Any]) -> str:
    told = msgspec.to_builtins(fact)
    return " ".join([_name(type(fact)), *(f"{name}={_word(told[name])}" for name in fields)])


def _word(told: Any) -> str:
    return ",".join(map(str, told)) if isinstance(told, list) else str(told)


@cache
def _name(kind: type[facts.Fact]) -> str:
    return str(kind.__struct_config__.tag)


FACTS: Mapping[str, type[facts.Fact]] = {_name(kind): kind for kind in get_args(facts.AnyFact)}
_REFUSED = (facts.OrderRefused, facts.WagerRefused)
_TOKEN = re.compile(r'(?:[^\s"]|"[^"]*")+')
HANDS: Mapping[str, Hand | None] = {"player": "player", "banker": "banker", "nobody": None}

#: What can be expected, beside any fact by its name with any of its fields.
WRITTEN = (
    "due player, due banker, due nobody (or: nothing due)",
    "irregularity CODE [proposing ORDER,...]",
    "no irregularity",
    "held, not held",
    "refused",
    "nothing",
    "FACT [FIELD=VALUE]...",
    "no FACT",
)


def parse_expectation(text: str) -> Expectation:
    """The expectation that a text is. Raises Mistake."""
    match _TOKEN.findall(text):
        case ["nothing"]:
            return Silent(text=text)
        case ["nothing", "due"]:
            return Due(text=text, hand=None)
        case ["due", hand] if hand in HANDS:
            return Due(text=text, hand=HANDS[hand])
        case ["held"] | ["not", "held"]:
            return Held(text=text, held=text == "held")
        case ["refused"]:
            return Said(text=text, types=_REFUSED)
        case ["no", "irregularity"]:
            return Said(text=text, types=(facts.IrregularityRaised,), wanted=False)
        case ["no", name]:
            return Said(text=text, types=(_fact(name),), wanted=False)
        case ["irregularity", *_]:
            return _raised(text)
        case [name, *fields]:
            kind = _fact(name)
            return Said(text=text, types=(kind,), fields=dict(_field(name, kind, f) for f in fields))
    raise Mistake(f"nothing is expected; write one of: {' | '.join(WRITTEN)}")


def _raised(text: str) -> Raised:
    words = read("irregularity {code} [proposing {orders,}]", text)
    if words is None:
        raise Mistake(f"{text!r}: write {WRITTEN[1]}")
    code, orders = str(words["code"]), words.get("orders")
    if code not in CODES:
        raise Mistake(f"no irregularity {code!r}; there are {', '.join(CODES)}")
    proposing = None if orders is None else frozenset(["" if o == "nothing" else o for o in orders]) - {""}
    return Raised(text=text, code=code, proposing=proposing)


def _fact(name: str) -> type[facts.Fact]:
    if name not in FACTS:
        raise Mistake(f"no fact {name!r}; expect one of: {' | '.join(WRITTEN)}; facts: {', '.join(FACTS)}")
    return FACTS[name]


def _field(name: str, kind: type[facts.Fact], text: str) -> tuple[str, Any]:
    field, equals, word = text.partition("=")
    types = {one.encode_name: one.type for one in msgspec.structs.fields(kind)}
    if field not in types or not equals:
        raise Mistake(f"{name} {text!r}: write FIELD=VALUE; its fields are {', '.join(types)}")
    given: Any = None if word in ("nobody", "null") else word.replace('"', "")
    if given and get_origin(types[field]) is list:
        given = split(given)
    return field, value(kind, field, types[field], given)
