"""A report as one HTML page: no address outside it, no script; made to be printed and filed."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from importlib.resources import files

from controller import facts
from controller.cards import Card
from controller.report.evidence import CardRow, Frame, Lying
from controller.report.incident import Decision, Incident, Line
from controller.report.select import Report
from controller.report.words import GIVEN, title

_SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_CARD = re.compile(r"\b([A2-9TJQK])([CDHS])\b")
_SEVERITY = {"stop": "Round held", "block": "Next round blocked", "warn": "Warning"}
_SOURCES = {
    "verified": "text read",
    "secondary": "from a summary",
    "unverified": "recalled, no text read",
    "derived": "our inference",
}


def render(report: Report) -> str:
    """The page."""
    style = (files("controller") / "report/page.css").read_text("utf-8")
    one = report.incidents[0] if len(report.incidents) == 1 else None
    name = (
        f"Incident report {report.table}-{one.id}" if one else f"Incidents at {report.table}: {report.about}"
    )
    body = "".join(_incident(incident) for incident in report.incidents)
    if one is None:
        body = _summary(report) + body
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(name)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style></head><body>{_masthead(report, one)}<main>{body}</main>{_proof(report)}"
        "</body></html>\n"
    )


# -- small parts --------------------------------------------------------------------------------------------


def _card(card: Card) -> str:
    colour = "red" if card[1] in "DH" else "black"
    return f'<span class="card {colour}">{card[0].replace("T", "10")}{_SUITS[card[1]]}</span>'


def _text(text: str) -> str:
    """Our own words; the cards in them are drawn. Never for what a person wrote."""
    return _CARD.sub(lambda found: _card(found[0]), escape(text))


def _quote(text: str) -> str:
    return f"<q>{escape(text)}</q>" if text else ""


def _day(wall: str) -> str:
    return f"{datetime.fromisoformat(wall).astimezone(UTC):%d %B %Y}".lstrip("0")


def _time(wall: str) -> str:
    return f"{datetime.fromisoformat(wall).astimezone(UTC):%H:%M:%S.%f}"[:-3]


def _span(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{minutes:.0f} min {rest:.0f} s" if minutes else f"{rest:.1f} s"


def _table(heads: Sequence[str], rows: Iterable[tuple[str, str]], style: str) -> str:
    """`rows`: class and cells."""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f'<tr class="{name}">{cells}</tr>' for name, cells in rows)
    return f'<table class="{style}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _cells(*cells: str) -> str:
    return "".join(f"<td>{cell}</td>" for cell in cells)


def _pairs(*pairs: tuple[str, str]) -> str:
    return f"<dl>{''.join(f'<div><dt>{escape(k)}</dt><dd>{v}</dd></div>' for k, v in pairs)}</dl>"


def _section(heading: str, content: str, style: str = "") -> str:
    return f'<section class="{style}"><h3>{escape(heading)}</h3>{content}</section>'


def _badge(severity: str) -> str:
    return f'<span class="badge {severity}">{_SEVERITY.get(severity, severity)}</span>'


# -- the page -----------------------------------------------------------------------------------------------


def _masthead(report: Report, one: Incident | None) -> str:
    kind = "Incident report" if one else "Incidents"
    about = f"No. {report.table}-{one.id}" if one else report.about
    where = f"{report.name} · {report.table}" if report.name else report.table
    return (
        f'<header><p class="kind">{kind}</p><p class="about">{escape(about)}</p>'
        f"<h1>{escape(where)}</h1></header>"
    )


def _summary(report: Report) -> str:
    shoes = ", ".join(map(str, report.shoes)) or "none"
    still = (
        f"{report.still_open} still open"
        if report.still_open
        else "all answered"
        if report.incidents
        else "none"
    )
    played = _pairs(
        ("Shoes", shoes),
        ("Rounds decided", str(report.rounds)),
        ("Cards drawn", str(report.cards)),
        ("Irregularities", f"{len(report.incidents)}, {still}" if report.incidents else "none"),
    )
    rows = (
        (
            incident.severity,
            _cells(
                f'<a href="#i{incident.id}">{incident.id}</a>',
                f"{_day(incident.raised.wall)}, {_time(incident.raised.wall)}",
                _place(incident),
                f"<b>{title(incident.code)}</b>",
                _answer(incident),
            ),
        )
        for incident in report.incidents
    )
    heads = ("No.", "Raised (UTC)", "Where", "What", "Answer")
    table = _table(heads, rows, "list") if report.incidents else ""
    return f'<article class="summary">{played}{table}</article>'


def _place(incident: Incident) -> str:
    shoe = f"shoe {incident.shoe}" if incident.shoe is not None else "no shoe"
    return f"{shoe}, {f'round {incident.round}' if incident.round is not None else 'between rounds'}"


def _answer(incident: Incident) -> str:
    taken = incident.decision
    return f"{title(taken.order)}, by {escape(taken.by)}" if taken else "<b>still open</b>"


def _incident(incident: Incident) -> str:
    parts = [
        _section("What was seen", _seen(incident)),
        _section("What the rule says", _rule(incident)),
        _section("Who decided, and why", _decided(incident)),
        _section("The hands", _hands(incident)) if incident.before and incident.after else "",
        _signatures(),
        _section("Cards in order", _cards(incident.cards), "whole") if incident.cards else "",
        _section("Timeline", _timeline(incident.timeline)),
        _section("Raw frames around the event", _frames(incident.frames)) if incident.frames else "",
    ]
    return (
        f'<article class="incident" id="i{incident.id}"><div class="title"><h2>{title(incident.code)}</h2>'
        f"{_badge(incident.severity)}</div>{_meta(incident)}{''.join(parts)}</article>"
    )


def _meta(incident: Incident) -> str:
    open_for = _span(incident.seconds) if incident.seconds is not None else "<b>still open</b>"
    return _pairs(
        ("Irregularity", str(incident.id)),
        ("Where", _place(incident)),
        ("Date", _day(incident.raised.wall)),
        ("Raised (UTC)", _time(incident.raised.wall)),
        ("Answered (UTC)", _time(incident.answered.wall) if incident.answered else "<b>not yet</b>"),
        ("Open for", open_for),
    )


def _seen(incident: Incident) -> str:
    detail = f"{incident.detail[:1].upper()}{incident.detail[1:]}"
    stop = "" if detail.endswith(".") else "."
    cause = (
        f'<p class="cause">Record {incident.raised.seq}: {_text(incident.seen)}</p>' if incident.seen else ""
    )
    return f'<p class="lead">{_text(detail)}{stop}</p>{cause}'


def _rule(incident: Incident) -> str:
    ruled = [remedy for remedy in incident.remedies if remedy.says]
    rest = [title(remedy.order).lower() for remedy in incident.remedies if not remedy.says]
    rules: dict[tuple[str, str | None], list[facts.Remedy]] = {}
    for remedy in ruled:
        rules.setdefault((remedy.says, remedy.citation), []).append(remedy)
    cited = (
        f"<p>{escape(incident.citation)}</p>"
        if incident.citation and incident.citation not in {remedy.citation for remedy in ruled}
        else ""
    )
    none = "" if any(remedy.proposed for remedy in ruled) else "<p>No rule proposes what is to be done.</p>"
    none += f"<p>{escape(incident.says)}</p>" if incident.says else ""
    possible = "Orders that were possible as well" if ruled else "Left to the supervisor"
    also = f'<p class="quiet">{possible}: {", ".join(rest)}.</p>' if rest else ""
    under = f'<p class="quiet">Played by: {escape(incident.ruleset)} ({escape(incident.law)}).</p>'
    return cited + none + "".join(map(_remedies, rules.values())) + also + under


def _remedies(remedies: Sequence[facts.Remedy]) -> str:
    """What one rule proposes and allows."""
    first = remedies[0]
    orders = [title(remedy.order).lower() for remedy in remedies]
    given = " and ".join(GIVEN.get(word, word) for word in first.given)
    head = f"Proposed: {orders[0]}" if first.proposed else f"Allowed: {', '.join(orders)}"
    beside = f"; the rule also allows {', '.join(orders[1:])}" if first.proposed and orders[1:] else ""
    condition = f" <i>if {escape(given)}</i>" if given else ""
    second = " A second person confirms it." if first.second else ""
    source = f"{escape(first.citation or 'no citation')}: {_SOURCES[first.source]}"
    return (
        f'<div class="remedy"><p><b>{head}</b>{condition}</p><p>{escape(first.says)}{second}</p>'
        f'<p class="quiet">{source}{beside}.</p></div>'
    )


def _decided(incident: Incident) -> str:
    taken = (
        _decision(incident.decision, "decision")
        if incident.decision
        else "<p><b>Nobody has answered it.</b></p>"
    )
    orders = "".join(_decision(order, "order") for order in incident.orders)
    remarks = "".join(_decision(remark, "remark") for remark in incident.remarks)
    return (
        taken
        + (f"<h4>Also ordered while it was open</h4>{orders}" if orders else "")
        + (f"<h4>Remarks</h4>{remarks}" if remarks else "")
    )


def _decision(decision: Decision, style: str) -> str:
    confirmed = f", confirmed by <b>{escape(decision.confirmed_by)}</b>" if decision.confirmed_by else ""
    refused = f'<p class="refused">Refused: {escape(decision.refused)}.</p>' if decision.refused else ""
    reason = (
        f"<p>{_quote(decision.reason)}</p>"
        if decision.reason
        else '<p class="quiet">No reason was given.</p>'
    )
    return (
        f'<div class="{style}"><p><b>{title(decision.order)}</b> by <b>{escape(decision.by)}</b>{confirmed}'
        f' <span class="quiet">{_time(decision.moment.wall)}, record {decision.moment.seq}</span></p>'
        f"{reason}{refused}</div>"
    )


def _hands(incident: Incident) -> str:
    assert incident.before is not None and incident.after is not None
    result = f"{incident.result[:1].upper()}{incident.result[1:]}"
    both = _lying("When it was raised", incident.before) + _lying("At the end", incident.after)
    return f'<div class="hands">{both}</div><p class="result">{escape(result)}.</p>'


def _lying(heading: str, lying: Lying) -> str:
    rows = "".join(
        f"<tr><th>{who}</th><td>{' '.join(map(_card, cards)) or '–'}</td>"
        f'<td class="count">{"" if count is None else count}</td></tr>'
        for who, cards, count in (
            ("Player", lying.player, lying.player_total),
            ("Banker", lying.banker, lying.banker_total),
        )
    )
    return f"<table><caption>{heading}</caption><tbody>{rows}</tbody></table>"


def _cards(cards: Sequence[CardRow]) -> str:
    rows = (
        (
            "raised" if row.raised else "",
            _cells(
                str(at),
                _time(row.moment.wall),
                _card(row.card) if row.card else "<i>unread</i>",
                escape(row.due),
                escape(row.reported),
                escape(row.became),
            ),
        )
        for at, row in enumerate(cards, 1)
    )
    return _table(("", "Time", "Card", "Due", "Shoe said", "Became"), rows, "cards")


def _timeline(lines: Sequence[Line]) -> str:
    rows = (
        (
            line.kind,
            _cells(
                _time(line.moment.wall),
                line.kind,
                _said(line),
                str(line.moment.seq),
            ),
        )
        for line in lines
    )
    return _table(("Time", "", "What happened", "Record"), rows, "timeline")


def _said(line: Line) -> str:
    who = f"<b>{escape(line.who)}</b>: " if line.who else ""
    return f"{who}{_text(line.text)} {_quote(line.quote)}"


def _frames(frames: Sequence[Frame]) -> str:
    rows = (
        (
            "raised" if frame.raised else "",
            _cells(
                _time(frame.moment.wall),
                escape(frame.device),
                f"<code>{frame.hex}</code>",
                f"<code>{escape(frame.text)}</code>",
                str(frame.moment.seq),
            ),
        )
        for frame in frames
    )
    return _table(("Time", "Device", "Bytes", "As text", "Record"), rows, "frames")


def _signatures() -> str:
    lines = "".join(
        f"<div>{who}</div>" for who in ("Supervisor", "Pit manager", "Surveillance", "Date and time")
    )
    return f'<div class="signatures">{lines}</div>'


def _proof(report: Report) -> str:
    proof = report.proof
    return (
        f"<footer><p>Made from records {proof.first.seq} to {proof.last.seq} of the journal of table "
        f"{escape(report.table)}, the last of {_day(proof.last.wall)}, {_time(proof.last.wall)} UTC. All "
        "times are wall times of the recording computer in UTC; the order is that of the records.</p>"
        f"<p>Chain closed by <code>{proof.hash}</code>. Recorded by software "
        f"{escape(', '.join(report.software))}. "
        "<code>tablectl audit</code> checks the chain and derives every conclusion anew.</p></footer>"
    )
