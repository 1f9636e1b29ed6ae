"""Every endpoint under requests made from its own description, right ones and wrong ones, as each role.

Asked is: no answer that is not described, no 5xx, nothing in the log that is a fault, and a journal that
audits clean. A few requests of each kind, always the same; API_FUZZ=500 tries as many, each time others.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from processes import SOON
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from serving import Serving

from controller.people import ROLES, People

EXAMPLES = int(os.environ.get("API_FUZZ", "8"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
#: Streams do not end, and who logs out is asked nothing more: they are tried on their own.
APART = ("/events", "/api/logout")
TABLE = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
ruleset = "nj-casino-night-mini-baccarat"
[shoe]
driver = "manual"
[web]
listen = "127.0.0.1:0"
[log]
format = "json"
"""
PIN = "2468"
PATIENT = settings(
    max_examples=EXAMPLES,
    derandomize="API_FUZZ" not in os.environ,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class Api(Serving):
    """The running service, its description, and a session of each role."""

    def __init__(self, folder: Path) -> None:
        people = People(folder / "state")
        for role in ROLES:
            people.add(role, role, PIN)
        super().__init__(folder, TABLE)
        self.document = requests.get(f"{self.base}/api/openapi.json", timeout=SOON).json()
        self.schema = schemathesis.openapi.from_dict(self.document)
        self.schema.config.update(base_url=self.base)
        self.sessions = {role: self.log_in(role) for role in ROLES}
        self.sessions["nobody"] = requests.Session()

    def log_in(self, role: str) -> requests.Session:
        session = requests.Session()
        session.post(
            f"{self.base}/api/login", json={"name": role, "pin": PIN}, timeout=SOON
        ).raise_for_status()
        return session

    def do(self, role: str, path: str, **body: Any) -> int:
        return self.sessions[role].post(self.base + path, json=body, timeout=SOON).status_code

    def deal(self) -> None:
        """Something for the record: a round, and one with a card too early."""
        self.do("supervisor", "/api/order", order="new_shoe", decks=8, reason="")
        for card in ("2C", "3D", "4H"):
            self.do("dealer", "/api/announce", type="card_drawn", card=card)
        for what in (
            "bets_opened",
            "bets_closed",
            "9C",
            "KD",
            "KH",
            "QS",
            "result_confirmed",
            "bets_opened",
            "5C",
        ):
            drawn = {"type": "card_drawn", "card": what} if len(what) == 2 else {"type": what}
            self.do("dealer", "/api/announce", **drawn)


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    api = Api(tmp_path_factory.mktemp("api"))
    api.deal()
    yield api
    # What the whole of it has left behind.
    assert api.stop() == 0
    faults = [entry for entry in api.log() if entry["level"] not in ("debug", "info", "warning")]
    assert faults == []
    assert b"Traceback" not in api.said()
    words = (sys.executable, "-m", "controller", "audit", str(api.folder / "state"))
    audit = subprocess.run(words, capture_output=True, text=True)
    assert audit.returncode == 0, audit.stdout + audit.stderr


def operations(api: Api) -> list[Any]:
    found = [result.ok() for result in api.schema.get_all_operations()]
    pages = {
        path for path, item in api.document["paths"].items() if item.get("get", {}).get("tags") == ["pages"]
    }
    return [operation for operation in found if operation.path not in {*APART, *pages}]


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("who", [*ROLES, "nobody"])
def test_every_endpoint_keeps_to_its_description(api: Api, who: str, mode: GenerationMode) -> None:
    session = api.sessions[who]
    answers: Counter[tuple[str, int]] = Counter()
    for operation in operations(api):
        if mode is GenerationMode.NEGATIVE and not (operation.query or operation.body):
            continue

        @PATIENT
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Any) -> None:
            # The description says that there is a cookie, not which one.
            answer = case.call(session=session, cookies=dict(session.cookies), timeout=SOON)
            case.validate_response(answer, checks=CHECKS)
            answers[case.operation.path, answer.status_code] += 1

        ask()
    tried = {path for path, _ in answers}
    assert {"/api/order", "/api/announce", "/api/login", "/api/preview", "/api/record"} <= tried
    if who == "supervisor":
        # It is no fuzzing where everything is refused at the door.
        assert answers["/api/order", 401] == answers["/api/record", 401] == 0
        assert answers["/api/announce", 200] or mode is GenerationMode.NEGATIVE
    # Whatever was asked, the session is still who it was.
    said = session.get(f"{api.base}/api/session", timeout=SOON).json()
    assert said == ({} if who == "nobody" else {"name": who, "role": who})


LAST = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30)


@PATIENT
@given(path=st.sampled_from(["/events", "/api/shown", "/api/logout"]), view=st.text(max_size=20), last=LAST)
def test_streams_and_logouts(api: Api, path: str, view: str, last: str) -> None:
    method = "GET" if path == "/events" else "POST"
    with requests.request(
        method, api.base + path, params={"view": view}, headers={"Last-Event-ID": last.strip()}, json={},
        stream=True, timeout=SOON,
    ) as answer:  # fmt: skip
        assert answer.status_code < 500
        assert (answer.status_code == 200) == (path == "/api/logout" or (path, view) == ("/events", "board"))


def test_every_role_is_kept_to_what_it_may_do(api: Api) -> None:
    """The statuses of one plain request each, as the description promises them."""
    asked = {
        ("get", "/api/about"): (200, 403, 200, 401),
        ("post", "/api/announce"): (200, 200, 403, 401),
        ("post", "/api/order"): (200, 403, 403, 401),
        ("get", "/api/snapshot?view=pit"): (200, 403, 200, 403),
        ("get", "/api/openapi.json"): (200, 200, 200, 200),
    }
    bodies = {
        "/api/announce": {"type": "supervisor_called", "reason": "other"},
        "/api/order": {"order": "annotate", "reason": "x"},
    }
    roles = ("supervisor", "dealer", "engineer", "nobody")
    for (method, path), wanted in asked.items():
        body = bodies.get(path)
        answers = [
            api.sessions[role].request(method, api.base + path, json=body, timeout=SOON).status_code
            for role in roles
        ]
        assert dict(zip(roles, answers, strict=True)) == dict(zip(roles, wanted, strict=True)), path


def test_the_description_is_json_that_others_can_read(api: Api) -> None:
    assert json.dumps(api.document)
    assert api.document["openapi"] == "3.1.0"
