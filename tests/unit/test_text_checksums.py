"""The checksums that a profile may name give the published values."""

import binascii

import pytest

from drivers.text.checksums import CRC_16, KINDS, bits, checksum

#: `check` of the CRC catalogue: over the ASCII digits 1 to 9.
CHECK = {
    "arc": 0xBB3D,
    "cdma2000": 0x4C06,
    "cms": 0xAEE7,
    "dds-110": 0x9ECF,
    "dect-r": 0x007E,
    "dect-x": 0x007F,
    "dnp": 0xEA82,
    "en-13757": 0xC2B7,
    "genibus": 0xD64E,
    "gsm": 0xCE3C,
    "ibm-3740": 0x29B1,
    "ibm-sdlc": 0x906E,
    "kermit": 0x2189,
    "maxim-dow": 0x44C2,
    "mcrf4xx": 0x6F91,
    "modbus": 0x4B37,
    "profibus": 0xA819,
    "spi-fujitsu": 0xE5CC,
    "t10-dif": 0xD0DB,
    "teledisk": 0x0FB3,
    "umts": 0xFEE8,
    "usb": 0xB4C8,
    "xmodem": 0x31C3,
}


def test_every_variant_has_a_published_value():
    assert set(CHECK) == set(CRC_16)


@pytest.mark.parametrize("name", CHECK)
def test_crc_16(name):
    assert checksum(f"crc-16/{name}", b"123456789") == CHECK[name]


def test_xmodem_is_the_library_s_crc_hqx():
    data = bytes(range(256)) * 3
    assert checksum("crc-16/xmodem", data) == binascii.crc_hqx(data, 0)


def test_xor_and_sum():
    assert checksum("xor", b"\x31\x44\x81\xb8\x03") == 0x4F
    assert checksum("sum-8", b"0D21") == 0xD7
    assert checksum("xor", b"") == checksum("sum-8", b"") == 0


@pytest.mark.parametrize("kind", KINDS)
def test_values_fit_their_width(kind):
    for data in (b"", b"\x00", b"\xff" * 64, b"123456789"):
        assert 0 <= checksum(kind, data) < 1 << bits(kind)
