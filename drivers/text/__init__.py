"""Devices described as data: a profile in TOML gives a driver, a simulator and a probe."""

from importlib import import_module
from typing import Any

from controller.ports import DriverSpec, Simulator
from drivers.text.check import parse_profile, shipped_profile
from drivers.text.codec import Codec
from drivers.text.cutter import Frame
from drivers.text.profile import Profile

#: kind -> where its settings, driver and simulator are, as `KIND` of that module.
KINDS = {
    "shoe": "drivers.shoes.text",
    "shuffler": "drivers.shufflers.text",
    "sensor": "drivers.sensors.text",
    "display": "drivers.displays.text",
}


def shipped(name: str) -> DriverSpec:
    """The driver of a profile that is shipped. Raises ConfigurationError."""
    # Those that are shipped are tried by the tests, not at every start.
    return _spec(parse_profile(shipped_profile(name), f"{name}.toml", tried=True))


def from_text(text: str, origin: str) -> DriverSpec:
    """The driver of a house's own profile. Raises ConfigurationError, one line for each fault."""
    return _spec(parse_profile(text, origin), own=text)


def _spec(profile: Profile, own: str = "") -> DriverSpec:
    codec = Codec(profile)
    kind = profile.device.kind

    def parts() -> Any:
        return import_module(KINDS[kind]).KIND

    def simulator(settings: Any, **options: Any) -> Simulator:
        made: Simulator = parts().simulator(codec, settings, **options)
        return made

    def probe(data: bytes) -> bool:
        pieces = codec.cutter().feed(data)
        return any(isinstance(codec.read(piece), tuple) for piece in pieces if isinstance(piece, Frame))

    return DriverSpec(
        kind=kind,
        settings=lambda: parts().settings(codec),
        driver=lambda settings: parts().driver(codec, settings),
        simulator=simulator,
        probe=probe,
        slots=codec.slots,
        results=codec.results,
        commands=codec.orders,
        profile=own,
        serial=profile.link.serial(),
    )
