"""Reads a profile and explains every fault in it, with its line and remedy."""

import contextlib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import msgspec
from pydantic import ValidationError

from controller.ports import ConfigurationError
from controller.toml_lines import Path as KeyPath
from controller.toml_lines import fault, faults, read_toml
from drivers.text.checksums import KINDS, bits
from drivers.text.codec import Codec
from drivers.text.cutter import BLANKS, Frame, LineFrame
from drivers.text.patterns import PatternError
from drivers.text.phrase import MEANINGS, Phrase
from drivers.text.profile import NOTHING, ORDER, Profile
from drivers.text.spelling import Value

Objection = tuple[KeyPath, str]
#: The character that stands for one that must not be kept.
MASK = "\x1a"


def shipped_profile(name: str) -> str:
    """The text of a profile that is shipped. Raises ConfigurationError with the names there are."""
    folder = files("config") / "devices"
    known = sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))
    if name not in known:
        raise ConfigurationError(f"no profile named {name!r} is shipped; there are {', '.join(known)}")
    return (folder / f"{name}.toml").read_text("utf-8")


def parse_profile(text: str, origin: str) -> Profile:
    """The profile of a TOML text. Raises ConfigurationError, one line for each fault."""
    data = _extended(read_toml(text, origin), text, origin)
    if foreign := [fault(path, what, text, origin) for path, what in _foreign(data, ())]:
        raise ConfigurationError("\n".join(foreign))
    try:
        profile = Profile.model_validate(data)
    except ValidationError as error:
        found = faults(error, text, origin, _key)
        # The rest is checked as well, so that one look at the list is enough.
        with contextlib.suppress(ValidationError):
            rest = Profile.model_validate(_without(data, error))
            found += [fault(path, what, text, origin) for path, what in _early(rest)]
        raise ConfigurationError("\n".join(found)) from None
    found = [fault(path, what, text, origin) for path, what in objections(profile)]
    if found:
        raise ConfigurationError("\n".join(found))
    return profile


def _foreign(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Characters that no device can send: each is one byte, 00 to FF."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _foreign(part, (*path, key))
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from _foreign(part, (*path, at))
    elif isinstance(value, str) and (wrong := [c for c in value if ord(c) > 0xFF]):
        yield path, f"{wrong[0]!r} is no single byte; write what the device sends, 00 to FF"


def _key(place: KeyPath) -> KeyPath:
    """The key that a place of pydantic's means: it names the variant of a frame or a field as well."""
    at = {"frame": 1, "field": 2}.get(str(place[0]), len(place))
    return tuple(part for number, part in enumerate(place) if number != at)


def _without(data: dict[str, Any], error: ValidationError) -> dict[str, Any]:
    """The data without each key of a section in which something is faulty."""
    faulty = {detail["loc"][:2] for detail in error.errors(include_url=False)}
    return {
        name: {key: value for key, value in section.items() if (name, key) not in faulty}
        for name, section in data.items()
        if isinstance(section, dict) and (name,) not in faulty
    }


def _extended(data: dict[str, Any], text: str, origin: str) -> dict[str, Any]:
    """The data on top of the shipped profile that it names: each key of a section replaces that key there."""
    name = data.pop("extends", None)
    if name is None:
        return data
    try:
        base = read_toml(shipped_profile(str(name)), f"{name}.toml")
    except ConfigurationError as error:
        raise ConfigurationError(fault(("extends",), str(error), text, origin)) from None
    both = {
        key: {**base[key], **value} if isinstance(value, dict) and isinstance(base.get(key), dict) else value
        for key, value in data.items()
    }
    return {**base, **both}


def objections(profile: Profile) -> Iterator[Objection]:
    """What no single key shows."""
    early = _early(profile)
    yield from early
    patterns = [*_against_patterns(profile)]
    yield from patterns
    if not early and not patterns:
        codec = Codec(profile)
        for phrase in codec.phrases:
            yield from _against_phrase(codec, phrase)


def _early(profile: Profile) -> list[Objection]:
    """Those that do not depend on how messages are read."""
    return [
        *_against_frame(profile),
        *_against_checksum(profile),
        *_against_fields(profile),
        *_against_meanings(profile),
        *_against_texts(profile),
    ]


def _against_frame(profile: Profile) -> Iterator[Objection]:
    frame = profile.frame
    if isinstance(frame, LineFrame):
        if frame.start and any(frame.start in end for end in frame.end):
            yield ("frame", "start"), "is part of a line's end as well; a line could not be told from two"
        if frame.start and frame.start in BLANKS.decode():
            yield ("frame", "start"), "is a blank, which means nothing between lines; name another character"
        for at, end in enumerate(frame.end):
            if not end or not end.isascii():
                yield ("frame", "end", at), "must be one or more ASCII characters"
    elif len(set(frame.tag + frame.body)) < 4:
        yield (
            ("frame", "body"),
            "shares a bracket with the tag; a whole report could not be told from a part",
        )
    if MASK in frame.marks.decode("latin-1"):
        yield ("frame",), "uses the character 1A, which stands for what must not be kept; use another"
    if frame.echo and frame.echo != "card" and frame.echo not in profile.field:
        yield ("frame", "echo"), f'there is no [field.{frame.echo}]; name a field, as "card"'


def _against_checksum(profile: Profile) -> Iterator[Objection]:
    check = profile.checksum
    if check is None:
        return
    if check.kind not in KINDS:
        yield ("checksum", "kind"), f"no checksum {check.kind!r} is known; there are {', '.join(KINDS)}"
        return
    if check.order == "low-first" and bits(check.kind) == 8:
        yield ("checksum", "order"), f"{check.kind} is one byte; remove the key"
    if not isinstance(profile.frame, LineFrame) and check.place == "before-end":
        yield ("checksum", "place"), 'a tag has no end to stand before; set "behind-end"'


def _against_fields(profile: Profile) -> Iterator[Objection]:
    any_case = profile.frame.any_case
    if clash := profile.card.clash(any_case):
        yield ("card",), f"{clash}; give each its own spelling"
    for name, field in profile.field.items():
        if field.kind == "choice":
            words = [word.lower() if any_case else word for word in field.options]
            if "" in words or len(set(words)) < len(words):
                yield ("field", name, "options"), "has an empty word, or one twice"
        if field.kind == "number" and len(set(field.names.values())) < len(field.names):
            yield ("field", name, "names"), "gives one number two names; which one is meant could not be told"


def _against_meanings(profile: Profile) -> Iterator[Objection]:
    kind = profile.device.kind
    known = (*MEANINGS[kind], NOTHING, *((ORDER,) if kind == "shuffler" else ()))
    for name, section in profile.message.items():
        if section.means not in known:
            yield (
                ("message", name, "means"),
                f"no {kind} says {section.means!r}; name one of {', '.join(known)}",
            )
        elif section.means == ORDER and "{" in section.text:
            yield ("message", name, "text"), "write only how an order begins; what follows is never kept"
    if kind == "display" and "show" not in profile.command:
        yield ("command",), 'a display needs [command.show] with text = "...{text}..."'
    if kind != "display" and not profile.message:
        yield ("message",), f"a {kind} that says nothing cannot be heard; add [message.NAME]"


def _against_texts(profile: Profile) -> Iterator[Objection]:
    if not profile.show:
        return
    if profile.device.kind != "display":
        yield ("show",), "only a display shows something; remove the section"
        return
    from drivers.displays.moments import fault_in

    for name, text in profile.show.items():
        if found := fault_in(name, text):
            yield ("show", name), found


def _against_patterns(profile: Profile) -> Iterator[Objection]:
    bare = Codec(profile.model_copy(update={"message": {}, "command": {}}))
    for group in ("message", "command"):
        for name, section in getattr(profile, group).items():
            try:
                bare.pattern(section.text)
            except PatternError as error:
                yield (group, name, "text"), str(error)


def _against_phrase(codec: Codec, phrase: Phrase) -> Iterator[Objection]:
    """Whatever it can say must be valid, and must be read as this message and no other."""
    path: KeyPath = ("message", phrase.name)
    if phrase.section.means != NOTHING:
        said = [slot.property for slot in phrase.pattern.slots if slot.property]
        for name in [*phrase.section.set, *said]:
            if name not in phrase.properties:
                known = ", ".join(phrase.properties) or "none"
                place = "set" if name in phrase.section.set else "text"
                yield (*path, place), f"{phrase.section.means} has no property {name!r}; it has {known}"
                return
    for values in _samples(phrase):
        try:
            observation = phrase.observation(values)
        except msgspec.ValidationError as error:
            what = f"gives no {phrase.section.means}: {error}; say or set what it needs"
            yield path, what
            return
        text = phrase.pattern.spell(values)
        if text is None:
            yield (*path, "text"), f"cannot write {values}"
            return
        pieces = codec.cutter().feed(codec.framed(text))
        read = [codec.read(piece) if isinstance(piece, Frame) else piece for piece in pieces]
        if len(read) != 1 or not isinstance(read[0], tuple) or read[0][0] != observation:
            shown = f"{text!r} is read as something else"
            yield (*path, "text"), f"{shown}; change it, its place among the messages, or the frame's marks"
            return


def _samples(phrase: Phrase) -> Iterator[dict[str, Value]]:
    """Enough sets of values that each value of each field comes once."""
    slots = [slot for slot in phrase.pattern.slots if slot.property]
    for row in range(max((len(slot.spelling.samples) for slot in slots), default=1)):
        yield {slot.property: slot.spelling.samples[row % len(slot.spelling.samples)] for slot in slots}
