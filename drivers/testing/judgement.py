"""Whether a table that heard a shoe over a bad line was ever silently wrong."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from controller import facts
from drivers.shoes.acts import RoundDealt

#: What is about a decided round and nothing that follows.
OF_THE_RESULT = ("result-mismatch", "forced-quit")

#: The cards of a round: Player's and Banker's.
Cards = tuple[tuple[str, ...], tuple[str, ...]]


class Verdict(Struct, frozen=True, kw_only=True):
    """Rounds that were dealt: `clean`: recorded right, with nothing raised; `held`: right after something was
    raised; `missed`: not recorded, and something was raised. `silent`: what was wrong without a word.
    """

    clean: int
    held: int
    missed: int
    silent: list[str]


def lie(dealt: RoundDealt | facts.RoundDecided) -> Cards:
    """The cards as they lie on the table."""
    return tuple(dealt.player_cards), tuple(dealt.banker_cards)


def judge(truth: Sequence[RoundDealt], said: Iterable[facts.Fact]) -> Verdict:
    """Compare what was dealt with what a table confirmed. Each round that is wrong or not there needs an
    irregularity behind the last right one and no later than the confirmation that shows it.
    """
    dealt = [lie(one) for one in truth]
    decided: dict[int, Cards] = {}
    at = clean = held = missed = 0  # `at`: the round that comes next
    raised = since = False  # behind the last right round, behind the last decision
    silent: list[str] = []
    for fact in said:
        match fact:
            case facts.ShoeStarted():
                decided.clear()
            case facts.IrregularityRaised():
                raised, since = True, since or fact.code not in OF_THE_RESULT
            case facts.RoundDecided():
                decided[fact.round] = lie(fact)
                since = False
            case facts.RoundConfirmed():
                cards = decided[fact.round]
                if cards not in dealt[at:]:
                    if not raised:
                        silent.append(f"{_words(cards)} was recorded and never dealt")
                    continue
                found = dealt.index(cards, at)
                missed += found - at
                silent += [] if raised else [f"{_words(lost)} was missed" for lost in dealt[at:found]]
                clean, held = clean + (not raised), held + raised
                # What was raised between a round's decision and its end belongs to what follows.
                at, raised = found + 1, since
    missed += len(dealt) - at
    silent += [] if raised else [f"{_words(lost)} was missed" for lost in dealt[at:]]
    return Verdict(clean=clean, held=held, missed=missed, silent=silent)


def _words(cards: Cards) -> str:
    return " / ".join(" ".join(hand) for hand in cards)
