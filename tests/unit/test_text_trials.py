"""What a profile says is tried against itself before it is used: nothing is accepted that fails later."""

from pathlib import Path

import pytest
from text_devices import codec

from controller.observations import CardDrawn, ShuffleFinished, ShufflerState
from controller.ports import ConfigurationError, Received, observe, profile_driver
from drivers.text.check import parse_profile
from drivers.text.driver import TextDriver

DEVICES = Path(__file__).parents[1] / "data/devices"
TEXTS = {path.stem: path.read_text("utf-8") for path in DEVICES.glob("*.toml")}


def faults(name, *pairs):
    """The faults of an invented profile with these changes."""
    text = TEXTS[name]
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    with pytest.raises(ConfigurationError) as raised:
        parse_profile(text, "own.toml")
    return str(raised.value).splitlines()


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_the_invented_ones_are_right(name):
    spec = profile_driver(TEXTS[name], f"{name}.toml")
    spec.driver(spec.settings()())
    spec.simulator(spec.settings()())


@pytest.mark.parametrize(
    ("name", "pair", "words"),
    [
        # Commands.
        ("tagged-shoe", ('text = "(L){{1}}"', 'text = "(L){{1}} "'), "'(L){1} ' is heard as something else"),
        ("tagged-shoe", ('text = "(L){{1}}"', 'text = "lock"'), "'lock' is heard as something else"),
        ("tagged-shoe", ('text = "(L){{1}}"', 'text = "(L){{0}}"'), "unlock.text: '(L){0}' is heard as"),
        ("tagged-shoe", ('text = "(L){{1}}"', 'text = "(L){{{index:number}}}"'), "write {:index}"),
        ("byte-shuffler", ('default = "8"', 'default = "eight"'), "'eight' is no value of this field"),
        # Shown texts.
        ("numeral-display", ('text = "L{:line}:{text}"', 'text = "L{:line}"'), "must have {text} in it"),
        ("numeral-display", ('text = "L{:line}:{text}"', 'text = "{text}{line}"'), "nothing else"),
        ("numeral-display", ('"T {player}"', '"t {player}"'), "the display cannot show 't -'"),
        ("numeral-display", ('"T {player}"', '"T {player!r}"'), "has something in braces other than"),
        ("numeral-display", ('"T {player}"', '"T {player.real}"'), "has something in braces other than"),
        ("numeral-display", ('"T {player}"', '"T {player:9999999999}"'), "has something in braces"),
        ("numeral-display", (" 0123456789-", ""), "show.tie: the display cannot show"),
        ("numeral-display", ("most = 16", "most = 16\nleast = 13"), "show.tie: the display cannot show"),
        ("numeral-display", ("most = 16", "most = 16\nleast = 20"), "least is 20 and most is 16"),
        # Marks, checksums, values that look alike.
        ("utf8-shoe", ('start = "@"', 'start = "A"'), "'A' is a digit of a number or a checksum as well"),
        ("column-shoe", ('end = ["\\r"]', 'end = ["7"]'), "'7' is a digit of a number or a checksum as well"),
        ("utf8-shoe", ('separator = "|"', 'separator = "@"'), "'@' is a mark of the frame as well"),
        ("utf8-shoe", ('separator = "|"', ""), "names the separator, and there is none"),
        ("utf8-shoe", ('["start", "content", "separator"]', '["start"]'), 'must name "content"'),
        ("utf8-shoe", ('spelling = "hex"', 'spelling = "bytes"'), "may look like the end"),
        ("byte-shuffler", ('null = "-"', 'null = "0"'), "field.n.null: '0' is a value as well"),
        ("byte-shuffler", ('end = ["*"]', 'end = ["*", "+"]'), "is read as something else"),
        ("byte-shuffler", ("most = 250", "most = 150"), "is read as something else"),
        ("byte-shuffler", ('text = "SEQ,"', 'text = "ST,"'), "is read as something else"),
        # A line of seven bits, and characters that are no single byte.
        ("tagged-shoe", ('T = ["10", "T"]', 'T = "\\u00bd"'), "needs eight bits"),
        ("tagged-shoe", ('spelling = "hex-lower"', 'spelling = "bytes"'), "needs eight bits"),
        ("utf8-shoe", ("\\u00e2\\u0099\\u00a0", "♠"), 'as "\\u00e2\\u0099\\u00a0" if it sends UTF-8'),
        # Devices of no use.
        ("utf8-shoe", ('means = "card_drawn"', 'means = "nothing"'), "a shoe must say card_drawn"),
        ("byte-shuffler", ('means = "shuffle_finished"', 'means = "nothing"'), "must say shuffle_finished"),
        # What pydantic and msgspec say of types, in words.
        ("tagged-shoe", ('kind = "card"\nnull', "null"), "field.card.kind: is missing; add it"),
        ("tagged-shoe", ("baud = 19200", 'baud = "fast"'), "should be 1200, 2400"),
        ("tagged-shoe", ('after = "\\r\\n"', 'after = "x"'), "frame.after: should be blanks, not 'x'"),
        ("tagged-shoe", ('tag = "()"', 'tag = "("'), "frame.tag: should be two brackets"),
        ("tagged-shoe", ("N = false", "N = 1.5"), "field.yes.options: should be words, as"),
        ("tagged-shoe", ('other = "{}"', 'other = "x"'), "should be a text with {} in it"),
        ("tagged-shoe", ("Y = true", "Y = 1"), "'player_pair' is true or false, not 1"),
        ("tagged-shoe", ("set = { ok = true }", ""), "gives no command_answered without 'ok'"),
        ("tagged-shoe", ('grammar = "tags"', 'grammar = "a\\nb"'), "is one of line, tags, not 'a\\nb'"),
    ],
)  # fmt: skip
def test_what_would_fail_at_a_table_is_told_in_one_line(name, pair, words):
    found = [line for line in faults(name, pair) if words in line]
    assert len(found) == 1, faults(name, pair)
    assert found[0].startswith("own.toml:")


def test_a_title_may_have_any_characters():
    assert parse_profile(TEXTS["utf8-shoe"], "own.toml").device.title == "Suits as signs ♠♥♦♣"


def test_numbered_cards_are_counted_as_the_profile_says():
    own = codec(TEXTS["column-shoe"])
    assert own.say(CardDrawn(card="AS")).startswith(b"CRD   01 ")
    assert own.say(CardDrawn(card="KC")).startswith(b"CRD   52 ")
    ranks = TEXTS["column-shoe"].replace("digits = 2", 'digits = 2, by = "rank", ranks = "23456789TJQKA"')
    assert codec(ranks).say(CardDrawn(card="AC")).startswith(b"CRD   52 ")
    assert codec(ranks).say(CardDrawn(card="2H")).startswith(b"CRD   02 ")
    assert "card.numbers: suits must have each of CDHS once" in faults("column-shoe", ('"SHDC"', '"SHD"'))[0]
    both = faults("column-shoe", ("[card]", '[card]\nranks = { T = "10" }'))
    assert "remove ranks and suits, or numbers" in both[0]


def test_cards_may_stand_between_words():
    text = TEXTS["byte-shuffler"].replace('separator = "+"', 'separator = " and "')
    own = codec(text.replace("most = 30\n\n[field.decks]", "most = 9\n\n[field.decks]"))
    said = ShuffleFinished(missing=["AS", "2C"], extra=["KD"], pack="1", count=415)
    assert observe(TextDriver(own), [Received(data=own.say(said))]) == [said]


def test_a_value_that_is_longer_than_the_word_for_null_is_that_value():
    text = TEXTS["byte-shuffler"].replace('characters = "abcdefghijklmnopqrstuvwxyz0123456789-"', "")
    own = codec(text.replace('null = "."', 'null = "-"'))
    for place in ("-5", "--", None):
        said = ShufflerState(state="jam", place=place)
        (frame,) = own.cutter().feed(own.say(said).strip())
        assert own.read(frame)[0] == said
    # What would be read as "not known" is not said.
    assert own.say(ShufflerState(state="jam", place="-")) is None
