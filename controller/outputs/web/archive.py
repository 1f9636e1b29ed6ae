"""What the pit may ask of the record: evidence, searches, statistics, exports, and orders tried on a copy."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from aiohttp import web
from msgspec import Struct

from controller.cards import is_card
from controller.journal.errors import JournalError
from controller.orders import Order
from controller.outputs.web.desk import Desk, NeedsSecond, event_of
from controller.outputs.web.entrance import json_object, refused
from controller.outputs.web.openapi import CARD, MOMENT, TEXT, WHOLE, Endpoint, Parameter
from controller.outputs.web.records import Evidence, Found, Place, Records
from controller.outputs.web.search import Query
from controller.outputs.web.sessions import VIEWS, Session
from controller.outputs.web.statistics import ShoeStatistics, as_csv
from controller.play.table import Table
from controller.ports import InputError
from controller.report.page import render
from controller.report.select import Selection, moment
from controller.runtime.preview import Preview, preview, twin

#: Hits of one answer.
HITS = 200
_KINDS = {"csv": "text/csv", "json": "application/json", "html": "text/html"}

T = TypeVar("T")


class Tried(Struct, frozen=True, kw_only=True):
    """`second`: the order needs another person's confirmation."""

    order: str
    second: bool
    preview: Preview


_SELECTION = (
    Parameter("shoe", WHOLE),
    Parameter("irregularity", WHOLE),
    Parameter("from", MOMENT),
    Parameter("to", MOMENT),
)


def _row(name: str, says: str, answer: Any, *query: Parameter, media: str = "application/json") -> Endpoint:
    return Endpoint(
        path=f"/api/{name}",
        handler=f"_{name}",
        who="pit",
        says=says,
        query=query,
        answer=answer,
        media=(media,),
        refusals=(400, 401, 403, 404, 503),
    )


ENDPOINTS = (
    _row("evidence", "All that stands in the record of an irregularity.", Evidence,
         Parameter("irregularity", WHOLE, required=True)),
    _row("record", "Search the record, newest first; `before`: go on from there.", Found,
         Parameter("card", {"type": "string", "pattern": CARD}), Parameter("code", TEXT),
         Parameter("round", WHOLE), Parameter("frames", TEXT), Parameter("orders", TEXT),
         Parameter("limit", WHOLE), Parameter("before", WHOLE), *_SELECTION),
    _row("preview", "What orders (JSON, as /api/order takes them) would do, tried on a copy.", list[Tried],
         Parameter("order", TEXT, many=True)),
    _row("shoes", "Where each shoe of the record begins.", list[Place]),
    _row("shoe", "A shoe's rounds and counts.", ShoeStatistics, Parameter("shoe", WHOLE, required=True)),
    _row("about", "Software, rules, devices and health.", dict[str, Any]),
    _row("export", "The record as a file.", bytes,
         Parameter("format", {"enum": list(_KINDS)}, required=True), *_SELECTION, media="*/*"),
)  # fmt: skip


class Archive:
    """Handlers for those who may see the pit's view. `copy` gives a twin of the table as it is now; `about`:
    software, rules, devices, health.
    """

    endpoints = ENDPOINTS

    def __init__(
        self,
        records: Records,
        desk: Desk,
        copy: Callable[[], Table],
        needs_second: NeedsSecond,
        about: Callable[[], Mapping[str, object]],
    ) -> None:
        self.records = records
        self._desk = desk
        self._copy = copy
        self._needs_second = needs_second
        self._facts = about
        self._tried: tuple[int, dict[str, bytes]] = (0, {})  # answers, as of a journal number

    # -- handlers --------------------------------------------------------------------------------------

    async def _evidence(self, request: web.Request) -> web.Response:
        self._allowed(request)
        number = _whole(request, "irregularity")
        if number is None:
            raise refused(web.HTTPBadRequest, "irregularity: give its number")
        return _json(await _read(lambda: self.records.evidence(number)))

    async def _record(self, request: web.Request) -> web.Response:
        self._allowed(request)
        card = _text(request, "card")
        if card is not None and not is_card(card):
            raise refused(web.HTTPBadRequest, f"card {card!r}: rank then suit, as TD")
        selection = _selection(request)
        query = Query(
            shoe=selection.shoe,
            round=_whole(request, "round"),
            card=card,
            code=_text(request, "code"),
            begin=selection.begin,
            end=selection.end,
            frames=_text(request, "frames") is not None,
            orders=_text(request, "orders") is not None,
        )
        limit = min(_whole(request, "limit") or HITS, HITS)
        before = _whole(request, "before")
        return _json(await _read(lambda: self.records.find(query, limit, before)))

    async def _preview(self, request: web.Request) -> web.Response:
        """`order`: one or more, as the desk takes them."""
        session = self._allowed(request)
        orders = [_order(text, session) for text in request.query.getall("order", [])]
        if self._tried[0] != self.records.last:
            self._tried = (self.records.last, {})
        answers = self._tried[1]
        key = f"{session.name} {request.query_string}"
        if key not in answers:
            table = self._copy()
            tried = await asyncio.to_thread(self._try, table, orders)
            answers[key] = msgspec.json.encode(tried)
        return web.Response(body=answers[key], content_type="application/json")

    def _try(self, table: Table, orders: Sequence[Order]) -> list[Tried]:
        return [
            Tried(
                order=order.order,
                second=self._needs_second(order),
                preview=preview(twin(table), order),
            )
            for order in orders
        ]

    async def _shoes(self, request: web.Request) -> web.Response:
        self._allowed(request)
        return _json(await _read(lambda: self.records.shoes))

    async def _shoe(self, request: web.Request) -> web.Response:
        self._allowed(request)
        number = _whole(request, "shoe")
        if number is None:
            raise refused(web.HTTPBadRequest, "shoe: give its number")
        return _json(await _read(lambda: self.records.statistics(number)))

    async def _about(self, request: web.Request) -> web.Response:
        self._allowed(request)
        return _json(self._facts())

    async def _export(self, request: web.Request) -> web.Response:
        self._allowed(request)
        kind = request.query.get("format", "")
        if kind not in _KINDS:
            raise refused(web.HTTPBadRequest, f"format: one of {', '.join(_KINDS)}")
        selection = _selection(request)
        body = await _read(lambda: self._file(kind, selection))
        parts = {"shoe": selection.shoe, "irregularity": selection.irregularity}
        name = "-".join(["record", *(f"{part}-{n}" for part, n in parts.items() if n is not None)])
        return web.Response(
            body=body,
            content_type=_KINDS[kind],
            charset="utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}.{kind}"'},
        )

    def _file(self, kind: str, selection: Selection) -> bytes:
        if kind == "csv":
            return as_csv(self.records.rounds(selection)).encode()
        report = self.records.report(selection)
        return msgspec.json.format(msgspec.json.encode(report)) if kind == "json" else render(report).encode()

    def _allowed(self, request: web.Request) -> Session:
        session = self._desk.session(request)
        if session is None:
            raise refused(web.HTTPUnauthorized, "log in first")
        if "pit" not in VIEWS[session.role]:
            raise refused(
                web.HTTPForbidden, f"the record is not for a {session.role}; log in as a supervisor"
            )
        return session


async def _read(work: Callable[[], T]) -> T:
    """Off the loop; what cannot be read is said."""
    try:
        return await asyncio.to_thread(work)
    except InputError as error:
        raise refused(web.HTTPNotFound, str(error)) from None
    except JournalError as error:
        raise refused(web.HTTPServiceUnavailable, str(error)) from None


def _json(data: object) -> web.Response:
    return web.Response(body=msgspec.json.encode(data), content_type="application/json")


def _text(request: web.Request, field: str) -> str | None:
    return request.query.get(field) or None


def _whole(request: web.Request, field: str) -> int | None:
    text = _text(request, field)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise refused(web.HTTPBadRequest, f"{field} {text!r}: give a whole number")
    return int(text)


def _selection(request: web.Request) -> Selection:
    begin, end = _text(request, "from"), _text(request, "to")
    try:
        return Selection(
            irregularity=_whole(request, "irregularity"),
            shoe=_whole(request, "shoe"),
            begin=moment(begin, "from") if begin else None,
            end=moment(end, "to") if end else None,
        )
    except InputError as error:
        raise refused(web.HTTPBadRequest, str(error)) from None


def _order(text: str, session: Session) -> Order:
    """An order as a page words it. Raises a refusal."""
    event = event_of(json_object(text, "order: ") | {"type": "order", "by": session.name})
    assert isinstance(event, Order)
    return event
