"""Shortens the prose of a text of any format, and keeps the rest.

Fenced code and what is marked as compressed are set apart first and never change. (Where all fences are indented, the text
may be a document that holds them, a diff of Markdown or YAML with a block of it: who knows such a format is asked for
all of it before; so is, for any fences, who reads a document to its end: a table or XML with Markdown in it.) Each stretch between them is shown to
the adapters, and the first that detects its format takes it apart; a stretch of no format is prose as a whole. There is
no rule before that by which a text that "looks structured" is kept as it is: that is what adapters are for. All prose of
all stretches is then shortened in one call, so that it shares one budget and one batch. What does not become smaller, in
characters and in tokens, goes back to what it was.

Every decision is in the trace, in the order of the text:

    fence                  fenced code, kept
    marked                 compressed already, kept
    adapter:NAME           the adapter's format, its prose shortened
    adapter_refused:NAME   it only looked like the format; the next adapter was asked
    adapter_reverted:NAME  the result was no smaller, or no longer of its format: kept
    code                   no format, and it reads like source code: kept
    prose                  no format, shortened around its indented code and its tags of HTML
    prose_reverted         no format, and the result was no smaller: kept
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from heapq import merge
from typing import TYPE_CHECKING

from compaction.prompt.adapters import known_adapters
from compaction.prompt.adapters.base import (
    FormatAdapter,
    InterruptedAdapter,
    NotThisFormatError,
    PlacingAdapter,
    VerifyingAdapter,
    WholeAdapter,
    spliced,
)
from compaction.prompt.blocks import find_blocks, prose_around
from compaction.prompt.fences import Span, find_fences, outside
from compaction.prompt.markers import marked_spans
from compaction.prompt.model import BYTE_ORDER_MARK
from compaction.prose.choosing import choose
from compaction.prose.kinds import is_code
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.prompt.model import CompressTexts


@dataclass(slots=True, kw_only=True)
class _Stretch:
    """A piece of the text that may change, on its way.

    Attributes:
        lead, core, tail: the piece, and the white space around it, which stays.
        places: where the prose stands in the core, where no adapter knows; none for all of it.
        pieces: the prose in it.
    """

    lead: str
    core: str
    tail: str
    adapter: FormatAdapter | None = None
    places: tuple[Span, ...] = ()
    pieces: list[str] = field(default_factory=list[str])
    trace: list[str] = field(default_factory=list[str])


def adapt(
    text: str,
    compress_texts: CompressTexts,
    adapters: Sequence[FormatAdapter] | None = None,
    *,
    keep_fences: bool = True,
) -> tuple[str, tuple[str, ...]]:
    """Shorten the prose in a text.

    Args:
        text: any text.
        compress_texts: shortens prose; called at most once, with every piece of it.
        adapters: asked in this order; None for those built in and installed.
        keep_fences: whether fenced code is set apart; otherwise it is text like any other.

    Returns:
        The text, and what was decided about each stretch of it. The text is never longer than it was.

    Raises:
        ValueError: `compress_texts` gave back another number of texts than it was given.
    """
    if text.startswith(BYTE_ORDER_MARK):
        made, trace = adapt(text.removeprefix(BYTE_ORDER_MARK), compress_texts, adapters, keep_fences=keep_fences)
        return f"{BYTE_ORDER_MARK}{made}", trace
    asked = known_adapters(keep_fences=keep_fences) if adapters is None else tuple(adapters)
    marked = marked_spans(text)
    fences = _free_of(find_fences(text).all, marked) if keep_fences else ()
    kept = tuple(merge(marked, fences))
    if fences and not marked:
        are_indented = all(text[span.start].isspace() for span in fences)
        document = _whole(text, asked if are_indented else _verifying(asked), compress_texts)
        if document is not None:
            return document
    between = "\n".join(text[slice(*span)] for span, is_kept in outside(text, kept) if not is_kept)
    crossing = _crossing(between, asked) if fences else None
    planned: list[tuple[str, _Stretch | None]] = []
    for span, is_kept in outside(text, kept):
        piece = text[slice(*span)]
        if is_kept:
            planned.append((piece, None))
        else:
            planned.append((piece, _plan(piece, asked, crossing, keep_fences) if piece.strip() else None))
    stretches = [stretch for _, stretch in planned if stretch is not None]
    pieces = [piece for stretch in stretches for piece in stretch.pieces]
    summaries = list(compress_texts(pieces)) if pieces else []
    if len(summaries) != len(pieces):
        raise ValueError(f"{len(pieces)} texts were to be compressed, {len(summaries)} came back")
    shown: list[str] = []
    told: list[str] = []
    starts = {span.start for span in marked}
    position = 0
    taken = iter(summaries)
    for piece, stretch in planned:
        if stretch is not None:
            own = [next(taken) for _ in stretch.pieces]
            shown.append(_rebuilt(stretch, own))
            told += stretch.trace
        else:
            shown.append(piece)
            if piece.strip():
                told.append("marked" if position in starts else "fence")
        position += len(piece)
    return "".join(shown), tuple(told)


def _whole(
    text: str, adapters: Sequence[FormatAdapter], compress_texts: CompressTexts
) -> tuple[str, tuple[str, ...]] | None:
    """A document of which fences are a part, such as a diff of Markdown; None where the text is none."""
    for adapter in adapters:
        if isinstance(adapter, WholeAdapter) and adapter.is_whole and adapter.detect(text.strip()):
            stretch = _plan(text, [adapter], None, keep_code=True)
            if stretch.adapter is not None:
                summaries = list(compress_texts(stretch.pieces)) if stretch.pieces else []
                made = _rebuilt(stretch, summaries)
                return made, tuple(stretch.trace)
    return None


def _verifying(adapters: Sequence[FormatAdapter]) -> list[FormatAdapter]:
    return [adapter for adapter in adapters if isinstance(adapter, VerifyingAdapter) and adapter.verifies]


def _free_of(fences: Sequence[Span], marked: Sequence[Span]) -> tuple[Span, ...]:
    """Returns the fences without marked text, which stays as a whole."""
    free: list[Span] = []
    waiting = deque(marked)
    for fence in fences:
        position = fence.start
        while waiting and waiting[0].start < fence.end:
            if position < waiting[0].start:
                free.append(Span(position, waiting[0].start))
            position = max(position, waiting[0].end)
            if position >= fence.end:
                break
            waiting.popleft()
        if position < fence.end:
            free.append(Span(position, fence.end))
    return tuple(free)


def _crossing(between: str, adapters: Sequence[FormatAdapter]) -> FormatAdapter | None:
    """The adapter for all that stands around the fences, where its format is not interrupted by them."""
    for adapter in adapters:
        if isinstance(adapter, InterruptedAdapter) and adapter.crosses_fences and adapter.detect(between):
            return adapter
    return None


def _plan(piece: str, adapters: Sequence[FormatAdapter], crossing: FormatAdapter | None, keep_code: bool) -> _Stretch:
    words = piece.strip()
    start, end = piece.index(words), len(piece.rstrip())
    line = (
        piece.rfind("\n", 0, start) + 1 or start
    )  # the indentation of the first line belongs to its words, which may go
    stretch = _Stretch(lead=piece[:line], core=piece[line:end], tail=piece[end:])
    for adapter in adapters:
        if adapter is crossing or adapter.detect(words):
            core = stretch.core if isinstance(adapter, InterruptedAdapter) else words
            try:
                stretch.pieces = adapter.extract_compressible(core)
            except NotThisFormatError:
                stretch.trace.append(f"adapter_refused:{adapter.name}")
            else:
                stretch.adapter = adapter
                stretch.lead, stretch.core = piece[: end - len(core)], core
                return stretch
    start, core = line, stretch.core
    if not keep_code:
        stretch.pieces = [core]
    elif not is_code(core):
        stretch.places = _around_blocks(piece, start, core)
        stretch.pieces = [core[slice(*span)] for span in stretch.places]
    return stretch


def _around_blocks(piece: str, start: int, core: str) -> tuple[Span, ...]:
    """The places of prose in the core of a piece, which begins at `start`; its first line may be indented code as well."""
    blocks = [Span(max(0, block.start - start), block.end - start) for block in find_blocks(piece)]
    return tuple(prose_around(core, blocks))


def _rebuilt(stretch: _Stretch, summaries: Sequence[str]) -> str:
    adapter, core = stretch.adapter, stretch.core
    if adapter is None and not summaries:
        stretch.trace.append("code")
        return f"{stretch.lead}{core}{stretch.tail}"
    if adapter is None:
        places = stretch.places or (Span(0, len(core)),)
        made = (
            spliced(core, zip(places, (summary.strip("\r\n").rstrip() for summary in summaries), strict=True))
            .strip("\r\n")
            .rstrip()
        )
        is_taken = _is_smaller(made, core)
        stretch.trace.append("prose" if is_taken else "prose_reverted")
    else:
        made = _reconstructed(adapter, core, _filled(adapter, stretch.pieces, summaries))
        is_taken = made is not None and _is_smaller(made, core)
        stretch.trace.append(f"adapter:{adapter.name}" if is_taken else f"adapter_reverted:{adapter.name}")
    return f"{stretch.lead}{made if is_taken else core}{stretch.tail}"


def _filled(adapter: FormatAdapter, pieces: Sequence[str], summaries: Sequence[str]) -> list[str]:
    """The summaries; where a format needs some text in every place, the best unit of a piece that has none left."""
    if isinstance(adapter, InterruptedAdapter) or not isinstance(adapter, PlacingAdapter):
        return list(summaries)
    count = token_counter().count
    return [
        made if made.strip() else choose(piece, 1, count=count) for piece, made in zip(pieces, summaries, strict=True)
    ]


def _reconstructed(adapter: FormatAdapter, core: str, summaries: Sequence[str]) -> str | None:
    try:
        if isinstance(adapter, PlacingAdapter):
            return adapter.place(core, summaries)
        summary = "\n".join(summary.strip() for summary in summaries if summary.strip())
        return adapter.reconstruct(adapter.extract_preserved(core), summary)
    except NotThisFormatError:
        return None


def _is_smaller(made: str, core: str) -> bool:
    counter = token_counter()
    return len(made) < len(core) and counter.count(made) < counter.count(core)
