"""Somebody's host software, tested against a simulated shoe and shuffler: it opens a port and reads."""

import os
import socket

import pytest


def cards_of(fd, count):
    """A host program: the cards of so many reports of a Bee-Tek shoe."""
    heard = b""
    while heard.count(b">") < count:
        heard += os.read(fd, 4096)
    return [report.partition(b"Card:")[2].decode() for report in heard.split(b">")[:count]]


def test_cards_at_a_terminal(virtual_shoe):
    shoe = virtual_shoe("bee-tek-a")
    fd = os.open(shoe.path, os.O_RDWR | os.O_NOCTTY)
    try:
        assert shoe.play("cards 2C TD 3H") == []
        assert cards_of(fd, 3) == ["2C", "TD", "3H"]
    finally:
        os.close(fd)


def test_a_scenario_that_ships(virtual_shoe):
    shoe = virtual_shoe("bee-tek-a")
    fd = os.open(shoe.path, os.O_RDWR | os.O_NOCTTY)
    try:
        shoe.play("law-player-draws.deal")
        assert cards_of(fd, 5) == ["2C", "9D", "3H", "7S", "4S"]
    finally:
        os.close(fd)


def test_what_a_device_cannot_do_is_told(virtual_shoe):
    assert virtual_shoe("bee-tek-a").play("card 2C ; result tie") == ["result tie"]


@pytest.mark.parametrize("device", ["angel-eye", "bee-tek-b"])
def test_behind_a_socket(virtual_shoe, device):
    shoe = virtual_shoe(device, link="tcp")
    with socket.create_connection((shoe.host, shoe.port), timeout=10) as host:
        shoe.play("cards 9C KD KH QS")
        assert host.recv(4096)
    assert [happened.card for happened in shoe.truth if hasattr(happened, "card")] == ["9C", "KD", "KH", "QS"]


def test_the_link_goes_away_and_comes_back(virtual_shoe, virtual_table):
    shoe, table = virtual_shoe(), virtual_table()
    table.connect(shoe.address)
    shoe.play("card 2C ; card 9D")
    table.until(lambda table: table.due == "player")
    shoe.unplug(seconds=5)
    table.until(lambda table: "link-lost" in table.irregularities)


def test_a_shuffler_does_its_work(virtual_shuffler, virtual_table):
    shuffler, table = virtual_shuffler(dealing=True, shoes=1, seed=7), virtual_table("open-shuffler")
    table.connect(shuffler.address)
    table.until(lambda table: any(getattr(seen, "state", None) == "ready" for seen in table.observations))
    assert any(getattr(seen, "pack", None) == "7-1" for seen in table.observations)
