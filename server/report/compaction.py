"""The page of a compaction: the conversation before and after, and the fate of each message."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from compaction.history import Became
from server.report.page import FRAME, LARGEST
from server.report.shell import deflated, page_of
from server.versions import distribution_version
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from compaction.history import Account, CompactionResult
    from compaction.history.account import Before, Made, Part

MOST_LINES = 300_000
"""Characters of the first lines of all messages together."""

LONGEST_LINE = 120
"""Characters of one of them."""

LONGEST_TEXT = 20_000
"""Characters of a block that a page holds."""

_FIRST = (Became.QUOTED, Became.EXCERPT, Became.LEFT_OUT, Became.STAYS)
"""The fates of the messages whose texts a page holds before all others."""


def write_page(target: Path, result: CompactionResult, account: Account, title: str, encoding: str) -> None:
    """Writes the page of a compaction that was made; the arguments are those of `compaction_page`."""
    count = token_counter(encoding).count
    page = compaction_page(result, account, title=title, version=distribution_version(), encoding=encoding, count=count)
    target.write_bytes(page)


def compaction_page(
    result: CompactionResult,
    account: Account,
    *,
    title: str,
    version: str,
    encoding: str,
    count: Callable[[str], int],
) -> bytes:
    """Returns the page.

    Args:
        result: of a compaction that was made.
        account: what became of each message.
        title: the name of the conversation.
        version: of this program.
        encoding: the vocabulary that tokens are counted in.
        count: counts them.
    """
    told = _record(result, account, count) | {"title": title, "version": version, "encoding": encoding}
    room = LARGEST - len(page_of({**told, "texts": {}}, name="compaction"))
    texts: dict[str, str] = {}
    for key, parts in _in_order(account):
        written = deflated([_part(part) for part in parts])
        if len(written) + FRAME <= room:
            room -= len(written) + FRAME
            texts[key] = written
    return page_of({**told, "texts": texts}, name="compaction")


def _record(result: CompactionResult, account: Account, count: Callable[[str], int]) -> dict[str, object]:
    messages = len(account.before) + len(account.after)
    longest = min(LONGEST_LINE, MOST_LINES // max(1, messages))
    return {
        "source": result.summary_source.value if result.summary_source else "",
        "archive": result.archive_id or "",
        "tokens": [result.tokens_before, result.tokens_after],
        "warnings": list(result.warnings),
        "before": [
            [_who(one), one.tokens, one.became.value, list(one.words), one.exchange, _line(one, longest)]
            for one in account.before
        ],
        "after": [[one.side.value, one.tokens, one.what.value, _line(one, longest)] for one in account.after],
        "words": [
            [one.number, one.message, one.became.value, " ".join(one.text[: 4 * longest].split())[:longest]]
            for one in account.words
        ],
        "files": [
            [
                one.path,
                one.status.value,
                one.level.value if one.tokens else "",
                one.tokens,
                one.reason or ("in full: " + ", ".join(one.opened) if one.opened else ""),
            ]
            for one in result.files
        ],
        "images": [
            [one.label, f"{one.image.media_type or 'image'}, {one.image.byte_size:,} bytes", one.left_out]
            for one in result.images
        ],
        "sections": [[section.heading.removeprefix("## "), count(text)] for section, text in result.sections.items()],
    }


def _who(message: Before) -> str:
    """Returns the side of a message, as a reader sees it: answers of tools stand on the user's side, by no user."""
    is_answer = not message.words and any(part.kind == "result" for part in message.parts)
    return "answer" if is_answer else message.side.value


def _line(message: Before | Made, longest: int) -> str:
    """Returns the beginning of a message: its words, or its call or answer."""
    said = chain((part for part in message.parts if part.kind == "text"), message.parts)
    shown = (f"{part.title} {part.text[: 4 * longest]}" for part in said)
    return next((" ".join(text.split())[:longest] for text in shown if text.strip()), "")


def _in_order(account: Account) -> Sequence[tuple[str, Sequence[Part]]]:
    """The texts of all messages by the names they have in the page, those that matter most first."""
    after = [(f"a{place}", one.parts) for place, one in enumerate(account.after)]
    newest_first = sorted(account.before, key=lambda one: (one.became not in _FIRST, -one.index))
    return [*after, *((f"b{one.index}", one.parts) for one in newest_first)]


def _part(part: Part) -> list[object]:
    text = part.text[:LONGEST_TEXT]
    kept = [(_units(text, begin), _units(text, min(end, len(text)))) for begin, end in part.kept if begin < len(text)]
    return [part.kind, part.title, text, kept, part.failed, len(part.text) - len(text)]


def _units(text: str, place: int) -> int:
    """A place in a text as the page counts it: in units of UTF-16."""
    return place if text.isascii() else len(text[:place].encode("utf-16-le", "surrogatepass")) // 2
