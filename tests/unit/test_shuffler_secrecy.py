"""No order of undealt cards enters the system: what a shuffler offers is masked before it is kept."""

import pytest
from text_devices import codec_of, cut, plain

from controller.observations import DeviceFault
from controller.ports import Discreet, Ended, Lost, Received, Silence, find_driver, observe
from drivers.packs import shuffled
from drivers.shufflers.acts import Insert, Offer, Press
from drivers.shufflers.text import TextShuffler
from drivers.text.driver import TextDriver

OPEN = codec_of("open-shuffler")
CARDS = shuffled("5-1", [rank + "CDHS"[n % 4] for n, rank in enumerate("A23456789TJQKA23456789")])
ORDER = b":ORDER " + " ".join(CARDS).encode() + b"#0000\r\n"
OK = OPEN.framed("OK")
ORDER_DISCLOSED = {"type": "device_fault", "fault": "order-disclosed", "active": True}


def kept(reads):
    """What is recorded of these reads, and what is observed from the record alone."""
    host, record, seen = TextDriver(OPEN), [], []
    for data in reads:
        signal = host.redact(Received(data=data))
        record.append(signal)
        seen += host.apply(signal)
    assert observe(TextDriver(OPEN), record) == seen
    return b"".join(signal.data for signal in record), plain(seen + host.apply(Ended()))


def test_a_driver_of_a_shuffler_is_discreet():
    spec = find_driver("open-shuffler")
    assert isinstance(spec.driver(spec.settings()()), Discreet)


def test_an_order_is_discarded_and_told_of():
    data, seen = kept([OK + ORDER + OK])
    assert data == OK + b":ORDER" + b" \x1a\x1a" * len(CARDS) + b"\x1a" * 5 + b"\r\n" + OK
    assert [one["type"] for one in seen] == ["command_answered", "device_fault", "command_answered"]
    assert seen[1] == ORDER_DISCLOSED


@pytest.mark.parametrize("seed", range(20))
def test_however_it_is_cut_into_reads(seed):
    whole, seen = kept([OK + ORDER + OK])
    assert kept(cut(OK + ORDER + OK, seed)) == (whole, seen)
    assert kept([bytes([byte]) for byte in OK + ORDER + OK]) == (whole, seen)


LISTED = b",".join(ORDER[7:-7].split())


@pytest.mark.parametrize(
    ("data", "most"),
    [
        (ORDER.replace(b"ORDER", b"PACK"), 0),  # a message that nobody described
        (ORDER.replace(b"ORDER", b"0RDER"), 0),  # a spoilt one
        (ORDER[1:], 0),  # its beginning was lost
        (ORDER.replace(b"ORDER", b"FAULT"), 0),
        (ORDER[:-2], 0),  # its end was lost
        (ORDER * 20, 0),
        # Hidden in a report of missing and extra cards, of which there may be 26 each.
        (ORDER.replace(b"ORDER", b"END 5-1 22 -"), 1),
        (b":END 5-1 22 " + LISTED + b"," + LISTED + b" -#0000\r\n", 26),
    ],
)
def test_of_any_other_text_no_more_is_kept_than_a_report_may_name(data, most):
    record, seen = kept([data])
    assert len(record) == len(data)
    told = b"".join(bytes.fromhex(one.get("raw", "")) for one in seen)
    for text in (record, told):
        assert sum(text.count(card.encode()) for card in CARDS) <= most


def test_whatever_is_known_is_kept_as_it_came():
    said = [
        b"START",
        b"STATE shuffling 40 ? ?",
        b"STATE jam ? 12 exit",
        b"BEGIN 7-1 416",
        b"END 7-1 416 - -",
        b"END 7-1 415 4S,TD KH",
        b"END ? ? ? ?",
        b"FAULT jam-exit ON",
        b"NO busy",
    ]
    data = b"".join(OPEN.framed(text.decode()) for text in said)
    record, seen = kept([data])
    assert record == data
    assert len(seen) == len(said)


def test_a_spoilt_checksum_is_evidence_all_the_same():
    data = b":FAULT jam-exit ON#0000\r\n"
    record, seen = kept([data])
    assert record == data
    assert [one["reason"] for one in seen] == ["checksum"]


def test_garbage_keeps_its_length_and_nothing_else():
    record, seen = kept([b"4S 5H\r\n6C" + OK])
    assert record == b"\x1a\x1a \x1a\x1a\r\n\x1a\x1a" + OK
    assert seen[0] == {"type": "frame_rejected", "reason": "garbage", "raw": "1A1A201A1A0D0A1A1A"}


def test_an_order_that_stops_half_way_ends_in_silence():
    host = TextDriver(OPEN)
    host.apply(Received(at=1.0, data=b":ORDER 4S"))
    assert host.deadline() == 2.0
    late = host.redact(Received(at=2.0, data=b" 5H"))
    assert late.data == b" \x1a\x1a"
    seen = host.apply(Received(at=2.0, data=b" 5H"))
    assert plain(seen)[0]["raw"] == (b":ORDER \x1a\x1a").hex().upper()


def test_redacting_changes_nothing_and_other_signals_pass():
    host = TextDriver(OPEN)
    host.apply(Received(at=1.0, data=b":ORD"))
    for _ in range(3):
        assert host.redact(Received(at=1.1, data=b"ER 4S")).data == b"ER \x1a\x1a"
    for signal in (Silence(at=1.5), Lost(at=1.5)):
        assert host.redact(signal) is signal


def test_a_shoe_s_bytes_pass_as_they_are():
    host = TextDriver(codec_of("bee-tek-a"))
    signal = Received(data=b"noise [Game]<Card:4S>")
    assert host.redact(signal) is signal


def test_the_simulated_unit_offers_it_on_demand():
    made = TextShuffler(OPEN, decks=1, seconds=1.0, seed=5, attendant=False)
    for at, act in enumerate((Insert(), Press(), Offer(), Offer())):
        made.do(act, 10.0 * at)
    host, record, seen = TextDriver(OPEN), b"", []
    while (due := made.next_at()) is not None:
        for data in made.advance(due):
            signal = host.redact(Received(at=due, data=data))
            record += signal.data
            seen += host.apply(signal)
    assert [
        one.at for one in seen if one == DeviceFault(at=one.at, fault="order-disclosed", active=True)
    ] == [
        20.0,
        30.0,
    ]
    offered = [line for line in record.splitlines() if b"ORDER" in line]
    assert [line.strip(b" \x1a") for line in offered] == [b":ORDER"] * 2
