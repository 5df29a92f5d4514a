"""Definitions that the patterns of single languages find, and their ends."""

from __future__ import annotations

import pytest

from skeleton.languages.queries import Language
from skeleton.outline.outlining import outline
from tests.skeleton.sketching import MADE_TO_HURT, MOST_SECONDS, SOURCES, seconds_of, sketch, spans


def test_a_body_behind_a_sign_of_its_own_ends_with_its_statement() -> None:
    text = (
        "class A\n{\n    int B => C = 1;\n    public int D { get; set; } = 3;\n    Func<int> E = () => { return 1; };\n"
        '    string F(int a) => a switch\n    {\n        1 => "}",\n        _ => null,\n    };\n'
        "    bool G() => H is { } g\n        ? g\n        : I;\n    Action J() => () =>\n    {\n        K();\n    };\n"
        "    int this[int at] => at;\n    A() => L();\n    int M\n    {\n        get => 1;\n    }\n"
        "    public static A operator +(A a, A b) =>\n        a;\n    int N() { return 1; }\n};\n"
    )
    found = sketch(text.encode(), "csharp")
    assert {one.name: text[one.start : one.end] for one in found if one.kind != "class"} == {
        "B": "int B => C = 1;",
        "D": "public int D { get; set; } = 3;",
        "E": "Func<int> E = () => { return 1; };",
        "F": 'string F(int a) => a switch\n    {\n        1 => "}",\n        _ => null,\n    };',
        "G": "bool G() => H is { } g\n        ? g\n        : I;",
        "J": "Action J() => () =>\n    {\n        K();\n    };",
        "this": "int this[int at] => at;",
        "A": "A() => L();",
        "M": "int M\n    {\n        get => 1;\n    }",
        "+": "public static A operator +(A a, A b) =>\n        a;",
        "N": "int N() { return 1; }",
    }
    assert [text[one.signature : one.body] for one in found] == [
        "class A",
        "int B",
        "public int D",
        "Func<int> E",
        "string F(int a)",
        "bool G()",
        "Action J()",
        "int this[int at]",
        "A()",
        "int M",
        "public static A operator +(A a, A b)",
        "int N()",
    ]
    real = outline(text.encode(), Language.named("csharp")).definitions
    assert [(one.start, one.end, one.body) for one in found] == [(one.start, one.end, one.body) for one in real]


def test_ends_of_what_ends_with_a_word() -> None:
    assert spans(
        "ruby", "def a\n  1\nrescue B\n  2\nensure\n  3\nend if c # d\n\ndef e; end # f\ndef g = h(\n  1\n)\n"
    ) == {
        "a": "def a\n  1\nrescue B\n  2\nensure\n  3\nend if c",
        "e": "def e; end",
        "g": "def g = h(\n  1\n)",
    }
    assert spans(
        "ruby", "A = if b\n  1\nelse\n  2\nend\nC = d do\n  1\nend.e\nF = <<~G.h\n  1\nG\nI = /\n  a\n/x\n"
    ) == {
        "A": "A = if b\n  1\nelse\n  2\nend",
        "C": "C = d do\n  1\nend.e",
        "F": "F = <<~G.h\n  1\nG",
        "I": "I = /\n  a\n/x",
    }


def test_a_line_that_ends_what_is_around_a_definition_is_no_part_of_it() -> None:
    found = spans(
        "ruby", "module A\n  B = Class.new(C)\nend\nmodule D\n  def e() = 1\nend\nmodule F\n  attr_reader :g\nend\n"
    )
    assert (found["A.B"], found["D.e"], found["F.g"]) == ("B = Class.new(C)", "def e() = 1", "attr_reader :g")
    found = spans("ruby", "if a\n  B = 1\nelse\n  C = 2\nend\n")
    assert found == {"B": "B = 1", "C": "C = 2"}


def test_words_that_part_a_class_are_indented_as_it_is_or_further() -> None:
    text = "class A\n  attr_reader :b\n\nprivate\n\n  def c; end\n\n  private\n\n  def d; end\nend\n\ndef e; end\nprivate\ndef f; end\n"
    found = spans("ruby", text)
    assert found.pop("A") == text[: text.index("\n\ndef e")]
    assert found == {
        "A.b": "attr_reader :b",
        "A.c": "def c; end",
        "A.d": "def d; end",
        "e": "def e; end",
        "f": "def f; end",
    }


@pytest.mark.parametrize(
    ("text", "signatures"),
    [
        ("def a(b = {}, c: (1)); end\n", {"a": "def a(b = {}, c: (1))"}),
        ("def a(b) = c\ndef d =\n  1\n", {"a": "def a(b)", "d": "def d"}),
        ("private def a(b) c end\n", {"a": "private def a(b)"}),
        ("def a(\n  b,\n  c: 1\n)\n  d\nend\n", {"a": "def a(\n  b,\n  c: 1\n)"}),
        ("class A < B; end\nmodule C\nend\n", {"A": "class A < B;", "C": "module C"}),
        ("A ||= 1\nB = Struct.new(:c) do\nend\n", {"A": "A ||", "B": "B = Struct.new(:c) do"}),
        ("attr_reader :a,\n  :b\n", {"a": "attr_reader :a", "b": "attr_reader :a,\n  :b"}),
        ("it 'a' do |b|\nend\nit('c') { d }\n", {"a": "it 'a' do |b|", "c": "it('c')"}),
        (
            "scope :a, -> { b }\nscope(:c, ->(d) {\n  e if d\n})\nscope :f, -> do\n  g\nend\nscope :h, lambda { |i| j }\n",
            {"a": "scope :a, ->", "c": "scope(:c, ->(d)", "f": "scope :f, -> do", "h": "scope :h, lambda { |i| j }"},
        ),
        ("scope :a do\nend\nscope :b, C\nscope :d, -> { e } do\nend\nscope 'f', as: :g do\nend\n", {}),
    ],
)
def test_signatures_of_ruby_end_as_those_of_its_outline(text: str, signatures: dict[str, str]) -> None:
    source = text.encode()
    for definitions in (sketch(source, "ruby"), outline(source, Language.named("ruby")).definitions):
        assert {one.path: text[one.signature : one.body] for one in definitions} == signatures


def test_marks_are_no_part_of_a_name_that_starts_with_them() -> None:
    text = "attr_accessor :a, :b\nalias_method :c?, :d\ndescribe 'e f' do\nend\ndescribe G::H do\nend\ntask i: :j do\nend\n"
    source = text.encode()
    found = [(one.path, one.kind, text[one.name_start :][:2]) for one in sketch(source, "ruby")]
    assert found == [
        ("a", "field", ":a"),
        ("b", "field", ":b"),
        ("c?", "method", ":c"),
        ("e f", "module", "'e"),
        ("G.H", "module", "H "),
        ("i", "function", "i:"),
    ]
    real = outline(source, Language.named("ruby")).definitions
    assert found == [(one.path, one.kind, text[one.name_start :][:2]) for one in real]


def test_a_definition_of_elixir_ends_with_the_word_that_is_indented_like_it() -> None:
    assert spans(
        "elixir",
        "defmodule A do\n  def f(a,\n    b\n  ) do\n    if a do\n    end\n  rescue\n    _ -> b\n  after\n    b\n  end # f\n\n"
        "  def g, do: [\n    1\n  ] # g\n  def h\n  @x <<\n    1\n  >>\n  @y ~w(a b)\n  def i do :ok end\nend\n",
    ) | {"A": ""} == {
        "A": "",
        "A.f": "def f(a,\n    b\n  ) do\n    if a do\n    end\n  rescue\n    _ -> b\n  after\n    b\n  end",
        "A.g": "def g, do: [\n    1\n  ]",
        "A.h": "def h",
        "A.x": "@x <<\n    1\n  >>",
        "A.y": "@y ~w(a b)",
        "A.i": "def i do :ok end",
    }


@pytest.mark.parametrize(
    ("source", "signature"),
    [
        ("def f(a) when a in ~w(b c) do\n  a\nend\n", "def f(a) when a in ~w(b c)"),
        ("def f(a),\n  do: a\n", "def f(a)"),
        ("def f(a,\n  b\n) do\n  a\nend\n", "def f(a,\n  b\n)"),
        ("defmacro f(a, do: b), do: a\n", "defmacro f(a, do: b)"),
        ("def f(a)\ndef g(a), do: a\n", "def f(a)"),
        ("@type f ::\n  a\n  | b\n", "@type f ::\n  a\n  | b"),
        ("defdelegate f(a),\n  to: B\n", "defdelegate f(a),\n  to: B"),
        ("@f %{\n  a: 1\n}\n", "@f"),
        ('test "f", %{a: a} do\r\n  a\r\nend\r\n', 'test "f", %{a: a}'),
    ],
)
def test_a_signature_of_elixir_ends_before_its_block_or_with_the_definition(source: str, signature: str) -> None:
    first = sketch(source.encode(), "elixir")[0]
    assert source[first.signature : first.body] == signature
    real = outline(source.encode(), Language.named("elixir")).definitions[0]
    assert (first.body, first.end) == (real.body, real.end)


def test_kinds_and_containers_of_csharp() -> None:
    text = (
        "namespace A.B;\nrecord struct P(int X)\n{\n    static readonly int a = 1;\n    readonly static int b;\n"
        "    public static P operator +(P a, P b) { return a; }\n    public static explicit operator int(P p) { return 1; }\n"
        "    int I<int>.this[int x] { get { return x; } }\n    P() { }\n    event E I.Done { add { } remove { } }\n}\n"
        "static int Last() { return 1; }\ndelegate R F<in T, out R>(T of);\n"
    )
    assert [(one.kind, one.path) for one in sketch(text.encode(), "csharp")] == [
        ("class", "P"),
        ("constant", "P.a"),
        ("field", "P.b"),
        ("method", "P.+"),
        ("method", "P.int"),
        ("method", "P.this"),
        ("constructor", "P.P"),
        ("field", "P.Done"),
        ("function", "Last"),
        ("type", "F"),
    ]


@pytest.mark.parametrize("text", [b'\\"', b"a<", b"[[a]] ", b"a<(a)", b'$"{', b"a ", b"public ", b"(a) ", b"a, "])
@pytest.mark.parametrize("before", [b"", b"class A\n{\n    ", b"enum A\n{\n    "])
def test_a_long_line_of_csharp_takes_time_by_its_length_alone(before: bytes, text: bytes) -> None:
    source = before + text * (MADE_TO_HURT // len(text))
    assert seconds_of(source, "csharp") < MOST_SECONDS


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


INDENTED_SCALA = """package a

enum Kind(val sides: Int) extends Named:
  case Round extends Kind(0)
  case Flat, Long
  case Mixed(a: Kind, b: Kind)
  private final val most = 3
  def twice: Int =
    sides * 2

trait Show[A]:
  extension (a: A)
    def show: String
    def shown(times: Int) = 1

object Show:
  given Show[Int] with
    extension (a: Int) def show = a.toString
  given byName[A](using Show[A]): Show[List[A]] with {
    def show: String = ""
  }
  given context: Context = Context.global
  given Ordering[Int] = new Ordering[Int]:
    def compare(a: Int, b: Int) = 0
end Show

case class Config(
  name: String
) extends Base(name)
    with Other derives Eq:
  require(name != "")
  val long =
    if name.size > 3 then
      4
    else
      5
  def go(n: Int): Unit =
    n match
      case 1 => println(":")
      case _ =>

  test("this"):
    val hidden = 1
    def hidden2 = 2
  class Inner
    extends Base:
    def deep = 2
  end Inner
  final def last(
    by: Int
  ): Int =
    def local = 1
    local
end Config

opaque type Id = Int
transparent inline def id: Int = 1
@main def run(): Unit =
  println("run")
var count = 1
val c = '{'
"""


def test_scala_that_is_indented_has_the_definitions_of_its_outline() -> None:
    source = INDENTED_SCALA.encode()
    real = {one.name_start: one for one in outline(source, Language.named("scala")).definitions}
    found = {one.name_start: one for one in sketch(source, "scala")}
    assert [one.path for one in found.values()] == [one.path for one in real.values()]
    assert found == real


def test_values_of_scala_are_constants_of_what_is_one_alone() -> None:
    source = b"object A {\n  val a = 1\n  var b = 2\n}\nclass B {\n  val c = 1\n  object D {\n    val e = 1\n  }\n}\nval f = 1\n"
    kinds = {one.path: one.kind for one in sketch(source, "scala")}
    assert kinds == {
        "A": "class",
        "A.a": "constant",
        "A.b": "field",
        "B": "class",
        "B.c": "field",
        "B.D": "class",
        "B.D.e": "constant",
        "f": "constant",
    }


def test_ends_of_scala() -> None:
    found = spans(
        "scala",
        "class A(\n  x: Int\n)\nextends B\nwith C\n{\n  def f(x: Int) = x match {\n    case _ =>\n  }\n  {\n    g()\n  }\n}\n"
        "class D\n\nclass E:\n  def f: Int =\n    g\n  end f\n\n  val x, y = 1\n  def h(x: Int) =\n    x match\n      case _ =>\n"
        "end E\n\nval z = a\n  .b\n  .c\n// aside\ndef k = if (a) {\n  1\n} else {\n  2\n}\n",
    )
    assert found["A"].startswith("class A(")
    assert found["A"].endswith("    g()\n  }\n}")
    assert found["A.f"] == "def f(x: Int) = x match {\n    case _ =>\n  }"
    assert found["D"] == "class D"
    assert found["E"].endswith("      case _ =>")
    assert found["E.f"] == "def f: Int =\n    g"
    assert found["E.x"] == found["E.y"] == "val x, y = 1"
    assert found["z"] == "val z = a\n  .b\n  .c"
    assert found["k"] == "def k = if (a) {\n  1\n} else {\n  2\n}"


def test_statements_of_scala_are_passed_over_with_all_their_blocks() -> None:
    text = (
        "object A {\n  if (x) {\n    val a = 1\n  } else {\n    val b = 1\n  }\n  try {\n    val c = 1\n  } catch {\n"
        "    case _ =>\n      val d = 1\n  }\n  test(1) {\n    val e = 1\n  }.then {\n    val f = 1\n  }\n  class B:\n"
        "    def g = 1\n}\nfoo.map: x =>\n  val h = 1\nval i = 1\n"
    )
    assert [one.path for one in sketch(text.encode(), "scala")] == ["A", "A.B", "A.B.g", "i"]
    assert spans("scala", text)["A.B"] == "class B:\n    def g = 1"


def test_a_comment_behind_an_indented_body_of_scala_belongs_to_what_follows() -> None:
    found = spans("scala", "class A {\n  def f =\n    1\n\n  /** Doc. */\n  def g = 2\n}\n")
    assert found["A.f"] == "def f =\n    1"
    assert found["A.g"] == "/** Doc. */\n  def g = 2"


def test_a_lua_block_ends_with_the_word_that_is_indented_as_its_head() -> None:
    assert spans(
        "lua",
        "local a = f(function()\n  g()\nend, 1) -- a\n"
        "function b() return 1 end -- b\nfunction c()\n  do\n  end\nend;\n"
        "if x then\n  function d() return 1 end\nend\n"
        "e = function()\n::label::\n  return 1\nend\n"
        "local h\nM.i = M.j and function()\nend or nil\n",
    ) == {
        "a": "local a = f(function()\n  g()\nend, 1)",
        "b": "function b() return 1 end",
        "c": "function c()\n  do\n  end\nend;",
        "d": "function d() return 1 end",
        "e": "e = function()\n::label::\n  return 1\nend",
        "M.i": "M.i = M.j and function()\nend or nil",
    }


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_lua_function_has_its_names_and_its_signature_wherever_its_block_stands(line_end: str) -> None:
    lines = (
        "function a.b:c(d) return d end -- c",
        "local e = function (...) end",
        "f.g['h'].i = function(a,",
        "  b)",
        "  return function(c) end",
        "end",
        "x['y'] = function(a)",
        "  local function hidden() end",
        "end",
    )
    text = line_end.join((*lines, ""))
    assert [(one.kind, one.path, text[one.start : one.body]) for one in sketch(text.encode(), "lua")] == [
        ("function", "a.b.c", "function a.b:c(d)"),
        ("function", "e", "local e = function (...)"),
        ("function", "f.g['h'].i", f"f.g['h'].i = function(a,{line_end}  b)"),
    ]


def test_a_comment_of_several_lines_above_a_lua_definition_belongs_to_it() -> None:
    text = "local a = 1 --[[\na ]]\nlocal b = 2\n\n-- Plain.\n--[==[\n\n]] Doc.\n--]==]\nfunction c() end\n"
    starts = [text[one.start :].splitlines()[0] for one in sketch(text.encode(), "lua")]
    assert starts == ["local a = 1 --[[", "local b = 2", "-- Plain."]
    real = outline(text.encode(), Language.named("lua")).definitions
    assert [one.start for one in sketch(text.encode(), "lua")] == [one.start for one in real]


@pytest.mark.parametrize("line", [b'"\\', b"end,", b"f(function()", b"-- ]]", b"--[[", b"[==[", b"x ="])
@pytest.mark.parametrize("separator", [b"", b"\n"])
def test_lua_that_is_made_to_hurt_takes_time_by_its_length_alone(line: bytes, separator: bytes) -> None:
    assert seconds_of((line + separator) * (MADE_TO_HURT // len(line + separator)), "lua") < MOST_SECONDS


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


def test_what_a_script_groups_so_that_all_of_it_is_read_first_is_the_scripts() -> None:
    text = b"{ # whole, or nothing\nload() {\n  inner() {\n    :\n  }\n}\nSTORE=1\n}\n"
    assert [one.name for one in sketch(text, "bash")] == [
        one.name for one in outline(text, Language.named("bash")).definitions
    ]


def test_the_last_argument_of_a_type_on_a_line_of_its_own_is_no_member() -> None:
    source = "interface Shop {\n  prices: Map<\n    string,\n    boolean\n  >;\n  open\n  total: number\n}\n"
    assert [one.path for one in sketch(source.encode(), "typescript")] == [
        "Shop",
        "Shop.prices",
        "Shop.open",
        "Shop.total",
    ]
