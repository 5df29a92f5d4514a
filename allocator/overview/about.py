"""Reads how a project describes itself in its manifest, and knows its README by name."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

MANIFESTS = ("pyproject.toml", "Cargo.toml", "package.json", "composer.json", "setup.cfg", "pom.xml", "go.mod")
"""Names of files that say what a project is, in the order in which they are asked."""

_README = re.compile(r"readme(\.(md|rst|txt|markdown|adoc|org|rdoc))?$", re.IGNORECASE)
_XML = re.compile(r"<(name|description)>\s*([^<]+?)\s*</", re.DOTALL)
_INI = re.compile(r"^(name|description)\s*=\s*(.+)$", re.MULTILINE)
_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)


def is_readme(path: str) -> bool:
    """Tells whether a path is that of the README of the whole folder."""
    return "/" not in path and _README.fullmatch(path) is not None


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
