"""The door of the pages: who logs in and out. Sessions end by themselves; guessing PINs is slowed down."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import structlog
from aiohttp import web

from controller.outputs.changes import Changes
from controller.outputs.web.connection import read_body
from controller.outputs.web.holders import holder
from controller.outputs.web.openapi import COOKIE, OURS, Credentials, Endpoint, Refusal, credentials
from controller.outputs.web.sessions import Session, Sessions
from controller.outputs.web.throttle import Throttle
from controller.people import People, Person
from controller.ports import ConfigurationError
from controller.strict_json import decode

#: Bytes of a request body.
BODY = 16 * 1024
#: Characters of a name that count for the throttle; no real one is longer.
NAME = 32

T = TypeVar("T")
_decoder = msgspec.json.Decoder(dict[str, Any])

ENTRANCE = (
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
)


class Entrance:
    """The requests of logging in and out. Every answer is JSON; a refusal says what to do."""

    def __init__(self, people: People, now: Callable[[], float]) -> None:
        self._people = people
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

    def keep(self, token: str) -> bool:
        """The same for a stream that does keep it alive: of a page where nothing can be done."""
        return self._sessions.find(token) is not None

    async def _login(self, request: web.Request) -> web.Response:
        person = await self._check(
            request, convert(await read_object(request), Credentials, "give name and pin")
        )
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
        await read_object(request)
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


async def read_object(request: web.Request) -> dict[str, Any]:
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


def _cookie(request: web.Request) -> str:
    """With the prefix no other port or page of this host can set it (RFC 6265bis), and it needs TLS."""
    return f"__Host-{COOKIE}" if request.secure else COOKIE


def convert(given: object, kind: type[T], otherwise: str) -> T:
    """Raises a refusal with the words of `otherwise`."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError:
        raise refused(web.HTTPBadRequest, otherwise) from None


def json_object(data: bytes | str, where: str = "") -> dict[str, Any]:
    """Raises a refusal for anything else; `where` begins it."""
    try:
        return decode(data, _decoder)
    except msgspec.DecodeError as error:
        why = str(error)
    except RecursionError:
        why = "brackets nested too deep"
    raise refused(web.HTTPBadRequest, f"{where}one JSON object is expected: {why}")


def refused(kind: type[web.HTTPException], reason: str) -> web.HTTPException:
    """To be raised: why nothing was done, and what to do."""
    return kind(text=msgspec.json.encode(Refusal(reason)).decode(), content_type="application/json")
