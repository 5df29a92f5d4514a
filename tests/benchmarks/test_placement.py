"""Recorded lines of Universal Ctags, placed in their sources."""

import json
from collections.abc import Sequence

import pytest

from benchmarks.skeletons.ctags_reading import tags_of
from benchmarks.skeletons.keyword_reading import read_keywords
from benchmarks.skeletons.languages import LANGUAGES
from benchmarks.skeletons.placement import place, word_pattern
from benchmarks.skeletons.references import Reference, Role

NOTHING_MORE: dict[str, object] = {}


def ctags(language: str, source: str, *tags: tuple[str, str, int, dict[str, object]]) -> Sequence[Reference]:
    lines = [
        json.dumps({"_type": "tag", "name": name, "path": "f", "kind": kind, "line": line, "roles": "def", **more})
        for name, kind, line, more in tags
    ]
    entry = LANGUAGES[language]
    return place(tags_of(lines, entry).get("f", []), source, entry)


def keywords(language: str, source: str) -> Sequence[Reference]:
    return place(read_keywords(source, LANGUAGES[language]), source, LANGUAGES[language])


def test_a_signature_spans_its_return_type_above_and_its_parameters_below() -> None:
    source = "int x;\nstatic char *\nf(int a, /* ) */\n  char b)\n{\n  return 0;\n}\n"
    (one,) = ctags("c", source, ("f", "function", 3, {"end": 7}))
    assert (one.signature.split(), one.first, one.last) == (
        ["static", "char", "*", "f(int", "a,", "char", "b)"],
        2,
        4,
    )
    assert one.body == (5, 7)
    assert one.required
    assert one.spans_lines


def test_attributes_on_lines_of_their_own_belong_to_the_signature() -> None:
    source = "#![allow(x)]\n\n#[a]\n#[b(\n  c,\n)]\npub fn f() {}\n"
    (one,) = ctags("rust", source, ("f", "function", 7, {}))
    assert (one.first, one.signature.split()[0]) == (3, "#[a]")


def test_a_complete_line_above_that_starts_with_an_attribute_is_another_definition() -> None:
    source = 'class A {\n  @Id int x;\n  @Get(\n    "a"\n  )\n  void f() {}\n}'
    found = ctags("java", source, ("A", "class", 1, {}), ("f", "method", 6, {"scope": "A", "scopeKind": "class"}))
    assert (found[1].first, found[1].container) == (3, ("A",))


def test_what_stands_in_a_function_body_is_local() -> None:
    source = "fn outer() {\n  fn inner() {}\n}\nmod m {\n  fn shown() {}\n}\n"
    tags = [("outer", "function", 1), ("inner", "function", 2), ("m", "module", 4), ("shown", "function", 5)]
    found = ctags("rust", source, *[(name, kind, line, NOTHING_MORE) for name, kind, line in tags])
    assert [one.exemption for one in found] == ["", "local", "", ""]
    assert found[3].container == ("m",)


def test_what_stands_in_a_macro_definition_is_a_template() -> None:
    source = "macro_rules! make {\n  ($x:ident) => {\n    fn f() {}\n  }\n}\ncfg! {\n  fn g() {}\n}\n"
    found = ctags("rust", source, ("f", "function", 3, {}), ("g", "function", 7, {}))
    assert [one.exemption for one in found] == ["template", ""]


def test_the_parser_s_own_word_for_a_scope_counts() -> None:
    within: dict[str, object] = {"scope": "g", "scopeKind": "function"}
    (one,) = ctags("rust", "fn f() {}\n", ("f", "function", 1, within))
    assert one.exemption == "local"
    (other,) = ctags("r", "f <- function() 1\n", ("f", "function", 1, within))  # it does not see where one ends
    assert (other.exemption, other.container) == ("", ())


def test_a_name_below_the_reported_line_moves_the_definition_there() -> None:
    (one,) = ctags("rust", "impl Long\n    for Name\n{\n}\n", ("Name", "implementation", 1, {}))
    assert (one.line, one.first, one.last) == (2, 2, 2)


def test_by_indentation_only_what_no_line_in_between_leaves_is_local() -> None:
    source = "function a()\n  function b()\n  end\nend\nfunction c()\nend\n"
    found = ctags(
        "lua", source, *[(name, "function", line, NOTHING_MORE) for name, line in (("a", 1), ("b", 2), ("c", 5))]
    )
    assert [one.exemption for one in found] == ["", "local", ""]


def test_what_a_call_or_a_table_holds_need_not_be_shown() -> None:
    lua = "a = wrap(function()\nend)\nlocal t = {\n  f = function()\n  end,\n}\nlocal function g()\nend\n"
    found = ctags(
        "lua", lua, *[(name, "function", line, NOTHING_MORE) for name, line in (("a", 1), ("f", 4), ("g", 7))]
    )
    assert [one.exemption for one in found] == ["value", "value", ""]
    ruby = "class A\n  test 'x' do |a|\n    def f\n    end\n  end\n  def g(*) super end\nend\n"
    found = ctags("ruby", ruby, ("A", "class", 1, {}), ("f", "method", 3, {}), ("g", "method", 6, {}))
    assert [(one.exemption, one.signature) for one in found[1:]] == [("block", "def f"), ("", "def g(*)")]


def test_a_ruby_accessor_counts_once() -> None:
    found = ctags("ruby", "attr_accessor :a\n", ("a", "accessor", 1, {}), ("a=", "accessor", 1, {}))
    assert [one.name for one in found] == ["a"]


def test_doubled_unnamed_and_uninteresting_tags_are_left_out() -> None:
    found = ctags(
        "c",
        "struct s {} t;\n",
        ("s", "struct", 1, {}),
        ("s", "struct", 1, {}),
        ("__anon12", "struct", 1, {}),
        ("x", "label", 1, {}),
        ("used", "struct", 1, {"roles": "ref"}),
    )
    assert [one.name for one in found] == ["s"]


def test_a_lifetime_is_no_declaration_of_a_variable() -> None:
    found = ctags("rust", "f::<&'static L>();\nstatic S: u8 = 0;\n", ("L", "variable", 1, {}), ("S", "variable", 2, {}))
    assert [one.exemption for one in found] == ["misread", ""]


def test_a_macro_call_is_no_function() -> None:
    source = "struct s {\n  BIT(a);\n  int f(void);\n};\nTEST(x) {\n}\n"
    tags = [("BIT", "prototype", 2), ("f", "prototype", 3), ("TEST", "function", 5)]
    found = ctags("c", source, *[(name, kind, line, NOTHING_MORE) for name, kind, line in tags])
    assert [one.exemption for one in found] == ["misread", "", "misread"]


USES = [
    ("cpp", "static const size_t n = COUNT(xs);", "COUNT", "prototype", "an initialiser"),
    ("cpp", 'static_assert(noexcept(ns::to_json(a(1), 2)), "");', "to_json", "prototype", "a call in an argument"),
    ("cpp", "DECLARE_bool_(fast);", "DECLARE_bool_", "prototype", "a macro whose name ends"),
    ("cpp", "Fn (*signal(int a, void (*h)(int)))(int);", "signal", "prototype", ""),
    ("cpp", "auto copy(T a) -> decltype(copy(a.b));", "copy", "prototype", ""),
    ("cpp", "API_EXPORT(int) opens(door a);", "opens", "prototype", ""),
    ("csharp", "output.Write(value.ToString(format));", "ToString", "method", "a call in an argument"),
    ("csharp", "Switcher.From(typeof(A).B).Run(args);", "Run", "method", "a call of what a call gives"),
    ("csharp", "[Test(1)] (int a, int b) Pair(int c) { }", "Pair", "method", ""),
    ("sql", "SHOW CREATE TABLE doors AS SERDE;", "doors", "table", "what is asked about"),
]


@pytest.mark.parametrize(("language", "line", "name", "kind", "why"), USES)
def test_a_use_is_told_from_a_definition_and_said_to_be_one(
    language: str, line: str, name: str, kind: str, why: str
) -> None:
    (one,) = ctags(language, f"{line}\n", (name, kind, 1, {}))
    assert one.required == (not why)
    assert one.why.startswith(why)


def test_a_definition_in_another_preprocessor_branch_is_one_and_in_a_string_is_none() -> None:
    source = '#if A\nint f(void);\n#else\nint g(void);\n#endif\nchar *s = "\\\n  int h(void);\\\n";\n'
    tags = [("f", 2), ("g", 4), ("h", 7)]
    found = ctags("c", source, *[(name, "prototype", line, NOTHING_MORE) for name, line in tags])
    assert [one.exemption for one in found] == ["", "", "misread"]


def test_calls_and_primary_constructors_are_no_methods() -> None:
    source = "class A(int x) : B(x) {\n  A(int y)\n    : base(y)\n  {\n  }\n  int C() => 1;\n}\nAssert.Equal(1, 2);\n"
    scope: dict[str, object] = {"scope": "A", "scopeKind": "class"}
    found = ctags(
        "csharp",
        source,
        ("A", "class", 1, {}),
        ("A", "method", 1, {}),
        ("A", "method", 2, scope),
        ("base", "method", 3, scope),
        ("C", "method", 6, scope),
        ("Assert.Equal", "method", 8, {}),
    )
    assert [one.exemption for one in found] == ["", "misread", "", "misread", "", "misread"]
    assert found[2].signature == "A(int y)"


def test_a_constant_field_counts_as_a_constant() -> None:
    source = "class A {\n  public const int X = 1;\n  int y;\n}\n"
    found = ctags("csharp", source, ("X", "field", 2, {}), ("y", "field", 3, {}))
    assert [one.role for one in found] == [Role.CONSTANT, Role.MEMBER]


def test_what_stands_in_a_function_that_the_parser_missed_is_local() -> None:
    source = "class A {\n  @Missed T f(int a) throws E {\n    int x;\n  }\n}\n"
    found = ctags("java", source, ("A", "class", 1, {}), ("x", "field", 3, {"scope": "A", "scopeKind": "class"}))
    assert [one.exemption for one in found] == ["", "local"]


def test_a_go_interface_in_a_signature_is_no_body() -> None:
    source = "func f(a interface{}) struct{ x int } {\n}\n"
    (one,) = ctags("go", source, ("f", "func", 1, {}))
    assert one.signature == "func f(a interface{}) struct{ x int }"


def test_a_constructor_s_initialisers_are_no_part_of_its_signature() -> None:
    source = "class A {\n public:\n  A(int x)\n   : x_{x} {}\n};\n"
    found = ctags("cpp", source, ("A", "class", 1, {}), ("A", "function", 3, {"scope": "A", "scopeKind": "class"}))
    assert found[1].signature == "A(int x)"


def test_keywords_declare_in_swift() -> None:
    source = (
        "@objc\npublic final class A: B {\n  class func make() -> A {\n    func inner() {}\n  }\n"
        "  init?(a: Int) {}\n  var f: Int { get { 1 } }\n}\nextension A.C where T: X {}\n"
    )
    found = keywords("swift", source)
    assert [(one.kind, one.path, one.exemption) for one in found] == [
        ("class", "A", ""),
        ("func", "A.make", ""),
        ("func", "A.inner", "local"),
        ("init", "A.init", ""),
        ("extension", "A.C", ""),
    ]
    assert found[0].first == 1


def test_dart_functions_are_told_from_calls() -> None:
    source = (
        "class A {\n  const A(this.x);\n  A.named(int x) : super(x);\n  Map<String, int>? f(int a) => g(a);\n"
        "  int get n => 1;\n  bool operator ==(Object o) => true;\n  @override\n  void run() {\n    return g(1);\n  }\n}\n"
        "enum E { a(1), b(2); }\n"
    )
    found = keywords("dart", source)
    assert [one.path for one in found if one.required] == [
        "A",
        "A.A",
        "A.A.named",
        "A.f",
        "A.n",
        "A.==",
        "A.run",
        "E",
    ]


def test_a_scala_body_behind_an_equals_sign_is_a_body() -> None:
    source = "object O {\n  def f(a: Int): Int = {\n    def g = 1\n  }\n  val h = new T {\n    def i = 2\n  }\n}\n"
    assert [(one.name, one.exemption) for one in keywords("scala", source)] == [
        ("O", ""),
        ("f", ""),
        ("g", "local"),
        ("i", "anonymous"),
    ]


def test_hcl_names_are_strings() -> None:
    (one,) = keywords("hcl", 'resource "aws_x" "main" {\n  a = 1\n}\n')
    assert (one.name, one.signature) == ("main", 'resource "aws_x" "main"')


def test_a_definition_that_is_reported_too_late_is_found_above() -> None:
    source = "@implementation A\n- (int)at:(int)x\n     of:(int)y\n{\n  return 1;\n}\n@end\n"
    (one,) = ctags("objc", source, ("at:of:", "method", 4, {"scope": "A"}))
    assert (one.line, one.first, one.last, one.body) == (2, 2, 3, (4, 6))


def test_an_alias_keeps_the_name_that_the_file_s_own_module_has_too() -> None:
    found = ctags("ocaml", "open A\nmodule M = B\n", ("M", "module", 1, {}), ("M", "module", 2, {}))
    assert [one.line for one in found] == [2]


def test_what_is_named_behind_its_keyword_is_not_looked_for_in_its_body() -> None:
    (one,) = ctags("perl", "sub tap { shift->Base::tap(@_) }\n", ("tap", "subroutine", 1, {}))
    assert one.signature == "sub tap"


def test_a_refinement_belongs_to_a_type_and_a_block_of_its_own_to_nothing() -> None:
    source = (
        "class S {\n  def ops: Eq { type Out } =\n    new Eq {\n      val x = 1\n    }\n"
        "  test(1) {\n    type A = Int\n  }\n  {\n    class B\n  }\n}\n"
    )
    found = {one.name: one for one in keywords("scala", source)}
    assert found["ops"].signature == "def ops: Eq { type Out }"
    assert {name: one.exemption for name, one in found.items() if one.exemption} == {"A": "block", "B": "local"}


def test_a_constructor_is_told_from_a_call_of_it() -> None:
    source = "class A {\n  A(this.x);\n  factory A.of() =>\n      A(1);\n  final list = [\n    A(2),\n  ];\n}\n"
    assert [(one.name, one.line) for one in keywords("dart", source)] == [("A", 1), ("A", 2), ("A.of", 3)]


def test_haskell_names_what_it_gives_a_type() -> None:
    source = "data T = T\nf, g :: Int\nf = h where\n  h :: Int\nclass C a where\n  m :: a\n"
    found = keywords("haskell", source)
    assert [(one.name, one.exemption) for one in found] == [
        ("T", ""),
        ("f", ""),
        ("h", "local"),
        ("C", ""),
        ("m", ""),
    ]


def test_accessors_and_the_members_of_a_type_that_is_returned_are_no_statements() -> None:
    (one,) = keywords("swift", "subscript(i: Int) -> Int {\n  get { 1 }\n}\n")
    (other,) = keywords("zig", "fn List(T: type) type {\n    return struct {};\n}\n")
    assert one.body is None
    assert other.body is None


@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("load", "def load_all(load):", "load"),
        ("M.f", "M.f = function()", "f"),
        ("insert:at:", "- (void)insert:(id)x at:(int)i", "insert"),
        ("empty?", "def empty?", "empty?"),
        ("operator ==", "bool operator==(T a)", "operator=="),
        ("$x", "private $x = 1", "$x"),
    ],
)
def test_names_are_found_as_whole_words(name: str, line: str, found: str) -> None:
    match = word_pattern(name).search(line)
    assert match is not None
    assert match.group() == found
