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
    "lua": b"""--[[ Not
function hidden() end
]]
local class = require "class"
local M, private = {}, {}
local LIMIT <const> = 10 -- it's at most {
local text = [==[
]] local hidden = 1
]==]

--- Doc.
-- @tparam table options
function M.load(options, -- "
    ...)
    local function inner() end
    for _, one in ipairs(options) do
        M.last = function() return one end
    end
end

--[[
Docs of

two paragraphs.
]]
function M.inner.deep:method(name) if name then return "end" end end

M.table = {
  called = function() end,
  "}", '{',
}
M.assigned = function(a)
  goto done
::done::
end -- assigned
global = M.LIMIT
  or 3

describe("what is local to a call", function()
  local function hidden() end
end, function()
  local function hidden() end
end)

if jit then
	local function fast() return 1 end
	M["quoted"] = function()
		local function hidden() end
	end
else
	M.slow = function()
		return 2
	end
end

local ok = pcall(function()
  local function hidden() end
end)
return setmetatable(M, { __index = function() end })
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
        ("javascript", "const a = `\nconst b = 1;\n`;\nconst c = /[`]/;\nconst d = 1;\n", ["a", "c", "d"]),
        ("lua", "a = '--[['\nb = [[\nc = 1\n]] .. ']]'\nd = 2 --[==[\ne = 3 ]]\n]==]\nf = 4\n", ["a", "b", "d", "f"]),
        ("lua", "a = 1\nf([[\nb = 2\n--[[\nc = 3\n", ["a", "b", "c"]),
        ("lua", "a = '\\'--[['\n---[[ a line\nb = 1 -- ]]\nt[u[1]] = 2\nc = 3\n", ["a", "b", "c"]),
        ("lua", "f(function(a) g()\n  function h() end\nend)\nf(\n  1, 2)\nfunction i() end\n(g)(\n)\n", ["i"]),
        ("lua", "for a in b do\n  function c() end\nend\nreturn {\n  d = function() end,\n}\n", []),
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


def test_a_lua_block_ends_with_the_word_that_is_indented_as_its_head() -> None:
    assert spans(
        "lua",
        "local a = f(function()\n  g()\nend, 1) -- a\n"
        "function b() return 1 end -- b\nfunction c()\n  do\n  end\nend;\n"
        "if x then\n  function d() return 1 end\nend\n"
        "e = function()\n::label::\n  return 1\nend\n"
        "local g =\n'1'\n.. '2'\nlocal h\nM.i = M.j and function()\nend or nil\n",
    ) == {
        "a": "local a = f(function()\n  g()\nend, 1)",
        "b": "function b() return 1 end",
        "c": "function c()\n  do\n  end\nend;",
        "d": "function d() return 1 end",
        "e": "e = function()\n::label::\n  return 1\nend",
        "g": "local g =\n'1'\n.. '2'",
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
    ended = threading.Event()

    def work() -> None:
        sketch((line + separator) * (200_000 // len(line + separator)), "lua")
        ended.set()

    threading.Thread(target=work, daemon=True).start()
    assert ended.wait(60)
