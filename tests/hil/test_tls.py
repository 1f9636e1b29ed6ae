"""TLS on the pages: what is shown, what is refused, what check-config says, and a renewal while it runs."""

import asyncio
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import aiohttp
import pytest
from certificates import Authority
from cryptography.hazmat.primitives import serialization
from structlog.testing import capture_logs

from controller.config import parse_configuration
from controller.outputs.address import trust
from controller.outputs.web.tls import Tls
from controller.people import People
from controller.ports import ConfigurationError
from controller.runtime.service import Service

CONFIG = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
ruleset = "nj-casino-night-mini-baccarat"
[shoe]
driver = "manual"
[web]
listen = "127.0.0.1:0"
"""
FILES = """certificate_file = "pages.pem"
key_file = "pages.key"
"""


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
async def service(tmp_path: Path, authority: Authority) -> AsyncIterator[Service]:
    authority.issue("pages")
    People(tmp_path / "state").add("sue", "supervisor", "2222")
    service = Service(parse_configuration(CONFIG + FILES, "table.toml", tmp_path))
    await service.start()
    yield service
    await service.stop()


def client(authority: Authority) -> ssl.SSLContext:
    return trust(authority.ca.parent, authority.ca.name)


def test_no_python_asks_more_of_a_certificate_than_another(authority: Authority) -> None:
    """From 3.13 on one from an authority that names no key of its own would be refused, as the tests' are."""
    assert not client(authority).verify_flags & ssl.VERIFY_X509_STRICT


async def test_pages_over_tls_are_verified_and_ask_for_tls_only(
    service: Service, authority: Authority
) -> None:
    base = f"https://127.0.0.1:{service.port}"
    connector = aiohttp.TCPConnector(ssl=client(authority))
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(base, connector=connector, cookie_jar=jar) as page:
        for path in ("/", "/dealer", "/api/snapshot", "/nothing"):
            async with page.get(path) as answer:
                assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        async with page.post("/api/login", json={"name": "sue", "pin": "2222"}) as answer:
            cookie = answer.headers["Set-Cookie"]
        assert cookie.startswith("__Host-session=")
        assert {"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
        async with page.get("/api/session") as answer:
            assert (await answer.json())["name"] == "sue"
        # A page of this host that came without TLS is another site.
        plain = {"Origin": f"http://127.0.0.1:{service.port}"}
        async with page.post("/api/logout", json={}, headers=plain) as answer:
            assert answer.status == 403
        async with page.post("/api/logout", json={}, headers={"Origin": base}) as answer:
            assert answer.status == 200


async def test_a_client_that_does_not_know_the_authority_gets_nothing(service: Service) -> None:
    async with aiohttp.ClientSession() as page:
        with pytest.raises(aiohttp.ClientConnectorCertificateError):
            await page.get(f"https://127.0.0.1:{service.port}/")


async def test_what_is_not_tls_gets_no_page(service: Service) -> None:
    async with aiohttp.ClientSession() as page:
        with pytest.raises(aiohttp.ClientError):
            await page.get(f"http://127.0.0.1:{service.port}/")


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
async def test_old_tls_is_refused(service: Service, authority: Authority, version: ssl.TLSVersion) -> None:
    context = client(authority)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = version
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=context)) as page:
        with pytest.raises(aiohttp.ClientConnectorError):
            await page.get(f"https://127.0.0.1:{service.port}/")


def shown(port: int) -> bytes:
    """The certificate that a server shows."""
    return ssl.get_server_certificate(("127.0.0.1", port)).encode()


async def seen(port: int) -> bytes:
    return await asyncio.to_thread(shown, port)


async def test_a_renewed_certificate_is_shown_without_a_restart(
    service: Service, authority: Authority, tmp_path: Path
) -> None:
    first = await seen(service.port)
    authority.issue("pages")
    listener = service._web._listener
    with capture_logs() as log:
        listener.tend()
        listener.tend()
    assert [entry["event"] for entry in log if "certificate" in entry["event"]] == ["certificate_renewed"]
    assert await seen(service.port) == (tmp_path / "pages.pem").read_bytes() != first


async def test_half_a_renewal_leaves_the_old_certificate_in_use(
    service: Service, authority: Authority, tmp_path: Path
) -> None:
    first = await seen(service.port)
    listener = service._web._listener
    old_key = (tmp_path / "pages.key").read_bytes()
    authority.issue("pages")
    new_key = (tmp_path / "pages.key").read_bytes()
    (tmp_path / "pages.key").write_bytes(old_key)
    with capture_logs() as log:
        listener.tend()
        listener.tend()
    (said,) = [entry for entry in log if "certificate" in entry["event"]]
    assert (said["event"], said["log_level"]) == ("certificate_not_renewed", "error")
    assert "is the key of another certificate" in said["error"]
    assert await seen(service.port) == first
    (tmp_path / "pages.key").write_bytes(new_key)
    listener.tend()
    assert await seen(service.port) == (tmp_path / "pages.pem").read_bytes()
    (tmp_path / "pages.pem").unlink()
    with capture_logs() as log:
        listener.tend()
    assert "no such file" in log[0]["error"]
    assert len(await seen(service.port)) > 0


async def test_a_client_that_connects_and_shakes_no_hand_keeps_nobody_waiting(
    service: Service, authority: Authority
) -> None:
    connector = aiohttp.TCPConnector(ssl=client(authority))
    with socket.create_connection(("127.0.0.1", service.port)):
        async with (
            aiohttp.ClientSession(connector=connector) as page,
            page.get(f"https://127.0.0.1:{service.port}/api/snapshot") as answer,
        ):
            assert answer.status == 200


# -- check-config -----------------------------------------------------------------------------------------


def check(folder: Path, config: str) -> tuple[int, str]:
    """The exit code, and what is said."""
    file = folder / "table.toml"
    file.write_text(config)
    words = (sys.executable, "-m", "controller", "check-config", file)
    done = subprocess.run(words, capture_output=True, text=True)
    return done.returncode, done.stderr.replace(str(folder), "")


def lock(folder: Path) -> None:
    key = serialization.load_pem_private_key((folder / "pages.key").read_bytes(), None)
    secret = serialization.BestAvailableEncryption(b"1234")
    form = serialization.PrivateFormat.PKCS8
    (folder / "pages.key").write_bytes(key.private_bytes(serialization.Encoding.PEM, form, secret))


def mix(folder: Path, authority: Authority) -> None:
    authority.issue("other")
    (folder / "pages.key").write_bytes((folder / "other.key").read_bytes())


SPOILT: dict[str, tuple[Callable[[Path, Authority], object], str]] = {
    "open to all": (
        lambda folder, _: (folder / "pages.key").chmod(0o644),
        "/pages.key: mode 644 lets others at the secret; chmod 600 or 640 it",
    ),
    "another's key": (mix, "/pages.pem: /pages.key is the key of another certificate; name two that were"),
    "a passphrase": (lambda folder, _: lock(folder), "/pages.key: the key has a passphrase, and nobody is"),
    "no key": (
        lambda folder, _: (folder / "pages.key").write_text("x\n"),
        "/pages.pem: no PEM certificate with its key in /pages.key; name both",
    ),
    "no certificate": (
        lambda folder, _: (folder / "pages.pem").write_text("x\n"),
        "/pages.pem: no PEM certificate with its key in /pages.key; name both",
    ),
    "gone": (
        lambda folder, _: (folder / "pages.key").unlink(),
        "/pages.key: no such file or directory; the service's user must be able to read it",
    ),
    "the certificate is gone": (
        lambda folder, _: (folder / "pages.pem").unlink(),
        "/pages.pem: no such file or directory; name the certificate as PEM",
    ),
    "a folder": (
        lambda folder, _: ((folder / "pages.key").unlink(), (folder / "pages.key").mkdir()),
        "/pages.key: is a directory; the service's user must be able to read it",
    ),
    "expired": (
        lambda _, authority: authority.issue("pages", (-9, -1)),
        "/pages.pem: no browser accepts it: certificate has expired; renew it, and see that the clock is",
    ),
    "not yet": (
        lambda _, authority: authority.issue("pages", (1, 9)),
        "/pages.pem: no browser accepts it: certificate is not yet valid; renew it",
    ),
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_pair_that_does_not_work_is_one_line_with_its_place_and_remedy(
    tmp_path: Path, authority: Authority, how: str
) -> None:
    authority.issue("pages")
    spoil, says = SPOILT[how]
    spoil(tmp_path, authority)
    code, said = check(tmp_path, CONFIG + FILES)
    assert code == 2
    (line,) = said.splitlines()
    assert line.startswith(f"tablectl: /table.toml:10: web.certificate_file: {says}"), line


def test_a_key_goes_with_a_certificate(tmp_path: Path) -> None:
    code, said = check(tmp_path, CONFIG + 'key_file = "pages.key"\n')
    assert (code, said) == (
        2, "tablectl: /table.toml:10: web.key_file: goes with a certificate; add certificate_file\n",
    )  # fmt: skip


async def test_an_expired_certificate_does_not_keep_the_table_closed(
    tmp_path: Path, authority: Authority
) -> None:
    authority.issue("pages", (-9, -1))
    service = Service(parse_configuration(CONFIG + FILES, "table.toml", tmp_path))
    await service.start()
    assert await seen(service.port)
    await service.stop()


@pytest.mark.parametrize(
    ("listen", "files", "days", "says"),
    [
        ("127.0.0.1:0", "", 90, None),
        ("[::1]:0", "", 90, None),
        ("localhost:0", "", 90, None),
        ("0.0.0.0:8080", FILES, 90, None),
        (
            "0.0.0.0:8080",
            "",
            90,
            "/table.toml:9: web.listen: PINs and sessions cross the network unencrypted;",
        ),
        (
            "table1.pit:80",
            "",
            90,
            "/table.toml:9: web.listen: PINs and sessions cross the network unencrypted;",
        ),
        (
            "0.0.0.0:8080",
            FILES,
            5.5,
            "/table.toml:10: web.certificate_file: is good for 5 more days; renew it",
        ),
    ],
)
def test_what_should_be_thought_about_is_a_note_and_no_fault(
    tmp_path: Path, authority: Authority, listen: str, files: str, days: float, says: str | None
) -> None:
    authority.issue("pages", (-1, days))
    code, said = check(tmp_path, CONFIG.replace("127.0.0.1:0", listen) + files)
    noted = [line for line in said.splitlines() if " web." in line]
    assert code == 0
    assert len(noted) == (says is not None)
    assert says is None or says in noted[0]


def test_an_unprepared_pair_says_the_same_to_whoever_starts_the_service(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no such file"):
        Tls(tmp_path / "pages.pem", None)
