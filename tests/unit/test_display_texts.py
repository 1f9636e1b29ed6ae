"""What small displays say at each moment, fed with nothing but what the board audience may see."""

import pytest
from text_devices import codec, codec_of

from controller import facts
from controller.displays import Display
from controller.observations import HandCalled, LinkLost, LinkRestored, ResultConfirmed
from controller.ports import Lost, Received, Restored, Resumed, find_driver
from controller.rules.drawing import total
from controller.views.view import TableInfo, TableView
from drivers.displays.text import DisplaySettings, Shown, TextDisplay, TextScreen

LINE, LAMPS = codec_of("line-display"), codec_of("lamps")

OPENED = facts.RoundOpened(round=1)
CLOSED = facts.BetsClosed(round=1)
SHOE = facts.ShoeStarted(shoe=1, decks=8, pack=None)


def decided(winner="player", player=("4C", "5D"), banker=("2C", "2D")):
    return facts.RoundDecided(
        round=1, winner=winner, player_cards=[*player], banker_cards=[*banker], player_total=total(player),
        banker_total=total(banker), natural=True, cards=4, player_pair=False, banker_pair=True,
        dragon_7=False, panda_8=False, corrected=False,
    )  # fmt: skip


def raised(severity="stop"):
    return facts.IrregularityRaised(
        id=1, code="overdraw", round=1, severity=severity, detail="A card.", citation=None, remedies=[]
    )


def shown(codec, *items, dealing="face-up", **settings):
    """What people read after each of the items."""
    view = TableView(TableInfo(id="T", name="T", dealing=dealing), "board")
    display, screen = TextDisplay(codec, DisplaySettings(**settings)), TextScreen(codec)
    read = []
    for seq, item in enumerate(items):
        view.see(seq, item)
        display.show(view.state(with_roads=False))
        screen.receive(display.outgoing(), float(seq))
        read.append(screen.truth[-1].text)
    return read


def test_a_round_on_a_line_of_twenty_characters():
    assert shown(
        LINE, facts.ShoeEnded(shoe=0, rounds=0, cards_seen=0), SHOE, OPENED, CLOSED, decided(),
        ResultConfirmed(), facts.RoundConfirmed(round=1), facts.RoundOpened(round=2),
        facts.RoundVoided(round=2),
    ) == [
        "TABLE CLOSED", "NEW SHOE", "PLACE YOUR BETS", "NO MORE BETS", "PLAYER WINS 9-4", "PLAYER WINS 9-4",
        "PLAYER WINS 9-4", "PLACE YOUR BETS", "ROUND VOID",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fact", "line", "lamps"),
    [
        (decided(), "PLAYER WINS 9-4", "player"),
        (decided("banker", ("2C", "2D"), ("4C", "5D")), "BANKER WINS 9-4", "banker"),
        (decided("tie", ("3C", "3D"), ("3H", "3S")), "TIE 6-6", "tie"),
    ],
)
def test_results(fact, line, lamps):
    assert shown(LINE, SHOE, OPENED, CLOSED, fact)[-2:] == ["NO MORE BETS", line]
    assert shown(LAMPS, SHOE, OPENED, CLOSED, fact)[-2:] == ["off", lamps]


def test_a_held_round_is_a_wait_and_nothing_else():
    said = shown(LINE, SHOE, OPENED, CLOSED, raised(), decided())
    assert said[-2:] == ["PLEASE WAIT", "PLEASE WAIT"]
    assert shown(LAMPS, SHOE, OPENED, CLOSED, raised())[-1] == "call"


def test_a_result_is_not_shown_before_its_hands_are_called():
    items = [SHOE, OPENED, CLOSED]
    items += [
        facts.CardDealt(round=1, hand=hand, index=index, card=card)
        for index, hand, card in (
            (1, "player", "4C"),
            (1, "banker", "2C"),
            (2, "player", "5D"),
            (2, "banker", "2D"),
        )
    ]
    items += [decided(), HandCalled(hand="player"), HandCalled(hand="banker")]
    said = shown(LINE, *items, dealing="both-down")
    assert said[-3:] == ["NO MORE BETS", "NO MORE BETS", "PLAYER WINS 9-4"]


def test_a_house_s_own_words():
    own = {"wait": "BITTE WARTEN", "betting": "RUNDE {round}"}
    assert shown(LINE, SHOE, OPENED, CLOSED, raised(), texts=own)[1::2] == ["RUNDE 1", "BITTE WARTEN"]


def test_a_text_that_is_too_long_is_cut():
    assert shown(LINE, SHOE, texts={"new_shoe": "A VERY LONG GREETING TO EVERYBODY"}) == [
        "A VERY LONG GREETING"
    ]


def test_nothing_is_sent_twice_but_after_a_lost_link():
    display = TextDisplay(LINE, DisplaySettings())
    assert isinstance(display, Display)
    state = TableView(TableInfo(id="T", name="T"), "board").state()
    display.apply(Restored(at=0.0))
    display.show(state)
    assert display.outgoing() == b"TABLE CLOSED\r\n"
    display.show(state)
    assert display.outgoing() == b""
    assert display.apply(Lost(at=1.0)) == [LinkLost(at=1.0)]
    display.show(state)
    assert display.apply(Restored(at=2.0)) == [LinkRestored(at=2.0)]
    assert display.outgoing() == b"TABLE CLOSED\r\n"


def test_only_the_latest_picture_is_sent():
    display = TextDisplay(LINE, DisplaySettings())
    view = TableView(TableInfo(id="T", name="T"), "board")
    display.show(view.state())
    view.see(1, SHOE)
    display.show(view.state())
    assert display.outgoing() == b"NEW SHOE\r\n"


def test_the_simulated_display_writes_down_what_people_read():
    screen = TextScreen(LINE)
    screen.receive(b"ONE\r\nTW", 1.0)
    screen.receive(b"O\n", 2.0)
    assert screen.truth == [Shown(at=1.0, text="ONE"), Shown(at=2.0, text="TWO")]


@pytest.mark.parametrize("name", ["line-display", "lamps", "alpha-sign"])
def test_they_are_found_by_name(name):
    spec = find_driver(name)
    display = spec.driver(spec.settings()())
    assert spec.kind == "display"
    assert isinstance(display, Display)
    assert display.apply(Resumed(at=1.0)) == [LinkLost(at=1.0)]
    assert display.deadline() is None
    assert [type(one).__name__ for one in display.apply(Received(at=2.0, data=b"?\n"))] == ["FrameRejected"]


def test_a_display_with_frames_of_its_own():
    own = codec(
        '[device]\nkind = "display"\ntitle = "framed"\n[frame]\ngrammar = "line"\nstart = "!"\nend = [";"]\n'
        '[checksum]\nkind = "xor"\n[field.text]\nkind = "text"\nmost = 8\n[command.show]\ntext = "1{text}"\n'
        '[show]\nnew_shoe = "HI"\n'
    )
    check = ord("1") ^ ord("H") ^ ord("I")
    display = TextDisplay(own, DisplaySettings())
    view = TableView(TableInfo(id="T", name="T"), "board")
    view.see(1, SHOE)
    display.show(view.state())
    assert display.outgoing() == b"!1HI%02X;" % check
