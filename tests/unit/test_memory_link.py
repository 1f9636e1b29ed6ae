"""The link in memory: the same signals as a port's, without a loop."""

from controller.ports import Lost, Received, Restored
from controller.runtime.clock import HandClock
from drivers.links import open_link


async def test_signals_and_bytes():
    clock, signals = HandClock(3.0), []
    link = open_link("memory:", clock=clock)
    assert not link.write(b"nobody is there yet")
    link.open(signals.append)
    link.deliver(b"card")
    clock.at = 4.0
    link.unplug()
    link.unplug()
    link.deliver(b"unheard")
    assert not link.write(b"lost")
    clock.at = 5.0
    link.plug()
    assert link.write(b"lock")
    assert link.take() == b"lock"
    assert link.take() == b""
    await link.close()
    link.deliver(b"unheard")
    assert signals == [Restored(at=3.0), Received(at=3.0, data=b"card"), Lost(at=4.0), Restored(at=5.0)]
