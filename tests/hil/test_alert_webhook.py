"""Alerts to a real HTTP receiver: signed, in order, and nothing lost while it is away."""

import asyncio
import ssl
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from alerting import SECRET, Station, webhook
from certificates import Authority
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from receivers import Receiver, eventually, without_doubles

from controller.observations import CardDrawn
from controller.outputs.alerts.webhook import signature


@pytest_asyncio.fixture
async def receiver() -> AsyncIterator[Receiver]:
    receiver = await Receiver().start()
    yield receiver
    await receiver.stop()


def error_of(station: Station, target: str = "webhook") -> str:
    return str(station.alerts.health()["targets"][target]["error"])  # type: ignore[index]


def test_signs_like_the_published_example() -> None:
    """The example of the Standard Webhooks libraries."""
    key = b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    signed = signature(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


async def test_an_irregularity_and_its_answer(tmp_path: Path, receiver: Receiver) -> None:
    async with Station(tmp_path, webhook(tmp_path, receiver.url)) as station:
        station.stop_play("4S")
        (raised,) = await receiver.count(1)
        station.clock.at += 61.5
        station.answer()
        _, resolved = await receiver.count(2)
    assert {name: value for name, value in raised.items() if name not in ("id", "incident", "fact")} == {
        "table": "MB-01",
        "kind": "raised",
        "level": "stop",
        "code": "early-card",
        "at": "2027-01-15T08:00:00.000+00:00",
        "open_s": 0.0,
        "times": 1,
        "ids": [1],
        "title": "Mini-Baccarat 1: stop",
        "text": f"MB-01: early-card: {raised['fact']['detail']}",
    }
    assert raised["fact"]["type"] == "irregularity_raised"
    assert "4S" in raised["fact"]["detail"]
    assert raised["fact"]["remedies"]
    assert (resolved["kind"], resolved["open_s"]) == ("resolved", 61.5)
    assert resolved["text"] == "MB-01: early-card: burn_card by smith: seen"
    assert resolved["fact"] == {
        "type": "irregularity_resolved", "id": 1, "remedy": "burn_card", "by": "smith", "reason": "seen"
    }  # fmt: skip
    assert resolved["incident"] == raised["incident"]
    assert resolved["id"] != raised["id"]


async def test_the_signature_verifies_with_other_means(tmp_path: Path, receiver: Receiver) -> None:
    async with Station(tmp_path, webhook(tmp_path, receiver.url)) as station:
        station.stop_play()
        await receiver.count(1)
    (post,) = receiver.posts
    mac = HMAC(SECRET, SHA256())
    mac.update(f"{post.headers['webhook-id']}.{post.headers['webhook-timestamp']}.".encode() + post.body)
    assert post.headers["webhook-signature"] == "v1," + b64encode(mac.finalize()).decode()
    assert post.headers["webhook-id"] == post.said["id"]
    assert post.headers["content-type"] == "application/json"


async def test_an_outage_loses_nothing_and_keeps_the_order(tmp_path: Path, receiver: Receiver) -> None:
    async with Station(tmp_path, webhook(tmp_path, receiver.url)) as station:
        station.warn()
        await receiver.count(1)
        await receiver.stop()
        station.stop_play()
        station.answer()
        station.block_play()
        station.warn()
        station.pass_time(60)
        await eventually(lambda: "Cannot connect" in error_of(station))
        await eventually(lambda: station.alerts.health()["targets"]["webhook"]["waiting"] >= 4)  # type: ignore[index]
        assert not station.alerts.healthy
        await receiver.start()
        said = await receiver.count(5)
        await eventually(lambda: station.alerts.healthy)
    assert [(one["kind"], one["code"], one["times"]) for one in said] == [
        ("raised", "button-misuse", 1),
        ("raised", "early-card", 1),
        ("resolved", "early-card", 1),
        ("raised", "shuffler-fault", 1),
        ("repeated", "button-misuse", 2),
    ]


async def test_a_refusal_is_tried_again_with_the_same_id_and_words(
    tmp_path: Path, receiver: Receiver
) -> None:
    refusals = iter([500, 302, 0, 404])
    receiver.answer = lambda post: next(refusals, 204)
    async with Station(tmp_path, webhook(tmp_path, receiver.url)) as station:
        station.stop_play()
        await receiver.count(5)
        station.answer()
        said = await receiver.count(6)
    assert [one["kind"] for one in said] == ["raised"] * 5 + ["resolved"]
    assert {post.path for post in receiver.posts} == {"/alerts"}
    assert len({post.body for post in receiver.posts[:5]}) == 1
    assert len({post.headers["webhook-id"] for post in receiver.posts[:5]}) == 1
    assert [one["kind"] for one in without_doubles(said)] == ["raised", "resolved"]


async def test_a_message_that_is_refused_lets_the_others_pass_and_is_tried_again(
    tmp_path: Path, receiver: Receiver
) -> None:
    """Also over a restart; until it is taken the target is not well."""
    takes_all = asyncio.Event()
    receiver.answer = lambda post: 422 if post.said["kind"] == "raised" and not takes_all.is_set() else 200

    def taken() -> list[str]:
        return [post.said["kind"] for post in receiver.accepted]

    async with Station(tmp_path, webhook(tmp_path, receiver.url)) as station:
        station.stop_play()
        station.answer()
        await receiver.until(lambda: len(receiver.posts) >= 6)
        assert taken() == ["resolved"]
        assert error_of(station).endswith(f"/alerts: answered 422 to message {receiver.said[0]['id']}")
        assert not station.alerts.healthy
    async with Station(tmp_path, webhook(tmp_path, receiver.url)) as station:
        takes_all.set()
        await eventually(lambda: station.alerts.waiting == 0 and station.alerts.healthy)
    assert taken()[:2] == ["resolved", "raised"]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\0\r\n" * 200,
        b"HTTP/1.1 99999 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: http://[::1\r\nContent-Length: 0\r\n\r\n",
    ],
)
async def test_what_is_no_answer_is_told_in_one_line_and_tried_again(answer: bytes, tmp_path: Path) -> None:
    asked = 0

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    async with server, Station(tmp_path, webhook(tmp_path, url)) as station:
        station.stop_play()
        await eventually(lambda: asked >= 2)
        error = error_of(station)
    assert error.startswith(f"{url}: ")
    assert "\n" not in error and len(error) < 300


async def test_one_that_never_answers_is_given_up_and_tried_again(tmp_path: Path, receiver: Receiver) -> None:
    receiver.open.clear()
    async with Station(tmp_path, webhook(tmp_path, receiver.url, timeout=0.1)) as station:
        station.stop_play()
        await receiver.count(2)
        assert error_of(station).endswith("no answer in time")
        receiver.open.set()
        await eventually(lambda: station.alerts.healthy)
    assert len(without_doubles(receiver.said)) == 1


async def test_one_target_that_is_away_does_not_keep_another_waiting(
    tmp_path: Path, receiver: Receiver
) -> None:
    away = Receiver()
    sections = webhook(tmp_path, away.url, name="away"), webhook(tmp_path, receiver.url, name="here")
    async with Station(tmp_path, *sections) as station:
        for _ in range(3):
            station.stop_play()
            station.answer()
        assert len(await receiver.count(6)) == 6
        assert "Cannot connect" in error_of(station, "away")
        await away.start()
        said = await away.count(6)
        await away.stop()
    assert [one["kind"] for one in said] == ["raised", "resolved"] * 3
    # Each target's messages are its own: a receiver behind both drops none of them.
    assert not {one["id"] for one in said} & {one["id"] for one in receiver.said}
    assert {one["incident"] for one in said} == {one["incident"] for one in receiver.said}


async def test_tls_is_verified_against_the_authority_that_is_named(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    other = Authority(tmp_path, "elsewhere")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(*authority.issue("receiver"))
    receiver = await Receiver(tls).start()
    sections = (
        webhook(tmp_path, receiver.url, name="system"),
        webhook(tmp_path, receiver.url, name="other", ca_file=other.ca.name),
        webhook(tmp_path, receiver.url, name="right", ca_file=authority.ca.name),
    )
    async with Station(tmp_path, *sections) as station:
        station.stop_play()
        await receiver.count(1)
        for name in ("system", "other"):
            await eventually(lambda name=name: "certificate verify failed" in error_of(station, name))  # type: ignore[misc]
        assert error_of(station, "right") == "None"
        assert len(receiver.posts) == 1
    await receiver.stop()


async def test_the_public_is_told_to_wait_and_nothing_else(tmp_path: Path, receiver: Receiver) -> None:
    dealer = await Receiver().start()
    sections = (
        webhook(tmp_path, receiver.url, name="board", audience="board"),
        webhook(tmp_path, dealer.url, name="dealer", audience="dealer"),
    )
    async with Station(tmp_path, *sections, dealing="both-down") as station:
        station.play.open()
        station.alerts.publish(station.play.items)
        station.do(*(CardDrawn(card=card) for card in ("9H", "8S", "KD", "JD")))
        station.stop_play("4S")
        station.warn()
        station.answer()
        await receiver.count(2)
        await dealer.count(2)
    await dealer.stop()
    assert [(one["kind"], one["level"], one["text"]) for one in receiver.said] == [
        ("raised", "stop", "MB-01: please wait"),
        ("resolved", "stop", "MB-01: play goes on"),
    ]
    assert [one["fact"] for one in receiver.said] == [
        {"type": "please_wait", "wait": True},
        {"type": "please_wait", "wait": False},
    ]
    assert [one["ids"] for one in receiver.said] == [[], []]
    # With cards face down, that a card came when none is due would tell of a natural.
    assert dealer.said[0]["code"] == "hold"
    assert dealer.said[0]["text"].startswith("MB-01: hold: Stop. Leave every card")
    for post in receiver.posts + dealer.posts:
        assert not any(word in post.body for word in (b"4S", b"9H", b"8S", b"overdraw"))
