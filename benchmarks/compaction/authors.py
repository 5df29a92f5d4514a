"""Reads and compacts every session of real users: `python -m benchmarks.compaction.authors CLONES [--sessions N]`.

The Claude Code and Gemini CLI sessions of entireio/cli (ref `entire/checkpoints/v1`, MIT) are compacted at the default size,
at 8000, 3000 and 2000 tokens. Counted are the sessions that are read, and the lines that are not, with whether each is named;
the utterances of users, how many of them section 6 holds byte for byte and in their order,
and how many begin as host texts do; the targets that are refused, passed or left unused; and the lines that stand twice (both
as `repeats` says).

What users typed is also read off the lines of Claude Code's files by themselves, without our reader: texts of type `user` that
are not marked as the host's and do not begin with an element or sentence of its own. `neither said nor the host's` are those that
we do not take for the user's.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.compaction.repeats import duplicates, plain_text, wasted
from compaction.history import CompactionEngine, CompactionOptions, Mode, Section, Status
from compaction.history.formats.base import as_list, as_object, as_text
from compaction.history.origins import Origin, passages
from compaction.history.transcript import from_bytes, parse
from compaction.history.user_messages import Verbatim, read
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.values import JsonObject

count = token_counter().count
REF = "entire/checkpoints/v1"
_HOST = re.compile(
    r"\s*(?:<(?:command-name|command-message|local-command-\w+|bash-\w+|system-reminder|task-notification|ide_\w+)>|"
    r"\[Request interrupted|Operation stopped by hook|Caveat: The messages below|This session is being continued)",
)
_DECODER = json.JSONDecoder()
_NOT_TYPED = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly")


def newest(repository: Path) -> list[bytes]:
    """Return the largest stored copy of each session that is in the repository; nothing is fetched for those that are not."""
    git = ["git", "-C", str(repository)]
    offline = os.environ | {"GIT_NO_LAZY_FETCH": "1"}
    listed = subprocess.run([*git, "ls-tree", "-r", REF], capture_output=True, check=True, env=offline)
    entries = [line.split("\t") for line in listed.stdout.decode().splitlines()]
    blobs = dict.fromkeys(about.split()[2] for about, path in entries if path.endswith("full.jsonl"))
    found: dict[str, bytes] = {}
    for blob in blobs:
        done = subprocess.run([*git, "cat-file", "blob", blob], capture_output=True, check=False, env=offline)
        known = re.search(rb'"sessionId": ?"([0-9a-f-]+)"', done.stdout)
        if done.returncode == 0 and known is not None:
            name = known[1].decode()
            if len(done.stdout) > len(found.get(name, b"")):
                found[name] = done.stdout
    return [found[name] for name in sorted(found)]


def main() -> None:
    """Print the counts."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("clones", type=Path)
    options.add_argument("--sessions", type=int, default=80)
    given = options.parse_args()
    places = [given.clones / name for name in ("entireio+cli/repo", "entireio+cli", "entireio/cli")]
    repository = next(place for place in places if place.is_dir())
    every = newest(repository)
    chosen = every[:: max(1, len(every) // given.sessions)][: given.sessions]
    seen: Counter[str] = Counter()
    for raw in chosen:
        seen.update(_counted(raw))
    for what, number in sorted(seen.items()):
        print(f"{what:50}{number:>8}")


def _counted(raw: bytes) -> Counter[str]:
    history = from_bytes(raw)
    transcript = parse(history, None)
    said = [p.text for m in transcript.messages for p in passages(m) if p.origin is Origin.USER]
    unread = _unread(raw)
    seen = Counter(
        {
            "sessions read": 1,
            "lines that cannot be read": len(unread),
            "lines named of them": sum(any(f"line {n} " in told for told in history.warnings) for n in unread),
            "utterances": len(said),
            "host texts among them": sum(_HOST.match(text) is not None for text in said),
            "typed, by the lines alone": len(typed(raw)),
            "typed, neither said nor the host's": sum(text not in said for text in typed(raw)),
        }
    )
    whole = plain_text(transcript.messages)
    for target in (None, 8_000, 3_000, 2_000):
        result = CompactionEngine().compact(raw, CompactionOptions(mode=Mode.EXTRACT, target_tokens=target))
        label = "default" if target is None else str(target)
        seen[f"{result.status.value} at {label}"] += 1
        if result.status is not Status.COMPACTED:
            continue
        told = [entry.text for entry in read(result.sections[Section.USER_MESSAGES]) if isinstance(entry, Verbatim)]
        if target is None:
            seen["utterances of those that are compacted"] += len(said)
            seen["utterances word for word at the default size"] += len(said) if told == said else _common(told, said)
        seen[f"above {label}"] += target is not None and result.tokens_after > target
        seen[f"lines that stand twice at {label}"] += len(duplicates(result))
        seen[f"less than 90 % used at {label}"] += wasted(result, target, whole, count)
    return seen


def _common(told: Sequence[str], said: Sequence[str]) -> int:
    """Returns how many of the utterances are told, each once."""
    return sum((Counter(told) & Counter(said)).values())


def _unread(raw: bytes) -> list[int]:
    """The numbers of the lines of a file that are not JSON values in a row, where the whole is none."""
    text = raw.decode("utf-8-sig")
    if _values(text) == 1:
        return []
    return [number for number, line in enumerate(text.split("\n"), 1) if _values(line) is None]


def _values(text: str) -> int | None:
    """Returns the number of JSON values in a text; None where something else stands between them."""
    place = number = 0
    while text[place:].strip():
        try:
            _, place = _DECODER.raw_decode(text, place + len(text[place:]) - len(text[place:].lstrip()))
        except ValueError:
            return None
        number += 1
    return number


def typed(raw: bytes) -> list[str]:
    """Return what users typed by the lines of a file of Claude Code alone; [] for other files."""
    found: list[str] = []
    for line in raw.decode("utf-8-sig").split("\n"):
        entry: JsonObject = as_object(json.loads(line)) if _values(line) == 1 else {}
        if entry.get("type") == "user" and not any(entry.get(mark) for mark in _NOT_TYPED):
            content = as_object(entry.get("message")).get("content")
            blocks = [as_object(block) for block in as_list(content)]
            found += [as_text(block.get("text")) for block in blocks if block.get("type") == "text"] or [
                as_text(content)
            ]
    return [text for text in found if text.strip() and _HOST.match(text) is None]


if __name__ == "__main__":
    main()
