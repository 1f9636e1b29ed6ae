"""structlog, set up once: one event a line with its fields, JSON for machines or text for people."""

import logging
import sys
import traceback
from typing import Literal

import msgspec
import structlog


def set_up(
    shape: Literal["auto", "json", "text"] = "auto", level: str = "info", table: str | None = None
) -> None:
    """Log to standard error. `auto`: text on a terminal, JSON elsewhere. `table`: of this process, if it has
    one: every event says so.
    """
    if table is not None:
        structlog.contextvars.bind_contextvars(table=table)
    # transitions logs every move at INFO, which costs more than the move (field failure 44).
    logging.getLogger("transitions").setLevel(logging.WARNING)
    if not any(isinstance(handler, _Foreign) for handler in logging.getLogger().handlers):
        logging.getLogger().addHandler(_Foreign())
    people = shape == "text" or (shape == "auto" and sys.stderr.isatty())
    common: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*common, structlog.dev.ConsoleRenderer() if people else _json],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr)
        if people
        else structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )


class _Foreign(logging.Handler):
    """What libraries log, as asyncio of a task that failed, becomes an event like the others."""

    def emit(self, record: logging.LogRecord) -> None:
        said: dict[str, object] = {"logger": record.name, "message": record.getMessage()}
        if record.exc_info and record.exc_info[0] is not None:
            said["exception"] = "".join(traceback.format_exception(*record.exc_info))
        structlog.get_logger().log(record.levelno, "library_said", **said)


def _json(_logger: object, _name: str, event: structlog.types.EventDict) -> bytes:
    return msgspec.json.encode(event, enc_hook=str)
