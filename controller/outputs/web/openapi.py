"""Endpoints as data: the server's routes and the OpenAPI 3.1 description are made of the same rows."""

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Literal

import msgspec
from aiohttp import web
from msgspec import Struct, field

from controller.observations import Observation
from controller.orders import ORDER_FIELDS, Order

Schema = dict[str, Any]
#: `view`: anybody for the board, else a login; for the pit's view a pit console's key will do. `person`:
#: whoever is logged in. `pit`: who may see the pit.
Who = Literal["anybody", "view", "person", "pit"]

COOKIE = "session"
PATH = "/api/openapi.json"
#: What only the server may say of an event.
OURS = ("at", "wall", "device", "by", "confirmed_by")
#: Numbers of rounds, shoes and records.
WHOLE: Schema = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
CARD = "^[A23456789TJQK][CDHS]$"
TEXT: Schema = {"type": "string"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
_REF = "#/components/schemas/{name}"
#: Any endpoint may answer these: a foreign host or site, a body too long, a server that stops.
_ANY = "Refused; the text says why."


_SECURITY: Mapping[str, Sequence[Mapping[str, Sequence[str]]]] = {
    "anybody": [],
    "view": [{}, {"session": []}, {"pit_key": []}],
}


class Refusal(Struct, frozen=True):
    """Why nothing was done, and what to do."""

    refused: str


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    pin: str


class Parameter(Struct, frozen=True):
    """A part of the query. `many`: it may come more than once."""

    name: str
    schema: Schema
    required: bool = False
    many: bool = False


class Endpoint(Struct, frozen=True, kw_only=True):
    """`handler`: the method that answers. `answer`: a type whose JSON it is, or media types; None: 204.

    `body`: the schema of the request's. `refusals`: statuses with a Refusal; `text`: with a line of text;
    `other`: with the JSON of another type.
    """

    method: Literal["get", "post"] = "get"
    path: str
    says: str
    handler: str = ""
    who: Who = "anybody"
    query: Sequence[Parameter] = ()
    body: Schema | None = None
    answer: Any = None
    media: Sequence[str] = ("application/json",)
    refusals: Sequence[int] = ()
    text: Sequence[int] = ()
    tag: str = "table"
    other: Mapping[int, Any] = field(default_factory=dict)


def routes(endpoints: Iterable[Endpoint], owner: object) -> list[web.RouteDef]:
    """The rows as routes to the methods of their owner."""
    return [
        web.get(e.path, getattr(owner, e.handler), allow_head=False)
        if e.method == "get"
        else web.post(e.path, getattr(owner, e.handler))
        for e in endpoints
    ]


def document(endpoints: Sequence[Endpoint], version: str) -> dict[str, Any]:
    """The OpenAPI 3.1 description."""
    types = {id(t): t for e in endpoints for t in (e.answer, *e.other.values()) if t is not None}
    schemas, components = msgspec.json.schema_components([*types.values(), Refusal], ref_template=_REF)
    known = dict(zip((*types, id(Refusal)), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method] = _operation(endpoint, known)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Table controller", "version": version},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "pit_key": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _operation(endpoint: Endpoint, known: Mapping[int, Schema]) -> dict[str, Any]:
    answers = {
        status: {"description": HTTPStatus(status).phrase, "content": _content(known[id(Refusal)])}
        for status in endpoint.refusals
    }
    for status in endpoint.text:
        answers[status] = {"description": HTTPStatus(status).phrase, "content": {"text/plain": {}}}
    for status, kind in endpoint.other.items():
        answers[status] = {"description": HTTPStatus(status).phrase, "content": _content(known[id(kind)])}
    if endpoint.answer is None:
        answers[204] = {"description": "Done"}
    else:
        schema = known[id(endpoint.answer)]
        answers[200] = {"description": "Done", "content": _content(schema, endpoint.media)}
    described: dict[str, Any] = {
        "summary": endpoint.says,
        "tags": [endpoint.tag],
        "responses": {str(status): answers[status] for status in sorted(answers)}
        | {"default": {"description": _ANY}},
        "security": _SECURITY.get(endpoint.who, [{"session": []}]),
    }
    if endpoint.query:
        described["parameters"] = [_parameter(query) for query in endpoint.query]
    if endpoint.body is not None:
        described["requestBody"] = {"required": True, "content": _content(endpoint.body)}
    return described


def _parameter(query: Parameter) -> dict[str, Any]:
    schema = {"type": "array", "items": query.schema} if query.many else query.schema
    return {"name": query.name, "in": "query", "required": query.required, "schema": schema}


def _content(schema: Schema, media: Sequence[str] = ("application/json",)) -> dict[str, Any]:
    return {kind: {"schema": schema} if kind == "application/json" else {} for kind in media}


# -- bodies -----------------------------------------------------------------------------------------------


def credentials() -> Schema:
    """A name and a PIN."""
    return _closed({"name": TEXT, "pin": TEXT}, ["name", "pin"])


def announcement(kind: type[Observation]) -> Schema:
    """What a page may say of such an event."""
    told = _component(kind)
    properties = {name: schema for name, schema in told["properties"].items() if name not in OURS}
    if "confirmed_by" in told["properties"]:
        properties["second"] = credentials()
    return _closed(properties, told["required"])


def any_order() -> Schema:
    """Every order, with the fields that it must and may carry."""
    fields = _component(Order)["properties"]
    shapes = []
    for name, (must, may) in ORDER_FIELDS.items():
        properties = {part: fields[part] for part in ("reason", "irregularity", *must, *may)}
        # A field that must be there is never null.
        properties |= {part: fields[part].get("anyOf", [fields[part]])[0] for part in must}
        properties |= {"order": {"const": name}, "second": credentials()}
        shapes.append(_closed(properties, ["order", *must]))
    return {"oneOf": shapes}


def _closed(properties: Schema, required: Sequence[str]) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _component(kind: type[Struct]) -> Schema:
    _, components = msgspec.json.schema_components([kind], ref_template=_REF)
    told: Schema = components[kind.__name__]
    return told
