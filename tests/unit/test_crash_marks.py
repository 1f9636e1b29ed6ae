"""Between two places at which reports may be missing, the judge of the crash campaign wants every card."""

from drivers.testing.crashes.marks import cards, first_misplaced


def drawn(card: str, slot: str, index: int | None = None) -> dict[str, object]:
    return {"type": "card_drawn", "card": card, "slot": slot, "index": index}


STARTED, RESULT = {"type": "device_started"}, {"type": "device_result"}
ROUND = [
    drawn("QH", "player", 1),
    drawn("6D", "banker", 1),
    drawn("3S", "player", 2),
    drawn("5C", "banker", 2),
]
NEXT = [drawn("9H", "player", 1)]
HAPPENED = list(cards([*ROUND, RESULT, STARTED, *NEXT]))


def test_a_start_amid_a_round_may_hide_the_rest_of_it() -> None:
    assert first_misplaced(cards([*ROUND[:3], STARTED, *NEXT]), HAPPENED) is None


def test_a_start_between_rounds_hides_nothing() -> None:
    assert None not in HAPPENED
    assert first_misplaced(cards([*ROUND[:2], RESULT, STARTED, *NEXT]), HAPPENED) is not None


def test_a_start_vouches_for_no_card_that_was_not_dealt() -> None:
    assert first_misplaced(cards([*ROUND[:3], STARTED, drawn("2C", "player", 1)]), HAPPENED) is not None
