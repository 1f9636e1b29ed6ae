"""Incident reports: what they say of an evening, for which selection, and as which kind of document."""

import json
import re
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from controller.facts import Remedy
from controller.journal.reader import records
from controller.observations import BetsClosed, BetsOpened, CardDrawn, ResultConfirmed
from controller.orders import Order
from controller.play.answers import answers
from controller.play.irregularities import offered
from controller.ports import InputError
from controller.report.incident import Incident
from controller.report.page import render
from controller.report.select import Report, Selection, build, moment
from controller.rules.remedies import load_pack, propose
from tests.incidents import evening
from tests.recording import BEGAN, Recording


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evening(tmp_path_factory.mktemp("evening") / "journal.db")


@pytest.fixture(scope="module")
def whole(path: Path) -> Report:
    return build(records(path), Selection())


def by_code(report: Report) -> dict[str, Incident]:
    return {incident.code: incident for incident in report.incidents}


def only(path: Path) -> Incident:
    (incident,) = build(records(path), Selection()).incidents
    return incident


def cards(text: str) -> list[CardDrawn]:
    return [CardDrawn(card=card) for card in text.split()]


def table(tmp_path: Path) -> Recording:
    """A table whose dealer announces, in the first round of a shoe that needs no burn."""
    return Recording(tmp_path / "journal.db")


# -- one irregularity ---------------------------------------------------------------------------------------


def test_what_was_seen_and_who_decided(whole: Report) -> None:
    incident = by_code(whole)["wrong-slot"]
    assert (incident.id, incident.severity, incident.shoe, incident.round) == (2, "stop", 1, 1)
    assert incident.detail == "9H was given to player 3, and banker is due"
    assert incident.seen == "9H leaves the shoe for Player 3"
    assert incident.citation
    decision = incident.decision
    assert decision is not None
    assert (decision.order, decision.by, decision.confirmed_by) == ("move_card", "Ana Silva", "JD")
    assert decision.reason == "Player stands on seven; the nine is <Banker's>"
    assert incident.seconds == 42
    assert incident.answered is not None
    assert incident.raised.wall < incident.answered.wall


def test_cards_with_the_slot_due_and_the_slot_reported(whole: Report) -> None:
    rows = by_code(whole)["wrong-slot"].cards
    assert [(row.card, row.due, row.reported, row.became, row.raised) for row in rows] == [
        ("3C", "Player 1", "Player 1", "Player 1", False),
        ("2D", "Banker 1", "Banker 1", "Banker 1", False),
        ("4H", "Player 2", "Player 2", "Player 2", False),
        ("KS", "Banker 2", "Banker 2", "Banker 2", False),
        ("9H", "Banker 3", "Player 3", "held, then Banker 3", True),
    ]


def test_hands_and_result_before_and_after(whole: Report) -> None:
    incident = by_code(whole)["wrong-slot"]
    assert incident.before is not None and incident.after is not None
    assert (incident.before.banker, incident.before.banker_total) == (["2D", "KS"], 2)
    assert (incident.after.banker, incident.after.banker_total) == (["2D", "KS", "9H"], 1)
    assert (incident.after.player, incident.after.player_total) == (["3C", "4H"], 7)
    assert incident.result == "Player wins, Player 7, Banker 1"
    assert by_code(whole)["unread-card"].result == "void"
    assert by_code(whole)["reverse-movement"].result == "undecided"


def test_remarks_of_later_rounds_belong_to_it(whole: Report) -> None:
    incident = by_code(whole)["wrong-slot"]
    assert [(remark.by, remark.reason) for remark in incident.remarks] == [("JD", "camera 4 shows it all")]
    assert incident.timeline[-1].quote == "camera 4 shows it all"
    assert incident.orders == []


def test_refused_orders_are_told_with_their_reason(whole: Report) -> None:
    incident = by_code(whole)["overdraw"]
    assert [(o.order, o.by, o.reason, o.refused) for o in incident.orders] == [
        ("move_card", "KS", "it lay there", "no card is due")
    ]
    assert [row.became for row in incident.cards if row.raised] == ["held, then burned"]
    assert [row.due for row in incident.cards] == ["Player 1", "Banker 1", "Player 2", "Banker 2", "no card"]


def test_the_timeline_has_everything_in_order(whole: Report) -> None:
    lines = by_code(whole)["overdraw"].timeline
    assert [line.moment.seq for line in lines] == sorted(line.moment.seq for line in lines)
    assert {line.kind for line in lines} == {"seen", "concluded", "raised", "ordered", "answered"}
    order = next(line for line in lines if line.kind == "ordered" and "burn" in line.text)
    assert (order.who, order.text, order.quote) == ("Ana Silva", "order: burn card", "exposed by the dealer")


def test_raw_frames_around_the_event(whole: Report) -> None:
    frames = by_code(whole)["wrong-slot"].frames
    (cause,) = [frame for frame in frames if frame.raised]
    assert cause.hex == "05 36 44 83 C9 03 33 42"
    assert cause.text == "·6D···3B"
    assert cause.device == "shoe"
    assert [frame.hex[3:5] for frame in frames] == ["32", "33", "34", "35", "36", "37"]


def test_an_irregularity_that_nobody_answered(whole: Report) -> None:
    incident = by_code(whole)["reverse-movement"]
    assert (incident.decision, incident.answered, incident.seconds) == (None, None, None)
    assert whole.still_open == 1


def test_the_report_names_the_records_that_prove_it(path: Path, whole: Report) -> None:
    last = list(records(path))[-1]
    assert (whole.proof.first.seq, whole.proof.last.seq) == (1, last.seq)
    assert whole.proof.hash == last.hash.hex()
    assert (whole.table, whole.name, whole.software) == ("MB-01", "Mini-Baccarat 1", ["1.0"])


def test_software_that_was_changed_within_a_shoe_is_named_with_it_and_with_the_next(tmp_path: Path) -> None:
    a_round = (BetsOpened(), BetsClosed(), *cards("9C 3D KH 2S"), ResultConfirmed())
    recording = Recording(tmp_path / "journal.db")
    recording.enter(Order(order="new_shoe", by="A", decks=8), *a_round)
    recording.update("1.1")
    recording.enter(
        *a_round, Order(order="end_shoe", by="A"), Order(order="new_shoe", by="A", decks=8), *a_round
    )
    path = recording.close()
    shoes = {shoe: build(records(path), Selection(shoe=shoe)).software for shoe in (1, 2)}
    assert shoes == {1: ["1.0", "1.1"], 2: ["1.1"]}


# -- other courses of things --------------------------------------------------------------------------------


def test_a_card_between_rounds_that_is_carried(tmp_path: Path) -> None:
    recording = table(tmp_path)
    recording.enter(BetsOpened(), BetsClosed(), *cards("9C 3D KH 2S"), ResultConfirmed(), *cards("5D"))
    recording.enter(Order(order="carry_card", by="A"), BetsOpened(), BetsClosed(), *cards("4D"))
    incident = only(recording.close())
    assert (incident.code, incident.round, incident.before, incident.after) == (
        "early-card",
        None,
        None,
        None,
    )
    assert incident.result == "no round was open"
    assert incident.cards[-1].became == "held, then carried to the next round"
    assert incident.cards[-1].due == "no round open"


def test_cards_that_came_during_the_hold_are_evidence(tmp_path: Path) -> None:
    recording = table(tmp_path)
    recording.enter(BetsOpened(), BetsClosed(), *cards("9C 3D KH 2S 7D 8D"))
    recording.enter(Order(order="accept", by="A"), ResultConfirmed())
    incident = only(recording.close())
    assert [row.became for row in incident.cards[-2:]] == [
        "held, then belongs to no hand",
        "kept as evidence",
    ]


def test_a_correction_shows_the_hands_as_they_lie_now(tmp_path: Path) -> None:
    recording = table(tmp_path)
    recording.enter(BetsOpened(), BetsClosed(), *cards("2C 3D 3H 4S 5D"))
    recording.enter(CardDrawn(card="8D", slot="player", index=3))
    recording.enter(Order(order="correct_card", by="A", hand="player", index=3, card="8D", reason="misread"))
    incident = only(recording.close())
    assert incident.code == "card-conflict"
    assert incident.before is not None and incident.after is not None
    assert (incident.before.player_total, incident.after.player_total) == (0, 3)
    assert incident.after.player == ["2C", "3H", "8D"]


def test_stated_hands_replace_what_was_reported(tmp_path: Path) -> None:
    recording = table(tmp_path)
    recording.enter(BetsOpened(), BetsClosed(), *cards("2C 3D"), CardDrawn(card=None))
    recording.enter(Order(order="resynchronise", by="A", player=["2C", "7H"], banker=["3D"], reason="seen"))
    incident = only(recording.close())
    assert incident.after is not None
    assert (incident.after.player, incident.after.banker) == (["2C", "7H"], ["3D"])


def test_bets_that_are_still_open(tmp_path: Path) -> None:
    recording = table(tmp_path)
    recording.enter(BetsOpened(), *cards("2C"))
    (row,) = only(recording.close()).cards
    assert (row.due, row.reported, row.became) == ("bets are open", "not said", "held")


# -- selections ---------------------------------------------------------------------------------------------


def test_the_whole_journal(whole: Report) -> None:
    assert [incident.id for incident in whole.incidents] == [1, 2, 3, 4, 5]
    assert (whole.rounds, whole.cards, whole.shoes) == (2, 15, [1])
    assert whole.raised == dict.fromkeys(
        ["not-burned", "wrong-slot", "overdraw", "unread-card", "reverse-movement"], 1
    )


def test_one_number_one_shoe_one_span(path: Path) -> None:
    def ids(**wanted: Any) -> list[int]:
        return [incident.id for incident in build(records(path), Selection(**wanted)).incidents]

    assert ids(irregularity=4) == [4]
    assert ids(shoe=1) == [1, 2, 3, 4, 5]
    with pytest.raises(InputError, match="no shoe 2 there; it has 1 to 1"):
        ids(shoe=2)
    assert ids(begin=BEGAN + timedelta(seconds=60)) == [3, 4, 5]
    assert ids(begin=BEGAN + timedelta(seconds=60), end=BEGAN + timedelta(seconds=100)) == [3]
    assert ids(irregularity=3, shoe=1) == [3]


def test_a_span_counts_what_was_played_in_it(path: Path) -> None:
    report = build(records(path), Selection(begin=BEGAN + timedelta(seconds=60)))
    assert (report.rounds, report.cards) == (1, 10)
    assert report.about == "From 14 Mar 2026 20:01 UTC"


def test_an_answer_outside_the_span_still_counts(path: Path) -> None:
    report = build(records(path), Selection(end=BEGAN + timedelta(seconds=10)))
    assert [incident.decision is not None for incident in report.incidents] == [True, True]


def test_a_number_that_is_not_there(path: Path) -> None:
    with pytest.raises(InputError, match=r"^no irregularity 9 there; it has 1 to 5$"):
        build(records(path), Selection(irregularity=9))


def test_a_journal_without_records() -> None:
    with pytest.raises(InputError, match="the journal is empty"):
        build([], Selection())


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("2026-03-14", "2026-03-14T00:00:00+00:00"),
        ("2026-03-14T20:00", "2026-03-14T20:00:00+00:00"),
        ("2026-03-14T20:00:05-04:00", "2026-03-14T20:00:05-04:00"),
    ],
)
def test_times(text: str, means: str) -> None:
    assert moment(text, "--from").isoformat() == means


# -- the page -----------------------------------------------------------------------------------------------


class Tags(HTMLParser):
    """Every tag closed in order; what the attributes hold; the text."""

    VOID = ("meta", "br")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def one(report: Report, code: str, **changes: Any) -> Report:
    return structs.replace(report, incidents=[structs.replace(by_code(report)[code], **changes)])


def test_the_page_stands_alone(whole: Report) -> None:
    page = render(whole)
    tags = Tags(page)
    assert page.startswith("<!DOCTYPE html>")
    for word in ("http:", "https:", "url(", "@import", "<script", "<link", "<img", "src="):
        assert word not in page
    assert {value for name, value in tags.attributes if name == "href"} == {f"#i{n}" for n in range(1, 6)}


def test_the_page_says_what_the_report_says(whole: Report) -> None:
    text = Tags(render(one(whole, "wrong-slot"))).text
    for said in (
        "Incident report",
        "No. MB-01-2",
        "Wrong slot",
        "Round held",
        "shoe 1, round 1",
        "42.0 s",
        "was given to player 3, and banker is due",
        "Move card by Ana Silva, confirmed by JD",
        "Player wins, Player 7, Banker 1.",
        "held, then Banker 3",
        "05 36 44 83 C9 03 33 42",
        "camera 4 shows it all",
        "Surveillance",
        whole.proof.hash,
    ):
        assert said in text, said


def test_what_people_wrote_is_shown_as_they_wrote_it(whole: Report) -> None:
    """No markup of theirs takes effect, and initials such as KS or JD are no cards."""
    page = render(one(whole, "overdraw"))
    assert "by <b>KS</b>" in page
    assert "<b>KS</b>: order: move card" in page
    page = render(one(whole, "wrong-slot"))
    assert "&lt;Banker&#x27;s&gt;" in page and "<Banker" not in page
    assert "J♦" not in page
    assert '<span class="card red">9♥</span>' in page


def test_tens_are_written_out(whole: Report) -> None:
    assert '<span class="card red">10♦</span>' in render(one(whole, "overdraw", detail="TD was drawn"))


def test_no_rule_is_said_to_be_none(whole: Report) -> None:
    remedies = offered("unread-card", "stop")
    text = Tags(render(one(whole, "unread-card", remedies=remedies))).text
    assert "No rule proposes what is to be done." in text
    assert "Left to the supervisor: identify card, burn card" in text


def test_proposals_are_shown_with_condition_source_and_second_person(whole: Report) -> None:
    pack = load_pack("new-jersey", answers())
    remedies = propose(pack, "overdraw", frozenset({"held", "nothing-due"}), offered("overdraw", "stop"))
    text = Tags(render(one(whole, "overdraw", remedies=remedies))).text
    assert "Proposed: carry card if nobody at the table saw the card's face" in text
    assert "Proposed: burn card if people at the table saw the card's face" in text
    assert "N.J.A.C. 13:69F-7 (section on irregularities not available): recalled, no text read." in text
    assert "Orders that were possible as well: move card, accept" in text
    spanish = load_pack("spain-melilla", answers())
    remedies = propose(spanish, "early-card", frozenset({"held"}), offered("early-card", "stop"))
    text = Tags(render(one(whole, "overdraw", remedies=remedies))).text
    assert "Proposed: move card" in text and "text read; the rule also allows burn card." in text
    second = [
        Remedy(order="identify_card", citation="c", source="derived", proposed=True, says="s", second=True)
    ]
    assert "A second person confirms it." in Tags(render(one(whole, "overdraw", remedies=second))).text


def test_several_irregularities_have_a_cover(whole: Report) -> None:
    text = Tags(render(whole)).text
    assert "The whole journal" in text
    assert "5, 1 still open" in text
    assert "Void round, by Ana Silva" in text


def test_a_report_without_irregularities(path: Path) -> None:
    report = build(records(path), Selection(end=BEGAN))
    text = Tags(render(report)).text
    assert "Irregularitiesnone" in text


# -- the command --------------------------------------------------------------------------------------------


@pytest.fixture
def tablectl(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    from controller.cli import main

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["tablectl", *words])
        code = 0
        try:
            main()
        except SystemExit as left:
            code = int(left.code or 0)
        out, err = capfd.readouterr()
        return code, out, err

    return run


def test_for_a_person(tablectl: Any, path: Path) -> None:
    code, out, err = tablectl("report", str(path.parent))
    assert (code, err) == (0, "")
    assert out.startswith(
        "Mini-Baccarat 1 (MB-01), The whole journal: 2 rounds, 15 cards.\nRecorded by software 1.0.\n"
    )
    assert "2. Wrong slot (stop), shoe 1, round 1, 2026-03-14T20:00:08.000+00:00" in out
    assert "decided:  Burn card, by Ana Silva: exposed by the dealer (14.0 s)" in out
    assert "still open" in out


def test_for_a_program(tablectl: Any, path: Path) -> None:
    code, out, _ = tablectl("report", str(path), "--irregularity", "3", "--json")
    told = json.loads(out)
    assert code == 0
    assert [incident["code"] for incident in told["incidents"]] == ["overdraw"]
    assert told["incidents"][0]["decision"]["by"] == "Ana Silva"
    assert told["incidents"][0]["before"]["player"] == ["9C", "KH"]


def test_the_page_goes_into_a_file(tablectl: Any, path: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    code, out, err = tablectl("report", str(path), "--shoe", "1", "--html", str(file), "--json")
    assert (code, err) == (0, f"{file}: 5 irregularities\n")
    assert len(json.loads(out)["incidents"]) == 5
    assert re.search(r"<title>Incidents at MB-01: Shoe 1</title>", file.read_text("utf-8"))
    code, out, err = tablectl("report", str(path), "--shoe", "1", "--html", "-")
    assert (code, err, out.strip()) == (0, "", file.read_text("utf-8").strip())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--irregularity", "9"], "no irregularity 9 there; it has 1 to 5"),
        (["--from", "yesterday"], "--from 'yesterday': no time; write it as 2026-03-14T20:00, in UTC"),
        (["--to", "20:00"], "--to '20:00': no time"),
        (["--html", "/nowhere/at/all.html"], "--html /nowhere/at/all.html: no such file or directory"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(tablectl: Any, path: Path, words: list[str], says: str) -> None:
    code, out, err = tablectl("report", str(path), *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"tablectl: {says}") and err.count("\n") == 1


def test_a_spoilt_record_is_named(tablectl: Any, tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    path = evening(tmp_path / "journal.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE record SET body = CAST('{}' AS BLOB) WHERE seq = 20")
    code, _, err = tablectl("report", str(path))
    assert code == 2
    assert err.startswith(f"tablectl: {path}: content: record 20 is not as it was written")
    assert len(err.splitlines()) == 1
