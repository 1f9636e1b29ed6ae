"""The key with which a table signs its journal."""

from pathlib import Path

from controller.journal.signing import KEY, Signer, load_signer
from controller.outputs.secret import read_private


def signer_of(state: Path, table: str) -> Signer:
    """The signer with the key in the state folder, which is made at the first start.

    Raises ConfigurationError: others may read the key; JournalError.
    """
    path = state / KEY
    return load_signer(state, table, read_private(path) if path.exists() else None)
