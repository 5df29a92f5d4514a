"""Records a revision's answers to hundreds of calls: digests, token counts and levels, and no text of anyone's code.

    python benchmarks/recorded/record.py --code REVISION --repos DIR --work SCRATCH --out before.json

`--code` is a work tree of the revision that answers: only the public face of `allocator` is asked. Of every repository
in DIR a clone is made in SCRATCH and edited in the same way each time, so that `changed` has something to find. The calls
of a repository are drawn from its name alone, so every revision is asked the same; `compare` says where answers differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

REPOSITORIES = (
    *("express", "flask", "gin", "gson", "jq", "json"),
    *("monolog", "okhttp", "pydantic", "redis", "serilog", "tokio"),
)
BUDGETS = (500, 640, 900, 1500, 2000, 4000, 8000, 20_000, 64_000, None)
"""Tokens; None for no ceiling."""
FORMATS = ("plus", "compact", "xml", "markdown", "json")
QUERIES = (
    "fix the error message when parsing fails",
    "where is a time-out set, and what ends a connection",
    "add an option for the size of the buffer\n\nIt should be read with the other settings.",
    "write tests for the encoder",
)
DRAWN = 24
"""Calls with arguments drawn at random, for each repository."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Records all calls and writes them to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--code", type=Path, required=True, help="a work tree of the revision that answers")
    parser.add_argument("--repos", type=Path, required=True, help="a folder of git repositories")
    parser.add_argument("--work", type=Path, required=True, help="a folder for edited clones; made if it is missing")
    parser.add_argument("--out", type=Path, required=True, help="where the records go")
    parser.add_argument("--repository", action="append", help="instead of those that are listed; may be repeated")
    parser.add_argument("--texts", type=Path, help="a folder for the answers themselves, to look at differences")
    chosen = parser.parse_args(arguments)
    sys.path.insert(0, str(chosen.code.resolve()))
    recorded = 0
    chosen.out.write_text("", encoding="utf-8")
    for name in chosen.repository or REPOSITORIES:
        folder = edited_clone(chosen.repos / name, chosen.work / name)
        started = time.process_time()
        of_folder = list(answered(folder, chosen.texts))
        recorded += len(of_folder)
        with chosen.out.open("a", encoding="utf-8") as out:
            out.writelines(f"{json.dumps(record, sort_keys=True)}\n" for record in of_folder)
        print(f"{name}: {len(of_folder)} calls, {time.process_time() - started:.0f} s of processor time", flush=True)
    print(f"{recorded} calls recorded in {chosen.out}")
    return 0


def edited_clone(original: Path, clone: Path) -> Path:
    """Clones a repository, unless that is done already, and edits, adds and deletes a few of its files."""
    if clone.exists():
        return clone.resolve()
    clone.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "clone", "-q", "--shared", str(original), str(clone)], check=True)
    listed = subprocess.run(["git", "ls-files"], cwd=clone, check=True, capture_output=True, text=True).stdout
    endings = (".py", ".rs", ".go", ".java", ".kt", ".js", ".c", ".h", ".hpp", ".cs", ".php")
    files = [clone / path for path in listed.splitlines() if path.endswith(endings)]
    for file in files[len(files) // 3 :: max(1, len(files) // 4)][:3]:
        lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
        half = len(lines) // 2
        file.write_text("\n".join([*lines[:half], lines[half], *lines[half:]]), encoding="utf-8")
    files[len(files) // 2].unlink()
    (clone / "added.py").write_text("def added(first):\n    return first\n", encoding="utf-8")
    return clone.resolve()


def calls_of(folder: Path) -> Iterator[dict[str, Any]]:
    """The arguments of all calls about a folder; `since` and `cursor` name the call, so many before, that they follow."""
    for layout in FORMATS:
        yield {"token_budget": 4000, "format": layout}
    for budget in BUDGETS:
        yield {"token_budget": budget, "format": "compact"}
    draws = Random(folder.name)
    listed = subprocess.run(["git", "ls-files"], cwd=folder, check=True, capture_output=True, text=True).stdout
    paths = listed.splitlines()
    folders = sorted({path.split("/")[0] for path in paths if "/" in path})
    endings = sorted({Path(path).suffix for path in paths if Path(path).suffix})
    for number in range(DRAWN):
        arguments: dict[str, Any] = {"token_budget": draws.choice(BUDGETS), "format": draws.choice(FORMATS)}
        offers: dict[str, tuple[float, list[Any]]] = {
            "query": (0.45, list(QUERIES)),
            "focus": (0.2, [[draws.choice(paths)], [f"{draws.choice(folders)}/"], draws.sample(paths, 3)]),
            "changed": (0.2, ["worktree", "HEAD~3"]),
            "include": (0.15, [[f"*{draws.choice(endings)}"], [f"{draws.choice(folders)}/"]]),
            "exclude": (0.15, [[f"{draws.choice(folders)}/"], ["*.md", "*.json"]]),
            "min_level": (0.15, ["L2", "L1", "L0"]),
            "max_level": (0.15, ["L1", "L2"]),
            "skeleton": (0.3, ["enabled", "disabled"]),
            "line_numbers": (0.25, [True]),
        }
        arguments |= {name: draws.choice(values) for name, (share, values) in offers.items() if draws.random() < share}
        yield arguments
        if number % 3 == 0:
            follows = draws.choice(["since", "cursor"])
            yield {"token_budget": draws.choice(BUDGETS), "format": arguments["format"], follows: 1}


def answered(folder: Path, texts: Path | None) -> Iterator[dict[str, Any]]:
    """Makes all calls about a folder; gives a record of each."""
    from allocator import ContextEngine
    from workspace.errors import FractalContextError
    from workspace.roots import Roots
    from workspace.tokens import token_counter

    count = token_counter().count
    engine = ContextEngine(Roots([folder]))
    snapshot: str | None = None
    for number, arguments in enumerate(calls_of(folder)):
        name = f"{folder.name}-{number:02}"
        record: dict[str, Any] = {"call": name, "arguments": arguments}
        asked: dict[str, Any] = dict(arguments)
        asked |= {key: snapshot or "0" for key in ("since", "cursor") if key in arguments}
        try:
            result = engine.get_context(str(folder), **asked)
        except FractalContextError as error:
            snapshot = None
            record["error"] = f"{type(error).__name__}: {error}"
        except Exception as error:  # noqa: BLE001 - a crash is an answer too, and the other calls are still to be made
            snapshot = None
            record["crash"] = f"{type(error).__name__}: {error}"
        else:
            snapshot = result.metadata.snapshot
            record |= {
                "context": _digest(result.context),
                "summary": _digest(result.summary),
                "context_tokens": count(result.context),
                "tokens_used": result.tokens_used,
                "levels": {level.value: len(held) for level, held in result.metadata.compression_summary.items()},
            }
            if texts is not None:
                texts.mkdir(parents=True, exist_ok=True)
                (texts / f"{name}.txt").write_text(f"{result.context}\0{result.summary}", encoding="utf-8")
        yield record


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogateescape")).hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
