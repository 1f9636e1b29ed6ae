"""Tries what a profile says against itself: each message, command and shown text, written and read again."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod
from typing import Any

import msgspec

from controller.toml_lines import Path as KeyPath
from drivers.text.codec import DISCLOSED, Codec
from drivers.text.cutter import Frame, LineFrame
from drivers.text.discretion import masked
from drivers.text.patterns import Pattern
from drivers.text.phrase import Phrase
from drivers.text.profile import NOTHING
from drivers.text.spelling import Value

Objection = tuple[KeyPath, str]

SHOW, TEXT = "show", "text"
MANY = 250  # sets of values with which every combination is tried
SOME_CARDS = " AS 2C"


def against_messages(codec: Codec) -> Iterator[Objection]:
    """Whatever a message can say must be valid, and be read as this message and no other."""
    others = [Codec(codec.profile.model_copy(update={"frame": frame})) for frame in _ends(codec)]
    for phrase in codec.phrases:
        yield from islice(_against_message(codec, others, phrase), 1)
    for name, data in codec.disclosures(SOME_CARDS).items():
        if _read(codec, data) != DISCLOSED:
            yield ("message", name, "text"), "begins no frame; write how one that holds an order begins"


def against_commands(codec: Codec) -> Iterator[Objection]:
    """Whatever the host can say must be heard as that, and the host must know what to say."""
    is_display = codec.profile.device.kind == "display"
    for name, pattern in codec.commands.items():
        said = [slot.property for slot in pattern.slots if slot.property]
        if is_display and name == SHOW:
            if said != [TEXT]:
                yield ("command", name, "text"), "must have {text} in it, and nothing else that varies"
                continue
        elif said:
            what = (
                f"nobody says which {said[0]}; write {{:{said[0]}}}, and what is sent as its field's default"
            )
            yield ("command", name, "text"), what
            continue
        yield from islice(_against_command(codec, name, pattern), 1)


def against_shown(codec: Codec) -> Iterator[Objection]:
    """A display must be able to show whatever it will be told."""
    if codec.profile.device.kind != "display":
        return
    from drivers.displays.moments import TEXTS
    from drivers.displays.text import unshowable

    own = codec.profile.show
    for name, text in {**TEXTS, **own}.items():
        if found := unshowable(codec, name, text):
            yield ("show", name) if name in own else ("show",), found


def _against_message(codec: Codec, others: list[Codec], phrase: Phrase) -> Iterator[Objection]:
    path: KeyPath = ("message", phrase.name)
    if phrase.section.means != NOTHING:
        said = [slot.property for slot in phrase.pattern.slots if slot.property]
        for name in [*phrase.section.set, *said]:
            if name not in phrase.properties:
                known = ", ".join(phrase.properties) or "none"
                place = "set" if name in phrase.section.set else "text"
                yield (*path, place), f"{phrase.section.means} has no property {name!r}; it has {known}"
    for values in _samples(phrase.pattern):
        try:
            observation = phrase.observation(values)
        except msgspec.ValidationError as error:
            yield _explained(phrase, values, error)
            return
        text = phrase.pattern.spell(values)
        if text is None:
            yield (*path, "text"), f"cannot write {_told(values)}; mend its fields"
            return
        for writer in (codec, *others):
            if _read(codec, writer.framed(text)) != observation:
                remedy = "change it, its place among the messages, or the frame's marks"
                yield (*path, "text"), f"{text!r} is read as something else; {remedy}"
                return


def _against_command(codec: Codec, name: str, pattern: Pattern) -> Iterator[Objection]:
    for values in _samples(pattern):
        text = pattern.spell(values)
        pieces = [] if text is None else codec.cutter().feed(codec.framed(text))
        heard = [codec.hear(piece) if isinstance(piece, Frame) else piece for piece in pieces]
        if heard != [(name, values)]:
            shown = f"{pattern.spell(values)!r} is heard as something else"
            yield ("command", name, "text"), f"{shown}; change it, its place among the commands, or the frame"


def _ends(codec: Codec) -> Iterator[LineFrame]:
    """The frame with each further spelling of its end."""
    frame = codec.profile.frame
    if isinstance(frame, LineFrame):
        yield from (frame.model_copy(update={"end": [end]}) for end in frame.end[1:])


def _read(codec: Codec, data: bytes) -> Any:
    """The one observation that the data is read as; what it is instead, where it is not that."""
    kept = masked(codec, codec.cutter(), data) if codec.discreet else data
    pieces = codec.cutter().feed(kept)
    read = [codec.read(piece) if isinstance(piece, Frame) else piece for piece in pieces]
    only = read[0] if len(read) == 1 else read
    return only[0] if isinstance(only, tuple) else only


def _samples(pattern: Pattern) -> Iterator[dict[str, Value]]:
    """Sets of values: every combination, or of very many enough that each value of each field comes once."""
    slots = [slot for slot in pattern.slots if slot.property]
    names, values = [slot.property for slot in slots], [slot.spelling.samples for slot in slots]
    every = prod(map(len, values)) <= MANY
    rows = product(*values) if every else zip(*_cycled(values), strict=True)
    for row in rows:
        yield dict(zip(names, row, strict=True))


def _cycled(values: list[Sequence[Value]]) -> Iterator[list[Value]]:
    longest = max(map(len, values))
    return ([one[row % len(one)] for row in range(longest)] for one in values)


def _explained(phrase: Phrase, values: Mapping[str, Value], error: msgspec.ValidationError) -> Objection:
    """Which property is not as the observation needs it."""
    path: KeyPath = ("message", phrase.name)
    found = re.search(r"`\$\.(\w+)", str(error))
    name = found[1] if found else ""
    means = phrase.section.means
    if name in values:
        place: KeyPath = (*path, "text")
    elif name in phrase.section.set:
        place = (*path, "set")
    else:
        what = f"gives no {means} without {name!r}"
        return path, f"{what}; say it in the text, or set it to {phrase.kind(name)}"
    given = values.get(name, phrase.section.set.get(name))
    what = f"{name!r} is {phrase.kind(name)}, not {'null' if given is None else repr(given)}"
    return place, f"gives no {means}: {what}; mend its field or value"


def _told(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in values.items()) or "it"
