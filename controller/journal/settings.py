"""What table.toml says of the journal: whether finished shoes are archived, and how many of them are kept."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class JournalSection(BaseModel):
    """`divide`: at each new shoe what was before moves to the archive, or never. `keep`: files to keep there,
    a shoe each; 0: all. Counted and not dated, since a clock that jumps must not cost the record.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    divide: Literal["shoe", "never"] = "shoe"
    keep: int = Field(default=0, ge=0)
