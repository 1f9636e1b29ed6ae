"""What table.toml says of the pages: the board's language, look and last line, and the limits it shows."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from controller.outputs.web.assets import languages, theme, themes
from controller.ports import ConfigurationError
from controller.roads import Tail


def _language(name: str) -> str:
    if name not in languages():
        raise ValueError(f"no text for {name!r}; set one of {', '.join(languages())}")
    return name


class BoardSection(BaseModel):
    """`theme`: a shipped one, or the path of a style sheet. `footer`: the last line; empty shows none, and
    left out it is the language's own.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    language: Annotated[str, AfterValidator(_language)] = "en"
    tail: Tail = "redrop"
    theme: str = "felt"
    footer: str | None = Field(default=None, max_length=120)

    def style(self, folder: Path) -> bytes:
        """The theme's style sheet; a path is meant from `folder`. Raises ConfigurationError."""
        if self.theme in themes():
            return theme(self.theme)
        own = folder / self.theme
        if own.suffix != ".css":
            known = ", ".join(themes())
            raise ConfigurationError(
                f"no theme named {self.theme!r}; set one of {known}, or the path of a .css file"
            )
        try:
            return own.read_bytes()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ConfigurationError(f"{own}: {reason}; name a readable style sheet") from None


class LimitSection(BaseModel):
    """The least and the most that may be placed on a wager, in whole money."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    min: int = Field(ge=1, le=10**12)
    max: int = Field(ge=1, le=10**12)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min > self.max:
            raise ValueError(f"min {self.min} is more than max {self.max}; exchange them")
        return self
