"""Attacks on the web server, over real sockets: what malicious pages, clients and neighbours may try."""

import asyncio
import gzip
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp.http_exceptions import BadHttpMessage
from test_web_desk import Site

from controller.outputs.web import connection, listener, server
from controller.outputs.web.assets import assets
from controller.outputs.web.entrance import BODY
from controller.outputs.web.guard import HEADERS
from controller.outputs.web.holders import HERE, Share, Shares, holder
from controller.outputs.web.server import WebServer
from controller.outputs.web.streams import SHARES
from controller.people import People
from controller.views.view import TableInfo

#: Seconds that something awaited may take on a busy machine.
SOON = 30.0


@pytest.fixture(scope="session")
def folk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("folk")
    People(folder).add("dan", "dealer", "1111")
    People(folder).add("sue", "supervisor", "2222")
    return folder


@pytest.fixture
async def site(folk: Path) -> AsyncIterator[Site]:
    site = Site(folk)
    await site.start()
    yield site
    await site.stop()


class Line:
    """A raw connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        """Status, headers (lower case) and body of the next answer."""
        async with asyncio.timeout(SOON):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.split("\r\n")[:-2]
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        return int(first.split()[1]), headers, body

    async def ends(self) -> bytes:
        """What comes until the other end hangs up."""
        data = b""
        async with asyncio.timeout(SOON):
            try:
                while chunk := await self.reader.read(65536):
                    data += chunk
            except ConnectionError:
                pass
        return data


@asynccontextmanager
async def line(site: Site | str, **options: Any) -> AsyncIterator[Line]:
    """A connection to a site, or to an address."""
    port = int((site if isinstance(site, str) else site.base).rsplit(":", 1)[1])
    reader, writer = await asyncio.open_connection("127.0.0.1", port, **options)
    try:
        yield Line(reader, writer)
    finally:
        writer.transport.abort()


async def raw(site: Any, request: bytes) -> tuple[int, dict[str, str], bytes]:
    async with line(site) as wire:
        wire.send(request)
        return await wire.answer()


def get(path: bytes, *headers: bytes) -> bytes:
    return b"".join(
        [b"GET ", path, b" HTTP/1.1\r\nHost: localhost\r\n", *(h + b"\r\n" for h in headers), b"\r\n"]
    )


def post(path: bytes, body: bytes, *headers: bytes, kind: bytes = b"application/json") -> bytes:
    lines = [b"Content-Type: " + kind, b"Content-Length: %d" % len(body), *headers]
    head = b"".join(line + b"\r\n" for line in lines if line != b"Content-Type: ")
    return b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n" + body


def begun(*headers: bytes, body: bytes = b"") -> bytes:
    """A POST with just these headers."""
    lines = b"".join(header + b"\r\n" for header in headers)
    return b"POST /api/logout HTTP/1.1\r\nHost: localhost\r\n" + lines + b"\r\n" + body


# -- requests that are none -------------------------------------------------------------------------------

JSON = b"Content-Type: application/json"
BROKEN = {
    "two lengths": begun(b"Content-Length: 4", b"Content-Length: 5", body=b"xxxxx"),
    "the same length twice": begun(b"Content-Length: 2", b"Content-Length: 2", body=b"{}"),
    "length and chunks": begun(JSON, b"Content-Length: 4", b"Transfer-Encoding: chunked", body=b"0\r\n\r\n"),
    "chunks and length": begun(JSON, b"Transfer-Encoding: chunked", b"Content-Length: 4", body=b"0\r\n\r\n"),
    "an unknown coding": begun(b"Transfer-Encoding: xchunked", body=b"0\r\n\r\n"),
    "a coding behind chunks": begun(b"Transfer-Encoding: chunked, identity", body=b"0\r\n\r\n"),
    "a coding behind a strange blank": begun(b"Transfer-Encoding:\x0bchunked", body=b"0\r\n\r\n"),
    "a blank before the colon": begun(b"Transfer-Encoding : chunked", body=b"0\r\n\r\n"),
    "a chunk without a size": begun(JSON, b"Transfer-Encoding: chunked", body=b"zz\r\n{}\r\n0\r\n\r\n"),
    "a chunk of less than nothing": begun(JSON, b"Transfer-Encoding: chunked", body=b"-2\r\n{}\r\n0\r\n\r\n"),
    "a length with a sign": begun(b"Content-Length: +2", body=b"{}"),
    "a negative length": begun(b"Content-Length: -2", body=b"{}"),
    "a length of another base": begun(b"Content-Length: 0x2", body=b"{}"),
    "a length beyond counting": begun(JSON, b"Content-Length: 99999999999999999999999", body=b"{}"),
    "a folded header": get(b"/", b"X: a\r\n b"),
    "a NUL in a header": get(b"/", b"X: \x00"),
    "a NUL in a header's name": get(b"/", b"X\x00: 1"),
    "a NUL in the path": get(b"/\x00"),
    "bytes in the path": get(b"/\xff\xfe"),
    "lines without CR": b"GET / HTTP/1.1\nHost: localhost\n\n",
    "lines without LF": b"GET / HTTP/1.1\rHost: localhost\r\r",
    "HTTP of another kind": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP of no version": b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    "TLS": bytes.fromhex("16030100a5010000a10303") + b"\0" * 100,
    "no method": b"GETT / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": get(b"/", b"Host: evil.example"),
    "a line too long": get(b"/" + b"a" * 100_000),
    "a header too long": get(b"/", b"X: " + b"a" * 100_000),
    "too many headers": get(b"/", *(b"X-%d: 1" % n for n in range(1000))),
}


@pytest.mark.parametrize("what", BROKEN)
async def test_what_is_no_request_is_refused_once_and_the_line_closed(
    site: Site, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with line(site) as wire:
        # What follows must not be taken for a request of its own.
        wire.send(BROKEN[what] + get(b"/healthz"))
        status, headers, body = await wire.answer()
        rest = await wire.ends()
    assert (status, rest) == (400, b"")
    assert headers["content-type"].startswith("text/plain")
    assert_dressed(headers)
    assert b"Traceback" not in body
    assert caplog.records == []
    assert site.entered == []


async def test_a_fault_of_ours_is_still_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    connection.log.error("x", exc_info=(BadHttpMessage, BadHttpMessage("theirs"), None))
    connection.log.error("x", exc_info=(ValueError, ValueError("ours"), None))
    assert [str(record.exc_info[1]) for record in caplog.records if record.exc_info] == ["ours"]


ODD = {
    "a whole address of a foreign host": (get(b"http://evil.example/api/session"), 200),
    "HTTP/1.0 without a host": (b"GET / HTTP/1.0\r\n\r\n", 421),
    "CONNECT": (b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    "TRACE": (b"TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    "OPTIONS": (b"OPTIONS /api/order HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    "a stranger's preflight": (
        b"OPTIONS /api/order HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n"
        b"Access-Control-Request-Method: POST\r\n\r\n",
        403,
    ),
    "an expectation": (post(b"/api/logout", b"{}", b"Expect: cake"), 417),
    "an upgrade": (get(b"/api/session", b"Upgrade: h2c", b"Connection: Upgrade"), 200),
    "bytes in a header": (get(b"/api/session", b"X: \xff\xfe", b"Cookie: session=\xff"), 200),
    "bytes in the query": (get(b"/api/snapshot?view=%ff%00"), 400),
}


@pytest.mark.parametrize("what", ODD)
async def test_odd_requests_have_plain_answers(
    site: Site, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    request, wanted = ODD[what]
    status, headers, body = await raw(site, request)
    assert status == wanted
    assert_dressed(headers)
    assert b"Traceback" not in body
    assert "access-control-allow-origin" not in headers
    assert caplog.records == []


PATHS = (
    b"/../../../../etc/passwd", b"/%2e%2e/%2e%2e/etc/passwd", b"/..%2f..%2f..%2fetc%2fpasswd",
    b"/%252e%252e/etc/passwd", b"/text/../../settings.py", b"/text/..%2f..%2fsettings.py",
    b"/text/%2e%2e%2f%2e%2e%2fdesk.py", b"//etc/passwd", b"///etc/passwd", b"/..\\..\\etc\\passwd",
    b"/%5c..%5c..%5cetc%5cpasswd", b"/board.js%00.html", b"/board.js/", b"/board.js/../desk.py",
    b"/.", b"/text/", b"/text", b"/themes/..%2f..%2ftls.py", b"/%c0%ae%c0%ae/etc/passwd", b"/people.json",
    b"/state/journal.db", b"/table.toml",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
async def test_no_path_leads_out_of_the_pages(site: Site, path: bytes) -> None:
    status, headers, body = await raw(site, get(path))
    assert status == 404, body[:100]
    assert body == b"404: Not Found"
    assert_dressed(headers)


async def test_every_served_file_is_one_of_the_pages(site: Site) -> None:
    for path, content, _ in assets():
        assert (await raw(site, get(path.encode())))[2] == content


# -- bodies -----------------------------------------------------------------------------------------------

DEEP = b'{"name":' + b"[" * 8000 + b"]" * 8000 + b"}"
BODIES = {
    "deep lists": (DEEP, 400),
    "deep objects": (b'{"a":' * 2700 + b"1" + b"}" * 2700, 400),
    "open brackets": (b"[" * 16_000, 400),
    "a number of 5,000 digits": (b'{"name":' + b"9" * 5000 + b',"pin":"1"}', 400),
    "a number beyond floats": (b'{"name":1e999,"pin":"1"}', 400),
    "not a number": (b'{"name":NaN,"pin":"1"}', 400),
    "half a character": (b'{"name":"\\ud800","pin":"1"}', 400),
    "UTF-16": ('{"name":"a","pin":"b"}'.encode("utf-16"), 400),
    "a byte order mark": (b"\xef\xbb\xbf{}", 400),
    "no UTF-8": (b'{"name":"\xff","pin":"1"}', 400),
    "nothing": (b"", 400),
    "NULs": (b"\0" * 100, 400),
    "NULs in a name": (b'{"name":"\\u0000","pin":"\\u0000"}', 403),
    "one name twice": (b'{"name":"sue","name":"dan","pin":"2222"}', 400),
    "a long name": (b'{"name":"' + b"a" * 16_000 + b'","pin":"1"}', 403),
    "a form of another's": (b'{"name":{"$ne":""},"pin":{"$ne":""}}', 400),
    "too long": (b" " * (BODY + 1), 413),
}


@pytest.mark.parametrize("what", BODIES)
async def test_hostile_bodies(site: Site, what: str, caplog: pytest.LogCaptureFixture) -> None:
    body, wanted = BODIES[what]
    status, headers, answer = await raw(site, post(b"/api/login", body))
    assert status == wanted, answer
    assert_dressed(headers)
    assert "set-cookie" not in headers
    assert b"Traceback" not in answer and b"File" not in answer
    assert caplog.records == []


@pytest.mark.parametrize(
    "body", [b"[" * 8000, b'{"a":' + b"[" * 1500 + b"]" * 1500 + b"}", b"1e999", b"\\ud800"]
)
async def test_hostile_orders_of_a_supervisor(site: Site, body: bytes) -> None:
    await site.login("sue")
    headers = {"Content-Type": "application/json"}
    for path in ("/api/order", "/api/announce"):
        async with site.client.post(site.base + path, data=body, headers=headers) as answer:
            assert answer.status == 400
    assert site.entered == []


KINDS = (
    b"", b"text/plain", b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=x",
    b"application/jsonp", b"text/json", b"*/*", b"\xff",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
async def test_a_form_of_any_page_is_no_request_of_ours(site: Site, kind: bytes) -> None:
    # The page of any site may send these without asking; JSON it may not (Fetch, CORS-safelisted types).
    body = b'{"name":"sue","pin":"2222"}'
    assert (await raw(site, post(b"/api/login", body, kind=kind)))[0] == 415


async def test_a_bomb_is_not_unpacked(site: Site) -> None:
    bomb = gzip.compress(b" " * 10_000_000)
    assert len(bomb) < BODY
    status, _, answer = await raw(site, post(b"/api/login", bomb, b"Content-Encoding: gzip"))
    assert (status, b"Content-Encoding" in answer) == (415, True)


# -- other sites ------------------------------------------------------------------------------------------

FOREIGN = (
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://127.0.0.1.evil.example"},
    {"Origin": "{own}.evil.example"},
    {"Origin": "{own}", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "{own}", "Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    {"Sec-Fetch-Site": "strange"},
)
OURS: tuple[dict[str, str], ...] = (
    {},
    {"Origin": "{own}"},
    {"Origin": "{own}", "Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
)


def for_site(site: Site, headers: dict[str, str]) -> dict[str, str]:
    return {name: value.format(own=site.base) for name, value in headers.items()}


@pytest.mark.parametrize("headers", FOREIGN)
async def test_a_foreign_page_changes_nothing_with_the_supervisors_cookie(
    site: Site, headers: dict[str, str]
) -> None:
    await site.login("sue")
    sent = for_site(site, headers)
    for path, body in (
        ("/api/order", {"order": "annotate", "reason": "x"}),
        ("/api/announce", {"type": "bets_opened"}),
        ("/api/login", {"name": "dan", "pin": "1111"}),
        ("/api/logout", {}),
    ):
        assert await site.post(path, body, **sent) == (
            403, {"refused": "this request comes from another site"},
        )  # fmt: skip
    async with site.client.post(f"{site.base}/api/shown?view=board", headers=sent) as answer:
        assert answer.status == 403
    assert site.entered == []
    async with site.client.get(f"{site.base}/api/session") as answer:
        assert (await answer.json())["name"] == "sue"


@pytest.mark.parametrize("headers", OURS)
async def test_our_own_page_does(site: Site, headers: dict[str, str]) -> None:
    await site.login("sue")
    order = {"order": "annotate", "reason": "x"}
    assert (await site.post("/api/order", order, **for_site(site, headers)))[0] == 200


@pytest.mark.parametrize("path", ["/events", "/api/snapshot", "/api/session", "/healthz", "/board.js"])
async def test_a_foreign_page_reads_nothing_but_may_link_to_us(site: Site, path: str) -> None:
    async def status(**headers: str) -> int:
        async with site.client.get(site.base + path, headers=headers) as answer:
            return answer.status

    embedded = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert await status(**embedded) == 403
    assert await status(Origin="http://evil.example") == 403
    assert await status(**{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}) == 200


HOSTS = {
    "evil.example": 421, "evil.example:8080": 421, "localhost.evil.example": 421,
    "127.0.0.1.evil.example": 421,
    "localhost@evil.example": 421, "evil.example#localhost": 421,
    "": 421, "0x7f.1": 421, "[::1].evil.example": 421,
    "localhost": 200, "LOCALHOST:1": 200, "127.0.0.1": 200, "[::1]:8080": 200,
}  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
async def test_a_name_that_was_rebound_to_us_is_not_ours(site: Site, host: str) -> None:
    # A page of that name would be of the same origin with what it asks for here.
    request = f"GET /api/session HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\r\n"
    status, headers, _ = await raw(site, request.encode())
    assert status == HOSTS[host]
    assert_dressed(headers)


# -- sessions ---------------------------------------------------------------------------------------------


async def test_a_token_that_somebody_planted_is_never_taken_over(site: Site) -> None:
    planted = "planted-by-somebody"
    login = post(b"/api/login", b'{"name":"sue","pin":"2222"}', b"Cookie: session=" + planted.encode())
    _, headers, _ = await raw(site, login)
    token = headers["set-cookie"].partition(";")[0].removeprefix("session=")
    assert token != planted
    assert len(token) >= 43
    for cookie, who in ((planted, {}), (token, {"name": "sue", "role": "supervisor"}), (token[:-1], {})):
        _, _, body = await raw(site, get(b"/api/session", b"Cookie: session=" + cookie.encode()))
        assert json.loads(body) == who


async def test_the_flags_of_the_cookie_when_it_comes_and_when_it_goes(site: Site) -> None:
    _, came, _ = await raw(site, post(b"/api/login", b'{"name":"sue","pin":"2222"}'))
    _, went, _ = await raw(site, post(b"/api/logout", b"{}"))
    for cookie in (came["set-cookie"], went["set-cookie"]):
        flags = set(cookie.split("; ")[1:])
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= flags
        assert not any(flag.startswith("Domain") for flag in flags)
    assert "Max-Age=0" in went["set-cookie"]


async def test_a_session_is_over_when_its_person_logs_out(site: Site) -> None:
    _, headers, _ = await raw(site, post(b"/api/login", b'{"name":"sue","pin":"2222"}'))
    cookie = b"Cookie: " + headers["set-cookie"].partition(";")[0].encode()
    await raw(site, post(b"/api/logout", b"{}", cookie))
    order = post(b"/api/order", b'{"order":"annotate","reason":"x"}', cookie)
    assert (await raw(site, order))[0] == 401


async def test_nobody_learns_whether_a_name_exists(site: Site) -> None:
    answers = [await site.login(name, "0000") for name in ("sue", "nobody")]
    assert answers[0] == answers[1] == (403, {"refused": "name or PIN is wrong"})


# -- slow clients -----------------------------------------------------------------------------------------


def hurry(monkeypatch: pytest.MonkeyPatch, **seconds: float) -> None:
    for name, value in seconds.items():
        monkeypatch.setattr(connection, name, value)
    monkeypatch.setattr(server, "TICK_S", 0.05)


async def drip(wire: Line, data: bytes, pause: float) -> None:
    for place in range(len(data)):
        wire.send(data[place : place + 1])
        await asyncio.sleep(pause)


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
async def test_headers_that_do_not_end_are_not_waited_for(
    site: Site, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    hurry(monkeypatch, HEAD_S=0.2)
    async with line(site) as wire:
        wire.send(sent)
        assert await wire.ends() == b""


async def test_headers_that_drip_do_not_buy_time(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch, HEAD_S=0.3)
    async with line(site) as wire:
        dripping = asyncio.create_task(drip(wire, b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 10_000, 0.02))
        assert await wire.ends() == b""
        dripping.cancel()


async def test_a_second_request_on_the_line_has_no_more_time(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with line(site) as wire:
        wire.send(get(b"/api/session"))
        assert (await wire.answer())[0] == 200
        hurry(monkeypatch, HEAD_S=0.2)
        wire.send(b"GET / HT")
        assert await wire.ends() == b""


async def test_an_idle_line_is_closed_in_the_end(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch, KEEP_S=0.2)
    async with line(site) as wire:
        wire.send(get(b"/api/session"))
        assert (await wire.answer())[0] == 200
        assert await wire.ends() == b""


async def test_a_body_that_drips_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch, BODY_S=0.3)
    async with line(site) as wire:
        wire.send(begun(JSON, b"Content-Length: 10000"))
        dripping = asyncio.create_task(drip(wire, b" " * 10_000, 0.02))
        status, headers, body = await wire.answer()
        dripping.cancel()
    assert (status, body) == (408, b"the body did not come in time\n")
    assert_dressed(headers)


async def test_who_does_not_take_an_answer_is_cut_off(folk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch, KEEP_S=0.2, STALL_S=0.3)
    style = b"x" * 20_000_000
    table = WebServer(
        TableInfo(id="T", name="T"), history=lambda _: (), health=lambda: (True, {}), style=style
    )
    here = f"http://127.0.0.1:{await table.start('127.0.0.1', 0)}"
    async with line(here, limit=1024) as wire:
        wire.send(get(b"/theme.css"))
        await wire.reader.readuntil(b"\r\n\r\n")
        async with asyncio.timeout(SOON):
            while table._listener._connections._open:
                await asyncio.sleep(0.01)
        assert len(await wire.ends()) < len(style)
    # Who takes it piece by piece gets all of it, long after an idle line would be closed.
    hurry(monkeypatch, STALL_S=SOON)
    async with line(here, limit=1 << 20) as wire:
        wire.send(get(b"/theme.css"))
        await wire.reader.readuntil(b"\r\n\r\n")
        taken = 0
        while taken < len(style):
            taken += len(await wire.reader.read(1 << 20))
            await asyncio.sleep(0.03)
    await table.stop()


# -- too many ---------------------------------------------------------------------------------------------


def test_who_is_behind_an_address() -> None:
    assert holder("127.0.0.1") == holder("127.9.9.9") == holder("::1") == holder("::ffff:127.0.0.1") == HERE
    assert holder("10.0.0.1") == holder("::ffff:10.0.0.1") == "10.0.0.1"
    assert holder("2001:db8::1") == holder("2001:db8::ffff:1") != holder("2001:db8:0:1::1")
    assert holder("fe80::1%eth0") == holder("fe80::2%eth0")
    # A socket of the file system has no address: it is this machine's.
    assert holder(None) == holder("") == HERE


def test_shares_are_per_holder_and_per_class() -> None:
    shares = Shares({"there": Share(2, 3), HERE: Share(1, 1)})
    assert [shares.take("there", who) for who in "aaabb"] == [True, True, False, True, False]
    assert shares.take(HERE, HERE)
    shares.give("there", "a")
    assert [shares.take("there", who) for who in "bb"] == [True, False]
    shares.give("there", "a")
    assert not shares._each[("there", "a")]


def test_every_class_of_streams_has_room_of_its_own() -> None:
    assert set(SHARES) == {"session", HERE, "there"}
    assert all(0 < share.each <= share.all for share in SHARES.values())


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses of the next clients, as the server sees them; the last one stays."""
    places = ["10.0.0.66"]
    for module in (server, connection):
        monkeypatch.setattr(module, "holder", lambda _: places[0])
    return places


async def streams(site: Site, number: int, **headers: str) -> list[aiohttp.ClientResponse]:
    return [await site.client.get(f"{site.base}/events", headers=headers) for _ in range(number)]


async def test_one_neighbour_cannot_take_the_streams_of_the_table(
    site: Site, far: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    share = SHARES["there"]
    there = await streams(site, share.each + 1)
    assert [answer.status for answer in there] == [200] * share.each + [503]
    assert there[-1].headers["Retry-After"] == "5"
    for place in range(share.all // share.each - 1):
        far[0] = f"10.0.1.{place}"
        there += await streams(site, share.each)
    far[0] = "10.0.2.1"
    (one_more,) = await streams(site, 1)
    assert one_more.status == 503
    # The hall is full. The screen that is plugged in here and the dealer see their table all the same.
    far[0] = HERE
    (board,) = await streams(site, 1)
    assert board.status == 200
    far[0] = "10.0.0.66"
    await site.login("dan")
    (dealer,) = await streams(site, 1)
    assert dealer.status == 200
    for answer in (*there, one_more, board, dealer):
        answer.close()


async def test_one_person_cannot_take_the_streams_of_the_others(site: Site, far: list[str]) -> None:
    share = SHARES["session"]
    await site.login("dan")
    mine = await streams(site, share.each + 1)
    assert [answer.status for answer in mine] == [200] * share.each + [503]
    # Logging in once more gives no more.
    await site.login("dan")
    (again,) = await streams(site, 1)
    assert again.status == 503
    await site.login("sue")
    (hers,) = await streams(site, 1)
    assert hers.status == 200
    for answer in (*mine, again, hers):
        answer.close()


async def test_one_neighbour_cannot_take_every_connection(
    site: Site, far: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = connection.Connections({HERE: Share(4, 4), "there": Share(3, 5)})
    monkeypatch.setattr(site.server._listener, "_connections", few)

    async def alive(wire: Line) -> bool:
        wire.send(get(b"/api/session"))
        try:
            return (await wire.answer())[0] == 200
        except (asyncio.IncompleteReadError, ConnectionError):
            return False

    async with line(site) as a, line(site) as b, line(site) as c, line(site) as d:
        assert [await alive(wire) for wire in (a, b, c, d)] == [True, True, True, False]
        far[0] = HERE
        async with line(site) as board:
            assert await alive(board)
        far[0] = "10.0.0.66"
        c.writer.close()
        async with asyncio.timeout(SOON):
            while len(few._open) > 2:
                await asyncio.sleep(0)
        async with line(site) as again:
            assert await alive(again)


async def test_a_flood_of_requests_on_one_line_is_answered_one_by_one(site: Site) -> None:
    async with line(site) as wire:
        wire.send(get(b"/api/session") * 2000)
        for _ in range(2000):
            assert (await wire.answer())[0] == 200


# -- what every answer carries ----------------------------------------------------------------------------


def assert_dressed(headers: dict[str, str]) -> None:
    for name, value in HEADERS.items():
        assert headers[name.lower()] == value
    assert "unsafe" not in headers["content-security-policy"]
    assert not re.search(r"aiohttp|python|\d", headers.get("server", ""), re.IGNORECASE)


async def test_a_fault_of_ours_gives_nothing_away(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError("the secret of the house")

    monkeypatch.setattr(site.server, "_health", break_down)
    for accept in (b"text/html", b"*/*"):
        status, headers, body = await raw(site, get(b"/healthz", b"Accept: " + accept))
        assert status == 500
        assert_dressed(headers)
        assert b"secret" not in body and b"Traceback" not in body and b".py" not in body
    assert "the secret of the house" in caplog.text


def test_the_limits_hold_together() -> None:
    # A page says every five seconds that it shows something, and looks again after eight.
    assert connection.KEEP_S > 10
    assert connection.HEAD_S < connection.KEEP_S
    assert listener.SHAKE_S <= 10
    assert connection.SHARES["there"].each < connection.SHARES["there"].all
