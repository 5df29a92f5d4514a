"""Asks questions of real documents at half their tokens: `python -m benchmarks.compression.answers CLONES [--missing]`.

Twelve documents of public repositories are compressed at a rate of 0.5 without a model, and the hundred questions of
`answers.toml` are asked of what is left. Beside it stands the head: whole sentences of the document in their order, at the same
number of tokens. Counted as well are sentences of which only a part is left. `CLONES` is a folder of git clones as in `benchmarks.compaction.real`; nothing of the documents is kept.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tomllib
from pathlib import Path

from benchmarks.compaction.real import answered
from compaction.prompt.engine import CompressionEngine
from compaction.prompt.model import EngineName
from compaction.prose.sentences import spans
from workspace.tokens import token_counter

RATE = 0.5
_ROW = 5
"""Words in a row by which a part of a sentence is known."""

count = token_counter().count


def document(clones: Path, repository: str, commit: str, path: str) -> str | None:
    """Return a document as it stood at a commit, None where the clone or the commit is missing."""
    joined = repository.replace("/", "+")
    for place in (clones / joined / "repo", clones / joined, clones / repository, clones / f"{repository}.git"):
        if place.is_dir():
            read = ["git", "-C", str(place), "cat-file", "blob", f"{commit}:{path}"]
            done = subprocess.run(read, capture_output=True, check=False)
            return done.stdout.decode("utf-8") if done.returncode == 0 else None
    return None


def pieces(text: str) -> list[str]:
    """Return the sentences, list items and rows of a text, in their order."""
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-*+#|:>`$.]|\d+[.)]\s))", text)
    return [block[start:end] for block in blocks for start, end in spans(block)]


def head(text: str, tokens: int) -> str:
    """Return the first whole sentences of a text that so many tokens hold."""
    kept: list[str] = []
    for piece in pieces(text):
        if count("\n".join([*kept, piece])) > tokens:
            break
        kept.append(piece)
    return "\n".join(kept)


def broken(compressed: str, text: str) -> list[str]:
    """Return the sentences of a document of which a part is left: some words in a row that stand nowhere else in it."""
    left, whole = " ".join(compressed.split()), " ".join(text.split())
    found: list[str] = []
    for piece in pieces(text):
        words = piece.split()
        if " ".join(words) in left:
            continue
        rows = (" ".join(words[at : at + _ROW]) for at in range(len(words) - _ROW + 1))
        if any(row in left and whole.count(row) == 1 for row in rows):
            found.append(" ".join(words))
    return found


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("clones", type=Path)
    options.add_argument("--missing", action="store_true", help="name what is not answered")
    given = options.parse_args()
    engine = CompressionEngine.get_instance()
    asked = ours = heads = before = after = 0
    print(f"{'document':46}{'tokens':>8}{'left':>8}{'asked':>7}{'ours':>6}{'head':>6}{'not whole':>11}")
    for entry in tomllib.loads((Path(__file__).parent / "answers.toml").read_text("utf-8"))["document"]:
        name = f"{entry['from']} {entry['path'].rpartition('/')[2]}"
        text = document(given.clones, entry["from"], entry["commit"], entry["path"])
        if text is None:
            print(f"{name}: not in {given.clones}")
            continue
        made = engine.compress_context(text, RATE, engine=EngineName.EXTRACTIVE).text
        first = head(text, count(made))
        questions = entry["ask"]
        got = [question for question in questions if answered(question, made)]
        of_head = sum(answered(question, first) for question in questions)
        sizes = count(text), count(made)
        print(
            f"{name:46}{sizes[0]:>8}{sizes[1]:>8}{len(questions):>7}{len(got):>6}{of_head:>6}{len(broken(made, text)):>11}"
        )
        for question in questions:
            if not answered(question, text):
                print(f"  not even in the document: {question}")
            elif given.missing and question not in got:
                print(f"  {question}")
        asked, ours, heads = asked + len(questions), ours + len(got), heads + of_head
        before, after = before + sizes[0], after + sizes[1]
    print(f"{'all':46}{before:>8}{after:>8}{asked:>7}{ours:>6}{heads:>6}")


if __name__ == "__main__":
    main()
