r"""Reads the call that a script of Codex makes: where its tools are functions of JavaScript, every call is one of `exec`.

A script looks so:

    const r = await tools.exec_command({"cmd":"cargo test","workdir":"/w"}); text(r.output);
    const patch = "*** Begin Patch\n…"; text(await tools.apply_patch(patch));
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from compaction.history.formats.base import as_object

if TYPE_CHECKING:
    from compaction.values import JsonObject

SCRIPT = "exec_script"
"""The name of the call of a script that makes several calls, or of which it is not known what it calls with."""

_PIECE = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*(?:"|\Z)|'(?:[^'\\]|\\.)*(?:'|\Z)|`(?:[^`\\]|\\.)*(?:`|\Z))|"""
    r"\btools\.(?P<tool>\w{1,80})\(|(?P<opens>[\[{(])|(?P<closes>[\]})])|(?P<word>\w+)",
    re.DOTALL,
)
_PATCH, _BEGIN = "apply_patch", '"*** Begin Patch'


def call_of(code: str) -> tuple[str, JsonObject]:
    """Return the name and the arguments of the one call that a script makes; otherwise those of the script itself."""
    pieces = list(_PIECE.finditer(code))
    calls = [place for place, piece in enumerate(pieces) if piece["tool"]]
    patches = [piece[0] for piece in pieces if piece[0].startswith(_BEGIN)]
    names = {pieces[place]["tool"] for place in calls}
    if names == {_PATCH} and patches:
        return _PATCH, {"input": "\n".join(map(_text, patches))}
    given = _given(code, pieces[calls[0] :]) if len(calls) == 1 else {}
    return (pieces[calls[0]]["tool"], given) if given else (SCRIPT, {"source": code})


def _given(code: str, pieces: list[re.Match[str]]) -> JsonObject:
    """The object that a call is made with, {} where it is none or not written out."""
    shown: list[str] = []
    depth, at = 0, pieces[0].end()
    for piece in pieces[1:]:
        depth += bool(piece["opens"]) - bool(piece["closes"])
        is_key = piece["word"] and code[piece.end() : piece.end() + 8].lstrip().startswith(":")
        shown += [code[at : piece.start()], f'"{piece[0]}"' if is_key else piece[0]]
        at = piece.end()
        if depth <= 0:
            break
    try:
        return as_object(json.loads("".join(shown)))
    except (ValueError, RecursionError):
        return {}


def _text(literal: str) -> str:
    try:
        return str(json.loads(literal, strict=False))
    except ValueError:
        return literal
