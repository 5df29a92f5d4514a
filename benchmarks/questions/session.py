"""One question to one repository, as an agent answers it with search and whole files, and with a context: in tokens.

    python -m benchmarks.questions.session --repos DIR

The way without: every line of Python that holds the word (`git grep`), then the files that hold the answer, whole. The
way with: one context for the question within a budget, in the format of the tool, then one `zoom` of what it names. The
answer is three definitions, named here before either.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from allocator import ContextEngine
from skeleton.zoom.zoomer import zoom
from workspace.roots import Roots
from workspace.tokens import token_counter

REPOSITORY = "flask"
QUESTION = "when is the session cookie sent with a response?"
WORD = "session"
ANSWER = {
    "src/flask/sessions.py": ("def should_set_cookie", "def save_session"),
    "src/flask/app.py": ("def process_response",),
}
"""The files that hold the answer, and the definitions that are it."""

BUDGETS = (2000, 4000, 8000)


def main(arguments: list[str]) -> None:
    """Prints what each way takes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--repos", type=Path, required=True)
    folder = parser.parse_args(arguments).repos.resolve() / REPOSITORY
    count = token_counter().count
    command = ["git", "grep", "-n", WORD, "--", "*.py"]
    lines = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    whole = sum(count((folder / path).read_text(encoding="utf-8")) for path in ANSWER)
    print(f"{QUESTION!r} of {REPOSITORY}")
    print(
        f"without: {lines.count(chr(10))} lines of search, {count(lines):,} tokens; {len(ANSWER)} files, {whole:,} tokens"
    )
    for budget in BUDGETS:
        made = ContextEngine(Roots([folder])).get_context(
            str(folder), token_budget=budget, query=QUESTION, format="compact"
        )
        wanted = [(path, head) for path, heads in ANSWER.items() for head in heads]
        full = sum(_body(folder / path, head) in made.context for path, head in wanted)
        named = sum(head in made.context for _, head in wanted)
        names = [f"{path}::{head.removeprefix('def ')}" for path, head in wanted if head in made.context]
        shown = zoom(names, str(folder), roots=Roots([folder]))
        print(
            f"with: {made.tokens_used:,} tokens of {budget:,}; of {len(wanted)} definitions {named} named, {full} in full;"
            f" zoom of those named {shown.tokens:,} tokens: {len(shown.matches)} in full"
        )


def _body(path: Path, head: str) -> str:
    """The last lines of a definition of Python, by its indentation."""
    lines = path.read_text(encoding="utf-8").split("\n")
    first = next(number for number, line in enumerate(lines) if line.strip().startswith(head))
    depth = len(lines[first]) - len(lines[first].lstrip())
    end = first + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > depth):
        end += 1
    return "\n".join(lines[first:end]).rstrip().rpartition("\n\n")[2]


if __name__ == "__main__":
    main(sys.argv[1:])
