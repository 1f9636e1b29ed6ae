"""Invented devices, each unlike the others, in both roles: what one plays the other observes, and a profile
that is changed anywhere is refused in plain lines or works.
"""

import copy
import re
import tomllib
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text_devices import codec, codec_of, cut, play

from controller.observations import (
    CardDrawn,
    CommandSettled,
    CutCardDrawn,
    FrameRejected,
    ShuffleFinished,
    ShufflerState,
    WagerPlaced,
    WagerRemoved,
)
from controller.ports import (
    Commanded,
    ConfigurationError,
    Ended,
    Received,
    Restored,
    find_driver,
    observe,
    profile_driver,
)
from drivers.shufflers.acts import Insert, Offer, PackHandedOver
from drivers.shufflers.text import TextShuffler
from drivers.text.check import parse_profile, shipped_profile
from drivers.text.driver import TextDriver

INVENTED = Path(__file__).parents[1] / "data/devices"
TEXTS = {path.stem: path.read_text("utf-8") for path in INVENTED.glob("*.toml")}
SHIPPED = ("bee-tek-a", "bee-tek-b", "open-shuffler", "open-bet-sensor", "line-display", "lamps")
seeds = st.integers(0, 2**32)


def simulated(name, **options):
    spec = profile_driver(TEXTS[name], f"{name}.toml")
    settings = spec.settings()()
    return spec.simulator(settings, **options), spec.driver(settings)


@settings(max_examples=15)
@given(st.sampled_from(["column-shoe", "tagged-shoe", "utf8-shoe"]), seeds)
def test_a_shoe_s_cards_are_those_that_it_dealt(name, seed):
    shoe, host = simulated(name, seed=seed, decks=2, shoes=1)
    seen = play(shoe, host)
    dealt = [one for one in shoe.truth if isinstance(one, CardDrawn | CutCardDrawn)]
    heard = [one for one in seen if isinstance(one, CardDrawn | CutCardDrawn)]
    assert [getattr(one, "card", None) for one in heard] == [getattr(one, "card", None) for one in dealt]
    if name == "tagged-shoe":
        assert [getattr(one, "slot", None) for one in heard] == [getattr(one, "slot", None) for one in dealt]
    assert not [one for one in seen if isinstance(one, FrameRejected)]


@settings(max_examples=15)
@given(seeds, st.integers(0, 2**16))
def test_a_layout_s_wagers_are_those_that_were_placed(seed, cuts):
    layout, host = simulated("rfid-layout", seed=seed, rounds=2)
    sent = b""
    while (due := layout.next_at()) is not None:
        sent += b"".join(layout.advance(due))
    seen = observe(host, [*(Received(data=data) for data in cut(sent, cuts)), Ended()])
    told = [_wager(one) for one in seen if isinstance(one, WagerPlaced | WagerRemoved)]
    assert told == [_wager(one) for one in layout.truth]
    assert not [one for one in seen if isinstance(one, FrameRejected)]


def _wager(one):
    return one.seat, one.wager, None if one.amount is None else Decimal(one.amount)


@settings(max_examples=10)
@given(seeds)
def test_a_shuffler_obeys_and_its_packs_are_known_but_not_their_order(seed):
    unit, host = simulated("byte-shuffler", seed=seed, decks=1, attendant=False)
    unit.do(Insert(), 0.0)
    unit.do(Offer(), 40.0)
    seen = host.apply(Restored(at=0.0)) + play(unit, host, until=1.0)
    for at, command in ((1.0, "shuffle"), (30.0, "eject"), (31.0, "shuffle"), (50.0, "state")):
        seen += play(unit, host, until=at) + host.apply(Commanded(at=at, command=command, by="eng"))
        unit.receive(host.outgoing(), at)
    seen += play(unit, host, until=60.0)
    outcomes = [(one.outcome, one.code) for one in seen if isinstance(one, CommandSettled)]
    assert outcomes == [("accepted", None), ("accepted", None), ("refused", "unloading"), ("accepted", None)]
    (finished,) = [one for one in seen if isinstance(one, ShuffleFinished)]
    assert (finished.count, finished.missing, finished.extra) == (52, [], [])
    assert [one.pack for one in unit.truth if isinstance(one, PackHandedOver)] == [finished.pack]
    assert [one.fault for one in seen if hasattr(one, "fault")] == ["order-disclosed"]
    assert not [one for one in seen if isinstance(one, FrameRejected)]


def test_the_answer_to_a_command_comes_before_what_it_leads_to():
    unit = TextShuffler(codec_of("open-shuffler"), attendant=False, decks=1)
    unit.do(Insert(), 0.0)
    unit.advance(0.0)
    unit.receive(codec_of("open-shuffler").command("shuffle", {}), 1.0)
    assert b"".join(unit.advance(1.0)).startswith(b":OK#E45D\r\n:BEGIN 0-1 ?")


def test_a_shoe_that_names_hands_is_locked_by_its_own_words():
    shoe, host = simulated("tagged-shoe", seed=1, rounds=1)
    play(shoe, host, until=2.0)
    seen = host.apply(Restored(at=2.0)) + host.apply(Commanded(at=2.0, command="lock", by="eng"))
    shoe.receive(host.outgoing(), 2.0)
    seen += play(shoe, host, until=2.5)
    assert [one.outcome for one in seen if isinstance(one, CommandSettled)] == ["accepted"]
    assert any(getattr(one, "locked", False) for one in seen)


SIMPLE = """
[device]
kind = "shuffler"
title = "it says neither cards nor places"
[frame]
grammar = "line"
[field.state]
kind = "choice"
options = ["idle_empty", "loading", "shuffling", "verifying", "ready"]
[field.n]
kind = "number"
[message.state]
text = "S {state}"
means = "shuffler_state"
[message.end]
text = "E {count:n}"
means = "shuffle_finished"
[message.no]
text = "N"
means = "command_answered"
set = { ok = false }
[command.eject]
text = "X"
"""


def test_a_simple_shuffler_says_what_it_has_words_for():
    simple = codec(SIMPLE)
    unit, host = TextShuffler(simple, seed=2, decks=1, shoes=1), TextDriver(simple)
    seen = host.apply(Restored(at=0.0)) + play(unit, host, until=10.0)
    seen += host.apply(Commanded(at=10.0, command="eject", by="eng"))
    unit.receive(host.outgoing(), 10.0)
    seen += play(unit, host, until=20.0)
    states = [one.state for one in seen if isinstance(one, ShufflerState)]
    assert list(dict.fromkeys(states)) == ["idle_empty", "loading", "shuffling", "verifying", "ready"]
    assert [one.count for one in seen if isinstance(one, ShuffleFinished)] == [52]
    assert [one.outcome for one in seen if isinstance(one, CommandSettled)] == ["refused"]


# -- changed anywhere ----------------------------------------------------------------------------------------

LINE = re.compile(r"own\.toml(:\d+)?: ")
FOR_NOBODY = re.compile(r"pydantic|Expected `|discriminator|union|\$\.|should match pattern")
VALUES = ["", 0, -1, True, "x", "{", "}{", "\n", " ", "é", "♠", "\x1a", [], ["a"], ["", ""], {}, {"a": "b"}]
VALUES += [10**20, 1.5, "A" * 2000, "{card}", "{:card}", "{text}{text}", "[", "\\", {"a": 1}, [1], None]


def places(value, path=()):
    """Every key and item of a profile."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield (*path, key)
        yield from places(part, (*path, key))


def written(value):
    """As TOML has it, inline."""
    match value:
        case bool():
            return str(value).lower()
        case dict():
            return "{" + ", ".join(f"{written(key)} = {written(part)}" for key, part in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(written, value)) + "]"
        case str():
            escaped = (c if c.isprintable() and c not in '"\\' else f"\\u{ord(c):04x}" for c in value)
            return '"' + "".join(escaped) + '"'
    return repr(value)


def all_texts():
    return {**TEXTS, **{name: shipped_profile(name) for name in SHIPPED}}


PROFILES = {name: tomllib.loads(text) for name, text in all_texts().items()}
PLACES = {name: list(places(profile)) for name, profile in PROFILES.items()}


@st.composite
def changed(draw):
    """A profile with one key or item removed, renamed, or of another value."""
    name = draw(st.sampled_from(sorted(PROFILES)))
    profile, place = copy.deepcopy(PROFILES[name]), draw(st.sampled_from(PLACES[name]))
    parent = profile
    for key in place[:-1]:
        parent = parent[key]
    old = parent.pop(place[-1])
    how = draw(st.sampled_from(["remove", "rename", "value", "text"]))
    if how == "rename" and isinstance(parent, dict):
        parent[draw(st.sampled_from(["kind", f"{place[-1]}x", "1", place[-1].upper()]))] = old
    elif how != "remove":
        new = draw(st.sampled_from(VALUES))
        if how == "text" and isinstance(old, str):
            new = draw(
                st.sampled_from(
                    [f"{old}x", old * 2, old[:-1], f" {old}", old.upper(), old.replace("{", "{{")]
                )
            )
        if new is not None and isinstance(parent, list):
            parent.insert(place[-1], new)
        elif new is not None:
            parent[place[-1]] = new
    return "".join(f"{written(key)} = {written(value)}\n" for key, value in profile.items())


@settings(max_examples=250, deadline=None)
@given(changed())
def test_a_changed_profile_is_refused_in_plain_lines_or_works(text):
    try:
        profile = parse_profile(text, "own.toml")
    except ConfigurationError as error:
        lines = str(error).splitlines()
        assert lines
        assert len(set(lines)) == len(lines)
        for line in lines:
            assert LINE.match(line), line
            assert not FOR_NOBODY.search(line), line
        return
    spec = profile_driver(text, "own.toml")
    host = spec.driver(spec.settings()())
    ending = {
        "shoe": {"rounds": 2, "decks": 1},
        "sensor": {"rounds": 1},
        "shuffler": {"shoes": 1, "decks": 1},
    }
    device = spec.simulator(spec.settings()(), seed=1, **ending.get(profile.device.kind, {}))
    seen = host.apply(Restored(at=0.0)) + play(device, host, until=60.0)
    assert not [one for one in seen if isinstance(one, FrameRejected)]


@pytest.mark.parametrize("name", SHIPPED)
def test_those_that_are_shipped_stand_every_trial(name):
    assert parse_profile(shipped_profile(name), f"{name}.toml").device.kind == find_driver(name).kind
