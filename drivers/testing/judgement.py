"""Whether a table that heard a shoe over a bad line was ever silently wrong."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from controller import facts
from drivers.shoes.acts import RoundDealt

#: What says that more than the present round may be wrong.
UNHEARD = ("lost-frames", "link-lost", "device-restarted")

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
    raised = unheard = False
    silent: list[str] = []
    for fact in said:
        match fact:
            case facts.ShoeStarted():
                decided.clear()
            case facts.IrregularityRaised():
                raised, unheard = True, unheard or fact.code in UNHEARD
            case facts.RoundDecided():
                decided[fact.round] = lie(fact)
                unheard = False
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
                # What went by unheard between a round's decision and its end belongs to what follows.
                at, raised = found + 1, unheard
    missed += len(dealt) - at
    silent += [] if raised else [f"{_words(lost)} was missed" for lost in dealt[at:]]
    return Verdict(clean=clean, held=held, missed=missed, silent=silent)


def _words(cards: Cards) -> str:
    return " / ".join(" ".join(hand) for hand in cards)
