"""The output of a language's own parser is read line by line, and what is no such line is refused."""

from __future__ import annotations

import shlex
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from benchmarks.skeletons.corpus import CorpusFile
from benchmarks.skeletons.languages import LANGUAGES
from benchmarks.skeletons.parser_reading import ParserError, commands, read_with_parser
from benchmarks.skeletons.references import Role
from benchmarks.zoom.parser_spans import parser_spans
from tests.server.pipes import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

PARSERS = REPOSITORY / "benchmarks" / "skeletons" / "parsers"

JAVA = """\
package a;

/** Müll. */
@Deprecated
public class Bin<T> {
  static final int MOST = 3, LEAST = 1;
  int held; // how much

  /** Makes one. */
  public Bin() {}

  <R> R empty(R into) {
    class Local {}
    return new Object() { R also() { return into; } }.also();
  }

  enum Kind { WET { int dry() { return 1; } }, DRY; }

  record Place(int x, int y) {
    static int places = 0;
  }

  interface Emptied { int NEVER = 0; void by(Bin<?> bin); }
}
"""

GO = """\
package a

// Bin holds.
type Bin[T any] struct {
	held int
	inner struct{ most, least int }
	*Kind
}

type (
	Kind int // of what
	Emptied interface {
		By(bin Bin[int])
		error
	}
)

const Most, _ = 1, 2

func (b *Bin[T]) Empty() { type Local int }

func New() int { return 1 }
"""


def read(tmp_path: Path, command: str, name: str, text: str) -> list[tuple[str, str, str, int, str]]:
    place = tmp_path / name
    place.write_text(text, encoding="utf-8")
    file = CorpusFile(absolute=place, path=f"a/{name}", source=text.encode())
    (found,) = read_with_parser(command, [file])
    assert found is not None
    return [
        (
            one.role.value,
            ".".join((*one.container, one.name)),
            one.kind,
            one.line,
            text.encode()[one.start : one.end].decode(),
        )
        for one in found
    ]


def answering(text: str) -> str:
    return shlex.join([sys.executable, "-c", f"import sys; path = input(); print({text!r}.replace('PATH', path))"])


@pytest.mark.long  # a Java program is compiled first, which takes two seconds
@pytest.mark.skipif(not shutil.which("javac"), reason="needs a JDK")
def test_javac_tells_what_stands_outside_of_bodies(tmp_path: Path) -> None:
    found = read(tmp_path, f"java {PARSERS / 'JavaReading.java'}", "Bin.java", JAVA)
    assert [one[:4] for one in found] == [
        ("type", "Bin", "class", 5),
        ("constant", "Bin.MOST", "field", 6),
        ("constant", "Bin.LEAST", "field", 6),
        ("member", "Bin.held", "field", 7),
        ("function", "Bin.Bin", "constructor", 10),
        ("function", "Bin.empty", "method", 12),
        ("type", "Bin.Kind", "enum", 17),
        ("member", "Bin.Kind.WET", "enum constant", 17),
        ("member", "Bin.Kind.DRY", "enum constant", 17),
        ("type", "Bin.Place", "record", 19),
        ("member", "Bin.Place.places", "field", 20),
        ("type", "Bin.Emptied", "interface", 23),
        ("constant", "Bin.Emptied.NEVER", "field", 23),
        ("function", "Bin.Emptied.by", "method", 23),
    ]
    assert found[0][4].startswith("@Deprecated\npublic class Bin<T> {")
    assert found[4][4] == "public Bin() {}"


@pytest.mark.long  # a Go program is compiled first
@pytest.mark.skipif(not shutil.which("go"), reason="needs Go")
def test_go_tells_what_stands_outside_of_bodies(tmp_path: Path) -> None:
    found = read(tmp_path, f"go run {PARSERS / 'go_reading.go'}", "bin.go", GO)
    assert [one[:3] for one in found] == [
        ("type", "Bin", "struct"),
        ("member", "Bin.held", "field"),
        ("member", "Bin.inner", "field"),
        ("member", "Bin.inner.most", "field"),
        ("member", "Bin.inner.least", "field"),
        ("member", "Bin.Kind", "field"),
        ("type", "Kind", "type"),
        ("type", "Emptied", "interface"),
        ("function", "Emptied.By", "method"),
        ("constant", "Most", "const"),
        ("function", "Bin.Empty", "method"),
        ("function", "New", "func"),
    ]
    assert found[-1][4] == "func New() int { return 1 }"


def test_lines_of_a_parser_become_definitions_by_position(tmp_path: Path) -> None:
    later, first = "function\tfunc\t\tb\t3\t9\t14", "type\tstruct\tp.q\ta\t1\t0\t7"
    place = tmp_path / "a.go"
    place.write_text("type a\n\nfunc b\n", encoding="utf-8")
    file = CorpusFile(absolute=place, path="x/a.go", source=place.read_bytes())
    command = answering("\n".join(f"PATH\t{line}" for line in (later, first)))
    (found,) = read_with_parser(command, [file])
    assert found is not None
    assert [(one.role, one.reference.path, one.line) for one in found] == [
        (Role.TYPE, "p.q.a", 1),
        (Role.FUNCTION, "b", 3),
    ]
    (spans,) = parser_spans([file], LANGUAGES["go"], command)
    assert [(one.asked, one.first, one.last) for one in spans if not isinstance(one, str)] == [
        ("p.q.a", 1, 1),
        ("b", 3, 3),
    ]


def test_a_file_that_a_parser_cannot_read_is_told(tmp_path: Path) -> None:
    file = CorpusFile(absolute=tmp_path / "a.go", path="x/a.go", source=b"")
    assert read_with_parser(answering("PATH\t-"), [file]) == [None]


@pytest.mark.parametrize("command", [answering("hello"), answering("PATH\tfunction\tb"), "no-such-parser", "false"])
def test_what_is_no_parser_is_refused_with_what_it_answered(tmp_path: Path, command: str) -> None:
    file = CorpusFile(absolute=tmp_path / "a.go", path="x/a.go", source=b"")
    with pytest.raises(ParserError):
        read_with_parser(command, [file])


def test_a_parser_is_named_with_its_language() -> None:
    assert commands(["go=go run x.go", "java=java A=B"]) == {"go": "go run x.go", "java": "java A=B"}
    with pytest.raises(ParserError):
        commands(["cobol=x"])
