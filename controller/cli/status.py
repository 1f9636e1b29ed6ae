"""Commands that ask a running table: `status`."""

import ssl
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from controller.ports import ConfigurationError, ControllerError, InputError

#: Seconds that an answer may take.
PATIENCE = 5.0
#: Where a table is that nothing else is said of.
USUAL = "http://127.0.0.1:8080"
#: Addresses that mean every one of this machine's, and one that reaches it.
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}

Said = Mapping[str, Any]


class NotReachableError(ControllerError):
    """Nobody answers there."""


class Place(NamedTuple):
    """Where a table answers, and whom TLS believes there."""

    url: str
    trust: ssl.SSLContext | None = None


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("status")(status)


def status(
    config: Annotated[Path | None, typer.Option("-c", "--config", help="The table's configuration.")] = None,
    url: Annotated[str | None, typer.Option(help=f"Where it answers.  [default: {USUAL}]")] = None,
    ca_file: Annotated[
        Path | None, typer.Option(help="For an https URL: the authority's certificate, or its own.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """How a running table is: play, devices, record, alerts. Exit 3: something must be mended."""
    from controller.cli.io import write_json, write_text

    if config is not None and url is not None:
        raise ConfigurationError("-c and --url: give one of them")
    place = _configured(config) if config else _given(url or USUAL, ca_file)
    health, board = _ask(place, "/healthz"), _ask(place, "/api/snapshot?view=board")
    if as_json:
        write_json({"url": place.url, "health": health, "board": board})
    else:
        write_text("\n".join(told(health, board)))
    raise typer.Exit(0 if health["healthy"] else 3)


def _given(url: str, ca_file: Path | None) -> Place:
    """Raises ConfigurationError."""
    from controller.outputs.address import trust

    if not url.startswith(("http://", "https://")):
        raise ConfigurationError(f"--url {url}: no address; write it as {USUAL}")
    return Place(url.rstrip("/"), trust(Path(), str(ca_file)) if ca_file else None)


def _configured(path: Path) -> Place:
    """Raises ConfigurationError."""
    from controller.config import load_configuration

    config = load_configuration(path)
    if not config.web.port:
        raise ConfigurationError(f"{path}: the system chooses the port of `listen`; give --url")
    host = EVERYWHERE.get(config.web.host, config.web.host)
    where = f"{f'[{host}]' if ':' in host else host}:{config.web.port}"
    files = config.web.certificate(config.folder)
    return Place(f"https://{where}", _only(files[0])) if files else Place(f"http://{where}")


def _only(certificate: Path) -> ssl.SSLContext:
    """TLS with the one who has this certificate, whatever name it is for. Raises ConfigurationError."""
    from controller.outputs.address import trust

    context = trust(Path(), str(certificate))
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def _ask(place: Place, path: str) -> Said:
    """The JSON that is answered. Raises NotReachableError, InputError, ConfigurationError."""
    import http.client
    import json
    from urllib.error import HTTPError, URLError
    from urllib.request import HTTPSHandler, ProxyHandler, build_opener

    # A proxy would be asked for this machine itself.
    opener = build_opener(ProxyHandler({}), HTTPSHandler(context=place.trust))
    try:
        with opener.open(f"{place.url}{path}", timeout=PATIENCE) as answer:
            body = answer.read()
    except HTTPError as error:
        # A table that is not well answers 503 and says why.
        body = error.read() if error.code == 503 else b""
        if not body:
            raise InputError(f"{place.url}: answered {error.code}; is this a table?") from None
    except (ValueError, http.client.InvalidURL):
        raise ConfigurationError(f"--url {place.url}: no address; write it as {USUAL}") from None
    except http.client.HTTPException as error:
        raise InputError(f"{place.url}: no HTTP answer ({type(error).__name__}); is this a table?") from None
    except OSError as error:
        why = error.reason if isinstance(error, URLError) else error
        reason = (getattr(why, "strerror", None) or str(why)).lower()
        raise NotReachableError(
            f"{place.url}: {reason}; is the service running? systemctl status table-controller"
        ) from None
    try:
        said = json.loads(body)
    except ValueError:
        said = None
    if not isinstance(said, dict) or "table" not in said:
        raise InputError(f"{place.url}{path}: no answer of a table; another program listens there")
    return said


def told(health: Said, board: Said) -> Iterator[str]:
    """A few lines for a person."""
    table = board["table"]
    yield f"{table['id']} {table['name']}: {health['table']['play']}, {_play(board)}"
    yield f"devices: {_devices(health)}"
    yield f"journal: {_journal(health)}"
    if "alerts" in health:
        yield f"alerts:  {_alerts(health['alerts'])}"
    if "broker" in health:
        yield f"broker:  {health['broker']['error'] or 'has everything'}"
    yield f"pages:   {_pages(health)}"
    clock = {True: "set by another", False: "set by nobody", None: "not known whether it is right"}
    yield f"clock:   {clock[health['clock_synchronised']]}"
    yield f"version: {health['version']}, up {_span(health['uptime_s'])}"
    for words in health["problems"].values():
        yield f"MEND     {words}"


def _play(board: Said) -> str:
    shoe, round_ = board["shoe"], board["round"]
    if shoe["number"] is None:
        return "no shoe yet"
    at = f"shoe {shoe['number']} ({shoe['phase'].replace('_', ' ')})"
    return at if round_["number"] is None else f"{at}, round {round_['number']} ({round_['phase']})"


def _devices(health: Said) -> str:
    def one(device: str, port: str) -> str:
        losses = health["losses_last_hour"].get(device)
        return f"{device} {port}" + (f", lost {losses} times in an hour" if losses else "")

    return "; ".join(one(device, port) for device, port in health["ports"].items()) or "none"


def _journal(health: Said) -> str:
    parts = [health["journal"]]
    if health["journal_lag_s"] >= 0.1:
        parts.append(f"{health['journal_lag_s']:.1f} s behind")
    if health["last_commit_s"] is not None:
        parts.append(f"last commit {_span(health['last_commit_s'])} ago")
    for name, words in (("journal_bytes", ""), ("disk_free_bytes", " free on its disk")):
        if health[name] is not None:
            parts.append(f"{_size(health[name])}{words}")
    return ", ".join(parts)


def _alerts(alerts: Said) -> str:
    waits = sum(target["waiting"] for target in alerts["targets"].values())
    errors = [f"{name}: {target['error']}" for name, target in alerts["targets"].items() if target["error"]]
    return "; ".join([f"{alerts['open']} open, {waits} not delivered", *errors])


def _pages(health: Said) -> str:
    def one(view: str, streams: int) -> str:
        silent = health["pages_shown_s"][view]
        seen = "never seen" if silent is None else f"seen {_span(silent)} ago"
        return f"{view} {streams} open, {seen}"

    return "; ".join(one(view, streams) for view, streams in health["streams"].items())


def _span(seconds: float) -> str:
    for unit, size in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _size(count: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"
