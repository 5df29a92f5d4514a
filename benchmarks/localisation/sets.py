"""Published sets of issues, read from clones of the repositories that publish them.

    lite, verified   SWE-bench Lite (300) and Verified (500), as ITMO-NSS-team/chronorepo_icdm26 holds them in `data/`
    locbench         Loc-Bench with the functions of its authors (560), from the same place; factors are fitted to `FITTED`
    multi            Multi-SWE-bench in C, C++, Go, Java, JavaScript, Rust and TypeScript (433), as
                     kuppireddypravalika/MSWE-validation-dataset holds it in `MSWE-agent/data/`

An issue is solved in the files that its patch changes, and in the functions that hold the lines it takes out or puts
lines behind; for Loc-Bench in the functions that are published with it, and their files. Prose, lock files and what a
script makes of other files do not count where `multi` changes them beside code: nobody looks for a fault there.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.recall.history import HistoryError, blob, git, locate
from benchmarks.skeletons.python_reading import definitions, parse

PUBLISHER = "ITMO-NSS-team/chronorepo_icdm26"
FILES = {"lite": "swebench_lite", "verified": "swebench_verified", "locbench": "locbench_gt"}
"""The sets of this publisher, each with the name of its file."""

FITTED = frozenset(
    {
        "PrefectHQ/prefect",
        "dask/dask",
        "huggingface/diffusers",
        "jax-ml/jax",
        "modin-project/modin",
        "prowler-cloud/prowler",
        "pydantic/pydantic",
        "python/mypy",
        "tobymao/sqlglot",
        "yt-dlp/yt-dlp",
    }
)
"""The repositories of Loc-Bench that factors are fitted to; no other set holds them."""

HALVES = ("tune", "report")

MULTI = "multi"
MULTI_PUBLISHER = "kuppireddypravalika/MSWE-validation-dataset"
MULTI_FOLDER = "MSWE-agent/data"

SETS = (*FILES, MULTI)
"""All sets."""

RANKED = {"lite": "rerank_final_lite", "verified": "rerank_final_verified", "locbench": "rerank_final_locbench"}
"""The files that hold the ranking that ChronoRepo gives for each issue without a model."""

_BESIDE_CODE = re.compile(
    r"(?:\.(?:md|mdx|rst|txt|adoc|lock|csv|svg|snap)|-lock\.json|/go\.sum)\Z|(?:^|/)(?:single_?include|singleheader|dist)/",
    re.IGNORECASE,
)
"""Paths of prose, of what tools lock, and of what a script joins from other files."""

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """An issue, the tree that it was written about, and where it was solved.

    Attributes:
        name: its name in the set.
        repository: `owner/name`.
        commit: the tree.
        text: its title and body.
        files: the files that the solution changes.
        patch: the solution.
        published: functions named with the set, as `path:Class.method`; empty where the patch tells them.
    """

    name: str
    repository: str
    commit: str
    text: str
    files: tuple[str, ...]
    patch: str
    published: tuple[str, ...] = ()


def issues(histories: Path, name: str) -> list[Issue]:
    """Reads a set.

    Args:
        histories: the folder of clones, as `benchmarks.recall` has it.
        name: one of `SETS`.

    Raises:
        HistoryError: the publisher's repository is not there.
    """
    if name == MULTI:
        return _multi(histories)
    functions: dict[str, list[str]] = {}
    if name == "locbench":
        functions = json.loads(_published(histories, "edit_functions.json"))
    found: list[Issue] = []
    for line in _published(histories, f"{FILES[name]}.jsonl").splitlines():
        told = json.loads(line)
        named = tuple(functions.get(told["instance_id"], ()))
        files = dict.fromkeys(one.partition(":")[0] for one in named) or dict.fromkeys(_old_lines(told["patch"]))
        found.append(
            Issue(
                name=told["instance_id"],
                repository=told["repo"],
                commit=told["base_commit"],
                text=told["problem_statement"],
                files=tuple(files),
                patch=told["patch"],
                published=named,
            )
        )
    return found


def _multi(histories: Path) -> list[Issue]:
    clone = locate(histories, MULTI_PUBLISHER)
    listed = git(clone, "ls-tree", "-r", "--name-only", "HEAD", f"{MULTI_FOLDER}/").decode().splitlines()
    found: list[Issue] = []
    for path in listed:
        if not path.endswith("_dataset.jsonl"):
            continue
        content = blob(clone, "HEAD", path) or b""
        # What git's extension for large files keeps elsewhere is not here.
        for line in content.splitlines() if content.startswith(b"{") else ():
            told = json.loads(line)
            files = _old_lines(told["fix_patch"])
            files = {file: lines for file, lines in files.items() if not _BESIDE_CODE.search(file)}
            text = "\n\n".join(f"{one['title']}\n{one['body'] or ''}" for one in told["resolved_issues"])
            if files and text.strip():
                found.append(
                    Issue(
                        name=f"{told['org']}__{told['repo']}-{told['number']}",
                        repository=f"{told['org']}/{told['repo']}",
                        commit=told["base"]["sha"],
                        text=text,
                        files=tuple(files),
                        patch=told["fix_patch"],
                    )
                )
    return found


def chronorepo(histories: Path, name: str) -> dict[str, list[str]]:
    """The files that ChronoRepo ranks without a model, best first, by the name of the issue; none for `multi`."""
    if name not in RANKED:
        return {}
    lines = _published(histories, f"{RANKED[name]}.jsonl").splitlines()
    return {told["instance_id"]: [one["file"] for one in told["hybrid_top"]] for told in map(json.loads, lines)}


def locagent(histories: Path) -> dict[str, list[str]]:
    """The files that LocAgent with Claude 3.5 found for SWE-bench Lite, best first, by the name of the issue."""
    lines = _published(histories, "locagent_claude35_outputs.jsonl").splitlines()
    return {told["instance_id"]: told["found_files"] for told in map(json.loads, lines)}


def clone_of(histories: Path, issue: Issue) -> Path | None:
    """The clone that holds the tree of an issue; None where there is none."""
    owner, _, project = issue.repository.partition("/")
    for name in (f"swe-bench/{owner}__{project}", issue.repository):
        try:
            clone = locate(histories, name)
            git(clone, "cat-file", "-e", f"{issue.commit}^{{tree}}")
        except HistoryError:
            continue
        return clone
    return None


def functions_of(issue: Issue, clone: Path) -> frozenset[tuple[str, str]]:
    """The functions in which an issue is solved, of those that were there before: path, and name with what it stands in."""
    if issue.published:
        pairs = (one.partition(":") for one in issue.published)
        return frozenset((path, function) for path, _, function in pairs if function)
    found: set[tuple[str, str]] = set()
    for path, lines in _old_lines(issue.patch).items():
        source = blob(clone, issue.commit, path)
        tree = parse(source) if source is not None and path.endswith(".py") else ""
        if isinstance(tree, str):
            continue
        spans = [
            (node.lineno - len(node.decorator_list), node.end_lineno or node.lineno, ".".join((*container, node.name)))
            for node, container, _ in definitions(tree)
            if not isinstance(node, ast.ClassDef)
        ]
        for line in lines:
            around = [(first, name) for first, last, name in spans if first <= line <= last]
            if around:
                found.add((path, min(around)[1]))  # the outermost: what is inside a function is part of it
    return frozenset(found)


def _old_lines(patch: str) -> dict[str, list[int]]:
    """The lines that a patch takes out or puts lines behind, by file, as numbered before it; new files are left out."""
    found: dict[str, list[int]] = {}
    for path, hunk in _hunks(patch):
        match = _HUNK.match(hunk[0])
        if match is None:
            continue
        lines, number = found.setdefault(path, []), int(match[1])
        for line in hunk[1:]:
            if line.startswith("-"):
                lines.append(number)
            elif line.startswith("+"):
                lines.append(number - 1)
                continue
            elif line.startswith("\\"):
                continue
            number += 1
    return found


def _hunks(patch: str) -> Iterator[tuple[str, list[str]]]:
    """The hunks of a patch, each with the path of its file before it."""
    path = ""
    hunk: list[str] = []
    for line in (*patch.splitlines(), "diff --git "):
        if line.startswith(("diff --git ", "@@ ")):
            if path and hunk:
                yield path, hunk
            hunk = [line] if line.startswith("@@ ") else []
            path = path if hunk else ""
        elif line.startswith("--- ") and not hunk:
            path = line.removeprefix("--- a/") if line.startswith("--- a/") else ""
        elif hunk:
            hunk.append(line)


def _published(histories: Path, name: str) -> str:
    return git(locate(histories, PUBLISHER), "show", f"HEAD:data/{name}").decode()


def half_of(repository: str) -> str:
    """Tells the part of Loc-Bench that a repository belongs to: one of `HALVES`.

    Args:
        repository: `owner/name`.
    """
    return "tune" if repository in FITTED else "report"


def by_repository(found: Iterable[Issue]) -> dict[str, list[Issue]]:
    """The issues of each repository, in their order."""
    groups: dict[str, list[Issue]] = {}
    for issue in found:
        groups.setdefault(issue.repository, []).append(issue)
    return groups
