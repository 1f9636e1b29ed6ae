"""An error that nobody foresaw, amid an input: nothing more follows from memory, all from the record."""

import socket
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from controller.cli import main
from controller.config import parse_configuration
from controller.facts import Fact, IrregularityRaised
from controller.journal.audit import verify
from controller.journal.reader import records
from controller.observations import BetsClosed, BetsOpened, CardDrawn
from controller.orders import Event
from controller.play.table import Table
from controller.ports import BrokenError, Received
from controller.runtime.replaying import Rederivation
from controller.runtime.service import Service
from controller.views.disclosure import Item

CONFIG = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
ruleset = "nj-casino-night-mini-baccarat"
[shoe]
driver = "{driver}"
{link}
[web]
listen = "127.0.0.1:0"
"""

#: Where nobody answers.
NOBODY = 'link = "tcp:127.0.0.1:9"'

Break = Callable[[type], None]


@pytest.fixture
def break_on(monkeypatch: pytest.MonkeyPatch) -> Break:
    """Have the table fail at an event of a kind when it has half taken it in."""

    def set_up(kind: type) -> None:
        apply = Table.apply

        def broken(table: Table, event: Event) -> list[Fact]:
            found = apply(table, event)
            if isinstance(event, kind):
                raise ZeroDivisionError("seen by nobody before")
            return found

        monkeypatch.setattr(Table, "apply", broken)

    return set_up


def service(folder: Path, told: list[Item], driver: str = "manual", link: str = "") -> Service:
    config = parse_configuration(CONFIG.format(driver=driver, link=link), "table.toml", folder)
    return Service(config, watch=lambda _, item: told.append(item))


async def test_the_record_goes_on_from_the_last_input_that_was_taken_in(
    tmp_path: Path, break_on: Break, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Item] = []
    broken = service(tmp_path, told)
    await broken.start()
    for event in (BetsOpened(), BetsClosed(), CardDrawn(card="9C")):
        await broken.decide(event)
    with monkeypatch.context():
        break_on(CardDrawn)
        with pytest.raises(ZeroDivisionError):
            await broken.decide(CardDrawn(card="2D"))
        monkeypatch.undo()
    with pytest.raises(BrokenError):
        await broken.decide(CardDrawn(card="3H"))
    with pytest.raises(BrokenError, match="start the service again"):
        await broken.broken()
    beaten = (tmp_path / "state" / "heartbeat").read_bytes()
    await broken.stop()
    assert (tmp_path / "state" / "heartbeat").read_bytes() == beaten
    cards = [item.card for item in told if isinstance(item, CardDrawn)]
    assert cards == ["9C"]
    assert b"2D" not in b"".join(record.body for record in records(broken.path))

    again = service(tmp_path, told)
    await again.start()
    for card in ("2D", "KH", "3S"):
        await again.decide(CardDrawn(card=card))
    assert again._core.table.round.coup.hands == {"player": ["9C", "KH"], "banker": ["2D", "3S"]}
    await again.stop()
    assert verify(again.path, Rederivation()).ok


async def test_what_a_shoe_said_meanwhile_counts_as_not_heard(
    tmp_path: Path, break_on: Break, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link goes on talking: what it says behind the error is refused, and the round held at the start."""
    told: list[Item] = []
    broken = service(tmp_path, told, "bee-tek-a", NOBODY)
    await broken.start()
    for event in (BetsOpened(), BetsClosed()):
        await broken.decide(event)
    broken.hear("shoe", Received(at=broken.clock.now(), data=b"[Game]<Card:2C>"))
    break_on(CardDrawn)
    with pytest.raises(ZeroDivisionError):
        broken.hear("shoe", Received(at=broken.clock.now(), data=b"[Game]<Card:3C>"))
    monkeypatch.undo()
    with pytest.raises(BrokenError):
        broken.hear("shoe", Received(at=broken.clock.now(), data=b"[Game]<Card:4C>"))
    await broken.stop()
    assert [item.card for item in told if isinstance(item, CardDrawn)] == ["2C"]
    told.clear()
    again = service(tmp_path, told, "bee-tek-a", NOBODY)
    await again.start()
    await again.stop()
    assert [item.code for item in told if isinstance(item, IrregularityRaised)] == ["link-lost"]


async def test_what_could_not_be_shown_is_on_record_and_the_table_says_that_it_is_not_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Item] = []
    table = service(tmp_path, told)
    await table.start()
    await table.decide(BetsOpened())

    def broken(batch: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(table._web, "publish", broken)
        await table.decide(BetsClosed())  # whoever asked is answered
    await table.decide(CardDrawn(card="9C"))
    healthy, report = table._vitals.health.report()
    await table.stop()
    assert not healthy
    assert "kept something from being shown" in report["problems"]["internal"]
    assert b'"bets_closed"' in b"".join(record.body for record in records(table.path))
    assert verify(table.path, Rederivation()).ok


def test_the_command_ends_by_itself_with_one_clear_line(
    tmp_path: Path, break_on: Break, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whoever watches over it starts it again."""
    with socket.create_server(("127.0.0.1", 0)) as shoe:
        link = f'link = "tcp:127.0.0.1:{shoe.getsockname()[1]}"'
        (tmp_path / "table.toml").write_text(CONFIG.format(driver="bee-tek-a", link=link))
        monkeypatch.setattr(sys, "argv", ["tablectl", "run", "-c", f"{tmp_path}/table.toml"])
        break_on(CardDrawn)

        def deal() -> None:
            with shoe.accept()[0] as line:
                line.sendall(b"[Game]<Card:2C>")
                while line.recv(100):
                    pass  # until the table hangs up

        dealing = Thread(target=deal)
        dealing.start()
        with pytest.raises(SystemExit) as ended:
            main()
        dealing.join()
    assert ended.value.code == 1
    said = capfd.readouterr()
    path = tmp_path / "state" / "journal.db"
    assert said.err.splitlines()[-1] == (
        f"tablectl: {path}: an internal error, the log says which; start the service again: it goes on from "
        "this record and holds the round if anything was missed"
    )
    assert "ZeroDivisionError: seen by nobody before" in said.out + said.err
    assert verify(path, Rederivation()).ok
