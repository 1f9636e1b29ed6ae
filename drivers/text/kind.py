"""What makes a profile's codec a device of its kind."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from controller.ports import Driver, Simulator


class Settings(BaseModel):
    """No keys of its own: the profile says everything."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class Kind:
    """`settings(codec)`, `driver(codec, settings)`, `simulator(codec, settings, **options)`."""

    settings: Callable[..., type[BaseModel]]
    driver: Callable[..., Driver]
    simulator: Callable[..., Simulator]
