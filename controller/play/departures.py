"""Departures from a legal shoe: one each, at a random place, with the code that it must raise and where.

A kind takes a legal shoe and returns the events with the departure in them, or None where that shoe has no
place for it. More kinds are more entries in `KINDS`.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from controller.cards import HANDS, Card, Hand
from controller.observations import (
    BetsClosed,
    BetsOpened,
    CardCarried,
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    DeviceResult,
    DeviceStarted,
    LinkLost,
    Observation,
    SequenceGap,
    ShoeLoaded,
    SupervisorCalled,
    TimerExpired,
    WagerPlaced,
)
from controller.orders import Event, Order
from controller.play.legal import LegalShoe, Step, legal_shoe
from controller.rules.drawing import due


@dataclass(frozen=True)
class Departure:
    """`events[at]` is the first observation that proves it; `code` is what it must raise."""

    events: list[Event]
    at: int
    code: str


Kind = Callable[[random.Random, LegalShoe], Departure | None]
Places = Callable[[LegalShoe, Step], bool]


# -- where ------------------------------------------------------------------------------------------------


def _is_card(step: Step) -> bool:
    return isinstance(step.event, CardDrawn)


def anywhere(_: LegalShoe, step: Step) -> bool:
    return step.round > 0


def due_card(_: LegalShoe, step: Step) -> bool:
    """A card of a round is drawn."""
    return step.phase == "dealing" and _is_card(step)


def inside(shoe: LegalShoe, step: Step) -> bool:
    """A card of a round is drawn, not its first."""
    return due_card(shoe, step) and bool(step.player)


def inside_by_slots(shoe: LegalShoe, step: Step) -> bool:
    return shoe.slots and inside(shoe, step)


def bets_opened(_: LegalShoe, step: Step) -> bool:
    return isinstance(step.event, BetsOpened) and step.round > 1


def bets_closed(_: LegalShoe, step: Step) -> bool:
    return isinstance(step.event, BetsClosed)


def result(_: LegalShoe, step: Step) -> bool:
    return isinstance(step.event, DeviceResult)


def after_the_last_card(_: LegalShoe, step: Step) -> bool:
    """The round is closed next, by something that is no card."""
    return step.phase == "decided"


def between_rounds(shoe: LegalShoe, step: Step) -> bool:
    """The next round is opened next; where nothing but cards closes a round nobody can tell."""
    first = step.phase == "dealing" and _is_card(step) and not step.player and step.round > 1
    return bets_opened(shoe, step) or (shoe.boundaries == "device" and first)


def _place(chance: random.Random, shoe: LegalShoe, where: Places) -> int | None:
    places = [at for at, step in enumerate(shoe.steps) if where(shoe, step)]
    return chance.choice(places) if places else None


def spare(shoe: LegalShoe, *but: Card | None) -> Card | None:
    """A card that was left in the shoe, and is none of `but`."""
    return next((card for card in shoe.rest if card not in but), None)


# -- the shapes of a departure ----------------------------------------------------------------------------


def inserted(where: Places, code: str, make: Callable[[LegalShoe, Step], Event | None]) -> Kind:
    """Something more comes before a step."""

    def kind(chance: random.Random, shoe: LegalShoe) -> Departure | None:
        at = _place(chance, shoe, where)
        event = None if at is None else make(shoe, shoe.steps[at])
        if at is None or event is None:
            return None
        return Departure([*shoe.events[:at], event, *shoe.events[at:]], at, code)

    return kind


def changed(where: Places, code: str, make: Callable[[random.Random, Step], Event | None]) -> Kind:
    """A step is reported otherwise."""

    def kind(chance: random.Random, shoe: LegalShoe) -> Departure | None:
        at = _place(chance, shoe, where)
        event = None if at is None else make(chance, shoe.steps[at])
        if at is None or event is None:
            return None
        return Departure([*shoe.events[:at], event, *shoe.events[at + 1 :]], at, code)

    return kind


def stray(**how: object) -> Callable[[LegalShoe, Step], Event | None]:
    """One more card leaves the shoe, reported without a slot."""

    def make(shoe: LegalShoe, _: Step) -> Event | None:
        card = spare(shoe)
        return None if card is None else CardDrawn(card=card, **how)  # type: ignore[arg-type]

    return make


def always(event: Event) -> Callable[[LegalShoe, Step], Event | None]:
    return lambda _shoe, _step: event


def fault(name: str) -> Callable[[LegalShoe, Step], Event | None]:
    return always(DeviceFault(fault=name, active=True))


# -- cards ------------------------------------------------------------------------------------------------


def _hand_due(step: Step) -> Hand:
    hand = due(step.player, step.banker).hand
    assert hand is not None
    return hand


def _other_hand(_: random.Random, step: Step) -> Event | None:
    assert isinstance(step.event, CardDrawn)
    hand: Hand = "banker" if _hand_due(step) == "player" else "player"
    index = len(step.hands[hand]) + 1
    return replace(step.event, slot=hand, index=index) if index <= 3 else None


def _later_index(_: random.Random, step: Step) -> Event | None:
    assert isinstance(step.event, CardDrawn)
    index = (step.event.index or 0) + 1
    return replace(step.event, index=index) if index <= 3 else None


def _filled_slot(shoe: LegalShoe, step: Step) -> Event | None:
    hand: Hand = max(HANDS, key=lambda h: len(step.hands[h]))
    lies = step.hands[hand]
    card = spare(shoe, lies[-1])
    return None if card is None else CardDrawn(card=card, slot=hand, index=len(lies))


def _unread(_: random.Random, step: Step) -> Event:
    assert isinstance(step.event, CardDrawn)
    return replace(step.event, card=None)


def _one_copy_too_many(chance: random.Random, shoe: LegalShoe) -> Departure | None:
    seen: Counter[Card | None] = Counter()
    places: list[tuple[int, Card]] = []
    gone: list[Card] = []
    for at, step in enumerate(shoe.steps):
        if not isinstance(step.event, CardDrawn):
            continue
        if gone and due_card(shoe, step):
            places.append((at, chance.choice(gone)))
        seen[step.event.card] += 1
        if seen[step.event.card] == shoe.decks and step.event.card:
            gone.append(step.event.card)
    if not places:
        return None
    at, card = chance.choice(places)
    event = shoe.steps[at].event
    assert isinstance(event, CardDrawn)
    return Departure([*shoe.events[:at], replace(event, card=card)], at, "impossible-card")


def _kept_by_the_shoe(shoe: LegalShoe, _: Step) -> Event | None:
    card = spare(shoe)
    return None if card is None else CardCarried(card=card, slot="player", index=1)


# -- closing ----------------------------------------------------------------------------------------------


def _closed_early(by: type[Observation] | None) -> Kind:
    """The rest of a round's cards never come, and it is closed: by the next step, or by one of this type."""

    def kind(chance: random.Random, shoe: LegalShoe) -> Departure | None:
        start = _place(chance, shoe, inside)
        if start is None or shoe.boundaries == "first_card":
            return None
        closing = (
            at
            for at, step in enumerate(shoe.steps)
            if at > start and (step.phase != "dealing" if by is None else isinstance(step.event, by))
        )
        end = next(closing, None)
        if end is None:
            return None
        return Departure([*shoe.events[:start], shoe.events[end]], start, "underdraw")

    return kind


def _wrong_winner(chance: random.Random, step: Step) -> Event:
    assert isinstance(step.event, DeviceResult)
    others = [winner for winner in ("player", "banker", "tie") if winner != step.event.winner]
    return replace(step.event, winner=chance.choice(others))


def _wrong_pair(chance: random.Random, step: Step) -> Event:
    assert isinstance(step.event, DeviceResult)
    flag = chance.choice(("player_pair", "banker_pair"))
    return replace(step.event, **{flag: not getattr(step.event, flag)})


_QUIT = DeviceResult(winner=None, player_pair=False, banker_pair=False, forced_quit=True)


def _card_late(_: LegalShoe, step: Step) -> Event:
    hand = _hand_due(step)
    index = len(step.hands[hand]) + 1
    return TimerExpired(timer="card-overdue", round=step.round, hand=hand, index=index)


# -- burn, cut card, end of the shoe ----------------------------------------------------------------------


def _burn(code: str, change: Callable[[LegalShoe, list[Event]], Iterable[Event]]) -> Kind:
    """The cards of the burn come otherwise; it shows when the first round is opened."""

    def kind(_: random.Random, shoe: LegalShoe) -> Departure | None:
        if shoe.boundaries != "announced" and not shoe.slots:
            return None
        first = next(at for at, step in enumerate(shoe.steps) if step.round == 1)
        if any(isinstance(step.event, CutCardDrawn) for step in shoe.steps[: first + 1]):
            return None
        head = [shoe.events[0], *change(shoe, shoe.events[1:first])]
        return Departure([*head, *shoe.events[first:]], len(head), code)

    return kind


def _one_more(shoe: LegalShoe, burn: list[Event]) -> list[Event]:
    return [*burn, CardDrawn(card=spare(shoe), slot="burn" if shoe.slots else None)]


def _cut_in_burn(chance: random.Random, shoe: LegalShoe) -> Departure | None:
    at = chance.randint(1, sum(step.round == 0 for step in shoe.steps))
    return Departure([*shoe.events[:at], CutCardDrawn()], at, "cut-card-misplaced")


def _second_cut(chance: random.Random, shoe: LegalShoe) -> Departure | None:
    cut = [at for at, event in enumerate(shoe.events) if isinstance(event, CutCardDrawn)]
    if not cut or shoe.ruleset.cut_cards > 1:
        return None
    at = chance.randint(cut[0] + 1, len(shoe.events))
    return Departure([*shoe.events[:at], CutCardDrawn()], at, "cut-card-repeated")


def _to_the_end(chance: random.Random, shoe: LegalShoe) -> LegalShoe:
    """Another shoe like this one, that nobody cut."""
    return legal_shoe(chance, shoe.ruleset, shoe.decks, shoe.boundaries, slots=shoe.slots, cut=False)


def _no_cut(chance: random.Random, shoe: LegalShoe) -> Departure | None:
    events = _to_the_end(chance, shoe).events
    return Departure([*events, ShoeLoaded(decks=shoe.decks)], len(events), "cut-card-missing")


def _dealt_dry(chance: random.Random, shoe: LegalShoe) -> Departure | None:
    """One more round than the shoe has cards for."""
    whole = _to_the_end(chance, shoe)
    hands: dict[Hand, list[Card]] = {"player": [], "banker": []}
    events: list[Event] = [BetsOpened(), BetsClosed()] if shoe.boundaries == "announced" else []
    for card in whole.rest:
        hand = due(hands["player"], hands["banker"], shoe.ruleset.draw).hand
        if hand is None:
            return None
        hands[hand].append(card)
        slot = hand if shoe.slots else None
        index = len(hands[hand]) if shoe.slots else None
        events.append(CardDrawn(card=card, slot=slot, index=index))
    if not events or due(hands["player"], hands["banker"], shoe.ruleset.draw).hand is None:
        return None
    events = [*whole.events, *events]
    return Departure(events, len(events) - 1, "shoe-exhausted")


def _past_the_last(_: random.Random, shoe: LegalShoe) -> Departure | None:
    if not any(isinstance(event, CutCardDrawn) for event in shoe.events):
        return None
    slot = {"slot": "player", "index": 1} if shoe.slots else {}
    card = CardDrawn(card=spare(shoe), **slot)  # type: ignore[arg-type]
    event = BetsOpened() if shoe.boundaries == "announced" else card
    return Departure([*shoe.events, event], len(shoe.events), "past-last-round")


def _miscounted(chance: random.Random, shoe: LegalShoe) -> Departure | None:
    remaining = len(shoe.rest) + chance.choice((-1, 1))
    order = Order(order="end_shoe", by="dealer", remaining=remaining)
    return Departure([*shoe.events, order], len(shoe.events), "count-mismatch")


KINDS: dict[str, Kind] = {
    # the order of the deal
    "a card while bets are open": inserted(bets_closed, "early-card", stray()),
    "a card before bets are opened": inserted(bets_opened, "early-card", stray()),
    "a card outside a game between rounds": inserted(between_rounds, "early-card", stray(mode="error")),
    "a card after the last one": inserted(after_the_last_card, "overdraw", stray()),
    "a card outside a game inside a round": inserted(inside, "overdraw", stray(mode="lock")),
    "the shoe calls it an overdraw": inserted(after_the_last_card, "overdraw", fault("overdraw")),
    "a card that the shoe keeps": inserted(after_the_last_card, "overdraw", _kept_by_the_shoe),
    "a card for the other hand": changed(inside_by_slots, "wrong-slot", _other_hand),
    "a card for a later place": changed(inside_by_slots, "wrong-slot", _later_index),
    "a card for the burn inside a round": inserted(inside, "wrong-slot", stray(slot="burn")),
    "closed before the last card": _closed_early(None),
    "bets opened before the last card": _closed_early(BetsOpened),
    # which card it is
    "a card that is not read": changed(due_card, "unread-card", _unread),
    "the shoe cannot read a card": inserted(due_card, "unread-card", fault("unreadable")),
    "a card of another pack": inserted(due_card, "foreign-card", fault("foreign-card")),
    "another card in a filled slot": inserted(inside, "card-conflict", _filled_slot),
    "one copy too many": _one_copy_too_many,
    # the shoe's own claims
    "another winner": changed(result, "result-mismatch", _wrong_winner),
    "another pair": changed(result, "result-mismatch", _wrong_pair),
    "broken off inside a round": inserted(inside, "forced-quit", always(_QUIT)),
    "broken off at its end": changed(result, "forced-quit", lambda _chance, _step: _QUIT),
    "pushed back at the exit": inserted(inside, "reverse-movement", fault("reverse-exit")),
    "pushed back midway": inserted(inside, "reverse-movement", fault("reverse-midway")),
    "jammed": inserted(inside, "jam", fault("jam")),
    "opened inside a round": inserted(inside, "shoe-opened", fault("shoe-opened")),
    "loaded inside a round": inserted(inside, "shoe-opened", always(ShoeLoaded(decks=8))),
    "half out": inserted(inside, "draw-timeout", fault("draw-timeout")),
    "a button misused": inserted(anywhere, "button-misuse", fault("button-misuse")),
    "a card that does not come": inserted(inside, "card-overdue", _card_late),
    "the dealer calls": inserted(
        inside, "supervisor-called", always(SupervisorCalled(reason="dropped-card"))
    ),
    # what may have gone by unheard
    "the link is lost": inserted(inside, "link-lost", always(LinkLost())),
    "reports are missing": inserted(inside, "lost-frames", always(SequenceGap(expected="1", got="3"))),
    "the shoe starts again": inserted(inside, "device-restarted", always(DeviceStarted())),
    # burn, cut card, end of the shoe
    "nothing burned": _burn("not-burned", lambda _shoe, _cards: ()),
    "one burned too few": _burn("burn-mismatch", lambda _shoe, cards: cards[:-1]),
    "one burned too many": _burn("burn-mismatch", _one_more),
    "the cut card in the burn": _cut_in_burn,
    "a second cut card": _second_cut,
    "no cut card": _no_cut,
    "a round after the last": _past_the_last,
    "dealt dry": _dealt_dry,
    "counted wrong": _miscounted,
    # other devices, wagers
    "the shuffler is in trouble": inserted(
        anywhere, "shuffler-fault", always(DeviceFault(fault="jam", active=True, device="shuffler"))
    ),
    "an order is offered": inserted(anywhere, "order-disclosed", fault("order-disclosed")),
    "a wager after no more bets": inserted(
        inside, "late-wager", always(WagerPlaced(seat=1, wager="player", amount="10"))
    ),
}
