"""Shared by every test. Being here also makes the helpers in this folder importable from each.

Hypothesis profiles: `dev`, and `ci` (HYPOTHESIS_PROFILE=ci), which always tries the same examples.
"""

import os
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import HealthCheck, settings

# Busy cores make single examples slow now and then: that is no fault of the code.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("dev", PATIENT)
settings.register_profile("ci", PATIENT, derandomize=True, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

#: A package of somebody else, with its own tests: they are run as its own, in test_pytest_plugin.
collect_ignore = ["example_driver"]


@pytest.fixture(autouse=True)
def _log_of_its_own() -> Iterator[None]:
    """A log that a command set up in a test would write to a stream that is closed behind it."""
    yield
    structlog.reset_defaults()
