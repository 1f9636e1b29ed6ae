"""For tests of devices that a profile describes: codecs, reads, and runs of a simulator against a driver."""

import random

import msgspec

from controller.ports import Received, Silence
from drivers.text.check import parse_profile, shipped_profile
from drivers.text.codec import Codec
from drivers.text.driver import TextDriver


def codec_of(name):
    return Codec(parse_profile(shipped_profile(name), f"{name}.toml"))


def codec(text):
    """The codec of a profile's text."""
    return Codec(parse_profile(text, "own.toml"))


def driver(text):
    return TextDriver(codec(text))


def plain(observations):
    """As JSON, without the time."""
    decoded = msgspec.json.decode(msgspec.json.encode(observations))
    return [{k: v for k, v in one.items() if k != "at"} for one in decoded]


def cut(data, seed, pieces=12):
    """The same bytes in random reads."""
    rng = random.Random(seed)
    cuts = sorted(rng.choices(range(len(data) + 1), k=rng.randint(1, pieces)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def play(simulator, host, until=None):
    """Runs a simulator against a driver in virtual time; what the driver observes."""
    seen = []
    while (due := _next(simulator, host)) is not None and (until is None or due <= until):
        for data in simulator.advance(due):
            seen += host.apply(Received(at=due, data=data))
        if (deadline := host.deadline()) is not None and deadline <= due:
            seen += host.apply(Silence(at=due))
        if data := host.outgoing():
            simulator.receive(data, due)
    return seen


def _next(simulator, host):
    times = (simulator.next_at(), host.deadline())
    return min((time for time in times if time is not None), default=None)
