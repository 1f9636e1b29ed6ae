"""A disk that is full: said with its remedy, nothing lost, and it goes on when there is room."""

import subprocess
import sys
from pathlib import Path

from controller.journal.audit import verify
from controller.journal.reader import records

#: The size of file that the system allows this process stands for the space on the disk.
APPENDER = """
import resource, sys
from pathlib import Path
from queue import Queue
from controller.journal.record import Entry
from controller.journal.store import Store
from controller.journal.writer import Writer

said = Queue()
store = Store(Path(sys.argv[1]), "MB-01")
writer = Writer(store, lambda call: call(), lambda error: said.put(f"failed {error}"))
append = lambda n: writer.append([Entry("fact", b"%d" % n + b" " * 9999)] * 2, lambda *span: said.put(span))
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
number = 0
while True:
    number += 1
    append(number)
    if isinstance(news := said.get(), str):
        break
    print("acknowledged", *news, flush=True)
print(news, flush=True)
append(number + 1)
print(writer.state, said.empty(), store.tip.seq, flush=True)
sys.stdin.readline()
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
print("acknowledged", *said.get(), flush=True)
print("acknowledged", *said.get(), flush=True)
print(writer.state, flush=True)
writer.close()
"""


def test_nothing_is_lost_when_the_disk_is_full(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    appender = subprocess.Popen(
        [sys.executable, "-c", APPENDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert appender.stdin and appender.stdout
    last = 0
    while (line := appender.stdout.readline()).startswith("acknowledged"):
        assert line == f"acknowledged {last + 1} {last + 2}\n"
        last += 2
    assert last > 2
    assert line.startswith(f"failed {path}: ")
    assert line.endswith("check this disk and the space left on it\n")
    assert appender.stdout.readline() == f"failing True {last}\n"
    verdict = verify(path)
    assert verdict.ok
    assert verdict.records == last
    out, _ = appender.communicate("more room\n", timeout=60)
    assert out.splitlines() == [
        f"acknowledged {last + 1} {last + 2}",
        f"acknowledged {last + 3} {last + 4}",
        "writing",
    ]
    assert appender.returncode == 0
    assert verify(path).ok
    assert [int(record.body) for record in records(path)] == [n // 2 + 1 for n in range(last + 4)]
