"""Any entries, in any grouping, over any number of openings, are read back as they were given."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.journal.audit import verify
from controller.journal.reader import records
from controller.journal.record import KINDS, Entry
from controller.journal.store import Store

ENTRIES = st.builds(
    Entry,
    kind=st.sampled_from(KINDS),
    body=st.binary(max_size=40),
    device=st.none() | st.text(st.characters(max_codepoint=127), max_size=8),
    at=st.none() | st.floats(allow_nan=False, allow_infinity=False),
)
#: Openings of transactions of entries.
SERVICE = st.lists(st.lists(st.lists(ENTRIES, max_size=4), max_size=4), min_size=1, max_size=3)


@given(SERVICE)
@settings(deadline=None, max_examples=50)
def test_entries_come_back_as_given(openings: list[list[list[Entry]]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        for opening in openings:
            store = Store(path, "MB-01")
            for transaction in opening:
                store.write([(entry, "2025-03-01") for entry in transaction])
                store.mark()
            store.close()
        given_entries = [e for opening in openings for transaction in opening for e in transaction]
        found = list(records(path))
        assert [Entry(r.kind, r.body, r.device, r.at) for r in found] == given_entries
        assert [r.seq for r in found] == list(range(1, len(given_entries) + 1))
        assert verify(path).ok
