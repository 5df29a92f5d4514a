"""Prints what `changed` shows of real commits: how many of the changed definitions in full, and what came before them.

    python -m benchmarks.steering.changed --repos DIR --work PLACE [--group tuned|reported] [--commits 5] [--out DIR]

`DIR/<name>` are git repositories; they are only read, `--work` keeps clones and caches. Asked are the newest commits
without merges that touch a function of a source file; one that the repository does not hold all of is told and left out. Which functions a commit touches is told by git's own diff and by
Universal Ctags: the innermost function around each line that came. Where ctags does not say where one ends, it is at the
next line of its indentation that begins with a closing word or bracket.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from allocator import ContextEngine
from benchmarks.overview.sources import git, known
from benchmarks.steering.focus import blocks
from workspace.errors import InvalidArgumentError
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GROUPS = {
    "tuned": ("ripgrep", "gson", "serilog", "zod", "gin", "monolog", "fmt", "flask"),
    "reported": ("spdlog", "sidekiq", "cobra", "jackson-core", "Newtonsoft.Json", "hono", "fd", "rich", "Slim"),
}
BUDGET = 8000
FIT = 0.8
"""Changed definitions fit in all where they take no more than this much of the budget; the rest is for headers, for lines
that went and for what changed outside of them."""

FUNCTIONS = frozenset({"function", "method", "func", "singletonMethod", "subroutine", "generator"})
METHODS = frozenset({("Python", "member")})
"""Languages and what ctags calls a method in them, which is a field in others."""

ANONYMOUS = "AnonymousFunction"
"""The name that ctags gives a function without a name, which is a part of a statement."""

SOURCES = ("py", "rs", "go", "java", "js", "ts", "rb", "php", "cs", "c", "h", "cc", "cpp")
LOCKS = re.compile(r"(?:^|/)(?:[\w.-]+\.lock|package-lock\.json|go\.sum|pnpm-lock\.yaml)$")
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_ABSENT = re.compile(r"invalid object \d+ \w+ for '([^'\n]+)'")
MOST_ABSENT = 20
"""Files of one commit that may be missing."""

_CLOSING = re.compile(r"\s*(?:\}|\)|end\b)")
_GONE = re.compile(r"^⋮-.*\n", re.MULTILINE)


class Touched(NamedTuple):
    """A function that a commit touches."""

    path: str
    name: str
    text: str


def functions(folder: Path, path: str) -> list[tuple[str, int, int]]:
    """The functions of a file: name, first and last line."""
    done = subprocess.run(
        ["ctags", "--output-format=json", "--fields=+neKl", "-f", "-", path],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = (folder / path).read_text(encoding="utf-8", errors="replace").split("\n")
    found: list[tuple[str, int, int]] = []
    for row in done.stdout.splitlines():
        tag = json.loads(row)
        is_function = tag.get("kind") in FUNCTIONS or (tag.get("language"), tag.get("kind")) in METHODS
        if is_function and not tag["name"].startswith(ANONYMOUS):
            first = int(tag["line"])
            found.append((tag["name"], first, int(tag.get("end") or _end(lines, first))))
    return found


def _end(lines: Sequence[str], first: int) -> int:
    opening = lines[first - 1]
    indent = opening[: len(opening) - len(opening.lstrip())]
    if opening.rstrip().endswith((";", "}")):
        return first
    for number in range(first + 1, len(lines) + 1):
        line = lines[number - 1]
        if line.startswith(indent) and _CLOSING.match(line, len(indent)) and not line.rstrip().endswith(("{", "(")):
            return number
    return first


def touched(folder: Path, commit: str) -> list[Touched]:
    """The functions that a commit touches, as they are in it."""
    found: dict[Touched, None] = {}
    listed = git(folder, "diff", "--name-only", "--diff-filter=AM", "--no-renames", f"{commit}~1", commit).splitlines()
    for path in listed:
        if not path.endswith(tuple(f".{ending}" for ending in SOURCES)) or '"' in path:
            continue
        diff = git(folder, "diff", "-U0", "--no-renames", f"{commit}~1", commit, "--", path)
        every = functions(folder, path)
        lines = (folder / path).read_text(encoding="utf-8", errors="replace").split("\n")
        for hunk in _HUNK.finditer(diff):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            for line in range(first, first + count):
                around = [one for one in every if one[1] <= line <= one[2]]
                if around and lines[line - 1].strip():
                    name, start, end = max(around, key=lambda one: one[1])
                    found[Touched(path, name, "\n".join(lines[start - 1 : end]))] = None
    return list(found)


def cloned(source: Path, folder: Path) -> None:
    """Makes a clone that shares the objects of a repository."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(source), str(folder)], check=True)


def is_checked_out(source: Path, folder: Path, commit: str) -> bool:
    """Checks a commit out, in a fresh clone where that fails; tells whether it is there.

    Large files that the repository lists and does not hold are left out of the work tree.
    """
    absent: list[str] = []
    is_fresh = False
    while True:
        try:
            if absent:
                git(folder, "sparse-checkout", "set", "--no-cone", "/*", *(f"!/{path}" for path in absent))
            git(folder, "checkout", "-q", "-f", "--detach", commit)
            git(folder, "clean", "-q", "-f", "-d", "-x")
        except subprocess.CalledProcessError as error:
            new = [path for path in _ABSENT.findall(_said(error)) if path not in absent]
            if new and len(absent) < MOST_ABSENT:
                absent += new
            elif is_fresh:
                print(f"| {folder.name} {commit[:9]} cannot be checked out: {_last_line(error)} | | | | |")
                return False
            else:
                is_fresh = True
                shutil.rmtree(folder)
                cloned(source, folder)
        else:
            return True


def _said(error: subprocess.CalledProcessError) -> str:
    return (error.stderr or b"").decode("utf-8", "replace")


def _last_line(error: subprocess.CalledProcessError) -> str:
    lines = _said(error).strip().splitlines()
    return lines[-1] if lines else f"status {error.returncode}"


def commits(source: Path, folder: Path, most: int) -> Iterator[tuple[str, list[Touched]]]:
    """The newest commits that touch a function, each checked out when it is given."""
    given = 0
    newest = git(source, "rev-parse", "HEAD").strip()
    for commit in git(folder, "rev-list", "--no-merges", "--first-parent", "-n300", newest).split():
        if subprocess.run(
            ["git", "-C", str(folder), "rev-parse", "-q", "--verify", f"{commit}~1"], capture_output=True
        ).returncode:
            continue
        names = git(folder, "diff", "--name-only", f"{commit}~1", commit).splitlines()
        if not any(name.endswith(tuple(f".{ending}" for ending in SOURCES)) for name in names):
            continue
        if not is_checked_out(source, folder, commit):
            continue
        try:
            functions_of = touched(folder, commit)
        except subprocess.CalledProcessError as error:
            print(f"| {folder.name} {commit[:9]} cannot be compared: {_last_line(error)} | | | | |")
            continue
        if functions_of:
            yield commit, functions_of
            given += 1
        if given == most:
            return


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="folder of repositories")
    parser.add_argument("--work", type=Path, required=True, metavar="PLACE", help="where clones and caches lie")
    parser.add_argument("--group", choices=tuple(GROUPS), help="one half of the repositories alone")
    parser.add_argument("--repository", action="append", default=[], help="one of them; repeatable")
    parser.add_argument("--commits", type=int, default=5, help="commits of each")
    parser.add_argument("--budget", type=int, default=BUDGET, help="tokens")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the contexts are written")
    asked = parser.parse_args(arguments)
    names = asked.repository or [
        name for group, some in GROUPS.items() if asked.group in (None, group) for name in some
    ]
    count = token_counter().count
    in_full = of = fitting = fits = locks = total = 0
    print("| commit | definitions in full | they take | used | first |")
    print("|---|---:|---:|---:|---|")
    for name in names:
        source, folder = asked.repos / name, asked.work / "clones" / name
        if not folder.exists():
            cloned(source, folder)
        for commit, wanted in commits(source, folder, asked.commits):
            try:
                with known(folder, asked.work / "cache") as found:
                    engine = ContextEngine(found.index.roots, index=found.index)
                    result = engine.get_context(
                        str(folder), token_budget=asked.budget, changed=f"{commit}~1", format="compact"
                    )
            except InvalidArgumentError as error:  # git lacks what it would have to compare
                print(f"| {name} {commit[:9]} cannot be compared: {error} | | | | |")
                continue
            shown = blocks(result.context)
            texts = {path: _GONE.sub("", text) for path, text in shown}
            whole = [one for one in wanted if one.text in texts.get(one.path, "")]
            tokens = sum(count(one.text) for one in wanted)
            first = next((path for path, _ in shown), "")
            total += 1
            locks += bool(LOCKS.search(first))
            if tokens <= FIT * asked.budget:
                fits += 1
                in_full += len(whole)
                of += len(wanted)
                fitting += len(whole) == len(wanted)
            print(
                f"| {name} {commit[:9]} | {len(whole)} of {len(wanted)} | {tokens} | {result.tokens_used} | {first} |",
                flush=True,
            )
            for one in wanted:
                if one not in whole:
                    print(f"|   not in full: {one.path} {one.name} | | | | |")
            if asked.out is not None:
                asked.out.mkdir(parents=True, exist_ok=True)
                (asked.out / f"{name}-{commit[:9]}.txt").write_text(result.context, encoding="utf-8")
    print(
        f"\n{total} commits; of {fits} the changed definitions fit in all: {in_full} of {of} in full, {in_full / of:.1%}; "
        f"all of them in {fitting} commits. A lock file came first in {locks}."
    )


if __name__ == "__main__":
    main()
