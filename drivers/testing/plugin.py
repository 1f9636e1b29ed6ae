"""A pytest plugin: virtual devices and a virtual table, for tests of host software and of drivers.

It is installed with the product and loads nothing before a test asks for one of its fixtures.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from drivers.testing.background import Background
    from drivers.testing.virtual_device import VirtualDevice
    from drivers.testing.virtual_table import VirtualTable


@pytest.fixture
def _background() -> Iterator["Background"]:
    from drivers.testing.background import Background

    background = Background()
    yield background
    background.close()


@pytest.fixture
def virtual_device(_background: "Background", tmp_path: Path) -> Iterator[Callable[..., "VirtualDevice"]]:
    """`virtual_device("angel-eye")` is that device, simulated, at a terminal of its own; `link="tcp"` puts it
    behind a socket. Further options: drivers.testing.virtual_device.VirtualDevice.
    """
    from drivers.testing.virtual_device import VirtualDevice

    with ExitStack() as devices:
        made: list[VirtualDevice] = []

        def make(device: str, *, link: str = "pty", **options: Any) -> VirtualDevice:
            place = {"pty": f"pty:{tmp_path}/{Path(device).stem}-{len(made) + 1}", "tcp": "tcp:127.0.0.1:0"}
            one = VirtualDevice(_background, device, place.get(link, link), **options)
            made.append(one)
            devices.callback(one.close)
            return one

        yield make


@pytest.fixture
def virtual_shoe(virtual_device: Callable[..., "VirtualDevice"]) -> Callable[..., "VirtualDevice"]:
    """A simulated dealing shoe: an Angel Eye unless another driver is named."""
    return lambda device="angel-eye", **options: virtual_device(device, **options)


@pytest.fixture
def virtual_shuffler(virtual_device: Callable[..., "VirtualDevice"]) -> Callable[..., "VirtualDevice"]:
    """A simulated shuffler: the one with the open protocol unless another driver is named."""
    return lambda device="open-shuffler", **options: virtual_device(device, **options)


@pytest.fixture
def virtual_table(_background: "Background") -> Iterator[Callable[..., "VirtualTable"]]:
    """`virtual_table("my-driver")` is a table of the controller with that driver at it. Further options:
    drivers.testing.virtual_table.VirtualTable.
    """
    from drivers.testing.virtual_table import VirtualTable

    with ExitStack() as tables:

        def make(driver: str = "angel-eye", **options: Any) -> VirtualTable:
            table = VirtualTable(_background, driver, **options)
            tables.callback(table.close)
            return table

        yield make
