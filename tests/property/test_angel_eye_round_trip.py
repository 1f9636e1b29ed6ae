"""Angel Eye II-EX: whatever a shoe can say is read as it was meant."""

from hypothesis import given
from hypothesis import strategies as st

from controller.cards import DECK, HANDS
from controller.observations import (
    CardCarried,
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    DeviceResult,
    DeviceStandby,
    DeviceStarted,
    LockChanged,
    PresetChanged,
)
from drivers.shoes.angel_eye.codec import FROM_HOST, Command, Decoder, Report
from drivers.shoes.angel_eye.meaning import FAULTS, read, spell

cards = st.sampled_from(DECK)
hands = st.sampled_from(HANDS)
indices = st.integers(1, 3)
ascii_text = st.characters(min_codepoint=0x20, max_codepoint=0x7E)


def faults(codes):
    return codes.map(lambda code: FAULTS.get(code, f"code-{code}"))


observations = st.one_of(
    st.just(DeviceStarted()),
    st.just(DeviceStandby()),
    st.just(CutCardDrawn()),
    st.builds(CardDrawn, card=cards, slot=hands, index=indices),
    st.builds(CardDrawn, card=cards, slot=st.sampled_from(["burn", "first", "burn_count"])),
    st.builds(CardDrawn, card=st.none() | cards, mode=st.sampled_from(["lock", "error", "setting"])),
    st.builds(CardCarried, card=cards, slot=hands, index=indices),
    st.sampled_from(["player", "banker", "tie", None]).flatmap(
        lambda winner: st.builds(
            DeviceResult,
            winner=st.just(winner),
            player_pair=st.booleans(),
            banker_pair=st.booleans(),
            forced_quit=st.just(winner is None),
        )
    ),
    st.builds(DeviceFault, fault=faults(st.integers(0, 63)), active=st.just(True), error_mode=st.booleans()),
    st.builds(DeviceFault, fault=faults(st.integers(0, 127)), active=st.just(False)),
    st.builds(LockChanged, locked=st.booleans()),
    st.builds(
        PresetChanged,
        address=st.text(ascii_text, min_size=2, max_size=2),
        value=st.text(ascii_text, min_size=4, max_size=4),
    ),
)


@given(observations, st.integers(0, 10), st.sampled_from("0123456789"))
def test_an_observation_survives_the_wire(observation, number, sequence):
    report = Report(sequence, *spell(observation, number))
    assert Decoder().feed(report.raw) == [report]
    assert read(report) == observation


@given(
    st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=2, max_size=2),
    st.text("0123456789", min_size=2, max_size=2),
    st.sampled_from(["with-stx", "without-stx"]),
)
def test_a_command_survives_the_wire(kind, data, checksum):
    command = Command(kind, data, checksum)
    assert Decoder(FROM_HOST).feed(command.raw) == [command]
