from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from skeleton.index.records import OF_SKETCH, Aspect
from skeleton.index.worker import Batch, Task, perform
from skeleton.languages.headers import QueryFileError, language_names, read_header
from skeleton.languages.queries import Language
from skeleton.languages.sketches import TOP, patterns_of, sketch_patterns
from skeleton.outline.members import outline
from skeleton.outline.sketch import sketch_of
from tests.skeleton.corpus import read_cases
from workspace.cancellation import CallCancelledError, CancelToken, cancellable

if TYPE_CHECKING:
    from skeleton.outline.definitions import Definition

SKETCHED = tuple(name for name in language_names() if sketch_patterns(name) is not None)

IN_ANOTHER_PROCESS = """
import sys
from skeleton.index.records import OF_SKETCH
from skeleton.index.worker import Batch, Task, perform
perform(Batch("o200k_base", (Task(sys.argv[1], b"text", None, tuple(map(int, OF_SKETCH))),)))
print("tree_sitter" in sys.modules)
"""

LEAST_FOUND = {
    "bash": 0.6,
    "c": 0.7,
    "cpp": 0.8,
    "java": 0.8,
    "javascript": 0.6,
    "rust": 0.65,
    "swift": 0.8,
    "typescript": 0.7,
}
"""The share of the definitions of a corpus, which is made of what is hard to read, that a sketch finds; 0.9 of others."""

SOURCES = {
    "c": b"""#include <stdio.h>
#define LIMIT 10 /* at most */
#define TWICE(x) \\
    ((x) + (x))

/* A point. */
typedef struct point {
    int x, y;
    void (*moved)(struct point *p);
} point;

typedef struct { char *name; } named;

enum color { RED, /* { */
    GREEN
};

static const char *words[] = {
    "}", "{",
};

/* Adds. */
int add(int a,
        int b)
{
    if (a) { return b; }
    return a + b;
}
""",
    "dart": rb"""library shapes;

import 'a.dart'
    if (dart.library.io) 'b.dart'
    show Named, // }
        Other;
part 'shape.g.dart';

enum Kind { round, flat }

enum Planet implements Comparable<Planet> {
  /// The first {.
  mercury('}', mass: 1),
  @deprecated
  venus(
    '{',
    mass: 2,
  );

  const Planet(this.text, {required this.mass});
  final String text;
  final int mass;
}

/// A shape { of lines.
@immutable
@JsonSerializable(
  explicit: true,
)
abstract class Shape<T extends Object> extends Base<T>
    with Counted
    implements Named {
  /* int hidden; */
  static const int most = 100;
  static final rules = {
    'twice': 2,
  };
  final String owner, other;
  late final Map<String, List<int>>? counts = read(() {
    return {'a': [1]};
  })?.first;
  @JsonKey(
    name: 'done',
  )
  final void Function(int a, {String? b})? done;
  final void Function({
    required int times,
  }) again;
  final (int, String) pair;
  final closure = () {
    return 1;
  }();

  const Shape(
    this.owner, {
    this.done,
  })  : assert(owner != '{'),
        pair = (1, ''),
        super();
  Shape.empty() : counts = {} {
    draw();
  }
  const factory Shape.plain() = Plain<int>;
  factory Shape.of(Map<String, dynamic> json) => _$ShapeFromJson(json);

  @override
  String toString() => 'it\'s {$owner} ${json['}']} ${list.map((e) => '{$e').join("'")}';
  Map<String, int> toJson() => <String, int>{
        'a': 1,
      };
  Future<Map<String, List<T>>> run<A extends Map<A, T>>(
    A argument, {
    void Function(int)? done,
  }) async {
    void local() {}
    return r'\';
  }
  Stream<int> counted() async* {
    yield 1;
  }
  Future<
    Either<int, T>
  >
  either(int a) async => 1;
  T next(int step);
  bool operator ==(Object other) => other is Shape;
  void operator []=(int index, int value) {}
  int get length => 1;
  set length(int value) {
    count = value;
  }
  external int get native;
  untyped(a) {
  }
}

class Alias = Base with Counted;

base mixin Counted on Base {
  void count() {}
}

extension Words on String {
  bool get isWord => isEmpty;
}

extension on int? {
  int get twice => 2;
}

extension type const Id._(int value) implements int {
  Id.zero() : this._(0);
}

typedef Visitor<T> = void Function(T value, {int depth});
typedef int Old(int a);

const text = '''
class Hidden {
''';
var depth = 1;

void main(List<String> arguments) async {
  void local() {}
}

plain() => 1;
int get tight{
  return 1;
}
Future<void> close() async{
  await last();
}
external void last();
""",
    "go": b"""package a

// Limits.
const (
	Least = 1
	Most  = 2 // }
)

type Server struct {
	Name, Host string
	sync.Mutex
}

type Handler interface {
	Serve(w Writer) error
}

// Run runs.
func (s *Server) Run() error {
	if s == nil { // {
		return nil
	}
	return fmt.Errorf("} %s", s.Name)
}
""",
    "java": b"""package a;

/** A { shape. */
@Deprecated
public class Shape<T> implements Named {
    private static final int SIDES = 4;
    private final String text = "}";

    public Shape(int sides) {
        this(sides, "{");
    }

    /* int hidden; */
    @Override
    public String name() {
        return text;
    }

    enum Kind { ROUND, FLAT }
}
""",
    "kotlin": b"""package a

class Shape(val sides: Int) : Named {
    val text = \"\"\"
        fun hidden() {}
    \"\"\"

    override fun name(): String =
        "}"

    companion object {
        fun of(sides: Int) = Shape(sides)
    }
}
""",
    "python": b'''"""Not
def hidden(): ...
"""

LIMIT = 10

@decorated(
    1,
)
class Shape(Base):
    """Holds '\\'\\'\\'."""

    sides: int = 4

    # about the name
    async def name(self, of: str = "def x():") -> str:
        def local(): ...
        return of


def last():
    pass
''',
    "rust": b"""/// A shape { of lines.
#[derive(Debug)]
pub struct Shape<'a> {
    #[cfg(any(
        feature = "text",
    ))]
    pub text: &'a str,
}

impl<'a> Shape<'a> {
    pub const fn sides(&self) -> usize where Self: Sized {
        let brace = '{';
        r#"fn hidden() {}"#.len()
    }
}

/* fn hidden() {} */

mod inner {
    pub enum Kind { Round }
    pub fn f() -> u8 { 1 }
}
""",
    "typescript": b"""export interface Named { name: string }

/** A shape. */
export class Shape extends Base implements Named {
  private sides = 4;

  constructor(readonly text: string) {
    super(`class Hidden {`);
  }

  async draw(at: { x: number }): Promise<void> {
    if (at) { return; } // }
  }
}

export const area = (shape: Shape): number => {
  return shape.sides;
};
""",
}


def spans(language: str, text: str) -> dict[str, str]:
    """The text of each definition, by its qualified name."""
    return {one.path: text[one.start : one.end] for one in sketch(text.encode(), language)}


def sketch(source: bytes, language: str) -> tuple[Definition, ...]:
    patterns = sketch_patterns(language)
    assert patterns is not None
    return sketch_of(source, patterns)


@pytest.mark.parametrize("language", sorted(SOURCES))
def test_a_sketch_of_code_as_it_is_written_holds_the_definitions_of_its_outline(language: str) -> None:
    source = SOURCES[language]
    real = {one.name_start: one for one in outline(source, Language.named(language)).definitions}
    found = {one.name_start: one for one in sketch(source, language)}
    missing = {real[start].path for start in real.keys() - found.keys()}
    assert missing <= {
        "Shape.Kind.ROUND",
        "Shape.Kind.FLAT",
        "color.RED",
        "inner.Kind.Round",
        "Named.name",
        "named.name",
    }
    assert not {found[start].path for start in found.keys() - real.keys()}
    for start in found.keys() & real.keys():
        assert found[start].end == real[start].end, real[start].path
        assert found[start].container == real[start].container
        assert found[start].start == real[start].start, real[start].path


@pytest.mark.parametrize("language", SKETCHED)
def test_a_sketch_finds_most_of_what_is_hard_to_read(language: str) -> None:
    found = real = 0
    for case in read_cases(language):
        source = case.source.encode()
        names = {one.name_start for one in outline(source, Language.named(case.language)).definitions}
        real += len(names)
        found += len(names & {one.name_start for one in sketch(source, language)})
    assert found >= LEAST_FOUND.get(language, 0.9) * real


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("python", "a = '''\nb = 1\n\"\"\"\n'''\nc = 2\n", ["a", "c"]),
        ("python", "a = \"'''\"  # '''\nb = 1\n# it's '''\nc = 2\n", ["a", "b", "c"]),
        ("python", "a = 1\nx('''\nb = 2\n", ["a", "b"]),
        ("python", "if __name__ == '__main__':\n    def f(): ...\nif x:\n    def g(): ...\n", ["g"]),
        ("kotlin", 'val a = """\nval b = 1\n"""\n/*\nval c = 1\n*/\nval d = 1 // "\nval e = 2\n', ["a", "d", "e"]),
        ("java", 'class A { // /*\n  String a = "/*";\n  int b;\n  /* int c; */\n}\n', ["A", "A.a", "A.b"]),
        (
            "dart",
            "var a = '${b ? '{' : \"'\"}';\nvar c = r'\\';\nvar d = '''\nvar e;\n''';\nvar f;\n",
            ["a", "c", "d", "f"],
        ),
        (
            "dart",
            "class A {\n  // var b;\n  /* var c;\n  var d; */\n  var e = '//';\n  f() => '/*';\n}\n",
            ["A", "A.e", "A.f"],
        ),
        (
            "dart",
            "import 'a.dart'\n    show\n  A;\nb() {\n  var c;\n  d() {}\n}\nint e() => f(\n  g(1),\n);\n",
            ["b", "e"],
        ),
        ("javascript", "const a = `\nconst b = 1;\n`;\nconst c = /[`]/;\nconst d = 1;\n", ["a", "c", "d"]),
        ("javascript", "describe('x', () => {\n  const a = 1;\n});\nif (x) {\n  var b = 2;\n}\n", ["b"]),
    ],
)
def test_hidden_texts_hold_no_definitions(language: str, text: str, names: list[str]) -> None:
    assert [one.path for one in sketch(text.encode(), language)] == names


def test_ends_with_and_without_braces() -> None:
    assert spans("python", "def f():\n    return '''\nx\n'''  # c\n\n# d\nx = (\n    1,\n)\n") == {
        "f": "def f():\n    return '''\nx\n'''  # c",
        "x": "x = (\n    1,\n)",
    }
    kotlin = spans(
        "kotlin",
        "class A(\n  val x: Int,\n) : B(),\n  C {\n  val y: Int\n    get() = 1\n  fun f() =\n    g {\n    }\n}\n",
    )
    assert kotlin["A"].endswith("{\n    }\n}")
    assert kotlin["A.y"] == "val y: Int"
    assert kotlin["A.f"] == "fun f() =\n    g {\n    }"
    assert spans("javascript", "const f = (a) => {\n  a();\n};\nlet b = 1\nlet c = 2\n") == {
        "f": "const f = (a) => {\n  a();\n};",
        "b": "let b = 1",
        "c": "let c = 2",
    }


def test_containers_that_stand_in_one_another() -> None:
    text = "class A {\n  enum E { X, Y;\n    int z;\n  }\n  interface I {\n    void f();\n  }\n  int g() { return 1; }\n}\n"
    assert [one.path for one in sketch(text.encode(), "java")][-3:] == ["A.I", "A.I.f", "A.g"]
    text = "class A:\n    class B:\n        def f(self): ...\n    def g(self): ...\ndef h(): ...\n"
    assert [(one.kind, one.path) for one in sketch(text.encode(), "python")] == [
        ("class", "A"),
        ("class", "A.B"),
        ("method", "A.B.f"),
        ("method", "A.g"),
        ("function", "h"),
    ]


def test_decorators_over_several_lines_and_docs_belong_to_a_definition() -> None:
    text = "@a(\n    1,\n)\n@b\ndef f(): ...\n"
    assert [one.start for one in sketch(text.encode(), "python")] == [0]
    text = "class A {\n  /** Doc. */\n  // aside\n  @B(\n      1)\n  void f() {}\n}\n"
    assert [text[one.start :][:5] for one in sketch(text.encode(), "java")] == ["class", "/** D"]


@pytest.mark.parametrize("language", ["java", "typescript", "kotlin"])
def test_a_brace_on_a_line_of_its_own_opens_a_block(language: str) -> None:
    assert [one.path for one in sketch(b"class A\n{\n  class B\n  {\n  }\n}\n", language)] == ["A", "A.B"]


@pytest.mark.parametrize("language", SKETCHED)
def test_what_is_damaged_has_a_sketch_whose_places_lie_in_it(language: str) -> None:
    whole = b"\n".join(case.source.encode() for case in read_cases(language))
    for cut in range(0, len(whole), max(1, len(whole) // 60)):
        for source in (whole[:cut], whole[cut:]):
            for one in sketch(source, language):
                assert 0 <= one.start <= one.signature <= one.name_start < one.end <= len(source)
                assert one.signature <= one.body <= one.end
                assert source[one.name_start :].startswith(one.name.encode()[:1])


@pytest.mark.parametrize("language", SKETCHED)
def test_no_definition_ends_later_than_what_it_stands_in(language: str) -> None:
    for case in read_cases(language):
        outer: list[Definition] = []
        for one in sketch(case.source.encode(), language):
            while outer and outer[-1].end <= one.signature:
                outer.pop()
            assert not outer or one.end <= outer[-1].end, (case.title, outer[-1], one)
            outer.append(one)


@pytest.mark.parametrize(
    ("language", "source", "names"),
    [
        ("rust", b"// fn a() {}\n    // fn b() {}\n\t/// fn c() {}\nfn d() {}\n// fn e() {}", ["d"]),
        ("python", b"# class A:\n    # class B:\nclass C:\n    pass\n", ["C"]),
        ("go", b"/** func a() {\n * **/ \nfunc b() {}\n/*/ func c() {} /**/\nfunc d() {}\n", ["b", "d"]),
        ("python", b'a = """ ""\ndef b(): pass\n"""\ndef c(): pass\n', ["a", "c"]),
        (
            "c",
            b"char *a = \"\\\\\";\nint b(void) { return '{'; }\n// int c(void) {\n // {\nint d(void) { }\n",
            ["a", "b", "d"],
        ),
        ("cpp", b'auto a = R"(\n}; int b() {\n)";\nint c() { return 0; }\n', ["a", "c"]),
    ],
)
def test_comments_and_quoted_texts_hold_no_definitions(language: str, source: bytes, names: list[str]) -> None:
    assert [one.name for one in sketch(source, language)] == names


@pytest.mark.parametrize("language", SKETCHED)
@pytest.mark.parametrize(
    "line",
    [b"a a a a(", b"class a:", b"{", b"}", b"/*", b'"""', b"'", b"@a(", b"a<a<a<", b"= (", b"<script>", b"let {"],
)
def test_lines_that_are_made_to_hurt_take_time_by_their_number_alone(language: str, line: bytes) -> None:
    """A search that begins anew for each of these lines would take minutes for so many of them."""
    source = (line + b"\n") * (200_000 // (len(line) + 1))
    ended = threading.Event()

    def work() -> None:
        sketch(source, language)
        ended.set()

    threading.Thread(target=work, daemon=True).start()
    assert ended.wait(60)


def test_nothing_is_looked_for_when_nobody_waits_any_more() -> None:
    token = CancelToken()
    token.give_up()
    with cancellable(token), pytest.raises(CallCancelledError):
        sketch(SOURCES["python"], "python")


@pytest.mark.parametrize(
    "header",
    ["sketch: function", "sketch: function (", "sketch: function a\n; sketch blocks: heaps", "sketch embeds: vue"],
)
def test_headers_that_cannot_be_read_are_refused_with_the_name_of_their_file(header: str) -> None:
    def read() -> None:
        patterns = patterns_of(read_header(f"; {header}\n", "brand"), "brand")
        assert patterns is not None
        patterns.inside(TOP)

    with pytest.raises(QueryFileError, match=r"^brand\.scm: "):
        read()


@pytest.mark.parametrize(("path", "is_loaded"), [("a.md", False), ("a.txt", False), ("a.py", False), ("a.rb", True)])
def test_a_parser_is_loaded_for_the_sketches_of_code_without_patterns_alone(path: str, *, is_loaded: bool) -> None:
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS, path]
    printed = subprocess.run(command, cwd=Path(__file__).parents[2], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == str(is_loaded)


@pytest.mark.parametrize("path", ["a.md", "a.json", "a.txt", "notes"])
def test_what_is_no_code_has_the_same_words_and_survey_beside_what_takes_a_parser(path: str) -> None:
    source = b"# Title\n\nCall `the_function` twice.\n"

    def found(*aspects: Aspect) -> dict[int, bytes]:
        return perform(Batch("o200k_base", (Task(path, source, None, tuple(map(int, aspects))),)))[0]

    alone = found(*OF_SKETCH)
    assert alone.items() <= found(*OF_SKETCH, Aspect.OUTLINE).items()
    assert set(alone) == set(OF_SKETCH)


SCRIPTS = """<!-- <script>const hidden = 1;</script> -->
<template><p>{{ "const shown = 1" }}</p></template>
<script lang="ts">
export interface Item {
  name: string
}
</script>
<script setup lang="ts" generic="T extends Record<string, Item>">
const props = defineProps<{
  items: T[]
}>();
let { first, ...rest } = $props();

/** Counts. */
function count(items: T[]): number {
  return items.length;
}
</script>
<script>
let plain = 1;
"""


@pytest.mark.parametrize("language", ["vue", "svelte"])
def test_a_component_has_the_definitions_of_its_scripts_in_their_places(language: str) -> None:
    found = sketch(SCRIPTS.encode(), language)
    assert [one.path for one in found] == ["Item", "Item.name", "count", "plain"]
    for one in found:
        assert SCRIPTS[one.name_start :].startswith(one.name)
    assert SCRIPTS[found[2].start : found[2].end].startswith("/** Counts. */\nfunction count(items: T[]): number {")
    ended = SCRIPTS[: SCRIPTS.index("<script>\nlet")]
    real = {one.name_start: one for one in outline(ended.encode(), Language.named(language)).definitions}
    assert {one.name_start: one._replace(body=0) for one in found[:3]} == {
        at: one._replace(body=0) for at, one in real.items()
    }


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_type_of_functions_is_called_by_its_name_and_not_by_what_they_give(language: str) -> None:
    source = "typedef int (WSAAPI* LPFN_RECEIVE)\n    (int socket);\ntypedef void (PASCAL *LPFN_END)(int);\ntypedef int file_t;\n"
    assert [one.name for one in sketch(source.encode(), language)] == ["LPFN_RECEIVE", "LPFN_END", "file_t"]


def test_signatures_of_dart_end_before_an_arrow_what_is_initialised_and_a_semicolon() -> None:
    text = """class A {
  final int a;
  static const b = 1;
  A(this.a) : c = 1, super();
  A.named() : c = {} {
    d();
  }
  factory A.other() = B;
  int e() => 1;
  Future<int> f() async => 1;
  Stream<int> g() async* {
  }
  int get h => 1;
  int i(int a);
}
"""
    assert [text[one.signature : one.body] for one in sketch(text.encode(), "dart")] == [
        "class A",
        "final int a",
        "static const b",
        "A(this.a)",
        "A.named()",
        "factory A.other() = B",
        "int e()",
        "Future<int> f() async",
        "Stream<int> g() async*",
        "int get h",
        "int i(int a)",
    ]


def test_values_of_dart_go_on_behind_their_blocks() -> None:
    a = "a() => <int>{\n      1,\n    };"
    b = "var b = () {\n  c();\n}();"
    d = "var d = e\n    ? {\n  1,\n}\n    : {2};"
    assert spans("dart", f"{a}\n{b}\n{d}\n") == {"a": a, "b": b, "d": d}
    field = "final f = G<int,\n      int>();"
    assert spans("dart", f"class A {{\n  {field}\n}}\n")["A.f"] == field


def test_members_in_the_line_of_their_enumeration_are_found() -> None:
    source = "enum A { b, c }\nenum D {\n  e, f;\n\n  int g() => 1;\n}\nenum H { i, j; int k() => 1; }\n"
    found = sketch(source.encode(), "dart")
    assert [one.path for one in found] == ["A", "A.b", "A.c", "D", "D.e", "D.f", "D.g", "H", "H.i", "H.j"]
    assert [source[one.start : one.end] for one in found if one.kind == "member"] == ["b", "c", "e", "f", "i", "j"]


def test_definitions_of_dart_have_the_kinds_of_their_outline() -> None:
    real = {one.name_start: one.kind for one in outline(SOURCES["dart"], Language.named("dart")).definitions}
    assert {one.name_start: one.kind for one in sketch(SOURCES["dart"], "dart")} == real
