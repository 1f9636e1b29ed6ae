"""What people may do from a page: log in and out, announce, order. Who did it stands in the record."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar, get_args

import msgspec
import structlog
from aiohttp import web

from controller import facts
from controller.observations import AnyObservation
from controller.orders import Event, Order
from controller.outputs.changes import Changes
from controller.outputs.web.connection import read_body
from controller.outputs.web.holders import holder
from controller.outputs.web.openapi import (
    COOKIE,
    OURS,
    Credentials,
    Endpoint,
    Refusal,
    announcement,
    any_order,
    credentials,
)
from controller.outputs.web.sessions import Session, Sessions
from controller.outputs.web.throttle import Throttle
from controller.people import People, Person, Role
from controller.ports import ConfigurationError

#: Bytes of a request body.
BODY = 16 * 1024
#: Seconds in which what was decided has to be durable.
PATIENCE = 5.0
#: Characters of a name that count for the throttle; no real one is longer.
NAME = 32

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
T = TypeVar("T")
_kinds = {kind.__struct_config__.tag: kind for kind in get_args(AnyObservation)}
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
        self.endpoints = _endpoints(self._announcements)
        self._sessions = Sessions(now)
        self._throttle = Throttle(now)
        self._changes = Changes([people.path])
        self._log = structlog.get_logger()
        # One check of a PIN at a time: each takes memory and a core.
        self._checking = asyncio.Lock()

    def session(self, request: web.Request) -> Session | None:
        """Who asks."""
        return self._sessions.find(request.cookies.get(_cookie(request)))

    def review(self) -> None:
        """Log out who was removed, or has another PIN or role, once the people's file has changed."""
        if self._changes.seen():
            try:
                self._sessions.keep(self._people.everybody())
            except ConfigurationError as error:
                self._log.error("people_unreadable", error=str(error))

    def is_live(self, token: str) -> bool:
        """Whether the session of an open stream goes on; a stream does not keep it alive."""
        return self._sessions.is_live(token)

    # -- who is there ----------------------------------------------------------------------------------

    async def _login(self, request: web.Request) -> web.Response:
        person = await self._check(request, _convert(await _body(request), Credentials, "give name and pin"))
        if old := self.session(request):
            self._sessions.end(old.token)
        session = self._sessions.begin(person)
        self._log.info("logged_in", name=person.name, role=person.role, address=request.remote)
        response = web.json_response({"name": person.name, "role": person.role})
        response.set_cookie(
            _cookie(request), session.token, httponly=True, samesite="Strict", secure=request.secure, path="/"
        )
        return response

    async def _check(self, request: web.Request, given: Credentials) -> Person:
        """The person of a name and PIN. Raises a refusal, after too many wrong ones at once."""
        who = (given.name[:NAME], holder(request.remote))
        async with self._checking:
            if wait := self._throttle.wait(*who):
                answer = refused(web.HTTPTooManyRequests, f"too many wrong PINs; wait {wait:.0f} seconds")
                answer.headers["Retry-After"] = str(int(wait) + 1)
                raise answer
            try:
                person = await asyncio.to_thread(self._people.check, given.name, given.pin)
                names = {person.name for person in self._people.everybody()}
            except ConfigurationError as error:
                raise refused(web.HTTPServiceUnavailable, str(error)) from None
            if person is None:
                self._throttle.failed(*who)
                # A name that nobody has may be a PIN that was typed in the wrong place.
                name = given.name if given.name in names else None
                self._log.warning("login_refused", name=name, address=request.remote)
                raise refused(web.HTTPForbidden, "name or PIN is wrong")
            self._throttle.passed(*who)
            return person

    async def _logout(self, request: web.Request) -> web.Response:
        await _body(request)
        if session := self.session(request):
            self._sessions.end(session.token)
        response = web.json_response({})
        response.del_cookie(
            _cookie(request), httponly=True, samesite="Strict", secure=request.secure, path="/"
        )
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
        person = await self._check(request, _convert(second, Credentials, "second: give name and pin"))
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
    """The JSON object of a request."""
    if request.content_type != "application/json":
        raise refused(web.HTTPUnsupportedMediaType, "send application/json")
    if "Content-Encoding" in request.headers:
        raise refused(web.HTTPUnsupportedMediaType, "send it as it is, without a Content-Encoding")
    try:
        body = json_object(await read_body(request))
    except web.RequestPayloadError as error:
        raise refused(web.HTTPBadRequest, f"one JSON object is expected: {error}") from None
    for field in OURS:
        if field in body:
            raise refused(web.HTTPBadRequest, f"the field {field!r} is the server's")
    return body


def _text(body: dict[str, Any], field: str) -> str:
    """What the field says; empty where that is no text."""
    said = body.get(field)
    return said if isinstance(said, str) else ""


def _cookie(request: web.Request) -> str:
    """With the prefix no other port or page of this host can set it (RFC 6265bis), and it needs TLS."""
    return f"__Host-{COOKIE}" if request.secure else COOKIE


def _convert(given: object, kind: type[T], otherwise: str) -> T:
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError:
        raise refused(web.HTTPBadRequest, otherwise) from None


def json_object(data: bytes | str, where: str = "") -> dict[str, Any]:
    """Raises a refusal for anything else; `where` begins it."""
    try:
        return _decoder.decode(data)
    except msgspec.DecodeError as error:
        why = str(error)
    except RecursionError:
        why = "brackets nested too deep"
    raise refused(web.HTTPBadRequest, f"{where}one JSON object is expected: {why}")


def event_of(body: dict[str, Any]) -> Event:
    try:
        event: Event = msgspec.convert(body, Event)
    except msgspec.ValidationError as error:
        raise refused(web.HTTPBadRequest, str(error)) from None
    return event


def refused(kind: type[web.HTTPException], reason: str) -> web.HTTPException:
    return kind(text=msgspec.json.encode(Refusal(reason)).decode(), content_type="application/json")


def _endpoints(announcements: Collection[str]) -> list[Endpoint]:
    told = {"oneOf": [announcement(_kinds[name]) for name in sorted(announcements)]}
    return [
        Endpoint(
            method="post",
            path="/api/login",
            says="Log in: the answer sets the cookie of a new session.",
            handler="_login",
            body=credentials(),
            answer=dict[str, str],
            refusals=(400, 403, 415, 429, 503),
        ),
        Endpoint(
            method="post",
            path="/api/logout",
            says="End the session, if there is one.",
            handler="_logout",
            body={"type": "object", "additionalProperties": False},
            answer=dict[str, Any],
            refusals=(400, 415),
        ),
        Endpoint(
            path="/api/session",
            says="Who is logged in; nothing: nobody is.",
            handler="_session",
            answer=dict[str, str],
        ),
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
