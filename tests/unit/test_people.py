"""People: added, checked, changed, removed; the file is private and survives a bad write."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.cli import app
from controller.people import People
from controller.ports import ConfigurationError


def test_a_person_is_known_by_name_and_pin(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.add("ann", "supervisor", "4711")
    person = people.check("ann", "4711")
    assert person is not None
    assert person.role == "supervisor"
    assert people.check("ann", "4712") is None
    assert people.check("bob", "4711") is None


def test_the_file_holds_no_pin_and_is_private(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.add("ann", "dealer", "4711")
    assert b"4711" not in people.path.read_bytes()
    assert people.path.stat().st_mode & 0o777 == 0o600
    people.path.chmod(0o644)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        people.everybody()


def test_a_pin_is_changed_and_a_person_removed_at_once_for_every_reader(tmp_path: Path) -> None:
    service, command = People(tmp_path), People(tmp_path)
    command.add("ann", "dealer", "4711")
    command.add("bob", "engineer", "0815")
    command.set_pin("ann", "1234")
    assert service.check("ann", "4711") is None
    assert service.check("ann", "1234") is not None
    command.remove("ann")
    assert service.check("ann", "1234") is None
    assert [p.name for p in service.everybody()] == ["bob"]


@pytest.mark.parametrize(
    ("name", "role", "pin", "says"),
    [
        ("Ann", "dealer", "4711", "name 'Ann'"),
        ("", "dealer", "4711", "name ''"),
        ("ann", "boss", "4711", "one of dealer, supervisor, engineer"),
        ("ann", "dealer", "123", "4 to 12 digits"),
        ("ann", "dealer", "12a4", "4 to 12 digits"),
        ("taken", "dealer", "4711", "there already"),
    ],
)
def test_a_faulty_addition_changes_nothing(tmp_path: Path, name: str, role: str, pin: str, says: str) -> None:
    people = People(tmp_path)
    people.add("taken", "dealer", "0000")
    before = people.path.read_bytes()
    with pytest.raises(ConfigurationError, match=says):
        people.add(name, role, pin)
    assert people.path.read_bytes() == before


def test_a_damaged_file_is_named_with_the_remedy(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.path.write_text("{")
    people.path.chmod(0o600)
    with pytest.raises(ConfigurationError, match=r"people\.json: .*restore it"):
        people.everybody()


def test_the_user_commands(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(
        '[table]\nid = "T"\nname = "T"\nruleset = "macau"\n[shoe]\ndriver = "angel-eye"\nlink = "pty:x"\n'
    )
    run = CliRunner().invoke

    def user(*words: str, pin: str = "") -> str:
        result = run(app, ["user", *words, "-c", str(config)], input=pin)
        assert result.exit_code == 0, result.output
        return result.output

    user("add", "ann", "--role", "supervisor", pin="4711\n")
    user("add", "bob", "--role", "dealer", pin="0815\n")
    user("pin", "ann", pin="1234\n")
    assert user("list").split() == ["ann", "supervisor", "bob", "dealer"]
    user("remove", "bob")
    assert user("list", "--json").strip() == '[{"name":"ann","role":"supervisor"}]'
    assert People(tmp_path / "state").check("ann", "1234") is not None
    assert isinstance(run(app, ["user", "remove", "eve", "-c", str(config)]).exception, ConfigurationError)
    assert not list((tmp_path / "state").glob("*.new"))
