"""Checksums of text devices: XOR, 8-bit sum, and CRC-16 variants by the names of the CRC catalogue.

Source: Greg Cook, Catalogue of parametrised CRC algorithms (reveng.sourceforge.io/crc-catalogue/16.htm).
"""

from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import xor


@dataclass(frozen=True)
class Crc16:
    """`poly` and `start` as the catalogue gives them; `reflected`: both in and out; `final` is XORed."""

    poly: int
    start: int
    reflected: bool
    final: int


CRC_16 = {
    "arc": Crc16(0x8005, 0x0000, True, 0x0000),
    "cdma2000": Crc16(0xC867, 0xFFFF, False, 0x0000),
    "cms": Crc16(0x8005, 0xFFFF, False, 0x0000),
    "dds-110": Crc16(0x8005, 0x800D, False, 0x0000),
    "dect-r": Crc16(0x0589, 0x0000, False, 0x0001),
    "dect-x": Crc16(0x0589, 0x0000, False, 0x0000),
    "dnp": Crc16(0x3D65, 0x0000, True, 0xFFFF),
    "en-13757": Crc16(0x3D65, 0x0000, False, 0xFFFF),
    "genibus": Crc16(0x1021, 0xFFFF, False, 0xFFFF),
    "gsm": Crc16(0x1021, 0x0000, False, 0xFFFF),
    "ibm-3740": Crc16(0x1021, 0xFFFF, False, 0x0000),
    "ibm-sdlc": Crc16(0x1021, 0xFFFF, True, 0xFFFF),
    "kermit": Crc16(0x1021, 0x0000, True, 0x0000),
    "maxim-dow": Crc16(0x8005, 0x0000, True, 0xFFFF),
    "mcrf4xx": Crc16(0x1021, 0xFFFF, True, 0x0000),
    "modbus": Crc16(0x8005, 0xFFFF, True, 0x0000),
    "profibus": Crc16(0x1DCF, 0xFFFF, False, 0xFFFF),
    "spi-fujitsu": Crc16(0x1021, 0x1D0F, False, 0x0000),
    "t10-dif": Crc16(0x8BB7, 0x0000, False, 0x0000),
    "teledisk": Crc16(0xA097, 0x0000, False, 0x0000),
    "umts": Crc16(0x8005, 0x0000, False, 0x0000),
    "usb": Crc16(0x8005, 0xFFFF, True, 0xFFFF),
    "xmodem": Crc16(0x1021, 0x0000, False, 0x0000),
}

KINDS = ("xor", "sum-8", *(f"crc-16/{name}" for name in CRC_16))


def bits(kind: str) -> int:
    """The width of a checksum of `KINDS`."""
    return 16 if kind.startswith("crc-16/") else 8


def checksum(kind: str, data: bytes) -> int:
    """The checksum of `data`; `kind` is one of `KINDS`."""
    if kind == "xor":
        return reduce(xor, data, 0)
    if kind == "sum-8":
        return sum(data) & 0xFF
    return _crc_16(CRC_16[kind.removeprefix("crc-16/")], data)


def _crc_16(way: Crc16, data: bytes) -> int:
    table = _table(way.poly, way.reflected)
    value = _mirrored(way.start, 16) if way.reflected else way.start
    for byte in data:
        if way.reflected:
            value = value >> 8 ^ table[(value ^ byte) & 0xFF]
        else:
            value = value << 8 & 0xFFFF ^ table[value >> 8 ^ byte]
    return value ^ way.final


@lru_cache
def _table(poly: int, reflected: bool) -> list[int]:
    """What each value of the outgoing byte adds."""
    plain = [_divided(byte << 8, poly) for byte in range(256)]
    return [_mirrored(plain[_mirrored(byte, 8)], 16) for byte in range(256)] if reflected else plain


def _divided(value: int, poly: int) -> int:
    for _ in range(8):
        value = (value << 1) ^ (poly if value & 0x8000 else 0)
    return value & 0xFFFF


def _mirrored(value: int, width: int) -> int:
    return int(f"{value:0{width}b}"[::-1], 2)
