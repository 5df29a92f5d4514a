"""The TypeScript compiler as the reference for JavaScript, TypeScript, TSX and the scripts of Vue and Svelte files.

Universal Ctags reads these badly (a class of 13,000 lines without one method, types in expressions taken for
definitions), so the language's own compiler is asked: `typescript_reading.cjs`, run by node, with the `typescript`
package from a folder that the caller names.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from benchmarks.skeletons.languages import LanguageEntry
from benchmarks.skeletons.lexing import blank, spaces
from benchmarks.skeletons.references import Reading, Reference, Role

_SCRIPT = Path(__file__).with_name("typescript_reading.cjs")
_BLOCK = re.compile(r"<script\b([^>]*)>(.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
_LANGUAGE = re.compile(r"""\blang\s*=\s*["']?(\w+)""")
KINDS = {"javascript": "js", "typescript": "ts", "tsx": "tsx"}


class CompilerError(Exception):
    """node or the `typescript` package is not there; the message says what to install."""


class _Found(TypedDict):
    name: str
    kind: str
    role: str
    line: int
    container: list[str]
    exemption: str
    signature: str
    first: int
    last: int
    body: list[int] | None


class _Answer(TypedDict):
    path: str
    errors: int
    references: list[_Found]


def script_of(text: str) -> tuple[str, str]:
    """The scripts of a component file, everything else blank, and the kind to read them as."""
    kept: list[str] = []
    position = 0
    kind = "js"
    for match in _BLOCK.finditer(text):
        kept += [spaces(text[position : match.start(2)]), match[2]]
        position = match.end(2)
        if language := _LANGUAGE.search(match[1]):
            kind = language[1] if language[1] in {"ts", "tsx"} else kind
    kept.append(spaces(text[position:]))
    return "".join(kept), kind


def ask_compiler(script: Path, requests: Sequence[str], typescript: Path) -> list[str]:
    """Returns the lines that a script answers, one for each request.

    Args:
        script: what node runs; it is told the folder of the compiler.
        requests: lines of JSON, each with its line break.
        typescript: the folder of the npm package `typescript`.

    Raises:
        CompilerError: node or the package is missing, or the script failed.
    """
    if not (typescript / "package.json").is_file():
        raise CompilerError(
            f"no TypeScript compiler in {typescript}: npm install typescript@5, then name its folder with --typescript"
        )
    try:
        done = subprocess.run(
            ["node", str(script), str(typescript.resolve())],
            input="".join(requests).encode("utf-8", "replace"),
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise CompilerError(f"node does not run: {error}") from error
    if done.returncode:
        raise CompilerError(f"{script.name} failed: {done.stderr.decode(errors='replace').strip()[-400:]}")
    return done.stdout.decode().splitlines()


def read_with_compiler(
    files: Sequence[tuple[str, str]], entry: LanguageEntry, typescript: Path, *, broken: bool = False
) -> list[Reading]:
    """Returns the compiler's reading of each (path, text), in order.

    Args:
        files: paths and texts.
        entry: the language of all of them.
        typescript: the folder of the `typescript` package.
        broken: read files with syntax errors too, as far as the compiler gets.

    Raises:
        CompilerError: node or the package is missing, or the script failed.
    """
    requests: list[str] = []
    for path, text in files:
        script, kind = script_of(text) if entry.name in {"vue", "svelte"} else (text, KINDS[entry.name])
        requests.append(json.dumps({"path": path, "text": script, "kind": kind}) + "\n")
    answers: list[_Answer] = [json.loads(line) for line in ask_compiler(_SCRIPT, requests, typescript)]
    return [
        Reading(unreadable=f"{answer['errors']} syntax errors")
        if answer["errors"] and not broken
        else Reading(references=tuple(sorted(map(_reference, answer["references"]), key=lambda one: one.line)))
        for answer in answers
    ]


def _reference(found: _Found) -> Reference:
    body = found["body"]
    return Reference(
        name=found["name"],
        kind=found["kind"],
        role=Role(found["role"]),
        line=found["line"],
        container=tuple(found["container"]),
        exemption=found["exemption"],
        signature=blank(found["signature"], "javascript", keep_strings=True).rstrip("; \n"),
        first=found["first"],
        last=found["last"],
        body=(body[0], body[1]) if body else None,
    )
