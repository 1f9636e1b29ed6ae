"""One irregularity as data: what was seen, what the rule says, who decided what and why, and the evidence."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache

from msgspec import Struct

from controller import facts
from controller.observations import Observation
from controller.orders import Order
from controller.report.episodes import Entry, Episode, Group, Moment
from controller.report.evidence import CardRow, Evidence, Frame, Lying, frames, steps
from controller.report.words import decision, person, spoken, words
from controller.rules.ruleset import Ruleset, parse_ruleset


class Decision(Struct, frozen=True, kw_only=True):
    """What a person ordered, and why. `refused`: why it was not carried out."""

    moment: Moment
    order: str
    text: str
    by: str
    confirmed_by: str | None
    reason: str
    refused: str | None = None


class Line(Struct, frozen=True, kw_only=True):
    """One line of the timeline. `kind`: seen, said, ordered, concluded, raised, answered.

    `who`: the person, and who confirmed it. `quote`: a person's own words.
    """

    moment: Moment
    kind: str
    device: str | None
    who: str
    text: str
    quote: str


class Incident(Struct, frozen=True, kw_only=True):
    """`round` null: it happened between rounds. `seconds`: from raised to answered, null while it is open.

    `orders`: what else was ordered or refused while it was open. `remarks`: notes of any age.
    """

    id: int
    code: str
    severity: str
    shoe: int | None
    round: int | None
    raised: Moment
    answered: Moment | None
    seconds: float | None
    detail: str
    seen: str
    citation: str | None
    remedies: list[facts.Remedy]
    says: str
    decision: Decision | None
    orders: list[Decision]
    remarks: list[Decision]
    before: Lying | None
    after: Lying | None
    result: str
    cards: list[CardRow]
    timeline: list[Line]
    frames: list[Frame]
    ruleset: str
    law: str


@cache
def law_of(text: str) -> Ruleset:
    """The ruleset that the table played by. Raises ConfigurationError."""
    return parse_ruleset(text, "the journalled ruleset")


def incidents(episode: Episode, later: Sequence[Group] = ()) -> list[Incident]:
    """The irregularities raised in a round. `later`: groups of later rounds that are about them."""
    return [
        _incident(episode, raised, raised.said, at, [g for g in later if concerns(g, raised.said.id)])
        for at, group in enumerate(episode.groups)
        for raised in group
        if isinstance(raised.said, facts.IrregularityRaised)
    ]


def concerns(group: Group, number: int) -> bool:
    """The group answers irregularity `number`, or orders or remarks something about it."""
    return any(
        (isinstance(said, facts.IrregularityResolved) and said.id == number)
        or (isinstance(said, Order) and said.irregularity == number)
        for _, said in group
    )


def _incident(
    episode: Episode, raised: Entry, fact: facts.IrregularityRaised, at: int, later: Sequence[Group]
) -> Incident:
    groups = [*episode.groups, *later]
    law = law_of(episode.inputs.ruleset)
    evidence = Evidence(law.draw, episode.groups, at, fact)
    answered, taken, orders, remarks = _decisions(groups[at + 1 :], fact.id)
    return Incident(
        id=fact.id,
        code=fact.code,
        severity=fact.severity,
        shoe=episode.shoe,
        round=fact.round,
        raised=raised.moment,
        answered=answered.moment if answered else None,
        seconds=_seconds(raised, answered) if answered else None,
        detail=fact.detail,
        seen=_seen(episode.groups[at], fact),
        citation=fact.citation,
        remedies=fact.remedies,
        says=fact.says,
        decision=taken,
        orders=orders,
        remarks=remarks,
        before=evidence.before if fact.round is not None else None,
        after=evidence.lying() if fact.round is not None else None,
        result=_result(groups) if fact.round is not None else "no round was open",
        cards=evidence.rows,
        timeline=[line for group in groups for line in _lines(group)],
        frames=frames(episode.groups, at),
        ruleset=law.title,
        law=law.law,
    )


def _decisions(
    groups: Iterable[Group], number: int
) -> tuple[Entry | None, Decision | None, list[Decision], list[Decision]]:
    """The answer, what it was, what else was ordered until then, and the remarks."""
    answered: Entry | None = None
    taken: Decision | None = None
    orders: list[Decision] = []
    remarks: list[Decision] = []
    for group in groups:
        for first, *following in steps(group):
            resolved = [e for e in following if _answers(e, number)]
            order = first.said if isinstance(first.said, Order) else None
            if resolved:
                answered = resolved[0]
                taken = _taken(answered, order)
            elif order is not None and order.order == "annotate" and order.irregularity == number:
                remarks.append(_ordered(first, order, following))
            elif order is not None and _during(order, following, number, answered):
                orders.append(_ordered(first, order, following))
    return answered, taken, orders, remarks


def _during(order: Order, following: Sequence[Entry], number: int, answered: Entry | None) -> bool:
    """The order was given about the irregularity, or while it was open and not about another one."""
    if order.irregularity is not None:
        return order.irregularity == number
    others = [e for e in following if isinstance(e.said, facts.IrregularityResolved)]
    return answered is None and not others


def _answers(entry: Entry, number: int) -> bool:
    return isinstance(entry.said, facts.IrregularityResolved) and entry.said.id == number


def _taken(answered: Entry, order: Order | None) -> Decision:
    fact = answered.said
    assert isinstance(fact, facts.IrregularityResolved)
    return Decision(
        moment=answered.moment,
        order=fact.remedy,
        text=words(order or fact),
        by=fact.by,
        confirmed_by=order.confirmed_by if order else None,
        reason=fact.reason,
    )


def _ordered(entry: Entry, order: Order, following: Sequence[Entry]) -> Decision:
    refused = [e.said.reason for e in following if isinstance(e.said, facts.OrderRefused)]
    return Decision(
        moment=entry.moment,
        order=order.order,
        text=words(order),
        by=order.by,
        confirmed_by=order.confirmed_by,
        reason=order.reason,
        refused=refused[0] if refused else None,
    )


def _seconds(first: Entry, last: Entry) -> float:
    span = datetime.fromisoformat(last.record.wall) - datetime.fromisoformat(first.record.wall)
    return round(span.total_seconds(), 3)


def _seen(group: Group, fact: facts.IrregularityRaised) -> str:
    """The report, announcement or order from which it followed."""
    for first, *following in steps(group):
        if any(entry.said == fact for entry in following) and isinstance(first.said, Observation):
            return words(first.said)
    return ""


def _result(groups: Iterable[Group]) -> str:
    """How the round ended."""
    text, void = "undecided", False
    for group in groups:
        for _, said in group:
            match said:
                case facts.RoundDecided():
                    text = f"{'corrected: ' if said.corrected else ''}{decision(said)}"
                case facts.RoundVoided():
                    void = True
                case facts.RoundReinstated():
                    void = False
    return "void" if void else text


def _lines(group: Group) -> list[Line]:
    return [
        Line(
            moment=entry.moment,
            kind=_kind(entry),
            device=entry.record.device,
            who=person(entry.said),
            text=words(entry.said),
            quote=spoken(entry.said),
        )
        for entry in group
        if isinstance(entry.said, Observation | facts.Fact)
    ]


def _kind(entry: Entry) -> str:
    match entry.said:
        case Order():
            return "ordered"
        case facts.IrregularityRaised():
            return "raised"
        case facts.IrregularityResolved():
            return "answered"
        case facts.Fact():
            return "concluded"
    return "seen" if entry.record.kind == "observation" else "said"
