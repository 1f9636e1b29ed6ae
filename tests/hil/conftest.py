"""Servers that the tests of this folder share."""

from collections.abc import Iterator

import pytest
from receivers import Mosquitto


@pytest.fixture(scope="session")
def _broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path_factory.mktemp("mosquitto"))
    yield broker
    broker.stop()


@pytest.fixture
def broker(_broker: Mosquitto) -> Mosquitto:
    """A real Mosquitto on the loopback, running, also after a test that stopped it."""
    _broker.start()
    return _broker
