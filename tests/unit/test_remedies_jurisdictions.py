"""The rows of the comparison of jurisdictions: the pack proposes the outcome of each, or has no rule.

The rows are tests/data/remedies/irregularities.csv; those without a code are in `WITHOUT_A_CODE`, with the
place that proves them.
"""

import csv
from collections import Counter
from pathlib import Path

import pytest

from controller.facts import Remedy
from controller.play.answers import answers
from controller.play.irregularities import CODES, offered
from controller.rules.remedies import Pack, load_pack, pack_names, propose
from controller.rules.situations import Circumstance

DATA = Path(__file__).parents[1] / "data/remedies/irregularities.csv"
ROWS = {row["id"]: row for row in csv.DictReader(DATA.open(encoding="utf-8"))}
CODED = {name: row["code"].split("; ") for name, row in ROWS.items() if row["code"]}
PACKS = {name: load_pack(name, answers()) for name in pack_names()}

#: jurisdiction of the comparison -> packs
PLACES = {
    "US-NJ (casino)": ["new-jersey"],
    "US-NJ (casino night)": ["new-jersey-casino-night"],
    "US-NJ / US-PA": ["new-jersey", "pennsylvania"],
    "US-PA": ["pennsylvania"],
    "US-MD": ["maryland"],
    "US-LA": ["louisiana"],
    "US-VA": ["virginia"],
    "US-NY": ["new-york"],
    "US-MA": ["massachusetts"],
    "Macau SAR": ["macau"],
    "France": ["france"],
    "Spain (Melilla)": ["spain-melilla"],
    "Australia NSW": ["new-south-wales"],
    "Australia NSW (Casino Control Act 1992 rules)": ["new-south-wales"],
    "Australia QLD": ["queensland"],
    "New Zealand": ["new-zealand"],
    "Operator: BetGames Bet-on-Baccarat": ["operator-betgames"],
    "Operator: hustlescasino.com": ["operator-hustler"],
    "Operator: Ezugi/Borgata live": ["operator-ezugi"],
    "Generic US procedure": ["us-procedure"],
}

STAYS = "player-stays banker-draws to-player"
#: (row, code, words of the situation, orders proposed in order; none: no rule, the supervisor decides)
OUTCOMES: list[tuple[str, str, str, str]] = [
    # New Jersey: the five texts settle the hands, what becomes of the card is recalled (U-NJ rows)
    ("NJ-01", "overdraw", "natural nothing-due face-unseen", "carry_card"),
    ("NJ-01", "overdraw", "natural nothing-due face-seen", "burn_card"),
    ("NJ-02", "wrong-slot", STAYS, "move_card"),
    ("NJ-02", "overdraw", "player-stays nothing-due to-player face-seen", "burn_card"),
    ("NJ-03", "wrong-slot", "player-draws to-banker", "move_card"),
    ("NJ-04", "overdraw", "nothing-due to-banker face-seen", "burn_card"),
    ("NJ-04", "underdraw", "banker-draws", "accept"),
    ("NJ-06", "early-card", "first-card", ""),
    ("NJ-07", "wrong-slot", "first-four to-banker", "move_card"),
    ("NJ-12", "late-wager", "first-card", "acknowledge"),
    ("NJ-13", "late-wager", "in-round", "acknowledge"),
    ("NJ-14", "overdraw", "nothing-due face-unseen", "carry_card"),
    ("NJ-18", "unverified-pack", "", "acknowledge"),
    ("NJ-19", "unshuffled-pack", "in-round", "end_shoe"),
    ("NJ-20", "unshuffled-pack", "in-round", "end_shoe"),
    ("NJ-21", "count-mismatch", "", ""),
    ("NJCN-01", "overdraw", "natural nothing-due face-unseen", ""),
    ("U-NJ-1", "wrong-slot", STAYS, "move_card"),
    ("U-NJ-1", "overdraw", "player-stays nothing-due to-player face-unseen", "carry_card"),
    ("U-NJ-1", "overdraw", "player-stays nothing-due to-player face-seen", "burn_card"),
    ("U-NJ-3", "overdraw", "nothing-due face-unseen", "carry_card"),
    ("U-NJ-4", "shoe-exhausted", "banker-draws", "void_round"),
    # Macau, France, Melilla
    ("MO-02", "not-burned", "", ""),
    ("MO-02", "burn-mismatch", "", ""),
    ("MO-04", "past-last-round", "", "end_shoe"),
    ("FR-01", "wrong-slot", "player-draws to-banker no-later-cards", "move_card"),
    ("FR-01", "wrong-slot", "player-draws to-banker later-cards", "void_round"),
    ("FR-01", "overdraw", "nothing-due", "burn_card"),
    ("FR-01", "underdraw", "player-draws no-later-cards", "accept"),
    ("FR-01", "underdraw", "player-draws later-cards", "void_round"),
    ("FR-02", "overdraw", "nothing-due face-unseen", "burn_card"),
    ("FR-02", "overdraw", "nothing-due face-seen", "burn_card"),
    ("FR-02", "wrong-slot", "player-draws to-banker later-cards", "void_round"),
    ("FR-03", "early-card", "first-card", "move_card"),
    ("FR-04", "past-last-round", "", "end_shoe"),
    ("FR-05", "not-burned", "", ""),
    ("FR-05", "burn-mismatch", "", ""),
    ("ES-01", "early-card", "first-card", "move_card"),
    ("ES-06", "wrong-slot", "first-four to-banker no-harm", "move_card"),
    ("ES-06", "wrong-slot", "first-four to-banker harm", "void_round"),
    ("ES-07", "wrong-slot", STAYS, "move_card"),
    ("ES-08", "wrong-slot", f"{STAYS} later-cards", "move_card"),
    ("ES-08", "overdraw", "nothing-due to-player", "burn_card"),
    ("ES-09", "overdraw", "player-stays nothing-due to-player", "burn_card"),
    # New South Wales
    ("AU-01", "shuffler-fault", "in-round no-harm spare undamaged", "acknowledge"),
    ("AU-02", "shuffler-fault", "in-round no-harm spare damaged", "acknowledge"),
    ("AU-03", "shuffler-fault", "in-round harm", "void_round"),
    ("AU-04", "shuffler-fault", "in-round no-harm no-spare", ""),
    ("U-AU-1", "not-burned", "", "acknowledge"),
    ("U-AU-2", "overdraw", "nothing-due face-unseen", "carry_card"),
    ("U-AU-2", "overdraw", "nothing-due face-unseen last-coup", ""),
    ("U-AU-3", "wrong-slot", "first-four to-banker", "move_card"),
    ("U-AU-5", "wrong-slot", STAYS, "move_card"),
    ("U-AU-5", "overdraw", "player-stays nothing-due to-player", "carry_card"),
    ("U-AU-6", "overdraw", "nothing-due to-banker", "carry_card"),
    ("U-AU-7", "wrong-slot", "player-draws to-banker", "move_card"),
    ("U-AU-9", "result-mismatch", "nothing-due clear", "accept"),
    ("U-AU-9", "result-mismatch", "nothing-due unclear", "void_round"),
    # other states
    ("PA-01", "overdraw", "nothing-due face-seen", "burn_card"),
    ("PA-01", "underdraw", "player-draws", "accept"),
    ("PA-05", "shuffler-fault", "", "acknowledge"),
    ("PA-05", "shuffler-count-mismatch", "", "acknowledge"),
    ("PA-05", "composition-mismatch", "", "acknowledge"),
    ("PA-06", "not-burned", "", ""),
    ("PA-06", "burn-mismatch", "", ""),
    ("PA-06", "past-last-round", "", "end_shoe"),
    ("U-PA-5", "shuffler-fault", "in-round", "acknowledge"),
    ("MD-01", "shuffler-count-mismatch", "", "acknowledge"),
    ("LA-01", "shuffler-fault", "", "acknowledge"),
    ("LA-01", "past-last-round", "", "end_shoe"),
    ("LA-02", "overdraw", "nothing-due", "burn_card"),
    ("LA-04", "count-mismatch", "", "end_shoe"),
    ("LA-04", "composition-mismatch", "", "acknowledge"),
    ("MA-01", "unverified-pack", "", "acknowledge"),
    ("NZ-02", "past-last-round", "", "end_shoe"),
    ("QLD-01", "wrong-slot", "first-four to-banker no-later-cards", "move_card"),
    ("QLD-01", "wrong-slot", "first-four to-banker later-cards", ""),
    # operators
    ("OP-01", "unread-card", "player-draws", "burn_card"),
    ("OP-01", "card-conflict", "in-round", "void_round"),
    ("OP-02", "wrong-slot", "first-four to-banker", "void_round"),
    ("OP-03", "wrong-slot", "player-draws to-banker", "void_round"),
    ("OP-06", "early-card", "first-card", "burn_card"),
    ("OP-07", "unread-card", "player-draws", "burn_card"),
    ("OP-09", "overdraw", "nothing-due face-seen", "burn_card"),
    ("OP-10", "not-burned", "", ""),
    ("OP-10", "burn-mismatch", "", ""),
    ("OP-11", "past-last-round", "", "end_shoe"),
]

#: rows whose outcome is among what the rule allows, not what it proposes
ALSO_ALLOWED = [
    ("ES-01", "early-card", "first-card", "burn_card"),
    ("AU-04", "shuffler-fault", "in-round no-harm no-spare", "void_round"),
    ("U-AU-7", "wrong-slot", "player-draws to-banker", "accept"),
    ("U-AU-7", "wrong-slot", "player-draws to-banker", "void_round"),
    ("FR-01", "wrong-slot", "player-draws to-banker no-later-cards", "void_round"),
    ("OP-01", "unread-card", "player-draws", "void_round"),
    ("MA-01", "unverified-pack", "", "end_shoe"),
]

#: rows whose text is of another game or names no fate for the card: the proposal is ours
OURS = {
    "NJ-01",
    "NJ-02",
    "NJ-03",
    "NJ-04",
    "NJ-07",
    "NJ-12",
    "NJ-13",
    "NJ-14",
    "PA-01",
    "PA-05",
    "NZ-02",
    "QLD-01",
}


def words(text: str) -> frozenset[Circumstance]:
    return frozenset(text.split())  # type: ignore[arg-type]


def lawful(code: str) -> list[Remedy]:
    if code not in CODES:
        return [Remedy(order="acknowledge", citation=None, source="derived", proposed=False)]
    gravity = CODES[code].gravity
    return offered(code, "stop" if gravity == "stop-in-round" else gravity)


def in_situation(pack: Pack, code: str, text: str) -> list[Remedy]:
    stops = code in CODES and CODES[code].gravity.startswith("stop")
    return propose(pack, code, words(text) | ({"held"} if stops else set()), lawful(code))


def packs_of(row: str) -> list[Pack]:
    return [PACKS[name] for name in PLACES[ROWS[row]["jurisdiction"]]]


@pytest.mark.parametrize(("row", "code", "text", "wanted"), OUTCOMES)
def test_pack_proposes_the_outcome_of_the_row(row: str, code: str, text: str, wanted: str) -> None:
    for pack in packs_of(row):
        if code not in pack.irregularities:
            # the shuffler's row of the two states is Pennsylvania's own
            continue
        told = in_situation(pack, code, text)
        proposed = [remedy for remedy in told if remedy.proposed]
        assert [remedy.order for remedy in proposed] == ([wanted] if wanted else [])
        assert told[: len(proposed)] == proposed
        assert all(remedy.given == [] and remedy.says and remedy.citation for remedy in proposed)
        if row not in OURS:
            assert all(remedy.source == ROWS[row]["status"] for remedy in proposed if row[:2] != "U-"), row


@pytest.mark.parametrize(("row", "code", "text", "wanted"), ALSO_ALLOWED)
def test_what_the_text_allows_comes_second_with_its_citation(
    row: str, code: str, text: str, wanted: str
) -> None:
    for pack in packs_of(row):
        told = {remedy.order: remedy for remedy in in_situation(pack, code, text)}
        assert not told[wanted].proposed
        assert told[wanted].citation


def test_every_row_with_a_code_is_tested_with_each_of_its_codes() -> None:
    tested = {(row, code) for row, code, _, _ in OUTCOMES}
    assert tested == {(row, code) for row, codes in CODED.items() for code in codes}
    assert len(ROWS) == 105


def test_every_jurisdiction_has_a_pack() -> None:
    assert set(PLACES) == {row["jurisdiction"] for row in ROWS.values()}
    assert {name for names in PLACES.values() for name in names} == set(PACKS)


def test_unverified_rows_stay_unverified() -> None:
    """Nothing recalled is proposed as if its text had been read."""
    for row, code, text, wanted in OUTCOMES:
        if wanted and ROWS[row]["status"] == "unverified":
            for pack in packs_of(row):
                if code in pack.irregularities:
                    assert in_situation(pack, code, text)[0].source == "unverified", row
                    assert any(one["rule"].split(".")[1] == code for one in pack.unverified)


#: row without a code -> where it is proved, or why it lies outside the controller
WITHOUT_A_CODE = {
    "NJ-05": "tests/unit/test_rules_drawing.py",
    "NJ-08": "tests/unit/test_disclosure.py",
    "NJ-09": "tests/unit/test_disclosure.py",
    "NJ-10": "tests/unit/test_rules_handling.py",
    "NJ-11": "tests/unit/test_rules_handling.py",
    "NJ-15": "tests/unit/test_rules_wagers.py",
    "NJ-16": "tests/unit/test_rules_wagers.py",
    "NJ-17": "outside: people confirm a spoken wager; the record has their names (`confirmed_by`)",
    "NJCN-02": "tests/unit/test_rules_ruleset.py",
    "NJCN-03": "tests/unit/test_rules_drawing.py",
    "NJCN-04": "tests/unit/test_rules_drawing.py",
    "NJCN-05": "tests/unit/test_rules_wagers.py",
    "NJCN-06": "tests/unit/test_rules_wagers.py",
    "MO-01": "supervisor-called",
    "MO-03": "tests/unit/test_rules_ruleset.py",
    "MO-05": "outside: the house may take a new shoe after any hand; the order is `new_shoe`",
    "MO-06": "outside: a continuous shuffler keeps no shoe to be counted",
    "MO-07": "outside: demonstration hands are dealt at a closed table",
    "MO-08": "tests/unit/test_rules_wagers.py",
    "FR-06": "outside: what the dealer says aloud",
    "FR-07": "outside: where the cards lie while wagers are paid",
    "FR-08": "outside: a patron who deals; at this table the house does",
    "FR-09": "tests/unit/test_rules_wagers.py",
    "ES-02": "supervisor-called",
    "ES-03": "supervisor-called",
    "ES-04": "supervisor-called",
    "ES-05": "supervisor-called",
    "AU-05": "outside: cards unfit for use are replaced by hand; the order is `new_shoe`",
    "AU-06": "outside: the dealer calls the supervisor (`player-touched`); no text read names a remedy",
    "AU-07": "tests/unit/test_play_layout.py",
    "PA-02": "tests/unit/test_rules_drawing.py",
    "PA-03": "tests/unit/test_rules_outcome.py",
    "PA-04": "outside: how a shoe is built; what it can report is `reverse-movement`",
    "MD-02": "outside: a cut that must be repeated before any card is dealt",
    "MD-03": "outside: a shuffle that a floorperson orders; the order is `new_shoe`",
    "MD-04": "tests/unit/test_shuffles.py",
    "LA-03": "outside: one flawed card is replaced by hand",
    "VA-01": "who is called",
    "NY-01": "tests/unit/test_rules_wagers.py",
    "NZ-01": "outside: which classes of shufflers there are",
    "OP-04": "supervisor-called",
    "OP-05": "supervisor-called",
    "OP-08": "outside: this house changes the shoe by the number of cards left, ours by the cut card",
    "U-NJ-2": "supervisor-called",
    "U-AU-4": "supervisor-called",
    "U-AU-8": "outside: a correction is refused from the next round's first card on",
}

CALLED: list[tuple[str, str, str]] = [
    ("MO-01", "exposed-card face-up-in-shoe", "accept"),
    ("ES-02", "exposed-card face-up-in-shoe", "resynchronise"),
    ("ES-03", "stuck-card", "void_round"),
    ("ES-04", "dropped-card", "accept"),
    ("ES-05", "exposed-card shown-in-dealing", "accept"),
    ("OP-04", "exposed-card face-up-in-shoe", "void_round"),
    ("OP-05", "dropped-card", "void_round"),
    ("U-NJ-2", "exposed-card face-up-in-shoe", "resynchronise"),
    ("U-AU-4", "exposed-card face-up-in-shoe first-card", "void_round"),
    ("U-AU-4", "exposed-card face-up-in-shoe in-round", "accept"),
]


def test_every_row_without_a_code_is_accounted_for() -> None:
    assert set(WITHOUT_A_CODE) == set(ROWS) - set(CODED)
    for place in WITHOUT_A_CODE.values():
        if place.startswith("tests/"):
            assert (Path(__file__).parents[2] / place).exists(), place
    assert {row for row, _, _ in CALLED} == {
        row for row, place in WITHOUT_A_CODE.items() if place == "supervisor-called"
    }


@pytest.mark.parametrize(("row", "text", "wanted"), CALLED)
def test_what_no_sensor_sees_is_answered_when_the_dealer_calls(row: str, text: str, wanted: str) -> None:
    for pack in packs_of(row):
        told = [r.order for r in in_situation(pack, "supervisor-called", f"{text} in-round") if r.proposed]
        assert told == [wanted]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("spain-melilla", {("resynchronise", "face-up-in-shoe"), ("accept", "shown-in-dealing")}),
        ("queensland", {("void_round", "shown-in-dealing")}),
        ("macau", {("accept", "face-up-in-shoe")}),
        ("new-jersey", {("resynchronise", "face-up-in-shoe")}),
        ("louisiana", {("resynchronise", "")}),
    ],
)
def test_a_card_face_up_in_the_shoe_is_not_one_that_the_dealer_showed(
    name: str, wanted: set[tuple[str, str]]
) -> None:
    """The dealer's call cannot tell them apart, and most texts know one of the two only."""
    told = in_situation(PACKS[name], "supervisor-called", "exposed-card in-round")
    assert {(r.order, " ".join(r.given)) for r in told if r.proposed} == wanted


@pytest.mark.parametrize("name", sorted(PACKS))
def test_proposals_come_first_and_every_lawful_order_is_there(name: str) -> None:
    for code in CODES:
        for text in ("", "natural nothing-due", STAYS, "first-four first-card", "last-coup nothing-due"):
            told = in_situation(PACKS[name], code, text)
            marks = [remedy.proposed for remedy in told]
            assert marks == sorted(marks, reverse=True)
            assert {remedy.order for remedy in lawful(code)} <= {remedy.order for remedy in told}
            open_ = Counter(remedy.order for remedy in told if not remedy.proposed)
            assert set(open_.values()) <= {1}


def test_who_is_called() -> None:
    """The supervisor is told with the proposal, by the titles that the jurisdiction uses."""
    told = {r.order: r.says for r in in_situation(PACKS["louisiana"], "count-mismatch", "")}
    assert told["end_shoe"].endswith(" Call: table games supervisor, pit manager or above, regulator.")
    told = {r.order: r.says for r in in_situation(PACKS["louisiana"], "overdraw", "nothing-due")}
    assert "Call:" not in told["burn_card"]
    virginia = PACKS["virginia"]
    assert virginia.call == ["floor"]
    assert virginia.people["floor"].note.startswith("one baccarat table, or three midibaccarat")
