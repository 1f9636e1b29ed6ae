"""Whether a device may be commanded now, asked before anything stands in the record."""

from controller.config import Configuration
from controller.play.table import Table
from controller.ports import CommandError, find_driver


def check_command(config: Configuration, table: Table, device: str, command: str) -> None:
    """Raises CommandError: there is no such device or command, or a round could be touched by it."""
    section = next((section for name, _, _, section in config.devices() if name == device), None)
    if section is None:
        raise CommandError(f"there is no device {device!r} here")
    known = find_driver(section.driver).commands
    if command not in known:
        raise CommandError(f"{device} takes {', '.join(known) or 'no commands'}, not {command!r}")
    if section is config.shoe and not config.shoe.commands:
        raise CommandError("commands are off; set commands = true under [shoe] in table.toml")
    if table.hold is not None:
        raise CommandError("the table is held; the supervisor's order tells the shoe")
    if table.in_round():
        raise CommandError("a round is being dealt; commands are given between rounds")
