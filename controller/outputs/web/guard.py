"""What every request must be and every answer carries: own host name, no caching, no foreign content."""

import ipaddress
from collections.abc import Collection

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


async def dress(_: web.Request, response: web.StreamResponse) -> None:
    """Add the headers (a signal of `aiohttp`, so that streams and refusals carry them too)."""
    response.headers.update(HEADERS)


def own_host(names: Collection[str]) -> Middleware:
    """Refuse requests for a host that is neither an address, nor `localhost`, nor one of `names`.

    Against DNS rebinding: a foreign page can make its own name point here, but not an address.
    """

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not _is_own(request.headers.get("Host", ""), names):
            raise web.HTTPMisdirectedRequest(text="this host name is not served here\n")
        return await handler(request)

    return check


def _is_own(host: str, names: Collection[str]) -> bool:
    name = host.rsplit("]", 1)[0].lstrip("[") if host.startswith("[") else host.rsplit(":", 1)[0]
    if name.lower() in {"localhost", *(known.lower() for known in names)}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
