"""Commands to a shoe that a profile describes: guarded as any shoe's, and obeyed by the simulated one."""

from pathlib import Path

import pytest
from text_devices import codec, play

from controller.observations import CardCarried, CommandSettled, DeviceFault
from controller.ports import Commanded, Received, Restored
from drivers.shoes.acts import Load, Power, Pull
from drivers.shoes.text import TextShoe, TextShoeDriver

TEXT = (Path(__file__).parents[1] / "data/devices/tagged-shoe.toml").read_text("utf-8")
TEXT += "".join(
    f'[command.{name}]\ntext = "(X){{{{{name}}}}}"\n' for name in ("clear", "keep", "discard", "confirm")
)
SHOE = codec(TEXT)


def raised(fault, active=True):
    return Received(at=1.0, data=SHOE.say(DeviceFault(fault=fault, active=active)))


def told(*commands, after=()):
    """What becomes of each command, answered at once where it is sent."""
    host, seen = TextShoeDriver(SHOE), []
    for signal in (Restored(at=0.0), *after):
        host.apply(signal)
    for command in commands:
        seen += host.apply(Commanded(at=2.0, command=command, by="eng"))
        if host.outgoing():
            seen += host.apply(Received(at=2.1, data=SHOE.framed("(A){}")))
    return [(one.outcome, one.reason) for one in seen if isinstance(one, CommandSettled)]


@pytest.mark.parametrize(
    ("command", "after", "outcome", "words"),
    [
        ("keep", [], "withheld", "reports no overdraw"),
        ("discard", [raised("unreadable")], "withheld", "reports no overdraw"),
        ("clear", [], "withheld", "reports no error"),
        ("clear", [raised("overdraw")], "withheld", "kept or discarded"),
        ("clear", [raised("unreadable")], "accepted", ""),
        ("keep", [raised("overdraw")], "accepted", ""),
        ("keep", [raised("overdraw"), raised("overdraw", active=False)], "withheld", "reports no overdraw"),
        ("lock", [], "accepted", ""),
        ("open", [], "withheld", "its commands are lock, unlock, clear"),
    ],
)
def test_guards(command, after, outcome, words):
    ((became, reason),) = told(command, after=after)
    assert became == outcome
    assert words in (reason or "")


def test_what_it_knows_of_errors_goes_on_elsewhere():
    host, other = TextShoeDriver(SHOE), TextShoeDriver(SHOE)
    host.apply(raised("overdraw"))
    other.remember(host.memory())
    assert other.objection("clear") == host.objection("clear")
    assert other.objection("keep") is None


def test_an_overdrawn_card_is_kept_for_the_next_round():
    shoe, host = TextShoe(SHOE, dealer=False, burn=False), TextShoeDriver(SHOE)
    shoe.do(Load(cards=("9C", "2D", "KD", "6H", "4S"), decks=8), 0.0)
    shoe.do(Power(), 0.5)
    for number in range(5):
        shoe.do(Pull(), 2.0 + number / 10)
    seen = host.apply(Restored(at=0.0)) + play(shoe, host, until=3.0)
    assert any(isinstance(one, DeviceFault) and one.fault == "overdraw" for one in seen)
    seen += host.apply(Commanded(at=3.0, command="keep", by="pit"))
    shoe.receive(host.outgoing(), 3.0)
    seen += play(shoe, host)
    assert [one.outcome for one in seen if isinstance(one, CommandSettled)] == ["accepted"]
    assert [one.card for one in seen if isinstance(one, CardCarried)] == ["4S"]
