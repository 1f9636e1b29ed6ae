"""`tablectl alert`: a word to real targets while no service runs."""

import asyncio
from base64 import b64encode
from pathlib import Path

from alerting import SECRET
from processes import process
from receivers import Listener, Mosquitto, Receiver

CONFIG = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
ruleset = "nj-casino-night-mini-baccarat"
[shoe]
driver = "manual"
"""
HOOK = '[[alert]]\nkind = "webhook"\nurl = "{url}"\nsecret_file = "webhook.key"\n'
TOPIC = '[[alert]]\nkind = "mqtt"\nurl = "{url}"\nretain = true\n'


def configured(folder: Path, *targets: str) -> Path:
    key = folder / "webhook.key"
    key.write_text(f"whsec_{b64encode(SECRET).decode()}\n")
    key.chmod(0o600)
    path = folder / "table.toml"
    path.write_text("\n".join((CONFIG, *targets)))
    return path


async def alert(config: Path, text: str) -> tuple[int, list[str]]:
    """Exit code, and the lines that were said."""
    async with process("-m", "controller", "alert", text, "-c", config) as told:
        _, said = await asyncio.wait_for(told.communicate(), 60)
        assert told.returncode is not None
        return told.returncode, said.decode().splitlines()


async def test_a_web_hook_is_told(tmp_path: Path) -> None:
    receiver = await Receiver().start()
    config = configured(tmp_path, HOOK.format(url=receiver.url))
    assert await alert(config, "the service failed") == (0, ["webhook: told"])
    (message,) = await receiver.count(1)
    assert message["text"] == "MB-01: the service failed"
    assert (message["level"], message["code"], message["kind"]) == ("health", "service", "raised")
    assert message["fact"]["words"] == "the service failed"
    await receiver.stop()


async def test_a_broker_is_told_and_keeps_nothing(tmp_path: Path, broker: Mosquitto) -> None:
    config = configured(tmp_path, TOPIC.format(url=broker.url))
    for text in ("the service failed", "and again"):
        # What the broker had kept would come first.
        async with Listener(broker, "baccarat/#") as listener:
            assert await alert(config, text) == (0, ["mqtt: told"])
            first, *_ = await listener.count(1)
            assert (first.topic, first.said["text"]) == ("baccarat/MB-01/pit/alert", f"MB-01: {text}")


async def test_a_target_that_does_not_take_it_is_named(tmp_path: Path) -> None:
    receiver = await Receiver().start()
    gone = Receiver()
    sections = [
        HOOK.format(url=url) + f'name = "{name}"\n' for name, url in (("b", gone.url), ("a", receiver.url))
    ]
    code, said = await alert(configured(tmp_path, *sections), "the service failed")
    assert code == 1
    assert said[0].startswith("b: ")
    assert said[1] == "a: told"
    await receiver.stop()


async def test_without_targets_it_says_so(tmp_path: Path) -> None:
    config = configured(tmp_path)
    assert await alert(config, "well") == (0, [f"{config}: no [[alert]] section, nobody was told"])


async def test_a_text_of_two_lines_is_refused(tmp_path: Path) -> None:
    code, said = await alert(configured(tmp_path), "one\ntwo")
    assert (code, len(said)) == (2, 1)
    assert "in one line" in said[0]
