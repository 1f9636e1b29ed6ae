"""The example of a vendor's package, laid out as an installer would."""

import tomllib
from pathlib import Path

PACKAGE = Path(__file__).parent / "example_driver"


def installed(site):
    """`site` as an installer leaves it: the package, and what its pyproject says in a .dist-info."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    (site / "example_shoe").symlink_to(PACKAGE / "example_shoe")
    info = site / f"example_shoe_driver-{project['version']}.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {place}" for name, place in entries.items())]
    info.joinpath("entry_points.txt").write_text("\n".join(lines) + "\n")
    return site
