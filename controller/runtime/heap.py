"""The memory of a process that serves for months."""

import gc


def settle() -> None:
    """The start is over, and what it made stays: no later collection looks through it, which would hold up
    whatever waits for longer than a round's card may take.
    """
    gc.collect()
    gc.freeze()
