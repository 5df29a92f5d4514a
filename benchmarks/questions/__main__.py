"""Asks beginners' questions of real repositories, and counts those whose answers a context of 8,000 tokens shows.

    python -m benchmarks.questions --repos FOLDER [--half tune] [--repository flask]

`FOLDER` holds the repositories by name. A question is answered where one of the definitions that `questions.toml` names
stands in the context with its signature. Each is asked twice: as it is written, and with slips of the keys.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from allocator import ContextEngine
from skeleton.index.code_index import CodeIndex
from skeleton.names.targets import symbol_target
from skeleton.zoom.symbols import SymbolTable
from workspace.files.scan import scan
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BUDGET = 8000
QUESTIONS = Path(__file__).with_name("questions.toml")

_HEADER = re.compile(r"^\+\+\+ (?P<path>\S+)")


class Question(msgspec.Struct, frozen=True):
    """A question, and what answers it: one of the definitions."""

    repository: str
    half: str
    asked: str
    typed: str
    answers: list[str]

    @property
    def names(self) -> list[str]:
        """The names of the definitions, as a zoom takes them."""
        return [name.strip() for line in self.answers for name in line.split("|")]


class Repository:
    """One repository: asked for contexts, and for where its definitions stand."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        roots = Roots([folder])
        self._index = CodeIndex(roots)
        self._engine = ContextEngine(roots, index=self._index)
        files, _ = self._index.files(scan(folder, roots=roots))
        self._table = SymbolTable(self._index).following(files)

    def context(self, query: str) -> str:
        """The context for a query."""
        found = self._engine.get_context(str(self._folder), token_budget=BUDGET, query=query, format="compact")
        return found.context

    def places(self, name: str) -> Iterator[tuple[str, str]]:
        """The file of each definition of a name, and the beginning of the line where its name stands."""
        for file, one in self._table.definitions(symbol_target("symbol", name)):
            start = file.source.rfind(b"\n", 0, one.name_start) + 1
            yield file.path, file.source[start : one.name_start + len(one.name.encode())].decode().strip()


def shown(context: str, places: Sequence[tuple[str, str]]) -> bool:
    """Tells whether one of some definitions stands in a context."""
    path = ""
    for line in context.splitlines():
        header = _HEADER.match(line)
        if header is not None:
            path = header["path"]
        elif any(path == place and opening in line for place, opening in places):
            return True
    return False


def main() -> None:
    """Asks, and prints what is answered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--half", choices=["tune", "report"])
    parser.add_argument("--repository")
    asked = parser.parse_args()
    questions = msgspec.convert(tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["question"], list[Question])
    answered: Counter[tuple[str, str]] = Counter()
    put: Counter[str] = Counter()
    known: dict[str, Repository] = {}
    for question in questions:
        if asked.half not in (None, question.half) or asked.repository not in (None, question.repository):
            continue
        repository = known.get(question.repository)
        if repository is None:
            known = {question.repository: (repository := Repository(asked.repos / question.repository))}
        places = [place for name in question.names for place in repository.places(name)]
        put[question.half] += 1
        told: list[str] = []
        for way, text in (("as written", question.asked), ("with slips", question.typed)):
            is_answered = shown(repository.context(text), places)
            answered[question.half, way] += is_answered
            told.append("yes" if is_answered else "no ")
        print(f"{' '.join(told)}  {question.repository:10} {question.asked}{'' if places else ' (NO SUCH DEFINITION)'}")
    for half, count in put.items():
        ways = ", ".join(f"{way} {answered[half, way]}" for way in ("as written", "with slips"))
        print(f"{half}: of {count} questions answered at {BUDGET} tokens: {ways}")


if __name__ == "__main__":
    main()
