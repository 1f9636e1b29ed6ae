"""Fields of text messages: what they read, what they write, and what they refuse."""

import pytest

from drivers.text.fields import (
    CardField,
    CardsField,
    CardSpelling,
    ChoiceField,
    MoneyField,
    NumberField,
    TextField,
)
from drivers.text.patterns import Pattern, PatternError


def pattern(text, any_case=False, written=None, **fields):
    def spelling(name, stop):
        field = fields.get(name)
        return field and field.spelling(written or CardSpelling(), any_case, stop)

    return Pattern(text, spelling, {name: field.default for name, field in fields.items()}, any_case)


def values(pattern, text):
    reading = pattern.read(text)
    return reading and reading.values


NUMBER = NumberField(kind="number")
CARD = CardField(kind="card")


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        (NUMBER, "0", 0),
        (NUMBER, "416", 416),
        (NumberField(kind="number", digits=3), "007", 7),
        (NumberField(kind="number", base=16), "1F", 31),
        (NumberField(kind="number", names={"unreadable": 3}, other="code-{}"), "3", "unreadable"),
        (NumberField(kind="number", names={"unreadable": 3}, other="code-{}"), "12", "code-12"),
        (NumberField(kind="number", null="-"), "-", None),
        (ChoiceField(kind="choice", options=["on", "only"]), "only", "only"),
        (ChoiceField(kind="choice", options={"1": True, "0": False}), "0", False),
        (ChoiceField(kind="choice", options={"P": "player", "B": "banker"}), "B", "banker"),
        (TextField(kind="text"), "any words", "any words"),
        (TextField(kind="text", contains="not"), "is not read", "is not read"),
        (MoneyField(kind="money"), "2.50", "2.50"),
        (MoneyField(kind="money", decimals=2, digits=6), "000250", "2.50"),
        (MoneyField(kind="money", decimals=0), "25", "25"),
        (CARD, "TD", "TD"),
        (CardsField(kind="cards", none="-"), "4S,TD", ["4S", "TD"]),
        (CardsField(kind="cards", none="-"), "-", []),
        (CardsField(kind="cards", none="-", null="?"), "?", None),
    ],
)
def test_both_ways(field, text, value):
    whole = pattern("<{x}>", x=field)
    assert values(whole, f"<{text}>") == {"x": value}
    assert whole.spell({"x": value}) == f"<{text}>"


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (NUMBER, ""),
        (NUMBER, "-1"),
        (NUMBER, "1" * 19),
        (NUMBER, "٣"),
        (NumberField(kind="number", digits=2), "1"),
        (NumberField(kind="number", digits=2), "123"),
        (NumberField(kind="number", base=16), "1f"),
        (NumberField(kind="number", names={"unreadable": 3}), "4"),
        (ChoiceField(kind="choice", options=["on"]), "On"),
        (TextField(kind="text", most=3), "four"),
        (TextField(kind="text", least=1), ""),
        (TextField(kind="text", characters="ab"), "abc"),
        (MoneyField(kind="money"), "2.5.0"),
        (MoneyField(kind="money"), "2."),
        (MoneyField(kind="money", decimals=2), "2.50"),
        (CARD, "1S"),
        (CARD, "4X"),
        (CARD, "4"),
        (CARD, "10S"),
        (CardsField(kind="cards", none="-", most=2), "4S,4S,4S"),
        (CardsField(kind="cards", none="-"), "4S,"),
        (CardsField(kind="cards", none="-"), ""),
    ],
)
def test_what_is_no_value(field, text):
    assert pattern("<{x}>", x=field).read(f"<{text}>") is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (NUMBER, -1),
        (NUMBER, "1"),
        (NUMBER, True),
        (NUMBER, None),
        (NumberField(kind="number", digits=2), 100),
        (NumberField(kind="number", names={"unreadable": 3}), "code-4"),
        (NumberField(kind="number", names={"unreadable": 3}, other="code-{}"), "code-3"),
        (NumberField(kind="number", other="code-{}"), "code-007"),
        (ChoiceField(kind="choice", options=["on"]), "off"),
        (ChoiceField(kind="choice", options={"1": True}), 1),
        (TextField(kind="text", most=3), "four"),
        (TextField(kind="text", contains="not"), "is read"),
        (MoneyField(kind="money", decimals=2), "2.505"),
        (MoneyField(kind="money", decimals=2), "much"),
        (CARD, "1S"),
        (CARD, None),
        (CardsField(kind="cards", none="-", most=2), ["4S"] * 3),
        (CardsField(kind="cards", none="-"), ["4S", "1S"]),
    ],
)
def test_what_cannot_be_written(field, value):
    assert pattern("<{x}>", x=field).spell({"x": value}) is None


def test_text_ends_where_the_rest_begins():
    both = pattern("{a}; {b}", a=TextField(kind="text"), b=TextField(kind="text"))
    assert values(both, "one; two; three") == {"a": "one", "b": "two; three"}


def test_letter_case():
    whole = pattern("[Game]<{card}{:w}>", any_case=True, card=CARD, w=TextField(kind="text"))
    assert values(whole, "[gAME]<tsAbc>") == {"card": "TS"}
    assert whole.read("[gAME]<tsAbc>").characters == {"card": "ts", "w": "Abc"}


def test_cards_spelled_otherwise():
    coded = CardSpelling(order="suit-rank", suits={"H": "0", "S": "3"}, ranks={"T": ["10", "X"]})
    whole = pattern("0D{card}", written=coded, card=CARD)
    assert [values(whole, f"0D{text}") for text in ("010", "0X", "38")] == [
        {"card": "TH"},
        {"card": "TH"},
        {"card": "8S"},
    ]
    assert whole.spell({"card": "TH"}) == "0D010"
    assert whole.read("0DHT") is None


def test_two_cards_written_alike_are_found():
    alike = CardSpelling(ranks={"T": "A"})
    assert alike.clash(any_case=False) == "AC and TC are both written 'AC'"
    assert CardSpelling(suits={"S": "c"}).clash(any_case=False) is None
    assert CardSpelling(suits={"S": "c"}).clash(any_case=True) == "AC and AS are both written 'Ac'"
    assert CardSpelling().clash(any_case=True) is None


def test_what_means_nothing_is_sent_by_default():
    choice = ChoiceField(kind="choice", options=["Game", "Burn"])
    words = TextField(kind="text", contains="not read", default="E3 not read")
    assert pattern("[{:tag}]{:words}{:rest}", tag=choice, words=words, rest=TextField(kind="text")).spell(
        {}
    ) == ("[Game]E3 not read")


@pytest.mark.parametrize("text", ["{x", "x}", "{x!r}", "{X}", "{}", "{x}{x}", "{y}", "{x:y}", "{:}"])
def test_patterns_that_are_none(text):
    with pytest.raises(PatternError):
        pattern(text, x=NUMBER)


def test_braces_themselves():
    whole = pattern("{{{x}}}", x=NUMBER)
    assert whole.spell({"x": 5}) == "{5}"
    assert values(whole, "{5}") == {"x": 5}


@pytest.mark.parametrize(
    "text", ["", "E", "END ", "END 7-", "END 7-1 4S", "END 7-1 4S,T", "END 7-1 -", "END 7-1 4S!"]
)
def test_every_beginning_of_a_message_may_begin_it(text):
    whole = pattern(
        "END {id} {cards}!",
        id=TextField(kind="text", characters="0123456789-", least=1, most=8),
        cards=CardsField(kind="cards", none="-", most=3),
    )
    assert whole.begins(text)


@pytest.mark.parametrize(
    "text", ["X", "END 7-1x", "END 7-1 4S 5S", "END 7-1 4S,5S,6S,7", "END 7-1 44", "END 123456789"]
)
def test_what_no_message_begins_with(text):
    whole = pattern(
        "END {id} {cards}!",
        id=TextField(kind="text", characters="0123456789-", least=1, most=8),
        cards=CardsField(kind="cards", none="-", most=3),
    )
    assert not whole.begins(text)
