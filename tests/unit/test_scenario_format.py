"""The format of scenarios: what each line means, and what is said of a line that cannot be read."""

from pathlib import Path

import pytest

from controller.observations import (
    BetsOpened,
    CardDrawn,
    DeviceFault,
    DeviceResult,
    ShuffleFinished,
    SupervisorCalled,
    WagerPlaced,
    WagerRemoved,
)
from controller.orders import Order
from controller.play.table import Table
from controller.ports import InputError
from controller.scenarios import find_scenario, parse_scenario
from controller.scenarios.acts import FORMS
from controller.scenarios.expectations import WRITTEN
from controller.scenarios.forms import written
from controller.scenarios.play import house_of, play

README = Path(__file__).parents[2] / "config" / "scenarios" / "README.md"
CLAIM = {"player_pair": False, "banker_pair": False, "forced_quit": False}


def parse(text):
    return parse_scenario(text, "x.deal")


def events(text):
    return [act.event for act in parse(text).acts]


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("bets opened", BetsOpened(at=0.0)),
        ("card TD", CardDrawn(at=0.0, card="TD")),
        ("card TD to burn", CardDrawn(at=0.0, card="TD", slot="burn")),
        ("card TD to banker 3", CardDrawn(at=0.0, card="TD", slot="banker", index=3)),
        ("card TD in error mode", CardDrawn(at=0.0, card="TD", mode="error")),
        ("unread card to player 2", CardDrawn(at=0.0, card=None, slot="player", index=2)),
        ("result tie", DeviceResult(at=0.0, winner="tie", **CLAIM)),
        ("result tie banker pair", DeviceResult(at=0.0, winner="tie", **CLAIM | {"banker_pair": True})),
        ("result quit", DeviceResult(at=0.0, winner=None, **CLAIM | {"forced_quit": True})),
        ("fault jam", DeviceFault(at=0.0, fault="jam", active=True)),
        (
            "fault jam cleared of shuffler-2",
            DeviceFault(at=0.0, fault="jam", active=False, device="shuffler-2"),
        ),
        ("supervisor called other she asks", SupervisorCalled(at=0.0, reason="other", note="she asks")),
        ("wager 3 tie 12.50", WagerPlaced(at=0.0, seat=3, wager="tie", amount="12.50")),
        (
            "wager 3 tie 5 verbal confirmed by ann,bob",
            WagerPlaced(at=0.0, seat=3, wager="tie", amount="5", kind="verbal", confirmed_by=["ann", "bob"]),
        ),
        ("wager 3 tie taken back", WagerRemoved(at=0.0, seat=3, wager="tie")),
        (
            "shuffle finished pack 7 count 415 missing 2C extra none",
            ShuffleFinished(at=0.0, device="shuffler", pack="7", count=415, missing=["2C"], extra=[]),
        ),
        ("order accept by pit", Order(at=0.0, order="accept", by="pit")),
        (
            "order resynchronise by pit player 2C,3D 4H banker none with ann because of a fall",
            Order(
                at=0.0,
                order="resynchronise",
                by="pit",
                player=["2C", "3D", "4H"],
                banker=[],
                confirmed_by="ann",
                reason="of a fall",
            ),
        ),
    ],
)
def test_an_act(text, event):
    assert events(text) == [event]


def test_acts_are_a_second_apart_and_a_pause_waits_longer():
    text = "bets opened ; bets closed\npause 5\n\ncards 2C 3D   # two of them\n"
    assert [event.at for event in events(text)] == [0.0, 1.0, 7.0, 8.0]


def test_what_closes_a_round_follows_from_the_acts_unless_it_is_said():
    assert parse("bets opened").boundaries == "announced"
    assert parse("card 2C\nresult tie").boundaries == "device"
    assert parse("card 2C").boundaries == "first_card"
    assert parse("boundaries device\ncard 2C").boundaries == "device"


def test_the_readme_shows_every_form_and_every_expectation():
    text = README.read_text()
    assert [form for form in map(written, (one.form for one in FORMS)) if form not in text] == []
    assert all(one.split(" (")[0].split(",")[0].split(" [")[0] in text for one in WRITTEN)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("card 1Z", "'1Z': a card is its rank A 2..9 T J Q K and its suit C D H S, as TD"),
        ("card 2C to dealer", "'dealer': a card goes to player, banker, first or burn"),
        ("card 2C to banker 7", "'7': a hand has the cards 1 to 3"),
        ("shoe loaded 99", "'99': a shoe has 1 to 12 decks"),
        ("wager 3 tie much", "'much': money is a number, as 25 or 12.50"),
        ("bets opned", "'bets opned' is no act; write bets opened, or bets closed"),
        ("hello", "'hello' is no act; one begins with bets, card, "),
        ("order leave by pit", "no order 'leave'; there are acknowledge, accept, "),
        ("order move_card by pit", "order move_card needs to: write order NAME by WHO "),
        ("order accept by pit card 2C", "order accept: 'card' is none of by, with, irregularity, because"),
        ("order identify_card by pit card 1Z", "'1Z': a card is its rank"),
        ("order", "write order NAME by WHO "),
        ("card 2C ;", "an act is missing; write it, or take the `;` or `->` away"),
        ("-> due player", "an act is missing"),
        ("card 2C -> due me", "no fact 'due'; expect one of: due player, "),
        ("card 2C ->", "nothing is expected; write one of: due player, "),
        ("card 2C -> irregularity overdrawn", "no irregularity 'overdrawn'; there are early-card, "),
        ("card 2C -> irregularity", "'irregularity': write irregularity CODE"),
        (
            "card 2C\nexpect round_decided winer=tie",
            "round_decided 'winer=tie': write FIELD=VALUE; its fields ",
        ),
        ("card 2C\nexpect round_decided winner=dealer", "'dealer': the winner is player, banker or tie"),
        ("card 2C\nexpect round_decided cards=many", "'many': cards: "),
        ("card 2C\nexpect card_dealt card=1Z", "'1Z': a card is its rank"),
        ("expect due player", "nothing has happened yet; write the acts first"),
        ("pause long", "pause 'long': write the seconds, as pause 5"),
        ("pause -1", "pause '-1': write the seconds, as pause 5"),
        ("ruleset nowhere", "no ruleset named 'nowhere'; name one of france, "),
        ("remedies nowhere", "no remedy pack named 'nowhere'; name one of france, "),
        ("boundaries none", "boundaries 'none': write one of announced, device, first_card"),
        ("decks 20", "decks '20': write a number from 1 to 12"),
        ("decks 6\ndecks 6", "decks is set twice; take one away"),
        ("card 2C\nruleset macau", "ruleset is of the house; write it above the first act"),
    ],
)
def test_a_line_that_cannot_be_read(text, says):
    with pytest.raises(InputError) as error:
        parse(text)
    (line,) = str(error.value).splitlines()
    assert line.startswith(f"x.deal, line {len(text.splitlines())}: {says}")


def test_every_faulty_line_is_named_at_once():
    with pytest.raises(InputError) as error:
        parse("# fine\ncard 1Z\ncard 2C\nhello")
    assert [line.split(": ")[0] for line in str(error.value).splitlines()] == [
        "x.deal, line 2",
        "x.deal, line 4",
    ]


def test_a_file_that_is_not_there_or_no_text(tmp_path):
    with pytest.raises(InputError, match="no such file or directory; name a readable file, or a scenario"):
        find_scenario("nowhere.deal")
    (tmp_path / "x.deal").write_bytes(b"\xff")
    with pytest.raises(InputError, match="not UTF-8 text; save it as UTF-8"):
        find_scenario(str(tmp_path / "x.deal"))


def unmet(text):
    scenario = parse("bets opened ; bets closed\n" + text)
    return [found for played in play(scenario, Table(house_of(scenario))) for found in played.unmet]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("card 2C -> due player", "banker is due"),
        ("cards 9C KD KH QS -> due player", "nobody is due"),
        ("card 2C -> held", "the round is not held"),
        ("link lost -> irregularity link-lost", "raised: nothing"),
        ("card 2C ; link lost -> not held", "the round is held"),
        ("card 2C ; link lost -> irregularity overdraw", "raised: link-lost"),
        ("card 2C ; link lost -> no irregularity", "it says irregularity_raised"),
        ("cards 9C KD KH QS 3C -> irregularity overdraw proposing accept", "proposed: burn_card, carry_card"),
        ("card 2C -> nothing", "it says card_dealt"),
        ("card 2C -> refused", "it says card_dealt"),
        ("card 2C -> no card_dealt", "it says card_dealt"),
        ("card 2C -> round_decided", "it says card_dealt"),
        ("card 2C -> card_dealt card=3C index=1", "it says card_dealt card=2C index=1"),
        (
            'card 2C ; link lost -> irregularity_raised detail="of, all"',
            "it says irregularity_raised detail=the shoe was not heard; cards may have gone by",
        ),
    ],
)
def test_what_does_not_come_is_told_with_what_came_instead(text, found):
    expected = text.split("-> ")[1]
    assert unmet(text) == [f"x.deal, line 2: expected {expected}, and {found}"]


def test_an_expectation_on_its_own_line_is_about_the_acts_above_it():
    assert unmet("card 2C\nexpect card_dealt card=2C\n\nexpect card_dealt card=3C") == [
        "x.deal, line 5: expected card_dealt card=3C, and it says card_dealt card=2C"
    ]


def test_an_irregularity_that_nothing_expects_is_known():
    scenario = parse("bets opened ; card 2C\norder burn_card by pit -> irregularity_resolved\nbets opened")
    unforeseen = [played.unforeseen for played in play(scenario, Table(house_of(scenario)))]
    assert unforeseen == [["early-card"], [], []]


def test_its_own_ruleset_is_meant_from_its_folder(tmp_path):
    shipped = Path(__file__).parents[2] / "config" / "rulesets" / "macau.toml"
    (tmp_path / "own.toml").write_text(shipped.read_text().replace('name = "macau"', 'name = "own"'))
    (tmp_path / "x.deal").write_text("ruleset own.toml\nbets opened")
    assert house_of(find_scenario(str(tmp_path / "x.deal"))).ruleset.name == "own"
