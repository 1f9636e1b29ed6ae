"""Whom to tell of what, and when: the decisions, with times by hand."""

from typing import Any

import msgspec
import pytest
from msgspec import structs

from controller.facts import IrregularityRaised, IrregularityResolved
from controller.outputs.alerts.cases import LISTED, Cases, Note
from controller.outputs.alerts.message import compose
from controller.outputs.alerts.settings import AlertSection
from controller.views.disclosure import DeviceState, PleaseWait
from controller.views.view import TableInfo


def target(name: str = "floor", **more: Any) -> AlertSection:
    return AlertSection.model_validate({"kind": "webhook", "name": name} | more)


def raised(number: int = 1, code: str = "overdraw", severity: Any = "stop") -> IrregularityRaised:
    return IrregularityRaised(
        id=number, code=code, round=3, severity=severity, detail="4S was drawn", citation=None, remedies=[]
    )


def resolved(number: int = 1) -> IrregularityResolved:
    return IrregularityResolved(id=number, remedy="burn_card", by="smith", reason="")


def said(notes: list[Note]) -> list[tuple[str, str]]:
    return [(note.target, note.kind) for note in notes]


@pytest.mark.parametrize("severity", ["stop", "block", "warn"])
def test_every_severity_is_told_at_once_by_default(severity: str) -> None:
    cases = Cases([target()])
    assert cases.see("pit", 7, raised(severity=severity), 100.0) == []
    assert said(cases.due(100.0)) == [("floor", "raised")]
    assert cases.due(100.0) == []
    assert said(cases.see("pit", 9, resolved(), 101.0)) == [("floor", "resolved")]
    assert cases.open == []


@pytest.mark.parametrize(
    ("severity", "who"),
    [("stop", ["floor", "pit"]), ("block", ["pit", "shift"]), ("warn", ["shift"])],
)
def test_severity_decides_who_is_told(severity: str, who: list[str]) -> None:
    cases = Cases(
        [
            target("floor", tell={"stop": 0}),
            target("pit", tell={"stop": 0, "block": 0}),
            target("shift", tell={"block": 0, "warn": 0}),
        ]
    )
    cases.see("pit", 7, raised(severity=severity), 100.0)
    assert said(cases.due(100.0)) == [(name, "raised") for name in who]
    assert said(cases.see("pit", 9, resolved(), 101.0)) == [(name, "resolved") for name in who]


def test_a_code_that_stops_in_a_round_and_warns_outside_is_two_cases() -> None:
    cases = Cases([target(tell={"stop": 0})])
    cases.see("pit", 1, raised(1, "jam", "warn"), 0.0)
    cases.see("pit", 2, raised(2, "jam", "stop"), 0.0)
    (note,) = cases.due(0.0)
    assert (note.case.level, note.case.ids) == ("stop", [2])
    assert cases.see("pit", 3, resolved(1), 1.0) == []
    assert said(cases.see("pit", 4, resolved(2), 1.0)) == [("floor", "resolved")]


def test_escalates_when_nobody_answers_in_time() -> None:
    cases = Cases(
        [target("floor", repeat={}), target("shift", tell={"stop": 300}), target("vault", tell={"stop": 900})]
    )
    cases.see("pit", 7, raised(), 100.0)
    assert said(cases.due(100.0)) == [("floor", "raised")]
    assert cases.next() == 400.0
    assert cases.due(399.9) == []
    assert said(cases.due(400.0)) == [("shift", "escalated")]
    assert cases.next() == 520.0  # the shift's own repetition
    assert said(cases.see("pit", 9, resolved(), 450.0)) == [("floor", "resolved"), ("shift", "resolved")]
    assert cases.next() is None
    assert cases.due(2000.0) == []


def test_answered_in_time_never_reaches_the_next_target() -> None:
    cases = Cases([target("floor"), target("shift", tell={"stop": 300})])
    cases.see("pit", 7, raised(), 100.0)
    cases.due(100.0)
    assert said(cases.see("pit", 9, resolved(), 399.0)) == [("floor", "resolved")]
    assert cases.due(400.0) == []


def test_a_first_word_that_may_take_its_time_is_no_escalation() -> None:
    cases = Cases([target("floor", tell={"stop": 60})])
    cases.see("pit", 7, raised(), 0.0)
    assert said(cases.due(60.0)) == [("floor", "raised")]


def test_repeats_while_nobody_answers() -> None:
    cases = Cases([target(repeat={"stop": 120})])
    cases.see("pit", 7, raised(), 0.0)
    assert [note.times for note in cases.due(0.0)] == [1]
    assert cases.due(119.0) == []
    assert [(note.kind, note.times) for note in cases.due(120.0)] == [("repeated", 2)]
    # A clock that was away for an hour makes one repetition due, not thirty.
    assert [(note.kind, note.times) for note in cases.due(3720.0)] == [("repeated", 3)]
    assert cases.due(3720.0) == []
    assert cases.next() == 3840.0


def test_a_warning_is_not_repeated_by_default() -> None:
    cases = Cases([target()])
    cases.see("pit", 7, raised(severity="warn"), 0.0)
    cases.due(0.0)
    assert cases.next() is None


def test_more_of_the_same_is_told_once_and_quietly() -> None:
    """Twenty times the same warning: the first at once, the rest in one message, all answered in one."""
    cases = Cases([target(quiet=60)])
    told = []
    for number in range(1, 21):
        cases.see("pit", number, raised(number, "button-misuse", "warn"), float(number))
        told += cases.due(float(number))
    assert said(told) == [("floor", "raised")]
    assert cases.next() == 61.0
    (note,) = cases.due(61.0)
    assert (note.kind, note.case.count, note.case.ids) == ("repeated", 20, list(range(1, 21)))
    assert cases.next() is None
    for number in range(1, 20):
        assert cases.see("pit", 100 + number, resolved(number), 70.0) == []
    (last,) = cases.see("pit", 120, resolved(20), 70.0)
    assert (last.kind, last.case.ids) == ("resolved", list(range(1, 21)))


def test_what_joined_a_case_is_named_when_it_is_answered_before_it_was_told() -> None:
    cases = Cases([target()])
    cases.see("pit", 1, raised(1, severity="warn"), 0.0)
    cases.due(0.0)
    cases.see("pit", 2, raised(2, severity="warn"), 1.0)
    cases.see("pit", 3, resolved(1), 2.0)
    (note,) = cases.see("pit", 4, resolved(2), 3.0)
    assert note.case.ids == [1, 2]


def test_the_same_again_after_an_answer_is_news() -> None:
    cases = Cases([target()])
    for number in (1, 2):
        cases.see("pit", number, raised(number, severity="warn"), 0.0)
        assert said(cases.due(0.0)) == [("floor", "raised")]
        assert said(cases.see("pit", number, resolved(number), 0.0)) == [("floor", "resolved")]


def test_a_case_that_nobody_ever_answers_stays_small() -> None:
    cases = Cases([target()])
    for number in range(1, 500):
        cases.see("pit", number, raised(number, severity="warn"), 0.0)
    (case,) = cases.open
    assert (case.count, len(case.ids), case.ids[-1]) == (499, LISTED, 499)


def test_a_target_may_not_care_for_answers() -> None:
    cases = Cases([target(answers=False)])
    cases.see("pit", 1, raised(), 0.0)
    cases.due(0.0)
    assert cases.see("pit", 2, resolved(), 0.0) == []


def test_each_audience_has_its_own_cases() -> None:
    cases = Cases([target("pit"), target("dealer", audience="dealer"), target("board", audience="board")])
    cases.see("pit", 1, raised(), 0.0)
    assert said(cases.due(0.0)) == [("pit", "raised")]
    cases.see("dealer", 1, raised(code="hold"), 0.0)
    cases.see("board", 1, PleaseWait(wait=True), 0.0)
    assert [(n.target, n.case.code) for n in cases.due(0.0)] == [("dealer", "hold"), ("board", "please-wait")]
    assert said(cases.see("board", 2, PleaseWait(wait=False), 1.0)) == [("board", "resolved")]
    assert [case.audience for case in cases.open] == ["pit", "dealer"]


def test_please_wait_is_no_case_beside_the_irregularity_itself() -> None:
    cases = Cases([target()])
    assert cases.see("pit", 1, PleaseWait(wait=True), 0.0) == []
    assert cases.open == []


def test_a_device_is_told_when_it_stays_lost() -> None:
    cases = Cases([target(tell={"device": 30})])
    for at in (0.0, 20.0):
        cases.see("pit", 1, DeviceState(device="sign", state="lost", fault=None), at)
        assert cases.due(at) == []
        assert cases.see("pit", 2, DeviceState(device="sign", state="ok", fault=None), at + 10) == []
    cases.see("pit", 3, DeviceState(device="sign", state="lost", fault=None), 100.0)
    cases.see("pit", 4, DeviceState(device="sign", state="fault", fault="jam"), 110.0)
    (note,) = cases.due(130.0)
    assert (note.kind, note.fact) == ("raised", DeviceState(device="sign", state="fault", fault="jam"))
    back = cases.see("pit", 5, DeviceState(device="sign", state="ok", fault=None), 131.0)
    assert said(back) == [("floor", "resolved")]


@pytest.mark.parametrize("device", ["shoe", "shuffler", "shuffler-2"])
def test_a_fault_that_is_an_irregularity_is_not_told_twice(device: str) -> None:
    cases = Cases([target(tell={"device": 0})])
    cases.see("pit", 1, DeviceState(device=device, state="fault", fault="jam"), 0.0)
    assert cases.due(0.0) == []
    cases.see("pit", 2, DeviceState(device=device, state="lost", fault=None), 0.0)
    assert said(cases.due(0.0)) == [("floor", "raised")]
    # Heard again, even if with a fault.
    back = cases.see("pit", 3, DeviceState(device=device, state="fault", fault="jam"), 1.0)
    assert said(back) == [("floor", "resolved")]


def test_two_irregularities_that_wait_have_their_own_times() -> None:
    cases = Cases([target("shift", tell={"stop": 300, "block": 600}, repeat={})])
    cases.see("pit", 1, raised(1, "shuffler-fault", "block"), 0.0)
    cases.see("pit", 2, raised(2), 100.0)
    assert cases.next() == 400.0
    assert [note.case.code for note in cases.due(600.0)] == ["shuffler-fault", "overdraw"]


def test_a_target_added_later_is_told_of_what_is_open() -> None:
    before = Cases([target("floor")])
    before.see("pit", 1, raised(), 0.0)
    before.due(0.0)
    after = Cases([target("floor"), target("surveillance")], before.open)
    assert said(after.due(10.0)) == [("surveillance", "escalated")]


def test_withdraws_what_was_told_and_nothing_else() -> None:
    cases = Cases([target("floor"), target("shift", tell={"stop": 300})])
    cases.see("pit", 1, raised(), 0.0)
    cases.due(0.0)
    assert said(cases.withdraw()) == [("floor", "withdrawn")]
    assert cases.open == []


def test_an_answer_to_what_was_never_open_is_no_news() -> None:
    assert Cases([target()]).see("pit", 1, resolved(9), 0.0) == []


def test_a_case_moves_with_a_clock_that_started_anew() -> None:
    cases = Cases([target(repeat={"stop": 120})])
    cases.see("pit", 1, raised(), 1000.0)
    cases.due(1000.0)
    (case,) = cases.open
    case.shift(-950.0)
    assert cases.next() == 170.0


def test_a_long_word_of_a_person_is_cut_short_in_the_sentence_and_whole_in_the_fact() -> None:
    """The sentence goes to phones; the reason of an order may be pages long, and have lines."""
    long = "he said\n\nthat " + "it was so " * 500
    cases = Cases([target()])
    called = structs.replace(raised(code="supervisor-called"), detail=long)
    cases.see("pit", 1, called, 0.0)
    told = cases.due(0.0) + cases.see("pit", 2, structs.replace(resolved(), reason=long), 1.0)
    letters = [compose(note, TableInfo(id="T", name="T"), b"key", 1.0, 1.0) for note in told]
    messages = [msgspec.json.decode(letter.body) for letter in letters]
    assert [len(one["text"]) < 250 and "\n" not in one["text"] for one in messages] == [True, True]
    assert [messages[0]["fact"]["detail"], messages[1]["fact"]["reason"]] == [long, long]
