"""Measures one file, or many, against their skeletons: the numbers behind the tables of `recall`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmarks.skeletons import engine
from benchmarks.skeletons.corpus import CorpusFile
from benchmarks.skeletons.engine import LEVELS
from benchmarks.skeletons.languages import LANGUAGES, LanguageEntry, Parser
from benchmarks.skeletons.presence import SkeletonText, judge
from benchmarks.skeletons.python_checks import PythonFaults, compare
from benchmarks.skeletons.python_reading import parse
from benchmarks.skeletons.references import Reading, Reference, Role
from skeleton import CompressionLevel, Skeleton

Count = Callable[[bytes], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """One fault, with its place."""

    level: str
    path: str
    line: int
    what: str
    cause: str


@dataclass(slots=True, kw_only=True)
class LevelTally:
    """Counts for one level; every field is a number of what its name says."""

    present: int = 0
    compared: int = 0
    whole: int = 0
    multi_whole: int = 0
    members: int = 0
    constants: int = 0
    fell_back: Counter[str] = field(default_factory=Counter[str])
    clean: int = 0
    fixed: int = 0
    ordered: int = 0
    leaked: int = 0
    told: int = 0
    tokens: int = 0
    saved: float = 0.0
    """The sum of the files' own shares of tokens saved; over `files` it is their mean."""
    python: Counter[str] = field(default_factory=Counter[str])


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts for a set of files; every field is a number of what its name says."""

    files: int = 0
    unrecognised: int = 0
    unreadable: int = 0
    required: int = 0
    multi: int = 0
    members: int = 0
    constants: int = 0
    clean: int = 0
    grown: int = 0
    tokens: int = 0
    exempt: Counter[str] = field(default_factory=Counter[str])
    explained: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """By reason and by what the reference really found, where a rule about the text of a tag says so."""
    levels: dict[CompressionLevel, LevelTally] = field(
        default_factory=lambda: {level: LevelTally() for level in LEVELS}
    )
    misses: list[Miss] = field(default_factory=list[Miss])

    def add(self, other: Tally) -> None:
        """Takes another tally's counts in."""
        _add(self, other)
        for level, tally in other.levels.items():
            _add(self.levels[level], tally)


def _add(one: Tally | LevelTally, other: Tally | LevelTally) -> None:
    for name in one.__dataclass_fields__:
        value = getattr(other, name)
        if isinstance(value, Counter):
            getattr(one, name).update(value)
        elif isinstance(value, list):
            getattr(one, name).extend(value)
        elif isinstance(value, int | float):
            setattr(one, name, getattr(one, name) + value)


def measure(files: Sequence[CorpusFile], readings: Sequence[Reading], entry: LanguageEntry, count: Count) -> Tally:
    """The tally of these files, all read as one language.

    Args:
        files: the files.
        readings: what the reference parser says of each.
        entry: their language.
        count: counts tokens.
    """
    tally = Tally()
    for file, reading in zip(files, readings, strict=True):
        _measure_file(file, reading, entry, count, tally)
    return tally


def _measure_file(file: CorpusFile, reading: Reading, entry: LanguageEntry, count: Count, tally: Tally) -> None:
    tally.files += 1
    tally.unreadable += bool(reading.unreadable)
    required = [one for one in reading.references if one.required]
    tally.required += len(required)
    tally.multi += sum(one.spans_lines for one in required)
    tally.members += sum(one.role is Role.MEMBER and not one.exemption for one in reading.references)
    tally.constants += sum(one.role is Role.CONSTANT and not one.exemption for one in reading.references)
    tally.exempt.update(one.exemption for one in reading.references if one.exemption)
    tally.explained.update((one.exemption, one.why) for one in reading.references if one.why)
    language = engine.language_for(file.path, file.source)
    if language is None:
        tally.unrecognised += 1
        for level in LEVELS:
            tally.misses += [_miss(level, file, one, "file not recognised") for one in required]
        return
    skeletons = engine.both_levels(file.source, language)
    parser = engine.parser_for(language)
    clean = engine.parses_cleanly(file.source, parser)
    tally.clean += clean
    above = size = count(file.source)
    tally.tokens += size
    for level in LEVELS:
        given = skeletons.at(level)
        text = given.text.encode()
        tokens = count(text)
        counts = tally.levels[level]
        counts.tokens += tokens
        counts.saved += 1 - tokens / size if size else 0
        if tokens > above:
            tally.grown += 1
            tally.misses.append(_fault(level, file, f"{tokens} tokens, {above} above", "larger than the level above"))
        above = tokens
        if given.level is not level:
            cause = "unproven" if given.unproven else "no saving"
            counts.fell_back[f"{cause} {given.level.value}"] += 1
            if given.unproven:
                tally.misses.append(_fault(level, file, given.unproven, f"unproven, fell back to {given.level.value}"))
        if engine.parses_cleanly(given.unmarked.encode(), parser):
            counts.clean += clean
        elif clean:
            tally.misses.append(_fault(level, file, "skeleton", "does not parse cleanly, its source does"))
        fixed = engine.again(given, language) == given.unmarked
        counts.fixed += fixed
        if not fixed:
            tally.misses.append(_fault(level, file, "skeleton", "no fixed point"))
        _judge(file, reading, given, level, entry, tally)
        if entry.parser is Parser.AST and not reading.unreadable and given.level is not CompressionLevel.FULL:
            _check_python(file, given, level, tally)


def _judge(
    file: CorpusFile, reading: Reading, given: Skeleton, level: CompressionLevel, entry: LanguageEntry, tally: Tally
) -> None:
    counts = tally.levels[level]
    skeleton = SkeletonText(given.text, given.line_numbers, entry.lexicon)
    counts.ordered += skeleton.ordered and not skeleton.miscounted
    if not skeleton.ordered or skeleton.miscounted:
        tally.misses.append(_fault(level, file, "skeleton", "line numbers out of order or too few"))
    full = given.level is CompressionLevel.FULL
    for one, verdict in zip(
        reading.references, judge(reading.references, file.text, skeleton, entry.lexicon), strict=True
    ):
        present = not verdict.reason
        if one.role is Role.MEMBER and not one.exemption:
            counts.members += present
            if not present:
                tally.misses.append(_miss(level, file, one, f"({one.role}) {verdict.reason}"))
        if one.role is Role.CONSTANT and not one.exemption:
            counts.constants += present
            if not present and level is CompressionLevel.SKELETON_PLUS:
                tally.misses.append(_miss(level, file, one, f"({one.role}) {verdict.reason}"))
        if not one.required:
            continue
        counts.present += present
        if not present:
            tally.misses.append(_miss(level, file, one, verdict.reason))
        if one.signature:
            counts.compared += 1
            counts.whole += bool(verdict.whole)
            counts.multi_whole += bool(verdict.whole) and one.spans_lines
            if verdict.whole is False:
                tally.misses.append(_miss(level, file, one, "signature not whole"))
        counts.told += verdict.told > 0 and not full
        if verdict.leaked and not full:
            counts.leaked += 1
            tally.misses.append(_miss(level, file, one, "body shown"))


def _check_python(file: CorpusFile, given: Skeleton, level: CompressionLevel, tally: Tally) -> None:
    tree = parse(file.source)
    if isinstance(tree, str):
        return
    faults: PythonFaults = compare(tree, given.text, summaries=level is CompressionLevel.SKELETON_PLUS)
    counts = tally.levels[level].python
    counts["files"] += 1
    if not faults.parses:
        counts["unparseable"] += 1
        tally.misses.append(_fault(level, file, "skeleton", "ast cannot parse the skeleton"))
        return
    counts["compared"] += faults.compared
    for name in ("missing", "invented", "order", "signatures", "bodies", "docstrings"):
        sentences: list[str] = getattr(faults, name)
        counts[name] += len(sentences)
        for sentence in sentences:
            line, _, what = sentence.partition(" ")
            tally.misses.append(
                Miss(level=level.value, path=file.path, line=int(line), what=what, cause=f"ast: {name}")
            )


def _miss(level: CompressionLevel, file: CorpusFile, one: Reference, reason: str) -> Miss:
    return Miss(
        level=level.value, path=file.path, line=one.line, what=f"{one.kind} {one.path}", cause=f"{reason}: {one.kind}"
    )


def _fault(level: CompressionLevel, file: CorpusFile, what: str, cause: str) -> Miss:
    return Miss(level=level.value, path=file.path, line=1, what=what, cause=cause)


def family_of(file: CorpusFile, entry: LanguageEntry) -> LanguageEntry:
    """The entry to read a file with: of the languages that share its ending, the one that our engine takes it for."""
    if not entry.shares:
        return entry
    language = engine.language_for(file.path, file.source)
    return LANGUAGES[language.name] if language and language.name in entry.shares else entry
