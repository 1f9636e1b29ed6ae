"""The driver of a profile: silence, a lost link, commands and their answers."""

import pytest
from text_devices import codec_of, driver

from controller.observations import (
    CardDrawn,
    CommandAnswered,
    CommandSent,
    CommandSettled,
    FrameRejected,
    LinkLost,
    LinkRestored,
)
from controller.ports import Commanded, Ended, Lost, Received, Restored, Resumed, Silence, observe
from drivers.text.driver import TextDriver

A, B, SHUFFLER = (codec_of(name) for name in ("bee-tek-a", "bee-tek-b", "open-shuffler"))


def rejected(data, at=None, reason="garbage"):
    return FrameRejected(at=at, reason=reason, raw=data.hex().upper())


@pytest.mark.parametrize("data", [b"noise", b"*0D21D"])
def test_what_is_held_ends_after_a_second_of_silence(data):
    host = TextDriver(B)
    assert host.apply(Received(at=1.0, data=data[:3])) == []
    assert host.deadline() == 2.0
    assert host.apply(Received(at=1.9, data=data[3:])) == []
    assert host.deadline() == 2.9
    assert host.apply(Silence(at=2.8)) == []
    assert host.apply(Silence(at=2.9)) == [rejected(data, 2.9)]
    assert host.deadline() is None


def test_bytes_that_come_too_late_begin_anew():
    host = TextDriver(B)
    host.apply(Received(at=1.0, data=b"*0D2"))
    seen = host.apply(Received(at=2.0, data=b"*0D21D7\r\n"))
    assert seen == [rejected(b"*0D2", 2.0), CardDrawn(at=2.0, card="AC")]


def test_blanks_are_not_waited_for():
    host = TextDriver(A)
    host.apply(Received(at=1.0, data=b" [Game]<Card:4S> \r\n\t "))
    assert host.deadline() is None


def test_a_lost_link_ends_what_is_held_and_is_told_once():
    host = TextDriver(B)
    host.apply(Received(at=1.0, data=b"*0D2"))
    assert host.apply(Lost(at=1.5)) == [rejected(b"*0D2", 1.5), LinkLost(at=1.5)]
    assert host.apply(Lost(at=1.6)) == []
    assert host.deadline() is None
    assert host.apply(Restored(at=2.0)) == [LinkRestored(at=2.0)]
    assert host.apply(Restored(at=2.1)) == []


def test_a_restart_is_a_lost_link_since_nothing_is_numbered():
    host = TextDriver(B)
    assert host.apply(Restored(at=1.0)) == []
    assert host.apply(Resumed(at=2.0)) == [LinkLost(at=2.0)]
    assert host.apply(Restored(at=3.0)) == [LinkRestored(at=3.0)]


def test_an_echo_is_not_expected_across_a_lost_link():
    host = TextDriver(A)
    seen = observe(
        host, [Received(data=b"[Game]<Card:4S>"), Lost(), Restored(), Received(data=b"4S"), Ended()]
    )
    assert rejected(b"4S") in seen


def test_a_message_that_means_nothing_is_no_observation():
    host = driver(
        '[device]\nkind = "sensor"\ntitle = "t"\n[frame]\ngrammar = "line"\n'
        '[message.alive]\ntext = "ALIVE"\nmeans = "nothing"\n'
    )
    assert observe(host, [Received(data=b"ALIVE\nALIV\nALIVE!\n")]) == [
        rejected(b"ALIV\n", reason="unknown"),
        rejected(b"ALIVE!\n", reason="payload"),
    ]


# -- commands ---------------------------------------------------------------------------------------------


def settled(outcome, at, code=None, reason=None, command="shuffle"):
    return CommandSettled(at=at, command=command, by="eng", outcome=outcome, code=code, reason=reason)


def commanded(command="shuffle", at=1.0):
    host = TextDriver(SHUFFLER)
    host.apply(Restored(at=0.0))
    return host, host.apply(Commanded(at=at, command=command, by="eng"))


def test_a_command_goes_out_once_and_is_accepted():
    host, seen = commanded()
    assert seen == [CommandSent(at=1.0, command="shuffle", by="eng")]
    assert host.outgoing() == SHUFFLER.framed("DO SHUFFLE")
    assert host.outgoing() == b""
    assert host.deadline() == 4.0
    seen = host.apply(Received(at=1.5, data=SHUFFLER.framed("OK")))
    assert seen == [CommandAnswered(at=1.5, ok=True, code=None), settled("accepted", 1.5)]
    assert host.deadline() is None


def test_a_refusal_has_the_device_s_code():
    host, _ = commanded()
    seen = host.apply(Received(at=1.5, data=SHUFFLER.framed("NO shuffling")))
    assert seen == [
        CommandAnswered(at=1.5, ok=False, code="shuffling"),
        settled("refused", 1.5, "shuffling", "the device refused it"),
    ]


def test_no_answer_is_an_outcome_of_its_own():
    host, _ = commanded()
    assert host.apply(Silence(at=4.0)) == [settled("unanswered", 4.0, reason="no answer within 3 s")]
    late = host.apply(Received(at=4.5, data=SHUFFLER.framed("OK")))
    assert late == [CommandAnswered(at=4.5, ok=True, code=None)]


def test_one_command_at_a_time():
    host, _ = commanded()
    host.outgoing()
    seen = host.apply(Commanded(at=2.0, command="eject", by="eng"))
    assert [one.outcome for one in seen] == ["withheld"]
    assert host.outgoing() == b""
    assert host.apply(Commanded(at=4.0, command="eject", by="eng"))[-1] == CommandSent(
        at=4.0, command="eject", by="eng"
    )


def test_what_the_device_cannot_do_is_not_sent():
    host, (seen,) = commanded("explode")
    assert (seen.outcome, seen.reason) == ("withheld", "its commands are shuffle, eject, state")
    assert host.outgoing() == b""


def test_a_lost_link_leaves_a_command_unanswered_and_unsent():
    host, _ = commanded()
    assert host.apply(Lost(at=2.0)) == [
        settled("unanswered", 2.0, reason="the link was lost"),
        LinkLost(at=2.0),
    ]
    assert host.outgoing() == b""
    seen = host.apply(Commanded(at=3.0, command="eject", by="eng"))
    assert [one.reason for one in seen] == ["the device is not connected"]


def test_silence_for_an_answer_does_not_end_what_is_held_too_early():
    host, _ = commanded()
    host.apply(Received(at=3.5, data=b":OK"))
    assert host.deadline() == 4.0
    assert [type(one) for one in host.apply(Silence(at=4.0))] == [CommandSettled]
    assert host.deadline() == 4.5
