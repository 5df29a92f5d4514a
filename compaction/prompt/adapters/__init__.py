"""The formats that prose stands in, and their adapters: see `base.FormatAdapter`.

Adapters of other packages register in the entry-point group `fractal_context.format_adapters`, each entry naming an
adapter, or a class or function that makes one. They are asked before those built in, in the order of their names. One
that cannot be loaded is left out, with a warning in the log.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING

from compaction.prompt.adapters.asciidoc import AsciiDocAdapter
from compaction.prompt.adapters.base import FormatAdapter, NotThisFormatError, PlacingAdapter
from compaction.prompt.adapters.code import CodeAdapter
from compaction.prompt.adapters.csv import CsvAdapter
from compaction.prompt.adapters.diff import DiffAdapter
from compaction.prompt.adapters.json import JsonAdapter
from compaction.prompt.adapters.markdown import MarkdownAdapter
from compaction.prompt.adapters.structured_output import StructuredOutputAdapter
from compaction.prompt.adapters.xml import XmlAdapter
from compaction.prompt.adapters.yaml import YamlAdapter
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable

ENTRY_POINTS = "fractal_context.format_adapters"

_BUILT_IN: tuple[FormatAdapter, ...] = (
    JsonAdapter(),
    XmlAdapter(),
    DiffAdapter(),
    CsvAdapter(),
    StructuredOutputAdapter(),
    YamlAdapter(),
    AsciiDocAdapter(),
    MarkdownAdapter(),
    CodeAdapter(),
)
_WITHOUT_FENCES: tuple[FormatAdapter, ...] = (*_BUILT_IN[:-3], MarkdownAdapter(keep_fences=False))

logger = logging.getLogger(__name__)


def known_adapters(*, keep_fences: bool = True) -> tuple[FormatAdapter, ...]:
    """Return every adapter, in the order in which they are asked.

    Args:
        keep_fences: whether fenced code stays; otherwise those that would keep it are left out.
    """
    return (*installed_adapters(), *(_BUILT_IN if keep_fences else _WITHOUT_FENCES))


def named_adapters(names: Iterable[str], *, keep_fences: bool = True) -> tuple[FormatAdapter, ...]:
    """Return the adapters of these names, in this order.

    Raises:
        InvalidArgumentError: there is no adapter of a name; the message says which there are.
    """
    known = {adapter.name: adapter for adapter in reversed(known_adapters(keep_fences=keep_fences))}
    wanted = tuple(names)
    for name in wanted:
        if name not in known and name != CodeAdapter.name:
            raise InvalidArgumentError(
                f"There is no adapter {name!r}; there are {', '.join(sorted(known))}. Leave `adapters` out for all."
            )
    return tuple(known[name] for name in wanted if name in known)


@cache
def installed_adapters() -> tuple[FormatAdapter, ...]:
    """Return the adapters of other packages, loaded once in a process."""
    from importlib.metadata import entry_points  # as slow to load as everything here together

    found: list[FormatAdapter] = []
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name):
        try:
            loaded: object = entry.load()
        except (ImportError, AttributeError) as error:
            logger.warning("The format adapter %s cannot be loaded: %s", entry.name, error)
            continue
        made: object = loaded() if callable(loaded) else loaded
        if isinstance(made, FormatAdapter):
            found.append(made)
        else:
            logger.warning("The entry point %s is no format adapter; it is a %s", entry.name, type(made).__name__)
    return tuple(found)


__all__ = [
    "AsciiDocAdapter",
    "CodeAdapter",
    "CsvAdapter",
    "DiffAdapter",
    "FormatAdapter",
    "JsonAdapter",
    "MarkdownAdapter",
    "NotThisFormatError",
    "PlacingAdapter",
    "StructuredOutputAdapter",
    "XmlAdapter",
    "YamlAdapter",
    "installed_adapters",
    "known_adapters",
    "named_adapters",
]
