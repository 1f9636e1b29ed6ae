"""What reaches each audience, and when, in the three dealing options of 13:69F-7.7(c)."""

import pytest
from playing import Play

from controller import facts
from controller.facts import Fact
from controller.observations import (
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    DeviceResult,
    HandCalled,
    LinkLost,
    LinkRestored,
    ResultConfirmed,
    ShoeLoaded,
    WagerPlaced,
)
from controller.orders import Event, Order
from controller.rules.terms import Dealing
from controller.views.disclosure import Audience, CardFaceDown, DeviceState, Disclosure, PleaseWait

PLAYER, BANKER, CONFIRM = HandCalled(hand="player"), HandCalled(hand="banker"), ResultConfirmed()
#: Player 2 and 3 draws a 4; Banker 9 and 7 stays on 6.
FIVE = ("2C 9D 3H 7S", "4S")
#: Player 2 and 3 draws a king; Banker 2 and 1 draws a 9.
SIX = ("2C 2D 3H AS", "KS", "9H")


class Watch:
    """One audience at a table."""

    def __init__(self, dealing: Dealing, audience: Audience = "board", play: Play | None = None) -> None:
        self.disclosure = Disclosure(audience, dealing)
        self.play = play or Play()

    def told(self, *events: Event) -> list[Fact]:
        return [fact for _, item in self.play.do(*events) for fact in self.disclosure.see(item)]

    def opened(self) -> "Watch":
        for _, item in self.play.open():
            self.disclosure.see(item)
        return self

    def cards(self, text: str) -> str:
        return short(self.told(*(CardDrawn(card=card) for card in text.split())))


def short(told: list[Fact]) -> str:
    """`P1=2C`, `P1=??`, `draw player`, `decided`, else the fact's type."""
    words = []
    for fact in told:
        match fact:
            case facts.CardDealt() | CardFaceDown():
                words.append(f"{fact.hand[0].upper()}{fact.index}={fact.card or '??'}")
            case facts.DrawCalled():
                words.append(f"draw:{fact.hand or 'nobody'}")
            case _:
                words.append(str(fact.__struct_config__.tag))
    return " ".join(words)


BACKS = "P1=?? B1=?? P2=?? B2=??"


# -- option 1 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("audience", ["board", "dealer", "pit"])
def test_face_up_shows_everything_as_dealt(audience: Audience) -> None:
    watch = Watch("face-up", audience).opened()
    assert watch.cards(FIVE[0]) == "P1=2C B1=9D P2=3H B2=7S draw:player"
    assert watch.cards(FIVE[1]) == "P3=4S draw:nobody round_decided"
    assert watch.disclosure.complete


# -- option 2 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("audience", ["board", "dealer"])
def test_player_down_opens_all_four_at_the_call_of_player(audience: Audience) -> None:
    watch = Watch("player-down", audience).opened()
    assert watch.cards(FIVE[0]) == BACKS
    assert not watch.disclosure.complete
    assert short(watch.told(PLAYER)) == "P1=2C B1=9D P2=3H B2=7S draw:player"
    assert watch.disclosure.complete


def test_the_banker_pair_under_the_shoe_is_not_shown_before_the_player_is_called() -> None:
    watch = Watch("player-down").opened()
    assert watch.cards(FIVE[0]) == BACKS
    assert watch.told(BANKER) == []


def test_player_down_third_cards_stay_down_until_called() -> None:
    watch = Watch("player-down").opened()
    watch.cards(SIX[0])
    watch.told(PLAYER)
    assert watch.cards(SIX[1]) == "P3=??"
    assert short(watch.told(PLAYER)) == "P3=KS draw:banker"
    assert watch.cards(SIX[2]) == "B3=??"
    assert short(watch.told(BANKER)) == "B3=9H draw:nobody round_decided"


# -- option 3 ---------------------------------------------------------------------------------------------


def test_both_down_opens_each_hand_at_its_own_call() -> None:
    watch = Watch("both-down").opened()
    assert watch.cards(FIVE[0]) == BACKS
    assert short(watch.told(PLAYER)) == "P1=2C P2=3H"
    assert short(watch.told(BANKER)) == "B1=9D B2=7S draw:player"


def test_deciding_with_both_hands_called_shows_the_rest() -> None:
    watch = Watch("both-down").opened()
    watch.cards(SIX[0])
    watch.told(PLAYER, BANKER)
    assert watch.cards(SIX[1]) == "P3=??"
    assert watch.cards(SIX[2]) == "P3=KS draw:banker B3=9H draw:nobody round_decided"


def test_a_natural_waits_for_its_calls() -> None:
    watch = Watch("both-down").opened()
    assert watch.cards("9C 2D KH 3S") == BACKS
    assert short(watch.told(PLAYER)) == "P1=9C P2=KH"
    assert short(watch.told(BANKER)) == "B1=2D B2=3S draw:nobody round_decided"


def test_that_third_cards_were_dealt_is_hidden_with_the_hands() -> None:
    watch = Watch("both-down").opened()
    assert watch.cards(" ".join(SIX)) == BACKS
    assert short(watch.told(PLAYER)) == "P1=2C P2=3H P3=KS"
    assert short(watch.told(BANKER)) == "B1=2D B2=AS draw:player draw:banker B3=9H draw:nobody round_decided"


def test_the_announced_result_shows_all() -> None:
    watch = Watch("both-down").opened()
    watch.cards(SIX[0])
    watch.told(PLAYER)
    watch.cards(" ".join(SIX[1:]))
    assert short(watch.told(CONFIRM)) == (
        "B1=2D B2=AS draw:player P3=KS draw:banker B3=9H draw:nobody round_decided round_confirmed"
    )


def test_a_result_that_was_refused_shows_nothing() -> None:
    watch = Watch("both-down").opened()
    watch.cards(FIVE[0])
    assert watch.told(CONFIRM) == [PleaseWait(wait=True)]


def test_the_shoes_own_result_calls_no_hand() -> None:
    watch = Watch("both-down", play=Play("device"))
    assert watch.cards("9C 2D KH 3S") == f"shoe_started round_opened bets_closed {BACKS}"
    claim = DeviceResult(winner="player", player_pair=False, banker_pair=False, forced_quit=False)
    assert watch.told(claim) == []
    shown = watch.cards("2C")
    assert shown.endswith("round_decided round_confirmed round_opened bets_closed P1=??")


def test_banker_called_before_player_has_no_effect_and_the_dealer_is_told() -> None:
    dealer = Watch("both-down", "dealer").opened()
    dealer.cards(FIVE[0])
    assert dealer.told(BANKER) == [
        facts.OrderRefused(order="hand_called", by="dealer", reason="call the Player's Hand first")
    ]
    assert short(dealer.told(PLAYER, BANKER)) == "P1=2C P2=3H B1=9D B2=7S draw:player"
    board = Watch("both-down").opened()
    board.cards(FIVE[0])
    assert board.told(BANKER) == []


def test_a_call_without_cards_has_no_effect() -> None:
    watch = Watch("both-down").opened()
    assert watch.told(PLAYER, BANKER) == []
    assert watch.cards(FIVE[0]) == BACKS


def test_a_call_during_a_hold_has_no_effect() -> None:
    watch = Watch("both-down").opened()
    watch.cards(FIVE[0])
    watch.told(CONFIRM)  # underdraw
    assert watch.told(PLAYER) == []
    told = watch.told(Order(order="accept", by="Ann"))
    assert told == [PleaseWait(wait=False)]
    assert short(watch.told(PLAYER)) == "P1=2C P2=3H"


def test_a_void_round_is_never_shown() -> None:
    watch = Watch("both-down").opened()
    watch.cards(FIVE[0])
    watch.told(PLAYER)
    assert short(watch.told(Order(order="void_round", by="Ann"))) == "round_voided"
    assert watch.told(BANKER) == []
    assert short(watch.told(BetsOpened(), BetsClosed())) == "round_opened bets_closed"
    assert watch.disclosure.complete
    assert watch.cards(FIVE[0]) == BACKS


def test_the_stakes_of_a_void_round_are_returned_without_its_cards() -> None:
    dealer, board = Watch("both-down", "dealer"), Watch("both-down")
    stake = WagerPlaced(seat=3, wager="tie", amount="100")
    for watch in (dealer, board):
        watch.told(BetsOpened(), stake, BetsClosed())
        watch.cards("9C 2D KH 3S")
    void = Order(order="void_round", by="Ann")
    assert short(dealer.told(void)) == "round_voided wager_settled"
    assert short(board.told(void)) == "round_voided"


def test_a_reinstated_round_goes_on_hidden() -> None:
    watch = Watch("both-down").opened()
    watch.cards(FIVE[0])
    watch.told(Order(order="void_round", by="Ann"))
    assert short(watch.told(Order(order="reinstate_round", by="Ann"))) == "round_reinstated"
    assert short(watch.told(PLAYER)) == "P1=2C P2=3H"


def test_the_cut_card_is_told_only_when_the_hands_are_open() -> None:
    # It leaves one more round when the round is still being dealt, and none when it is decided.
    watch = Watch("both-down").opened()
    watch.cards(FIVE[0])
    assert watch.told(CutCardDrawn()) == []
    assert short(watch.told(PLAYER, BANKER)) == "P1=2C P2=3H B1=9D B2=7S draw:player shoe_ending"


def test_a_corrected_card_of_an_open_slot_is_open() -> None:
    watch = Watch("both-down").opened()
    watch.cards(FIVE[0])
    watch.told(PLAYER, BANKER)
    watch.cards(FIVE[1])
    watch.told(CONFIRM)
    order = Order(order="correct_card", by="Ann", hand="player", index=3, card="5S")
    assert short(watch.told(order)) == "P3=5S draw:nobody round_decided"


# -- holds ------------------------------------------------------------------------------------------------


def test_a_hold_tells_the_board_to_wait_and_nothing_else() -> None:
    watch = Watch("face-up").opened()
    watch.cards("9C 2D KH 3S")
    assert watch.told(CardDrawn(card="4S")) == [PleaseWait(wait=True)]
    assert watch.told(CutCardDrawn()) == []
    told = watch.told(Order(order="burn_card", by="Ann", reason="out of place"))
    assert short(told) == "please_wait shoe_ending"
    assert told[0] == PleaseWait(wait=False)


def test_a_block_and_a_warning_say_nothing_to_the_board() -> None:
    watch = Watch("face-up").opened()
    assert watch.told(DeviceFault(device="shuffler", fault="jam", active=True)) == []
    assert watch.disclosure.complete


def test_the_dealer_is_told_what_to_do_and_the_pit_everything() -> None:
    dealer, pit = (Watch("face-up", audience).opened() for audience in ("dealer", "pit"))
    for watch in (dealer, pit):
        watch.cards("9C 2D KH 3S")
    _, raised = dealer.told(CardDrawn(card="4S"))
    assert isinstance(raised, facts.IrregularityRaised)
    assert (raised.code, raised.citation, raised.remedies) == ("overdraw", None, [])
    assert raised.detail.startswith("Stop. Leave every card")
    _, raised = pit.told(CardDrawn(card="4S"))
    assert isinstance(raised, facts.IrregularityRaised)
    assert "4S" in raised.detail
    assert raised.remedies


def test_face_down_a_code_that_tells_about_the_cards_is_kept_from_the_dealer() -> None:
    dealer = Watch("both-down", "dealer").opened()
    dealer.cards("9C 2D KH 3S")
    _, raised = dealer.told(CardDrawn(card="4S"))
    assert isinstance(raised, facts.IrregularityRaised)
    assert raised.code == "hold"


def test_a_refused_order_reaches_the_pit_alone() -> None:
    order = Order(order="move_card", by="Ann", to="banker")
    assert [short(Watch("face-up", audience).told(order)) for audience in ("board", "dealer", "pit")] == [
        "",
        "",
        "order_refused",
    ]


# -- the rest ---------------------------------------------------------------------------------------------


def test_burned_cards() -> None:
    burn = [ShoeLoaded(decks=8), CardDrawn(card="2C"), CardDrawn(card="9D"), CardDrawn(card="KD")]
    assert short(Watch("face-up", "board").told(*burn)) == "shoe_started"
    dealer = Watch("face-up", "dealer").told(*burn)
    assert dealer[1:] == [
        facts.CardBurned(card="2C"),
        facts.CardBurned(card=None),
        facts.CardBurned(card=None),
    ]
    pit = Watch("face-up", "pit").told(*burn)
    assert pit[1:] == [facts.CardBurned(card=card) for card in ("2C", "9D", "KD")]


def test_device_states() -> None:
    events = [
        DeviceFault(fault="draw-timeout", active=True),
        LinkLost(device="sign"),
        DeviceFault(fault="draw-timeout", active=False),
        LinkRestored(device="sign"),
    ]
    dealer = [f for f in Watch("face-up", "dealer").told(*events) if isinstance(f, DeviceState)]
    assert [(f.device, f.state, f.fault) for f in dealer] == [
        ("shoe", "fault", "draw-timeout"),
        ("sign", "lost", None),
        ("shoe", "ok", None),
        ("sign", "ok", None),
    ]
    assert Watch("face-up", "board").told(*events) == []
