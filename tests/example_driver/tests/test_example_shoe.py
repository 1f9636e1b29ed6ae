"""The vendor's own tests, with the fixtures of the controller's package: `virtual_table`, `virtual_shoe`."""

from controller.facts import RoundDecided


def test_bytes_become_cards_at_a_table(virtual_table):
    table = virtual_table("example-shoe")
    table.do("bets opened ; bets closed")
    assert table.due == "player"
    table.hear(b"2C\n9D\n3H\n7S\n4S\n")
    decided = [fact for fact in table.facts if isinstance(fact, RoundDecided)]
    assert [fact.winner for fact in decided] == ["player"]
    assert table.irregularities == []


def test_a_card_too_many_holds_the_round(virtual_table):
    table = virtual_table("example-shoe")
    table.do("bets opened ; bets closed")
    table.hear(b"9C\nKD\nKH\nQS\n3C\n")
    assert table.irregularities == ["overdraw"]
    table.do("order burn_card by pit because its face was seen")
    assert table.state.hold is None


def test_its_simulator_and_its_driver_understand_each_other(virtual_table, virtual_shoe):
    shoe = virtual_shoe("example-shoe", dealing=True, decks=1)
    table = virtual_table("example-shoe", boundaries="first_card")
    table.connect(shoe.address)
    table.until(lambda table: len(table.observations) >= 52)
    read = [seen.card for seen in table.observations if hasattr(seen, "card")]
    assert read == [happened.card for happened in shoe.truth]
