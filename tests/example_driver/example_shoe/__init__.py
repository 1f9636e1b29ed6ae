"""A made-up shoe that writes one card a line, as `8S`: all that a driver package needs."""

from typing import Any

from pydantic import BaseModel

from controller.ports import Driver, DriverSpec, Simulator


class Settings(BaseModel):
    pause: float = 1.0  # seconds between simulated cards


def _driver(settings: Settings) -> Driver:
    from example_shoe.driver import ExampleDriver

    return ExampleDriver()


def _simulator(settings: Settings, **options: Any) -> Simulator:
    from example_shoe.simulator import ExampleSimulator

    return ExampleSimulator(settings.pause, **options)


SPEC = DriverSpec(
    kind="shoe", settings=lambda: Settings, driver=_driver, simulator=_simulator, serial={"baud": 9600}
)
