"""What a device's messages mean: texts and observations, both ways."""

from collections.abc import Mapping

import msgspec
from msgspec import NODEFAULT, inspect

from controller import observations
from controller.cards import HANDS
from controller.observations import Observation
from drivers.text.patterns import Pattern, Reading
from drivers.text.profile import MessageSection
from drivers.text.spelling import Value

_ANY_DEVICE = ("device_started", "device_standby", "device_fault", "command_answered")
_OF_SHOES = (
    "shoe_loaded", "card_drawn", "card_carried", "cut_card_drawn", "device_result", "lock_changed",
    "preset_changed", "bets_opened", "bets_closed", "hand_called", "result_confirmed", "wagers_paid",
)  # fmt: skip
#: What the messages of each kind of device may mean.
MEANINGS: Mapping[str, tuple[str, ...]] = {
    "shoe": (*_ANY_DEVICE, *_OF_SHOES),
    "shuffler": (*_ANY_DEVICE, "shuffle_started", "shuffle_finished", "shuffler_state"),
    "sensor": (*_ANY_DEVICE, "wager_placed", "wager_removed", "vigorish_collected"),
    "display": _ANY_DEVICE,
}
TYPES: Mapping[str, type[Observation]] = {
    known.__struct_config__.tag: known for known in observations.AnyObservation.__args__
}
_NOT_SAID = ("at", "wall", "device")
#: Properties that are more than their type tells.
_KINDS = {"card": "a card", "missing": "cards", "extra": "cards", "amount": "an amount, as 2.50"}


class Phrase:
    """A message: its text and what it means."""

    def __init__(self, name: str, section: MessageSection, pattern: Pattern) -> None:
        self.name = name
        self.section = section
        self.pattern = pattern
        self._type = TYPES.get(section.means)
        self._slots = {slot.property for slot in pattern.slots if slot.property}
        fields = msgspec.structs.fields(self._type) if self._type else ()
        #: property -> what it is where nothing is said of it; null where it is always there
        self.properties: dict[str, Value] = {
            f.name: None if f.default is NODEFAULT else f.default for f in fields if f.name not in _NOT_SAID
        }
        self._always = {f.name: None for f in fields if f.default is NODEFAULT}

    def kind(self, name: str) -> str:
        """What a property may be, in words."""
        types = {f.name: f.type for f in msgspec.structs.fields(self._type)} if self._type else {}
        return _KINDS.get(name) or _in_words(inspect.type_info(types[name]))

    @property
    def names_hands(self) -> bool:
        """It says of a card to which hand it goes."""
        hand = "slot" in self._slots or self.section.set.get("slot") in HANDS
        return self.section.means == "card_drawn" and hand

    def read(self, text: str) -> tuple[Observation | None, Reading] | None:
        """What the text means, None for nothing, and what it says; None: it is not this message."""
        reading = self.pattern.read(text)
        if reading is None:
            return None
        try:
            return self.observation(reading.values), reading
        except msgspec.ValidationError:
            return None

    def observation(self, values: Mapping[str, Value]) -> Observation | None:
        """The observation of these properties. Raises msgspec.ValidationError."""
        if self._type is None:
            return None
        return msgspec.convert({**self._always, **self.section.set, **values}, self._type)

    def spell(self, observation: Observation) -> str | None:
        """The text that says just this; None: it cannot."""
        if type(observation) is not self._type:
            return None
        told = {name: getattr(observation, name) for name in self.properties}
        fixed = {**self.properties, **self.section.set}
        if any(told[name] != fixed[name] for name in told if name not in self._slots):
            return None
        return self.pattern.spell({name: told[name] for name in self._slots})


def _in_words(kind: inspect.Type) -> str:
    match kind:
        case inspect.UnionType(types=types):
            return _in_words(types[0])
        case inspect.LiteralType(values=values):
            return f"one of {', '.join(map(str, values))}"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=least, le=most):
            bounds = f" from {least} to {most}" if least is not None and most is not None else ""
            return f"a whole number{bounds}"
    return "a text"
