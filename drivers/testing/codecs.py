"""The campaign of the codecs: seeded bytes into every driver, and into every simulated device.

Asked is of each input: nothing is raised; the same is understood however the bytes are cut into reads, and
again, also with silences and losses between them; what is understood can be recorded and read back; what is
masked before it is recorded means the same; neither what is held nor the time for a byte grows with it.
"""

import gc
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType, TracebackType
from typing import Any

import msgspec
from msgspec import Struct, structs

from controller.campaigns import CodecReport
from controller.observations import AnyObservation, FrameRejected, Observation
from controller.ports import (
    AnySignal,
    Discreet,
    Driver,
    DriverSpec,
    Ended,
    Lost,
    Received,
    Restored,
    Resumed,
    Silence,
    driver_names,
    find_driver,
    profile_driver,
)
from drivers.testing.captures import captured
from drivers.testing.mutations import SHORT, cut, make

#: Bytes that all objects of a driver may take beyond those of a new one, whatever came.
HELD = 128 * 1024
#: CPU seconds for a byte of a long input; a serial line brings a byte in two milliseconds.
SECONDS_A_BYTE = 0.0005
CHUNK = 250  # inputs that a process takes at a time
#: Settings under which a driver reads otherwise than by default.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "angel-eye": [{}, {"copies": 3, "acknowledge": True}],
    "open-shuffler": [{}, {"continuous": True}],
}
#: Profiles as a house may write them: frames and checksums that no shipped one has.
PROFILES: dict[str, str] = {
    "own: check behind the end": (
        'extends = "bee-tek-b"\n[checksum]\nkind = "crc-16/modbus"\nplace = "behind-end"\n'
    ),
    "own: nothing begins a line": (
        'extends = "bee-tek-b"\n[frame]\nstart = ""\nend = ["\\u0003", "\\r"]\nbefore = " \\n"\n'
    ),
    "own: bytes behind the end of what is masked": (
        'extends = "open-shuffler"\n[frame]\nstart = ""\n'
        '[checksum]\nspelling = "bytes"\nplace = "behind-end"\n'
    ),
    "own: tags in any case": 'extends = "bee-tek-a"\n[frame]\nany_case = true\n',
    "own: longest frames": ('extends = "open-shuffler"\n[checksum]\nkind = "xor"\n[frame]\nmost = 1024\n'),
}

_encode = msgspec.json.encode
_observations = msgspec.json.Decoder(list[AnyObservation])


class Target(Struct, frozen=True):
    """`device`: its simulator hears, else its driver."""

    name: str
    driver: str
    settings: dict[str, Any]
    device: bool


class Tried(Struct):
    """What came of one input."""

    number: int
    target: str
    kind: str
    size: int
    understood: int = 0
    held: int = 0
    seconds: float = 0.0
    faults: list[str] = msgspec.field(default_factory=list)


def codecs(*, inputs: int, seed: int, told: Callable[[int], None]) -> CodecReport:
    """The inputs `seed`, `seed` + 1, ...: each has a target and bytes of its own."""
    tried: list[Tried] = []
    chunks = [range(n, min(n + CHUNK, seed + inputs)) for n in range(seed, seed + inputs, CHUNK)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(_chunk, chunks):
            tried += done
            told(len(tried))
    return report(tried)


def _chunk(numbers: Iterable[int]) -> list[Tried]:
    return [attempt(number) for number in numbers]


def report(tried: Sequence[Tried]) -> CodecReport:
    """The figures of these inputs."""
    long = [one for one in tried if one.size > SHORT]
    return CodecReport(
        inputs=len(tried),
        bytes=sum(one.size for one in tried),
        targets=dict(sorted(Counter(one.target for one in tried).items())),
        kinds=dict(sorted(Counter(one.kind for one in tried).items())),
        understood=sum(one.understood for one in tried),
        held=max((one.held for one in tried), default=0),
        microseconds=round(max((one.seconds / one.size for one in long), default=0.0) * 1e6, 2),
        faults=[
            f"input {one.number}, {one.target}, {one.kind}: {what}" for one in tried for what in one.faults
        ],
    )


@cache
def targets() -> tuple[Target, ...]:
    """Every installed driver, those of `PROFILES`, and every simulator."""
    found = []
    for name in (*driver_names(), *PROFILES):
        for settings in VARIANTS.get(name, [{}]):
            for device in (False, True):
                if not device or _spec(name).simulator:
                    words = [
                        name,
                        *(f"{key}={value}" for key, value in settings.items()),
                        *["device"] * device,
                    ]
                    found.append(Target(" ".join(words), name, settings, device))
    return tuple(found)


@cache
def _corpora(number: int) -> list[bytes]:
    """What a target hears, then what the others do."""
    heard = [_heard(target) for target in targets()]
    others = [bytes_ for bytes_ in dict.fromkeys(heard) if bytes_ and bytes_ != heard[number]]
    return [heard[number] or b"\x00", *others]


@cache
def _spec(name: str) -> DriverSpec:
    return profile_driver(PROFILES[name], f"{name}.toml") if name in PROFILES else find_driver(name)


def _heard(target: Target) -> bytes:
    # A device that is told nothing hears at least what it says itself, as from an echo.
    said, told = _conversation(target.driver)
    return (told or said) if target.device else (said or told)


@cache
def _conversation(driver: str) -> tuple[bytes, bytes]:
    spec = _spec(driver)
    return captured(spec, spec.settings()())


class _Noted:
    """Keeps what is raised, as a fault of the input."""

    def __init__(self, tried: Tried) -> None:
        self._tried = tried

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        while trace and trace.tb_next:
            trace = trace.tb_next
        where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "?"
        self._tried.faults.append(f"raised {type(error).__name__}: {error} at {where}")
        return True


def attempt(number: int) -> Tried:
    """The input of a number, tried."""
    rng = random.Random(f"codecs {number}")
    place = rng.randrange(len(targets()))
    target = targets()[place]
    kind, data = make(rng, _corpora(place))
    tried = Tried(number, target.name, kind, len(data))
    spec = _spec(target.driver)
    settings = spec.settings().model_validate(target.settings)
    with _Noted(tried):
        (_device if target.device else _driver)(tried, spec, settings, data, cut(rng, data))
    return tried


def _driver(tried: Tried, spec: DriverSpec, settings: Any, data: bytes, reads: list[bytes]) -> None:
    make = partial(spec.driver, settings)
    began = time.process_time()
    host = make()
    seen = hear(host, [data] if data else [])
    tried.seconds = time.process_time() - began
    if tried.kind == "endless":
        tried.held = _held(host) - _held(make())
    seen += host.apply(Ended())
    tried.understood = len(seen)
    merged = spec.kind == "display"  # a sign is asked nothing: it hears reads, not frames
    for how, observed in (
        ("in other reads", finish(make(), reads)),
        ("again", finish(make(), [data] if data else [])),
        ("masked", finish(make(), reads, mask=True)),
    ):
        if _plain(observed, merged) != _plain(seen, merged):
            tried.faults.append(f"is understood otherwise {how}")
    if _observations.decode(_encode(seen)) != seen:
        tried.faults.append("is not read back as it was recorded")
    if sum(len(o.raw) // 2 for o in seen if isinstance(o, FrameRejected)) > len(data):
        tried.faults.append("more bytes are rejected than came")
    if _live(make(), reads, tried.number) != _live(make(), reads, tried.number):
        tried.faults.append("is understood otherwise in the same life")
    _judge(tried)


def _live(host: Driver, reads: Iterable[bytes], seed: int) -> list[Observation]:
    """The reads in time, with silences, losses and restarts between them."""
    rng = random.Random(seed)
    at, seen = 0.0, []
    for read in reads:
        at += rng.choice((0.0, 0.01, 0.5, 8.0))
        seen += host.apply(Received(at=at, data=read))
        if (deadline := host.deadline()) is not None and rng.random() < 0.5:
            at = max(at, deadline)
            seen += host.apply(Silence(at=at))
        if rng.random() < 0.2:
            seen += host.apply(rng.choice((Lost, Restored, Resumed))(at=at))
        host.outgoing()
    return seen


def _device(tried: Tried, spec: DriverSpec, settings: Any, data: bytes, reads: list[bytes]) -> None:
    assert spec.simulator is not None
    make = partial(spec.simulator, settings, log=lambda _: None)

    def answers(reads: Iterable[bytes]) -> tuple[Any, bytes]:
        device = make()
        said = b"".join(device.advance(0.0))
        for read in reads:
            device.receive(read, 0.0)
            said += b"".join(device.advance(0.0))
        return device, said

    began = time.process_time()
    device, said = answers([data] if data else [])
    tried.seconds = time.process_time() - began
    if tried.kind == "endless":
        tried.held = _held(device) - _held(answers([])[0])
    tried.understood = len(said)
    if answers(reads)[1] != said:
        tried.faults.append("is answered otherwise in other reads")
    if answers([data] if data else [])[1] != said:
        tried.faults.append("is answered otherwise again")
    _judge(tried)


def _judge(tried: Tried) -> None:
    if tried.held > HELD:
        tried.faults.append(f"{tried.held:,} bytes are held")
    if tried.size > SHORT and tried.seconds > tried.size * SECONDS_A_BYTE:
        tried.faults.append(f"takes {tried.seconds:.1f} s of a processor for {tried.size:,} bytes")


def hear(host: Driver, reads: Iterable[bytes], mask: bool = False) -> list[Observation]:
    """What a driver observes; `mask`: as when it is rebuilt from what was recorded."""
    seen: list[Observation] = []
    for read in reads:
        signal: AnySignal = Received(data=read)
        if mask and isinstance(host, Discreet):
            signal = host.redact(signal)
        seen += host.apply(signal)
    return seen


def finish(host: Driver, reads: Iterable[bytes], mask: bool = False) -> list[Observation]:
    """The same up to the end of what came."""
    return hear(host, reads, mask) + host.apply(Ended())


def _plain(seen: Iterable[Observation], merged: bool) -> list[Observation]:
    if not merged:
        return list(seen)
    joined: list[Observation] = []
    for one in seen:
        last = joined[-1] if joined else None
        if isinstance(one, FrameRejected) and isinstance(last, FrameRejected) and one.reason == last.reason:
            joined[-1] = structs.replace(last, raw=last.raw + one.raw)
        else:
            joined.append(one)
    return joined


def _held(root: object) -> int:
    """Bytes of everything that an object leads to, code and types left out."""
    seen: set[int] = set()
    total, waiting = 0, [root]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, _CODE):
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        waiting += gc.get_referents(one)
    return total


_CODE = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType)
