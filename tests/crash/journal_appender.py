"""A process to be killed: appends to a journal for ever and prints each number that was acknowledged.

    python journal_appender.py JOURNAL [POINT NTH]

Record N's body is N, an append has one, four, two, three records in turn, and up to eight appends wait at
once. With POINT it kills itself the NTH time that a commit, checkpoint or division comes there; a checkpoint
is asked for at every tenth append, and at every seventh that all but the last record be archived.
"""

import os
import signal
import sys
from itertools import count, cycle
from pathlib import Path
from threading import Semaphore

from controller.journal.record import Entry
from controller.journal.store import Store
from controller.journal.writer import Writer


def main(path: Path, point: str = "", nth: str = "0") -> None:
    left = count(int(nth), -1)

    def at_point(here: str) -> None:
        if here == point and next(left) == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    def failed(error: Exception) -> None:
        os.write(2, f"{error}\n".encode())

    room = Semaphore(8)

    def done(first: int, last: int) -> None:
        nonlocal durable
        durable = last
        os.write(1, f"{last}\n".encode())
        room.release()

    store = Store(path, "MB-01", at_point)
    durable = store.tip.seq
    number = store.tip.seq + 1
    writer = Writer(store, lambda call: call(), failed)
    for turn, size in enumerate(cycle((1, 4, 2, 3))):
        room.acquire()
        entries = [Entry("fact", b"%d" % n) for n in range(number, number + size)]
        number += size
        writer.append(entries, done)
        if turn % 10 == 0:
            writer.checkpoint()
        if turn % 7 == 0 and durable:
            writer.divide(durable)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
