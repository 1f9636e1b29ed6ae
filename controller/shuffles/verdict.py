"""Does a shuffler shuffle? Every shoe that journals tell of, judged together (COMAR 36.05.02.17: 95 percent).

At that level one honest shuffle in twenty fails a single test, so the tests are adjusted for their number
(Holm). Passing says that these shoes show nothing, not that nothing is there: each test says how large an
excess it would have missed half of the time.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct, structs

from controller.facts import ShoeStarted
from controller.observations import CardDrawn, Observation, role
from controller.play.shuffle_watch import ShuffleWatch
from controller.shuffles.randomness import LEVEL, NEEDED, TESTS, ChiSquared, Dealt
from controller.views.disclosure import Item

#: A shoe counts when so much of its pack was read.
SHARE = 0.5


class Alarm(Struct, frozen=True, kw_only=True):
    """A shoe that was not shuffled at all, told after so many cards."""

    journal: str
    shoe: int
    cards: int
    reason: str


class Excluded(Struct, frozen=True, kw_only=True):
    """A shoe that does not count."""

    journal: str
    shoe: int
    reason: str


class Findings(Struct, frozen=True, kw_only=True):
    """`met`: every test passes at `level`; None: too few shoes to say, `needed` are enough."""

    level: float
    met: bool | None
    shoes: int
    needed: int
    cards: int
    tests: list[ChiSquared]
    alarms: list[Alarm]
    excluded: list[Excluded]


def dealt_shoes(items: Iterable[Item], journal: str = "") -> list[Dealt]:
    """The shoes that a journal's items tell of, each card in the order in which it left its shoe."""
    shoes: list[Dealt] = []
    cause: Observation | None = None
    before: CardDrawn | None = None
    for item in items:
        if isinstance(item, ShoeStarted):
            started = Dealt(item.shoe, item.decks or 0, item.pack, journal)
            if isinstance(cause, CardDrawn):
                # The card that begins a shoe is reported before its beginning is concluded.
                started.order.append(cause.card)
                if shoes:
                    shoes[-1].order.pop()
            shoes.append(started)
        elif isinstance(item, Observation):
            cause = item
            if isinstance(item, CardDrawn) and role(item) == "shoe" and item.slot != "burn_count":
                if shoes and not (before and _again(item, before)):
                    shoes[-1].order.append(item.card)
                before = item
    return shoes


def _again(now: CardDrawn, before: CardDrawn) -> bool:
    """The same card for the same slot: one piece of cardboard, reported twice."""
    same = (now.slot, now.index, now.card) == (before.slot, before.index, before.card)
    return same and now.index is not None


def fault(shoe: Dealt) -> str | None:
    """Why a shoe does not count."""
    if not shoe.decks:
        return "nobody said how many decks it held"
    if shoe.read < SHARE * shoe.cards:
        return f"only {shoe.read} of {shoe.cards} cards were read"
    copies = Counter(card for card in shoe.order if card is not None)
    card, most = copies.most_common(1)[0]
    if most > shoe.decks:
        return f"{card} was read {most} times, and its {shoe.decks} decks hold {shoe.decks}"
    return None


def examine(shoes: Sequence[Dealt]) -> Findings:
    """The tests over the shoes that count. `shoes`: of each journal in the order in which they were dealt."""
    faults = [fault(shoe) for shoe in shoes]
    counted = [shoe for shoe, reason in zip(shoes, faults, strict=True) if reason is None]
    tests = adjust([found for test in TESTS if (found := test(counted))])
    needed = max([NEEDED, *(test.needed for test in tests)])
    alarms = [alarm for shoe in counted if (alarm := _alarm(shoe))]
    failed = bool(alarms) or any(test.adjusted < 1 - LEVEL for test in tests)
    enough = len(tests) == len(TESTS) and len(counted) >= needed
    return Findings(
        level=LEVEL,
        met=False if failed else True if enough else None,
        shoes=len(counted),
        needed=needed,
        cards=sum(shoe.read for shoe in counted),
        tests=tests,
        alarms=alarms,
        excluded=[
            Excluded(journal=shoe.journal, shoe=shoe.shoe, reason=reason)
            for shoe, reason in zip(shoes, faults, strict=True)
            if reason
        ],
    )


def adjust(tests: list[ChiSquared]) -> list[ChiSquared]:
    """Holm: the smallest p counts as often as there are tests, the next one time less, and so on."""
    worst = 0.0
    adjusted = {}
    for at, test in enumerate(sorted(tests, key=lambda test: test.p)):
        worst = max(worst, min(1.0, test.p * (len(tests) - at)))
        adjusted[test.name] = worst
    return [structs.replace(test, adjusted=adjusted[test.name]) for test in tests]


def _alarm(shoe: Dealt) -> Alarm | None:
    watch = ShuffleWatch(shoe.decks)
    for count, card in enumerate(shoe.order, 1):
        if reason := watch.see(card):
            return Alarm(journal=shoe.journal, shoe=shoe.shoe, cards=count, reason=reason)
    return None
