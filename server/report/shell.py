"""A page as a file: style, script and record inside it, and a policy that lets it fetch nothing.

The script is bundled from `page/` by `scripts/page`. What comes from a repository stands in the record alone, where no
character of it can end the element that holds it, and the script writes it as text, never as markup. The policy of the
page allows the one script and the one style, by their digests, and nothing else: no request, no frame, no form.

No engine is loaded for what stands here: a server shows a page before its first call.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from importlib import resources


def app_page() -> bytes:
    """Returns the page without a record, which asks the MCP client that shows it."""
    return page_of(None, script="app")


def live_page() -> bytes:
    """Returns the page without a record, which asks the server that it came from, and nobody else."""
    return page_of(None, asks="'self'")


def page_of(value: object, *, name: str = "page", script: str = "", asks: str = "") -> bytes:
    """Returns a page that holds a record.

    Args:
        value: the record.
        name: of the page, among the assets.
        script: of its script; "" for the same name.
        asks: whom it may ask for more, as a policy says it; "" for nobody.
    """
    style, code = _asset("page.css"), _asset(f"{script or name}.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {_digest(code)}",
            f"style-src {_digest(style)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
            *([f"connect-src {asks}"] if asks else []),
        ]
    )
    parts = {"@POLICY@": policy, "@STYLE@": style, "@SCRIPT@": code, "@RECORD@": _inert(as_json(value))}
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


def deflated(value: object) -> str:
    """Returns a JSON value, compressed and written in Base64."""
    return base64.b64encode(zlib.compress(as_json(value).encode("utf-8"), 9)).decode("ascii")


def as_json(value: object) -> str:
    """Returns JSON in few bytes; what UTF-8 cannot hold, such as a byte of an undecodable path, is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8")
