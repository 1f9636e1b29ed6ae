"""Scenarios dealt from a simulated shoe, over a real terminal, through the real driver: the facts are those
of the scenario at a table alone.

The clock stands still until every byte that was written has been read: the run is the same on any machine.
"""

import asyncio
import contextlib
from math import inf

import pytest
from plugs import QUICK, SOON

from controller.observations import ShoeLoaded
from controller.play.table import Table
from controller.ports import Lost, Received, Restored, Silence, find_driver
from controller.runtime.clock import HandClock
from controller.scenarios import find_scenario, parse_scenario, shipped_scenarios
from controller.scenarios.play import house_of, play
from controller.scenarios.staging import act_out
from drivers.links import open_link
from drivers.links.address import parse
from drivers.links.ends import end_of
from drivers.testing.faulty import Faulty
from drivers.testing.virtual_table import VirtualTable


class Planned:
    """A session that begins at 0."""

    def __init__(self, device):
        self.unplug = device.unplug

    def now(self):
        return 0.0

    def wake(self):
        pass


class Wire:
    """A shoe, a terminal, a link and a table, in a time that only `run` moves."""

    def __init__(self, scenario, device, folder):
        spec = find_driver(device)
        shoe = spec.simulator(spec.settings()())
        self.device = Faulty(shoe)
        self.cannot = [act.text for act in act_out(scenario.acts, "shoe", shoe, Planned(self.device))]
        self.people = [
            act.event for act in scenario.acts if act.by != "shoe" or isinstance(act.event, ShoeLoaded)
        ]
        self.table = VirtualTable(
            None,
            device,
            ruleset=scenario.ruleset or "nj-mini-baccarat",
            remedies=scenario.remedies,
            boundaries=scenario.boundaries,
            dealing=scenario.dealing,
            decks=scenario.decks,
        )
        self.clock = HandClock()
        self.end = end_of(parse(f"pty:{folder}/shoe"))
        self.link = open_link(f"pty:{folder}/shoe", clock=self.clock, back_off=QUICK, **spec.serial)
        self.signals, self.sent, self.losses = [], 0, 0
        self.news = asyncio.Event()

    def hear(self, signal):
        self.signals.append(signal)
        self.table.signal(signal)
        self.news.set()

    async def until(self, condition):
        async with asyncio.timeout(SOON):
            while not condition():
                self.news.clear()
                await self.news.wait()

    def count(self, kind):
        return sum(isinstance(signal, kind) for signal in self.signals)

    async def run(self):
        await self.end.open(self.command)
        self.link.open(self.hear)
        try:
            await self.until(lambda: self.count(Restored))
            await self.deal()
        finally:
            await self.link.close()
            with contextlib.suppress(OSError):
                await self.end.close()
        return self.table.facts

    async def deal(self):
        plugged = True
        self.device.advance(0.0)
        while (at := min(self.next_times())) < inf:
            self.clock.at = max(self.clock.at, at)
            if (deadline := self.table.deadline()) is not None and deadline <= at:
                self.table.signal(Silence(at=at))
            data = b"".join(self.device.advance(at))
            if self.device.plugged and not plugged:
                await self.end.open(self.command)
                await self.until(lambda: self.count(Restored) > self.losses)
            if data:
                self.end.write(data)
                self.sent += len(data)
                await self.until(lambda: self.received == self.sent)
            if plugged and not self.device.plugged:
                self.losses += 1
                await self.end.close()
                await self.until(lambda: self.count(Lost) == self.losses)
            plugged = self.device.plugged
            while self.people and self.people[0].at <= at:
                self.table.enter(self.people.pop(0))

    def command(self, data):
        self.device.receive(data, self.clock.at)

    @property
    def received(self):
        return sum(len(signal.data) for signal in self.signals if isinstance(signal, Received))

    def next_times(self):
        for time in (self.device.next_at(), self.table.deadline()):
            yield inf if time is None else time
        yield self.people[0].at if self.people else inf


def facts_alone(scenario):
    return [fact for played in play(scenario, Table(house_of(scenario))) for fact in played.said]


async def facts_on_the_wire(scenario, device, folder):
    return await Wire(scenario, device, folder).run()


#: What an Angel Eye says otherwise than a scenario for a shoe that only says which cards it sees.
OTHERWISE = {
    "it names an overdraw and not its card": (
        "irregular-card-after-a-natural",
        "irregular-extra-card-seen",
        "irregular-extra-card-unseen",
        "irregular-extra-card-unseen-france",
        "order-carry-refused-at-the-end",
        "wager-number-of-cards",
    ),
    "it goes on with the hands as it has read them, whatever a supervisor says": (
        "irregular-card-before-no-more-bets",
        "irregular-card-face-up-in-the-shoe",
        "irregular-card-on-the-floor",
        "irregular-during-a-hold",
        "irregular-link-lost",
        "irregular-round-closed-too-soon",
        "irregular-wrong-hand-among-the-first-four",
        "order-correct-and-draw-on",
    ),
    "it burns a new pack by itself, and only where it saw one": (
        "order-new-shoe",
        "shoe-burn-forgotten",
        "shoe-burn-miscounted",
    ),
    "it has no words for that": ("irregular-shoe-opened",),
}
EXCEPT = {f"{name}.deal" for names in OTHERWISE.values() for name in names}
ANGEL_EYE = [name for name in shipped_scenarios() if name not in EXCEPT and not name.startswith("shuffler")]
BEE_TEK = [name for name in shipped_scenarios() if name.startswith("law")]


@pytest.mark.parametrize("name", ANGEL_EYE)
async def test_an_angel_eye_tells_the_same(name, tmp_path):
    scenario = find_scenario(name)
    assert await facts_on_the_wire(scenario, "angel-eye", tmp_path) == facts_alone(scenario)


@pytest.mark.parametrize("device", ["bee-tek-a", "bee-tek-b"])
@pytest.mark.parametrize("name", BEE_TEK)
async def test_a_bee_tek_tells_the_same(name, device, tmp_path):
    scenario = find_scenario(name)
    assert await facts_on_the_wire(scenario, device, tmp_path) == facts_alone(scenario)


async def test_an_angel_eye_raises_the_same_where_it_names_an_overdraw_without_its_card(tmp_path):
    scenario = find_scenario("irregular-card-after-a-natural.deal")
    raised = [f.code for f in await facts_on_the_wire(scenario, "angel-eye", tmp_path) if hasattr(f, "code")]
    assert raised == ["overdraw"]


async def test_a_link_that_goes_away_in_a_scenario_goes_away_on_the_wire(tmp_path):
    text = "boundaries device\ncard 2C ; card 9D\nlink lost\npause 3\nlink restored\ncard 3H"
    scenario = parse_scenario(text, "x.deal")
    wire = Wire(scenario, "angel-eye", tmp_path)
    codes = [fact.code for fact in await wire.run() if hasattr(fact, "code")]
    assert (codes, wire.count(Lost), wire.count(Restored)) == (["link-lost"], 1, 2)


def test_what_a_shoe_has_no_words_for_is_told(tmp_path):
    scenario = find_scenario("irregular-shoe-opened.deal")
    assert Wire(scenario, "angel-eye", tmp_path).cannot == [
        "fault shoe-opened",
        "fault jam",
        "fault shoe-opened",
    ]
