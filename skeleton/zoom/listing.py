"""Neighbours of a definition, and the lines that tell of them: the place, what stands there, and how it is known whose the name is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.zoom.matches import lines_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition
    from skeleton.uses.candidates import Verdict

_MOST_CHARACTERS: Final = 240
_MOST_LINES: Final = 5
"""Further uses in one caller of which the lines are told."""


class Use(NamedTuple):
    """One definition, or the statements of a file outside all, that use another."""

    file: IndexedFile
    user: Definition | None
    places: tuple[int, ...]
    """The places in the file, in bytes."""
    verdict: Verdict
    among: int
    """The number of definitions that may be the one used."""


class Used(NamedTuple):
    """A definition that another uses."""

    file: IndexedFile
    one: Definition
    verdict: Verdict
    among: int


def lines_of_uses(uses: Sequence[Use]) -> list[str]:
    """A line for each user, with its first use and the numbers of the lines of others."""
    numbers = iter(lines_at([(use.file, at) for use in uses for at in use.places]))
    lines: list[str] = []
    told: set[tuple[str, int]] = set()  # a line may use the name twice, of which it is sure once
    for use in uses:
        found = dict.fromkeys(next(numbers) for _ in use.places)
        places = [number for number in found if (use.file.path, number) not in told]
        told.update((use.file.path, number) for number in places)
        if not places:
            continue
        first, *more = places
        inside = f" in {use.user.path}" if use.user is not None else ""
        others = f" (also {', '.join(map(str, more[:_MOST_LINES]))}{', …' if len(more) > _MOST_LINES else ''})"
        text = _cut(_line_around(use.file.source, use.places[0]))
        lines.append(
            f"{use.file.address}:{first}{inside}: {text}{others if more else ''} {_how(use.verdict, use.among)}"
        )
    return lines


def lines_of_used(found: Sequence[Used]) -> list[str]:
    """A line with the signature of each definition that is used."""
    numbers = lines_at([(used.file, used.one.signature) for used in found])
    return [
        f"{used.file.address}:{number} {used.one.path}: "
        f"{_cut(used.file.source[used.one.signature : used.one.body])} {_how(used.verdict, used.among)}"
        for used, number in zip(found, numbers, strict=True)
    ]


def _how(verdict: Verdict, among: int) -> str:
    return f"[{verdict.why}, 1 of {among}]" if among > 1 else f"[{verdict.why}]"


def _line_around(source: bytes, at: int) -> bytes:
    start = source.rfind(b"\n", 0, at) + 1
    end = source.find(b"\n", at)
    return source[max(start, at - _MOST_CHARACTERS // 2) : end if end >= 0 else len(source)]


def _cut(text: bytes) -> str:
    shown = " ".join(text.decode("utf-8", "replace").split())
    return f"{shown[:_MOST_CHARACTERS]}…" if len(shown) > _MOST_CHARACTERS else shown
