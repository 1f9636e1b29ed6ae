"""People at a simulated shoe, in place of its dealer: by a scenario's acts, or by the keys of a keyboard."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from controller.cards import DECK, Card
from controller.observations import (
    CardCarried,
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    DeviceResult,
    DeviceStandby,
    DeviceStarted,
    LockChanged,
    Observation,
    SequenceGap,
    ShoeLoaded,
)
from drivers.shoes.acts import (
    CUT,
    Act,
    Blur,
    Clear,
    Fail,
    Key,
    Load,
    Power,
    Prompted,
    Pull,
    Say,
    Skip,
)
from drivers.shoes.dealer import House
from drivers.shoes.hands import Hands
from drivers.shoes.keyboard import KEYS, Keyboard

START = 1.0  # seconds that a shoe needs before the first act
#: A result comes so long before its act, so that the shoe is ready for a card one second after that.
EARLIER = 0.5
SOME_CARD = DECK[0]  # one whose face is not reported

#: Seconds from the start, what is done, and what the shoe must have words for if it is to come of it.
Deed = tuple[float, Act, Observation | None]


class Stage(ABC):
    """What a simulated shoe needs for `controller.ports.Stage` and `Keyed`."""

    keys: Mapping[str, str] = KEYS
    _hands: Hands
    _house: House
    _keyboard: Keyboard | None = None
    _is_on = False

    @abstractmethod
    def do(self, act: Act, at: float) -> None:
        """Somebody does something at the shoe, at that time."""

    @abstractmethod
    def has_words_for(self, report: Observation) -> bool:
        """The shoe can report this."""

    def bring(self, pack: str, cards: Sequence[Card], at: float) -> None:
        """A pack of that id, in this order, is there to be put in when the shoe is empty."""
        self._hands.bring(pack, cards, at)

    def play(self, acts: Sequence[Observation], at: float) -> list[Observation]:
        """Do what leads the shoe to report these, each `act.at` seconds after `at`; gives what it cannot do.
        A shoe that is not on is taken to have been switched on just before.
        """
        self._hands.dismiss()
        if not self._is_on and not (acts and isinstance(acts[0], ShoeLoaded)):
            self.do(Power(), at - START)
        self._is_on = True
        if any(isinstance(act, DeviceResult) for act in acts):
            self.do(Prompted(), at - START)
        cannot = []
        for number, act in enumerate(acts):
            for after, deed, report in _deeds(acts[number:]):
                if report is None or self.has_words_for(report):
                    self.do(deed, at + after)
                else:
                    cannot.append(act)
        return cannot

    def press(self, key: str, at: float) -> None:
        """A key is pressed; one that means nothing has no effect."""
        if self._keyboard is None:
            self._hands.dismiss()
            self._keyboard = Keyboard(self.do, self._house, self.has_words_for, at)
        self._keyboard.press(key, at)


def _deeds(acts: Sequence[Observation]) -> Iterator[Deed]:
    """What is done for the first of these acts."""
    report = replace(acts[0], at=None, device=None)
    at = acts[0].at or 0.0
    match report:
        case ShoeLoaded(decks=decks, pack=pack):
            yield at, Load(cards=(), decks=decks, pack=pack), None
            yield at, Power(), None
        case DeviceStarted():
            yield at, Power(), None
        case CutCardDrawn():
            yield at, Pull(item=CUT), None
        case CardDrawn(card=None):
            yield at, Blur(), None
            yield at, Pull(item=SOME_CARD), None
        case CardDrawn(card=card, slot=slot, index=index):
            yield at, Pull(item=card, slot=slot, index=index, named=slot is not None), None
        case DeviceFault(fault="overdraw", active=True):
            yield at, Pull(item=_kept(acts) or SOME_CARD), report
        case DeviceFault(fault=fault, active=True, error_mode=error_mode):
            yield at, Fail(fault=fault, error_mode=bool(error_mode)), report
        case DeviceFault():
            yield at, Clear(keep=_kept(acts) is not None), None
        case LockChanged(locked=locked):
            yield at, Key(locked=locked), report
        case SequenceGap():
            yield at, Skip(), report
        case DeviceResult():
            yield at - EARLIER, Say(observation=report), report
        case CardCarried() | DeviceStandby():
            return  # the shoe says so by itself
        case _:
            yield at, Say(observation=report), report


def _kept(acts: Sequence[Observation]) -> Card | None:
    """The card that the shoe will announce as kept, if it is the next that anything is said of."""
    for act in acts:
        if isinstance(act, CardCarried):
            return act.card
        if isinstance(act, CardDrawn):
            return None
    return None
