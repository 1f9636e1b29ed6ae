"""A table at a glance: what its stream says, folded; and the events themselves."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from playing import Play

from controller.observations import CardDrawn
from controller.outputs.pit.glance import (
    NOT_HEARD,
    QUIET,
    Glance,
    MeaningError,
    Tick,
    Told,
    heard,
    not_heard,
    read,
)
from controller.outputs.pit.sse import MOST, Events, Said, StreamError
from controller.outputs.web.feed import Feed, event
from controller.views.view import TableInfo

FRESH = Glance(name="192.0.2.1:8080", url="https://192.0.2.1:8080/pit")


def told(*raised: tuple[int, str], wait: bool = False, **more: Any) -> Told:
    """A state with irregularities: (id, severity)."""
    irregularities = [
        {"id": id, "code": f"code-{id}", "severity": severity, "round": 7, "detail": "as seen"}
        for id, severity in raised
    ]
    state = {"table": {"id": "MB-01", "name": "Table 1"}, "irregularities": irregularities, "wait": wait}
    return read(json.dumps(state | more).encode(), Told)


def test_the_state_of_a_real_table_is_understood() -> None:
    play = Play()
    feed = Feed(TableInfo(id="MB-01", name="Table 1"), "pit")
    feed.take(play.open())
    for card in ("9H", "KD", "KH", "3S", "4D"):
        feed.take(play.do(CardDrawn(card=card)))
    glance = heard(FRESH, read(feed.document(), Told), 5.0, whole=True)
    assert (glance.name, glance.reach, glance.rank, glance.play.wait) == ("Table 1", "up", 0, True)
    assert [(alarm.code, alarm.severity) for alarm in glance.alarms] == [("overdraw", "stop")]


@pytest.mark.parametrize(
    ("raised", "wait", "rank"),
    [
        ([], False, QUIET),
        ([], True, 0),
        ([(1, "warn")], False, 2),
        ([(1, "warn"), (2, "block")], False, 1),
        ([(1, "warn"), (2, "block"), (3, "stop")], True, 0),
        ([(1, "calamity")], False, 2),
    ],
)
def test_the_gravest_decides_the_place(raised: list[tuple[int, str]], wait: bool, rank: int) -> None:
    assert heard(FRESH, told(*raised, wait=wait), 0.0, whole=True).rank == rank


def test_an_alarm_keeps_its_time_until_it_is_answered() -> None:
    glance = heard(FRESH, told((1, "warn")), 10.0, whole=True)
    glance = heard(glance, told((1, "warn"), (2, "stop"), wait=True), 20.0, whole=False)
    assert [(a.id, a.since, a.earlier) for a in glance.alarms] == [(2, 20.0, False), (1, 10.0, True)]
    glance = heard(glance, told((1, "warn")), 30.0, whole=False)
    assert [(a.id, a.since) for a in glance.alarms] == [(1, 10.0)]
    # A record that was begun anew counts from one again.
    state = told((1, "warn"))
    other = structs.replace(state.irregularities[0], code="another")
    anew = heard(glance, structs.replace(state, irregularities=[other]), 40.0, whole=True)
    assert [(a.code, a.since) for a in anew.alarms] == [("another", 40.0)]


def test_a_table_that_is_not_heard_keeps_what_it_said_last() -> None:
    glance = heard(FRESH, told((1, "block"), round={"number": 3, "phase": "dealing"}), 10.0, whole=True)
    lost = not_heard(glance, "connection refused", 20.0)
    assert (lost.reach, lost.rank, lost.play) == ("lost", 1, glance.play)
    assert [(a.code, a.severity, a.since) for a in lost.alarms] == [
        (NOT_HEARD, "warn", 20.0),
        ("code-1", "block", 10.0),
    ]
    # It is one alarm, however often it is tried again.
    again = not_heard(lost, "it does not answer", 30.0, refused=True)
    assert (again.reach, again.alarms[0].since, again.alarms[0].detail) == (
        "refused",
        20.0,
        "it does not answer",
    )
    assert len(again.alarms) == 2
    back = heard(again, told((1, "block")), 40.0, whole=True)
    assert (back.reach, back.why, [a.id for a in back.alarms]) == ("up", "", [1])


def test_a_table_never_heard_stands_with_the_warnings() -> None:
    lost = not_heard(FRESH, "no route to host", 1.0)
    assert (lost.name, lost.rank) == ("192.0.2.1:8080", 2)


def test_a_name_of_the_consoles_own_goes_before_the_tables() -> None:
    assert heard(FRESH, told(), 0.0, whole=True, name="By the bar").name == "By the bar"


def test_what_a_newer_table_tells_besides_is_passed_over() -> None:
    state = told(
        weather="fine", devices={"shoe": {"device": "shoe", "state": "dozing", "fault": None, "x": 1}}
    )
    assert state.devices["shoe"].state == "dozing"


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"irregularities": 3}', b"\xff", b"[" * 100_000])
def test_other_words_are_said_to_be_so(data: bytes) -> None:
    with pytest.raises(MeaningError, match=r"it tells its state in other words: .*; update it or this"):
        read(data, Told)


@given(st.lists(st.integers(1, 40)), st.lists(st.sampled_from(["snapshot", "state", "tick", "round_opened"])))
def test_events_come_whole_however_they_are_cut(cuts: list[int], names: list[str]) -> None:
    sent = b"".join(event(name, {"n": n}, n if n % 2 else None) for n, name in enumerate(names))
    events, found = Events(), []
    for cut in [*cuts, len(sent)]:
        found += events.take(sent[:cut])
        sent = sent[cut:]
    assert found == [Said(name, b'{"n":%d}' % n) for n, name in enumerate(names)]


def test_an_event_without_end_is_refused() -> None:
    events = Events()
    with pytest.raises(StreamError, match="an event of more than"):
        for _ in range(MOST // 1024 + 2):
            events.take(b"x" * 1024)


def test_bytes_that_are_no_events_do_no_harm() -> None:
    assert Events().take(b"\xff\xfe\n\n: comment\n\n\n\ndata: x\n\n")[-1] == Said("message", b"x")
    assert read(b"{}", Tick).late is False
