"""The seam for secrets: whatever the summary quotes or a restored file holds passes through one function.

The patterns below are tokens with a shape of their own and assignments to names that say what they hold. They are a
floor, not a detector: a stronger one is handed to the engine as a `Redactor`. What the user wrote is exempt: rule 2
keeps it byte for byte, and a warning names the message instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

Redactor: TypeAlias = Callable[[str], tuple[str, int]]
"""Takes a text; gives it back without its secrets, and how many there were."""

REDACTED = "[redacted secret]"

_SHAPES = (
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)",
    r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}\b",
    r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b",
    r"\bgithub_pat_[A-Za-z0-9_]{22,255}\b",
    r"\bglpat-[A-Za-z0-9_-]{20,}\b",
    r"\bsk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{20,}\b",
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"\bAIza[A-Za-z0-9_-]{35}\b",
    r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}\b",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}\b",
    r"\b(?:npm|pypi|hf|dop_v1)[_-][A-Za-z0-9_-]{30,}\b",
    r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}",
)
_WHOLE = re.compile("|".join(_SHAPES))
_IN_URL = re.compile(r"(?P<before>\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,100}:)(?P<secret>[^\s:/@]{3,200})(?=@)")
_BEARER = re.compile(r"(?P<before>\b(?:bearer|basic)\s+)(?P<secret>[A-Za-z0-9._~+/-]{16,}={0,2})", re.IGNORECASE)
_ASSIGNED = re.compile(
    r"(?P<before>[\"']?\b[\w.-]{0,40}(?:passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|"
    r"access[_-]?token|refresh[_-]?token|private[_-]?key|client[_-]?secret)\b[\"']?\s{0,3}(?:=|:|=>)\s{0,3}[\"']?)"
    r"(?P<secret>(?!\[redacted)(?=[^\s\"',;]*[0-9!@#$%^&*+/-])[A-Za-z0-9!@#$%^&*+/_.=~-]{8,200})",
    re.IGNORECASE,
)
_CODE_LIKE = re.compile(r"^(?:[A-Za-z_]\w*(?:\.[A-Za-z_]|[(\[])|\$|process|os\.|env|\*+$|<|\.\.\.)")


def redact_known_shapes(text: str) -> tuple[str, int]:
    """Replace tokens of known shape and values assigned to names such as `password`."""
    found = 0

    def keep_before(match: re.Match[str]) -> str:
        nonlocal found
        if match.re is _ASSIGNED and _CODE_LIKE.match(match["secret"]):
            return match[0]
        found += 1
        return f"{match['before']}{REDACTED}"

    text, whole = _WHOLE.subn(REDACTED, text)
    for pattern in (_IN_URL, _BEARER, _ASSIGNED):
        text = pattern.sub(keep_before, text)
    return text, found + whole


def keep_everything(text: str) -> tuple[str, int]:
    """The redactor of `redact=false`."""
    return text, 0
