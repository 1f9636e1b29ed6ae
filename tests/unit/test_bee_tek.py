"""Bee-Tek shoes, both dialects: every recorded case decodes the same however it is cut, and encodes back."""

import json
from pathlib import Path

import pytest
from text_devices import codec, codec_of, cut, plain, play

from controller.observations import CardDrawn, DeviceFault, FrameRejected
from controller.ports import Ended, Received, Silence, find_driver, observe
from drivers.shoes.acts import Blur, Fail, Load, Power, Pull
from drivers.text.driver import TextDriver
from drivers.text.simulator import Ways, Write

CASES = json.loads((Path(__file__).parents[1] / "data/wire/bee_tek.json").read_text())
CODECS = {name: codec_of(name) for name in ("bee-tek-a", "bee-tek-b")}


def named(cases):
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def decode(name, reads):
    return plain(observe(TextDriver(CODECS[name]), [*(Received(data=data) for data in reads), Ended()]))


def test_the_recorded_cases_are_all_there():
    assert len(CASES) == 52
    assert {case["protocol"] for case in CASES} == set(CODECS)


@named(CASES)
def test_whole(case):
    assert decode(case["protocol"], [bytes.fromhex(case["hex"])]) == case["observations"]


@named(CASES)
def test_byte_by_byte(case):
    assert decode(case["protocol"], [bytes([b]) for b in bytes.fromhex(case["hex"])]) == case["observations"]


@named(CASES)
def test_in_random_chunks(case):
    data = bytes.fromhex(case["hex"])
    for seed in range(10):
        assert decode(case["protocol"], cut(data, f"{case['name']}{seed}")) == case["observations"]


@named([case for case in CASES if "chunks" in case])
def test_each_observation_is_out_as_early_as_it_is_certain(case):
    driver, seen = TextDriver(CODECS[case["protocol"]]), []
    for chunk, emitted in zip(case["chunks"], case["emitted"], strict=True):
        seen += driver.apply(Received(data=bytes.fromhex(chunk)))
        assert len(seen) == emitted
    assert plain(seen + driver.apply(Ended())) == case["observations"]


@pytest.mark.parametrize("name", CODECS)
def test_the_52_lines_encode_to_their_own_bytes(name):
    case = next(case for case in CASES if case["protocol"] == name and "all" in case["name"])
    sent = [CODECS[name].say(CardDrawn(card=one["card"])) for one in case["observations"]]
    assert b"".join(sent) == bytes.fromhex(case["hex"])


def test_an_alarm_is_sent_as_the_shoe_words_it():
    say = CODECS["bee-tek-a"].say
    assert say(DeviceFault(fault="unreadable", active=True)) == b" [Game]<Alarm:E3 Card Not Read> "
    assert say(DeviceFault(fault="code-12", active=True)) == b" [Game]<Alarm:E12> "
    assert say(DeviceFault(fault="warning-31", active=True)) == b" <W0x1F> "
    assert say(DeviceFault(fault="unreadable", active=False)) is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"[Game]<Alarm:e3 card not read>", "unreadable"),
        (b"[GAMEALARM]<ALARM:E03>", "unreadable"),
        (b"[Game]<Alarm:E9 card NOT read>", "unreadable"),
        (b"[Game]<Alarm:Card Not Read>", "unreadable"),
        (b"[Game]<Alarm:E31>", "code-31"),
        (b"<w0x1f>", "warning-31"),
    ],
)
def test_alarms_and_warnings(text, fault):
    assert decode("bee-tek-a", [text]) == [{"type": "device_fault", "fault": fault, "active": True}]


@pytest.mark.parametrize(
    "text", [b"[Game]<Alarm:E>", b"[Game]<Alarm:Exx>", b"[GameAlarm]<Card:4S>", b"<W0x1>", b"<W0xGG>", b"<>"]
)
def test_what_the_rules_do_not_know_is_unknown(text):
    assert [one["reason"] for one in decode("bee-tek-a", [text])] == ["unknown"]


def test_an_echo_that_the_line_holds_back_is_still_one():
    driver = TextDriver(CODECS["bee-tek-a"])
    seen = driver.apply(Received(at=1.0, data=b" [Game]<Card:10H> 10H"))
    assert driver.deadline() == 2.0
    seen += driver.apply(Silence(at=2.0))
    assert plain(seen) == [{"type": "card_drawn", "card": "TH"}]


def test_a_house_s_shoe_that_writes_the_suit_first():
    own = TextDriver(codec('extends = "bee-tek-a"\n[card]\norder = "suit-rank"\n'))
    seen = observe(own, [Received(data=b"[Game]<Card:H3>[Game]<Card:S10>S10[Game]<Card:4S>")])
    assert [getattr(one, "card", None) for one in seen] == ["3H", "TS", None]


def test_a_house_that_deals_in_burn_mode():
    own = codec(
        'extends = "bee-tek-a"\n[message.burned_card]\n'
        'text = "[Manual Burn Cards]<Card:{card}>"\nmeans = "card_drawn"\n'
    )
    seen = observe(TextDriver(own), [Received(data=b"[Manual Burn Cards]<Card:KD>")])
    assert plain(seen) == [{"type": "card_drawn", "card": "KD"}]


@pytest.mark.parametrize(
    ("name", "line"), [("bee-tek-a", b" [Game]<Card:4S> "), ("bee-tek-b", b"*0D34DB\r\n")]
)
def test_a_port_is_the_shoe_after_an_intact_report(name, line):
    probe = find_driver(name).probe
    assert probe(b"noise" + line)
    assert not probe(line[:-3])
    assert not probe(b"\x05\x31\x44\x81\xb8\x034F")


def test_what_such_a_shoe_can_say():
    for name in CODECS:
        spec = find_driver(name)
        assert (spec.kind, spec.slots, spec.results, spec.sequenced) == ("shoe", False, False, False)
        assert spec.serial["baud"] == 9600


# -- simulated --------------------------------------------------------------------------------------------


def shoe(name="bee-tek-a", cards=("4S", "TH", "4S"), **options):
    spec = find_driver(name)
    made = spec.simulator(spec.settings()(), dealer=False, **options)
    made.do(Load(cards=cards, decks=1), 0.0)
    made.do(Power(), 1.0)
    return made


def sent(made):
    data = b""
    while (due := made.next_at()) is not None:
        data += b"".join(made.advance(due))
    return data


def pulled(made, count=3):
    for number in range(count):
        made.do(Pull(slot="player", index=1), 2.0 + number)
    return made


@pytest.mark.parametrize(
    ("ways", "data"),
    [
        (Ways(), b" [Game]<Card:4S>  [Game]<Card:TH> "),
        (Ways(blanks=0), b"[Game]<Card:4S>[Game]<Card:TH>"),
        (Ways(echo=1), b" [Game]<Card:4S> 4S [Game]<Card:TH> TH"),
        (Ways(echo=2, blanks=2), b"  [Game]<Card:4S>  4S4S  [Game]<Card:TH>  THTH"),
        (Ways(lower=True), b" [game]<card:4s>  [game]<card:th> "),
        (Ways(unended=True), b" [Game]<Card:4S  [Game]<Card:TH "),
    ],
)
def test_ways_of_writing(ways, data):
    assert sent(pulled(shoe(ways=ways), 2)) == data


def test_a_card_that_was_not_read_and_an_alarm():
    made = shoe()
    made.do(Blur(), 2.0)
    made.do(Pull(), 3.0)
    made.do(Pull(slot="burn"), 4.0)
    made.do(Fail(fault="unreadable"), 5.0)
    made.do(Write(data=b"[Game]<Shuf"), 6.0)
    seen = play(made, TextDriver(CODECS["bee-tek-a"]))
    assert plain(seen) == [
        {"type": "card_drawn", "card": None},
        {"type": "card_drawn", "card": "TH", "slot": "burn"},
        {"type": "device_fault", "fault": "unreadable", "active": True},
        {"type": "frame_rejected", "reason": "garbage", "raw": b"[Game]<Shuf".hex().upper()},
    ]
    assert [one.card for one in made.truth if isinstance(one, CardDrawn)] == ["4S", "TH"]


def test_two_equal_reports_are_two_cards():
    made = shoe("bee-tek-b", cards=("4S", "4S"))
    seen = play(pulled(made, 2), TextDriver(CODECS["bee-tek-b"]))
    assert [one.card for one in seen] == ["4S", "4S"]


def test_switched_off_it_says_nothing():
    made = shoe()
    made.do(Power(on=False), 2.0)
    made.do(Pull(), 3.0)
    assert sent(made) == b""


def test_a_restart_keeps_the_pack():
    made = shoe()
    made.do(Pull(), 2.0)
    made.advance(2.5)
    made.restart(2.5)
    made.do(Pull(), 4.0)
    seen = play(made, TextDriver(CODECS["bee-tek-a"]))
    assert [one.card for one in seen] == ["TH"]


def test_a_damaged_line_is_rejected_with_its_bytes():
    made = shoe("bee-tek-b")
    made.do(Write(data=b"*0D21D8\r\n"), 2.0)
    seen = play(made, TextDriver(CODECS["bee-tek-b"]))
    assert seen == [FrameRejected(at=2.0, reason="checksum", raw=b"*0D21D8\r\n".hex().upper())]
