"""The table of irregularity codes: each is raised when it says so, with its severity."""

import pytest
from felt import FIVE, NATURAL, SHOE, SIX, Felt, dealt

from controller import facts
from controller import observations as seen
from controller.orders import ORDER_FIELDS
from controller.play.irregularities import CODES

#: code -> words of a table with announcements that raise it last, and how the table answers
CASES: dict[str, tuple[str, str]] = {
    "early-card": ("open 2C", "!"),
    "overdraw": (f"open close {NATURAL} 5H", "!"),
    "wrong-slot": ("open close P1=2C P2=3C", "!"),
    "underdraw": ("open close 2C 9D 3H 7S confirm", "!"),
    "unread-card": ("open close ?", "!"),
    "card-conflict": ("open close P1=2C P1=3C", "!"),
    "impossible-card": ("open close 2C 2C 2C", "!"),
    "foreign-card": ("open close fault:foreign-card", "!"),
    "result-mismatch": (f"open close {NATURAL} result:tie", "!"),
    "forced-quit": ("open close 2C result:quit", "!"),
    "reverse-movement": ("open close 2C fault:reverse-exit", "!"),
    "jam": ("open close 2C fault:jam", "!"),
    "shoe-opened": ("open close 2C fault:shoe-opened", "!"),
    "draw-timeout": ("open close 2C fault:draw-timeout", "~"),
    "button-misuse": ("open close 2C fault:button-misuse", "~"),
    "supervisor-called": ("open close 2C call", "!"),
    "lost-frames": ("open close 2C gap", "!"),
    "link-lost": ("open close 2C lost", "!"),
    "device-restarted": ("open close 2C boot", "!"),
    "not-burned": ("load:2 open", "~"),
    "burn-mismatch": ("load:2 AC open", "~"),
    "cut-card-misplaced": ("load:2 AC cut", "~"),
    "cut-card-repeated": ("open close 2C cut cut", "~"),
    "past-last-round": (f"open cut close {NATURAL} confirm open", "#"),
}
#: proved where they need more than a few words
ELSEWHERE = {
    "card-overdue",
    "cut-card-missing",
    "shoe-exhausted",
    "count-mismatch",
    "shuffler-fault",
    "order-disclosed",
    "late-wager",
    "unshuffled-pack",
    "composition-mismatch",
    "shuffler-count-mismatch",
    "unverified-pack",
}


def test_every_code_is_proved() -> None:
    assert set(CASES) | ELSEWHERE >= set(CODES)


@pytest.mark.parametrize("code", CASES)
def test_raised_by_the_observation_that_proves_it(code: str) -> None:
    words, mark = CASES[code]
    felt = Felt(decks=2)
    *before, last = words.split()
    felt.tell(" ".join(before))
    assert code not in felt.raised
    assert felt.tell(last).split()[-1] == mark + code


@pytest.mark.parametrize(
    "cards", [NATURAL, "3C 2D 4H 5S", FIVE, SIX], ids=["natural", "both-stay", "five", "six"]
)
def test_overdraw_is_a_card_when_none_is_due(cards: str) -> None:
    assert dealt(cards).tell("5H") == "!overdraw"


@pytest.mark.parametrize("word", ["open", "confirm", "result:player"])
def test_underdraw_is_a_round_closed_while_a_card_is_due(word: str) -> None:
    assert dealt("2C 9D 3H 7S").tell(word) == "!underdraw"


@pytest.mark.parametrize("word", ["open", "confirm"])
def test_a_round_without_a_card_is_closed_too_early_as_well(word: str) -> None:
    assert dealt("").tell(word) == "!underdraw"


@pytest.mark.parametrize("fault", ["reverse-exit", "reverse-midway", "jam", "shoe-opened"])
@pytest.mark.parametrize("words", ["", "open", "open close", f"open close {NATURAL}"])
def test_what_stops_a_round_is_a_warning_outside_one(words: str, fault: str) -> None:
    felt = Felt()
    felt.tell(words)
    assert felt.tell(f"fault:{fault}").startswith("~")


def test_supervisor_called_outside_a_round_is_a_warning() -> None:
    assert Felt().tell("call open call") == "~supervisor-called shoe1 open1 ~supervisor-called"


@pytest.mark.parametrize(
    ("awaited", "raised"),
    [
        ((1, "player", 3), True),
        ((1, "player", 2), False),
        ((1, "banker", 3), False),
        ((2, "player", 3), False),
    ],
)
def test_card_overdue_is_about_the_card_that_is_due(awaited: tuple[int, str, int], raised: bool) -> None:
    felt = dealt("2C 9D 3H 7S")
    number, hand, index = awaited
    late = seen.TimerExpired(timer="card-overdue", round=number, hand=hand, index=index)  # type: ignore[arg-type]
    assert [type(fact) for fact in felt.apply(late)] == [facts.IrregularityRaised] * raised
    assert felt.tell("4S").endswith("player:9-6")
    assert felt.apply(late) == []


def test_other_timers_say_nothing() -> None:
    assert dealt("2C").apply(seen.TimerExpired(timer="banker", round=1, hand="banker", index=1)) == []


@pytest.mark.parametrize("device", ["shuffler", "shoe", None])
def test_order_disclosed_is_a_warning_whoever_offered_it(device: str | None) -> None:
    felt = dealt("2C")
    felt.apply(seen.DeviceFault(fault="order-disclosed", active=True, device=device))
    assert felt.raised == ["order-disclosed"]
    assert felt.table.hold is None


def test_impossible_card_is_the_one_more_than_the_pack_holds() -> None:
    felt = Felt(decks=2)
    felt.tell("load:2 open close 2C 2C")
    assert "impossible-card" not in felt.raised
    assert felt.tell("2C") == "!impossible-card"


@pytest.mark.parametrize("code", CODES)
def test_every_code_offers_orders_that_exist(code: str) -> None:
    assert set(CODES[code].orders) <= set(ORDER_FIELDS)
    assert ("acknowledge" in CODES[code].orders) == (CODES[code].gravity in ("block", "warn"))


@pytest.mark.parametrize("code", [code for code in CASES if CASES[code][1] == "!"])
def test_nothing_but_an_order_that_it_offers_ends_a_stop(code: str) -> None:
    """At least one of them does, whatever lies on the table."""
    ended = []
    for order in CODES[code].orders:
        felt = Felt(decks=2)
        felt.tell(CASES[code][0])
        hold = felt.table.hold
        assert hold is not None
        assert hold.code == code
        felt.tell(WORDS[order])
        ended.append(hold.id not in felt.table.open)
    assert any(ended)


WORDS = {
    "accept": "accept",
    "void_round": "void",
    "burn_card": "burn",
    "carry_card": "carry",
    "move_card": "move:player",
    "identify_card": "name:KD",
    "correct_card": "fix:B2=4C",
    "resynchronise": "state:|",
}


def test_irregularities_name_their_round() -> None:
    felt = Felt("device")
    felt.tell(f"call {SHOE} result:player P1=2C ?")
    raised = [fact for fact in felt.told if isinstance(fact, facts.IrregularityRaised)]
    assert [(fact.code, fact.round, fact.id) for fact in raised] == [
        ("supervisor-called", None, 1),
        ("unread-card", 2, 2),
    ]


def test_details_are_sentences_about_the_cards() -> None:
    felt = dealt("P1=2C P1=3C")
    raised = felt.told[-1]
    assert isinstance(raised, facts.IrregularityRaised)
    assert raised.detail == "3C was reported for player 1, where 2C lies"
    felt = dealt("P1=2C P2=3C")
    raised = felt.told[-1]
    assert isinstance(raised, facts.IrregularityRaised)
    assert raised.detail == "3C was given to player 2, and banker is due"
