"""What a record says, in English: our words, who it was, and what they said in so many words, kept apart.

Cards stay in two characters, so that a page can draw them; a person's initials must not be taken for one.
"""

from collections.abc import Callable, Sequence
from typing import Any

from controller import facts, observations
from controller.cards import Card
from controller.orders import Order
from controller.rules.drawing import total
from controller.views.disclosure import Item

#: What the supervisor would have to find, as the rest of "if ...".
GIVEN = {
    "face-seen": "people at the table saw the card's face",
    "face-unseen": "nobody at the table saw the card's face",
    "harm": "somebody would be harmed by going on",
    "no-harm": "nobody is harmed by going on",
    "spare": "another shuffler can take the cards",
    "no-spare": "no other shuffler can take the cards",
    "damaged": "cards were damaged",
    "undamaged": "no card was damaged",
    "as-read": "the cards on the table are as the shoe read them",
    "misread": "the shoe misread a card",
    "clear": "it is clear which cards lay where",
    "unclear": "nobody can say which cards lay where",
    "no-later-cards": "no later card has left the shoe",
    "later-cards": "later cards have left the shoe",
    "face-up-in-shoe": "the card lay face up in the shoe",
    "shown-in-dealing": "the dealer exposed the card in dealing",
}


def title(code: str) -> str:
    """A code or an order as a heading: `wrong-slot` is "Wrong slot"."""
    return code.replace("-", " ").replace("_", " ").capitalize()


def slot(hand: str | None, index: int | None) -> str:
    """`Player 2`; "no hand" where none is named."""
    if hand is None:
        return "no hand"
    return f"{hand.replace('_', ' ').capitalize()} {index}" if index else hand.replace("_", " ").capitalize()


def hand(cards: Sequence[Card]) -> str:
    """The cards and their count; "no cards"."""
    return f"{' '.join(cards)} ({total(cards)})" if cards else "no cards"


def decision(fact: facts.RoundDecided) -> str:
    """Who won, by which counts."""
    winner = "Tie" if fact.winner == "tie" else f"{fact.winner.capitalize()} wins"
    natural = ", natural" if fact.natural else ""
    return f"{winner}, Player {fact.player_total}, Banker {fact.banker_total}{natural}"


def _card(card: Card | None) -> str:
    return card or "a card that was not read"


def _drawn(item: observations.CardDrawn) -> str:
    outside = f", {item.mode} mode" if item.mode else ""
    where = f" for {slot(item.slot, item.index)}" if item.slot else ""
    return f"{_card(item.card)} leaves the shoe{where}{outside}"


def _result(item: observations.DeviceResult) -> str:
    if item.forced_quit or item.winner is None:
        return "the shoe breaks the game off"
    pairs = [f"{who} pair" for who in ("player", "banker") if getattr(item, f"{who}_pair")]
    return f"the shoe's result: {', '.join([item.winner, *pairs])}"


def _why(reason: str | None) -> str:
    return f": {reason}" if reason else ""


def _order(item: Order) -> str:
    fields = {
        "to": item.to,
        "card": item.card,
        "as": slot(item.hand, item.index) if item.hand else None,
        "Player": hand(item.player) if item.player is not None else None,
        "Banker": hand(item.banker) if item.banker is not None else None,
        "decks": item.decks,
        "remaining": item.remaining,
    }
    said = ", ".join(f"{name} {value}" for name, value in fields.items() if value is not None)
    return f"order: {title(item.order).lower()}{f' ({said})' if said else ''}"


_WORDS: dict[type, Callable[[Any], str]] = {
    observations.ShoeLoaded: lambda o: f"a pack of {o.decks} decks is loaded",
    observations.CardDrawn: _drawn,
    observations.CardCarried: lambda o: f"{o.card} is carried to {slot(o.slot, o.index)}",
    observations.CutCardDrawn: lambda _: "the cut card comes",
    observations.DeviceResult: _result,
    observations.DeviceFault: lambda o: f"fault {o.fault} {'raised' if o.active else 'cleared'}",
    observations.DeviceStarted: lambda _: "the device starts",
    observations.DeviceStandby: lambda _: "the device stands by",
    observations.LockChanged: lambda o: f"the device is {'locked' if o.locked else 'unlocked'}",
    observations.CommandSent: lambda o: f"command {o.command} is sent",
    observations.CommandSettled: lambda o: f"command {o.command} is {o.outcome}{_why(o.reason)}",
    observations.ShufflerState: lambda o: f"the shuffler is {o.state.replace('_', ' ')}",
    observations.VigorishCollected: lambda o: f"seat {o.seat} pays {o.amount} vigorish",
    observations.FrameRejected: lambda o: f"a frame is rejected: {o.reason}",
    observations.SequenceGap: lambda o: f"reports are missing: {o.expected} expected, {o.got} came",
    observations.LinkLost: lambda _: "the link is lost",
    observations.LinkRestored: lambda _: "the link is restored",
    observations.BetsOpened: lambda _: "place your bets",
    observations.BetsClosed: lambda _: "no more bets",
    observations.HandCalled: lambda o: f"the {o.hand.capitalize()}'s Hand is called",
    observations.ResultConfirmed: lambda _: "the dealer confirms the result",
    observations.WagersPaid: lambda _: "the wagers are paid",
    observations.SupervisorCalled: lambda o: f"the dealer calls the supervisor: {o.reason.replace('-', ' ')}",
    observations.ShuffleStarted: lambda _: "a shuffle starts",
    observations.ShuffleFinished: lambda o: f"a shuffle is finished: {o.count or 'unknown number of'} cards",
    observations.WagerPlaced: lambda o: f"seat {o.seat} places {o.amount} on {o.wager}",
    observations.WagerRemoved: lambda o: f"seat {o.seat} takes {o.amount or 'all'} from {o.wager}",
    observations.TimerExpired: lambda o: f"time is up: {o.timer} {slot(o.hand, o.index)}",
    observations.ServiceStarted: lambda o: f"the service starts, version {o.version}",
    Order: _order,
    facts.ShoeStarted: lambda f: f"shoe {f.shoe} begins, {f.decks} decks",
    facts.ShoeEnding: lambda f: f"the shoe is ending: {f.rounds_left} more after this round",
    facts.LastRoundCalled: lambda f: f"round {f.round} is the last",
    facts.ShoeEnded: lambda f: f"shoe {f.shoe} is ended after {f.rounds} rounds and {f.cards_seen} cards",
    facts.CardBurned: lambda f: f"{_card(f.card)} is burned",
    facts.RoundOpened: lambda f: f"round {f.round} is open",
    facts.BetsClosed: lambda f: f"the bets of round {f.round} are closed",
    facts.CardDealt: lambda f: f"{f.card} is {slot(f.hand, f.index)}",
    facts.DrawCalled: lambda f: f"{f.hand.capitalize()} draws" if f.hand else "no card is due",
    facts.HandAssigned: lambda f: (
        f"{f.hand.capitalize()}'s Hand goes to {f'seat {f.seat}' if f.seat else 'the dealer'}"
    ),
    facts.RoundDecided: lambda f: f"{'corrected: ' if f.corrected else ''}{decision(f)}",
    facts.RoundConfirmed: lambda f: f"round {f.round} stands",
    facts.RoundVoided: lambda f: f"round {f.round} is void",
    facts.RoundReinstated: lambda f: f"round {f.round} counts again",
    facts.IrregularityRaised: lambda f: f"irregularity {f.id}, {f.code} ({f.severity}): {f.detail}",
    facts.IrregularityResolved: lambda f: f"irregularity {f.id} is answered: {title(f.remedy).lower()}",
    facts.OrderRefused: lambda f: f"order refused: {title(f.order).lower()}: {f.reason}",
    facts.WagerRefused: lambda f: f"seat {f.seat} may not wager {f.amount} on {f.wager}: {f.reason}",
    facts.WagerSettled: lambda f: f"seat {f.seat}: {f.amount} on {f.wager}: {f.outcome}",
    facts.VigorishOwed: lambda f: f"seat {f.seat} owes {f.amount} vigorish",
}


def words(item: Item) -> str:
    """One line."""
    known = _WORDS.get(type(item))
    return known(item) if known else type(item).__struct_config__.tag.replace("_", " ")  # type: ignore[union-attr]


def person(item: Item) -> str:
    """Who it was, and who confirmed it; empty: nobody is named."""
    confirmed = getattr(item, "confirmed_by", None)
    second = f", confirmed by {confirmed}" if isinstance(confirmed, str) else ""
    return f"{by}{second}" if (by := getattr(item, "by", None)) else ""


def spoken(item: Item) -> str:
    """What a person said in so many words; empty: nothing."""
    if isinstance(item, Order):
        return item.reason
    return getattr(item, "note", None) or ""
