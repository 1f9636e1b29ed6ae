"""Files of the law that ship in `config/`, or that a house wrote itself: found by name or by path."""

from importlib.resources import files
from pathlib import Path

from controller.ports import ConfigurationError


def shipped_names(folder: str) -> list[str]:
    """The files of a folder of `config/` without their ending, sorted."""
    names = (item.name for item in (files("config") / folder).iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def read_law(folder: str, what: str, name_or_path: str) -> tuple[str, str]:
    """The text of a shipped file by name or of a house's own by path, and how to name it in messages.

    `what`: "ruleset", for the messages. Raises ConfigurationError.
    """
    names = shipped_names(folder)
    if name_or_path in names:
        file = f"{folder}/{name_or_path}.toml"
        return (files("config") / file).read_text("utf-8"), file
    path = Path(name_or_path)
    if path.suffix != ".toml":
        raise ConfigurationError(
            f"no {what} named {name_or_path!r}; name one of {', '.join(names)}, or the path of a .toml file"
        )
    try:
        return path.read_text("utf-8"), str(path)
    except OSError as error:
        raise ConfigurationError(
            f"{path}: {(error.strerror or str(error)).lower()}; name a readable {what} file"
        ) from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not UTF-8 text; save it as UTF-8") from None
