"""Whether every session of real users is read and fits: `python -m benchmarks.compaction.authors CLONES [--sessions N]`.

The Claude Code and Gemini CLI sessions of entireio/cli (ref `entire/checkpoints/v1`, MIT) are compacted at the default size,
at 8000, 3000 and 2000 tokens. Counted are the sessions that are read, those whose lines are not all read, the utterances of users
and how many of them stand byte for byte in section 6 at the default size, those that are host texts by the marks that hosts
leave, the targets that are refused, passed or left unused, and the lines that stand twice (both as `repeats` says).
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

from benchmarks.compaction.repeats import duplicates, plain_text, wasted
from compaction.history import CompactionEngine, CompactionOptions, Mode, Section, Status
from compaction.history.origins import Origin, passages
from compaction.history.transcript import from_bytes, parse
from workspace.tokens import token_counter

count = token_counter().count
REF = "entire/checkpoints/v1"
_HOST = re.compile(
    r"<(?:command-name|local-command-stdout|bash-stdout|system-reminder|task-notification|ide_opened_file)>|\[Request interrupted|"
    r"Operation stopped by hook|^Caveat: The messages below|^This session is being continued",
)


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
        history = from_bytes(raw)
        transcript = parse(history, None)
        text = plain_text(transcript.messages)
        said = [p.text for m in transcript.messages for p in passages(m) if p.origin is Origin.USER]
        seen["sessions read"] += 1
        seen["sessions with lines left out"] += bool(history.warnings)
        seen["utterances"] += len(said)
        seen["host texts among them"] += sum(_HOST.search(text) is not None for text in said)
        for target in (None, 8_000, 3_000, 2_000):
            result = CompactionEngine().compact(raw, CompactionOptions(mode=Mode.EXTRACT, target_tokens=target))
            label = "default" if target is None else str(target)
            seen[f"{result.status.value} at {label}"] += 1
            if result.status is Status.COMPACTED:
                told = result.sections[Section.USER_MESSAGES]
                if target is None:
                    seen["utterances word for word at the default size"] += sum(f"\n{text}\n" in told for text in said)
                elif result.tokens_after > target:
                    seen[f"above {target}"] += 1
                seen[f"lines that stand twice at {label}"] += len(duplicates(result))
                seen[f"less than 90 % used at {label}"] += wasted(result, target, text, count)
    for what, number in sorted(seen.items()):
        print(f"{what:50}{number:>8}")


if __name__ == "__main__":
    main()
