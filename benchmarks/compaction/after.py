"""Counts what agents used after a compaction: `python -m benchmarks.compaction.after CLONES [--part held] [--missing]`.

The Claude Code sessions of entireio/cli (ref `entire/checkpoints/v1`, MIT) are cut wherever their host compacted them: before
the cut stands what the host had before it, its earlier summary included; after it, the next 40 calls. Of these are counted

- files: names of files that the calls name;
- commands: simple commands up to their first option, without `ls`, `grep`, `cd` and others that need no memory;
- names: compound identifiers (`camelCase`, `snake_case`) in what the calls were given,

each of them only where it stood in the conversation before. Three texts are asked for them twice: at the size of the host's
own summary, and at that size with the five newest files whole beside it (5,000 tokens of each at most), where ours gets the
files to restore from as well. The files are what the session's own reads, writes and edits say of them. Half of the sessions
took no part in the work on the summary (`held`).
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from benchmarks.compaction.authors import newest
from benchmarks.compaction.real import shown_text
from benchmarks.compaction.repeats import strings
from compaction.history import CompactionEngine, CompactionOptions, Mode, Status
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Line: TypeAlias = "dict[str, Any]"
Used: TypeAlias = "dict[str, set[str]]"

KINDS: Final = ("files", "commands", "names")
_CALLS = 40
_FILES, _TOKENS_OF_A_FILE = 5, 5_000
_FEWEST_CALLS = 5
_FILE = re.compile(r"[\w.-]+\.(?:go|md|py|ts|tsx|rb|sh|json|ya?ml|toml|js|jsonl|mod)\b")
_NAME = re.compile(r"\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z0-9]+[A-Z]\w+|[A-Za-z]+_[A-Za-z]\w+)\b")
_SIMPLE = re.compile(r"&&|\|\||[;|\n]")
_NEEDS_NO_MEMORY = frozenset((
    "cd", "ls", "cat", "grep", "rg", "head", "tail", "sed", "echo", "find", "wc", "sort", "uniq", "xargs", "awk",
    "mkdir", "rm", "cp", "mv", "pwd", "for", "do", "done", "while", "if", "then", "else", "fi", "sleep", "true",
    "false", "printf", "test", "export", "which", "touch", "tr", "cut", "tee", "diff", "less", "chmod", "kill",
    "ps", "env", "set", "type", "jq", "python3", "python", "node", "EOF",
))  # fmt: skip
_WORD = re.compile(r"[\w./:@+-]+")
_NUMBERED = re.compile(r"^ *\d+[→\t]", re.MULTILINE)
count = token_counter().count


@dataclass(frozen=True, kw_only=True)
class Case:
    """One compaction of a host: what was before, the host's summary, what was used after, and the files as they then were."""

    name: str
    part: str
    before: list[Line]
    summary: str
    used: Used
    files: dict[str, str]


def cases(repository: Path, part: str = "") -> Iterator[Case]:
    """Return the compactions of all sessions in which the agent went on for a few calls."""
    for raw in newest(repository):
        if b'"isCompactSummary":true' not in raw:
            continue
        lines: list[Line] = [json.loads(line) for line in raw.decode().split("\n") if line.strip()]
        lines = [line for line in lines if not line.get("isSidechain")]
        name = next(str(line["sessionId"]) for line in lines if line.get("sessionId"))
        half = "tune" if sha256(name.encode()).digest()[0] % 2 else "held"
        if part and half != part:
            continue
        cuts = [place for place, line in enumerate(lines) if line.get("isCompactSummary")]
        for start, cut, end in zip([0, *cuts], cuts, [*cuts[1:], len(lines)], strict=False):
            before = lines[start:cut]
            later = list(_inputs(lines[cut + 1 : end]))[:_CALLS]
            if len(later) < _FEWEST_CALLS or len(before) < _CALLS:
                continue
            yield Case(
                name=f"{name[:8]}:{cut}",
                part=half,
                before=before,
                summary=_words(lines[cut]),
                used=_known(used(later), "\n".join(map(_words, before))),
                files=files_at(lines[:cut]),
            )


def used(calls: Sequence[tuple[str, Line]]) -> Used:
    """Return the files, commands and names that calls were given."""
    found: Used = {kind: set() for kind in KINDS}
    for _, given in calls:
        text = "\n".join(strings(given))
        found["files"] |= set(_FILE.findall(text))
        found["names"] |= set(_NAME.findall(text))
        if isinstance(given.get("command"), str):
            found["commands"] |= set(simple_commands(given["command"]))
    return found


def simple_commands(command: str) -> Iterator[str]:
    """Return the simple commands of a line up to their first option or quote, without those that need no memory."""
    for part in _SIMPLE.split(re.sub(r"<<-?\s*['\"]?(\w+)['\"]?.*", "", command, flags=re.DOTALL)):
        words = part.split()
        while words and re.match(r"[A-Z_]+=", words[0]):
            words.pop(0)
        kept: list[str] = []
        for word in words:
            if word.startswith("-") or not _WORD.fullmatch(word):
                break
            kept.append(word)
        if len(kept) > 1 and kept[0] not in _NEEDS_NO_MEMORY:
            yield " ".join(kept)


def held(kind: str, word: str, text: str) -> bool:
    """Return whether a text that `flat` made holds a file, a command or a name as a whole word."""
    if kind == "commands":
        return word in text
    return re.search(rf"(?<![\w-]){re.escape(word)}(?!\w)", text) is not None


def flat(text: str) -> str:
    """Return a text on one line, as commands are compared."""
    return " ".join(text.replace("`", " ").split())


def _known(found: Used, before: str) -> Used:
    text = flat(before)
    return {kind: {word for word in words if held(kind, word, text)} for kind, words in found.items()}


def _blocks(line: Line) -> list[Line]:
    message: Line = line.get("message") or {}
    content: Any = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    blocks: list[Any] = list(content) if isinstance(content, list) else []  # pyright: ignore[reportUnknownArgumentType] - JSON of a host
    return [block for block in blocks if isinstance(block, dict)]


def _words(line: Line) -> str:
    shown = ("text", "input", "content")
    return "\n".join(
        text
        for block in _blocks(line)
        if block.get("type") != "thinking"
        for key in shown
        for text in strings(block.get(key))
    )


def _inputs(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    for line in lines:
        for block in _blocks(line):
            if block.get("type") == "tool_use" and isinstance(block.get("input"), dict):
                yield str(block.get("name")), block["input"]


def files_at(lines: Sequence[Line]) -> dict[str, str]:
    """Return the files that some lines read, wrote and edited, as they were at the end, the one touched last at the end."""
    answers = {
        str(block.get("tool_use_id")): "\n".join(strings(block.get("content")))
        for line in lines
        for block in _blocks(line)
        if block.get("type") == "tool_result" and not block.get("is_error")
    }
    found: dict[str, str] = {}
    for line in lines:
        for block in _blocks(line):
            given: Any = block.get("input")
            answer = answers.get(str(block.get("id")))
            if block.get("type") != "tool_use" or answer is None or not isinstance(given, dict):
                continue
            path = str(given.get("file_path", ""))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
            known = found.pop(path, None)
            now = _after(str(block.get("name")), given, answer, known)  # pyright: ignore[reportUnknownArgumentType]
            if path and now is not None:
                found[path] = now
    return found


def _after(tool: str, given: Line, answer: str, known: str | None) -> str | None:
    match tool:
        case "Write":
            return str(given.get("content", ""))
        case "Edit":
            old, new = str(given.get("old_string", "")), str(given.get("new_string", ""))
            return (known or new).replace(old, new, -1 if given.get("replace_all") else 1) if old else known
        case "Read":
            part = given.get("offset") or given.get("limit")
            text = _NUMBERED.sub("", answer.split("<system-reminder>")[0])
            return known if part and known else text if _NUMBERED.search(answer) else known
        case _:
            return known


def five_files(case: Case) -> str:
    """Return the five newest files of a case, each of them whole up to 5,000 tokens, as a host restores them."""
    parts: list[str] = []
    for path, text in list(case.files.items())[::-1][:_FILES]:
        shown = text
        while count(shown) > _TOKENS_OF_A_FILE:
            shown = shown[: int(len(shown) * min(0.97, _TOKENS_OF_A_FILE / count(shown)))]
        parts.append(f"### {path}\n{shown}")
    return "\n\n".join(parts)


def first_of(text: str, tokens: int) -> str:
    """Return the beginning of a text, in at most so many tokens."""
    shown = text
    while count(shown) > tokens:
        shown = shown[: int(len(shown) * min(0.98, tokens / count(shown)))]
    return shown


def ours(case: Case, target: int, *, restored: bool) -> tuple[str, int] | None:
    """Return our text at a target and its tokens, with the files of the case to restore from or without any."""
    history = "\n".join(map(json.dumps, case.before)).encode()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        if restored:
            home = _home(case)
            history = history.replace(json.dumps(home)[1:-1].encode(), f"{root}/".encode())
            for path, text in case.files.items():
                if path.startswith(home):
                    place = root / path.removeprefix(home)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_text(text, "utf-8")
        options = CompactionOptions(
            mode=Mode.EXTRACT, target_tokens=target, workspace=root if restored else None, read_tool="Read"
        )
        result = CompactionEngine().compact(history, options)
    if result.status is not Status.COMPACTED:
        return None
    return shown_text(result.messages or []), result.tokens_after


def _home(case: Case) -> str:
    """The folder that the work is in, with its slash."""
    folders = Counter(str(line["cwd"]) for line in case.before if line.get("cwd"))
    return f"{folders.most_common(1)[0][0]}/" if folders else "/"


def main() -> None:
    """Print the shares."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("clones", type=Path)
    options.add_argument("--part", default="", choices=("", "tune", "held"))
    options.add_argument("--missing", action="store_true", help="name what ours lacks, of the part that is tuned on")
    given = options.parse_args()
    places = [given.clones / name for name in ("entireio+cli/repo", "entireio+cli", "entireio/cli")]
    found = list(cases(next(place for place in places if place.is_dir()), given.part))
    for part in ("tune", "held"):
        chosen = [case for case in found if case.part == part]
        for restored in (False, True) if chosen else ():
            _table(part, chosen, restored=restored, missing=given.missing and part == "tune")


def _table(part: str, chosen: Sequence[Case], *, restored: bool, missing: bool) -> None:
    got: Counter[tuple[str, str]] = Counter()
    needed: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    better: Counter[tuple[str, str, int]] = Counter()
    left_out = 0
    for case in chosen:
        beside = five_files(case)
        target = count(case.summary) + (count(beside) if restored else 0)
        made = ours(case, target, restored=restored)
        if made is None:
            left_out += 1
            continue
        texts = {
            "ours": made[0],
            "the host's": f"{case.summary}\n{beside}" if restored else case.summary,
            "five files": first_of(beside, target),
        }
        tokens += Counter({"ours": made[1], "the host's": target, "five files": count(texts["five files"])})
        for kind in KINDS:
            needed[kind] += len(case.used[kind])
            points: dict[str, int] = {}
            for who, text in texts.items():
                shown = flat(text)
                points[who] = sum(held(kind, word, shown) for word in case.used[kind])
                got[who, kind] += points[who]
                if missing and who == "ours":
                    lacking = sorted(word for word in case.used[kind] if not held(kind, word, shown))
                    print(f"  {case.name} lacks {kind}: {', '.join(lacking)}")
            for who in list(texts)[1:]:
                better[who, kind, (points["ours"] > points[who]) - (points["ours"] < points[who])] += 1
    what = "with files restored" if restored else "without files"
    print(f"\n{part}, {what}: {len(chosen) - left_out} compactions ({left_out} left out)")
    print(f"{'':14}{'tokens':>9}{''.join(f'{kind:>11}' for kind in KINDS)}   ours better : as good : worse")
    for who in ("ours", "the host's", "five files"):
        shares = "".join(f"{100 * got[who, kind] / max(1, needed[kind]):>9.1f} %" for kind in KINDS)
        beside = ""
        if who != "ours":
            beside = ", ".join(
                f"{kind} {':'.join(str(better[who, kind, way]) for way in (1, 0, -1))}" for kind in KINDS
            )
        print(f"{who:14}{tokens[who]:>9}{shares}   {beside}")
    print(f"{'asked for':23}{''.join(f'{needed[kind]:>11}' for kind in KINDS)}")


if __name__ == "__main__":
    main()
