"""Does a shuffler shuffle: the tests over many shoes, what they need, and the command."""

import json
from pathlib import Path
from random import Random

import pytest

from controller.cards import DECK, Card
from controller.facts import ShoeStarted
from controller.observations import CardDrawn, CutCardDrawn, ShoeLoaded
from controller.orders import Order
from controller.shuffles.randomness import ChiSquared, Dealt, adjacency, positions, riffle
from controller.shuffles.verdict import Findings, adjust, dealt_shoes, examine
from tests.recording import Recording


def dealt(order: list[Card], shoe: int = 1, pack: str | None = None, decks: int = 8) -> Dealt:
    return Dealt(shoe, decks, pack, "j", list(order))


def honest(count: int, seed: int, decks: int = 8) -> list[Dealt]:
    """Shuffled shoes, dealt to fourteen to twenty-five cards from their end."""
    random, pack = Random(seed), list(DECK) * decks
    shoes = []
    for number in range(count):
        random.shuffle(pack)
        shoes.append(dealt(pack[: len(pack) - 14 - random.randrange(12)], number + 1, decks=decks))
    return shoes


def riffled(cards: list[Card], random: Random) -> list[Card]:
    """One riffle of two packets, each next card with the chance of the cards left in its packet."""
    cut = sum(random.random() < 0.5 for _ in cards)
    left, right = cards[:cut][::-1], cards[cut:][::-1]
    merged = []
    while left or right:
        packet = left if random.random() * (len(left) + len(right)) < len(left) else right
        merged.append(packet.pop())
    return merged


def badly_shuffled(count: int, riffles: int, seed: int = 5) -> list[Dealt]:
    """Shoes of one pack that is turned over and riffled a few times between them."""
    random, pack = Random(seed), list(DECK) * 8
    random.shuffle(pack)
    shoes = []
    for number in range(count):
        shoes.append(dealt(pack[:400], number + 1))
        pack = pack[::-1]
        for _ in range(riffles):
            pack = riffled(pack, random)
    return shoes


def named(findings: Findings) -> dict[str, ChiSquared]:
    return {test.name: test for test in findings.tests}


# -- honest shoes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("decks", "needed"), [(6, 7), (8, 5)])
def test_honest_shoes_pass(decks: int, needed: int) -> None:
    findings = examine(honest(8, decks, decks))
    assert findings.met is True
    assert (findings.shoes, findings.needed, findings.alarms, findings.excluded) == (8, needed, [], [])
    assert all(test.adjusted >= test.p for test in findings.tests)


@pytest.mark.parametrize("test", [positions, adjacency, riffle])
def test_one_honest_shuffler_in_twenty_fails_a_single_test(test) -> None:  # type: ignore[no-untyped-def]
    found = [test(honest(5, 1000 + seed)) for seed in range(60)]
    assert sum(one.p < 0.05 for one in found) <= 8
    assert 15 <= sum(one.p < 0.5 for one in found) <= 45
    mean = sum(one.statistic / one.freedom for one in found) / len(found)
    assert 0.8 < mean < 1.2


def test_the_three_tests_are_judged_together() -> None:
    def one(name: str, p: float) -> ChiSquared:
        return ChiSquared(name=name, asks="", statistic=1, freedom=1, p=p, needed=5)

    found = {test.name: test.adjusted for test in adjust([one("a", 0.03), one("b", 0.02), one("c", 0.9)])}
    assert found == {"b": pytest.approx(0.06), "a": pytest.approx(0.06), "c": 0.9}


# -- others -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("riffles", [1, 2, 3, 4, 5])
def test_too_few_riffles_are_found_in_ten_shoes(riffles: int) -> None:
    findings = examine(badly_shuffled(10, riffles))
    assert findings.met is False
    assert named(findings)["riffle"].adjusted < 1e-6


def test_nine_riffles_are_enough() -> None:
    assert examine(badly_shuffled(10, 9)).met is True


def test_packs_are_compared_with_their_own_last_shoe() -> None:
    """Two packs in turn, each riffled twice: nothing shows between one and the other."""
    red, blue = badly_shuffled(6, 2, seed=1), badly_shuffled(6, 2, seed=2)
    turns = [shoe for pair in zip(red, blue, strict=True) for shoe in pair]
    blind = riffle(turns)
    for shoe in red:
        shoe.pack = "red"
    for shoe in blue:
        shoe.pack = "blue"
    told = riffle(turns)
    assert blind is not None and told is not None
    assert told.p < 1e-50 < 1e-3 < blind.p


def test_cards_that_stay_where_they_were_are_found() -> None:
    """Aces in the first eighth: no neighbour gives them away."""
    random, shoes = Random(4), []
    for number in range(6):
        rest = [card for card in list(DECK) * 8 if card[0] != "A"]
        random.shuffle(rest)
        first = ["AC", "AD", "AH", "AS"] * 8 + rest[:20]
        random.shuffle(first)
        shoes.append(dealt([*first, *rest[20:390]], number))
    findings = examine(shoes)
    assert named(findings)["positions"].p < 1e-20
    assert findings.met is False


def test_cards_that_follow_one_another_are_found() -> None:
    random, shoes = Random(4), []
    for number in range(5):
        pairs = [[DECK[at], DECK[at + 1]] for at in range(0, 52, 2)] * 8
        random.shuffle(pairs)
        shoes.append(dealt([card for pair in pairs for card in pair][:400], number))
    assert named(examine(shoes))["adjacency"].p < 1e-20


def test_a_pack_that_was_not_shuffled_at_all_fails_by_itself() -> None:
    findings = examine([*honest(6, 3), dealt(list(DECK) * 8, 7)])
    assert findings.met is False
    assert [(alarm.shoe, alarm.cards) for alarm in findings.alarms] == [(7, 8)]


# -- small samples, and shoes that do not count -------------------------------------------------------------


def test_too_few_shoes_say_nothing_and_how_many_would() -> None:
    for count in (0, 1, 4):
        findings = examine(honest(count, 9))
        assert (findings.met, findings.shoes, findings.needed) == (None, count, 5)
    assert [test.name for test in examine(honest(1, 9)).tests] == ["positions", "adjacency"]


def test_the_excess_that_would_be_missed_shrinks_with_the_number_of_shoes() -> None:
    few, many = named(examine(honest(5, 1))), named(examine(honest(20, 1)))
    for name in ("adjacency", "riffle"):
        before, after = few[name].unseen, many[name].unseen
        assert before is not None and after is not None
        assert after == pytest.approx(before / 2, rel=0.1)


def test_shoes_that_do_not_count_are_named() -> None:
    short = dealt(list(DECK)[::7], 1)
    unread = Dealt(2, 8, None, "j", [None] * 400)
    unknown = Dealt(3, 0, None, "j", ["2C"])
    crowded = dealt(["2C"] * 9 + [card for card in list(DECK) * 8 if card != "2C"], 4)
    findings = examine([short, unread, unknown, crowded])
    assert [(one.shoe, one.reason) for one in findings.excluded] == [
        (1, "only 8 of 416 cards were read"),
        (2, "only 0 of 416 cards were read"),
        (3, "nobody said how many decks it held"),
        (4, "2C was read 9 times, and its 8 decks hold 8"),
    ]
    assert (findings.shoes, findings.met) == (0, None)


def test_unread_cards_are_no_evidence() -> None:
    shoes = honest(8, 2)
    for shoe in shoes:
        shoe.order[::9] = [None] * len(shoe.order[::9])
    assert examine(shoes).met is True


# -- from the journal ---------------------------------------------------------------------------------------


def test_a_shoe_is_its_cards_in_the_order_in_which_they_left() -> None:
    items = [
        ShoeLoaded(decks=8, pack="red"),
        ShoeStarted(shoe=1, decks=8, pack="red"),
        CardDrawn(card="5C", slot="first"),
        CardDrawn(card=None, slot="burn"),
        CardDrawn(card="2C", slot="player", index=1),
        CardDrawn(card="2C", slot="player", index=1),
        CardDrawn(card="2C", slot="banker", index=1),
        CardDrawn(card="7D", mode="error"),
        CutCardDrawn(),
        CardDrawn(card="3C", device="shoe-2"),
        CardDrawn(card="9H", device="sensor"),
        CardDrawn(card="9S", slot="burn_count"),
        CardDrawn(card="KD"),
        ShoeStarted(shoe=2, decks=6, pack=None),
        CardDrawn(card="KD"),
    ]
    first, second = dealt_shoes(items)
    assert (first.shoe, first.decks, first.pack) == (1, 8, "red")
    assert first.order == ["5C", None, "2C", "2C", "7D", "3C"]
    assert (second.shoe, second.decks, second.order) == (2, 6, ["KD", "KD"])


@pytest.fixture
def tablectl(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    from controller.cli import main

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["tablectl", *words])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capfd.readouterr()
        return int(left.value.code or 0), out, err

    return run


def journal(path: Path, shoes: list[Dealt]) -> Path:
    """The shoes as burned cards: every card of a shoe that has not begun to play."""
    recording = Recording(path)
    for shoe in shoes:
        recording.enter(Order(order="new_shoe", by="dealer", decks=shoe.decks))
        recording.enter(*(CardDrawn(card=card, slot="burn") for card in shoe.order))
    return recording.close()


def test_the_command_passes_honest_shoes(tablectl, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = journal(tmp_path / "journal.db", honest(5, 11))
    code, out, err = tablectl("shuffles", str(path), "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["met"], found["shoes"], found["needed"], found["level"]) == (True, 5, 5, 0.95)
    assert [test["name"] for test in found["tests"]] == ["positions", "adjacency", "riffle"]
    code, out, _ = tablectl("shuffles", str(tmp_path))
    assert code == 0
    assert "At the 95% level these shoes are as shuffled ones are." in out
    assert "would be missed half of the time" in out


def test_the_command_says_how_many_shoes_are_needed(tablectl, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = tablectl("shuffles", str(journal(tmp_path / "journal.db", honest(3, 11))))
    assert code == 1
    assert "Too few shoes to say: 3, and 5 are needed." in out


def test_the_command_reads_several_journals(tablectl, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    for name in ("a", "b"):
        journal(tmp_path / name / "journal.db", [dealt(list(DECK), 1, decks=1)])
    code, out, _ = tablectl("shuffles", str(tmp_path / "a"), str(tmp_path / "b"))
    assert code == 1
    assert out.count("NOT SHUFFLED: shoe 1 of ") == 2
    assert "these shoes are not as shuffled ones are. Only 2 shoes" in out


def test_the_command_refuses_what_is_no_journal(tablectl, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, err = tablectl("shuffles", str(tmp_path / "none.db"))
    assert (code, out) == (2, "")
    assert err == f"tablectl: {tmp_path}/none.db: no such file; name a journal.db or the folder it lies in\n"
