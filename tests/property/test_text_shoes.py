"""Whole simulated shoes of bare cards in virtual time, through driver and table: the truth comes out."""

from hypothesis import given, settings
from hypothesis import strategies as st
from text_devices import codec, codec_of, cut, play

from controller.cards import pack
from controller.facts import IrregularityRaised, RoundDecided
from controller.observations import CardDrawn, CutCardDrawn, DeviceResult, ShoeLoaded
from controller.play.house import House
from controller.play.table import Table
from controller.ports import Received, observe
from controller.rules.ruleset import load_ruleset
from drivers.shoes.acts import RoundDealt
from drivers.shoes.text import TextShoe
from drivers.text.driver import TextDriver
from drivers.text.simulator import Ways

CODECS = {name: codec_of(name) for name in ("bee-tek-a", "bee-tek-b")}
RULES = load_ruleset("nj-mini-baccarat")
names = st.sampled_from(sorted(CODECS))
ways = st.builds(Ways, blanks=st.integers(0, 2), echo=st.integers(0, 1))


@settings(max_examples=12)
@given(names, st.integers(0, 2**32), st.integers(1, 8), ways)
def test_the_rounds_that_were_dealt_are_decided(name, seed, decks, how):
    # The coded dialect has no blanks and repeats nothing.
    shoe = TextShoe(CODECS[name], ways=how if name == "bee-tek-a" else None, seed=seed, decks=decks, shoes=1)
    seen = play(shoe, TextDriver(CODECS[name]))
    assert [one.card for one in seen] == [one.card for one in shoe.truth if isinstance(one, CardDrawn)]
    table = Table(House(RULES, decks=decks, boundaries="first_card"))
    facts = table.apply(ShoeLoaded(decks=decks))
    for one in seen:
        facts += table.apply(one)
    decided = [(f.winner, f.player_cards, f.banker_cards) for f in facts if isinstance(f, RoundDecided)]
    dealt = [one for one in shoe.truth if isinstance(one, RoundDealt)]
    assert decided == [(one.winner, one.player_cards, one.banker_cards) for one in dealt]
    assert not [f for f in facts if isinstance(f, IrregularityRaised)]


@settings(max_examples=20)
@given(names, st.integers(0, 2**32), st.integers(0, 2**16))
def test_the_cards_do_not_depend_on_the_reads(name, seed, cuts):
    shoe = TextShoe(CODECS[name], seed=seed, decks=1, rounds=5)
    sent = b""
    while (due := shoe.next_at()) is not None:
        sent += b"".join(shoe.advance(due))
    seen = observe(TextDriver(CODECS[name]), [Received(data=data) for data in cut(sent, cuts)])
    dealt = [one.card for one in shoe.truth if isinstance(one, CardDrawn)]
    assert [one.card for one in seen] == dealt
    left = list(pack(1))
    for card in dealt:
        left.remove(card)


@given(st.integers(0, 2**32))
def test_the_same_seed_deals_the_same_shoe(seed):
    one, other = (TextShoe(CODECS["bee-tek-a"], seed=seed, rounds=5) for _ in range(2))
    host, again = (TextDriver(CODECS["bee-tek-a"]) for _ in range(2))
    assert play(one, host) == play(other, again)
    assert one.truth == other.truth


#: A shoe that plays the game itself, as nobody builds it: what a profile can say is simulated in full.
ASSIGNED = codec(
    """
    [device]
    kind = "shoe"
    title = "a shoe that assigns cards"
    [frame]
    grammar = "line"
    [checksum]
    kind = "crc-16/modbus"
    order = "low-first"
    [field.hand]
    kind = "choice"
    options = { P = "player", B = "banker", X = "burn", F = "first" }
    [field.number]
    kind = "number"
    digits = 1
    [field.winner]
    kind = "choice"
    options = { P = "player", B = "banker", T = "tie" }
    [field.flag]
    kind = "choice"
    options = { Y = true, N = false }
    [message.card]
    text = "{slot:hand}{index:number} {card}"
    means = "card_drawn"
    [message.burned]
    text = "{slot:hand} {card}"
    means = "card_drawn"
    [message.cut]
    text = "CUT"
    means = "cut_card_drawn"
    [message.start]
    text = "START"
    means = "device_started"
    [message.result]
    text = "WINS {winner} {player_pair:flag}{banker_pair:flag}"
    means = "device_result"
    set = { forced_quit = false }
    """
)


@settings(max_examples=10)
@given(st.integers(0, 2**32), st.integers(1, 8))
def test_a_shoe_that_names_hands_and_results(seed, decks):
    shoe = TextShoe(ASSIGNED, seed=seed, decks=decks, shoes=1)
    seen = play(shoe, TextDriver(ASSIGNED))
    drawn = [(one.card, one.slot, one.index) for one in seen if isinstance(one, CardDrawn)]
    assert drawn == [(one.card, one.slot, one.index) for one in shoe.truth if isinstance(one, CardDrawn)]
    claims = [one.winner for one in seen if isinstance(one, DeviceResult)]
    assert claims == [one.winner for one in shoe.truth if isinstance(one, RoundDealt)]
    assert sum(isinstance(one, CutCardDrawn) for one in seen) == 1
