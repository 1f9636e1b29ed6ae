"""What follows from the configuration: the inputs that are journalled, and what the pages are told."""

from controller.config import MANUAL, Configuration
from controller.ports import find_driver
from controller.runtime.clock import Clock
from controller.runtime.core import Device, Inputs
from controller.runtime.identity import boot_id, software_version
from controller.views.floor import House
from controller.views.view import Limit, TableInfo


def inputs_of(config: Configuration, clock: Clock) -> Inputs:
    """What the facts of a service that starts now depend on."""
    table = config.table
    return Inputs(
        version=software_version(),
        boot=boot_id(),
        speed=clock.speed,
        boundaries=table.boundaries,
        decks=config.shoe.decks,
        dealing=table.dealing,
        seats=table.seats,
        wagers=config.layout.wagers,
        ruleset=config.ruleset.text,
        remedies=config.pack.text,
        shuffler=config.shuffler is not None,
        continuous=config.shuffler is not None and config.shuffler.continuous,
        configuration=config.model_dump(mode="json"),
        devices=[
            Device(
                name=name,
                driver=section.driver,
                settings=section.settings,
                profile=find_driver(section.driver).profile,
            )
            for name, _, _, section in config.devices()
        ],
        commands=config.shoe.commands,
        lock_on_hold=config.shoe.lock_on_hold,
        carries=True,
        manual=config.shoe.driver == MANUAL,
    )


def table_info_of(config: Configuration) -> TableInfo:
    """What pages and targets are told of the table."""
    table = config.table
    return TableInfo(
        id=table.id,
        name=table.name,
        language=config.board.language,
        dealing=table.dealing,
        announced=table.boundaries == "announced",
        tail=config.board.tail,
        limits=tuple(
            Limit(wager=wager, min=limit.min, max=limit.max) for wager, limit in config.layout.limits.items()
        ),
        footer=config.board.footer,
        house=House(
            boundaries=table.boundaries,
            manual=config.shoe.driver == MANUAL,
            seats=table.seats,
            decks=config.shoe.decks,
            wagers=tuple(config.layout.wagers or config.ruleset.wagers),
            burn=config.ruleset.burn.policy,
            burn_count=config.ruleset.burn.count,
            devices=tuple(name for name, *_ in config.devices()),
        ),
    )
