"""The page files, as they are shipped: what each path serves, which languages and themes there are."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from aiohttp import web
from aiohttp.typedefs import Handler

_TYPES = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
}
#: The package of a table's pages.
TABLE = "controller.outputs.web"
#: Pages that are asked for by a name without an ending.
_NAMES = {"/index.html": "/", "/dealer.html": "/dealer", "/pit.html": "/pit"}


class Asset(NamedTuple):
    """What one path serves."""

    path: str
    body: bytes
    kind: str


def _pages(package: str = TABLE) -> Traversable:
    return files(package) / "pages"


def assets(package: str = TABLE) -> Iterator[Asset]:
    """Every page file of a server."""

    def walk(folder: Traversable, path: str) -> Iterator[Asset]:
        for item in folder.iterdir():
            here = path + item.name
            kind = _TYPES.get(item.name.rsplit(".", 1)[-1])
            if item.is_dir():
                yield from walk(item, f"{here}/")
            elif kind:
                yield Asset(_NAMES.get(here, here), item.read_bytes(), kind)

    return walk(_pages(package), "/")


def serving(body: bytes, kind: str) -> Handler:
    """Answers every request with a file."""

    async def handler(_: web.Request) -> web.Response:
        return web.Response(body=body, content_type=kind, charset="utf-8")

    return handler


@cache
def languages() -> tuple[str, ...]:
    """The languages of the public board, sorted."""
    return _names("text", ".json")


@cache
def themes() -> tuple[str, ...]:
    """The shipped themes, sorted."""
    return _names("themes", ".css")


def theme(name: str) -> bytes:
    """The style sheet of a shipped theme."""
    return (_pages() / "themes" / f"{name}.css").read_bytes()


def _names(folder: str, ending: str) -> tuple[str, ...]:
    items = (_pages() / folder).iterdir()
    return tuple(sorted(item.name.removesuffix(ending) for item in items if item.name.endswith(ending)))
