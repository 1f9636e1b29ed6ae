"""What people may do from a page: log in and out, announce, order. Who did it stands in the record."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec
from aiohttp import web

from controller import facts
from controller.orders import Event, Order
from controller.outputs.web.sessions import Session, Sessions, Throttle
from controller.people import People, Person, Role
from controller.ports import ConfigurationError

COOKIE = "session"
#: Bytes of a request body.
BODY = 16 * 1024
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
#: What only the server may say of an event.
_OURS = ("at", "wall", "device", "by", "confirmed_by")

_decoder = msgspec.json.Decoder(dict[str, Any])

#: Enters an event and gives its facts once they are durable.
Enter = Callable[[Event], Awaitable[Sequence[facts.Fact]]]
#: Whether an order needs a second person's PIN now.
NeedsSecond = Callable[[Order], bool]


class Desk:
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
        self._people = people
        self._enter = enter
        self._needs_second = needs_second
        self._announcements = _TO_ANNOUNCE | _TO_ENTER | (_BY_HAND if manual else frozenset())
        self._sessions = Sessions(now)
        self._throttle = Throttle(now)
        # One check of a PIN at a time: each takes memory and a core.
        self._checking = asyncio.Lock()

    def routes(self) -> list[web.RouteDef]:
        """The handlers for an application."""
        return [
            web.post("/api/login", self._login),
            web.post("/api/logout", self._logout),
            web.get("/api/session", self._session, allow_head=False),
            web.post("/api/announce", self._announce),
            web.post("/api/order", self._order),
        ]

    def session(self, request: web.Request) -> Session | None:
        """Who asks."""
        return self._sessions.find(request.cookies.get(COOKIE))

    def is_live(self, token: str) -> bool:
        """Whether the session of an open stream goes on; a stream does not keep it alive."""
        return self._sessions.is_live(token)

    # -- who is there ----------------------------------------------------------------------------------

    async def _login(self, request: web.Request) -> web.Response:
        body = await _body(request)
        if set(body) != {"name", "pin"}:
            raise refused(web.HTTPBadRequest, "give name and pin")
        person = await self._check(request, body["name"], body["pin"])
        if old := self.session(request):
            self._sessions.end(old.token)
        session = self._sessions.begin(person.name, person.role)
        response = web.json_response({"name": person.name, "role": person.role})
        response.set_cookie(
            COOKIE, session.token, httponly=True, samesite="Strict", secure=request.secure, path="/"
        )
        return response

    async def _check(self, request: web.Request, name: object, pin: object) -> Person:
        """The person of a name and PIN. Raises a refusal, after too many wrong ones at once."""
        if not isinstance(name, str) or not isinstance(pin, str):
            raise refused(web.HTTPBadRequest, "name and pin are text")
        keys = (f"name {name}", f"address {request.remote}")
        async with self._checking:
            if wait := self._throttle.wait(*keys):
                answer = refused(web.HTTPTooManyRequests, f"too many wrong PINs; wait {wait:.0f} seconds")
                answer.headers["Retry-After"] = str(int(wait) + 1)
                raise answer
            try:
                person = await asyncio.to_thread(self._people.check, name, pin)
            except ConfigurationError as error:
                raise refused(web.HTTPServiceUnavailable, str(error)) from None
            if person is None:
                self._throttle.failed(*keys)
                raise refused(web.HTTPForbidden, "name or PIN is wrong")
            self._throttle.passed(keys[0])
            return person

    async def _logout(self, request: web.Request) -> web.Response:
        await _body(request)
        if session := self.session(request):
            self._sessions.end(session.token)
        response = web.json_response({})
        response.del_cookie(COOKIE, path="/")
        return response

    async def _session(self, request: web.Request) -> web.Response:
        session = self.session(request)
        return web.json_response({"name": session.name, "role": session.role} if session else {})

    # -- what they do ----------------------------------------------------------------------------------

    async def _announce(self, request: web.Request) -> web.Response:
        session = self._someone(request)
        if session.role not in _ANNOUNCERS:
            raise refused(web.HTTPForbidden, f"the {session.role} makes no announcements")
        body = await _body(request)
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
        body = await _body(request)
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
        if not isinstance(second, dict) or set(second) != {"name", "pin"}:
            raise refused(web.HTTPBadRequest, "second: give name and pin")
        person = await self._check(request, second["name"], second["pin"])
        if person.name == session.name:
            raise refused(web.HTTPForbidden, "the second person must be another one")
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


async def _body(request: web.Request) -> dict[str, Any]:
    """The JSON object of a request from our own pages, or from no page at all."""
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2] != request.headers.get("Host"):
        raise refused(web.HTTPForbidden, "this request comes from another site")
    if request.content_type != "application/json":
        raise refused(web.HTTPUnsupportedMediaType, "send application/json")
    try:
        body = _decoder.decode(await request.read())
    except (msgspec.DecodeError, web.RequestPayloadError) as error:
        raise refused(web.HTTPBadRequest, f"one JSON object is expected: {error}") from None
    for field in _OURS:
        if field in body:
            raise refused(web.HTTPBadRequest, f"the field {field!r} is the server's")
    return body


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


def refused(kind: type[web.HTTPException], reason: str) -> web.HTTPException:
    return kind(text=msgspec.json.encode({"refused": reason}).decode(), content_type="application/json")
