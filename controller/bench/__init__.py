"""`tablectl bench`: what the controller costs, as ratios to a floor measured in the same run."""

from collections.abc import Iterator

from controller.bench.measure import Figure, Measure

PARTS = ("latency", "alerts", "machines", "upkeep", "rounds", "departures")


def figures(parts: tuple[str, ...], effort: float) -> Iterator[Figure]:
    """Every figure of the parts, each as soon as it is measured."""
    from controller.bench import alerts, departures, latency, machines, rounds, upkeep

    measures: dict[str, Measure] = {
        "latency": latency.measure,
        "alerts": alerts.measure,
        "machines": machines.measure,
        "upkeep": upkeep.measure,
        "rounds": rounds.measure,
        "departures": departures.measure,
    }
    for part in parts:
        yield from measures[part](effort)
