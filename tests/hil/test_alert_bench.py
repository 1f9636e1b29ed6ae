"""An irregularity is at a receiver at once: measured with a real one, as a part of the bench."""

from controller.bench.alerts import measure


def test_every_alert_comes() -> None:
    (figure,) = measure(0.1)
    assert 0 < figure.value < float("inf")
    assert figure.note.startswith("10 alerts; ")
