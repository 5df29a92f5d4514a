"""Reads how a project describes itself: the name and description in its manifest, and the beginning of its README."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

MANIFESTS = ("pyproject.toml", "Cargo.toml", "package.json", "composer.json", "setup.cfg", "pom.xml", "go.mod")
"""Names of files that say what a project is, in the order in which they are asked."""

MOST_README = 700
"""Characters of a README that are shown."""

LEAST_LINE = 25
"""Characters of a line that stands by itself, after the first; shorter ones are headings and remains of badges."""

LEAST_ITEM = 6
"""Characters of an item of a list."""

_README = re.compile(r"readme(\.(md|rst|txt|markdown|adoc|org|rdoc))?$", re.IGNORECASE)
_MARKUP = re.compile(
    r"<!--.*?-->|</?[A-Za-z][^<>]{0,600}>|<[^<>\s]{1,300}>|!\[[^\]]*\]\([^)]*\)|!\[[^\]]*\]\[[^\]]*\]|\[!\[.*?\]\(.*?\)\]\(.*?\)",
    re.DOTALL,
)
_CONTENTS = re.compile(r"^\s*(?:[-*+]|\d+\.)\s*\[[^\]]*\]\(#[^)]*\)\s*$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]\[]+)\](?:\([^)\s]*(?:\s+\"[^\"]*\")?\)|\[[^\]]*\])")
_EMPTY_LINK = re.compile(r"\[\s*\](?:\([^)]*\)|\[[^\]]*\])")
_ROW = re.compile(r"\|.*\|")
_ITEM = re.compile(r"[-*+] \S|\d+[.)] \S")
_RULE = re.compile(r"^[\s=\-~^*_#|:.\"'`+]*$")
_DIRECTIVE = re.compile(r"^(\s*\.\. |\[[^\]]+\]:|\s+:\w+:)")
_XML = re.compile(r"<(name|description)>\s*([^<]+?)\s*</", re.DOTALL)
_INI = re.compile(r"^(name|description)\s*=\s*(.+)$", re.MULTILINE)
_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)


def is_readme(path: str) -> bool:
    """Tells whether a path is that of the README of the whole folder."""
    return "/" not in path and _README.fullmatch(path) is not None


def readme_lines(text: str) -> tuple[str, ...]:
    """The first lines of a README that say something: no badges, images, links' addresses and rules.

    Args:
        text: the file.
    """
    text = _MARKUP.sub("", _CONTENTS.sub("", text))
    for _ in range(2):  # a link may stand around another
        text = _LINK.sub(r"\1", _EMPTY_LINK.sub("", text))
    lines: list[str] = []
    size = 0
    fenced = goes_on = False
    for line in text.splitlines():
        bare = " ".join(line.split())
        fenced ^= bare.startswith(("```", "~~~"))
        if bare.startswith(("```", "~~~")) or _is_no_prose(bare, line, fenced=fenced):
            goes_on = False
            continue
        least = 4 if not lines else LEAST_ITEM if _ITEM.match(bare) else LEAST_LINE
        if not fenced and not goes_on and len(bare) < least:
            continue
        goes_on = not fenced and not bare.startswith("#")
        bare = line.rstrip() if fenced else bare
        size += len(bare)
        if size > MOST_README and lines:
            break
        lines.append(bare)
    while len(lines) > 1 and lines[-1].endswith(":"):  # what it announces does not follow
        lines.pop()
    return tuple(lines)


def _is_no_prose(bare: str, line: str, *, fenced: bool) -> bool:
    """Tells whether a line draws something: a rule, a row of a table outside code, a directive."""
    return bool(_RULE.match(bare) or _DIRECTIVE.match(line) or (not fenced and _ROW.fullmatch(bare)))


def description(path: str, text: str) -> str:
    """The name and the description that a manifest gives; "" where it gives none.

    Args:
        path: the manifest.
        text: its content.
    """
    name = path.rpartition("/")[2]
    try:
        found = _described(name, text)
        told = [" ".join(str(found[key]).split()) for key in ("name", "version", "description") if found.get(key)]
    except (ValueError, TypeError, AttributeError):
        return ""
    return f"{path}: {' · '.join(told)}" if told else ""


def _described(name: str, text: str) -> Mapping[str, Any]:
    if name.endswith(".json"):
        return cast("Mapping[str, Any]", json.loads(text))
    if name.endswith(".toml"):
        table = cast("Mapping[str, Any]", tomllib.loads(text))
        poetry = table.get("tool", {}).get("poetry", {})
        found = table.get("project") or table.get("package") or poetry
        return {key: found[key] for key in ("name", "version", "description") if isinstance(found.get(key), str)}
    if name == "go.mod":
        module = _MODULE.search(text)
        return {"name": module[1]} if module else {}
    pattern = _XML if name.endswith(".xml") else _INI
    found: dict[str, str] = {}
    for key, value in pattern.findall(text):
        found.setdefault(key, value)
    return found
