"""Options of simulated devices, checked."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from controller.ports import ConfigurationError

Options = TypeVar("Options", bound=BaseModel)


def checked(model: type[Options], who: str, given: dict[str, Any]) -> Options:
    """The options as a model. Raises ConfigurationError that names the first faulty one."""
    try:
        return model(**given)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        what = "there is no such option" if first["type"] == "extra_forbidden" else first["msg"]
        raise ConfigurationError(f"simulated {who}: {f'{where}: ' if where else ''}{what}") from None
