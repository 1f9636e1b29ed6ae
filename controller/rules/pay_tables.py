"""The pay tables in use somewhere: `config/pay_tables.toml`, for comparing house edges."""

from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter, ValidationError

from controller.ports import ConfigurationError
from controller.rules.kinds import WagerName
from controller.rules.terms import PayTable, Vigorish
from controller.toml_lines import fault, faults, read_toml

NO_CHARGE = Vigorish(on="none", citation="none charged", source="derived")


class NamedPayTable(PayTable):
    wager: WagerName
    vigorish: Vigorish = NO_CHARGE


@cache
def pay_tables() -> dict[str, NamedPayTable]:
    """The shipped tables by name. Raises ConfigurationError."""
    origin = "pay_tables.toml"
    text = (files("config") / origin).read_text("utf-8")
    try:
        tables = TypeAdapter(dict[str, NamedPayTable]).validate_python(read_toml(text, origin))
    except ValidationError as error:
        raise ConfigurationError("\n".join(faults(error, text, origin))) from None
    found = [
        fault((name, *path), what, text, origin)
        for name, table in tables.items()
        for path, what in table.objections(table.wager)
    ]
    if found:
        raise ConfigurationError("\n".join(found))
    return tables
