"""The acts of a scenario: how each is written, and the observation or order that it is."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from msgspec import Struct, ValidationError

from controller import observations as o
from controller.orders import ORDER_FIELDS, Event, Order
from controller.scenarios.forms import Mistake, make, read, split, written


class Act(Struct, frozen=True, kw_only=True):
    """`by`: who acts or reports: dealer, supervisor, shoe, shuffler, sensor or clock."""

    text: str
    by: str
    event: Event


class Form(NamedTuple):
    """`says`: what it means beyond its words. `by` empty: the device that is named, else the shoe."""

    by: str
    form: str
    kind: type[o.Observation]
    says: Mapping[str, Any] = {}


_CLAIM = {"player_pair": False, "banker_pair": False, "forced_quit": False}
_PAIRS: tuple[tuple[str, dict[str, bool]], ...] = (
    ("", {}),
    (" player pair", {"player_pair": True}),
    (" banker pair", {"banker_pair": True}),
    (" both pairs", {"player_pair": True, "banker_pair": True}),
)
_SHUFFLER: dict[str, Any] = {"device": "shuffler"}
_UNKNOWN: dict[str, Any] = {**_SHUFFLER, "missing": None, "extra": None}

FORMS: tuple[Form, ...] = (
    # the shoe
    Form("shoe", "shoe loaded {decks} [pack {pack}]", o.ShoeLoaded),
    Form("shoe", "card {card} [to {slot} [{index}]]", o.CardDrawn),
    Form("shoe", "card {card} in {mode} mode", o.CardDrawn),
    Form("shoe", "unread card [to {slot} [{index}]]", o.CardDrawn, {"card": None}),
    Form("shoe", "carried {card} to {slot} {index}", o.CardCarried),
    Form("shoe", "cut card [{kind}]", o.CutCardDrawn),
    Form("shoe", "result quit", o.DeviceResult, {**_CLAIM, "winner": None, "forced_quit": True}),
    *(Form("shoe", f"result {{winner}}{pairs}", o.DeviceResult, {**_CLAIM, **s}) for pairs, s in _PAIRS),
    Form("shoe", "standby", o.DeviceStandby),
    Form("shoe", "locked", o.LockChanged, {"locked": True}),
    Form("shoe", "unlocked", o.LockChanged, {"locked": False}),
    Form("shoe", "reports missing", o.SequenceGap, {"expected": "1", "got": "2"}),
    # any device
    Form("", "fault {fault} [of {device}]", o.DeviceFault, {"active": True}),
    Form("", "fault {fault} cleared [of {device}]", o.DeviceFault, {"active": False}),
    Form("", "restart [of {device}]", o.DeviceStarted),
    Form("", "link lost [of {device}]", o.LinkLost),
    Form("", "link restored [of {device}]", o.LinkRestored),
    # the dealer
    Form("dealer", "bets opened", o.BetsOpened),
    Form("dealer", "bets closed", o.BetsClosed),
    Form("dealer", "hand called {hand}", o.HandCalled),
    Form("dealer", "confirm", o.ResultConfirmed),
    Form("dealer", "paid", o.WagersPaid),
    Form("dealer", "supervisor called {reason} [{note...}]", o.SupervisorCalled),
    # the layout
    Form("sensor", "wager {seat} {wager} taken back [{amount}]", o.WagerRemoved),
    Form("sensor", "wager {seat} {wager} {amount} [confirmed by {confirmed_by,}]", o.WagerPlaced),
    Form("sensor", "wager {seat} {wager} {amount} {kind} [confirmed by {confirmed_by,}]", o.WagerPlaced),
    Form("sensor", "vigorish {seat} {amount}", o.VigorishCollected),
    # the shuffler
    Form("shuffler", "shuffle started [pack {pack}] [count {count}]", o.ShuffleStarted, _SHUFFLER),
    Form(
        "shuffler",
        "shuffle finished [pack {pack}] [count {count}] [missing {missing,}] [extra {extra,}]",
        o.ShuffleFinished,
        _UNKNOWN,
    ),
    Form("shuffler", "shuffler {state} [at {place}]", o.ShufflerState, _SHUFFLER),
    # the clock and the service
    Form("clock", "overdue {hand} {index} in round {round}", o.TimerExpired, {"timer": "card-overdue"}),
    Form("clock", "service started", o.ServiceStarted, {"version": "-"}),
)
ORDER = "order NAME by WHO [with WHO] [irregularity N] [FIELD VALUE]... [because WORDS...]"


def parse_act(text: str) -> list[Act]:
    """The act that a text is; `cards 2C 9D` is several. Raises Mistake."""
    word, _, rest = text.partition(" ")
    if word == "order":
        return [Act(text=text, by="supervisor", event=_order(rest.split()))]
    if word == "cards" and rest.strip():
        return [act for card in rest.split() for act in parse_act(f"card {card}")]
    for by, form, kind, says in FORMS:
        if (words := read(form, text)) is not None:
            event = make(kind, {**says, **words})
            return [Act(text=text, by=by or o.role(event), event=event)]
    raise Mistake(_no_act(text, word))


def _no_act(text: str, word: str) -> str:
    alike = [written(form.form) for form in FORMS if form.form.split()[0] == word]
    if alike:
        return f"{text!r} is no act; write {', or '.join(alike)}"
    firsts = sorted({"cards", "order", "pause", *(form.form.split()[0] for form in FORMS)})
    return f"{text!r} is no act; one begins with {', '.join(firsts)}"


# -- orders -----------------------------------------------------------------------------------------------

_LISTS = ("player", "banker")
#: Word of an order -> the field that follows it.
_WORDS = {"by": "by", "with": "confirmed_by", "irregularity": "irregularity"}


def _order(words: list[str]) -> Order:
    if not words:
        raise Mistake(f"write {ORDER}")
    name, *rest = words
    if name not in ORDER_FIELDS:
        raise Mistake(f"no order {name!r}; there are {', '.join(ORDER_FIELDS)}")
    must, may = ORDER_FIELDS[name]
    known = {**_WORDS, **{field: field for field in (*must, *may)}}
    fields: dict[str, Any] = {"order": name}
    while rest:
        word = rest.pop(0)
        if word == "because":
            fields["reason"], rest = " ".join(rest), []
        elif word not in known:
            raise Mistake(f"order {name}: {word!r} is none of {', '.join((*known, 'because'))}")
        elif word in _LISTS:
            fields[word] = _cards(rest, known)
        elif rest:
            fields[known[word]] = rest.pop(0)
    for field in ("by", *must):
        if field not in fields:
            raise Mistake(f"order {name} needs {field}: write {ORDER}")
    try:
        order = make(Order, fields)
    except ValidationError as error:
        raise Mistake(str(error)) from None
    assert isinstance(order, Order)
    return order


def _cards(rest: list[str], known: Collection[str]) -> list[str]:
    """The cards that come next, joined by commas or blanks; `none`: there are none."""
    cards: list[str] = []
    while rest and rest[0] not in known and rest[0] != "because":
        cards += split(rest.pop(0))
    return cards
