"""Shared by every test. Being here also makes the helpers in this folder importable from each.

Hypothesis profiles: `dev`, and `ci` (HYPOTHESIS_PROFILE=ci), which always tries the same examples.
"""

import os

from hypothesis import settings

# Busy cores make single examples slow now and then: no deadlines.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))
