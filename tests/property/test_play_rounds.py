"""A hundred thousand random legal rounds: nothing is raised, the table and the pure rules agree."""

from controller.bench.rounds import play_all


def test_table_and_rules_agree_and_settlement_conserves_money() -> None:
    count = play_all(100_000, seed=20)
    assert count.rounds >= 100_000
    assert count.wagers > 50_000
    assert count.irregularities == 0
    assert count.faults == []
