"""Commands to the Angel Eye: bytes, answers, guards, repeats, and what the table's decisions send."""

import pytest

from controller import facts
from controller.observations import (
    CardCarried,
    CardDrawn,
    CommandAnswered,
    CommandSent,
    CommandSettled,
    DeviceFault,
    DeviceStarted,
    LockChanged,
)
from controller.orders import Order
from controller.ports import Commanded, Lost, Received, Restored, Resumed, Silence, find_driver
from drivers.shoes.acts import Fail, Power, Pull
from drivers.shoes.angel_eye.codec import Ack, Command, Nak, Report
from drivers.shoes.angel_eye.commands import COMMANDS, REFUSALS
from drivers.shoes.angel_eye.driver import AngelEyeDriver
from drivers.shoes.angel_eye.meaning import spell
from drivers.shoes.angel_eye.settings import Settings
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator, Answers
from drivers.shoes.angel_eye.unit import Ways
from drivers.testing.table_end import TableEnd

ACK = Ack.raw
GENERAL = DeviceFault(fault="reverse-exit", active=True, error_mode=True)
OVERDRAW = DeviceFault(fault="overdraw", active=True, error_mode=True)


class Host:
    """A driver, told things a second apart."""

    def __init__(self, **settings):
        self.driver = AngelEyeDriver(Settings(**settings))
        self.at, self._sent = 0.0, 0
        self.driver.apply(Restored(at=0.0))

    def report(self, *observations):
        for one in observations:
            self._sent += 1
            self.hear(Report(str(self._sent % 10), *spell(one)).raw)

    def hear(self, data, after=1.0):
        self.at += after
        return self.driver.apply(Received(at=self.at, data=data))

    def command(self, command, by="engineer", after=1.0):
        self.at += after
        return self.driver.apply(Commanded(at=self.at, command=command, by=by))

    def silence(self):
        self.at = self.driver.deadline()
        return self.driver.apply(Silence(at=self.at))


def outcome(observations):
    (settled,) = (one for one in observations if isinstance(one, CommandSettled))
    return settled.outcome, settled.code, settled.reason


# -- bytes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "with_stx", "without"),
    [
        ("unlock", "024F504C4B3031033138", "024F504C4B3031033141"),
        ("lock", "024F504C4B3032033142", "024F504C4B3032033139"),
        ("clear", "024F5045433030033138", "024F5045433030033141"),
        ("keep", "024F5045433031033139", "024F5045433031033142"),
        ("discard", "024F5045433032033141", "024F5045433032033138"),
        ("confirm", "024F5047503030033039", "024F5047503030033042"),
    ],
)
def test_the_bytes_of_each_command_by_either_rule(command, with_stx, without):
    for rule, raw in (("with-stx", with_stx), ("without-stx", without)):
        host = Host(command_checksum=rule)
        host.report(OVERDRAW if command in ("keep", "discard") else LockChanged(locked=False))
        if command == "clear":
            host.report(GENERAL)
        host.command(command)
        assert host.driver.outgoing().hex().upper() == raw


def test_the_spec_names_them():
    assert find_driver("angel-eye").commands == tuple(COMMANDS)


# -- answers ------------------------------------------------------------------------------------------------


def test_an_ack_accepts():
    host = Host()
    assert host.command("lock", by="Ana") == [CommandSent(at=1.0, command="lock", by="Ana")]
    assert host.hear(ACK) == [
        CommandAnswered(at=2.0, ok=True, code=None),
        CommandSettled(at=2.0, command="lock", by="Ana", outcome="accepted", code=None, reason=None),
    ]


@pytest.mark.parametrize("code", REFUSALS)
def test_a_nak_refuses_with_its_reason(code):
    host = Host()
    host.command("confirm")
    refused = outcome(host.hear(Nak(int(code, 16)).raw))
    assert refused[:2] == ("refused", code)
    assert refused[2].startswith(REFUSALS[code])


def test_a_nak_that_nobody_knows_refuses_as_well():
    host = Host()
    host.command("confirm")
    assert outcome(host.hear(b"\x15\x05")) == ("refused", "05", "the shoe's refusal 05 is not known")


@pytest.mark.parametrize(("mine", "other"), [("with-stx", "without-stx"), ("without-stx", "with-stx")])
def test_a_wrong_checksum_offers_the_other_rule_and_never_takes_it(mine, other):
    host = Host(command_checksum=mine)
    sent = []
    for _ in range(2):
        host.command("lock")
        sent.append(host.driver.outgoing())
        assert f'command_checksum = "{other}"' in outcome(host.hear(Nak(2).raw))[2]
    assert sent == [Command("LK", "02", mine).raw] * 2


def test_no_answer_within_three_seconds_is_neither():
    host = Host()
    host.command("confirm")
    assert host.driver.deadline() == host.at + 3.0
    assert outcome(host.silence())[0] == "unanswered"
    assert host.driver.deadline() is None


def test_an_answer_after_its_time_settles_nothing():
    host = Host()
    host.command("confirm")
    assert outcome(host.hear(ACK, after=3.5))[0] == "unanswered"
    assert host.hear(ACK) == [CommandAnswered(at=host.at, ok=True, code=None)]


def test_the_second_answer_and_somebody_elses_settle_nothing():
    host = Host()
    assert len(host.hear(ACK)) == 1
    host.command("confirm")
    assert len(host.hear(ACK)) == 2
    assert len(host.hear(ACK)) == 1


def test_an_answer_between_two_copies_of_a_report():
    host = Host()
    host.command("lock")
    report = Report("1", *spell(LockChanged(locked=True))).raw
    seen = host.hear(report + ACK + report)
    assert [type(one) for one in seen] == [LockChanged, CommandAnswered, CommandSettled]


def test_one_is_outstanding():
    host = Host()
    host.command("lock")
    assert outcome(host.command("unlock")) == ("withheld", None, "lock has not been answered yet")
    host.hear(ACK)
    assert host.command("unlock") == [CommandSent(at=host.at, command="unlock", by="engineer")]


# -- repeats ------------------------------------------------------------------------------------------------


def test_a_lock_is_given_once_more_and_no_more():
    host = Host()
    host.command("lock")
    first = host.driver.outgoing()
    assert host.silence() == []
    assert host.driver.outgoing() == first
    assert outcome(host.silence())[0] == "unanswered"
    assert host.driver.outgoing() == b""


@pytest.mark.parametrize("code", [0x01, 0x03, 0x21, 0x22])
def test_a_lock_that_a_busy_shoe_refused_is_given_once_more_a_second_later(code):
    host = Host()
    host.command("lock")
    host.driver.outgoing()
    assert host.hear(Nak(code).raw) == [CommandAnswered(at=host.at, ok=False, code=f"{code:02X}")]
    assert host.driver.outgoing() == b""
    assert host.driver.deadline() == host.at + 1.0
    assert len(host.hear(ACK, after=0.5)) == 1  # an answer to nothing
    host.silence()
    assert host.driver.outgoing() != b""
    assert outcome(host.hear(Nak(code).raw))[:2] == ("refused", f"{code:02X}")


@pytest.mark.parametrize("command", ["clear", "keep", "confirm"])
def test_clearing_and_confirming_are_never_repeated(command):
    host = Host()
    host.report({"clear": GENERAL, "keep": OVERDRAW, "confirm": LockChanged(locked=False)}[command])
    host.command(command)
    host.driver.outgoing()
    assert outcome(host.silence())[0] == "unanswered"
    host.command(command)
    host.driver.outgoing()
    assert outcome(host.hear(Nak(0x21).raw))[0] == "refused"
    assert host.driver.outgoing() == b""


# -- guards -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reported", "command", "reason"),
    [
        ([OVERDRAW], "clear", "kept or discarded"),
        ([OVERDRAW, GENERAL], "clear", "kept or discarded"),
        ([], "clear", "no error"),
        ([GENERAL], "keep", "no overdraw"),
        ([], "discard", "no overdraw"),
        ([OVERDRAW], "lock", "error mode"),
        ([GENERAL], "unlock", "error mode"),
        ([GENERAL], "confirm", "error mode"),
        ([], "open", "no such command"),
    ],
)
def test_what_is_withheld(reported, command, reason):
    host = Host()
    host.report(*reported)
    what, _, why = outcome(host.command(command))
    assert (what, reason in why) == ("withheld", True)
    assert host.driver.outgoing() == b""


@pytest.mark.parametrize(
    "over",
    [
        DeviceFault(fault="overdraw", active=False),
        DeviceStarted(),
        CardDrawn(card="8S", slot="player", index=1),
    ],
)
def test_error_mode_ends_when_the_shoe_says_or_shows_so(over):
    host = Host()
    host.report(OVERDRAW, over)
    assert isinstance(host.command("lock")[0], CommandSent)


def test_an_error_outside_error_mode_bars_nothing():
    host = Host()
    host.report(DeviceFault(fault="draw-timeout", active=True, error_mode=False))
    assert isinstance(host.command("lock")[0], CommandSent)
    host.hear(ACK)
    assert isinstance(host.command("clear")[0], CommandSent)


# -- the link and the service -------------------------------------------------------------------------------


def test_a_lost_link_leaves_it_unanswered_and_nothing_is_sent_meanwhile():
    host = Host()
    host.command("lock")
    host.at += 1
    assert outcome(host.driver.apply(Lost(at=host.at)))[0] == "unanswered"
    assert host.driver.outgoing() == b""
    assert outcome(host.command("lock")) == ("withheld", None, "the shoe is not connected")


def test_a_restart_of_the_service_leaves_it_unanswered():
    host = Host()
    host.command("confirm")
    host.at += 0.5
    assert outcome(host.driver.apply(Resumed(at=host.at)))[0] == "unanswered"
    assert host.driver.outgoing() == b""


# -- against the simulated shoe -----------------------------------------------------------------------------


class Table:
    """A simulated shoe driven by hand and the controller's core, connected."""

    def __init__(self, answers=None, ways=None, deaf_to="", **options):
        self.at = 0.0
        self.deaf_to = deaf_to.encode()  # the code of reports that never arrive
        self.shoe = AngelEyeSimulator(dealer=False, answers=answers, ways=ways)
        self.end = TableEnd(lambda data: self.shoe.receive(data, self.at), "angel-eye", {}, 8, 0.0, **options)
        self.end.hear(Restored(at=0.0))
        self.do(Power())

    def do(self, *acts, seconds=4.0):
        for number, act in enumerate(acts):
            self.shoe.do(act, self.at + number + 1)
        end = self.at + len(acts) + seconds
        while True:
            times = [t for t in (self.shoe.next_at(), self.end.deadline()) if t is not None and t <= end]
            if not times:
                break
            self.at = max(self.at, min(times))
            if (deadline := self.end.deadline()) is not None and deadline <= self.at:
                self.end.hear(Silence(at=self.at))
            for data in self.shoe.advance(self.at):
                if not self.deaf_to or data[2:3] != self.deaf_to:
                    self.end.hear(Received(at=self.at, data=data))
        self.at = end

    def deal(self, *cards, seconds=4.0):
        self.do(*(Pull(item=card) for card in cards), seconds=seconds)

    def order(self, order, **fields):
        self.end.enter(Order(at=self.at, order=order, by="pit", reason="as ruled", **fields))
        self.do()

    def misplace(self):
        """The shoe gives a card to a hand whose turn it is not."""
        self.end.hear(Received(at=self.at, data=Report("9", *spell(MISPLACED)).raw))
        self.do()

    def commands(self):
        return [(one.command, one.by) for one in self.end.seen if isinstance(one, CommandSent)]

    def outcomes(self):
        return [(one.command, one.outcome) for one in self.end.seen if isinstance(one, CommandSettled)]

    def rounds(self):
        return [(one.player_cards, one.banker_cards) for one in self.end.said_as(facts.RoundDecided)]


MISPLACED = CardDrawn(card="2C", slot="banker", index=3)
NATURAL = ("8S", "5C", "KS", "5D")  # Player stands on eight


def overdrawn(**options):
    """A card too many, pulled before the result is out."""
    table = Table(**options)
    table.shoe.do(Pull(item="JH"), table.at + 4.1)
    table.deal(*NATURAL)
    (raised,) = table.end.said_as(facts.IrregularityRaised)[-1:]
    assert raised.code == "overdraw"
    return table


def test_carrying_the_card_tells_the_shoe_to_keep_it_and_the_next_round_begins_with_it():
    table = overdrawn()
    table.order("carry_card")
    assert table.commands() == [("keep", "pit")]
    assert table.outcomes() == [("keep", "accepted")]
    assert CardCarried in {type(one) for one in table.end.seen}
    table.deal("9C", "2D", "7H")  # Banker's first; Player has the jack and the deuce
    table.deal("5S")
    assert table.rounds()[0] == (["8S", "KS"], ["5C", "5D"])
    assert table.rounds()[1] == (["JH", "2D", "5S"], ["9C", "7H"])
    assert [one.code for one in table.end.said_as(facts.IrregularityRaised)].count("overdraw") == 1


def test_burning_the_card_tells_the_shoe_to_discard_it():
    table = overdrawn()
    table.order("burn_card")
    assert table.commands() == [("discard", "pit")]
    table.deal("9C", "9H", "2D", "KD", "3S", "4S")
    assert len(table.rounds()) == 2


@pytest.mark.parametrize("order", ["accept", "void_round"])
def test_other_orders_tell_the_shoe_nothing(order):
    table = overdrawn()
    table.order(order)
    assert table.commands() == []


def test_a_refused_order_tells_the_shoe_nothing():
    table = overdrawn()
    table.order("carry_card", irregularity=99)
    assert table.commands() == []


def test_an_overdraw_that_only_the_table_sees_is_no_business_of_the_shoe():
    table = Table()
    table.deal("8S", "5C", seconds=0.2)
    table.do(Fail(fault="button-misuse"), Pull(item="KS"))  # in error mode: outside the game
    table.order("burn_card")
    assert table.commands() == []


def test_a_unit_that_deals_the_kept_card_as_well_deals_it_once():
    table = overdrawn(ways=Ways(deals_carried=True))
    table.order("carry_card")
    table.deal("9C", "2D", "7H", "5S")
    assert table.rounds()[1] == (["JH", "2D", "5S"], ["9C", "7H"])


def test_a_shoe_that_does_not_answer_is_told_once_and_that_is_said():
    table = overdrawn(answers=Answers(times=0))
    table.order("carry_card")
    assert table.commands() == [("keep", "pit")]
    assert table.outcomes() == [("keep", "unanswered")]


def test_where_the_name_of_the_kept_card_is_lost_the_next_round_is_held():
    table = overdrawn(deaf_to="R")
    table.order("carry_card")
    table.deal("9C")
    assert table.end.said_as(facts.IrregularityRaised)[-1].code == "wrong-slot"
    table.order("resynchronise", player=["JH"], banker=["9C"])
    table.deal("2D", "7H", "5S")
    assert table.rounds()[1] == (["JH", "2D", "5S"], ["9C", "7H"])


def test_commands_off_send_nothing():
    table = overdrawn(commands=False)
    table.order("burn_card")
    assert table.commands() == []


# -- locked while held --------------------------------------------------------------------------------------


def test_a_hold_locks_the_shoe_and_its_end_unlocks_it():
    table = Table(lock_on_hold=True)
    table.deal("8S", "5C")
    table.misplace()
    assert table.commands() == [("lock", "table")]
    assert table.shoe.locked
    table.order("resynchronise", player=["8S"], banker=["5C"])
    assert table.commands() == [("lock", "table"), ("unlock", "table")]
    assert not table.shoe.locked


def test_in_error_mode_a_hold_locks_nothing_and_later_unlocks_nothing():
    table = overdrawn(lock_on_hold=True)
    assert table.outcomes() == [("lock", "withheld")]
    table.order("burn_card")
    assert table.commands() == [("discard", "pit")]


def test_a_lock_that_was_refused_is_not_taken_back():
    table = Table(lock_on_hold=True, answers=Answers(refuse=0x13))
    table.deal("8S", "5C")
    table.misplace()
    table.order("resynchronise", player=["8S"], banker=["5C"])
    assert table.outcomes() == [("lock", "refused")]
