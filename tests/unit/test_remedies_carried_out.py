"""What a pack proposes, the table carries out: every proposal of every pack, in the holds it is made for."""

import pytest

from controller import facts
from controller.observations import (
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CutCardDrawn,
    DeviceResult,
    ResultConfirmed,
    ShoeLoaded,
    SupervisorCalled,
)
from controller.orders import Event, Order
from controller.play.answers import answers
from controller.play.house import House
from controller.play.irregularities import Irregularity, offered
from controller.play.table import Table
from controller.rules.remedies import load_pack, pack_names, propose
from controller.rules.ruleset import load_ruleset
from controller.rules.situations import OPPOSITE, TOLD, Situation, situation

RULES = load_ruleset("nj-mini-baccarat")
OPEN = [BetsOpened(), BetsClosed()]


def cards(text: str) -> list[CardDrawn]:
    """`2C` without a slot, `P3=9H` with one."""
    drawn = []
    for word in text.split():
        place, _, card = word.rpartition("=")
        hand = {"P": "player", "B": "banker"}.get(place[:1])
        drawn.append(CardDrawn(card=card, slot=hand, index=int(place[1])) if hand else CardDrawn(card=card))  # type: ignore[arg-type]
    return drawn


#: how the table comes to be held
HOLDS: dict[str, list[Event]] = {
    "early-card": [BetsOpened(), *cards("5C")],
    "wrong-slot: player stays, banker draws": [*OPEN, *cards("3C 2D 4H KS P3=9H")],
    "wrong-slot: player draws": [*OPEN, *cards("2C 2D 3H KS B3=9H")],
    "wrong-slot: first four": [*OPEN, *cards("2C"), *cards("P2=9H")],
    "overdraw: natural": [*OPEN, *cards("9C 2D KH 3S 7D")],
    "overdraw: player stays, to player": [*OPEN, *cards("6C 7D KH KS P3=7D")],
    "overdraw: complete, to banker": [*OPEN, *cards("6C 7D KH KS B3=7D")],
    "overdraw: last coup": [
        *OPEN,
        *cards("9C 2D"),
        CutCardDrawn(),
        *cards("KH 3S"),
        ResultConfirmed(),
        *OPEN,
        *cards("9D 2C KS 3H 7D"),
    ],
    "underdraw: player draws": [*OPEN, *cards("2C 2D 3H KS"), ResultConfirmed()],
    "unread-card": [*OPEN, *cards("2C"), CardDrawn(card=None)],
    "card-conflict": [*OPEN, *cards("P1=2C P1=3C")],
    "result-mismatch": [
        *OPEN,
        *cards("9C 2D KH 3S"),
        DeviceResult(winner="banker", player_pair=False, banker_pair=False, forced_quit=False),
    ],
    "supervisor-called: exposed": [*OPEN, *cards("2C"), SupervisorCalled(reason="exposed-card")],
    "supervisor-called: stuck": [*OPEN, *cards("2C"), SupervisorCalled(reason="stuck-card")],
    "supervisor-called: dropped": [*OPEN, *cards("2C"), SupervisorCalled(reason="dropped-card")],
}


def held(events: list[Event]) -> Table:
    table = Table(House(RULES))
    for event in [ShoeLoaded(decks=8), *events]:
        table.apply(event)
    assert table.hold is not None
    return table


def situation_of(table: Table, hold: Irregularity, events: list[Event]) -> Situation:
    """As the table knows it at that moment."""
    slot = hold.drawn.slot if hold.drawn else None
    called = events[-1]
    return situation(
        table.round.coup.hands
        if table.round.dealing or table.round.phase == "decided"
        else {"player": [], "banker": []},
        RULES.draw,
        held=True,
        to=slot if slot in ("player", "banker") else None,  # type: ignore[arg-type]
        last_coup=table.shoe.rounds_left == 0,
        reason=called.reason if isinstance(called, SupervisorCalled) else None,
    )


def carried_out(order: str, table: Table, hold: Irregularity) -> Order:
    """The order as a supervisor would fill it in."""
    hands = table.round.coup.hands
    fields: dict[str, object] = {
        "move_card": {"to": table.round.due or "player"},
        "resynchronise": {"player": list(hands["player"]), "banker": list(hands["banker"])},
        "correct_card": {"hand": "player", "index": 1, "card": "3C"},
        "identify_card": {"card": "7D"},
    }.get(order, {})  # type: ignore[assignment]
    return Order(order=order, by="A", confirmed_by="B", irregularity=hold.id, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("pack_name", pack_names())
@pytest.mark.parametrize("name", HOLDS)
def test_every_proposal_can_be_carried_out(pack_name: str, name: str) -> None:
    pack = load_pack(pack_name, answers())
    events = HOLDS[name]
    table = held(events)
    hold = table.hold
    assert hold is not None and hold.code == name.partition(":")[0]
    words = situation_of(table, hold, events)
    told = [words, *(words | {word} for word in TOLD)]
    for known in told:
        for remedy in propose(pack, hold.code, known, offered(hold.code, "stop")):
            if not remedy.proposed:
                continue
            assert all(word in OPPOSITE for word in remedy.given)
            again = held(events)
            assert again.hold is not None
            concluded = again.apply(carried_out(remedy.order, again, again.hold))
            refused = [fact.reason for fact in concluded if isinstance(fact, facts.OrderRefused)]
            assert refused == [], (remedy.order, known)
            assert hold.id not in again.open or hold.code == "result-mismatch"


def test_what_becomes_of_the_card_differs_between_places() -> None:
    """France burns a card that New Jersey is recalled to use as the next one."""
    events = HOLDS["overdraw: natural"]
    fates = {}
    for name in ("france", "new-jersey", "spain-melilla", "new-south-wales", "new-jersey-casino-night"):
        table = held(events)
        assert table.hold is not None
        words = situation_of(table, table.hold, events) | {"face-unseen"}
        told = propose(load_pack(name, answers()), "overdraw", words, offered("overdraw", "stop"))
        fates[name] = [remedy.order for remedy in told if remedy.proposed]
    assert fates == {
        "france": ["burn_card"],
        "new-jersey": ["carry_card"],
        "spain-melilla": ["burn_card"],
        "new-south-wales": ["carry_card"],
        "new-jersey-casino-night": [],
    }


#: a card of which nobody knows what it is
NAMELESS: dict[str, list[Event]] = {
    "early-card": [BetsOpened(), CardDrawn(card=None)],
    "overdraw": [*OPEN, *cards("9C 2D KH 3S"), CardDrawn(card=None)],
    "wrong-slot": [*OPEN, *cards("2C"), CardDrawn(card=None, slot="player", index=2)],
}


@pytest.mark.parametrize("pack_name", pack_names())
@pytest.mark.parametrize("code", NAMELESS)
def test_a_card_that_was_not_read_is_offered_to_no_hand(code: str, pack_name: str) -> None:
    """It could not be dealt, now or in the next round; a rule that asks for that is not proposed."""
    table = Table(House(RULES, pack=load_pack(pack_name, answers())))
    raised = [fact for event in NAMELESS[code] for fact in table.apply(event)][-1]
    assert isinstance(raised, facts.IrregularityRaised) and raised.code == code
    assert not {"move_card", "carry_card"} & {remedy.order for remedy in raised.remedies}
    assert {"burn_card", "resynchronise"} <= {remedy.order for remedy in raised.remedies}


@pytest.mark.parametrize("order", ["move_card", "carry_card", "identify_card"])
def test_who_orders_it_all_the_same_is_told_what_can_be_done(order: str) -> None:
    table = held(NAMELESS["early-card"])
    assert table.hold is not None
    (refused,) = table.apply(carried_out(order, table, table.hold))
    assert isinstance(refused, facts.OrderRefused)
    assert refused.reason == (
        "the card of early-card is out of place, and no hand's; decide what becomes of it"
        if order == "identify_card"
        else "the card was not read; state the hands, or burn it"
    )


def test_whether_it_can_be_put_right_at_once_is_for_the_supervisor_to_find() -> None:
    """France voids a coup that cannot; when the wrong draw comes, no later card has come yet."""
    rules = load_ruleset("france")
    table = Table(House(rules, 6, pack=load_pack(rules.remedies, answers())))
    raised = [fact for event in HOLDS["wrong-slot: player draws"] for fact in table.apply(event)][-1]
    assert isinstance(raised, facts.IrregularityRaised)
    proposals = [(remedy.order, remedy.given) for remedy in raised.remedies if remedy.proposed]
    assert proposals == [("move_card", ["no-later-cards"]), ("void_round", ["later-cards"])]


@pytest.mark.parametrize(
    ("ruleset", "name", "says"),
    [
        ("nj-mini-baccarat", "early-card", "The call of no more bets comes first"),
        ("nj-casino-night-baccarat", "overdraw: natural", "the result stands on four cards"),
        ("nj-mini-baccarat", "overdraw: natural", ""),  # it proposes
        ("france", "early-card", ""),
        ("macau", "early-card", ""),  # nothing was read
    ],
)
def test_a_rule_that_leaves_the_decision_open_is_told_all_the_same(
    ruleset: str, name: str, says: str
) -> None:
    rules = load_ruleset(ruleset)
    table = Table(House(rules, 6, pack=load_pack(rules.remedies, answers())))
    raised = [fact for event in HOLDS[name] for fact in table.apply(event)][-1]
    assert isinstance(raised, facts.IrregularityRaised)
    assert says in raised.says if says else raised.says == ""
    assert not (raised.says and any(remedy.proposed for remedy in raised.remedies))
