"""The text of a syntax error stands below a mark, and nobody takes the lines of a body for those of the file."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from skeleton import Language, Skeleton, skeletons
from skeleton.index.units import units_of
from skeleton.levels import CompressionLevel, Role
from skeleton.outline.definitions import Outline
from skeleton.outline.rows import Rows
from skeleton.render.regions import runs_as_written
from tests.skeleton.corpus import corpus_names, read_cases

MARK = re.compile(r"⋮ lines? (?P<first>\d+)(?:-(?P<last>\d+))? as written")
DAMAGES = 2
"""The times that each source is damaged."""

CUT = b"""\
int count(int argc, char *argv[]) {
  int need = 3;
  { // an excerpt
  number one, two; // constants
  char string[34];
  set_default(&set, INIT);
  if (argc < need) {
    print("too few");
    return 1;
    }
  to_number(&one, argv[1], &set);
  add(
    &one, &two"""
"""A function that is not finished, of which a grammar makes a heap of words, statements and constants."""

LABEL = b"""\
int scan(char *home)
{
  if(!home) {
#if defined(ONE)
    if(first) {
#elif defined(TWO)
    }
    else {
#elif defined(THREE)
    }
    else {
#endif
    }
    free(home);
  }
  else
    code = scan_file(
      home);

out:
  if(code)
    unlink(home);
  return code;
}

void after(void) { free(0); }
"""
"""A function that ends too early for a grammar, with a label at its depth."""

WITHOUT_BRACE = b"""\
function shown()
  const place = find()
  const code = read(place)

  return code
}

export default shown
"""


def body_lines(outline: Outline, source: bytes) -> set[int]:
    """The lines inside bodies, but for docs."""
    bodies, docs = set[int](), set[int]()
    for part in outline.parts:
        if part.role is Role.DOC:
            docs.update(lines(part.start, part.end, source))
        elif part.role is Role.BODY and not part.language:
            docs.update(line for span in part.inner for line in lines(*span, source))
            bodies.update(list(lines(part.start, part.end, source))[1:-1])
    return bodies - docs


def lines(start: int, end: int, source: bytes) -> range:
    return range(source.count(b"\n", 0, start) + 1, source.count(b"\n", 0, end) + 2)


def untold(skeleton: Skeleton) -> Iterator[tuple[int, str]]:
    """The lines with words that no mark tells of, but for signatures and lines that tell of others by themselves."""
    text = skeleton.text.encode()
    signatures = {
        row
        for one in skeleton.definitions
        if one.kind != "constant"
        for row in lines(one.signature, max(one.signature, one.body - 1), text)
    }
    told = set[int]()
    written = skeleton.text.split("\n") if skeleton.text else []
    for row, (line, number) in enumerate(zip(written, skeleton.line_numbers, strict=True), 1):
        if mark := MARK.fullmatch(line):
            told.update(range(int(mark["first"]), int(mark["last"] or mark["first"]) + 1))
        elif number not in told and row not in signatures and "⋮" not in line and re.search(r"\w", line):
            yield number, line


def damaged(source: bytes, chance: random.Random) -> bytes:
    """A source that was cut, or that has a bracket less or more."""
    brackets = [at for at, byte in enumerate(source) if byte in b"(){}[]"]
    how = chance.choice(("cut", "less", "more"))
    if how == "cut":
        return source[: chance.randint(len(source) // 4, len(source) - 1)]
    if how == "less" and brackets:
        at = chance.choice(brackets)
        return source[:at] + source[at + 1 :]
    at = chance.choice([match.end() for match in re.finditer(rb"[;{}:\n]", source)])
    return source[:at] + chance.choice((b"{", b"}", b"(", b")")) + source[at:]


@pytest.mark.parametrize("name", corpus_names())
def test_no_line_of_a_body_is_shown_without_a_mark_where_a_source_is_damaged(name: str) -> None:
    language = Language.named(name)
    for case in read_cases(name):
        source = case.source.encode()
        outline = skeletons(source, language).outline
        bodies = set[int]() if outline is None or outline.syntax_errors else body_lines(outline, source)
        for number in range(DAMAGES if bodies else 0):
            every = skeletons(damaged(source, random.Random(f"{name}{case.title}{number}")), language)
            if every.outline is None or not every.outline.syntax_errors:
                continue
            for one in (every.plus, every.skeleton):
                if one.level is not CompressionLevel.FULL:
                    assert [line for line in untold(one) if line[0] in bodies] == []


COLUMN = b"""\
int
parse (int *answer)
{
int first;

VALUE (static int second;)
state_t third VALUE (= second);

place_t fourth = third;

  int steps = 0;
  STEP (first);
  return steps;
}

int last(void) { return 0; }
"""
"""A function with a call in it that looks like one, at its own depth."""

PLAIN = b"void plain(void) {\n%s}\n\n" % (b"  one();\n" * 20)
"""A function in C whose body folds."""


@pytest.mark.parametrize(
    ("source", "language", "first", "last"),
    [(CUT, "c", 2, 13), (LABEL, "c", 3, 25), (COLUMN, "c", 4, 13), (WITHOUT_BRACE, "javascript", 2, 5)],
)
def test_a_body_that_a_grammar_stumbles_over_is_folded_or_stands_below_marks(
    source: bytes, language: str, first: int, last: int
) -> None:
    whole = PLAIN.replace(b"void plain(void)", b"function plain()") if language == "javascript" else PLAIN
    bodies = range(whole.count(b"\n") + first, whole.count(b"\n") + last + 1)
    every = skeletons(whole + source, Language.named(language))
    for one in (every.plus, every.skeleton):
        assert one.level is not CompressionLevel.FULL
        assert [line for line in untold(one) if line[0] in bodies] == []
    assert any(not number for number in every.plus.line_numbers)


def split_runs(skeleton: Skeleton, source: bytes, outline: Outline) -> list[int]:
    """The marks of a skeleton whose lines do not all belong to the same unit, or to none."""
    found = units_of(source, outline.definitions, skeleton)
    rows = [run.owner for run in found.runs for _ in range(run.first, run.end)]
    lines = skeleton.text.split("\n")
    return [
        first
        for first, last in runs_as_written(lines, skeleton.line_numbers)
        if any(rows[row] != rows[first] for row in range(first, last + 1))
    ]


@pytest.mark.parametrize("name", corpus_names())
def test_lines_below_a_mark_are_shown_together_with_it(name: str) -> None:
    language = Language.named(name)
    for case in read_cases(name):
        source = damaged(case.source.encode(), random.Random(f"{name}{case.title}"))
        every = skeletons(source, language)
        if every.outline is not None and every.outline.syntax_errors:
            assert split_runs(every.plus, source, every.outline) == []
            assert split_runs(every.skeleton, source, every.outline) == []


def test_what_is_kept_of_a_line_of_an_error_is_all_of_it() -> None:
    written = (PLAIN + CUT).decode().split("\n")
    every = skeletons(PLAIN + CUT, Language.named("c"))
    for one in (every.plus, every.skeleton):
        rows = [row for row in zip(one.text.split("\n"), one.line_numbers, strict=True) if row[1] > PLAIN.count(b"\n")]
        assert len(rows) > 8
        assert all(line == written[number - 1] for line, number in rows if "..." not in line)


def test_a_node_that_begins_behind_the_end_of_a_text_is_no_failure() -> None:
    source = b"*\n * This w\\\n\\\n"
    assert skeletons(source, Language.named("c")).full.text == source.decode()


def test_the_lines_of_a_text_are_known_from_any_place() -> None:
    rows = Rows(b"a\n  b c \n\n\t\n")
    assert rows.of(0) == rows.of(1) == (0, 0, 1, 1, 0)
    assert rows.of(6) == (2, 4, 7, 8, 2)
    assert rows.of(9) == (9, 9, 9, 9, 0)
    assert rows.of(10) == (10, 11, 10, 11, 1)
    assert rows.behind(rows.of(0)) == rows.of(2)
    assert rows.before(rows.of(2)) == rows.of(0)
    assert rows.before(rows.of(0)) is None
    assert rows.behind(rows.of(12)) is None
