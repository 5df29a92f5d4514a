"""Applies regular expressions to long texts, in steps.

An expression is native code, which cannot be stopped, and it does a megabyte in anything from a thousandth of a second
to most of one. So a long text is handed to it in steps, with a look at the call's token between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, AnyStr, Final

from workspace.cancellation import still_wanted, stop_if_cancelled

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

STEP: Final = 1 << 17
"""Bytes or characters between two looks: slow expressions take some hundredths of a second for them."""

REACH: Final = 1 << 16
"""Bytes behind a step that an expression may look at before it is known where its match ends."""

_AHEAD: Final = 1 << 10
"""Bytes behind a match that may have a say in it."""


def matches(
    pattern: re.Pattern[AnyStr], source: AnyStr, start: int = 0, end: int | None = None
) -> Iterator[re.Match[AnyStr]]:
    """Finds what `finditer` finds, with a look at the call's token after every `STEP` bytes, and after every match.

    Args:
        pattern: does not match the empty text, and needs no more than `REACH` to match; what it repeats may be longer.
        source: the text.
        start: where the search begins; what stands before may be looked at.
        end: where the text ends as far as the expression can see; its end for None.

    Raises:
        CallCancelledError: nobody waits for the call any more.
    """
    end = len(source) if end is None else end
    while end - start > STEP + REACH:
        stop_if_cancelled()
        behind = start + STEP
        match = pattern.search(source, start, behind + REACH)
        if match is not None and match.start() < behind and match.end() > behind + REACH - _AHEAD:
            start = match.start()  # it may go on behind what was looked at, or end otherwise for what stands there
            match = pattern.match(source, start, end)
            if match is None:
                start += 1
                continue
        if match is None or match.start() >= behind:
            start = behind
            continue
        yield match
        start = match.end() if match.end() > match.start() else match.end() + 1
    stop_if_cancelled()
    yield from still_wanted(pattern.finditer(source, start, end))
