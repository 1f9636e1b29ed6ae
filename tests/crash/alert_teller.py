"""A process to be killed: journals irregularities and their answers for ever, and tells them to a web hook.

    python alert_teller.py FOLDER URL [POINT NTH]
    python alert_teller.py FOLDER URL drain

Record 2n-1 is irregularity n, record 2n its answer. With POINT it kills itself the NTH time that the outbox
comes there. `drain` journals nothing more and ends when everything has been delivered.
"""

import asyncio
import os
import signal
import sys
from functools import partial
from itertools import count
from pathlib import Path

import msgspec
from alerting import impatient, webhook

from controller.facts import Fact, IrregularityRaised, IrregularityResolved
from controller.journal.reader import records
from controller.journal.record import Entry
from controller.journal.store import Store
from controller.journal.writer import Writer
from controller.outputs.alerts.alerts import Alerts
from controller.outputs.alerts.outbox import Outbox
from controller.runtime.clock import Clock
from controller.runtime.replaying import items
from controller.views.view import TableInfo

#: So many messages wait at most, so that a kill finds every part of the way busy.
BUSY = 8


def fact(seq: int) -> Fact:
    number = (seq + 1) // 2
    if seq % 2 == 0:
        return IrregularityResolved(id=number, remedy="accept", by="smith", reason="")
    return IrregularityRaised(
        id=number, code="overdraw", round=None, severity="stop", detail="", citation=None, remedies=[]
    )


async def main(folder: Path, url: str, point: str = "", nth: str = "0") -> None:
    left = count(int(nth), -1)

    def at_point(here: str) -> None:
        if here == point and next(left) == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    def failed(error: Exception) -> None:
        os.write(2, f"{error}\n".encode())

    store = Store(folder / "journal.db", "MB-01")
    tip = store.tip.seq
    alerts = Alerts(
        [webhook(folder, url)],
        TableInfo(id="MB-01", name="Mini-Baccarat 1"),
        folder,
        folder,
        tip,
        Clock(),
        outbox=partial(Outbox, at_point=at_point),
        patience=impatient,
    )
    alerts.publish(list(items(records(folder / "journal.db"))))
    await alerts.start()
    writer = Writer(store, asyncio.get_running_loop().call_soon_threadsafe, failed)
    number = tip + 1
    waiting = tip

    def durable(seq: int, first: int, last: int) -> None:
        nonlocal waiting
        waiting = seq
        alerts.publish([(seq, fact(seq))])

    while point != "drain":
        while number - waiting > BUSY or alerts.waiting > BUSY:
            await asyncio.sleep(0.001)
        writer.append([Entry("fact", msgspec.json.encode(fact(number)))], partial(durable, number))
        number += 1
    while alerts.waiting:
        await asyncio.sleep(0.001)
    await alerts.stop()
    writer.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
