"""The memory of a process that serves for months."""

import gc


def settle() -> None:
    """The start is over, and what it made stays: no later collection looks through it, which takes tens of
    milliseconds in which no card is heard.
    """
    gc.collect()
    gc.freeze()
