"""Transition tables as data, and the one place where they become a `transitions.Machine`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from transitions import EventData, Machine, Transition


@dataclass(frozen=True)
class Row:
    """One transition. Rows of one trigger are tried from the top; the first that holds is taken.

    `to`: a state, or None to stay. `when`: guards of the model that must all hold; `not g` must not, and
    `g=value` calls `g(value)`. `do`: actions of the model; `raise code` raises an irregularity.
    """

    trigger: str
    at: tuple[str, ...]
    to: str | None
    when: tuple[str, ...] = ()
    do: tuple[str, ...] = ()


class Model(ABC):
    """A model whose state is `phase`; triggers are fired through `fire` only."""

    phase: str

    def __init__(self) -> None:
        #: a trigger, with its arguments, that an action wants fired next
        self.follow_up: tuple[str, dict[str, Any]] | None = None

    def fire(self, trigger: str, **event: Any) -> None:
        """Fire a trigger and then, in this loop and never nested, what its actions want to follow."""
        while True:
            self.follow_up = None
            if not getattr(self, trigger)(**event):
                raise AssertionError(f"no row of {trigger} holds in {self.phase}")
            self.settle()
            if self.follow_up is None:
                return
            trigger, event = self.follow_up

    def settle(self) -> None:  # noqa: B027 - most models have nothing to settle
        """Called after each transition: here other machines may be fired."""

    def again(self, event: EventData) -> None:
        """The same trigger, in the state that has just been reached."""
        self.follow_up = (event.event.name, event.kwargs)

    @abstractmethod
    def irregular(self, code: str, event: EventData) -> None:
        """Raise an irregularity; what it is about is in the event."""


class Move(Transition):
    """A row in action: its guards, the move, its actions. The package's own transition calls back and logs at
    ten more places, of which a table has none, and costs twice as much.
    """

    conditions: list[Any]
    after: list[Any]

    def execute(self, event_data: EventData) -> bool:
        """Whether the row was taken."""
        for guard in self.conditions:
            if guard.func(event_data) != guard.target:
                return False
        if self.dest is not None:
            event_data.state = event_data.machine.get_state(self.dest)
            event_data.machine.set_state(event_data.state, event_data.model)
        for action in self.after:
            action(event_data)
        return True


class FlatMachine(Machine):
    """Moves by rows only."""

    transition_cls = Move


def build(model: Model, states: Sequence[str], initial: str, table: Sequence[Row]) -> None:
    """Give `model` its machine: flat, synchronous, nothing but the rows of `table`."""
    FlatMachine(
        model,
        states=list(states),
        initial=initial,
        transitions=[_transition(model, row) for row in table],
        model_attribute="phase",
        auto_transitions=False,
        send_event=True,
    )


def _transition(model: Model, row: Row) -> dict[str, Any]:
    unless = [_guard(model, g.removeprefix("not ")) for g in row.when if g.startswith("not ")]
    when = [_guard(model, g) for g in row.when if not g.startswith("not ")]
    return {
        "trigger": row.trigger,
        "source": list(row.at),
        "dest": row.to,
        "conditions": when,
        "unless": unless,
        "after": [_action(model, name) for name in row.do],
    }


def _guard(model: Model, name: str) -> Callable[[EventData], bool]:
    name, _, value = name.partition("=")
    guard: Callable[..., bool] = getattr(model, name)
    return (lambda event: guard(value, event)) if value else guard


def _action(model: Model, name: str) -> Callable[[EventData], None]:
    if name.startswith("raise "):
        code = name.removeprefix("raise ")
        return lambda event: model.irregular(code, event)
    action: Callable[[EventData], None] = getattr(model, name)
    return action
