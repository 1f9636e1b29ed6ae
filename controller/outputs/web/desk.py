"""What people may do from a page: announce and order. Who did it stands in the record."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, get_args

import msgspec
from aiohttp import web

from controller import facts
from controller.observations import AnyObservation
from controller.orders import Event, Order
from controller.outputs.web.entrance import ENTRANCE, Entrance, convert, read_object, refused
from controller.outputs.web.openapi import Credentials, Endpoint, announcement, any_order
from controller.outputs.web.sessions import Session
from controller.people import People, Person, Role

#: Seconds in which what was decided has to be durable.
PATIENCE = 5.0

_TO_ANNOUNCE = frozenset(
    ("bets_opened", "bets_closed", "hand_called", "result_confirmed", "wagers_paid", "supervisor_called")
)
_TO_ENTER = frozenset(("wager_placed", "wager_removed", "vigorish_collected"))
#: Where the shoe is manual, cards come by hand as well.
_BY_HAND = frozenset(("card_drawn", "cut_card_drawn"))
_ANNOUNCERS: tuple[Role, ...] = ("dealer", "supervisor")
#: The orders of each role; None: every one.
_ORDERS: Mapping[Role, frozenset[str] | None] = {
    "dealer": frozenset(("new_shoe", "end_shoe")),
    "supervisor": None,
    "engineer": frozenset(),
}
_kinds = {kind.__struct_config__.tag: kind for kind in get_args(AnyObservation)}

#: Enters an event and gives its facts once they are durable.
Enter = Callable[[Event], Awaitable[Sequence[facts.Fact]]]
#: Whether an order needs a second person's PIN now.
NeedsSecond = Callable[[Order], bool]


class Desk(Entrance):
    """The requests that change something. Every answer is JSON; a refusal says what to do."""

    def __init__(
        self,
        people: People,
        enter: Enter,
        now: Callable[[], float],
        needs_second: NeedsSecond,
        *,
        manual: bool,
    ) -> None:
        super().__init__(people, now)
        self._enter = enter
        self._needs_second = needs_second
        self._announcements = _TO_ANNOUNCE | _TO_ENTER | (_BY_HAND if manual else frozenset())
        self.endpoints = _endpoints(self._announcements)

    async def _announce(self, request: web.Request) -> web.Response:
        session = self._someone(request)
        if session.role not in _ANNOUNCERS:
            raise refused(web.HTTPForbidden, f"the {session.role} makes no announcements")
        body = await read_object(request)
        if _text(body, "type") not in self._announcements:
            raise refused(web.HTTPBadRequest, f"type: one of {', '.join(sorted(self._announcements))}")
        if body["type"] == "wager_placed" and body.get("kind") == "verbal":
            body["confirmed_by"] = await self._both(request, session, body)
        return await self._done(event_of(body))

    async def _both(self, request: web.Request, session: Session, body: dict[str, Any]) -> list[str]:
        """Dealer and supervisor confirm a verbal wager (13:69F-7 wagers (c))."""
        second = await self._second(request, session, body)
        if second is None:
            raise refused(web.HTTPForbidden, "a verbal wager needs a second person's name and PIN")
        return [session.name, second.name]

    async def _order(self, request: web.Request) -> web.Response:
        session = self._someone(request)
        body = await read_object(request)
        allowed = _ORDERS[session.role]
        if allowed is not None and _text(body, "order") not in allowed:
            may = ", ".join(sorted(allowed)) or "none"
            raise refused(web.HTTPForbidden, f"orders of the {session.role}: {may}; log in as a supervisor")
        second = await self._second(request, session, body)
        signed = {"by": session.name, "confirmed_by": second.name if second else None}
        event = event_of(body | {"type": "order"} | signed)
        assert isinstance(event, Order)
        if second is None and self._needs_second(event):
            raise refused(web.HTTPForbidden, f"{event.order} needs a second person's name and PIN here")
        return await self._done(event)

    def _someone(self, request: web.Request) -> Session:
        session = self.session(request)
        if session is None:
            raise refused(web.HTTPUnauthorized, "log in first")
        return session

    async def _second(self, request: web.Request, session: Session, body: dict[str, Any]) -> Person | None:
        """The second person whose name and PIN came along; taken out of the body."""
        second = body.pop("second", None)
        if second is None:
            return None
        person = await self._check(request, convert(second, Credentials, "second: give name and pin"))
        if person.name == session.name:
            raise refused(web.HTTPForbidden, "the second person must be another one")
        if person.role not in _ANNOUNCERS:
            raise refused(web.HTTPForbidden, f"the {person.role} confirms nothing of a round")
        if "supervisor" not in (person.role, session.role):
            raise refused(web.HTTPForbidden, "one of the two must be a supervisor")
        return person

    async def _done(self, event: Event) -> web.Response:
        try:
            async with asyncio.timeout(PATIENCE):
                concluded = await self._enter(event)
        except TimeoutError:
            raise refused(
                web.HTTPServiceUnavailable, "taken, and not on the record yet: the journal is slow"
            ) from None
        refusals = [f.reason for f in concluded if isinstance(f, facts.OrderRefused | facts.WagerRefused)]
        if refusals:
            raise refused(web.HTTPConflict, "; ".join(refusals))
        return web.json_response({"done": True})


def _text(body: dict[str, Any], field: str) -> str:
    """What the field says; empty where that is no text."""
    said = body.get(field)
    return said if isinstance(said, str) else ""


def event_of(body: dict[str, Any]) -> Event:
    try:
        event: Event = msgspec.convert(body, Event)
    except msgspec.ValidationError as error:
        raise refused(web.HTTPBadRequest, str(error)) from None
    return event


def _endpoints(announcements: Collection[str]) -> list[Endpoint]:
    told = {"oneOf": [announcement(_kinds[name]) for name in sorted(announcements)]}
    return [
        *ENTRANCE,
        Endpoint(
            method="post",
            path="/api/announce",
            says="Tell what the dealer did; dealers and supervisors.",
            handler="_announce",
            who="person",
            body=told,
            answer=dict[str, bool],
            refusals=(400, 401, 403, 409, 415, 429, 503),
        ),
        Endpoint(
            method="post",
            path="/api/order",
            says="Decide; supervisors, and dealers what concerns the shoe.",
            handler="_order",
            who="person",
            body=any_order(),
            answer=dict[str, bool],
            refusals=(400, 401, 403, 409, 415, 429, 503),
        ),
    ]
