"""What a table counts for Prometheus, as those may know it who must not know the cards that lie face down.

Whatever moves with a record is added only while nothing is withheld from the dealer: a count that goes up, or
does not, tells whether a card was drawn or a round decided as surely as the card. Links come and go at once.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, get_args, get_type_hints

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from controller import facts
from controller.cards import Outcome
from controller.health.links import Links
from controller.observations import (
    CardDrawn,
    CommandSettled,
    DeviceFault,
    FrameRejected,
    SequenceGap,
    role,
)
from controller.orders import Order, OrderName
from controller.play.irregularities import CODES, severity
from controller.ports import AnySignal
from controller.rules.terms import Dealing
from controller.views.disclosure import DeviceState, Disclosure, Item

#: name -> what is counted, labels. Prometheus calls them `..._total`.
COUNTERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "table_shoes": ("Shoes begun.", ()),
    "table_rounds": ("Rounds opened.", ()),
    "table_results": ("Rounds decided, by winner; a corrected decision counts anew.", ("winner",)),
    "table_rounds_void": ("Rounds voided.", ()),
    "table_cards": ("Cards that left the shoe.", ()),
    "table_irregularities": ("Irregularities raised.", ("code", "severity")),
    "table_orders": ("Orders given.", ("order",)),
    "table_orders_refused": ("Orders refused.", ()),
    "table_commands": ("Commands to devices, by what became of them.", ("device", "outcome")),
    "table_frames_rejected": ("Bytes that were no report.", ("device", "reason")),
    "table_sequence_gaps": ("Places at which reports are missing.", ("device",)),
    "table_device_faults": ("Faults that devices reported.", ("device",)),
    "table_device_losses": ("How often a device was lost.", ("device",)),
    "table_device_reconnects": ("How often a lost device came back.", ("device",)),
}


def _each(values: object) -> set[tuple[str, ...]]:
    """A label's values, of a Literal."""
    return {(value,) for value in get_args(values)}


#: What shows zero from the start: Prometheus sees no increase where a count appears with its first one.
KNOWN: dict[str, set[tuple[str, ...]]] = {
    **{name: {()} for name, (_, labels) in COUNTERS.items() if not labels},
    "table_results": _each(Outcome),
    "table_irregularities": {
        (code, severity(code, in_round)) for code in CODES for in_round in (True, False)
    },
    "table_orders": _each(OrderName),
}
#: The same for a device, from when it is first heard: the values of the labels behind its name.
KNOWN_OF_DEVICE: dict[str, set[tuple[str, ...]]] = {
    "table_commands": _each(get_type_hints(CommandSettled)["outcome"]),
    "table_frames_rejected": _each(get_type_hints(FrameRejected)["reason"]),
    "table_sequence_gaps": {()},
    "table_device_faults": {()},
    "table_device_losses": {()},
    "table_device_reconnects": {()},
}
#: name -> what is measured, in seconds.
HISTOGRAMS = {
    "table_decision_seconds": "From the receipt of a report's last byte until its facts were concluded.",
    "table_durable_seconds": "From the receipt of a report's last byte until its facts were on the disk.",
    "table_shown_seconds": "From the receipt of a report's last byte until pages and devices were sent them.",
    "table_commit_seconds": "What a transaction of the journal took.",
}
#: Seconds. The finest is what a good disk needs, the coarsest what no round may wait for.
BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
ALERTS = "table_alerts_open"
SEVERITIES = ("stop", "block", "warn", "device")
#: So many measurements wait at most while cards lie face down.
WAITING = 10_000

Count = tuple[str, tuple[str, ...]]


class Reading(NamedTuple):
    """The value that a gauge has now."""

    name: str
    labels: tuple[str, ...]
    value: float


class Gauge(NamedTuple):
    """What a gauge shows, and its labels."""

    help: str
    labels: tuple[str, ...] = ()


Gauges = dict[str, Gauge]


def counted(item: Item) -> Iterator[Count]:
    """What an item adds one to."""
    match item:
        case facts.ShoeStarted():
            yield "table_shoes", ()
        case facts.RoundOpened():
            yield "table_rounds", ()
        case facts.RoundDecided():
            yield "table_results", (item.winner,)
        case facts.RoundVoided():
            yield "table_rounds_void", ()
        case facts.IrregularityRaised():
            yield "table_irregularities", (item.code, item.severity)
        case facts.OrderRefused():
            yield "table_orders_refused", ()
        case Order():
            yield "table_orders", (item.order,)
        case CardDrawn() if role(item) == "shoe":
            yield "table_cards", ()
        case CommandSettled():
            yield "table_commands", (item.device or "shoe", item.outcome)
        case FrameRejected():
            yield "table_frames_rejected", (item.device or "shoe", item.reason)
        case SequenceGap():
            yield "table_sequence_gaps", (item.device or "shoe",)
        case DeviceFault(active=True):
            yield "table_device_faults", (item.device or "shoe",)


class Metrics(Collector):
    """The counts of one service, from its start. `gauges` and `read`: what else is shown, as it is now."""

    def __init__(
        self, dealing: Dealing, links: Links, gauges: Gauges, read: Callable[[], Iterable[Reading]]
    ) -> None:
        self._links = links
        self._gauges = gauges
        self._read = read
        self._disclosure = Disclosure("dealer", dealing)
        self._open: dict[int, facts.Severity] = {}
        self._unwell: set[str] = set()
        self._counts: Counter[Count] = Counter(
            {(name, labels): 0 for name, known in KNOWN.items() for labels in known}
        )
        self._waiting: Counter[Count] = Counter()
        self._measured: deque[tuple[str, float]] = deque(maxlen=WAITING)
        self.registry = CollectorRegistry(auto_describe=False)
        self._histograms = {
            name: Histogram(name, help, buckets=BUCKETS, registry=self.registry)
            for name, help in HISTOGRAMS.items()
        }
        self.registry.register(self)
        ProcessCollector(registry=self.registry)

    @property
    def complete(self) -> bool:
        """Nothing is withheld: what moves with records may be shown as it is."""
        return self._disclosure.complete

    def recall(self, item: Item) -> None:
        """Take in what was journalled before this run, in order; nothing is counted."""
        self._disclose(item)

    def hear(self, device: str, signal: AnySignal, now: float) -> None:
        """Count losses and returns. `now`: real monotonic seconds."""
        match self._links.hear(device, signal, now):
            case "lost":
                self._counts["table_device_losses", (device,)] += 1
            case "restored":
                for name, known in KNOWN_OF_DEVICE.items():
                    self._counts.update({(name, (device, *more)): 0 for more in known})
            case "restored again":
                self._counts["table_device_reconnects", (device,)] += 1

    def take(self, items: Iterable[Item]) -> None:
        """Count what became durable at once."""
        for item in items:
            self._disclose(item)
            self._waiting.update(counted(item))
        # Not sooner: whether a card lies face down is said behind the card.
        self._settle()

    def measure(self, name: str, seconds: float) -> None:
        """Add to a histogram."""
        self._measured.append((name, max(0.0, seconds)))
        self._settle()

    def text(self) -> bytes:
        """Everything in Prometheus' text format."""
        return generate_latest(self.registry)

    def collect(self) -> Iterator[Metric]:
        """For the registry."""
        for name, (help, labels) in COUNTERS.items():
            counter = CounterMetricFamily(name, help, labels=labels)
            for (of, values), count in sorted(self._counts.items()):
                if of == name:
                    counter.add_metric(values, count)
            yield counter
        alerts = GaugeMetricFamily(ALERTS, "What waits for an answer, by severity.", labels=("severity",))
        for level in SEVERITIES:
            count = sum(one == level for one in self._open.values())
            alerts.add_metric((level,), len(self._unwell) if level == "device" else count)
        yield alerts
        families = {
            name: GaugeMetricFamily(name, gauge.help, labels=gauge.labels)
            for name, gauge in self._gauges.items()
        }
        for reading in self._read():
            families[reading.name].add_metric(reading.labels, reading.value)
        yield from families.values()

    def _disclose(self, item: Item) -> None:
        for fact in self._disclosure.see(item):
            match fact:
                case facts.IrregularityRaised():
                    self._open[fact.id] = fact.severity
                case facts.IrregularityResolved():
                    self._open.pop(fact.id, None)
                case DeviceState(state="ok"):
                    self._unwell.discard(fact.device)
                case DeviceState():
                    self._unwell.add(fact.device)

    def _settle(self) -> None:
        """Add what waited, when it may be known."""
        if not self.complete:
            return
        self._counts.update(self._waiting)
        self._waiting.clear()
        while self._measured:
            name, seconds = self._measured.popleft()
            self._histograms[name].observe(seconds)
