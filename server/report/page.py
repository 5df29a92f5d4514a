"""One HTML file from a profile, with the texts that fit into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.report.record import packed, record
from server.report.shell import page_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.profile import Profile

LARGEST = 1_000_000
"""Bytes of a page. Texts of files are left out that would make it larger; what costs and levels take is not."""

MOST_TEXT = 5_000_000
"""Bytes of source of which a page may hold what fits."""

FRAME = 64
"""Bytes that the name of a text and its quotes take, at the most."""


def report_page(profile: Profile, *, title: str, version: str, question: Sequence[tuple[str, str]] = ()) -> bytes:
    """Returns the page.

    Args:
        profile: of a folder, with the texts of its files.
        title: the folder's name.
        version: of this program.
        question: what was asked, each with its name, in order.
    """
    told = record(profile, title=title, version=version, question=question)
    empty = page_of(told)
    texts = packed_texts(profile, LARGEST - len(empty))
    return page_of({**told, "texts": texts}) if texts else empty


def packed_texts(profile: Profile, room: int) -> dict[int, str]:
    """Packs the texts of a profile, by the places of their files: as many as fit, those that are shown first.

    Args:
        profile: of a folder, with texts.
        room: bytes that they may take in JSON.
    """
    texts: dict[int, str] = {}
    first = profile.purchases[profile.asked].shown
    for number in sorted(range(len(profile.files)), key=lambda number: number not in first):
        text = profile.files[number].text
        written = packed(text) if text is not None else ""
        if written and len(written) + FRAME <= room:
            room -= len(written) + FRAME
            texts[number] = written
    return texts
