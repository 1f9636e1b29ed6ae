"""What becomes of an irregularity: a jurisdiction's rules as data, and the remedies that they propose.

The same card has opposite fates in different places, so no fate stands in the code. A pack gives, for each
irregularity, rules that are tried from the top; where none holds there is no rule and the supervisor decides.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, get_args

from pydantic import Field, PrivateAttr, ValidationError

from controller.facts import Remedy
from controller.ports import ConfigurationError
from controller.rules.shipped import read_law, shipped_names
from controller.rules.situations import OPPOSITE, Circumstance, Situation
from controller.rules.terms import Objection, Strict, Term
from controller.toml_lines import fault, faults, read_toml

Code = Literal[
    "early-card",
    "overdraw",
    "wrong-slot",
    "underdraw",
    "unread-card",
    "card-conflict",
    "impossible-card",
    "foreign-card",
    "result-mismatch",
    "forced-quit",
    "reverse-movement",
    "jam",
    "shoe-opened",
    "draw-timeout",
    "button-misuse",
    "card-overdue",
    "supervisor-called",
    "lost-frames",
    "link-lost",
    "device-restarted",
    "not-burned",
    "burn-mismatch",
    "cut-card-misplaced",
    "cut-card-repeated",
    "cut-card-missing",
    "past-last-round",
    "shoe-exhausted",
    "count-mismatch",
    "unshuffled-pack",
    "shuffler-fault",
    "shuffler-count-mismatch",
    "composition-mismatch",
    "unverified-pack",
    "order-disclosed",
    "late-wager",
]
CODES: tuple[Code, ...] = get_args(Code)

RemedyOrder = Literal[
    "acknowledge",
    "accept",
    "void_round",
    "burn_card",
    "carry_card",
    "move_card",
    "identify_card",
    "correct_card",
    "resynchronise",
    "new_shoe",
    "end_shoe",
    "close_table",
]
#: Orders that the table takes while no round is held.
WITHOUT_A_HOLD: tuple[RemedyOrder, ...] = ("void_round", "end_shoe", "new_shoe", "close_table")

Person = Literal["floor", "pit", "shift", "surveillance", "regulator"]


class Rule(Term):
    """Holds when every word of `when` does. `order` absent: the text leaves it to the supervisor.

    `allow`: further orders that the text itself names. `says`: what is to be done, for the supervisor.
    `call`: whom to call; absent: those of the pack.
    """

    when: list[Circumstance] = Field(default_factory=list)
    order: RemedyOrder | None = None
    allow: list[RemedyOrder] = Field(default_factory=list)
    says: str = Field(min_length=1)
    call: list[Person] = Field(default_factory=list)

    @property
    def told(self) -> Circumstance | None:
        """The one word of `when` that a person must say."""
        return next((word for word in self.when if word in OPPOSITE), None)


class Title(Term):
    """What a person is called there."""

    title: str


class SecondPerson(Term):
    """Orders that need another person's confirmation."""

    orders: list[RemedyOrder]


class Pack(Strict):
    """The remedies of one jurisdiction. Every rule is a `Term`: citation, source."""

    name: str = Field(pattern="^[a-z0-9-]+$")
    title: str
    law: str
    call: list[Person] = Field(min_length=1)
    people: dict[Person, Title] = Field(default_factory=dict)
    second_person: SecondPerson
    irregularities: dict[Code, list[Rule]] = Field(default_factory=dict)

    _text: str = PrivateAttr(default="")

    @property
    def text(self) -> str:
        """The TOML it was parsed from."""
        return self._text

    @cached_property
    def terms(self) -> dict[str, Term]:
        """Every rule by its place, as `remedies.overdraw.0`, counted from the top."""
        rules = {
            f"remedies.{code}.{at}": rule
            for code, rules in self.irregularities.items()
            for at, rule in enumerate(rules)
        }
        return {"remedies.second_person": self.second_person, **rules}

    @cached_property
    def unverified(self) -> list[dict[str, str]]:
        """The rules whose text was not read, as `Ruleset.unverified` gives them."""
        return [
            {"rule": place, "citation": term.citation, "note": term.note or getattr(term, "says", "")}
            for place, term in self.terms.items()
            if term.source == "unverified"
        ]

    def objections(self, answers: Mapping[str, Collection[str]]) -> Iterator[Objection]:
        """What a rule asks that cannot be ordered there, or that can never hold."""
        for code, rules in self.irregularities.items():
            final = False
            for at, rule in enumerate(rules):
                place = ("irregularities", code, at)
                if final:
                    yield place, "stands behind a rule without `when`, so it never holds; move it up"
                final = final or not rule.when
                told = [word for word in rule.when if word in OPPOSITE]
                if len(told) > 1:
                    yield (*place, "when"), f"has {' and '.join(told)}; a person says one word in a rule"
                for key, orders in (("order", [rule.order] if rule.order else []), ("allow", rule.allow)):
                    for order in orders:
                        if order not in answers.get(code, ()):
                            known = ", ".join(sorted(answers.get(code, ()))) or "none"
                            yield (*place, key), f"{order} does not answer {code}; name one of {known}"
                if rule.order in rule.allow:
                    yield (*place, "allow"), f"{rule.order} is the rule's own order; remove it here"


class Candidate(NamedTuple):
    """A rule that may hold; `given`: what the supervisor would have to find."""

    rule: Rule
    given: list[Circumstance]


def candidates(pack: Pack, code: str, situation: Situation) -> list[Candidate]:
    """The rules that hold or may hold: below one that waits for a person's word, others may."""
    found: list[Candidate] = []
    against: list[Circumstance] = []
    for rule in pack.irregularities.get(code, ()):  # type: ignore[call-overload]
        told = rule.told
        known = situation.union(against)
        if told is not None and OPPOSITE[told] in known:
            continue
        if not all(word in known or word == told for word in rule.when):
            continue
        waits = told is not None and told not in known
        found.append(Candidate(rule, [*against, *([told] if told and waits else [])]))
        if not waits:
            break
        assert told is not None
        against.append(OPPOSITE[told])
    return found


def propose(pack: Pack, code: str, situation: Situation, lawful: Sequence[Remedy]) -> list[Remedy]:
    """What the rules propose, then what they allow, then every other order of `lawful`.

    Two proposals: which one holds depends on what the supervisor finds (`given`). None: no rule.
    """
    possible = {remedy.order for remedy in lawful}
    if "held" not in situation:
        possible.update(WITHOUT_A_HOLD)
    second = pack.second_person.orders
    proposed: list[Remedy] = []
    allowed: list[Remedy] = []
    for rule, given in candidates(pack, code, situation):
        for order in ([rule.order] if rule.order else []) + rule.allow:
            if order not in possible:
                continue
            remedy = Remedy(
                order=order,
                citation=rule.citation,
                source=rule.source,
                proposed=order == rule.order,
                given=list(given),
                says=instruction(pack, rule),
                second=order in second,
            )
            (proposed if remedy.proposed else allowed).append(remedy)
    named = {remedy.order for remedy in proposed}
    allowed = [remedy for remedy in allowed if remedy.order not in named]
    named |= {remedy.order for remedy in allowed}
    rest = [
        Remedy(order=r.order, citation=None, source="derived", proposed=False, second=r.order in second)
        for r in lawful
        if r.order not in named
    ]
    return proposed + allowed + rest


def titles(pack: Pack, people: Iterable[Person]) -> str:
    """What the jurisdiction calls them."""
    return ", ".join(pack.people[person].title if person in pack.people else person for person in people)


def instruction(pack: Pack, rule: Rule) -> str:
    """What is to be done at the table, and whom to call where the rule names them."""
    return f"{rule.says} Call: {titles(pack, rule.call)}." if rule.call else rule.says


def left_open(pack: Pack, code: str, situation: Situation) -> str:
    """What a rule says that leaves the decision to the supervisor; empty: no such rule holds, or may not."""
    found = candidates(pack, code, situation)
    silent = len(found) == 1 and found[0].rule.order is None
    return instruction(pack, found[0].rule) if silent else ""


def cited(pack: Pack, code: str, situation: Situation) -> str | None:
    """What the first rule that may hold cites; None: no rule."""
    return next((rule.citation for rule, _ in candidates(pack, code, situation)), None)


def parse_pack(text: str, origin: str, answers: Mapping[str, Collection[str]]) -> Pack:
    """The pack of a TOML text; `origin` names its file in messages.

    `answers`: the orders that may answer each code. Raises ConfigurationError, one line for each fault.
    """
    data = read_toml(text, origin)
    try:
        pack = Pack.model_validate(data)
    except ValidationError as error:
        raise ConfigurationError("\n".join(faults(error, text, origin))) from None
    if found := [fault(path, what, text, origin) for path, what in pack.objections(answers)]:
        raise ConfigurationError("\n".join(found))
    pack._text = text
    return pack


def pack_names() -> list[str]:
    """The shipped packs, sorted."""
    return shipped_names("remedies")


def load_pack(name_or_path: str, answers: Mapping[str, Collection[str]]) -> Pack:
    """A shipped pack by name, or one of the house's by path. Raises ConfigurationError."""
    return parse_pack(*read_law("remedies", "remedy pack", name_or_path), answers)
