"""Dashboard and alert rules ask for metrics that exist, with labels that they have."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from controller.health.links import UNSTEADY
from controller.health.metrics import ALERTS, COUNTERS, HISTOGRAMS
from controller.health.watch import GAUGES

FOLDER = Path(__file__).parents[2] / "systemd/dashboards"
PROCESS = {
    f"process_{name}"
    for name in (
        "cpu_seconds_total",
        "resident_memory_bytes",
        "virtual_memory_bytes",
        "open_fds",
        "max_fds",
        "start_time_seconds",
    )
}
#: Name as Prometheus has it -> labels beside its own.
LABELS: dict[str, set[str]] = {
    **{f"{name}_total": set(labels) for name, (_, labels) in COUNTERS.items()},
    **{f"{name}_{part}": {"le"} for name in HISTOGRAMS for part in ("bucket", "sum", "count")},
    **{name: set(gauge.labels) for name, gauge in GAUGES.items()},
    ALERTS: {"severity"},
    **{name: set() for name in PROCESS},
    "up": set(),
}
#: What Prometheus adds to every one.
ADDED = {"instance", "job"}
#: A metric, with what is asked of its labels and the span.
ASKED = re.compile(r"\b((?:table|process)_\w+|up)(?:\{([^}]*)\})?")
NO_METRIC = re.compile(r'"[^"]*"|\b(?:by|without) ?\([^)]*\)')


def dashboard() -> Any:
    return json.loads((FOLDER / "table.json").read_text())


def panels() -> list[Any]:
    return [panel for panel in dashboard()["panels"] if panel["type"] != "row"]


def rules() -> list[Any]:
    (group,) = yaml.safe_load((FOLDER / "table.rules.yml").read_text())["groups"]
    return list(group["rules"])


def queries() -> Iterator[tuple[str, str, set[str]]]:
    """(where, expression, labels that its words use)."""
    for panel in panels():
        for target in panel["targets"]:
            yield panel["title"], target["expr"], set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
    for rule in rules():
        words = rule["annotations"]["summary"]
        yield rule["alert"], rule["expr"], set(re.findall(r"\$labels\.(\w+)", words))


QUERIES = list(queries())


@pytest.mark.parametrize(("where", "expression", "words"), QUERIES, ids=[q[0] for q in QUERIES])
def test_every_query_names_what_exists(where: str, expression: str, words: set[str]) -> None:
    asked = ASKED.findall(NO_METRIC.sub("", expression))
    assert asked, where
    known = set(ADDED)
    for name, selector in asked:
        assert name in LABELS, f"{where}: no metric {name}"
        known |= LABELS[name]
        used = set(re.findall(r"(\w+)\s*[=!]~?", selector))
        assert used <= LABELS[name] | ADDED, f"{where}: {name} has no label {used - LABELS[name] - ADDED}"
    grouped = {label for by in re.findall(r"by \(([^)]*)\)", expression) for label in by.split(", ")}
    assert grouped | words <= known, f"{where}: no label {(grouped | words) - known}"
    for opened, closed in ("()", "[]", "{}"):
        assert expression.count(opened) == expression.count(closed)


def test_every_metric_is_on_the_dashboard_and_none_twice_in_a_place() -> None:
    shown = " ".join(target["expr"] for panel in panels() for target in panel["targets"])
    families = [*(f"{name}_total" for name in COUNTERS), *HISTOGRAMS, *GAUGES, ALERTS]
    assert [name for name in families if name not in shown] == []
    everything = dashboard()["panels"]
    assert len({panel["id"] for panel in everything}) == len(everything)


def test_no_panel_covers_another() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in dashboard()["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells


def test_rules_say_what_to_do_and_agree_with_the_service() -> None:
    assert len({rule["alert"] for rule in rules()}) == len(rules())
    assert all(rule["labels"]["severity"] in ("warning", "critical") for rule in rules())
    (unsteady,) = (rule["expr"] for rule in rules() if rule["alert"] == "DeviceUnsteady")
    assert unsteady == f"table_device_losses_last_hour > {UNSTEADY}"
