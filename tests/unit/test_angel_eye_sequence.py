"""What the numbers of an Angel Eye's reports show to be missing."""

import pytest

from drivers.shoes.angel_eye.memory import Sequence


@pytest.mark.parametrize(
    ("numbers", "gaps"),
    [
        ("123456789012345678901", ""),
        ("123456789123456789123", ""),
        ("124", "4"),
        ("11", "1"),
        ("8903", "3"),
        ("891", ""),
        ("8901234567891", "1"),
        ("8901234567891234567891", "1"),
        ("89012345678912345678901234567891", "11"),
        ("8902345678901", "2"),
        ("8901234567892345678901234567891", "21"),
        ("9AB1", ""),
    ],
    ids=[
        "0 follows 9",
        "1 follows 9",
        "one missing",
        "stuck",
        "two missing",
        "nobody knows yet",
        "a shoe that says 0 left it out",
        "another shoe is wronged once",
        "each time anew after a 0",
        "1 missing",
        "what follows 9 is still known after a larger gap",
        "letters are not checked",
    ],
)
def test_gaps(numbers, gaps):
    sequence = Sequence()
    assert "".join(gap.got for gap in map(sequence.gap, numbers) if gap) == gaps


def test_a_link_that_was_lost_is_not_a_gap_and_what_follows_9_is_still_known():
    sequence = Sequence()
    for number in "890":
        sequence.gap(number)
    sequence.forget()
    assert sequence.gap("9") is None
    assert sequence.gap("1") is not None
