"""One HTML file from a profile: style, script and record inside it, and a policy that lets it fetch nothing.

The script is bundled from `page/` by `scripts/page`. What comes from a repository stands in the record alone, where no
character of it can end the element that holds it, and the script writes it as text, never as markup. The policy of the
page allows the one script and the one style, by their digests, and nothing else: no request, no frame, no form.
"""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import TYPE_CHECKING

from server.report.record import as_json, packed, record

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


def live_page() -> bytes:
    """Returns the page without a record, which asks the server that it came from, and nobody else."""
    return page_of(None, asks="'self'")


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


def page_of(value: object, *, name: str = "page", asks: str = "") -> bytes:
    """Returns a page that holds a record.

    Args:
        value: the record.
        name: of the page and of its script, among the assets.
        asks: whom it may ask for more, as a policy says it; "" for nobody.
    """
    style, script = _asset("page.css"), _asset(f"{name}.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {_digest(script)}",
            f"style-src {_digest(style)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
            *([f"connect-src {asks}"] if asks else []),
        ]
    )
    parts = {"@POLICY@": policy, "@STYLE@": style, "@SCRIPT@": script, "@RECORD@": _inert(as_json(value))}
    page = _asset(f"{name}.html")
    for mark, part in parts.items():  # the record comes last: nothing is looked for in it
        before, _, after = page.partition(mark)
        page = before + part + after
    return page.encode("utf-8")


def _inert(text: str) -> str:
    """JSON that no parser of HTML sees anything in."""
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _asset(name: str) -> str:
    return resources.files("server.report").joinpath("assets", name).read_text(encoding="utf-8")
