"""A simulated shoe by keyboard: a dealer who keeps to procedure, card by card, and what can go wrong."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from controller.observations import DeviceFault, Observation
from drivers.shoes.acts import CUT, Act, Blur, Clear, Fail, Item, Key, Load, Power, Pull, Settle
from drivers.shoes.dealer import Dealer, House
from drivers.shoes.hands import Pack

#: Key -> what it does.
KEYS: Mapping[str, str] = {
    " ": "the next card (a new pack is loaded and burned card by card)",
    "o": "an overdraw: the round is dealt to its end, and one card more",
    "u": "the next card is not read",
    "c": "the cut card",
    "f": "a fault",
    "e": "the error is cleared; a card drawn too many is discarded",
    "k": "the error is cleared; a card drawn too many is kept for the next round",
    "l": "the key of the lock is turned",
    "r": "the shoe is switched off and on",
}
BETWEEN = 2.0  # seconds from a round's last card to the next one's first, in which the shoe comes to rest
AT_ONCE = 0.2  # seconds between cards of which one follows the other by itself
FAULTS = ("draw-timeout", "unreadable")


class Keyboard:
    """`do(act, at)` does it; the pack and the procedure are those of `house`. `says` tells which reports the
    shoe has words for.
    """

    def __init__(
        self,
        do: Callable[[Act, float], None],
        house: House,
        says: Callable[[Observation], bool],
        at: float,
    ) -> None:
        self._do = do
        self._house = house
        self._dealing = Dealer(house).deal()
        self._step = next(self._dealing)
        self._pack = Pack()
        self._ready = at  # when the shoe is, for the next card
        self._last = at  # when the last one came
        self._fault = next((f for f in FAULTS if says(DeviceFault(fault=f, active=True))), "code-1")
        self._locked = False
        self._extra: Item = None
        self._kept: Item = None

    def press(self, key: str, at: float) -> None:
        """One of KEYS; any other has no effect."""
        match key:
            case " ":
                self._card(at)
            case "o":
                self._overdraw(at)
            case "u":
                self._do(Blur(), at)
                self._card(at)
            case "c":
                self._do(Pull(item=CUT), at)
            case "f":
                self._do(Fail(fault=self._fault, error_mode=True), at)
            case "e" | "k":
                self._do(Clear(keep=key == "k"), at)
                self._kept, self._extra = self._extra if key == "k" else None, None
            case "l":
                self._locked = not self._locked
                self._do(Key(locked=self._locked), at)
            case "r":
                self._do(Power(), at)

    def _card(self, at: float) -> None:
        """The dealer goes on until a card, or the cut card, has come."""
        while not isinstance(self._step.act, Pull):
            act, when = self._step.act, max(at, self._ready)
            self._do(act, when)
            if isinstance(act, Load):
                self._pack = Pack(act)
            self._ready = self._last + BETWEEN if isinstance(act, Settle) else when + self._step.after
            self._go_on(None)
        if self._kept and (self._step.act.slot, self._step.act.index) == ("player", 1):
            # The shoe has announced it by itself.
            item, self._kept = self._kept, None
            self._go_on(item)
            self._card(at)
            return
        self._last = max(at, self._ready)
        self._go_on(self._pull(self._step.act, self._last))

    def _pull(self, pull: Pull, at: float) -> Item:
        taken = self._pack.take()
        if taken:
            self._do(replace(pull, item=taken), at)
        return taken

    def _go_on(self, item: Item) -> None:
        try:
            self._step = self._dealing.send(item)
        except StopIteration:
            # The pack did not last; a new one is loaded.
            self._dealing = Dealer(self._house).deal()
            self._step = next(self._dealing)

    def _overdraw(self, at: float) -> None:
        if isinstance(self._step.act, Settle) and at > self._last + AT_ONCE:
            self._card(at)  # that round is over: the next one is dealt
        while not isinstance(self._step.act, Settle):
            self._card(max(at, self._last + AT_ONCE))
        self._last = max(at, self._last + AT_ONCE)
        self._extra = self._pull(Pull(), self._last)
