"""A table where vigorish is owed until it is collected, and what one audience is shown of its floor."""

from playing import RULES, Play

from controller.observations import WagerPlaced
from controller.play.boundaries import Boundaries
from controller.play.house import House
from controller.play.table import Table
from controller.rules.ruleset import parse_ruleset
from controller.views.disclosure import Audience
from controller.views.floor import FloorState
from controller.views.floor import House as HouseInfo
from controller.views.view import TableInfo, TableView

#: Vigorish is owed until it is collected.
LATER = parse_ruleset(RULES.text.replace('collected = "each-round"', 'collected = "later"'), "later")


def house(boundaries: Boundaries = "announced") -> HouseInfo:
    return HouseInfo(
        boundaries=boundaries,
        manual=False,
        seats=7,
        decks=8,
        wagers=("banker", "player", "tie"),
        burn="first-card",
        burn_count=None,
    )


class Screen(Play):
    """A table and what one audience is shown of its floor."""

    def __init__(self, audience: Audience = "dealer", boundaries: Boundaries = "announced") -> None:
        super().__init__(boundaries)
        self.table = Table(House(LATER, boundaries=boundaries))
        info = TableInfo(id="A", name="A", announced=boundaries == "announced", house=house(boundaries))
        self.view = TableView(info, audience)
        self.followed = 0

    @property
    def now(self) -> FloorState:
        for seq, item in self.items[self.followed :]:
            self.view.see(seq, item)
        self.followed = len(self.items)
        floor = self.view.state().floor
        assert isinstance(floor, FloorState)
        return floor

    def stake(self, seat: int, wager: str, amount: str) -> None:
        self.do(WagerPlaced(seat=seat, wager=wager, amount=amount))

    def stakes(self) -> list[tuple[int, str, str]]:
        return [(stake.seat, stake.wager, stake.amount) for stake in self.now.stakes]
