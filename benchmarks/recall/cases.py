"""Cases from history: the tree before a commit, its message, and the functions that it then changed.

A commit becomes a case when it has one parent, its message says something (`LEAST_WORDS` words or more) and it changes
one to eight functions outside tests. What a function is and where it ends is said by parsers that share nothing with our
engine (`benchmarks.skeletons.reading`), asked on both sides of the commit: a function counts as changed when a function
of its name and container is on both sides and its text is another, white space aside, or when it is gone.
"""

from __future__ import annotations

import ast
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from benchmarks.recall.history import Commit, blob, commits, git
from benchmarks.skeletons.corpus import LARGEST, CorpusFile
from benchmarks.skeletons.languages import LANGUAGES, LanguageEntry, Parser
from benchmarks.skeletons.python_reading import definitions, parse
from benchmarks.skeletons.reading import Tools, read_references
from benchmarks.skeletons.references import Role

MOST_FUNCTIONS = 8
LEAST_WORDS = 8
MOST_WORDS = 400
MOST_FILES = 30
"""Files that a commit may touch: more is a reformatting, a move or an import of code."""
DEPTH = 1200
"""Commits of the history that are looked at."""

_TRAILER = re.compile(
    r"(?im)^\s*(?:[\w-]+-by|cc|change-id|git-svn-id|piperorigin-revid|reviewed-on|bug|closes?|fixes|refs?)\s*:.*$"
)
_MARKS = re.compile(r"\(#\d+\)|^---+$", re.MULTILINE)
_TEST = re.compile(
    r"(?:^|/)(?:tests?|testing|__tests__|specs?|testdata|fixtures?|benches|benchmarks?|examples?|playground)(?:/|$)"
    r"|(?:^|[/._-])(?:test|spec)s?[._-]|[._-](?:test|spec)s?\.|Tests?\.\w+$|(?:^|/)\w*[Tt]ests?/",
)
_EXCLUDED = frozenset({"vue", "svelte", "sql", "protobuf", "graphql", "hcl", "r"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A function that the commit changes, as it stands before it; lines count from 1, the last one is inside.

    Attributes:
        path: its file.
        name: its name.
        container: the names of what it stands in, joined with dots.
        language: the language that its file was read as.
        line: of its name.
        first: of its signature, with decorators.
        last: of its body.
        test: whether its path is that of tests, examples or benchmarks.
    """

    path: str
    name: str
    container: str
    language: str
    line: int
    first: int
    last: int
    test: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One commit to be prepared for.

    Attributes:
        repository: `owner/name`.
        commit: its hash.
        parent: the tree that is shown.
        message: without trailers and pull request numbers.
        targets: what it changed.
        named: whether the message holds the name of a changed function, word for word.
    """

    repository: str
    commit: str
    parent: str
    message: str
    targets: tuple[Target, ...]
    named: bool

    @property
    def sources(self) -> tuple[Target, ...]:
        """The changed functions outside tests: what recall is measured on."""
        return tuple(target for target in self.targets if not target.test)


def cleaned(message: str) -> str:
    """A commit's message as a person would state the task: no trailers, no numbers of pull requests."""
    return _MARKS.sub("", _TRAILER.sub("", message)).strip()


def cases_of(name: str, repository: Path, tools: Tools, *, most: int, cache: Path | None) -> list[Case]:
    """The cases of one repository, spread evenly over its newest commits; the same on every run.

    Args:
        name: `owner/name`.
        repository: its git directory.
        tools: the reference parsers.
        most: how many are taken.
        cache: a folder that keeps what was found.
    """
    head = git(repository, "rev-parse", "HEAD").decode().strip()
    kept = cache / f"{name.replace('/', '+')}-{head[:12]}-{most}.json" if cache else None
    if kept and kept.exists():
        return msgspec.json.decode(kept.read_bytes(), type=list[Case])
    plausible = [commit for commit in commits(repository, DEPTH) if _plausible(commit)]
    found: list[Case] = []
    for index in _spread(len(plausible)):
        if len(found) == most:
            break
        case = case_of(name, repository, plausible[index], tools)
        if case:
            found.append(case)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(msgspec.json.format(msgspec.json.encode(found)))
    return found


def case_of(name: str, repository: Path, commit: Commit, tools: Tools) -> Case | None:
    """The case that a commit makes, or None."""
    message = cleaned(commit.message)
    targets = tuple(_changed(repository, commit, tools))
    sources = [target for target in targets if not target.test]
    if not 1 <= len(sources) <= MOST_FUNCTIONS:
        return None
    words = set(re.findall(r"\w+[?!]?", message))
    return Case(
        repository=name,
        commit=commit.name,
        parent=commit.parent,
        message=message,
        targets=targets,
        named=any(target.name.split(".")[-1] in words for target in sources),
    )


def _plausible(commit: Commit) -> bool:
    words = len(re.findall(r"\w{2,}", cleaned(commit.message)))
    code = [path for path in commit.changed if _entry(path) and not _TEST.search(path)]
    return LEAST_WORDS <= words <= MOST_WORDS and 1 <= len(code) <= MOST_FUNCTIONS and len(commit.changed) <= MOST_FILES


def _spread(count: int) -> Iterator[int]:
    """All indices, far apart first: by bits in reverse."""
    bits = max(count - 1, 1).bit_length()
    return (index for index in (int(f"{i:0{bits}b}"[::-1], 2) for i in range(1 << bits)) if index < count)


def _entry(path: str) -> LanguageEntry | None:
    return next(
        (entry for entry in LANGUAGES.values() if path.endswith(entry.files) and entry.name not in _EXCLUDED), None
    )


def _changed(repository: Path, commit: Commit, tools: Tools) -> Iterator[Target]:
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(commit.changed):
            entry = _entry(path)
            before = blob(repository, commit.parent, path) if entry else None
            if entry is None or before is None or len(before) > LARGEST:
                continue
            after = blob(repository, commit.name, path) or b""
            files: list[CorpusFile] = []
            for side, source in (("old", before), ("new", after)):
                place = Path(folder) / f"{number}-{side}{Path(path).suffix}"
                place.write_bytes(source)
                files.append(CorpusFile(absolute=place, path=path, source=source))
            yield from _differences(files, path, entry, tools)


@dataclass(frozen=True, slots=True)
class _Function:
    name: str
    container: str
    line: int
    first: int
    last: int


def _functions(files: Sequence[CorpusFile], entry: LanguageEntry, tools: Tools) -> list[list[_Function]]:
    """The functions with a body in each file, those inside other functions left out."""
    if entry.parser is Parser.AST:
        return [_python_functions(file) for file in files]
    return [
        [
            _Function(
                name=one.name,
                container=".".join(one.container),
                line=one.line,
                first=min(one.first or one.line, one.line),
                last=max(one.last, one.body[1]),
            )
            for one in reading.references
            if one.role is Role.FUNCTION and not one.exemption and one.body
        ]
        for reading in read_references(files, entry, tools)
    ]


def _python_functions(file: CorpusFile) -> list[_Function]:
    tree = parse(file.source)
    if isinstance(tree, str):
        return []
    return [
        _Function(
            name=node.name,
            container=".".join(container),
            line=node.lineno,
            first=min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]),
            last=node.end_lineno or node.lineno,
        )
        for node, container, exemption in definitions(tree)
        if not exemption and not isinstance(node, ast.ClassDef)
    ]


def _differences(files: Sequence[CorpusFile], path: str, entry: LanguageEntry, tools: Tools) -> Iterator[Target]:
    texts: list[dict[tuple[str, str, int], str]] = []
    targets: dict[tuple[str, str, int], Target] = {}
    for file, functions in zip(files, _functions(files, entry, tools), strict=True):
        lines = file.text.split("\n")
        seen: Counter[tuple[str, str]] = Counter()
        texts.append({})
        for one in functions:
            key = one.container, one.name, seen[one.container, one.name]
            seen[one.container, one.name] += 1
            texts[-1][key] = "".join("".join(lines[one.first - 1 : one.last]).split())
            if len(texts) == 1:
                targets[key] = Target(**asdict(one), path=path, language=entry.name, test=bool(_TEST.search(path)))
    before, after = texts
    yield from (target for key, target in targets.items() if after.get(key) != before[key])
