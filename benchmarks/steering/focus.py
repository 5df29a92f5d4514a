"""Prints what a focus brings: the named thing, what it calls, and how much of the budget is used.

    python -m benchmarks.steering.focus --repos DIR --work PLACE [--group tuned|reported] [--budget 8000] [--out DIR]

`DIR/<name>` are the repositories of `definitions.toml`, each a git work tree; they are only read. `--work` keeps caches,
`--out` takes the contexts, to be read.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from allocator import ContextEngine
from benchmarks.overview.sources import known
from benchmarks.steering.python_calls import PythonCalls

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DEFINITIONS = Path(__file__).with_name("definitions.toml")
BUDGET = 8000
_CLOSING = re.compile(r"\s*(?:\}|\)|end\b|;)")
_END_OF_WORD = r"(?:(?<!\w)|(?!\w))"
_HEADER = re.compile(r"^\+\+\+ (\S+)", re.MULTILINE)


class Wanted(NamedTuple):
    """The lines of what was named, and the beginnings of those lines that declare its callees."""

    path: str
    lines: Sequence[str]
    callees: Sequence[tuple[str, str]]


class Found(NamedTuple):
    """The part of that which was shown."""

    whole: bool
    first: bool
    used: float
    callees: int
    missed: Sequence[str]


def wanted(folder: Path, entry: Mapping[str, object]) -> Wanted:
    """Reads in the source what a focus must bring."""
    path, _, name = str(entry["focus"]).partition("::")
    text = (folder / path).read_text(encoding="utf-8").split("\n")
    if "first" not in entry:
        calls = PythonCalls(folder)
        plain = name.split("~")[0]
        first, last = calls.span(path, plain)
        return Wanted(path, text[first - 1 : last], [(one.path, one.text) for one in calls.callees(path, plain)])
    start = text.index(str(entry["first"]))
    indent = re.match(r"\s*", text[start])
    assert indent is not None
    end = next(
        at
        for at in range(start + 1, len(text))
        if text[at].startswith(indent[0]) and _CLOSING.match(text[at], len(indent[0])) and not text[at].endswith("{")
    )
    listed = [str(one).partition(": ") for one in cast("Sequence[object]", entry["callees"])]
    return Wanted(path, text[start : end + 1], [(place, begins) for place, _, begins in listed])


def blocks(context: str) -> list[tuple[str, str]]:
    """The paths of a context in the compact format, each with its text, in order."""
    heads = list(_HEADER.finditer(context))
    ends = [*(head.start() for head in heads[1:]), len(context)]
    return [(head[1], context[head.start() : end]) for head, end in zip(heads, ends, strict=True)]


def found(asked: Wanted, context: str, used: float) -> Found:
    """Looks for it in a context."""
    shown = blocks(context)
    texts = dict(shown)
    missed = [
        f"{path}: {begins}"
        for path, begins in asked.callees
        if not re.search(rf"^\s*{re.escape(begins)}{_END_OF_WORD}", texts.get(path, ""), re.MULTILINE)
    ]
    return Found(
        whole="\n".join(asked.lines) in texts.get(asked.path, ""),
        first=bool(shown) and shown[0][0] == asked.path,
        used=used,
        callees=len(asked.callees),
        missed=missed,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="folder of repositories")
    parser.add_argument("--work", type=Path, required=True, metavar="PLACE", help="where caches lie")
    parser.add_argument("--group", choices=("tuned", "reported"), help="one half of the repositories alone")
    parser.add_argument("--repository", action="append", default=[], help="one of them; repeatable")
    parser.add_argument("--budget", type=int, default=BUDGET, help="tokens")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the contexts are written")
    asked = parser.parse_args(arguments)
    table = tomllib.loads(DEFINITIONS.read_text(encoding="utf-8"))
    groups = [asked.group] if asked.group else ["tuned", "reported"]
    names = asked.repository or [name for group in groups for name in table[group]["repositories"]]
    print("| focus | whole | first | used | callees |")
    print("|---|---|---|---:|---:|")
    results: list[Found] = []
    for name in names:
        folder = asked.repos / name
        with known(folder, asked.work / "cache") as all_of_it:
            engine = ContextEngine(all_of_it.index.roots, index=all_of_it.index)
            for entry in (one for one in table["definition"] if one["repository"] == name):
                result = engine.get_context(
                    str(folder), token_budget=asked.budget, focus=[entry["focus"]], format="compact"
                )
                one = found(wanted(folder, entry), result.context, result.tokens_used / asked.budget)
                results.append(one)
                share = f"{one.callees - len(one.missed)} of {one.callees}"
                print(f"| {name} {entry['focus']} | {one.whole} | {one.first} | {one.used:.1%} | {share} |", flush=True)
                for missed in one.missed:
                    print(f"|   missed {missed} | | | | |")
                if asked.out is not None:
                    asked.out.mkdir(parents=True, exist_ok=True)
                    (asked.out / f"{name}-{len(results):02}.txt").write_text(
                        f"{result.context}\n{result.summary}\n", encoding="utf-8"
                    )
    callees = sum(one.callees for one in results)
    shown = callees - sum(len(one.missed) for one in results)
    print(
        f"\nWhole and first: {sum(one.whole and one.first for one in results)} of {len(results)}. At least 97 % used: "
        f"{sum(one.used >= 0.97 for one in results)} of {len(results)}, least {min(one.used for one in results):.1%}. "
        f"Callees shown: {shown} of {callees}, {shown / callees:.1%}."
    )


if __name__ == "__main__":
    main()
