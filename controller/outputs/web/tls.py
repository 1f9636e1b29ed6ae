"""The pages' certificate while the service runs: one that is renewed on the disk is taken into use."""

import time
from pathlib import Path

import structlog

from controller.outputs.certificate import load, server_context, shown
from controller.outputs.changes import Changes
from controller.ports import ConfigurationError


class Tls:
    """`context` stays the same; what it shows follows the files. Raises ConfigurationError."""

    def __init__(self, certificate: Path, key: Path | None) -> None:
        self._certificate = certificate
        self._key = key
        self._changes = Changes([path for path in (certificate, key) if path])
        self.context = server_context(certificate, key)
        self._log = structlog.get_logger()

    def renew(self) -> None:
        """Look at the files; a pair that does not work leaves the old one in use, and is told once."""
        if not self._changes.seen():
            return
        try:
            # Tried on a context of its own: a pair that does not fit would spoil the one in use.
            until = shown(server_context(self._certificate, self._key), self._certificate)
            load(self.context, self._certificate, self._key)
        except ConfigurationError as error:
            self._log.error("certificate_not_renewed", error=str(error))
            return
        self._log.info("certificate_renewed", until=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(until)))
