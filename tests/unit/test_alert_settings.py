"""`[[alert]]` and `[broker]`: every fault is named with its place and what to do."""

import os
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from controller.outputs.alerts.settings import (
    AlertSection,
    BrokerSection,
    alert_objections,
    broker_objections,
)
from controller.outputs.secret import read_secret
from controller.ports import ConfigurationError

GOOD_SECRET = "whsec_" + "QUJD" * 11  # 33 bytes


def keep(folder: Path, name: str, text: str, mode: int = 0o600) -> Path:
    path = folder / name
    path.write_text(text)
    path.chmod(mode)
    return path


def objections(folder: Path, *sections: dict[str, Any]) -> list[tuple[Any, str]]:
    return list(alert_objections([AlertSection.model_validate(s) for s in sections], folder))


def hook(**more: Any) -> dict[str, Any]:
    return {"kind": "webhook", "url": "https://pit.example/alerts", "secret_file": "webhook.key"} | more


def mqtt(**more: Any) -> dict[str, Any]:
    return {"kind": "mqtt", "url": "mqtts://broker.example"} | more


def test_the_shape_of_the_design_is_accepted(tmp_path: Path) -> None:
    keep(tmp_path, "webhook.key", GOOD_SECRET + "\n")
    assert objections(tmp_path, hook(), mqtt()) == []
    keep(tmp_path, "chat.url", "json://localhost")
    assert objections(tmp_path, {"kind": "apprise", "url_file": "chat.url"}) == []


@pytest.mark.parametrize(
    ("section", "key", "words"),
    [
        (hook(url="pit.example"), "url", "should be https://HOST"),
        (hook(url="ftp://pit.example"), "url", "should be https://HOST"),
        (hook(url="https://"), "url", "should be https://HOST"),
        (hook(url="https://pit.example:99999"), "url", "no port"),
        (hook(url="http://192.0.2.7/alerts"), "url", "without TLS; use https://"),
        (hook(url="https://user:word@pit.example"), "url", "secrets in a file"),
        (hook(timeout=0), "timeout", "greater than 0"),
        (hook(colour="red"), "colour", "neither a key of this section nor a setting of webhook"),
        (mqtt(url="mqtt://broker.example"), "url", "without TLS; use mqtts://"),
        (mqtt(url="mqtts://broker.example/topic"), "url", "remove '/topic'"),
        (mqtt(topic="pit/#"), "topic", "should match"),
        (mqtt(topic="$SYS"), "topic", "should match"),
        (mqtt(password_file="webhook.key"), "password_file", "goes with a user"),
        (mqtt(ca_file="none.pem"), "ca_file", "name the authority's certificate"),
        (
            mqtt(certificate_file="none.pem"),
            "certificate_file",
            "no such file or directory; the service's user must be able to read it",
        ),
        ({"kind": "webhook"}, "url", "is missing; webhook needs it"),
        ({"kind": "apprise"}, "url_file", "is missing; apprise needs it"),
        ({"kind": "apprise", "url_file": "none"}, "url_file", "no such file"),
    ],
)
def test_a_fault_is_named_at_its_key(tmp_path: Path, section: dict[str, Any], key: str, words: str) -> None:
    keep(tmp_path, "webhook.key", GOOD_SECRET)
    found = objections(tmp_path, section)
    assert [(path, words in what) for path, what in found if path[2] == key] == [(("alert", 0, key), True)], (
        found
    )


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/x", "http://localhost/", "http://[::1]:1/"])
def test_this_machine_needs_no_tls(tmp_path: Path, url: str) -> None:
    keep(tmp_path, "webhook.key", GOOD_SECRET)
    assert objections(tmp_path, hook(url=url)) == []


def test_another_machine_needs_it_unless_somebody_says_otherwise(tmp_path: Path) -> None:
    keep(tmp_path, "webhook.key", GOOD_SECRET)
    assert objections(tmp_path, hook(url="http://pit.example", insecure=True)) == []
    assert objections(tmp_path, mqtt(url="mqtt://pit.example", insecure=True)) == []


@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [
        (GOOD_SECRET, 0o644, "mode 644 lets others at the secret; chmod 600 or 640"),
        (GOOD_SECRET, 0o660, "mode 660"),
        (GOOD_SECRET, 0o604, "mode 604"),
        ("", 0o600, "its only line"),
        (f"{GOOD_SECRET}\n{GOOD_SECRET}\n", 0o600, "its only line"),
        ("a password", 0o600, "24 to 64 random bytes; make one: (umask 077; echo whsec_$("),
        ("whsec_QUJD", 0o600, "24 to 64 random bytes"),
        ("whsec_" + "!" * 44, 0o600, "24 to 64 random bytes"),
    ],
)
def test_a_secret_that_is_none_or_is_not_kept(tmp_path: Path, text: str, mode: int, words: str) -> None:
    keep(tmp_path, "webhook.key", text, mode)
    ((path, what),) = objections(tmp_path, hook())
    assert path == ("alert", 0, "secret_file")
    assert words in what
    assert str(tmp_path / "webhook.key") in what


def test_a_secret_may_be_read_by_the_services_group(tmp_path: Path) -> None:
    assert read_secret(keep(tmp_path, "key", "x\n", 0o640)) == "x"


def test_a_secret_is_text(tmp_path: Path) -> None:
    path = keep(tmp_path, "key", "")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match="not text"):
        read_secret(path)


def test_the_permissions_are_those_of_the_file_behind_a_link(tmp_path: Path) -> None:
    keep(tmp_path, "open", "x", 0o644)
    (tmp_path / "key").symlink_to("open")
    with pytest.raises(ConfigurationError, match="644"):
        read_secret(tmp_path / "key")


def test_two_targets_of_one_name(tmp_path: Path) -> None:
    keep(tmp_path, "webhook.key", GOOD_SECRET)
    ((path, what),) = objections(tmp_path, hook(), hook())
    assert path == ("alert", 1, "name")
    assert "'webhook'" in what
    assert objections(tmp_path, hook(), hook(name="shift")) == []


@pytest.mark.parametrize(
    "more",
    [
        {"tell": {"stops": 0}},
        {"tell": {"stop": -1}},
        {"repeat": {"stop": 1}},
        {"quiet": 0},
        {"audience": "public"},
        {"name": "floor/shift"},
        {"kind": "pigeon"},
    ],
)
def test_routing_is_checked_with_the_rest_of_the_file(more: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        AlertSection.model_validate(hook(**more))


def test_the_broker_section(tmp_path: Path) -> None:
    broker = BrokerSection(url="mqtts://broker.example", user="table", password_file="word")
    assert [(path, what.split(": ")[1]) for path, what in broker_objections(broker, tmp_path)] == [
        (("broker", "password_file"), "no such file or directory; the service's user must be able to read it")
    ]
    keep(tmp_path, "word", "secret")
    assert list(broker_objections(broker, tmp_path)) == []
    assert list(broker_objections(None, tmp_path)) == []
    with pytest.raises(ValidationError):
        BrokerSection(url="mqtts://broker.example", audiences=[])


def test_an_absolute_path_is_meant_as_it_stands(tmp_path: Path) -> None:
    path = keep(tmp_path, "webhook.key", GOOD_SECRET)
    assert objections(Path(os.sep), hook(secret_file=str(path))) == []
