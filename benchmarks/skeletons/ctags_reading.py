"""Universal Ctags as the reference: one run for many files, JSON in, tags out."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from benchmarks.skeletons.languages import LanguageEntry
from benchmarks.skeletons.placement import Tag, needle
from benchmarks.skeletons.references import Role

_FUNCTION_SCOPES = frozenset(["function", "method", "func", "singletonMethod", "subroutine", "procedure", "macro"])
_EXTRA_KINDS = {"c": "+p", "cpp": "+pA", "perl": ""}
_UNNAMED = re.compile(r"__anon|^(?:anon|Anonymous)[A-Z]?\w*\d|^_*$")


class CtagsError(Exception):
    """Universal Ctags is absent, of another make, or cannot write JSON; the message says what to install."""


class Entry(TypedDict, total=False):
    """The fields of one line of ctags' JSON that are read here."""

    _type: str
    name: str
    path: str
    line: int
    kind: str
    scope: str
    scopeKind: str
    end: int
    signature: str
    roles: str


def require_ctags(command: str = "ctags") -> str:
    """The first line of `ctags --version`.

    Raises:
        CtagsError: it is not Universal Ctags with JSON output.
    """
    hint = "install Universal Ctags with JSON support (Debian: universal-ctags)"
    try:
        version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
        features = subprocess.run([command, "--list-features"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise CtagsError(f"{command} does not run ({error}): {hint}") from error
    if "Universal Ctags" not in version or not re.search(r"^json\b", features, re.MULTILINE):
        raise CtagsError(f"{command} is not Universal Ctags with JSON output: {hint}")
    return version.splitlines()[0]


def run_ctags(files: Sequence[Path], entry: LanguageEntry, command: str = "ctags") -> Iterable[str]:
    """The JSON lines of ctags for these files, all read as one language."""
    arguments = [command, "--options=NONE", "--quiet", f"--language-force={entry.ctags}", "--sort=no"]
    arguments += ["--output-format=json", "--fields=+neKSZs", "--extras=-{anonymous}{pseudo}", "-L", "-", "-f", "-"]
    if kinds := _EXTRA_KINDS.get(entry.name):
        arguments.insert(-4, f"--kinds-{entry.ctags}={kinds}")
    listed = "".join(f"{path}\n" for path in files)
    done = subprocess.run(arguments, input=listed.encode(), capture_output=True, check=False)
    if done.returncode:
        raise CtagsError(f"ctags failed on {entry.name}: {done.stderr.decode(errors='replace').strip()[-400:]}")
    return done.stdout.decode("utf-8", "replace").splitlines()


def tags_of(lines: Iterable[str], entry: LanguageEntry) -> Mapping[str, list[Tag]]:
    """Tags by path; doubles (one place reported under two kinds) and unnamed things are left out."""
    result: dict[str, list[Tag]] = {}
    seen: set[tuple[str, str, int, Role]] = set()
    for line in lines:
        record: Entry = json.loads(line)
        if record.get("_type") != "tag" or record.get("roles", "def") not in {"def", ""}:
            continue
        name, path, at, kind = (
            record.get("name", ""),
            record.get("path", ""),
            record.get("line", 0),
            record.get("kind", ""),
        )
        role = entry.kinds.get(kind)
        scope = record.get("scope", "") if entry.scopes else ""
        if role is None or _UNNAMED.search(name):
            continue
        key = path, needle(name) if kind == "accessor" else name, at, role  # one `attr_accessor` is reader and writer
        if key in seen:
            continue
        seen.add(key)
        name = entry.sigils.get(kind, "") + name
        result.setdefault(path, []).append(
            Tag(
                name=name,
                kind=kind,
                role=role,
                line=at,
                container=_names(scope),
                in_function=entry.scopes and record.get("scopeKind", "") in _FUNCTION_SCOPES,
                end=record.get("end", 0) if entry.scopes else 0,
            )
        )
    return result


def _names(scope: str) -> tuple[str, ...]:
    return tuple(part for part in re.split(r"::|\.|\\|:|/", scope) if part and not _UNNAMED.search(part))
