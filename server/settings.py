"""What a server is started with: the roots, the default budget and the encoding.

Flags win over the environment, and the environment wins over the working directory. Everything is checked once, when
the process starts, so that a wrong flag ends the process with a sentence instead of failing the first call.
"""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workspace.roots import Roots
from workspace.tokens import DEFAULT_ENCODING, parse_budget, token_counter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOTS_VARIABLE = "FRACTAL_CONTEXT_ROOTS"
DEFAULT_BUDGET = 20_000

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a server is started with.

    Attributes:
        roots: the folders that calls may read; every path of a caller goes through them.
        default_budget: tokens for a call that names no budget; None lifts the ceiling.
        encoding: the vocabulary that tokens are counted in.
    """

    roots: Roots
    default_budget: int | None = DEFAULT_BUDGET
    encoding: str = DEFAULT_ENCODING


def read_settings(
    *,
    roots: Sequence[str] = (),
    default_budget: int | str = DEFAULT_BUDGET,
    encoding: str = DEFAULT_ENCODING,
    environ: Mapping[str, str] = os.environ,
) -> Settings:
    """Returns the settings for the flags and the environment given.

    Args:
        roots: the folders named by `--root`; empty: those of `FRACTAL_CONTEXT_ROOTS` (separated as in `PATH`), and
            without them the working directory (spec/tools.md, "Roots and safety").
        default_budget: tokens, in any form that a call's `token_budget` takes.
        encoding: the name of a vocabulary.
        environ: the environment variables.

    Raises:
        InvalidArgumentError: a root is no folder, or the budget or the encoding is not of a known form.
    """
    named = list(roots) or [entry for entry in environ.get(ROOTS_VARIABLE, "").split(os.pathsep) if entry]
    allowed = Roots(named or [Path.cwd()])
    for path in allowed.paths:
        if path == path.parent:
            logger.warning("The root is %s: every file of this machine may be read. Name folders with --root.", path)
    if encoding != DEFAULT_ENCODING:
        token_counter(encoding)  # the default is known to exist, and loading it can wait for the first call
    return Settings(roots=allowed, default_budget=parse_budget(default_budget), encoding=encoding)
