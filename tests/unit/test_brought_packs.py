"""A simulated shoe that deals the packs which a simulated shuffler hands over, and none of its own."""

from math import inf

import pytest

from controller.cards import pack
from controller.observations import CardDrawn, DeviceStarted, ShoeLoaded
from controller.ports import Fed, find_driver
from drivers.shoes.acts import RoundDealt
from drivers.shufflers.acts import PackHandedOver

PACK = tuple(pack(1))
SHOES = ("angel-eye", "bee-tek-a", "bee-tek-b")


def simulated(name, **options):
    spec = find_driver(name)
    return spec.simulator(spec.settings()(), **options)


def empty(name="angel-eye", **options):
    """A shoe that waits for its first pack."""
    shoe = simulated(name, decks=1, brought=True, burn=False, jitter=0, **options)
    shoe.advance(0.0)
    shoe.advance(100.0)
    assert (shoe.next_at(), shoe.truth) == (inf, [])
    return shoe


def cards(shoe):
    return [seen.card for seen in shoe.truth if isinstance(seen, CardDrawn)]


@pytest.mark.parametrize("name", SHOES)
def test_it_waits_for_a_pack_and_deals_that(name):
    shoe = empty(name, rounds=2)
    assert isinstance(shoe, Fed)
    shoe.bring("red", PACK[::-1], 100.0)
    shoe.advance(10_000.0)
    assert shoe.truth[0] == ShoeLoaded(at=100.0, decks=1, pack="red")
    assert cards(shoe) == list(PACK[::-1][: len(cards(shoe))])
    assert sum(isinstance(seen, RoundDealt) for seen in shoe.truth) == 2
    assert shoe.next_at() is None


def test_a_pack_that_came_early_is_put_in_when_the_shoe_is_empty():
    shoe = empty()
    shoe.bring("red", PACK, 100.0)
    shoe.bring("blue", PACK[::-1], 101.0)
    shoe.advance(10_000.0)
    assert [seen.pack for seen in shoe.truth if isinstance(seen, ShoeLoaded)] == ["red", "blue"]
    assert sum(isinstance(seen, DeviceStarted) for seen in shoe.truth) == 2
    assert shoe.next_at() == inf


def test_it_deals_what_the_shuffler_handed_over_by_the_same_name():
    shuffler = simulated("open-shuffler", decks=1, seed=4, shoes=1)
    shuffler.advance(0.0)
    shuffler.advance(1_000.0)
    (handed,) = [seen for seen in shuffler.truth if isinstance(seen, PackHandedOver)]
    shoe = empty()
    shoe.bring(handed.pack, handed.cards, 1_000.0)
    shoe.advance(10_000.0)
    assert shoe.truth[0].pack == "4-1"
    assert cards(shoe) == handed.cards[: len(cards(shoe))]
    assert sorted(handed.cards) == sorted(PACK)


def test_a_shuffler_that_keeps_its_pack_waits_for_the_host():
    shuffler = simulated("open-shuffler", decks=1, keep=True)
    shuffler.advance(0.0)
    shuffler.advance(10_000.0)
    assert (shuffler.state, shuffler.truth, shuffler.next_at()) == ("ready", [], None)
