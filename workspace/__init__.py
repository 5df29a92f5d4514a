"""The ground floor: the files that there are, their contents, and their size in tokens.

Everything that touches a user's disk is here, and nothing here knows a language or a protocol. Paths of callers go
through `Roots`; `scan` lists the files of a folder; `read_file` gives one as text; `tier_of` says how important it is by
its name; `token_counter` counts. Importing this package loads nothing heavy.
"""

from __future__ import annotations

from workspace.errors import (
    BudgetTooSmallError,
    FractalContextError,
    InvalidArgumentError,
    OutsideRootsError,
    PathNotFoundError,
    SymbolNotFoundError,
    UnreadableFileError,
)
from workspace.files.reading import MAX_FILE_BYTES, SourceFile, read_file
from workspace.files.scan import Scan, ScannedFile, Stamp, scan
from workspace.model import Problem, ProblemKind
from workspace.names.sensitive import is_sensitive
from workspace.names.tiers import Tier, tier_of
from workspace.roots import Roots
from workspace.secrets.redaction import redact, redacted, redacted_file, redactions
from workspace.tokens import DEFAULT_ENCODING, TokenCounter, parse_budget, token_counter

__all__ = [
    "DEFAULT_ENCODING",
    "MAX_FILE_BYTES",
    "BudgetTooSmallError",
    "FractalContextError",
    "InvalidArgumentError",
    "OutsideRootsError",
    "PathNotFoundError",
    "Problem",
    "ProblemKind",
    "Roots",
    "Scan",
    "ScannedFile",
    "SourceFile",
    "Stamp",
    "SymbolNotFoundError",
    "Tier",
    "TokenCounter",
    "UnreadableFileError",
    "is_sensitive",
    "parse_budget",
    "read_file",
    "redact",
    "redacted",
    "redacted_file",
    "redactions",
    "scan",
    "tier_of",
    "token_counter",
]
