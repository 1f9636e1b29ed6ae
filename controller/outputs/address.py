"""Addresses of receivers, checked where they enter, and whom TLS believes."""

import ssl
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from controller.outputs.certificate import OLDEST
from controller.ports import ConfigurationError


def check_address(url: str, plain: str, secure: str, *, insecure: bool) -> SplitResult:
    """The parts of a URL: `secure`, or `plain` to this machine or where `insecure` says so.

    Raises ValueError, worded to follow the key's name.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError(f"should be {secure}://HOST[:PORT]..., not {url!r}") from None
    if parts.scheme not in (plain, secure) or not parts.hostname:
        raise ValueError(f"should be {secure}://HOST[:PORT]..., not {url!r}")
    try:
        _ = parts.port
    except ValueError:
        raise ValueError(f"has no port from 0 to 65535: {url!r}") from None
    if parts.username is not None or parts.password is not None:
        raise ValueError("holds a user or a password; keep secrets in a file of their own")
    if parts.scheme == plain and not insecure and not is_here(parts.hostname):
        raise ValueError(f"leaves this machine without TLS; use {secure}://, or set insecure = true")
    return parts


def is_here(host: str) -> bool:
    """A host that no other machine can reach, or overhear."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def trust(base: Path, ca_file: str | None) -> ssl.SSLContext:
    """TLS that believes the system's authorities, or only those in a file. Raises ConfigurationError."""
    path = None if ca_file is None else base / ca_file
    try:
        context = ssl.create_default_context(cafile=path)
        context.minimum_version = OLDEST
        # Python 3.13 asks more of a certificate than browsers, or than many a house's own authority, give.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        return context
    except ssl.SSLError:
        raise ConfigurationError(f"{path}: no PEM certificate; name the authority's certificate") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigurationError(f"{path}: {reason}; name the authority's certificate as PEM") from None
