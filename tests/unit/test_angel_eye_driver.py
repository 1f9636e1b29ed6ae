"""The Angel Eye driver over time: silence, a lost link, a restarted service, the answers it owes."""

import pytest

from controller.observations import (
    CardDrawn,
    DeviceStandby,
    FrameRejected,
    LinkLost,
    LinkRestored,
    SequenceGap,
)
from controller.ports import Ended, Lost, Received, Restored, Resumed, Silence, find_driver, observe
from drivers.shoes.angel_eye.codec import Report
from drivers.shoes.angel_eye.driver import AngelEyeDriver
from drivers.shoes.angel_eye.meaning import spell
from drivers.shoes.angel_eye.settings import Settings


def card(number, name="8S", index=1, slot="player"):
    return Report(str(number), *spell(CardDrawn(card=name, slot=slot, index=index))).raw


def kinds(observations):
    return [type(one) for one in observations]


ONE, TWO, THREE = card(1), card(2, "5C"), card(3, "KH")


# -- silence ----------------------------------------------------------------------------------------------


def test_nothing_held_nothing_awaited():
    driver = AngelEyeDriver()
    driver.apply(Restored(at=1.0))
    driver.apply(Received(at=2.0, data=ONE))
    assert driver.deadline() is None


def test_an_unfinished_frame_is_given_up_a_second_after_it_began():
    driver = AngelEyeDriver()
    driver.apply(Received(at=10.0, data=ONE[:3]))
    driver.apply(Received(at=10.6, data=ONE[3:4]))
    assert driver.deadline() == 11.0
    assert driver.apply(Silence(at=10.9)) == []
    assert driver.apply(Silence(at=11.0)) == [FrameRejected(at=11.0, reason="garbage", raw="05314481")]
    assert driver.deadline() is None


def test_garbage_ends_after_a_second_of_silence():
    driver = AngelEyeDriver()
    driver.apply(Received(at=10.0, data=b"ab"))
    driver.apply(Received(at=10.8, data=b"c"))
    assert driver.deadline() == 11.8
    assert driver.apply(Silence(at=11.8)) == [FrameRejected(at=11.8, reason="garbage", raw="616263")]


def test_a_refusal_without_its_code_does_not_swallow_a_later_report():
    driver = AngelEyeDriver()
    driver.apply(Received(at=1.0, data=b"\x15"))
    seen = driver.apply(Received(at=2.5, data=ONE))
    assert kinds(seen) == [FrameRejected, CardDrawn]


def test_a_finished_frame_before_an_unfinished_one_starts_its_patience_anew():
    driver = AngelEyeDriver()
    driver.apply(Received(at=1.0, data=ONE[:4]))
    driver.apply(Received(at=1.5, data=ONE[4:] + TWO[:3]))
    assert driver.deadline() == 2.5


def test_a_capture_has_no_deadline():
    driver = AngelEyeDriver()
    driver.apply(Received(data=ONE[:4]))
    assert driver.deadline() is None
    assert driver.apply(Ended()) == [FrameRejected(reason="garbage", raw="05314481")]


# -- the link ---------------------------------------------------------------------------------------------


def test_the_first_opening_is_no_restoration():
    assert AngelEyeDriver().apply(Restored(at=1.0)) == []


def test_a_lost_link_ends_a_frame_and_clears_the_memory():
    driver = AngelEyeDriver()
    signals = [
        Restored(at=0.0),
        Received(at=1.0, data=ONE + TWO[:5]),
        Lost(at=1.1),
        Restored(at=1.2),
        Received(at=1.3, data=ONE),
    ]
    seen = observe(driver, signals)
    assert kinds(seen) == [CardDrawn, FrameRejected, LinkLost, LinkRestored, CardDrawn]


def test_a_service_that_was_away_briefly_knows_copies_and_numbers():
    driver = AngelEyeDriver()
    observe(driver, [Restored(at=0.0), Received(at=10.0, data=ONE + TWO[:4])])
    assert driver.apply(Resumed(at=10.2)) == [FrameRejected(at=10.2, reason="garbage", raw="05324481")]
    assert driver.apply(Restored(at=10.3)) == []
    assert driver.apply(Received(at=10.4, data=ONE)) == []
    assert kinds(driver.apply(Received(at=11.0, data=THREE))) == [SequenceGap, CardDrawn]


@pytest.mark.parametrize("back", [15.1, 9.9, None], ids=["too late", "the clock went back", "no clock"])
def test_a_service_that_cannot_know_what_it_missed_says_so(back):
    driver = AngelEyeDriver()
    observe(driver, [Restored(at=0.0), Received(at=10.0, data=ONE)])
    assert kinds(driver.apply(Resumed(at=back))) == [LinkLost]
    assert kinds(driver.apply(Restored(at=20.0))) == [LinkRestored]
    assert kinds(driver.apply(Received(at=20.1, data=THREE))) == [CardDrawn]


def test_a_port_that_opens_late_after_a_quick_restart_counts_as_absence():
    driver = AngelEyeDriver()
    observe(driver, [Restored(at=0.0), Received(at=10.0, data=ONE)])
    assert driver.apply(Resumed(at=10.5)) == []
    assert driver.apply(Resumed(at=14.0)) == []
    assert kinds(driver.apply(Restored(at=16.0))) == [LinkLost, LinkRestored]


def test_a_restart_while_the_link_is_down_loses_it_only_once():
    driver = AngelEyeDriver()
    observe(driver, [Restored(at=0.0), Received(at=1.0, data=ONE), Lost(at=2.0)])
    assert driver.apply(Resumed(at=99.0)) == []
    assert kinds(driver.apply(Restored(at=100.0))) == [LinkRestored]


def test_a_restart_before_anything_was_heard_is_a_start():
    driver = AngelEyeDriver()
    assert observe(driver, [Resumed(at=5.0), Restored(at=50.0)]) == []


def test_resume_within_is_a_setting():
    driver = AngelEyeDriver(Settings(resume_within=30))
    observe(driver, [Restored(at=0.0), Received(at=10.0, data=ONE)])
    assert observe(driver, [Resumed(at=35.0), Restored(at=39.0)]) == []


# -- copies, times, answers -------------------------------------------------------------------------------


def test_a_number_that_comes_round_again_is_a_new_report():
    standby = Report("3", "P").raw
    driver = AngelEyeDriver()
    seen = observe(driver, [Received(at=1.0, data=standby), Received(at=90.0, data=standby)])
    assert kinds(seen) == [DeviceStandby, SequenceGap, DeviceStandby]


def test_the_duplicate_window_is_a_setting():
    driver = AngelEyeDriver(Settings(duplicate_window=0.1))
    seen = observe(driver, [Received(at=1.0, data=ONE), Received(at=1.2, data=ONE)])
    assert kinds(seen) == [CardDrawn, SequenceGap, CardDrawn]


def test_reports_are_acknowledged_only_where_the_configuration_says_so():
    silent, polite = AngelEyeDriver(), AngelEyeDriver(Settings(acknowledge=True))
    for driver in (silent, polite):
        driver.apply(Received(at=1.0, data=ONE + ONE + b"noise" + TWO))
    assert silent.outgoing() == b""
    assert polite.outgoing() == b"\x06\x06\x06"
    assert polite.outgoing() == b""


def test_the_spec_says_what_the_shoe_can_do():
    spec = find_driver("angel-eye")
    assert (spec.kind, spec.sequenced, spec.slots, spec.results) == ("shoe", True, True, True)
    assert spec.serial == {"baud": 4800}
    assert spec.settings()() == Settings()
    assert spec.probe is not None
    assert spec.probe(b"\x00" + ONE[3:] + ONE)
    assert not spec.probe(b"\x06\x15\x02" + ONE[:-1])


def test_a_restart_after_a_long_silence_that_was_listened_to_keeps_the_memory() -> None:
    driver = AngelEyeDriver()
    observe(driver, [Received(at=10.0, data=ONE)])
    assert driver.apply(Resumed(at=61.0, heard=60.5)) == []
    assert driver.apply(Restored(at=61.5)) == []


def test_a_restart_long_after_it_last_listened_forgets() -> None:
    driver = AngelEyeDriver()
    observe(driver, [Received(at=10.0, data=ONE)])
    assert kinds(driver.apply(Resumed(at=61.0, heard=50.0))) == [LinkLost]
