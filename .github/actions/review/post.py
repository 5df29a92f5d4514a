"""Posts a page as the one comment of this action on a pull request, and puts it into the job's summary.

python post.py PAGE    with TOKEN, NUMBER and GitHub's own GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_STEP_SUMMARY
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

MARK = "<!-- fractal-context: review -->"
MOST_CHARACTERS = 65_000
"""GitHub refuses a comment of more than 65,536."""

FORBIDDEN = (401, 403)


def main(page: Path) -> int:
    """Posts the page; where that is not allowed it says so, and the job goes on."""
    body = f"{MARK}\n{page.read_text(encoding='utf-8')}"
    if len(body) > MOST_CHARACTERS:
        body = f"{body[:MOST_CHARACTERS].rpartition(chr(10))[0]}\n```\n</details>\n\nCut here; give a smaller budget.\n"
    summary = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if summary:
        with Path(summary).open("a", encoding="utf-8") as stream:
            stream.write(body)
    place = f"repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    try:
        mine = _own_comment(f"{place}/{os.environ['NUMBER']}/comments")
        if mine:
            _asked("PATCH", f"{place}/comments/{mine}", {"body": body})
        else:
            _asked("POST", f"{place}/{os.environ['NUMBER']}/comments", {"body": body})
    except urllib.error.HTTPError as error:
        if error.code not in FORBIDDEN:
            raise
        sys.stdout.write("::notice::No right to comment here; the page is in the summary of the job.\n")
    return 0


def _own_comment(place: str) -> int:
    """The number of the comment that an earlier run has made; 0 for none."""
    page = 1
    while found := _asked("GET", f"{place}?per_page=100&page={page}"):
        for comment in found:
            if str(comment["body"]).startswith(MARK) and comment["user"]["type"] == "Bot":
                return int(comment["id"])
        page += 1
    return 0


def _asked(method: str, place: str, sent: object = None) -> Any:
    request = urllib.request.Request(
        f"{os.environ['GITHUB_API_URL']}/{place}",
        method=method,
        data=None if sent is None else json.dumps(sent).encode(),
        headers={"Authorization": f"Bearer {os.environ['TOKEN']}", "Accept": "application/vnd.github+json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
