from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from skeleton.index.records import OF_SKETCH, Aspect
from skeleton.index.worker import Batch, Task, perform
from skeleton.languages.headers import QueryFileError, read_header
from skeleton.languages.queries import Language
from skeleton.languages.sketches import TOP, patterns_of, sketch_patterns
from skeleton.outline.outlining import outline
from tests.skeleton.corpus import read_cases
from tests.skeleton.sketching import MADE_TO_HURT, MOST_SECONDS, SKETCHED, SOURCES, beginning, seconds_of, sketch, spans
from workspace.cancellation import CallCancelledError, CancelToken, cancellable

if TYPE_CHECKING:
    from skeleton.outline.definitions import Definition

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
    "csharp": 0.8,
    "java": 0.8,
    "javascript": 0.6,
    "nix": 0.8,
    "php": 0.8,
    "powershell": 0.8,
    "rust": 0.65,
    "swift": 0.8,
    "typescript": 0.7,
}
"""The share of the definitions of a corpus, which is made of what is hard to read, that a sketch finds; 0.9 of others."""


@pytest.mark.parametrize("language", sorted(SOURCES))
def test_a_sketch_of_code_as_it_is_written_holds_the_definitions_of_its_outline(language: str) -> None:
    source = SOURCES[language]
    real = {one.name_start: one for one in outline(source, Language.named(language)).definitions}
    found = {one.name_start: one for one in sketch(source, language)}
    missing = {real[start].path for start in real.keys() - found.keys()}
    assert missing <= {
        "Shape.Kind.ROUND",
        "Shape.Kind.FLAT",
        "A.B.Shape.Kind.ROUND",
        "A.B.Shape.Kind.FLAT",
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
        ("erlang", 'a() -> [$", $(, $\\"].\nb() -> "\nc() -> x\n".\n% d() -> "\n\'e f\'() -> 1.\n', ["a", "b", "e f"]),
        ("elixir", '@a """\n@b 1\n"""\n@c ~S(\n@d "\n)\n@e "\n@f 1"\n@g 1\n', ["a", "c", "e", "g"]),
        ("elixir", "@a 'it\\'s'\n@b [?', ?\", ?(]\n# it's @c \"\n@d ~s|\"|\n@e ~w(x y)\n", ["a", "b", "d", "e"]),
        ("elixir", '@a ~s(#{f("(")} ")\n@b ~r/\\/"/\n@c "#{d("e")} #"\n@f 1\n', ["a", "b", "c", "f"]),
        ("elixir", "@a\n|> f()\n@b == 1\n@doc false\n@spec c(d) :: e\n@f -1\n", ["f"]),
        ("powershell", '$a = @"\n$b = "\n"@\n<#\n$c = 1\n#>\n$d = "`"{" # "\nfunction e { }\n', ["a", "d", "e"]),
        ("kotlin", 'val a = """\nval b = 1\n"""\n/*\nval c = 1\n*/\nval d = 1 // "\nval e = 2\n', ["a", "d", "e"]),
        ("java", 'class A { // /*\n  String a = "/*";\n  int b;\n  /* int c; */\n}\n', ["A", "A.a", "A.b"]),
        ("csharp", 'string a() {\n}\nvar b = @"c:\\";\nvar c = @"\nclass D { ""\n";\nclass E { }\n', ["a", "E"]),
        ("csharp", 'var a = $@"{b} ""\nclass C {";\nvar d = \'"\';\nclass E { }\n', ["E"]),
        ("csharp", 'var a = """\n  class B { "c"\n  """;\nvar d = "";\nclass E { }\n', ["E"]),
        ("csharp", "class A\n{\n    // int b;\n#region don't {\n    int c;\n#endregion\n}\n", ["A", "A.c"]),
        ("csharp", "if (a)\n{\n    void B() { }\n}\nc.D(() =>\n{\n    void E() { }\n});\nvoid F() { }\n", ["F"]),
        (
            "scala",
            'val a = """\nval b = 1\n""""\n/* /* */\nval c = 1\n*/\nval d = s"${x("\\"")}" // "\nval e = 2\n',
            ["a", "d", "e"],
        ),
        (
            "scala",
            "test(x) {\n  val a = 1\n}\nif x then\n  val b = 2\nelse\n  val c = 3\ndef d = '\"'\nval e = 1\n",
            ["d", "e"],
        ),
        ("php", "class A {}\n<?php\nclass B {}\n?>\nclass C {}\n<?php\nclass D {}\n?>\nclass E {\n", ["B", "D"]),
        ("php", "class A {}\n", []),
        ("php", "<?php // it's ?>\n<p>it's\nclass A {}\n<?php\nclass B {} # it's\nclass C {}\n", ["B", "C"]),
        ("php", "<?php\n$a = 'it\\'s\nclass A {}\n';\n$b = \"\nfunction b() {}\n\";\nfunction c() {}\n", ["c"]),
        ("php", "<?php\nf(<<<'X'\n  class A {}\n  '\n  X, 1);\nfunction a() {}\n", ["a"]),
        ("php", '<?php\nf(<<<X\r\nclass A {}\r\n"\r\nX);\r\nfunction a() {}\r\n', ["a"]),
        ("php", "<?php\nnamespace A {\n  class B {}\n}\nnamespace {\n  define('C', 1);\n}\n", ["A", "A.B", "C"]),
        (
            "php",
            "<?php\nclass A {\n  var $b = [',', $c], $d;\n  const E = 'F = 1', G = 2;\n}\n",
            ["A", "A.b", "A.d", "A.E", "A.G"],
        ),
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
        ("lua", "a = '--[['\nb = [[\nc = 1\n]] .. ']]'\nd = 2 --[==[\ne = 3 ]]\n]==]\nf = 4\n", ["a", "b", "d", "f"]),
        ("lua", "a = 1\nf([[\nb = 2\n--[[\nc = 3\n", ["a", "b", "c"]),
        ("lua", "a = '\\'--[['\n---[[ a line\nb = 1 -- ]]\nt[u[1]] = 2\nc = 3\n", ["a", "b", "c"]),
        ("lua", "f(function(a) g()\n  function h() end\nend)\nf(\n  1, 2)\nfunction i() end\n(g)(\n)\n", ["i"]),
        (
            "lua",
            "for a in b do\n  function c() end\nend\nf {\n  d = function() end,\n}\nreturn {\n  e = function() end,\n}\n",
            ["e"],
        ),
        ("javascript", "describe('x', () => {\n  const a = 1;\n});\nif (x) {\n  var b = 2;\n}\n", ["b"]),
        ("ruby", "A = [<<~X, 1]\n  B = 1\n  X\nC = 2\n", ["A", "C"]),
        ("ruby", "A = <<-'X'.b # \"\nB = 1\n  XY\n  X\nC = 2\n", ["A", "C"]),
        ("ruby", "A = <<~X\nB = 1\n", ["A", "B"]),
        ("ruby", "class A\n  class << self\n    B = 1\n  end\n  x <<A\n  C = 2\nend\n", ["A", "A.B", "A.C"]),
        ("ruby", "A = 1\n=begin\nB = 1\n=end\nC = \"#{D}\" # '\nE = 2 # '\n", ["A", "C", "E"]),
        ("ruby", "A = /[\"'(]/\nB = 4 / 2 # /\nC = x /2\nD = %w[# a]\n", ["A", "B", "C", "D"]),
        ("ruby", "A = 1\n__END__\nB = 1\nclass C\nend\n", ["A"]),
        ("ruby", "a = Class.new do\n  B = 1\nend\nwhile a\n  C = 1\nend\nif a\n  D = 1\nend\n", ["D"]),
        ("ruby", "if $0 == __FILE__\n  A = 1\nend\nB = 2 unless defined?(B)\nC == 3\nD => 4\n", []),
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
    assert spans(
        "php",
        "<?php\nclass A {\n  public $b = [\n    1,\n  ]; // b\n  /** @var int */ public $c {\n    get => 1;\n  }\n"
        "  #[D] abstract function d(): ?int;\n  function e(): int{\n    return 1;\n  }\n  function f() {}\n}\n"
        "define('G', g(1,\n  2));\n$h = new class {\n};\n",
    ) == {
        "A": "class A {\n  public $b = [\n    1,\n  ]; // b\n  /** @var int */ public $c {\n    get => 1;\n  }\n"
        "  #[D] abstract function d(): ?int;\n  function e(): int{\n    return 1;\n  }\n  function f() {}\n}",
        "A.b": "public $b = [\n    1,\n  ];",
        "A.c": "/** @var int */ public $c {\n    get => 1;\n  }",
        "A.d": "#[D] abstract function d(): ?int;",
        "A.e": "function e(): int{\n    return 1;\n  }",
        "A.f": "function f() {}",
        "G": "define('G', g(1,\n  2));",
        "h": "$h = new class {\n};",
    }


def test_braces_behind_a_word_are_the_block_of_a_method_or_the_value_of_a_member() -> None:
    constructor = "A::A(int b, int c) : b{b},\n  c{c} {\n  d();\n}"
    assert spans("cpp", f"{constructor}\nint e() {{ return 1; }}\n") == {
        "A.A": constructor,
        "e": "int e() { return 1; }",
    }
    assert spans("php", "<?php\nfunction a(): int{ return 1; }\nfunction b() {}\n") == {
        "a": "function a(): int{ return 1; }",
        "b": "function b() {}",
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
    text = "class A\n{\n    /// Doc.\n    // aside\n    [B(\n        1)]\n    void F() { }\n}\n"
    assert [text[one.start :][:7] for one in sketch(text.encode(), "csharp")] == ["class A", "/// Doc"]


@pytest.mark.parametrize("language", ["java", "php", "typescript", "kotlin", "csharp"])
def test_a_brace_on_a_line_of_its_own_opens_a_block(language: str) -> None:
    source = beginning(language) + b"class A\n{\n  class B\n  {\n  }\n}\n"
    assert [one.path for one in sketch(source, language)] == ["A", "A.B"]


@pytest.mark.parametrize("language", SKETCHED)
def test_what_is_damaged_has_a_sketch_whose_places_lie_in_it(language: str) -> None:
    whole = b"\n".join(case.source.encode() for case in read_cases(language))
    patterns = sketch_patterns(language)
    marks = patterns.marks.encode() if patterns else b""
    for cut in range(0, len(whole), max(1, len(whole) // 60)):
        for source in (whole[:cut], whole[cut:]):
            for one in sketch(source, language):
                assert 0 <= one.start <= one.signature <= one.name_start < one.end <= len(source)
                assert one.signature <= one.body <= one.end
                assert source[one.name_start :].lstrip(marks).startswith(one.name.encode()[:1])


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
        ("csharp", b"/* class A { */\nclass B\n{\n    char c = '\\'';\n    char d = '\"';\n}\n", ["B", "c", "d"]),
        ("cpp", b'auto a = R"(\n}; int b() {\n)";\nint c() { return 0; }\n', ["a", "c"]),
        ("ruby", b"# class A\n  # class B; end\nclass C # class D\n  # def e; end\nend\n", ["C"]),
        ("ruby", b"it 'a \"b\" do' do\n  it 'c' do\n  end\nend\nit 'd'\ntest(\"e\") {\n}\n", ['a "b" do', "e"]),
    ],
)
def test_comments_and_quoted_texts_hold_no_definitions(language: str, source: bytes, names: list[str]) -> None:
    assert [one.name for one in sketch(source, language)] == names


@pytest.mark.parametrize(
    ("language", "source", "names"),
    [
        ("rust", 'const A: &str = "%s";\nfn b() {}\nconst C: &str = "fn d() {}";\n', ["A", "b", "C"]),
        ("rust", 'const A: &str = r"%s";\nfn b() {}\nconst C: &str = "fn d() {}";\n', ["A", "b", "C"]),
        ("rust", 'const A: &str = "\n\\"%s\\"\n";\nfn b() {}\nconst C: &str = "fn d() {}";\n', ["A", "b", "C"]),
        ("bash", 'A="%s"\nb() {\n}\nC="\nd() {\n}\n"\n', ["A", "b", "C"]),
        ("bash", "A='%s'\nb() {\n}\nC='\nd() {\n}\n'\n", ["A", "b", "C"]),
    ],
)
def test_a_text_may_be_long(language: str, source: str, names: list[str]) -> None:
    long = "It goes on.\n" * 1000
    assert [one.name for one in sketch((source % long).encode(), language)] == names


@pytest.mark.parametrize("language", SKETCHED)
@pytest.mark.parametrize(
    "line",
    [
        b"a a a a(",
        b"class a:",
        b"{",
        b"}",
        b"/*",
        b'"""',
        b"'",
        b"@a(",
        b"a<a<a<",
        b"= (",
        b"[a] [",
        b"<script>",
        b"let {",
        b"a <<A",
        b"<<<A",
        b"?>",
    ],
)
def test_lines_that_are_made_to_hurt_take_time_by_their_number_alone(language: str, line: bytes) -> None:
    """A search that begins anew for each of these lines would take minutes for so many of them."""
    source = beginning(language) + (line + b"\n") * (MADE_TO_HURT // (len(line) + 1))
    assert seconds_of(source, language) < MOST_SECONDS


@pytest.mark.parametrize("language", SKETCHED)
@pytest.mark.parametrize("text", [b'\\"', b"\\'", b"\\`", b'"\\', b"'\\"])
def test_a_long_line_of_quotes_takes_time_by_its_length_alone(language: str, text: bytes) -> None:
    source = beginning(language) + text * (MADE_TO_HURT // len(text))
    assert seconds_of(source, language) < MOST_SECONDS


def test_nothing_is_looked_for_when_nobody_waits_any_more() -> None:
    token = CancelToken()
    token.give_up()
    with cancellable(token), pytest.raises(CallCancelledError):
        sketch(SOURCES["python"], "python")


@pytest.mark.parametrize(
    "header",
    [
        "sketch: function",
        "sketch: function (",
        "sketch: function a\n; sketch blocks: heaps",
        "sketch: function a\n; sketch arrow: ->",
        "sketch embeds: vue",
    ],
)
def test_headers_that_cannot_be_read_are_refused_with_the_name_of_their_file(header: str) -> None:
    def read() -> None:
        patterns = patterns_of(read_header(f"; {header}\n", "brand"), "brand")
        assert patterns is not None
        patterns.inside(TOP)

    with pytest.raises(QueryFileError, match=r"^brand\.scm: "):
        read()


@pytest.mark.parametrize(("path", "is_loaded"), [("a.md", False), ("a.txt", False), ("a.py", False), ("a.hs", True)])
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
