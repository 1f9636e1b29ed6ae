"""What the pages are told of a display, which says nothing itself, and of a shuffler, which always does."""

import json

import pytest

from controller.observations import DeviceFault, ShufflerState
from controller.ports import Lost, Restored, Resumed, find_driver
from controller.views.disclosure import Disclosure

NAMES = ("alpha-sign", "line-display", "lamps")


def display(name):
    spec = find_driver(name)
    return spec.driver(spec.settings()())


def told(driver, *signals):
    """Each signal's states of the device, as the dealer sees them."""
    view = Disclosure("dealer", "face-up")
    return [[fact.state for seen in driver.apply(signal) for fact in view.see(seen)] for signal in signals]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_there_once_its_port_has_opened(name):
    signals = (Restored(at=1.0), Lost(at=2.0), Restored(at=3.0))
    assert told(display(name), *signals) == [["ok"], ["lost"], ["ok"]]


@pytest.mark.parametrize("name", NAMES)
def test_after_a_restart_it_is_lost_until_its_port_opens(name):
    assert told(display(name), Resumed(at=1.0), Restored(at=2.0)) == [["lost"], ["ok"]]


@pytest.mark.parametrize("name", NAMES)
def test_one_that_goes_on_elsewhere_has_not_to_be_found_again(name):
    before, after = display(name), display(name)
    before.apply(Restored(at=1.0))
    after.remember(json.loads(json.dumps(before.memory())))
    assert told(after, Restored(at=2.0), Lost(at=3.0)) == [[], ["lost"]]


def test_a_shuffler_is_there_once_it_has_said_what_it_does():
    view = Disclosure("dealer", "face-up")
    reports = [
        ShufflerState(state="loading", device="shuffler"),
        ShufflerState(state="shuffling", progress=10, device="shuffler"),
        DeviceFault(fault="jam-exit", active=True, device="shuffler"),
        ShufflerState(state="jam", device="shuffler"),
    ]
    said = [[(fact.device, fact.state) for fact in view.see(one)] for one in reports]
    assert said == [[("shuffler", "ok")], [], [("shuffler", "fault")], []]
