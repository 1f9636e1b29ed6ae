"""The demonstration: each pack is shuffled, verified and handed over, and the shoe deals that very pack."""

import asyncio
import json
import re
import signal
import subprocess
import sys
import urllib.request

import pytest

from controller import facts
from controller.observations import CardDrawn, ShuffleFinished, ShufflerState, ShuffleStarted
from controller.orders import Order
from controller.runtime.demo import Plan, play
from controller.runtime.log import set_up

#: How often faster than a table. At more, a stall of a busy machine looks like a shoe that was not heard.
SPEED = 50.0
#: What is told of each pack, in this order.
STAGES = ["loading", "shuffle_started", "shuffling", "verifying", "shuffle_finished", "ready", "unloading"]


def stage(item):
    """What the item says of a pack; None: nothing."""
    match item:
        case ShufflerState(state=state) if state != "idle_empty":
            return state
        case ShuffleStarted() | ShuffleFinished() | facts.ShoeStarted():
            return item.__struct_config__.tag
    return None


def without_repetition(stages):
    return [one for place, one in enumerate(stages) if place == 0 or one != stages[place - 1]]


@pytest.fixture
def demonstration(tmp_path):
    """Everything that was told, the summary, and what the shuffler handed over."""
    set_up(level="error")

    def shown(**options):
        told = []
        plan = Plan(speed=SPEED, state=tmp_path, **options)
        stop = asyncio.Event()
        summary = asyncio.run(play(plan, stop, lambda service: None, lambda seq, item: told.append(item)))
        handed = [json.loads(line) for line in (tmp_path / "open-shuffler.jsonl").read_text().splitlines()]
        return told, summary, handed

    return shown


def test_a_shoe_and_the_next_from_the_shuffler_to_the_last_card(demonstration):
    told, summary, handed = demonstration(rounds=82, seed=2)  # the first shoe has 79
    # A stall of a busy machine may look like a shoe that was not heard for a while, between rounds.
    assert (summary.shoes, set(summary.irregularities) - {"lost-frames"}) == (2, set())
    # Where the table is slow the shuffler has another one ready by then.
    assert [pack["pack"] for pack in handed][:2] == ["2-1", "2-2"]
    assert [item.pack for item in told if isinstance(item, facts.ShoeStarted)] == ["2-1", "2-2"]
    assert [item.missing for item in told if isinstance(item, ShuffleFinished)][:2] == [[], []]
    assert {item.progress for item in told if isinstance(item, ShufflerState)} >= set(range(0, 100, 10))
    orders = [(item.order, item.pack) for item in told if isinstance(item, Order)]
    assert orders == [("new_shoe", "2-1"), ("new_shoe", "2-2")]

    stages = without_repetition([one for one in map(stage, told) if one])
    # The next pack is shuffled while this one is dealt.
    assert stages[: 2 * len(STAGES) + 2] == [*STAGES, "shoe_started"] * 2

    dealt, place = {}, 0
    for item in told:
        if isinstance(item, facts.ShoeStarted):
            place = item.shoe
        elif isinstance(item, CardDrawn):
            dealt.setdefault(place, []).append(item.card)
    assert len(dealt[1]) > 390
    for number, pack in enumerate(handed[:2], 1):
        assert dealt[number] == pack["cards"][: len(dealt[number])]


def test_with_a_bad_line_the_pack_is_verified_all_the_same(demonstration):
    told, summary, handed = demonstration(rounds=5, faults=True)
    assert "unverified-pack" not in summary.irregularities
    assert [item.pack for item in told if isinstance(item, facts.ShoeStarted)] == [handed[0]["pack"]]


def test_whoever_looks_on_may_log_in_and_decide(tmp_path):
    """The line that is told first says as whom; the PIN is another in each run."""
    for _ in range(2):
        command = [sys.executable, "-m", "controller", "demo", "--listen", "127.0.0.1:0", "--state", tmp_path]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as demo:
            line = demo.stdout.readline()
            place, pin = re.search(
                r"(http://\S+/) .* log in at /pit as supervisor or second with PIN (\d{4})", line
            ).groups()
            for name in ("supervisor", "second"):
                body = json.dumps({"name": name, "pin": pin}).encode()
                headers = {"Content-Type": "application/json", "Origin": place.rstrip("/")}
                asked = urllib.request.Request(f"{place}api/login", body, headers)
                with urllib.request.urlopen(asked, timeout=20) as answer:
                    assert json.load(answer)["role"] == "supervisor"
            demo.send_signal(signal.SIGINT)
            demo.communicate(timeout=60)
            assert demo.returncode == 0


def test_packs_that_cannot_be_read_are_one_clear_line(tmp_path):
    packs = tmp_path / "packs"
    packs.write_text(
        '{"type":"pack_handed_over","pack":"1-1","cards":["2C"]}\n{"pack":"1-2","cards":["ZZ"]}\n'
    )
    command = [sys.executable, "-m", "controller", "sim", "angel-eye", f"--link=pty:{tmp_path}/shoe"]
    run = subprocess.run(
        [*command, f"--packs={packs}", "--no-wait"], capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 2
    assert run.stderr.splitlines()[-1].startswith(f"tablectl: --packs {packs}, line 2: ")
    assert "Traceback" not in run.stderr
