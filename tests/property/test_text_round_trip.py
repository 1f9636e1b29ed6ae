"""Any profile: what one role writes the other reads, whole streams come back, and nothing raises or grows."""

import json
import string

from hypothesis import given, settings
from hypothesis import strategies as st
from text_devices import codec_of

from controller.cards import DECK
from controller.observations import (
    CardDrawn,
    DeviceFault,
    FrameRejected,
    Observation,
    ShuffleFinished,
    ShufflerState,
    ShuffleStarted,
    WagerPlaced,
    WagerRemoved,
)
from controller.ports import Ended, Lost, Received, Restored, Resumed, Silence, observe
from drivers.text.check import parse_profile
from drivers.text.checksums import KINDS
from drivers.text.codec import Codec
from drivers.text.cutter import MAX_GARBAGE
from drivers.text.driver import TextDriver

CODECS = {name: codec_of(name) for name in ("bee-tek-a", "bee-tek-b", "open-shuffler", "open-bet-sensor")}
cards = st.sampled_from(DECK)


def words(alphabet, least=1):
    return st.text(alphabet, min_size=least, max_size=24)


names = words(string.ascii_lowercase + "-")
ids = words(string.ascii_letters + string.digits + "._-")
counts = st.none() | st.integers(0, 10**6)
lists = st.none() | st.lists(cards, max_size=26)
amounts = st.decimals(0, 10**6, places=2).map(str)
seats = st.integers(1, 14)

SAID = {
    "bee-tek-a": st.one_of(
        st.builds(CardDrawn, card=st.none() | cards, slot=st.sampled_from([None, "burn"])),
        st.builds(
            DeviceFault,
            fault=st.one_of(
                st.just("unreadable"),
                st.integers(4, 10**6).map("code-{}".format),
                st.integers(0, 255).map("warning-{}".format),
            ),
            active=st.just(True),
        ),
    ),
    "bee-tek-b": st.builds(CardDrawn, card=cards),
    "open-shuffler": st.one_of(
        st.builds(ShuffleStarted, pack=st.none() | ids, count=counts),
        st.builds(ShuffleFinished, pack=st.none() | ids, count=counts, missing=lists, extra=lists),
        st.builds(
            ShufflerState,
            state=st.sampled_from(["ready", "jam", "shuffling", "dealing"]),
            progress=st.none() | st.integers(0, 100),
            count=counts,
            place=st.none() | names,
        ),
        st.builds(DeviceFault, fault=names, active=st.booleans()),
    ),
    "open-bet-sensor": st.one_of(
        st.builds(WagerPlaced, seat=seats, wager=st.sampled_from(["player", "dragon_7"]), amount=amounts),
        st.builds(
            WagerRemoved, seat=seats, wager=st.sampled_from(["tie", "big"]), amount=st.none() | amounts
        ),
    ),
}
said = st.sampled_from(sorted(SAID)).flatmap(lambda name: st.tuples(st.just(name), st.lists(SAID[name])))


@st.composite
def reads(draw, data):
    """The bytes, cut into reads."""
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=6)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


@settings(max_examples=200)
@given(said, st.data())
def test_what_a_device_says_is_what_its_driver_observes(case, data):
    name, told = case
    frames = [CODECS[name].say(one) for one in told]
    assert None not in frames
    signals = [Received(data=piece) for piece in data.draw(reads(b"".join(frames)))]
    assert observe(TextDriver(CODECS[name]), [*signals, Ended()]) == told


# -- any profile ------------------------------------------------------------------------------------------

MARKS = "$%&!;|~"


@st.composite
def profiles(draw):
    """A line profile with marks, checksum, spelling of cards and message of its own."""
    start = draw(st.sampled_from(["", *MARKS[:4]]))
    end = draw(st.sampled_from([["\r\n", "\n"], [";"], ["|~"], ["\u0003"]]))
    kind = draw(st.sampled_from(["", *KINDS]))
    text = '[device]\nkind = "shoe"\ntitle = "any"\n[frame]\ngrammar = "line"\n'
    text += f"start = {json.dumps(start)}\nend = {json.dumps(end)}\n"
    if kind:
        separator = draw(st.sampled_from(["", "#", "*"]))
        parts = ["start", "end", *(["separator"] if separator else [])]
        covers = draw(st.lists(st.sampled_from(parts), unique=True).map(lambda some: ["content", *some]))
        place = draw(st.sampled_from(["before-end", "behind-end"]))
        spellings = ["hex-upper", "hex-lower", "hex", "decimal", "bytes"]
        spellings = spellings if place == "behind-end" else spellings[:-1]
        wide = kind.startswith("crc")
        text += f'[checksum]\nkind = "{kind}"\ncovers = {covers!r}\n'
        text += f'spelling = "{draw(st.sampled_from(spellings))}"\n'
        text += f'place = "{place}"\n'
        text += f'separator = "{separator}"\n'
        text += f'order = "{draw(st.sampled_from(["high-first", "low-first"][: 1 + wide]))}"\n'
    ranks = draw(st.permutations("ABCDEFGHIJKLM"))
    suits = draw(st.permutations("0123"))
    order = draw(st.sampled_from(["rank-suit", "suit-rank"]))
    text += f'[card]\norder = "{order}"\nranks = {_table("A23456789TJQK", ranks)}\n'
    text += f"suits = {_table('CDHS', suits)}\n"
    text += '[field.place]\nkind = "choice"\noptions = { p = "player", b = "banker", x = "burn" }\n'
    text += '[message.card]\ntext = "card {card} {slot:place}"\nmeans = "card_drawn"\n'
    text += '[message.bare]\ntext = "bare {card}"\nmeans = "card_drawn"\n'
    return text


def _table(names, spelled):
    return "{ " + ", ".join(f'{name} = "{text}"' for name, text in zip(names, spelled, strict=True)) + " }"


@settings(max_examples=100)
@given(profiles(), st.lists(st.tuples(cards, st.sampled_from([None, "player", "banker", "burn"]))), st.data())
def test_any_profile_gives_both_roles(text, dealt, data):
    codec = Codec(parse_profile(text, "any.toml"))
    told = [CardDrawn(card=card, slot=slot) for card, slot in dealt]
    sent = b"".join(codec.say(one) for one in told)
    signals = [Received(data=piece) for piece in data.draw(reads(sent))]
    assert observe(TextDriver(codec), [*signals, Ended()]) == told


# -- any bytes --------------------------------------------------------------------------------------------

pieces = st.one_of(
    st.sampled_from([b"[", b"]", b"<", b">", b":", b"#", b"*", b"\r\n", b" ", b"x" * 128, b":ORDER 4S 5H"]),
    st.sampled_from([b" [Game]<Card:4S> ", b"*0D21D7\r\n", b":OK#E45D\r\n", b":PUT 3 tie 5#0000\r\n", b"4S"]),
    st.binary(max_size=8),
)


@st.composite
def streams(draw):
    """Messages, marks and noise, some bytes spoilt, cut into reads."""
    data = bytearray(b"".join(draw(st.lists(pieces, max_size=12))))
    if data:
        for place, bits in draw(
            st.lists(st.tuples(st.integers(0, len(data) - 1), st.integers(1, 255)), max_size=3)
        ):
            data[place] ^= bits
    return draw(reads(bytes(data)))


@settings(max_examples=600)
@given(st.sampled_from(sorted(CODECS)), streams())
def test_a_stream_is_the_same_however_it_is_cut(name, stream):
    cutter, found = CODECS[name].cutter(), []
    for data in stream:
        found += cutter.feed(data)
        assert len(cutter.held) < MAX_GARBAGE
    found += cutter.end()
    assert cutter.held == b""
    whole = CODECS[name].cutter()
    assert found == [*whole.feed(b"".join(stream)), *whole.end()]
    # Nothing is lost but blanks between frames.
    assert not _without(b"".join(stream), [piece.raw for piece in found]).strip(b" \t\r\n")


def _without(data, pieces):
    """What is left of the data when the pieces are taken out in order."""
    left = b""
    for piece in pieces:
        before, found, data = data.partition(piece)
        assert found == piece
        left += before
    return left + data


@settings(max_examples=300)
@given(st.sampled_from(sorted(CODECS)), streams(), st.data())
def test_the_driver_raises_for_nothing_and_observes_the_same_from_its_record(name, stream, data):
    first, again = TextDriver(CODECS[name]), TextDriver(CODECS[name])
    breaks = st.sampled_from([Silence, Lost, Restored, Resumed])
    at = 0.0
    for happening in data.draw(st.lists(st.one_of(st.sampled_from(stream), breaks), max_size=12)):
        at += data.draw(st.floats(0, 2))
        signal = Received(at=at, data=happening) if isinstance(happening, bytes) else happening(at=at)
        record = first.redact(signal)
        assert again.redact(record) == record
        seen = first.apply(signal)
        assert all(isinstance(one, Observation) and one.at == at for one in seen)
        assert again.apply(record) == seen
        assert first.deadline() == again.deadline()


@settings(max_examples=300)
@given(st.lists(cards, min_size=4, max_size=30), st.integers(0, 200), st.integers(0, 255), st.data())
def test_no_damage_to_an_order_lets_it_be_kept(order, place, bits, data):
    codec = CODECS["open-shuffler"]
    sent = bytearray(codec.disclose(" " + " ".join(order)))
    sent[place % len(sent)] ^= bits
    host, record, seen = TextDriver(codec), b"", []
    for piece in data.draw(reads(bytes(sent))):
        signal = host.redact(Received(data=piece))
        record += signal.data
        seen += host.apply(signal)
    seen += host.apply(Ended())
    assert not any(card.encode() in record for card in order)
    rejected = [bytes.fromhex(one.raw) for one in seen if isinstance(one, FrameRejected)]
    assert not any(card.encode() in raw for card in order for raw in rejected)
    assert any(isinstance(one, FrameRejected) or one.fault == "order-disclosed" for one in seen)
