"""A table that is told in short words and answers in short words, so that a test reads like a round.

Told, separated by blanks: `open close confirm paid cut load:8 lost restored gap boot call serve:1`; cards
`2C`, `?` (unread), `P3=4S`, `B2=?`, `first=5H`, `burn=?`, `error:5H`, `lock:?`, `setting:5H`, `R:P1=5H` (kept
by the shoe); `result:banker`, `result:tie+pp+bp`, `result:quit`; `fault:jam`, `cleared:jam`; orders `accept
void back burn carry move:player name:5H fix:P2=5H state:2C,3H|9D ack note shut reopen pack:8 end end:14`, any
of them with `#3` for the irregularity that it names.

Answered: `shoe1 ending(1) last ended burned=5H open1 bets1 P1=2C -P1=2C` (removed) `due:player due:none
player:9-6 confirmed1 void1 back1`, `*` behind a corrected result; `!code` stop, `#code` block, `~code` warn;
`ok:order`; `refused`.
"""

from collections.abc import Callable
from typing import Any

from controller import facts
from controller import observations as seen
from controller.cards import Hand
from controller.orders import Event, Order
from controller.play.boundaries import Boundaries
from controller.play.house import House
from controller.play.table import Table
from controller.rules.ruleset import Ruleset, load_ruleset

RULES = load_ruleset("nj-mini-baccarat")
HANDS: dict[str, Hand] = {"P": "player", "B": "banker"}
ALL: tuple[Boundaries, ...] = ("announced", "device", "first_card")
#: Where nobody announces anything.
SHOES: tuple[Boundaries, ...] = ("device", "first_card")

NATURAL = "9S 2D KH 3C"  # Player 9, Banker 5
SHOE = "P1=9S B1=2D P2=KH B2=3C"  # the same by slots
FIVE = "2C 9D 3H 7S 4S"  # Player 9 with three cards, Banker 6 stays
SIX = "2C 2D 3H AS KS 9H"  # Player 5, Banker 2, three cards each

MARKS = {"stop": "!", "block": "#", "warn": "~"}
PLAIN: dict[str, Event] = {
    "open": seen.BetsOpened(),
    "close": seen.BetsClosed(),
    "confirm": seen.ResultConfirmed(),
    "paid": seen.WagersPaid(),
    "cut": seen.CutCardDrawn(),
    "lost": seen.LinkLost(),
    "restored": seen.LinkRestored(),
    "gap": seen.SequenceGap(expected="1", got="3"),
    "boot": seen.DeviceStarted(),
    "call": seen.SupervisorCalled(reason="exposed-card"),
}
ORDERS = {
    "accept": "accept",
    "void": "void_round",
    "back": "reinstate_round",
    "burn": "burn_card",
    "carry": "carry_card",
    "move": "move_card",
    "name": "identify_card",
    "fix": "correct_card",
    "state": "resynchronise",
    "ack": "acknowledge",
    "note": "annotate",
    "shut": "close_table",
    "reopen": "open_table",
    "pack": "new_shoe",
    "end": "end_shoe",
}


class Felt:
    """`told`: every fact so far."""

    def __init__(
        self, boundaries: Boundaries = "announced", decks: int = 8, ruleset: Ruleset | str = RULES
    ) -> None:
        rules = ruleset if isinstance(ruleset, Ruleset) else load_ruleset(ruleset)
        self.table = Table(House(rules, decks, boundaries))
        self.told: list[facts.Fact] = []

    def tell(self, words: str) -> str:
        """What the table answers to all of the words."""
        return " ".join(short(fact) for word in words.split() for fact in self.apply(event(word)))

    def apply(self, what: Event) -> list[facts.Fact]:
        new = self.table.apply(what)
        self.told += new
        return new

    @property
    def raised(self) -> list[str]:
        """The codes so far."""
        return [fact.code for fact in self.told if isinstance(fact, facts.IrregularityRaised)]

    @property
    def refusal(self) -> str:
        """Why the last order was refused."""
        fact = self.told[-1]
        assert isinstance(fact, facts.OrderRefused)
        return fact.reason

    @property
    def hands(self) -> str:
        """The cards in the hands of the present round."""
        return " | ".join(" ".join(cards) for cards in self.table.round.coup.hands.values())


def dealt(words: str, boundaries: Boundaries = "announced") -> Felt:
    """A table and the cards of its first round."""
    felt = Felt(boundaries)
    felt.tell(f"open close {words}")
    return felt


def event(word: str) -> Event:
    """The observation or order that a word stands for."""
    if word in PLAIN:
        return PLAIN[word]
    verb, _, rest = word.partition(":")
    verb, _, number = verb.partition("#") if not rest else (verb, "", "")
    rest, _, number = (rest.partition("#")[0], "", rest.partition("#")[2]) if rest else (rest, "", number)
    if verb in ORDERS:
        named = int(number) if number else None
        return Order(order=ORDERS[verb], by="ann", irregularity=named, **_order(verb, rest))  # type: ignore[arg-type]
    return OBSERVED[verb](rest) if verb in OBSERVED else _card(word)


def _order(verb: str, rest: str) -> dict[str, Any]:
    match verb:
        case "move":
            return {"to": rest}
        case "name":
            return {"card": rest}
        case "fix":
            return {"hand": HANDS[rest[0]], "index": int(rest[1]), "card": rest[3:]}
        case "state":
            player, _, banker = rest.partition("|")
            return {"player": _split(player), "banker": _split(banker)}
        case "pack":
            return {"decks": int(rest)}
        case "end" if rest:
            return {"remaining": int(rest)}
    return {}


def _split(cards: str) -> list[str]:
    return [card for card in cards.split(",") if card]


def _card(word: str, **more: Any) -> seen.CardDrawn:
    slot, _, name = word.rpartition("=")
    where: dict[str, Any] = {"slot": slot} if slot else {}
    if slot and slot[0] in HANDS:
        where = {"slot": HANDS[slot[0]], "index": int(slot[1:])} if slot[1:] else {"slot": HANDS[slot]}
    return seen.CardDrawn(card=None if name == "?" else name, **where, **more)


def _result(rest: str) -> seen.DeviceResult:
    winner, *pairs = rest.split("+")
    quit_ = winner == "quit"
    return seen.DeviceResult(
        winner=None if quit_ else winner,  # type: ignore[arg-type]
        player_pair="pp" in pairs,
        banker_pair="bp" in pairs,
        forced_quit=quit_,
    )


def _carried(rest: str) -> seen.CardCarried:
    return seen.CardCarried(card=rest[3:], slot=HANDS[rest[0]], index=int(rest[1]))  # type: ignore[arg-type]


OBSERVED: dict[str, Callable[[str], Event]] = {
    "load": lambda rest: seen.ShoeLoaded(decks=int(rest)),
    "serve": lambda rest: seen.ServiceStarted(version=rest),
    "fault": lambda rest: seen.DeviceFault(fault=rest, active=True),
    "cleared": lambda rest: seen.DeviceFault(fault=rest, active=False),
    "result": _result,
    "R": _carried,
    "error": lambda rest: _card(rest, mode="error"),
    "lock": lambda rest: _card(rest, mode="lock"),
    "setting": lambda rest: _card(rest, mode="setting"),
}


def short(fact: facts.Fact) -> str:
    """A fact in a word."""
    match fact:
        case facts.ShoeStarted():
            return f"shoe{fact.shoe}"
        case facts.ShoeEnding():
            return f"ending({fact.rounds_left})"
        case facts.LastRoundCalled():
            return "last"
        case facts.ShoeEnded():
            return "ended"
        case facts.CardBurned():
            return f"burned={fact.card or '?'}"
        case facts.RoundOpened():
            return f"open{fact.round}"
        case facts.BetsClosed():
            return f"bets{fact.round}"
        case facts.CardDealt():
            return f"{fact.hand[0].upper()}{fact.index}={fact.card}"
        case facts.CardRemoved():
            return f"-{fact.hand[0].upper()}{fact.index}={fact.card}"
        case facts.DrawCalled():
            return f"due:{fact.hand or 'none'}"
        case facts.RoundDecided():
            totals = f"{fact.player_total}-{fact.banker_total}"
            return f"{fact.winner}:{totals}{'*' if fact.corrected else ''}"
        case facts.RoundConfirmed():
            return f"confirmed{fact.round}"
        case facts.RoundVoided():
            return f"void{fact.round}"
        case facts.RoundReinstated():
            return f"back{fact.round}"
        case facts.IrregularityRaised():
            return f"{MARKS[fact.severity]}{fact.code}"
        case facts.IrregularityResolved():
            return f"ok:{fact.remedy}"
        case facts.OrderRefused():
            return "refused"
    return type(fact).__name__
