"""The key of a pit console: it opens the pit's view for reading, and nothing else."""

import hmac

import structlog
from aiohttp import web


class PitKey:
    """`key` None: no console may read here, and a key that is given counts for nothing."""

    def __init__(self, key: str | None) -> None:
        self._key = key
        self._refused: str | None = None  # who brought a wrong one last
        self._log = structlog.get_logger()

    def given(self, request: web.Request) -> bool:
        """Whether the request brings a key, which then decides alone, whoever is logged in (RFC 6750)."""
        return self._key is not None and _credentials(request)[0] == "bearer"

    def check(self, request: web.Request) -> None:
        """Raises HTTPForbidden for a wrong key."""
        assert self._key is not None
        if hmac.compare_digest(_credentials(request)[1].encode("utf-8", "replace"), self._key.encode()):
            return
        if request.remote != self._refused:
            # A console that tries again for ever says it once.
            self._refused = request.remote
            self._log.warning("pit_key_refused", address=request.remote)
        raise web.HTTPForbidden(text="this is not the key in the table's pit_key_file\n")


def _credentials(request: web.Request) -> tuple[str, str]:
    """The scheme and what it carries."""
    scheme, _, said = request.headers.get("Authorization", "").partition(" ")
    return scheme.lower(), said.strip()
