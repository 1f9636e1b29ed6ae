"""Reads a profile and explains every fault in it, with its line and remedy."""

import contextlib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from pydantic import ValidationError

from controller.ports import ConfigurationError
from controller.toml_lines import Path as KeyPath
from controller.toml_lines import fault, faults, read_toml
from drivers.text.objections import early, objections
from drivers.text.profile import Profile


def shipped_profile(name: str) -> str:
    """The text of a profile that is shipped. Raises ConfigurationError with the names there are."""
    folder = files("config") / "devices"
    known = sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))
    if name not in known:
        raise ConfigurationError(f"no profile named {name!r} is shipped; there are {', '.join(known)}")
    return (folder / f"{name}.toml").read_text("utf-8")


def parse_profile(text: str, origin: str, tried: bool = False) -> Profile:
    """The profile of a TOML text; `tried`: one that is known to be right. Raises ConfigurationError, one line
    for each fault.
    """
    data = _extended(read_toml(text, origin), text, origin)
    sent = {name: section for name, section in data.items() if name != "device"}
    if foreign := [fault(path, what, text, origin) for path, what in _foreign(sent, ())]:
        raise ConfigurationError("\n".join(foreign))
    try:
        profile = Profile.model_validate(data)
    except ValidationError as error:
        found = faults(error, text, origin, _key)
        # The rest is checked as well, so that one look at the list is enough.
        with contextlib.suppress(ValidationError):
            rest = Profile.model_validate(_without(data, error))
            found += [fault(path, what, text, origin) for path, what in early(rest)]
        raise ConfigurationError("\n".join(found)) from None
    found = [] if tried else [fault(path, what, text, origin) for path, what in objections(profile)]
    if found:
        raise ConfigurationError("\n".join(found))
    return profile


def _foreign(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Characters that no device can send: each is one byte, 00 to FF."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _unsendable(key, (*path, key))
            yield from _foreign(part, (*path, key))
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from _foreign(part, (*path, at))
    elif isinstance(value, str):
        yield from _unsendable(value, path)


def _unsendable(text: str, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    wrong = next((character for character in text if ord(character) > 0xFF), None)
    if wrong is not None:
        sent = "".join(f"\\u{byte:04x}" for byte in wrong.encode("utf-8", "replace"))
        what = f'is no single byte; write the bytes that the device sends, as "{sent}" if it sends UTF-8'
        yield path, f"{wrong!r} {what}"


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
