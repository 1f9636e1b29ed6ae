"""A table at rest, as data: a new pack is in the shoe and no card of it is out.

Here a journal may begin anew, since all that a table still knows of what was before fits in a few lines. The
data goes into the record as an input; `resumed` gives a table in the very same state.
"""

from fractions import Fraction

from msgspec import Struct

from controller import facts
from controller.observations import DeviceResult, DeviceStandby, ShuffleFinished
from controller.play.house import House
from controller.play.irregularities import Irregularity
from controller.play.layout import Slip, Spot, Window, signed
from controller.play.shoe import Loaded
from controller.play.table import Table
from controller.rules.outcome import Result

#: How the two reports of the shoe's own pace are named in the data.
PACED: dict[str, type] = {"device_result": DeviceResult, "device_standby": DeviceStandby}


class Stake(Struct, frozen=True, kw_only=True):
    """`amount`: a fraction, `25` or `1/3`."""

    seat: int
    wager: str
    amount: str


class Settlement(Struct, frozen=True, kw_only=True):
    """The stakes of the last round, as they were settled. `charged`: seat -> vigorish."""

    number: int
    stakes: list[Stake]
    result: Result | None
    confirmed: bool
    settled: bool
    charged: dict[int, str]


class Money(Struct, frozen=True, kw_only=True):
    """What lies on the layout. `owed`: seat -> vigorish. `opened`: the round that was opened last."""

    window: Window
    placing: list[Stake]
    slip: Settlement | None
    owed: dict[int, str]
    opened: int

    def vigorish(self) -> dict[int, str]:
        """What each seat owes, as it is told."""
        return {seat: signed(Fraction(amount)) for seat, amount in self.owed.items()}


class Hearing(Struct, frozen=True, kw_only=True):
    """As `Ear` has it."""

    is_lost: bool
    lost: float | None
    noise: tuple[float, float] | None
    stood_by: bool
    stands_by: bool
    said: float | None
    longest: dict[str, float]


class Resting(Struct, frozen=True, kw_only=True):
    """`open`: irregularities that nobody has answered; none of them holds the table. `finished`: shuffles
    whose packs have not entered play.
    """

    shoe: Loaded
    is_open: bool
    waiting: str | None
    last_id: int
    open: list[facts.IrregularityRaised]
    money: Money
    finished: list[ShuffleFinished]
    hearing: Hearing


def resting(table: Table) -> Resting | None:
    """The table as data; None: it is not at rest."""
    loaded = table.shoe.new_pack()
    held = table.hold is not None or table.surplus or table.carried is not None
    if loaded is None or held or table.round.phase != "idle":
        return None
    ear = table.ear
    return Resting(
        shoe=loaded,
        is_open=table.is_open,
        waiting=table.waiting,
        last_id=table.last_id,
        open=[item.raised for item in table.open.values() if item.raised is not None],
        money=_money(table),
        finished=table.packs.known(),
        hearing=Hearing(
            is_lost=ear.is_lost,
            lost=ear.lost,
            noise=ear.noise,
            stood_by=ear.stood_by,
            stands_by=ear.stands_by,
            said=ear.said,
            longest={name: ear.longest[kind] for name, kind in PACED.items() if kind in ear.longest},
        ),
    )


def resumed(house: House, rest: Resting) -> Table:
    """A table that goes on from there. `house`: what it played by then."""
    table = Table(house)
    table.shoe.put_in(rest.shoe)
    table.is_open, table.waiting, table.last_id = rest.is_open, rest.waiting, rest.last_id
    table.fresh = False
    for raised in rest.open:
        item = Irregularity(raised.id, raised.code, raised.severity, raised.round, raised=raised)
        item.leave_shoe()
        table.open[item.id] = item
    _lay(table, rest.money)
    table.packs.know(rest.finished)
    heard, ear = rest.hearing, table.ear
    ear.is_lost, ear.lost, ear.noise, ear.said = heard.is_lost, heard.lost, heard.noise, heard.said
    ear.stood_by, ear.stands_by = heard.stood_by, heard.stands_by
    ear.longest = {PACED[name]: seconds for name, seconds in heard.longest.items()}
    return table


def _money(table: Table) -> Money:
    layout = table.layout
    slip = layout.slip
    return Money(
        window=layout.window,
        placing=_stakes(layout.placing),
        slip=None
        if slip is None
        else Settlement(
            number=slip.number,
            stakes=_stakes(slip.stakes),
            result=slip.result,
            confirmed=slip.confirmed,
            settled=slip.settled,
            charged=_amounts(slip.charged),
        ),
        owed=_amounts(layout.owed),
        opened=layout.opened,
    )


def _lay(table: Table, money: Money) -> None:
    layout, slip = table.layout, money.slip
    layout.window, layout.opened = money.window, money.opened
    layout.placing, layout.owed = _spots(money.placing), _fractions(money.owed)
    if slip is not None:
        layout.slip = Slip(
            slip.number,
            _spots(slip.stakes),
            slip.result,
            slip.confirmed,
            slip.settled,
            _fractions(slip.charged),
        )


def _stakes(stakes: dict[Spot, Fraction]) -> list[Stake]:
    return [Stake(seat=spot.seat, wager=spot.wager, amount=str(amount)) for spot, amount in stakes.items()]


def _spots(stakes: list[Stake]) -> dict[Spot, Fraction]:
    return {Spot(stake.seat, stake.wager): Fraction(stake.amount) for stake in stakes}


def _amounts(amounts: dict[int, Fraction]) -> dict[int, str]:
    return {seat: str(amount) for seat, amount in amounts.items()}


def _fractions(amounts: dict[int, str]) -> dict[int, Fraction]:
    return {seat: Fraction(amount) for seat, amount in amounts.items()}
