"""Frames of text devices: lines, tags and checksums in every place and spelling."""

import pytest
from text_devices import codec

from controller.observations import CardDrawn
from drivers.text.cutter import MAX_GARBAGE, Frame, Rejected

SHOE = """
[device]
kind = "shoe"
title = "a shoe"
[message.card]
text = "C{card}"
means = "card_drawn"
"""
LINE = SHOE + '[frame]\ngrammar = "line"\n'


def say(text, card="8S"):
    return codec(text).say(CardDrawn(card=card))


def read(text, data):
    """What a stream is: observations, and reasons of rejection."""
    own = codec(text)
    cutter = own.cutter()
    pieces = [own.read(p) if isinstance(p, Frame) else p for p in cutter.feed(data) + cutter.end()]
    return [p.reason if isinstance(p, Rejected) else p[0] for p in pieces]


CARD = CardDrawn(card="8S")


def test_a_line_without_a_start():
    assert say(LINE) == b"C8S\r\n"
    assert read(LINE, b"\r\n  C8S\nC8S\r\n\nC9") == [CARD, CARD, "garbage"]


def test_a_line_with_its_own_marks():
    text = LINE + 'start = "$"\nend = [";"]\n'
    assert say(text) == b"$C8S;"
    assert read(text, b"$C8S;noise$C8$C8S; ; $C8S;") == [CARD, "garbage", "garbage", CARD, "garbage", CARD]


def test_a_lone_end_of_a_line_without_a_start_is_an_empty_line():
    assert read(LINE + 'end = [";"]\n', b";C8S;") == ["unknown", CARD]


def test_control_characters_as_marks():
    text = LINE + 'start = "\\u0002"\nend = ["\\u0003"]\n[checksum]\nkind = "xor"\nplace = "behind-end"\n'
    text += 'covers = ["content", "end"]\n'
    check = ord("C") ^ ord("8") ^ ord("S") ^ 3
    assert say(text) == b"\x02C8S\x03%02X" % check
    assert read(text, say(text) * 2 + b"\x02C8S\x0300\x02C8S\x030") == [CARD, CARD, "checksum", "garbage"]


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ('kind = "xor"', b"$C8S28\r\n"),
        ('kind = "xor"\ncovers = ["start", "content"]', b"$C8S0C\r\n"),
        ('kind = "sum-8"', b"$C8SCE\r\n"),
        ('kind = "sum-8"\nspelling = "hex-lower"', b"$C8Sce\r\n"),
        ('kind = "sum-8"\nspelling = "decimal"', b"$C8S206\r\n"),
        ('kind = "sum-8"\nseparator = "*"', b"$C8S*CE\r\n"),
        ('kind = "sum-8"\nseparator = "*"\ncovers = ["content", "separator"]', b"$C8S*F8\r\n"),
        ('kind = "crc-16/xmodem"', b"$C8SBEEF\r\n"),
        ('kind = "crc-16/xmodem"\norder = "low-first"', b"$C8SEFBE\r\n"),
        ('kind = "crc-16/modbus"\nspelling = "decimal"', b"$C8S00000\r\n"),
    ],
)
def test_checksums_before_the_end(section, line):
    text = LINE + f'start = "$"\n[checksum]\n{section}\n'
    sent = say(text)
    if "crc" not in section:
        assert sent == line
    assert len(sent) == len(line)
    assert read(text, sent) == [CARD]
    spoilt = sent.replace(b"C8S", b"C9S")
    assert read(text, spoilt) == ["checksum"]


def test_low_byte_first_is_the_same_checksum_turned_round():
    high, low = (
        say(LINE + f'[checksum]\nkind = "crc-16/kermit"\norder = "{order}"\n')
        for order in ("high-first", "low-first")
    )
    assert high[3:5] + high[5:7] == low[5:7] + low[3:5]


def test_hex_in_either_case():
    text = LINE + '[checksum]\nkind = "sum-8"\nspelling = "hex"\n'
    assert read(text, b"C8SCE\nC8Sce\nC8SCF\n") == [CARD, CARD, "checksum"]


def test_a_line_with_nothing_but_a_checksum_is_a_bad_one():
    text = LINE + '[checksum]\nkind = "sum-8"\nseparator = "*"\n'
    assert read(text, b"*00\n00\n0\nC8S*\nC8SCE\n") == ["checksum"] * 5


def test_tags_with_their_own_brackets_and_a_checksum_behind():
    text = SHOE.replace("C{card}", "(c)|{card}!") + '[frame]\ngrammar = "tags"\ntag = "()"\nbody = "|!"\n'
    text += '[checksum]\nkind = "xor"\nplace = "behind-end"\n'
    assert read(text, say(text) + b" (c)|8S!00") == [CARD, "checksum"]


@pytest.mark.parametrize(
    ("data", "pieces"),
    [
        (b"[a]b]<c>", ["garbage", "unknown"]),
        (b"[a]<b]<c>", ["garbage", "unknown"]),
        (b"[a>", ["garbage"]),
        (b"[a]>", ["garbage"]),
        (b"[[a]<b>", ["garbage", "unknown"]),
        (b"<a]<b>", ["garbage", "unknown"]),
        (b"]>", ["garbage"]),
        (b"<>[]<>", ["unknown", "unknown"]),
    ],
)
def test_brackets_in_the_wrong_place(data, pieces):
    text = SHOE.replace("C{card}", "[g]<{card}>") + '[frame]\ngrammar = "tags"\n'
    assert read(text, data) == pieces


def test_a_frame_may_have_just_so_many_characters():
    text = LINE.replace("C{card}", "C{card}{:words}") + 'start = "$"\nend = ["\\n"]\nmost = 20\n'
    text += '[field.words]\nkind = "text"\n'
    whole = b"$C8S" + b"x" * 16 + b"\n"
    assert len(whole) == 21
    assert read(text, whole) == [CARD]
    assert read(text, b"$C8S" + b"x" * 17 + b"\n") == ["overflow"]


def test_wrong_speed_is_garbage_in_bounded_parts():
    cutter = codec(LINE + 'start = "$"\n').cutter()
    noise = b"\x80\xfe" * (MAX_GARBAGE + 50)
    pieces = cutter.feed(noise) + cutter.end()
    assert [len(piece.raw) for piece in pieces] == [MAX_GARBAGE, MAX_GARBAGE, 100]


def test_blanks_around_what_is_sent():
    text = LINE + 'before = " "\nafter = "\\r\\n"\nend = [";"]\n'
    assert say(text) == b" C8S;\r\n"
    assert read(text, say(text) * 2) == [CARD, CARD]
