"""Loads numpy without threads for linear algebra, which nothing here does: starting them takes as long as the import."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Final

_SETTING: Final = "OPENBLAS_NUM_THREADS"


def load_arrays() -> None:
    """Has numpy at hand; called before what imports it. A number of threads that the environment names is kept to."""
    if "numpy" in sys.modules or _SETTING in os.environ:
        return
    os.environ[_SETTING] = "1"
    try:
        import_module("numpy")
    finally:
        del os.environ[_SETTING]  # it is not meant for other libraries, nor for other programs
