"""The Angel Eye's own keys under `[shoe]` in table.toml."""

from pydantic import BaseModel, ConfigDict, Field

from drivers.shoes.angel_eye.codec import Checksum


class Settings(BaseModel):
    """`duplicate_window`: seconds from a report's first copy in which the same bytes are that report again.

    `resume_within`: seconds; a service that was away longer cannot tell from a sequence of ten numbers
    whether it missed a report. `copies`: how often a report is sent; decoding never relies on it.
    `command_checksum`: which bytes a command's checksum covers. `acknowledge`: answer reports with an ACK.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    duplicate_window: float = Field(default=0.5, gt=0, le=2)
    resume_within: float = Field(default=5.0, ge=0, le=60)
    copies: int = Field(default=3, ge=1, le=9)
    command_checksum: Checksum = "with-stx"
    acknowledge: bool = False
