"""One shoe of the campaign: dealt, heard, supervised and judged; in virtual time or over a real terminal."""

import asyncio
import contextlib
import tempfile
from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from controller import facts
from controller.observations import CardDrawn, Observation
from controller.orders import Order
from controller.ports import AnySignal, Silence
from controller.runtime.clock import Clock, HandClock, SteppingClock
from drivers.links import open_link, serve_link
from drivers.links.memory import MemoryLink
from drivers.shoes.acts import Quit, RoundDealt
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator
from drivers.testing.cases import Case
from drivers.testing.faulty import Faulty
from drivers.testing.judgement import Verdict, judge
from drivers.testing.supervisor import Supervisor
from drivers.testing.table_end import TableEnd

#: Seconds from the end of a round in which the shoe restarted until its game is broken off at its panel:
#: else it would call the next round's cards by the names of that one's.
QUIT_AFTER = 1.5
CARDS = 52
SPEED = 40.0  # of the clock at a real terminal
#: Real seconds from one look at it to the next: a shoe does not wait for its supervisor, so on a machine that
#: is late both must be.
STEP = 0.01
BACK_OFF = (0.02, 0.05)  # real seconds


class Outcome(Struct, frozen=True, kw_only=True):
    """What came of one shoe."""

    seed: int
    verdict: Verdict
    faults: dict[str, int]
    irregularities: dict[str, int]


class Trial:
    """The parts of one trial, put together. `write` takes the controller's bytes for the shoe."""

    def __init__(self, case: Case, write: Callable[[bytes], object], clock: Clock) -> None:
        self.truth: list[RoundDealt] = []
        self._case = case
        self._clock = clock
        self._drawn = 0
        self._restarts = 0
        self._shoe = AngelEyeSimulator(
            case.settings, line=case.line, ways=case.ways, log=self._happened,
            seed=case.seed, decks=case.decks, shoes=1,
        )  # fmt: skip
        self.device = Faulty(self._shoe, case.faults, case.seed)
        self.table = TableEnd(write, "angel-eye", case.settings.model_dump(), case.decks, clock.now())
        self.supervisor = Supervisor(self.table.core.table, self._order)

    def outcome(self) -> Outcome:
        """Count what is left in the shoe, and judge."""
        self.supervisor.end_shoe(self._case.decks * CARDS - self._drawn)
        raised = Counter(f.code for f in self.table.said if isinstance(f, facts.IrregularityRaised))
        return Outcome(
            seed=self._case.seed,
            verdict=judge(self.truth, self.table.said),
            faults=dict(self.device.injected),
            irregularities=dict(raised),
        )

    def _happened(self, event: Observation) -> None:
        match event:
            case CardDrawn():
                self._drawn += 1
            case RoundDealt():
                assert event.at is not None
                self.truth.append(event)
                self.supervisor.see(event, event.at)
                restarts = self.device.injected["reboot/report"]
                if restarts > self._restarts:
                    self._restarts = restarts
                    self._shoe.do(Quit(), event.at + QUIT_AFTER)

    def _order(self, order: Order) -> None:
        self.table.enter(order)


def virtual(case: Case) -> Outcome:
    """The trial in virtual time, over the memory link."""
    clock = HandClock()
    link = open_link("memory:", clock=clock)
    assert isinstance(link, MemoryLink)
    trial = Trial(case, link.write, clock)
    link.open(trial.table.hear)
    device, supervisor, plugged = trial.device, trial.supervisor, True
    device.advance(clock.at)
    while (due := device.next_at()) is not None or supervisor.due is not None:
        times = (due, supervisor.due, trial.table.deadline())
        clock.at = max(clock.at, min(time for time in times if time is not None))
        deadline = trial.table.deadline()
        if deadline is not None and deadline <= clock.at:
            trial.table.hear(Silence(at=clock.at))
        sent = device.advance(clock.at)
        if device.plugged and not plugged:
            link.plug()
        for data in sent:
            link.deliver(data)
        if plugged and not device.plugged:
            link.unplug()
        plugged = device.plugged
        if data := link.take():
            device.receive(data, clock.at)
        if supervisor.due is not None and supervisor.due <= clock.at:
            supervisor.answer()
    return trial.outcome()


async def terminal(case: Case) -> Outcome:
    """The trial over a real terminal, at `SPEED`."""
    clock, loop = SteppingClock(SPEED, STEP), asyncio.get_running_loop()
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        link = open_link(f"pty:{folder}/shoe", clock=clock, back_off=BACK_OFF)
        trial = Trial(case, link.write, clock)
        silence: asyncio.TimerHandle | None = None

        def hear(signal: AnySignal) -> None:
            nonlocal silence
            trial.table.hear(signal)
            if silence is not None:
                silence.cancel()
            if (deadline := trial.table.deadline()) is not None:
                delay = clock.real(max(0.0, deadline - clock.now()))
                silence = loop.call_later(delay, lambda: hear(Silence(at=clock.now())))

        async def supervise() -> None:
            while True:
                await asyncio.sleep(clock.real(0.1))
                now = clock.now()
                if trial.supervisor.due is not None and trial.supervisor.due <= now:
                    trial.supervisor.answer()

        link.open(hear)
        supervising = loop.create_task(supervise())
        try:
            await serve_link(trial.device, link.address, clock=clock, until_done=True)
        finally:
            supervising.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await supervising
            await link.close()
            if silence is not None:
                silence.cancel()
        return trial.outcome()
