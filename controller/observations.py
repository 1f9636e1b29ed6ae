"""What devices, the dealer and the clock report: the vocabulary's observations, as typed values.

JSON is one object a line, `"type"` first. Optional fields that do not apply are absent; a field that is
always there is null where nothing is known. Unknown fields are refused (`msgspec.ValidationError`).
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.cards import Card, Hand, Outcome

Slot = Literal["player", "banker", "burn", "first", "burn_count"]
Mode = Literal["lock", "error", "setting"]
Index = Annotated[int, Meta(ge=1, le=3)]
Decks = Annotated[int, Meta(ge=1, le=12)]
Money = Annotated[str, Meta(pattern=r"^\d{1,12}(\.\d{1,4})?$")]


def _snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Observation(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag=_snake,
):
    """`at`: seconds, monotonic within one run. `wall`: RFC 3339. `device`: absent means `shoe`."""

    at: float | None = None
    wall: str | None = None
    device: str | None = None


# -- the shoe ---------------------------------------------------------------------------------------------


class ShoeLoaded(Observation, frozen=True):
    decks: Decks
    pack: str | None = None


class CardDrawn(Observation, frozen=True):
    """A card left the shoe; `card` null: unread. `mode`: drawn outside a game."""

    card: Card | None
    slot: Slot | None = None
    index: Index | None = None
    mode: Mode | None = None


class CardCarried(Observation, frozen=True):
    """The shoe re-announces a card kept after an overdraw as the next round's."""

    card: Card
    slot: Hand
    index: Index


class CutCardDrawn(Observation, frozen=True):
    kind: str | None = None


class DeviceResult(Observation, frozen=True):
    """The shoe's own claim; `winner` null when the game was broken off."""

    winner: Outcome | None
    player_pair: bool
    banker_pair: bool
    forced_quit: bool


class DeviceFault(Observation, frozen=True):
    fault: str
    active: bool
    error_mode: bool | None = None


class DeviceStarted(Observation, frozen=True):
    pass


class DeviceStandby(Observation, frozen=True):
    pass


class LockChanged(Observation, frozen=True):
    locked: bool


class PresetChanged(Observation, frozen=True):
    address: str
    value: str


class CommandAnswered(Observation, frozen=True):
    ok: bool
    code: str | None


class CommandSent(Observation, frozen=True):
    """A command went on its way; `by`: on whose word."""

    command: str
    by: str


class CommandSettled(Observation, frozen=True):
    """What became of a command: `unanswered` is neither accepted nor refused, `withheld` was not sent.

    `code`: the device's own, when it refused. `reason`: for a person; null where it was accepted.
    """

    command: str
    by: str
    outcome: Literal["accepted", "refused", "unanswered", "withheld"]
    code: str | None
    reason: str | None


class FrameRejected(Observation, frozen=True):
    """Bytes that are no report; `raw` is exactly those bytes, upper-case hex."""

    reason: Literal["checksum", "payload", "overflow", "garbage", "unknown"]
    raw: str


class SequenceGap(Observation, frozen=True):
    expected: str
    got: str


class LinkLost(Observation, frozen=True):
    pass


class LinkRestored(Observation, frozen=True):
    pass


# -- the dealer -------------------------------------------------------------------------------------------


class BetsOpened(Observation, frozen=True):
    pass


class BetsClosed(Observation, frozen=True):
    pass


class HandCalled(Observation, frozen=True):
    hand: Hand


class ResultConfirmed(Observation, frozen=True):
    pass


class WagersPaid(Observation, frozen=True):
    pass


class SupervisorCalled(Observation, frozen=True):
    reason: Literal["exposed-card", "stuck-card", "dropped-card", "player-touched", "other"]
    note: str | None = None


# -- shuffler, wagers, clock ------------------------------------------------------------------------------


class ShuffleStarted(Observation, frozen=True):
    pack: str | None = None
    count: int | None = None


class ShuffleFinished(Observation, frozen=True):
    """`missing`, `extra`: null when the shuffler does not recognise cards."""

    missing: list[Card] | None
    extra: list[Card] | None
    pack: str | None = None
    count: int | None = None


class ShufflerState(Observation, frozen=True):
    """What a shuffler is doing. `progress`: percent; `count`: cards counted inside; `place`: of a jam."""

    state: Literal[
        "idle_empty",
        "loading",
        "shuffling",
        "verifying",
        "ready",
        "unloading",
        "dealing",
        "jam",
        "door_open",
        "count_error",
        "composition_error",
        "fault",
    ]
    progress: Annotated[int, Meta(ge=0, le=100)] | None = None
    count: Annotated[int, Meta(ge=0)] | None = None
    place: str | None = None


class WagerPlaced(Observation, frozen=True):
    seat: Annotated[int, Meta(ge=1, le=14)]
    wager: str
    amount: Money
    kind: Literal["chips", "verbal", "match_play"] = "chips"
    confirmed_by: list[str] | None = None


class WagerRemoved(Observation, frozen=True):
    seat: Annotated[int, Meta(ge=1, le=14)]
    wager: str
    amount: Money | None = None


class VigorishCollected(Observation, frozen=True):
    seat: Annotated[int, Meta(ge=1, le=14)]
    amount: Money


class TimerExpired(Observation, frozen=True):
    timer: str
    round: int
    hand: Hand | None = None
    index: Index | None = None


class ServiceStarted(Observation, frozen=True):
    version: str


AnyObservation = (
    ShoeLoaded
    | CardDrawn
    | CardCarried
    | CutCardDrawn
    | DeviceResult
    | DeviceFault
    | DeviceStarted
    | DeviceStandby
    | LockChanged
    | PresetChanged
    | CommandAnswered
    | CommandSent
    | CommandSettled
    | FrameRejected
    | SequenceGap
    | LinkLost
    | LinkRestored
    | BetsOpened
    | BetsClosed
    | HandCalled
    | ResultConfirmed
    | WagersPaid
    | SupervisorCalled
    | ShuffleStarted
    | ShuffleFinished
    | ShufflerState
    | WagerPlaced
    | WagerRemoved
    | VigorishCollected
    | TimerExpired
    | ServiceStarted
)


def role(observation: Observation) -> str:
    """The role at the head of the device's name: `shoe`, `shuffler`, `sign`, `lamps`, `sensor`."""
    return (observation.device or "shoe").split("-")[0]
