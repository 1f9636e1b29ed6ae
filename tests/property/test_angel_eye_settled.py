"""Whatever happens to commands: each that was sent is settled once, and nothing but a lock is sent twice."""

from hypothesis import given
from hypothesis import strategies as st

from controller.observations import CommandSent, CommandSettled, DeviceFault
from controller.ports import Commanded, Lost, Received, Restored, Resumed, Silence
from drivers.shoes.angel_eye.codec import FROM_HOST, Command, Decoder, Report
from drivers.shoes.angel_eye.commands import COMMANDS
from drivers.shoes.angel_eye.driver import AngelEyeDriver
from drivers.shoes.angel_eye.meaning import spell

FAULTS = [
    DeviceFault(fault=fault, active=active, error_mode=mode)
    for fault in ("overdraw", "reverse-exit")
    for active in (True, False)
    for mode in (True, False)
]
reports = st.sampled_from([Report("1", *spell(f)).raw for f in FAULTS])
answers = st.one_of(st.just(b"\x06"), st.integers(0, 255).map(lambda code: bytes([0x15, code])))

happenings = st.one_of(
    st.sampled_from([*COMMANDS, "nonsense"]).map(lambda name: ("command", name)),
    st.one_of(answers, reports, st.binary(max_size=6)).map(lambda data: ("bytes", data)),
    st.sampled_from(["silence", "lost", "restored", "resumed"]).map(lambda what: (what, None)),
)


def signal(driver, what, value, at):
    match what:
        case "command":
            return Commanded(at=at, command=value, by="Ana")
        case "bytes":
            return Received(at=at, data=value)
        case "silence":
            return Silence(at=max(at, driver.deadline() or at))
        case "lost":
            return Lost(at=at)
        case "restored":
            return Restored(at=at)
    return Resumed(at=at)


@given(st.lists(st.tuples(happenings, st.floats(0.0, 2.0)), max_size=40))
def test_each_command_is_settled_once_and_only_locks_are_repeated(story):
    driver, decoder, at = AngelEyeDriver(), Decoder(FROM_HOST), 0.0
    outstanding, sent, times = None, None, 0
    for (what, value), later in story:
        at += later
        told = signal(driver, what, value, at)
        at = max(at, told.at)
        for seen in driver.apply(told):
            if isinstance(seen, CommandSettled) and seen.outcome != "withheld":
                assert seen.command == outstanding
                assert (seen.reason is None) == (seen.outcome == "accepted")
                outstanding = None
            elif isinstance(seen, CommandSent):
                assert outstanding is None
                outstanding, sent, times = seen.command, seen.command, 0
        for frame in decoder.feed(driver.outgoing()):
            assert isinstance(frame, Command)
            # An answer may come in the very moment in which the lock is repeated.
            assert outstanding is not None or frame.type == "LK"
            assert (frame.type, frame.data) == COMMANDS[sent]
            times += 1
            assert times <= (2 if frame.type == "LK" else 1)
