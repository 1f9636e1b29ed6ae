"""The rules on holds, sentence by sentence: severities, what arrives meanwhile, what is still to come."""

import pytest
from felt import ALL, NATURAL, Felt, dealt

from controller.observations import DeviceFault, Observation, ShuffleFinished, WagerPlaced, WagerRemoved
from controller.play.boundaries import Boundaries


def held() -> Felt:
    """A round that is held: Player's third card was not read."""
    felt = dealt("2C 9D 3H 7S ?")
    assert felt.table.hold is not None
    return felt


# -- severities -------------------------------------------------------------------------------------------


def test_a_stop_holds_the_round_at_once() -> None:
    felt = dealt("2C")
    assert felt.tell("?") == "!unread-card"
    assert felt.tell("9D open close confirm") == ""


def test_a_block_lets_the_round_finish_and_no_new_one_open() -> None:
    felt = Felt()
    felt.tell("cut open close 9S 2D KH 3C confirm")
    assert felt.tell("open") == "#past-last-round"
    felt = Felt(decks=1)
    felt.tell("load:1 AC 2S open close 9S 2D KH 3C")
    felt.table.irregular("shuffler-fault")
    assert felt.tell("confirm") == "confirmed1"
    assert felt.tell("open close") == ""
    assert felt.tell("ack open") == "ok:acknowledge open2"


def test_a_block_that_an_order_decides_needs_no_acknowledgement() -> None:
    felt = Felt()
    felt.tell("cut open close 9S 2D KH 3C confirm open")
    assert felt.tell("pack:8#2") == "refused"  # there is no irregularity 2
    assert felt.tell("pack:8#1") == "shoe2 ok:new_shoe"
    assert felt.tell("open") == "open1 ~not-burned"


def test_a_warn_is_told_and_play_goes_on() -> None:
    felt = dealt("2C 9D")
    assert felt.tell("fault:draw-timeout 3H") == "~draw-timeout P2=3H"


# -- during a hold ----------------------------------------------------------------------------------------

EVERYTHING = (
    "2C ? P1=5H B3=KD error:5H R:P1=4C open close confirm paid cut lost restored gap boot call load:8 "
    "result:banker result:quit fault:jam fault:unreadable fault:overdraw fault:button-misuse"
)


@pytest.mark.parametrize("word", [word for word in EVERYTHING.split() if word != "cut"])
def test_whatever_arrives_during_a_hold_raises_nothing(word: str) -> None:
    felt = held()
    assert felt.tell(word) == ""
    assert felt.table.round.phase == "player_3"


def test_cards_of_a_hold_are_evidence_on_the_irregularity() -> None:
    felt = held()
    hold = felt.table.hold
    felt.tell("KD B3=5H")
    assert hold is not None
    assert [(drawn.card, drawn.place) for drawn in hold.later] == [("KD", "no hand"), ("5H", "banker 3")]


def test_cards_of_a_hold_count_as_seen() -> None:
    felt = held()
    assert felt.table.shoe.cards_seen == 5
    felt.tell("KD 5H ?")
    assert felt.table.shoe.cards_seen == 8


def test_a_cut_card_of_a_hold_still_ends_the_shoe() -> None:
    felt = held()
    assert felt.tell("cut") == "ending(1)"
    assert (
        felt.tell("name:4S confirm open")
        == "ok:identify_card P3=4S due:none player:9-6 confirmed1 open2 last"
    )


def test_what_a_hold_hid_is_raised_when_it_ends() -> None:
    felt = Felt(decks=1)
    felt.tell("load:1 AC 2S open close KD")
    seen = felt.table.shoe.cards_seen
    felt.tell("?")
    felt.tell(" ".join(["?"] * (53 - seen)))
    assert felt.raised == ["unread-card"]
    assert felt.tell("void") == "void1 ok:void_round #count-mismatch"


@pytest.mark.parametrize(
    ("event", "raised"),
    [
        (DeviceFault(device="shuffler", fault="jam", active=True), "#shuffler-fault"),
        (DeviceFault(device="shuffler", fault="order-disclosed", active=True), "~order-disclosed"),
        (ShuffleFinished(pack="B", count=415, missing=[], extra=[]), "#shuffler-count-mismatch"),
        (ShuffleFinished(pack="B", count=416, missing=["2C"], extra=["3C"]), "#composition-mismatch"),
        (WagerPlaced(seat=1, wager="player", amount="500"), "~late-wager"),
        (WagerRemoved(seat=1, wager="player"), "~late-wager"),
    ],
)
def test_what_is_not_about_the_held_cards_is_raised_when_the_hold_is_over(
    event: Observation, raised: str
) -> None:
    """Once, though it was told more than once: a warning that nobody heard of cost a house its fine."""
    felt = held()
    assert [*felt.apply(event), *felt.apply(event)] == []
    assert felt.tell("name:4S") == f"ok:identify_card P3=4S due:none player:9-6 {raised}"
    (open_,) = felt.table.open.values()
    assert open_.raised is not None and open_.raised.detail.endswith(" (while the round was held)")
    assert felt.tell("confirm open") == ("confirmed1" if raised.startswith("#") else "confirmed1 open2")


def test_each_fault_of_a_shuffler_is_told_by_its_name() -> None:
    felt = held()
    for device, fault in (("shuffler", "jam"), ("shuffler", "lid-open"), ("shuffler-2", "jam")):
        felt.apply(DeviceFault(device=device, fault=fault, active=True))
    felt.tell("void")
    details = [item.raised.detail for item in felt.table.open.values() if item.raised]
    assert details == [
        f"the {what} (while the round was held)"
        for what in (
            "shuffler reports a fault: jam",
            "shuffler reports a fault: lid-open",
            "shuffler-2 reports a fault: jam",
        )
    ]


def test_a_second_cut_card_of_a_hold_is_raised_when_it_is_over() -> None:
    felt = held()
    assert felt.tell("cut cut") == "ending(1)"
    assert felt.tell("void") == "void1 ok:void_round ~cut-card-repeated"


def test_what_was_withheld_waits_for_the_last_of_several_holds() -> None:
    """A correction leaves two cards out of place, and each holds the round in turn."""
    felt = dealt("2C 2D KH 3S 4S 5D")
    felt.tell("fix:P1=9C")
    felt.apply(DeviceFault(device="shuffler", fault="jam", active=True))
    assert felt.tell("burn") == "burned=4S ok:burn_card !overdraw"
    assert felt.tell("burn") == "burned=5D ok:burn_card #shuffler-fault"


def test_an_order_means_the_card_that_raised_the_irregularity() -> None:
    felt = dealt(f"{NATURAL} 5H")
    felt.tell("6H 7H")
    assert felt.tell("burn") == "burned=5H ok:burn_card"


def test_cards_that_came_during_the_hold_belong_to_no_hand() -> None:
    felt = dealt("2C 9D 3H 7S ?")
    felt.tell("8H KD")
    assert felt.tell("name:4S") == "ok:identify_card P3=4S due:none player:9-6"
    assert felt.hands == "2C 3H 4S | 9D 7S"


def test_unless_resynchronise_says_otherwise() -> None:
    felt = dealt("2C 9D 3H 7S ?")
    felt.tell("KD")
    assert felt.tell("state:2C,3H,KD|9D,7S") == "P3=KD ok:resynchronise due:none banker:5-6"
    assert felt.table.shoe.cards_seen == 6


@pytest.mark.parametrize("word", ["open", "confirm"])
def test_an_announcement_that_raised_an_irregularity_has_no_effect_and_must_be_given_again(word: str) -> None:
    felt = dealt("2C 9D 3H 7S")
    assert felt.tell(word) == "!underdraw"
    assert felt.tell("accept 4S") == "ok:accept P3=4S due:none player:9-6"
    assert felt.tell(word).startswith("confirmed1")


def test_the_result_that_raised_an_underdraw_must_be_given_again() -> None:
    felt = Felt("device")
    felt.tell("P1=2C B1=9D P2=3H B2=7S")
    assert felt.tell("result:player") == "!underdraw"
    assert felt.tell("accept P3=4S") == "ok:accept P3=4S due:none player:9-6"
    assert felt.tell("result:player") == "confirmed1"


def test_the_shoes_result_that_came_during_a_hold_counts_when_it_is_over() -> None:
    felt = Felt("device")
    felt.tell("P1=9S B1=2D P2=KH B2=3C error:5H")
    assert felt.tell("result:player") == ""
    assert felt.tell("burn") == "burned=5H ok:burn_card confirmed1"
    felt.tell("P1=9S B1=2D P2=KH B2=4C error:5H result:banker")
    assert felt.tell("burn") == "burned=5H ok:burn_card !result-mismatch"


@pytest.mark.parametrize("boundaries", ALL)
def test_while_blocked_bets_opened_opens_nothing_and_a_card_is_an_early_card(boundaries: Boundaries) -> None:
    felt = Felt(boundaries)
    felt.tell("open close 9S 2D KH 3C confirm result:player")
    felt.table.irregular("shuffler-fault")
    assert felt.tell("open") == ""
    assert felt.tell("5H").endswith("!early-card")
