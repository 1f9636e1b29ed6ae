"""What is wrong with a profile that no single key shows: the parts that do not fit together."""

import string
from collections.abc import Iterator
from typing import Any

from controller.toml_lines import Path as KeyPath
from drivers.text.checksums import KINDS, bits
from drivers.text.codec import Codec
from drivers.text.cutter import BLANKS, LineFrame
from drivers.text.fields import AnyField, ChoiceField, MoneyField, NumberField, TextField
from drivers.text.patterns import PatternError
from drivers.text.phrase import MEANINGS
from drivers.text.profile import MASK, NOTHING, ORDER, Profile
from drivers.text.spelling import is_whole
from drivers.text.trials import against_commands, against_messages, against_shown

Objection = tuple[KeyPath, str]

#: What a device of a kind must be able to say to be of use: without it no card comes, no pack is verified.
NEEDED = {"shoe": "card_drawn", "shuffler": "shuffle_finished"}


def objections(profile: Profile) -> Iterator[Objection]:
    """Every one; those that need the whole profile only where the rest of it is right."""
    found = [*early(profile), *_against_patterns(profile)]
    yield from found
    if not found:
        codec = Codec(profile)
        yield from against_messages(codec)
        commands = list(against_commands(codec))
        yield from commands or against_shown(codec)


def early(profile: Profile) -> list[Objection]:
    """Those that do not depend on how messages are read."""
    return [
        *_against_frame(profile),
        *_against_checksum(profile),
        *_against_marks(profile),
        *_against_fields(profile),
        *_against_meanings(profile),
        *_against_texts(profile),
        *_against_seven_bits(profile),
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
    if "content" not in check.covers or len(set(check.covers)) < len(check.covers):
        yield ("checksum", "covers"), 'must name "content", and nothing twice, to protect what is said'
    if "separator" in check.covers and not check.separator:
        yield ("checksum", "covers"), "names the separator, and there is none; remove it there"
    if check.place == "before-end":
        if not isinstance(profile.frame, LineFrame):
            yield ("checksum", "place"), 'a tag has no end to stand before; set "behind-end"'
        elif check.spelling == "bytes":
            yield ("checksum", "place"), 'a byte of it may look like the end; set "behind-end", or spell it'


def _against_marks(profile: Profile) -> Iterator[Objection]:
    """A frame's marks inside a number would cut it, now and then."""
    frame, check = profile.frame, profile.checksum
    marks = set(frame.marks.decode("latin-1"))
    used = [field for field in profile.field.values() if isinstance(field, NumberField | MoneyField)]
    digits = set(string.digits) if check or used else set()
    if any(isinstance(field, NumberField) and field.base == 16 for field in used):
        digits |= set(string.hexdigits)
    if check and check.spelling.startswith("hex"):
        digits |= set(string.hexdigits)
    for mark in sorted(marks & digits):
        yield ("frame",), f"{mark!r} is a digit of a number or a checksum as well; use another mark"
    for mark in sorted(marks & set(check.separator if check else "")):
        yield ("checksum", "separator"), f"{mark!r} is a mark of the frame as well; use another character"


def _against_fields(profile: Profile) -> Iterator[Objection]:
    any_case = profile.frame.any_case
    if clash := profile.card.clash(any_case):
        yield ("card",), f"{clash}; give each its own spelling"
    for name, field in profile.field.items():
        for key, what in _against_field(field, any_case):
            yield ("field", name, key), what
        spelling = field.spelling(profile.card, any_case)
        if field.default and not is_whole(spelling, field.default):
            yield ("field", name, "default"), f"{field.default!r} is no value of this field; mend one of them"
        known = field.known(profile.card, any_case)
        if field.null and not isinstance(field, TextField) and is_whole(known, field.null):
            yield ("field", name, "null"), f"{field.null!r} is a value as well; write null as the device does"


def _against_field(field: AnyField, any_case: bool) -> Iterator[tuple[str, str]]:
    match field:
        case ChoiceField():
            words = [word.lower() if any_case else word for word in field.options]
            if "" in words or len(set(words)) < len(words):
                yield "options", "has an empty word, or one twice"
        case NumberField():
            if len(set(field.names.values())) < len(field.names):
                yield "names", "gives one number two names; which one is meant could not be told"


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
    if kind == "sensor" and not profile.message:
        yield ("message",), "a sensor that says nothing cannot be heard; add [message.NAME]"
    needed = NEEDED.get(kind)
    if needed and needed not in [section.means for section in profile.message.values()]:
        yield ("message",), f'a {kind} must say {needed}; add [message.NAME] with means = "{needed}"'


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


def _against_seven_bits(profile: Profile) -> Iterator[Objection]:
    """A line of seven bits cannot carry what is written here."""
    if profile.link.bits == 8:
        return
    if profile.checksum and profile.checksum.spelling == "bytes":
        yield ("checksum", "spelling"), "a byte of it needs eight bits; spell it, or set link.bits = 8"
    sent = profile.model_dump(exclude={"device", "show"})
    for path, text in _strings(sent, ()):
        if not text.isascii():
            yield path, f"{text!r} needs eight bits; set link.bits = 8"


def _strings(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(value, str):
        yield path, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        if isinstance(key, str):
            yield (*path, key), key
        yield from _strings(part, (*path, key))


def _against_patterns(profile: Profile) -> Iterator[Objection]:
    bare = Codec(profile.model_copy(update={"message": {}, "command": {}}))
    for group in ("message", "command"):
        for name, section in getattr(profile, group).items():
            try:
                bare.pattern(section.text)
            except PatternError as error:
                yield (group, name, "text"), str(error)
