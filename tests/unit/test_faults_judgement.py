"""The judge of the campaign: what it calls clean, held, missed, and silently wrong."""

from controller import facts
from drivers.shoes.acts import RoundDealt
from drivers.testing.judgement import Verdict, judge

ROUNDS = [(["8S", "KS"], ["5C", "5D"]), (["2C", "9D"], ["3H", "4S"]), (["TC", "9H"], ["KD", "QS"])]
ONE, TWO, THREE = range(3)


def dealt(*rounds):
    return [
        RoundDealt(
            shoe=1, round=n, winner="tie", player_cards=ROUNDS[which][0], banker_cards=ROUNDS[which][1]
        )
        for n, which in enumerate(rounds, 1)
    ]


def decided(number, which, hands=None):
    player, banker = hands or ROUNDS[which]
    return facts.RoundDecided(
        round=number, winner="tie", player_cards=player, banker_cards=banker, player_total=0, banker_total=0,
        natural=False, cards=4, player_pair=False, banker_pair=False, dragon_7=False, panda_8=False,
        corrected=False,
    )  # fmt: skip


def recorded(number, which, hands=None):
    return [decided(number, which, hands), facts.RoundConfirmed(round=number)]


def raised(code="lost-frames"):
    return facts.IrregularityRaised(
        id=1, code=code, round=None, severity="stop", detail="", citation=None, remedies=[]
    )


def verdict(truth, *said):
    flat = [fact for one in said for fact in (one if isinstance(one, list) else [one])]
    return judge(dealt(*truth), flat)


def test_every_round_right():
    assert verdict([ONE, TWO], recorded(1, ONE), recorded(2, TWO)) == Verdict(
        clean=2, held=0, missed=0, silent=[]
    )


def test_right_after_a_word_is_held():
    assert verdict([ONE, TWO], recorded(1, ONE), raised(), recorded(2, TWO)) == Verdict(
        clean=1, held=1, missed=0, silent=[]
    )


def test_missed_with_a_word_is_not_silent_and_without_one_is():
    first, last = recorded(1, ONE), recorded(2, THREE)
    assert verdict([ONE, TWO, THREE], first, raised(), last) == Verdict(clean=1, held=1, missed=1, silent=[])
    assert len(verdict([ONE, TWO, THREE], first, last).silent) == 1
    assert len(verdict([ONE, TWO, THREE], raised(), first, last).silent) == 1
    assert len(verdict([ONE, TWO, THREE], first, last, raised()).silent) == 1


def test_a_wrong_record_is_silent_without_a_word_before_it_is_confirmed():
    wrong = (["8S", "KS"], ["5C", "6D"])
    assert verdict([ONE], recorded(1, ONE, wrong)).silent
    assert verdict([ONE], recorded(1, ONE, wrong), raised()).silent
    assert not verdict([ONE], raised(), recorded(1, ONE, wrong)).silent


def test_a_word_that_was_answered_does_not_excuse_what_follows():
    wrong = (["2C", "9D"], ["3H", "5S"])
    assert verdict([ONE, TWO], raised(), recorded(1, ONE), recorded(2, TWO, wrong)).silent


def test_a_word_behind_the_decision_speaks_of_what_follows_unless_it_is_about_the_result():
    late = [decided(1, ONE), raised("card-conflict"), facts.RoundConfirmed(round=1)]
    assert not verdict([ONE, TWO, THREE], late, recorded(2, THREE)).silent
    late[1] = raised("result-mismatch")
    assert verdict([ONE, TWO, THREE], late, recorded(2, THREE)).silent


def test_what_is_missing_at_the_end_needs_a_word_as_well():
    assert verdict([ONE, TWO], recorded(1, ONE)).silent == ["2C 9D / 3H 4S was missed"]
    assert not verdict([ONE, TWO], recorded(1, ONE), raised("count-mismatch")).silent


def test_a_round_that_was_never_dealt():
    assert verdict([], recorded(1, ONE)).silent == ["8S KS / 5C 5D was recorded and never dealt"]
