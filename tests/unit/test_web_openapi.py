"""The interface and its description are one table: every route is described, and nothing else."""

import re
from pathlib import Path
from typing import Any

import pytest

from controller.observations import AnyObservation
from controller.orders import ORDER_FIELDS
from controller.outputs.web.archive import Archive
from controller.outputs.web.assets import assets
from controller.outputs.web.desk import Desk
from controller.outputs.web.openapi import OURS, document
from controller.outputs.web.records import Records
from controller.outputs.web.server import WebServer
from controller.people import People
from controller.play.house import House
from controller.play.table import Table
from controller.rules.ruleset import load_ruleset
from controller.views.view import TableInfo


async def nothing(_: object) -> list[Any]:
    return []


def server(folder: Path, manual: bool = False) -> WebServer:
    desk = Desk(People(folder), nothing, lambda: 0.0, lambda _: False, manual=manual)
    table = Table(House(load_ruleset("nj-mini-baccarat")))
    archive = Archive(Records(folder / "journal.db"), desk, lambda: table, lambda _: False, dict)
    info = TableInfo(id="T", name="T")
    return WebServer(info, history=lambda _: (), health=lambda: (True, {}), desk=desk, archive=archive)


@pytest.fixture
def described(tmp_path: Path) -> dict[str, Any]:
    return document(server(tmp_path).endpoints, "1.2.3")


def test_every_route_is_described_and_every_description_has_a_route(
    tmp_path: Path, described: dict[str, Any]
) -> None:
    routes = {
        (r.method.lower(), r.resource.canonical) for r in server(tmp_path).app.router.routes() if r.resource
    }
    told = {(method, path) for path, item in described["paths"].items() for method in item}
    assert routes == told
    pages = {
        path for path, item in described["paths"].items() if item.get("get", {}).get("tags") == ["pages"]
    }
    assert pages == {asset.path for asset in assets()} | {"/theme.css"}


def test_every_operation_says_what_it_does_who_may_and_what_comes(described: dict[str, Any]) -> None:
    for path, item in described["paths"].items():
        for operation in item.values():
            assert operation["summary"].endswith("."), path
            assert operation["responses"].keys() & {"200", "204"}, path
            assert "default" in operation["responses"]
            assert "security" in operation
    assert described["paths"]["/api/order"]["post"]["security"] == [{"session": []}]
    assert described["paths"]["/healthz"]["get"]["security"] == []


def test_every_reference_leads_somewhere(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    for name in re.findall(r"#/components/schemas/([^']+)", repr(described)):
        assert name in schemas
    # What OpenAPI 3.1 allows as a component's name.
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", name) for name in schemas)


def test_every_order_is_described_with_its_fields(described: dict[str, Any]) -> None:
    shapes = body(described, "/api/order")["oneOf"]
    assert {shape["properties"]["order"]["const"] for shape in shapes} == set(ORDER_FIELDS)
    for shape in shapes:
        must, may = ORDER_FIELDS[shape["properties"]["order"]["const"]]
        assert set(shape["required"]) == {"order", *must}
        own = {"order", "reason", "irregularity", "second"}
        assert set(shape["properties"]) == own | {*must, *may}


def test_what_only_the_server_may_say_is_in_no_body(tmp_path: Path, described: dict[str, Any]) -> None:
    for path in ("/api/order", "/api/announce"):
        for shape in body(described, path)["oneOf"]:
            assert not set(OURS) & set(shape["properties"])
            assert shape["additionalProperties"] is False


def test_cards_are_announced_where_the_table_is_manual_only(tmp_path: Path) -> None:
    def kinds(manual: bool) -> set[str]:
        shapes = body(document(server(tmp_path, manual).endpoints, ""), "/api/announce")["oneOf"]
        return {shape["properties"]["type"]["enum"][0] for shape in shapes}

    assert kinds(True) - kinds(False) == {"card_drawn", "cut_card_drawn"}
    known = {kind.__struct_config__.tag for kind in AnyObservation.__args__}
    assert kinds(True) < known


def body(described: dict[str, Any], path: str) -> dict[str, Any]:
    content = described["paths"][path]["post"]["requestBody"]["content"]
    schema: dict[str, Any] = content["application/json"]["schema"]
    return schema
