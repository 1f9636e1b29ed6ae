"""An engineer is told why a port is not open: once for each reason, and not of one that is only opening."""

from controller.observations import DeviceStandby, FrameRejected
from controller.runtime.ports_watch import SETTLED, PortsWatch


class Port:
    """A link, as far as it is looked at."""

    def __init__(self, problem):
        self.address = "serial:/dev/shoe"
        self.problem = problem


def watched(*ports):
    """A watch over the ports, and what it logs."""
    logged = []
    links = dict(zip(("shoe", "sign"), ports, strict=False))
    return PortsWatch(links, lambda event, **fields: logged.append((event, fields))), logged


def test_a_reason_is_logged_once_it_has_settled_and_once_only():
    watch, logged = watched(Port("no such device"), Port(None))
    for now in (0.0, SETTLED / 2, SETTLED, 2 * SETTLED, 99.0):
        watch.look(now)
    assert logged == [
        (
            "port_not_open",
            {"device": "shoe", "link": "serial:/dev/shoe", "reason": "no such device"},
        )
    ]


def test_a_port_that_opens_in_time_is_not_worth_a_word():
    port = Port("not opened yet")
    watch, logged = watched(port)
    watch.look(0.0)
    port.problem = None
    watch.look(SETTLED)
    assert not logged


def test_another_reason_and_the_same_after_an_opening_are_told_anew():
    port = Port("no such device")
    watch, logged = watched(port)
    for begin, problem in (
        (0.0, "no such device"),
        (10.0, "permission denied"),
        (20.0, None),
        (30.0, "gone"),
    ):
        port.problem = problem
        watch.look(begin)
        watch.look(begin + SETTLED)
    assert [fields["reason"] for _, fields in logged] == ["no such device", "permission denied", "gone"]


def test_the_health_report():
    watch, _ = watched(Port("in use by another program"), Port(None))
    assert watch.report() == {"shoe": "in use by another program", "sign": "open"}


def test_a_link_that_explains_nothing_is_passed_over():
    watch, logged = watched(object())
    watch.look(0.0)
    watch.look(SETTLED)
    assert (logged, watch.report()) == ([], {})


def test_bytes_that_fit_no_frame_are_told_once_and_a_report_ends_it() -> None:
    told: list[str] = []
    watch = PortsWatch({}, lambda event, **_: told.append(event))
    noise = FrameRejected(reason="garbage", raw="FF" * 90)
    watch.hear("shoe", [noise, noise])
    assert told == []
    watch.hear("shoe", [noise, noise])
    assert told == ["no_frame_fits"]
    watch.hear("shoe", [DeviceStandby()])
    watch.hear("shoe", [noise])
    assert told == ["no_frame_fits"]
