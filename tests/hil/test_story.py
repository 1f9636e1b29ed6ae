"""The whole story, once over a terminal and once through a serial server: a shoe, the service, a page.

The shoe, the service and the commands are processes of their own; bytes, files and ports are real.
"""

import asyncio
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from processes import SOON, events, logged, process, simulated_shoe, table, truth

from controller.journal.reader import records
from controller.journal.record import KINDS, Entry
from controller.journal.store import Store
from controller.ports import Received
from controller.runtime.core import _signals as signals

SPEED = 60
FACES = ("player", "banker")


@dataclass
class Story:
    """One shoe. `told`: (id, type, fact) as a page was told; `happened`: as the simulated shoe says."""

    state: Path
    happened: list
    told: list
    ends: list

    def journalled(self, *kinds):
        return [record for record in records(self.state / "journal.db") if record.kind in kinds]

    def of(self, name):
        return [fact for _, kind, fact in self.told if kind == name]


async def play(folder: Path, link: str, seed: int) -> Story:
    folder.mkdir()
    options = ("--shoes", 1, "--speed", SPEED, "--seed", seed, "--truth", folder / "truth.jsonl")
    told = []
    async with simulated_shoe(link, *options) as (address, shoe):
        configuration = table(folder, address, SPEED)
        async with process("-m", "controller", "run", "-c", configuration, cwd="/") as service:
            port = (await logged(service, "listening"))["port"]
            async for number, kind, fact in events(port):
                told.append((number, kind, fact))
                if kind == "shoe_ended":
                    break
            ends = [await asyncio.wait_for(shoe.wait(), SOON)]
            service.send_signal(signal.SIGTERM)
            await logged(service, "stopped")
            ends.append(await asyncio.wait_for(service.wait(), SOON))
    return Story(folder / "state", truth(folder / "truth.jsonl"), told, ends)


@pytest.fixture(scope="module")
def stories(tmp_path_factory):
    folder = tmp_path_factory.mktemp("story")

    async def both():
        pty = play(folder / "pty", f"pty:{folder}/shoe", 3)
        return await asyncio.gather(pty, play(folder / "tcp", "tcp:127.0.0.1:0", 4))

    return dict(zip(("pty", "tcp"), asyncio.run(both()), strict=True))


@pytest.fixture(params=["pty", "tcp"])
def story(stories, request):
    return stories[request.param]


def tablectl(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "controller", *map(str, arguments)],
        capture_output=True,
        timeout=SOON,
        **options,
    )


def test_shoe_and_service_end_without_complaint(story):
    assert story.ends == [0, 0]


def test_the_page_is_told_every_card_and_every_round_that_was_dealt(story):
    cards = [
        (e["slot"], e["index"], e["card"])
        for e in story.happened
        if e["type"] == "card_drawn" and e["slot"] in FACES
    ]
    assert [(f["hand"], f["index"], f["card"]) for f in story.of("card_dealt")] == cards
    fields = ("round", "winner", "player_cards", "banker_cards")
    rounds = [[e[f] for f in fields] for e in story.happened if e["type"] == "round_dealt"]
    assert len(rounds) > 60
    assert [[fact[f] for f in fields] for fact in story.of("round_decided")] == rounds
    assert [fact["round"] for fact in story.of("round_confirmed")] == [number for number, *_ in rounds]


def test_the_page_is_told_the_cut_card_the_last_round_and_the_end(story):
    kinds = [event["type"] for event in story.happened]
    before = kinds[: kinds.index("cut_card_drawn")].count("card_drawn")
    (ending,), (last,), (end,) = (story.of(k) for k in ("shoe_ending", "last_round_called", "shoe_ended"))
    assert ending["cards_seen"] == before
    assert (last["round"], end["rounds"]) == (kinds.count("round_dealt"),) * 2
    assert end["cards_seen"] == kinds.count("card_drawn")


def test_nothing_irregular_is_raised_and_nobody_waits(story):
    facts = [json.loads(record.body)["type"] for record in story.journalled("fact")]
    assert facts.count("irregularity_raised") == 0
    assert story.of("please_wait") == []


def test_what_the_page_is_told_stands_in_the_journal_under_that_number(story):
    numbered = {record.seq: json.loads(record.body) for record in story.journalled("fact")}
    told = [(number, fact) for number, kind, fact in story.told if number and fact.get("type") == kind]
    assert len(told) > 400
    assert [(number, numbered[number]) for number, _ in told] == told


def test_the_audit_passes(story):
    audited = tablectl("audit", story.state, "--json")
    assert (audited.returncode, audited.stderr) == (0, b"")
    rounds = sum(event["type"] == "round_dealt" for event in story.happened)
    found = json.loads(audited.stdout)
    assert (found["ok"], found["rounds"], found["behind"]) == (True, rounds, 0)


def test_the_captured_bytes_piped_through_decode_and_replay_give_the_same_facts(story, tmp_path):
    heard = [signals.decode(record.body) for record in story.journalled("signal")]
    capture = tmp_path / "shoe.bin"
    capture.write_bytes(b"".join(one.data for one in heard if isinstance(one, Received)))
    here = [sys.executable, "-m", "controller"]
    with (
        subprocess.Popen(
            [*here, "decode", "--protocol", "angel-eye", capture], stdout=subprocess.PIPE
        ) as one,
        subprocess.Popen([*here, "replay", "-"], stdin=one.stdout, stdout=subprocess.PIPE) as other,
    ):
        one.stdout.close()
        facts, _ = other.communicate(timeout=SOON)
    assert (one.returncode, other.returncode) == (0, 0)
    assert facts.splitlines() == [record.body for record in story.journalled("fact")]


# -- a journal that was tampered with ---------------------------------------------------------------------

SWAP = (
    "UPDATE record SET seq = -1 WHERE seq = 700; UPDATE record SET seq = 700 WHERE seq = 701;"
    "UPDATE record SET seq = 701 WHERE seq = -1"
)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("UPDATE record SET body = CAST(body || ' ' AS BLOB) WHERE seq = 700", "content: record 700 "),
        ("UPDATE record SET wall = '2020-01-01T00:00:00.000+00:00' WHERE seq = 700", "content: record 700 "),
        (SWAP, "order: record 700 changed places"),
        (
            "UPDATE record SET seq = 1000000 WHERE seq = 700",
            "number: record 700 was given the number 1000000",
        ),
        ("DELETE FROM record WHERE seq > 700", "cut: the tail is cut: "),
    ],
    ids=["content", "time", "order", "number", "cut"],
)
def test_the_audit_names_the_record_that_was_changed(stories, script, said, tmp_path):
    state = shutil.copytree(stories["pty"].state, tmp_path / "state")
    with closing(sqlite3.connect(state / "journal.db")) as connection:
        connection.executescript(script)
    audited = tablectl("audit", state, text=True)
    assert (audited.returncode, audited.stderr) == (1, "")
    assert audited.stdout.startswith(f"broken: {said}")
    assert len(audited.stdout.splitlines()) == 1


def test_the_audit_names_a_fact_that_does_not_follow_in_a_chain_written_anew(stories, tmp_path):
    kept = stories["pty"].journalled(*KINDS)
    decided = next(r for r in kept if r.kind == "fact" and b'"winner":"banker"' in r.body and r.seq > 700)
    forged = decided.body.replace(b'"winner":"banker"', b'"winner":"player"')
    store = Store(tmp_path / "journal.db", "MB-01")
    store.write((Entry(r.kind, forged if r is decided else r.body, r.device, r.at), r.wall) for r in kept)
    store.close()
    audited = tablectl("audit", tmp_path, "--json", text=True)
    first = json.loads(audited.stdout)["first"]
    assert audited.returncode == 1
    assert (first["seq"], first["what"]) == (decided.seq, "fact")
