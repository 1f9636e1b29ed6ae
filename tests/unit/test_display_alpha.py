"""The LED sign: packets as the Alpha protocol has them, and what the sign makes of them."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller import facts
from controller.observations import FrameRejected, LinkRestored
from controller.ports import ConfigurationError, Lost, Received, Restored, find_driver
from controller.views.view import TableInfo, TableView
from drivers.displays.alpha import MAX_PACKET, Decoder, Text
from drivers.displays.alpha_sign import AlphaSign, AlphaSignSimulator, SignSettings
from drivers.displays.text import Shown

HELLO = Text("HELLO", colour="green")
PACKET = b"\0\0\0\0\0\x01Z00\x02AA\x1b b\x1c2HELLO\x03%04X\x04"


def packet():
    return PACKET % sum(b"\x02AA\x1b b\x1c2HELLO\x03")


def test_a_packet_byte_by_byte():
    assert HELLO.packet() == packet()
    assert HELLO.packet(with_checksum=False) == packet()[:-6] + b"\x04"


texts = st.builds(
    Text,
    st.text(string.ascii_uppercase + string.digits + " -.:", max_size=40),
    colour=st.sampled_from(["red", "green", "amber"]),
    mode=st.sampled_from(["rotate", "hold", "flash"]),
    type=st.sampled_from("Z^f"),
    address=st.sampled_from(["00", "1F", "??"]),
    label=st.sampled_from("A0B"),
)


@given(st.lists(texts, max_size=4), st.booleans(), st.binary(max_size=6), st.integers(1, 7))
def test_what_is_written_is_what_is_read(told, with_checksum, noise, step):
    noise = noise.replace(b"\x01", b"")
    data = b"".join(noise + text.packet(with_checksum) for text in told)
    decoder = Decoder()
    read = [text for at in range(0, len(data), step) for text in decoder.feed(data[at : at + step])]
    assert read == told


@pytest.mark.parametrize(
    "data",
    [
        packet().replace(b"HELLO", b"HALLO"),
        packet()[:-1],
        b"\x01Z00\x02E$\x04",
        b"\x01" + b"x" * 2 * MAX_PACKET + b"\x04",
    ],
)
def test_what_is_no_text_is_passed_over(data):
    decoder = Decoder()
    assert decoder.feed(data) == []
    assert decoder.feed(packet()) == [HELLO]


def view(*items):
    seen = TableView(TableInfo(id="T", name="T"), "board")
    for seq, item in enumerate(items):
        seen.see(seq, item)
    return seen.state(with_roads=False)


def sent(sign):
    (text,) = Decoder().feed(sign.outgoing())
    return text


ROUND = (
    facts.ShoeStarted(shoe=1, decks=8, pack=None),
    facts.RoundOpened(round=1),
    facts.BetsClosed(round=1),
    facts.RoundDecided(
        round=1, winner="banker", player_cards=["4C", "KD"], banker_cards=["7C", "2D"], player_total=4,
        banker_total=9, natural=True, cards=4, player_pair=False, banker_pair=False, dragon_7=False,
        panda_8=False, corrected=False,
    ),
)  # fmt: skip


def test_the_sign_through_a_round():
    sign = AlphaSign(SignSettings())
    told = []
    for count in range(len(ROUND) + 1):
        sign.show(view(*ROUND[:count]))
        told.append(sent(sign))
    assert [(text.text, text.colour, text.mode) for text in told] == [
        ("TABLE CLOSED", "amber", "hold"),
        ("NEW SHOE", "amber", "hold"),
        ("PLACE YOUR BETS", "green", "rotate"),
        ("NO MORE BETS", "amber", "hold"),
        ("BANKER WINS 9-4", "red", "rotate"),
    ]


def test_settings_of_the_sign():
    ways = SignSettings(
        type="^", address="0A", label="0", width=30, checksum=False, texts={"closed": "SEE YOU"}
    )
    sign = AlphaSign(ways)
    sign.show(view())
    data = sign.outgoing()
    assert data == b"\0\0\0\0\0\x01^0A\x02A0\x1b b\x1c3SEE YOU\x04"


def test_it_is_told_again_when_it_may_have_forgotten():
    sign = AlphaSign(SignSettings())
    sign.show(view())
    first = sign.outgoing()
    sign.show(view())
    assert sign.outgoing() == b""
    sign.apply(Lost(at=1.0))
    assert sign.apply(Restored(at=2.0)) == [LinkRestored(at=2.0)]
    assert sign.outgoing() == first


def test_what_a_sign_says_is_evidence():
    assert AlphaSign(SignSettings()).apply(Received(at=1.0, data=b"\x06")) == [
        FrameRejected(at=1.0, reason="unknown", raw="06")
    ]


def test_the_simulated_sign_writes_down_what_people_read():
    spec = find_driver("alpha-sign")
    sign = spec.simulator(spec.settings()(), seed=1)
    sign.receive(packet(), 3.0)
    assert sign.truth == [Shown(at=3.0, text="HELLO")]
    assert sign.next_at() is None
    assert sign.advance(9.0) == []
    assert spec.serial == {"baud": 9600, "bits": 7, "parity": "E", "stop": 1}


def test_a_sign_deals_no_shoes():
    with pytest.raises(ConfigurationError, match="simulated sign: shoes: there is no such option"):
        AlphaSignSimulator(shoes=1)
