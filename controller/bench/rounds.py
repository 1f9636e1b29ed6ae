"""Random legal rounds through the table beside the pure rules: the same results, no money made or lost."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from os import cpu_count
from random import Random

from msgspec import Struct, structs

from controller import facts
from controller.bench.measure import Figure
from controller.cards import HANDS, Card, Hand, pack
from controller.observations import (
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CutCardDrawn,
    DeviceResult,
    Observation,
    ResultConfirmed,
    ShoeLoaded,
    WagerPlaced,
)
from controller.play.boundaries import Boundaries
from controller.play.house import House
from controller.play.table import Table
from controller.rules.drawing import due
from controller.rules.outcome import Result, judge
from controller.rules.ruleset import Ruleset, burn_value, load_ruleset
from controller.rules.wagers import refusal, settle

ROUNDS = 1_000_000
DECKS = 8
#: Cards behind the cut card: enough for the round it comes in and for one more.
BEHIND = 14
BOUNDARIES: tuple[Boundaries, ...] = ("announced", "device", "first_card")
RULESETS = ("nj-mini-baccarat", "nj-mini-baccarat-no-vigorish", "macau", "france")


class Count(Struct, kw_only=True):
    """What was played. `faults`: where table and rules differ, or money was made or lost, in words."""

    rounds: int = 0
    irregularities: int = 0
    wagers: int = 0
    faults: list[str] = []


def measure(effort: float) -> Sequence[Figure]:
    """A million rounds, in as many processes as there are cores."""
    began = time.perf_counter()
    count = play_all(max(1000, int(ROUNDS * effort)), seed=1)
    spent = time.perf_counter() - began
    note = f"{count.rounds:,} rounds, {count.wagers:,} wagers, {count.rounds / spent:,.0f} rounds/s"
    return [
        Figure(
            name="random legal rounds: irregularities", value=count.irregularities, unit="", goal=0, note=note
        ),
        Figure(
            name="random legal rounds: table and rules differ, or money was made or lost",
            value=len(count.faults),
            unit="",
            goal=0,
            note="; ".join(count.faults[:3]),
        ),
    ]


def play_all(rounds: int, seed: int) -> Count:
    """Play at least so many rounds, whole shoes, over all boundaries and rulesets, on every core."""
    workers = cpu_count() or 1
    jobs = [(rounds // workers + 1, seed * 1000 + worker) for worker in range(workers)]
    total = Count()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for count in pool.map(_play_job, jobs):
            total.rounds += count.rounds
            total.irregularities += count.irregularities
            total.wagers += count.wagers
            total.faults += count.faults
    return total


def _play_job(job: tuple[int, int]) -> Count:
    rounds, seed = job
    return play(rounds, seed)


def play(rounds: int, seed: int) -> Count:
    """Whole shoes, one after another, until so many rounds were played."""
    random = Random(seed)
    count = Count()
    shoe = seed
    while count.rounds < rounds:
        ruleset = load_ruleset(RULESETS[shoe % len(RULESETS)])
        _Shoe(random, ruleset, BOUNDARIES[shoe % len(BOUNDARIES)], count).play()
        shoe += 1
    return count


class _Shoe:
    """One shoe at one table."""

    def __init__(self, random: Random, ruleset: Ruleset, boundaries: Boundaries, count: Count) -> None:
        self._random = random
        self._ruleset = ruleset
        self._boundaries = boundaries
        self._count = count
        self._table = Table(House(ruleset, DECKS, boundaries))
        self._cards = list(pack(DECKS))
        random.shuffle(self._cards)
        self._rounds_left: int | None = None
        self._told: list[facts.Fact] = []

    def play(self) -> None:
        """Burn, then rounds to the last."""
        self._say(ShoeLoaded(decks=DECKS))
        self._burn()
        while self._rounds_left is None or self._rounds_left > 0:
            self._cut(between=True)
            if self._rounds_left is not None:
                self._rounds_left -= 1
            self._round()
        self._count.irregularities += sum(isinstance(f, facts.IrregularityRaised) for f in self._told)

    def _burn(self) -> None:
        burn = self._ruleset.burn
        slots = self._boundaries != "first_card"
        if burn.policy == "first-card":
            first = self._cards.pop()
            self._say(CardDrawn(card=first, slot="first" if slots else None))
        for _ in range(burn_value(first) if burn.policy == "first-card" else burn.count or 0):
            self._say(CardDrawn(card=self._cards.pop(), slot="burn" if slots else None))

    def _cut(self, between: bool) -> None:
        """The cut card comes when it is its turn."""
        if self._rounds_left is None and len(self._cards) <= BEHIND:
            self._say(CutCardDrawn())
            self._rounds_left = 1 if between else self._ruleset.rounds_after_cut_card

    def _round(self) -> None:
        self._told = [f for f in self._told if isinstance(f, facts.IrregularityRaised)]
        stakes = list(self._stakes())
        if self._boundaries == "announced":
            self._say(BetsOpened())
        for stake in stakes:
            self._say(stake)
        if self._boundaries == "announced":
            self._say(BetsClosed())
        hands: dict[Hand, list[Card]] = {hand: [] for hand in HANDS}
        while (hand := due(hands["player"], hands["banker"], self._ruleset.draw).hand) is not None:
            card = self._cards.pop()
            hands[hand].append(card)
            slot = hand if self._boundaries == "device" else None
            self._say(CardDrawn(card=card, slot=slot, index=len(hands[hand]) if slot else None))
            if due(hands["player"], hands["banker"], self._ruleset.draw).hand is not None:
                self._cut(between=False)
        result = judge(hands["player"], hands["banker"])
        self._close(result)
        self._count.rounds += 1
        self._compare(result, stakes)

    def _close(self, result: Result) -> None:
        if self._boundaries == "announced":
            self._say(ResultConfirmed())
        if self._boundaries == "device":
            self._say(
                DeviceResult(
                    winner=result.winner,
                    player_pair=result.player_pair,
                    banker_pair=result.banker_pair,
                    forced_quit=False,
                )
            )

    def _stakes(self) -> Iterator[WagerPlaced]:
        """Some wagers; none where only the next round's first card closes a round, and with it the wagers."""
        if self._boundaries == "first_card":
            return
        for seat in range(1, self._random.randint(0, 3) + 1):
            wager = self._random.choice(list(self._ruleset.wagers))
            amount = f"{self._random.randint(1, 400) * 25 / 100:.2f}"
            if refusal(self._ruleset, wager, amount, ()) is None:
                yield WagerPlaced(seat=seat, wager=wager, amount=amount)

    def _say(self, event: Observation) -> None:
        self._told += self._table.apply(event)  # type: ignore[arg-type]

    def _compare(self, result: Result, stakes: Sequence[WagerPlaced]) -> None:
        decided = [f for f in self._told if isinstance(f, facts.RoundDecided)]
        wanted = structs.asdict(result)
        if [{name: getattr(f, name) for name in wanted} for f in decided] != [wanted]:
            self._count.faults.append(f"decided {decided}, and the rules give {result}")
        lines = [f for f in self._told if isinstance(f, facts.WagerSettled)]
        rules = [settle(self._ruleset, result, s.wager, s.amount, s.seat) for s in stakes]
        if sorted(lines, key=repr) != sorted(rules, key=repr):
            self._count.faults.append(f"settled {lines}, and the rules give {rules}")
        self._count.wagers += len(lines)
        if made := _made(stakes, lines):
            self._count.faults.append(f"{made} of money appeared: {lines}")


def _made(stakes: Sequence[WagerPlaced], lines: Sequence[facts.WagerSettled]) -> Fraction:
    """What players and house hold together afterwards beyond what they held before; 0 is right."""
    staked = sum((Fraction(s.amount) for s in stakes), Fraction(0))
    players = house = Fraction(0)
    for line in lines:
        stake, pays, charge = Fraction(line.amount), Fraction(line.pays), Fraction(line.vigorish)
        players += (0 if line.outcome == "lose" else stake + pays) - charge
        house += (stake if line.outcome == "lose" else -pays) + charge
    return players + house - staked
