"""What every request must be and every answer carries: own host, own pages, no cache, no foreign content."""

import ipaddress
import re
from collections.abc import Collection

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Server": "table-controller",  # what it is made of concerns nobody
    "X-Content-Type-Options": "nosniff",
}
#: A browser that was here once by TLS comes without it no more, for a year (RFC 6797).
STRICT = {"Strict-Transport-Security": "max-age=31536000"}


def headers_of(*, secure: bool) -> dict[str, str]:
    """The headers of every answer."""
    return HEADERS | STRICT if secure else HEADERS


_HOST = re.compile(r"(?P<name>\[[^\[\]]*\]|[^:\[\]]*)(:[0-9]*)?")


async def dress(request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers (a signal of `aiohttp`, so that streams and refusals carry them too)."""
    response.headers.update(headers_of(secure=request.secure))


def own_host(names: Collection[str]) -> Middleware:
    """Refuse requests for a host that is neither an address, nor `localhost`, nor one of `names`.

    Against DNS rebinding: a foreign page can make its own name point here, but not an address.
    """

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        hosts = request.headers.getall("Host", [])
        if len(hosts) > 1:
            raise web.HTTPBadRequest(text="one Host is expected\n")
        if not _is_own("".join(hosts), names):
            raise web.HTTPMisdirectedRequest(text="this host name is not served here\n")
        return await handler(request)

    return check


@web.middleware
async def own_pages(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse what the page of another site asks for; but a link may lead to a page of ours.

    `Origin` comes with everything that can change something, `Sec-Fetch-Site` with all requests of a page
    over TLS. What has neither is no page.
    """
    if not (_is_link(request) or _is_ours(request)):
        raise web.HTTPForbidden(
            text='{"refused":"this request comes from another site"}', content_type="application/json"
        )
    return await handler(request)


def _is_link(request: web.Request) -> bool:
    return request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"


def _is_ours(request: web.Request) -> bool:
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    for origin in request.headers.getall("Origin", []):
        scheme, _, host = origin.partition("://")
        # Behind a proxy that speaks TLS for us the scheme differs, and the host is what it passes on.
        if host != request.headers.get("Host") or (request.secure and scheme != "https"):
            return False
    return True


def _is_own(host: str, names: Collection[str]) -> bool:
    parts = _HOST.fullmatch(host)
    if parts is None:
        return False
    name = parts["name"].lower()
    if name in {"localhost", *(known.lower() for known in names)}:
        return True
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
