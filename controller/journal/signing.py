"""The keys of a table (Ed25519): the private one signs its checkpoints, the public one checks them."""

import base64
from collections.abc import Sequence
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.journal.checkpoints import Checkpoint
from controller.journal.disk import read_whole, write_whole
from controller.journal.errors import JournalError
from controller.journal.record import Tip, now

KEY, PUBLIC = "signing.key", "signing.pub"
_END = b"-----END PUBLIC KEY-----\n"


class Signer:
    """The key of a table. `sign` gives a line."""

    def __init__(self, key: Ed25519PrivateKey, table: str) -> None:
        self._key = key
        self._table = table

    def sign(self, tip: Tip) -> bytes:
        """The checkpoint of a journal that ends with this record."""
        bare = Checkpoint(table=self._table, seq=tip.seq, hash=tip.hash.hex(), wall=now())
        signature = base64.b64encode(self._key.sign(bare.signed())).decode()
        return msgspec.json.encode(msgspec.structs.replace(bare, signature=signature)) + b"\n"


class Verifier:
    """The public keys of a table: the present one, and those of machines that it was restored from."""

    def __init__(self, keys: Sequence[Ed25519PublicKey]) -> None:
        self._keys = keys

    def holds(self, checkpoint: Checkpoint) -> bool:
        """A key of this table has signed it."""
        return any(_holds(key, checkpoint) for key in self._keys)


def _holds(key: Ed25519PublicKey, checkpoint: Checkpoint) -> bool:
    try:
        key.verify(base64.b64decode(checkpoint.signature), checkpoint.signed())
    except (InvalidSignature, ValueError):
        return False
    return True


def load_signer(folder: Path, table: str, private_text: str | None) -> Signer:
    """The signer of the journal in a folder, with the text of its private key; without one a new key is made
    there. Raises JournalError.
    """
    try:
        key = _new_key(folder / KEY) if private_text is None else _private(private_text, folder / KEY)
        public = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        known = read_whole(folder / PUBLIC) if (folder / PUBLIC).exists() else b""
        if public not in known:
            # What an older key has signed stays vouched for, as in a journal that was restored elsewhere.
            write_whole(folder / PUBLIC, public + known, 0o644)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise JournalError(f"{error.filename or folder}: {reason}; check its disk and permissions") from None
    return Signer(key, table)


def load_verifier(path: Path) -> Verifier:
    """The verifier with the public keys in a file. Raises JournalError."""
    try:
        blocks = [block + _END for block in read_whole(path).split(_END)[:-1]]
        keys = [serialization.load_pem_public_key(block) for block in blocks]
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise JournalError(f"{path}: {reason}; name the table's signing.pub") from None
    except (ValueError, UnsupportedAlgorithm):
        keys = []
    found = [key for key in keys if isinstance(key, Ed25519PublicKey)]
    if not found or len(found) < len(keys):
        raise JournalError(f"{path}: no Ed25519 public key; name the table's signing.pub")
    return Verifier(found)


def _new_key(path: Path) -> Ed25519PrivateKey:
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_whole(path, pem, 0o600)
    return key


def _private(text: str, path: Path) -> Ed25519PrivateKey:
    try:
        key = serialization.load_pem_private_key(text.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise JournalError(f"{path}: no Ed25519 private key; restore it, or move it away for a new one")
    return key
