"""Where in a TOML text a key stands, and what pydantic found wrong there, as lines for a person."""

import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from controller.ports import ConfigurationError

Path = tuple[str | int, ...]

#: What a value must be, by pydantic's name of the fault.
SHOULD_BE = {
    "model_type": "a section of keys",
    "model_attributes_type": "a section of keys",
    "dict_type": "a section of keys",
    "list_type": "a list in brackets",
    "string_type": "a text in quotes",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number, and smaller",
    "int_from_float": "a whole number",
}

#: Characters without a blank that are shown of what is longer.
SHOWN = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_LONG = re.compile(rf"\S{{{SHOWN + 1},}}")


def line_of(text: str, path: Path) -> int:
    """The line, from 1, of a key path such as `("burn", "policy")` or `("display", 0, "link")`.

    A key that is not there: the line of its nearest parent. `text` must be valid TOML.
    """
    best, line = 0, 1
    table: Path = ()
    tables: dict[Path, int] = {}
    for number, statement in _statements(text):
        data = tomllib.loads(statement)
        if statement.lstrip().startswith("["):
            table = _header(data, tables)
            shared = min(len(table), len(path))
            depth, offset = (shared if path[:shared] == table[:shared] else 0), 0
        elif path[: len(table)] == table:
            depth, offset = _descend(data, path[len(table) :], statement)
            depth = depth and depth + len(table)
        else:
            continue
        if depth > best:
            best, line = depth, number + offset
    return line


def read_toml(text: str, origin: str) -> dict[str, Any]:
    """The parsed text; `origin` names the file in messages. Raises ConfigurationError."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what, _, place = str(error).partition(" (at ")
        line = re.search(r"line (\d+)", place)
        number = line[1] if line else str(text.count("\n") + 1)
        raise ConfigurationError(f"{origin}:{number}: not TOML: {what.lower()}; mend that line") from None
    except (ValueError, RecursionError):
        # What the parser does not call a fault of the text: numbers and nests without end.
        what = "a number of thousands of digits, or brackets nested hundreds deep"
        raise ConfigurationError(f"{origin}: {what}; remove it") from None


def control_characters(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where the texts and keys of parsed TOML hold one. A path with a NUL cannot even be asked for."""
    if isinstance(value, str) and _CONTROL.search(value):
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        if isinstance(key, str) and _CONTROL.search(key):
            yield path
        else:
            yield from control_characters(part, (*path, key))


def fault(path: Path, what: str, text: str, origin: str) -> str:
    """One line: file, line, key, what is wrong there."""
    key = ".".join(str(part) for part in path)
    brief = _LONG.sub(lambda long: f"{long[0][:SHOWN]}...", f"{key + ': ' if key else ''}{what}")
    visible = _CONTROL.sub(lambda control: repr(control[0])[1:-1], brief)
    return f"{origin}:{line_of(text, path)}: {visible}"


def _key(place: Path) -> Path:
    return tuple(part for part in place if part != "[key]")


def faults(error: ValidationError, text: str, origin: str, key: Callable[[Path], Path] = _key) -> list[str]:
    """One line for each fault that pydantic found; `key`: the key that a place of pydantic's means."""
    return [
        fault((*key(detail["loc"]), *_variant(detail)), _what(detail), text, origin)
        for detail in error.errors(include_url=False)
    ]


def _variant(detail: ErrorDetails) -> Path:
    """The key that says of which kind a section is, where that is what is wrong with it."""
    wrong = detail["type"] in ("union_tag_invalid", "union_tag_not_found")
    return (detail["ctx"]["discriminator"].strip("'"),) if wrong else ()


def _what(detail: ErrorDetails) -> str:
    """pydantic's finding, as the rest of a sentence that begins with the key."""
    match detail["type"]:
        case "missing":
            return "is missing; add it"
        case "extra_forbidden":
            return "is not a key known here; remove it or mend its spelling"
        case "union_tag_not_found":
            return "is missing; add it"
        case "union_tag_invalid":
            context = detail["ctx"]
            return f"is one of {context['expected_tags'].replace(chr(39), '')}, not {context['tag']!r}"
        case "value_error":
            return detail["msg"].removeprefix("Value error, ")
    given = detail["input"]
    shown = f", not {given!r}" if isinstance(given, str | int | float) else ""
    if detail["type"] in SHOULD_BE:
        return f"should be {SHOULD_BE[detail['type']]}{shown}"
    return re.sub("^(Input|String|List|Value|Dictionary) should", "should", detail["msg"]) + shown


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Headers and key-value pairs with their first line: the shortest runs of lines that are TOML alone."""
    begin, chunk = 1, ""
    for number, line in enumerate(text.split("\n"), 1):
        chunk += f"{line}\n"
        try:
            found = tomllib.loads(chunk)
        except tomllib.TOMLDecodeError:
            continue
        if found:
            yield begin, chunk
        begin, chunk = number + 1, ""


def _header(data: Any, tables: dict[Path, int]) -> Path:
    """The path that a header opens; `tables` counts the entries of each array of tables."""
    path: Path = ()
    while data:
        (name, data), *_ = data.items()
        path += (name,)
        if isinstance(data, list):
            tables[path] = tables.get(path, -1) + 1
            data = data[0]
        if path in tables:
            path += (tables[path],)
    return path


def _descend(data: Any, keys: Path, statement: str) -> tuple[int, int]:
    """How many of `keys` lead into a statement's value, and how many lines into it the last one begins."""
    offset = 0
    for depth, key in enumerate(keys):
        if isinstance(data, dict) and key in data:
            data = data[key]
        elif isinstance(data, list) and isinstance(key, int) and key < len(data):
            data, offset = data[key], _item_offset(statement, key)
        else:
            return depth, offset
    return len(keys), offset


def _item_offset(statement: str, index: int) -> int:
    """The line, from 0, on which the item of a statement's array begins."""
    lines = statement.rstrip("\n").split("\n")
    for count in range(1, len(lines)):
        try:
            (array,) = tomllib.loads("\n".join(lines[:count]) + "\n]").values()
        except tomllib.TOMLDecodeError:
            continue
        if isinstance(array, list) and len(array) > index:
            return count - 1
    return len(lines) - 1
