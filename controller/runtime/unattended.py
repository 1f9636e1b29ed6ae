"""A table without people: somebody answers whatever stops play, so that it goes on."""

from collections.abc import Iterator

from controller.facts import IrregularityRaised
from controller.orders import Order, OrderName
from controller.runtime.service import Service

#: What ends one hold or another.
ENDINGS: tuple[OrderName, ...] = ("void_round", "accept", "burn_card")


def settle(service: Service, raised: IrregularityRaised, by: str) -> None:
    """Answer an irregularity in the name of `by`, if nobody has yet."""
    table = service.table
    for order in _answers(raised, by):
        if service.at_work and raised.id in table.open:
            service.enter(order)
    if service.at_work and raised.code == "past-last-round":
        # That another pack was put in went by unheard.
        service.enter(Order(order="new_shoe", by=by, decks=table.decks))


def _answers(raised: IrregularityRaised, by: str) -> Iterator[Order]:
    """What a supervisor orders who wants play to go on, one after the other until it is answered."""
    if raised.severity != "stop":
        yield Order(order="acknowledge", by=by, irregularity=raised.id)
    for order in ENDINGS:
        yield Order(order=order, by=by, irregularity=raised.id)
    yield Order(order="resynchronise", by=by, irregularity=raised.id, player=[], banker=[])
