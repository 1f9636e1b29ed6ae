"""What the table proposes: its pack's remedy for the situation first, then every other lawful order."""

from typing import Any

import msgspec

from controller.cards import pack
from controller.facts import IrregularityRaised
from controller.observations import BetsClosed, BetsOpened, CardDrawn, ShoeLoaded, SupervisorCalled
from controller.orders import Event, Order
from controller.play.answers import answers
from controller.play.house import House
from controller.play.table import Table
from controller.rules.remedies import load_pack
from controller.rules.ruleset import load_ruleset


def raised(ruleset: str, *events: Event) -> list[IrregularityRaised]:
    rules = load_ruleset(ruleset)
    table = Table(House(rules, pack=load_pack(rules.remedies, answers())))
    return [f for event in events for f in table.apply(event) if isinstance(f, IrregularityRaised)]


def proposed(item: IrregularityRaised) -> list[tuple[str, Any]]:
    return [(r.order, r.source) for r in item.remedies if r.proposed]


def deal(text: str) -> list[Event]:
    return [BetsOpened(), BetsClosed(), *(CardDrawn(card=card) for card in text.split())]


def test_france_burns_a_card_too_many_and_new_jersey_asks_who_saw_it() -> None:
    (item,) = raised("france", *deal("9S 2D KH 3C 5S"))
    assert proposed(item) == [("burn_card", "verified")]
    (item,) = raised("nj-mini-baccarat", *deal("9S 2D KH 3C 5S"))
    assert proposed(item) == [("carry_card", "unverified"), ("burn_card", "unverified")]


def test_every_lawful_order_follows_the_proposal_once() -> None:
    (item,) = raised("france", *deal("9S 2D KH 3C 5S"))
    orders = [remedy.order for remedy in item.remedies]
    assert orders[0] == "burn_card"
    assert len(orders) == len(set(orders))
    assert {"void_round", "accept", "resynchronise", "carry_card"} <= set(orders)


def test_the_dealers_reason_is_told_and_counts() -> None:
    called = SupervisorCalled(reason="exposed-card", note="by me")
    (item,) = raised("nj-mini-baccarat", *deal("9S 2D"), called)
    assert item.severity == "stop"
    assert item.detail.endswith("exposed-card: by me")


def test_an_unshuffled_pack_is_told_within_fifteen_cards_and_blocks_the_next_round() -> None:
    cards = [CardDrawn(card=card) for card in list(pack(1))[:15]]
    found = raised("nj-mini-baccarat", ShoeLoaded(decks=8), *cards)
    assert [(i.code, i.severity) for i in found] == [("unshuffled-pack", "block")]


def test_a_suspicion_that_arises_during_a_hold_is_raised_after_it() -> None:
    rules = load_ruleset("nj-mini-baccarat")
    table = Table(House(rules))
    cards = list(pack(1))[:16]
    told = [f for event in (BetsOpened(), *(CardDrawn(card=c) for c in cards)) for f in table.apply(event)]
    assert [f.code for f in told if isinstance(f, IrregularityRaised)] == ["early-card"]
    told = table.apply(Order(order="burn_card", by="ann"))
    assert "unshuffled-pack" in [f.code for f in told if isinstance(f, IrregularityRaised)]
    assert msgspec.json.encode(told)
