"""What an Angel Eye report says: tables between its code and payload, and the vocabulary's observations.

Every binary payload byte has bit 7 set. `read` takes a report apart, `spell` builds one.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from controller.cards import RANKS, Card, Hand, Outcome
from controller.observations import (
    CardCarried,
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    DeviceResult,
    DeviceStandby,
    DeviceStarted,
    LockChanged,
    Mode,
    Observation,
    PresetChanged,
    Slot,
)
from drivers.shoes.angel_eye.codec import Report

SET = 0x80  # bit 7 of a binary payload byte
UNREAD = 0x80  # the second byte of a card that left the shoe outside a game, unread

SUITS = {1: "D", 2: "C", 3: "S", 4: "H"}
HANDS: dict[int, Hand] = {0: "player", 1: "banker"}
SLOTS: dict[int, Slot] = {**HANDS, 2: "burn", 4: "first", 5: "burn_count"}
MODES: dict[int, Mode] = {0: "lock", 1: "error", 2: "setting"}
WINNERS: dict[int, Outcome | None] = {1: "player", 2: "tie", 4: "banker", 7: None}
PLAYER_PAIR, BANKER_PAIR = 0x01, 0x02
ERROR_MODE = 0x40
FAULTS = {
    1: "unreadable",
    2: "overdraw",
    3: "button-misuse",
    4: "reverse-exit",
    5: "reverse-midway",
    6: "foreign-card",
    7: "draw-timeout",
}

_SUIT_BITS = {suit: bits for bits, suit in SUITS.items()}
_SLOT_BITS = {slot: bits for bits, slot in SLOTS.items()}
_MODE_BITS = {mode: bits for bits, mode in MODES.items()}
_WINNER_BITS = {winner: bits for bits, winner in WINNERS.items()}
_FAULT_CODES = {fault: code for code, fault in FAULTS.items()}


# -- reading ----------------------------------------------------------------------------------------------


def read(report: Report) -> Observation | Literal["unknown", "payload"]:
    """The observation, or why there is none: no such code, or a payload that cannot be right."""
    if not report.code:
        return "payload"
    if report.code not in _READERS:
        return "unknown"
    length, reader = _READERS[report.code]
    if len(report.payload) != length:
        return "payload"
    if report.code != "M" and any(byte < SET for byte in report.payload):
        return "payload"
    return reader(report.payload) or "payload"


def _card(byte: int) -> Card | None:
    suit, rank = SUITS.get(byte >> 4 & 7), byte & 15
    return RANKS[rank - 1] + suit if suit and 1 <= rank <= len(RANKS) else None


def _place(byte: int) -> tuple[Hand, int] | None:
    """The hand and draw number of a card in a game."""
    hand, index = HANDS.get(byte >> 4 & 7), byte & 15
    return (hand, index) if hand and 1 <= index <= 3 else None


def _drawn(payload: bytes) -> Observation | None:
    card, slot = _card(payload[1]), SLOTS.get(payload[0] >> 4 & 7)
    if card is None or slot is None:
        return None
    if slot not in HANDS.values():
        return CardDrawn(card=card, slot=slot)
    place = _place(payload[0])
    return CardDrawn(card=card, slot=place[0], index=place[1]) if place else None


def _drawn_outside(payload: bytes) -> Observation | None:
    card, mode = _card(payload[1]), MODES.get(payload[0] >> 4 & 7)
    if mode is None or (card is None and payload[1] != UNREAD):
        return None
    return CardDrawn(card=card, mode=mode)


def _carried(payload: bytes) -> Observation | None:
    card, place = _card(payload[1]), _place(payload[0])
    return CardCarried(card=card, slot=place[0], index=place[1]) if card and place else None


def _result(payload: bytes) -> Observation | None:
    bits = payload[0] >> 4 & 7
    if bits not in WINNERS:
        return None
    winner = WINNERS[bits]
    return DeviceResult(
        winner=winner,
        player_pair=bool(payload[0] & PLAYER_PAIR),
        banker_pair=bool(payload[0] & BANKER_PAIR),
        forced_quit=winner is None,
    )


def _fault(code: int) -> str:
    return FAULTS.get(code, f"code-{code}")


def _raised(payload: bytes) -> Observation:
    return DeviceFault(fault=_fault(payload[0] & 0x3F), active=True, error_mode=bool(payload[0] & ERROR_MODE))


def _preset(payload: bytes) -> Observation | None:
    if not all(0x20 <= byte <= 0x7E for byte in payload):
        return None
    text = payload.decode("ascii")
    return PresetChanged(address=text[:2], value=text[2:])


#: Event code -> (payload bytes, what they mean; None: they cannot be right).
_READERS: Mapping[str, tuple[int, Callable[[bytes], Observation | None]]] = {
    "S": (0, lambda _: DeviceStarted()),
    "P": (0, lambda _: DeviceStandby()),
    "C": (0, lambda _: CutCardDrawn()),
    "D": (2, _drawn),
    "d": (2, _drawn_outside),
    "R": (2, _carried),
    "G": (1, _result),
    "E": (1, _raised),
    "e": (1, lambda payload: DeviceFault(fault=_fault(payload[0] & 0x7F), active=False)),
    "L": (1, lambda payload: LockChanged(locked=bool(payload[0] & 1))),
    "M": (6, _preset),
}


# -- spelling ---------------------------------------------------------------------------------------------


def spell(observation: Observation, number: int = 0) -> tuple[str, bytes]:
    """The event code and payload that say it. `number`: the draw number of a card in no hand, 0 to 10.

    Raises ValueError for an observation that this shoe has no words for.
    """
    match observation:
        case DeviceStarted():
            return "S", b""
        case DeviceStandby():
            return "P", b""
        case CutCardDrawn():
            return "C", b""
        case CardDrawn(card=card, mode=None, slot=slot, index=index) if card and slot:
            return "D", bytes([SET | _SLOT_BITS[slot] << 4 | (index or number), _card_byte(card)])
        case CardDrawn(card=card, mode=mode) if mode:
            return "d", bytes([SET | _MODE_BITS[mode] << 4 | number, _card_byte(card)])
        case CardCarried(card=card, slot=slot, index=index):
            return "R", bytes([SET | _SLOT_BITS[slot] << 4 | index, _card_byte(card)])
        case DeviceResult(winner=winner, player_pair=player_pair, banker_pair=banker_pair):
            pairs = player_pair * PLAYER_PAIR | banker_pair * BANKER_PAIR
            return "G", bytes([SET | _WINNER_BITS[winner] << 4 | pairs])
        case DeviceFault(fault=fault, active=True, error_mode=error_mode):
            return "E", bytes([SET | bool(error_mode) * ERROR_MODE | _code(fault)])
        case DeviceFault(fault=fault):
            return "e", bytes([SET | _code(fault)])
        case LockChanged(locked=locked):
            return "L", bytes([SET | locked])
        case PresetChanged(address=address, value=value):
            return "M", (address + value).encode("ascii")
    raise ValueError(f"an Angel Eye shoe cannot report {observation}")


def _card_byte(card: Card | None) -> int:
    if card is None:
        return UNREAD
    return SET | _SUIT_BITS[card[1]] << 4 | (RANKS.index(card[0]) + 1)


def _code(fault: str) -> int:
    named = _FAULT_CODES.get(fault)
    return int(fault.removeprefix("code-")) if named is None else named
