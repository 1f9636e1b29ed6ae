"""Angel Eye II-EX: an assigned-card shoe on RS-232. It names each card's hand and reports its own result."""

from typing import Any

from pydantic import BaseModel

from controller.ports import Driver, DriverSpec, Simulator


def _settings() -> type[BaseModel]:
    from drivers.shoes.angel_eye.settings import Settings

    return Settings


def _driver(settings: Any) -> Driver:
    from drivers.shoes.angel_eye.driver import AngelEyeDriver

    return AngelEyeDriver(settings)


def _simulator(settings: Any, **options: Any) -> Simulator:
    from drivers.shoes.angel_eye.simulator import AngelEyeSimulator

    return AngelEyeSimulator(settings, **options)


def _probe(data: bytes) -> bool:
    from drivers.shoes.angel_eye.codec import Decoder, Report

    return any(isinstance(frame, Report) for frame in Decoder().feed(data))


SPEC = DriverSpec(
    kind="shoe",
    settings=_settings,
    driver=_driver,
    simulator=_simulator,
    probe=_probe,
    sequenced=True,
    slots=True,
    results=True,
    commands=("lock", "unlock", "clear", "keep", "discard", "confirm"),
    serial={"baud": 4800},
)
