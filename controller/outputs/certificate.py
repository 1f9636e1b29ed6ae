"""The certificate by which this machine is known, with its key: loaded, and tried before anybody meets it."""

import ssl
from pathlib import Path
from typing import NoReturn

from controller.outputs.secret import read_private
from controller.ports import ConfigurationError

#: Whatever is configured, nothing older is spoken (RFC 8996).
OLDEST = ssl.TLSVersion.TLSv1_2

#: The reason that OpenSSL gives -> the same for a person.
_REASONS = {
    "KEY_VALUES_MISMATCH": "{key} is the key of another certificate; name two that were issued together",
    "EE_KEY_TOO_SMALL": "the key in {key} is too short to be safe; issue a new pair",
    "CA_MD_TOO_WEAK": "it is signed in a way that is not safe any more; issue a new pair",
}
_OTHER = "no PEM certificate with its key in {key}; name both, as certificate_file and key_file"


def load(context: ssl.SSLContext, certificate: Path, key: Path | None) -> None:
    """Have a context show a certificate; without `key`, the certificate's file holds it too.

    Raises ConfigurationError.
    """
    context.minimum_version = OLDEST
    if "ENCRYPTED" in read_private(key or certificate):
        raise ConfigurationError(
            f"{key or certificate}: the key has a passphrase, and nobody is here to type it; "
            "store it without one, readable by the service's user only"
        )
    try:
        context.load_cert_chain(certificate, key, password=_no_passphrase)
    except ssl.SSLError as error:
        what = _REASONS.get(error.reason or "", _OTHER).format(key=key or certificate)
        raise ConfigurationError(f"{certificate}: {what}") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigurationError(f"{certificate}: {reason}; name the certificate as PEM") from None


def server_context(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """TLS for a server. Raises ConfigurationError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.options |= ssl.OP_NO_RENEGOTIATION
    load(context, certificate, key)
    return context


def shown(context: ssl.SSLContext, certificate: Path) -> float:
    """Until when (Unix time) the certificate is good, as a client sees it: by a handshake in memory.

    Raises ConfigurationError: no client would accept it now.
    """
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    # Its own signature will do: whom the pages' browsers trust is not known here.
    client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    client.load_verify_locations(certificate)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    asks = client.wrap_bio(back, there)
    answers = context.wrap_bio(there, back, server_side=True)
    try:
        for side in (asks, answers) * 2:
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    except ssl.SSLCertVerificationError as error:
        what = f"no browser accepts it: {error.verify_message}; renew it, and see that the clock is right"
        raise ConfigurationError(f"{certificate}: {what}") from None
    except ssl.SSLError as error:
        what = (error.reason or str(error)).lower().replace("_", " ")
        raise ConfigurationError(f"{certificate}: no browser accepts it: {what}; issue a new pair") from None
    told = asks.getpeercert() or {}
    return ssl.cert_time_to_seconds(str(told["notAfter"]))


def _no_passphrase() -> NoReturn:
    # Else OpenSSL asks at the terminal, and a service hangs.
    raise ConfigurationError("a key has a passphrase; store it without one")
