"""A table at rest becomes data and comes back as it was; a core goes on from there as if never cut."""

import random
from typing import Any

import msgspec
import pytest
import virtual
from felt import RULES
from snapshot import freeze
from virtual import Life, dealt, rederive

from controller import observations as seen
from controller.cards import pack
from controller.facts import IrregularityRaised
from controller.journal.record import Entry, Tip, chained
from controller.orders import Event, Order
from controller.play.house import House
from controller.play.resting import Resting, resting, resumed
from controller.play.table import Table
from controller.ports import AnySignal, Lost, Received, Restored
from controller.rules.ruleset import parse_ruleset
from controller.runtime.core import Core
from controller.runtime.replaying import recover

HOUSE = House(RULES, boundaries="device", shuffler=True)


def again(table: Table, house: House = HOUSE) -> Table:
    rest = resting(table)
    assert rest is not None
    return resumed(house, msgspec.json.decode(msgspec.json.encode(rest), type=Resting))


def shoe_of(*events: Event) -> list[Event]:
    cards = list(pack(8))
    random.Random(4).shuffle(cards)
    return [seen.CardDrawn(card=card) for card in cards[:30]] + list(events)


BEFORE: dict[str, list[Event]] = {
    "link": [seen.LinkLost(at=3.0), seen.LinkRestored(at=5.5), seen.LinkLost(at=8.25)],
    "noise": [
        seen.FrameRejected(at=7.0, reason="garbage", raw="00"),
        seen.DeviceFault(fault="jam", active=True),
    ],
    "pace": [
        seen.DeviceStandby(at=2.0),
        seen.DeviceResult(at=2.5, winner="tie", player_pair=False, banker_pair=False, forced_quit=False),
        seen.DeviceStandby(at=4.0),
    ],
    "stakes": [
        seen.WagerPlaced(seat=3, wager="banker", amount="100"),
        seen.WagerPlaced(seat=4, wager="tie", amount="25"),
    ],
    "closed": [Order(order="close_table", by="ann")],
    "shuffles": [
        seen.ShuffleFinished(device="shuffler", pack="7", count=416, missing=[], extra=[]),
        seen.ShuffleFinished(device="shuffler", pack=None, count=415, missing=["2C"], extra=None),
    ],
    "warnings": [
        seen.SupervisorCalled(reason="other"),
        seen.DeviceFault(fault="order-disclosed", active=True),
    ],
}


@pytest.mark.parametrize("what", BEFORE)
def test_whatever_is_known_when_a_pack_is_loaded_is_known_again(what: str) -> None:
    table = Table(HOUSE)
    nothing = freeze(table)
    for event in BEFORE[what]:
        table.apply(event)
    assert freeze(table) != nothing
    table.apply(seen.ShoeLoaded(decks=6, pack="12"))
    assert freeze(again(table)) == freeze(table)


def test_all_of_it_at_once_and_two_shoes_before() -> None:
    table = Table(HOUSE)
    for number in range(3):
        table.apply(seen.ShoeLoaded(decks=8, pack=str(number)))
        for event in shoe_of(*(event for events in BEFORE.values() for event in events)):
            table.apply(event)
        if table.hold:
            table.apply(Order(order="void_round", by="ann"))
            table.apply(Order(order="accept", by="ann"))
    assert table.apply(seen.ShoeLoaded(decks=8, pack="9"))
    assert freeze(again(table)) == freeze(table)
    assert all(order for order in (resting(table) or pytest.fail()).shoe.dealt)


def test_vigorish_that_is_owed_and_stakes_that_are_not_paid_yet_are_carried_over() -> None:
    deferred = RULES.text.replace('collected = "each-round"', 'collected = "later"')
    house = House(parse_ruleset(deferred, "test"), boundaries="announced")
    table = Table(house)
    for event in (
        seen.ShoeLoaded(decks=8),
        seen.BetsOpened(),
        seen.WagerPlaced(seat=2, wager="banker", amount="75"),
        seen.BetsClosed(),
        *(seen.CardDrawn(card=card) for card in ("2C", "9D", "3H", "KS")),
        seen.ResultConfirmed(),
        Order(order="new_shoe", by="dan", decks=8),
    ):
        table.apply(event)
    assert table.layout.owed and table.layout.window == "frozen"
    assert freeze(again(table, house)) == freeze(table)


def test_an_irregularity_of_an_earlier_shoe_never_touches_a_round_of_this_one() -> None:
    table = Table(House(RULES, boundaries="announced"))
    for event in (
        seen.ShoeLoaded(decks=8),
        seen.BetsOpened(),
        seen.BetsClosed(),
        seen.WagerPlaced(seat=1, wager="tie", amount="25"),  # late
        *(seen.CardDrawn(card=card) for card in ("9C", "9D", "KH", "KS")),
        seen.ResultConfirmed(),
        seen.ShoeLoaded(decks=8),
        seen.BetsOpened(),
        seen.BetsClosed(),
        seen.CardDrawn(card="2C"),
    ):
        table.apply(event)
    (refused,) = table.apply(Order(order="void_round", by="ann", irregularity=2))
    assert "may not be changed any more" in refused.reason  # type: ignore[attr-defined]
    assert table.round.phase == "banker_1"


def test_a_table_is_not_at_rest_while_anything_is_under_way() -> None:
    table = Table(HOUSE)
    assert resting(table) is None
    table.apply(seen.ShoeLoaded(decks=8))
    assert resting(table)
    table.apply(seen.CardDrawn(card="2C", slot="player", index=1))
    assert resting(table) is None


# -- the whole core ---------------------------------------------------------------------------------------


def entries() -> list[Entry]:
    """Three shoes over a line that is lost now and then."""
    life = Life()
    signals: list[AnySignal] = []
    for number in range(3):
        shoe = dealt(seed=number, shoes=1)
        end = signals[-1].at if signals else 0.0
        assert end is not None
        later = [moved(signal, end + 60.0) for signal in shoe[1:]]
        signals += [Lost(at=end + 20.0), Restored(at=end + 30.0), *later]
    life.hear(*signals)
    return life.entries


def moved(signal: Any, seconds: float) -> AnySignal:
    return msgspec.structs.replace(signal, at=signal.at + seconds)  # type: ignore[no-any-return]


def test_a_core_goes_on_from_what_was_carried_over_and_gives_the_same() -> None:
    records = chained(Tip(0, bytes(32)), ((entry, "2025-03-01T10:00:00.000+00:00") for entry in entries()))
    carried = [record.seq for record in records if record.kind == "carried"]
    assert len(carried) == 2
    assert rederive(records) == []
    causes = [max(r.seq for r in records[:seq] if r.kind in ("signal", "input")) for seq in carried]
    whole = recover(records)
    for cause in causes:
        kept = records[cause - 1 :]
        assert rederive(kept) == []
        assert state(recover(kept)) == state(whole)


def state(core: Core) -> Any:
    memories = {name: driver.memory() for name, driver in core.drivers.items()}  # type: ignore[attr-defined]
    return freeze(core.table), memories, core._hold_lock.memory(), core._devices.lost, core.inputs


def test_a_record_carried_over_wrongly_is_named() -> None:
    records = chained(Tip(0, bytes(32)), ((entry, "2025-03-01T10:00:00.000+00:00") for entry in entries()))
    at = next(i for i, record in enumerate(records) if record.kind == "carried")
    body = records[at].body.replace(b'"number":2', b'"number":5', 1)
    assert body != records[at].body
    records[at] = msgspec.structs.replace(records[at], body=body)
    first = rederive(records)[0]
    assert first.seq == records[at].seq


def test_a_shoe_that_begins_in_the_middle_of_a_frame_is_not_cut_there() -> None:
    life = Life()
    life.hear(Restored(at=0.0))
    life.core.enter(seen.ShoeLoaded(decks=8))
    life.hear(Received(at=0.5, data=b"\x05"))
    derived = life.core.enter(seen.ShoeLoaded(decks=8))
    assert not [entry for entry in derived.entries if entry.kind == "carried"]
    assert not any(isinstance(item, IrregularityRaised) for _, item in derived.items)


def test_a_journal_of_before_is_derived_as_it_was_written() -> None:
    inputs = msgspec.structs.replace(virtual.inputs(), carries=False)
    core = Core()
    written = list(core.begin(inputs).entries)
    for decks in (8, 6):
        written += core.enter(seen.ShoeLoaded(decks=decks)).entries
    assert "carried" not in {entry.kind for entry in written}
    stamped = ((entry, "2025-03-01T10:00:00.000+00:00") for entry in written)
    assert rederive(chained(Tip(0, bytes(32)), stamped)) == []
