"""The live console of a terminal: table, cards, roads, devices and alerts, as the dealer may see them."""

from collections.abc import Sequence
from types import TracebackType

from msgspec import UNSET
from rich.console import Console as Screen
from rich.console import ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from controller.cards import HANDS, Card
from controller.roads import BigCell, Roads
from controller.views.disclosure import Item
from controller.views.view import TableInfo, TableState, TableView

SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
COLOURS = {"player": "bright_blue", "banker": "bright_red", "tie": "green"}
LETTERS = {"player": "P", "banker": "B", "tie": "T"}
ROWS = 6
#: Columns of the bead plate and of the big road; beside each other, on 100 characters with room between them.
BEADS, STREAKS = 15, 31
GAP = 3
#: What is said while nothing is due, won or held.
PHASES = {
    "idle": "No round is open",
    "betting": "Place your bets",
    "dealing": "No more bets",
    "void": "Round void, all bets are returned",
}
REFRESH = 4.0
#: Alerts that are shown, so that a terminal of 24 lines holds everything above them; of more, how many.
ALERTS = 3
GRAVEST_FIRST = ("stop", "block", "warn")


class Console:
    """Used as a context; `watch` takes every durable item. `place`: where the pages are.

    The picture has the terminal to itself, whatever its size; the last one stays behind.
    """

    def __init__(self, table: TableInfo, place: str) -> None:
        self._view = TableView(table, "dealer")
        self._place = place
        self._live = Live(
            get_renderable=self._render,
            refresh_per_second=REFRESH,
            screen=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def __enter__(self) -> "Console":
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)
        if error is None:
            self._live.console.print(self._render())

    def watch(self, seq: int, item: Item) -> None:
        """Take in a durable item."""
        self._view.see(seq, item)

    def _render(self) -> RenderableType:
        return render(self._view.state(), self._place)


def render(state: TableState, place: str) -> RenderableType:
    """One picture of a state."""
    head = Text(state.table.name, style="bold yellow")
    head.append(_where(state), style="default")
    hands = Table.grid(expand=True, padding=(0, 2))
    for _ in HANDS:
        hands.add_column(ratio=1)
    hands.add_row(*(_hand(state, hand) for hand in HANDS))
    parts: list[RenderableType] = [hands, _call(state)]
    if state.roads is not UNSET:
        parts += [_Plates(state.roads), _counters(state.roads)]
    parts += [_devices(state), *_alerts(state), *(Text(line, style="dim") for line in place.split("   "))]
    return Panel(Group(*parts), title=head, subtitle="Ctrl-C ends", border_style="dim")


def _where(state: TableState) -> str:
    shoe = f"   shoe {state.shoe.number}" if state.shoe.number else ""
    number = f"   round {state.round.number}" if state.round.number else ""
    last = {"ending": "   CUT CARD", "last_round": "   LAST ROUND", "ended": "   shoe ended"}
    return f"{shoe}{number}{last.get(state.shoe.phase, '')}"


def _hand(state: TableState, hand: str) -> RenderableType:
    shown = state.player if hand == "player" else state.banker
    text = Text(f"{hand.upper():<8}", style=f"bold {COLOURS[hand]}")
    for card in shown.cards:
        text.append(" ")
        text.append_text(_card(card))
    if shown.total is not None:
        text.append(f"   {shown.total}", style="bold")
    return text


def _card(card: Card | None) -> Text:
    if card is None:
        return Text("[  ]", style="dim")
    rank = "10" if card[0] == "T" else card[0]
    return Text(f"{rank}{SUITS[card[1]]}", style="bold red" if card[1] in "DH" else "bold")


def _call(state: TableState) -> Text:
    if state.wait:
        return Text("Stop. Leave the cards. The supervisor is called.", style="bold white on red")
    if state.result:
        words = "Tie" if state.result.winner == "tie" else f"{state.result.winner.capitalize()} wins"
        marks = [
            name.replace("_", " ")
            for name in ("natural", "player_pair", "banker_pair", "dragon_7", "panda_8", "corrected")
            if getattr(state.result, name)
        ]
        margin = f" by {state.result.margin}" if state.result.margin else ""
        text = Text(f"{words}{margin}", style=f"bold {COLOURS[state.result.winner]}")
        return text.append(f"   {', '.join(marks)}" if marks else "", style="yellow")
    if state.draw:
        return Text(f"{state.draw.hand.capitalize()} draws   ").append(state.draw.citation, style="dim")
    return Text(PHASES.get(state.round.phase, state.round.phase), style="bold yellow")


class _Plates:
    """The bead plate and the big road beside each other, with room between the letters where there is any."""

    def __init__(self, roads: Roads) -> None:
        self._beads = {(b.row, b.col): LETTERS[b.outcome] for b in roads.bead_plate}
        self._streaks = {(c.row, c.col): _streak(c) for c in roads.big_road}

    def __rich_console__(self, _: Screen, options: ConsoleOptions) -> RenderResult:
        wide = options.max_width >= 2 * (BEADS + STREAKS) + GAP
        grid = Table.grid(padding=(0, GAP))
        between = " " if wide else ""
        grid.add_row(_plate(self._beads, BEADS, between), _plate(self._streaks, STREAKS, between))
        yield grid


def _streak(cell: BigCell) -> str:
    letter = LETTERS[cell.outcome]
    return letter.lower() if cell.ties else letter


def _plate(cells: dict[tuple[int, int], str], columns: int, between: str) -> Text:
    """A road as letters; whole columns leave on the left. A small letter has ties."""
    last = max((col for _, col in cells), default=0)
    first = max(0, last - columns + 1)
    text = Text(no_wrap=True, overflow="crop")
    styles = {letter: COLOURS[outcome] for outcome, letter in LETTERS.items()}
    for row in range(ROWS):
        for col in range(first, first + columns):
            letter = cells.get((row, col), "·")
            text.append(letter, style=styles.get(letter.upper(), "dim"))
            text.append(between if col < first + columns - 1 else "")
        text.append("\n" if row < ROWS - 1 else "")
    return text


def _counters(roads: Roads) -> Text:
    count = roads.statistics
    return Text(
        f"banker {count.banker}   player {count.player}   tie {count.tie}   "
        f"pairs {count.banker_pair}/{count.player_pair}   naturals {count.natural}",
        style="dim",
    )


def _devices(state: TableState) -> Text:
    text = Text()
    known = () if state.table.house is UNSET else state.table.house.devices
    for name in dict.fromkeys((*known, *state.devices)):
        device = state.devices.get(name)
        if device is None:
            text.append(f"{name}: not heard yet   ", style="dim")
        else:
            bad = device.state != "ok"
            text.append(f"{name}: {device.fault or device.state}   ", style="bold red" if bad else "green")
    return text


def _alerts(state: TableState) -> Sequence[RenderableType]:
    """The gravest first, and of those the latest."""
    latest = sorted(state.irregularities, key=lambda item: (GRAVEST_FIRST.index(item.severity), -item.id))
    shown = [
        Text(f"{item.severity.upper()} {item.code}: {item.detail}", style="bold red")
        for item in latest[:ALERTS]
    ]
    more = len(latest) - len(shown)
    return [*shown, Text(f"and {more} more, at the pit's page", style="bold red")] if more else shown
