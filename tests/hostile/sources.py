"""Sources that are made to cost a reader much: their kinds, over all languages and formats, in any size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Hostile(NamedTuple):
    """A kind of hostile source.

    Attributes:
        about: what it does.
        file: a name for the file, whose ending says the language.
        made: gives a text of about so many bytes.
        name: what a zoom into it looks for.
    """

    about: str
    file: str
    made: Callable[[int], str | bytes]
    name: str = "f"

    @property
    def kind(self) -> str:
        """Its effect and its kind of file: no two are alike."""
        return f"{self.about} {self.file}"

    def content(self, size: int) -> bytes:
        """Returns the file's content, of about so many bytes."""
        made = self.made(size)
        return made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass")


def _again(unit: str, *, before: str = "", after: str = "") -> Callable[[int], str]:
    """A text that is repeated."""
    return lambda size: before + unit * (size // len(unit.encode())) + after


def _nested(opening: str, closing: str, *, core: str = "", before: str = "", after: str = "") -> Callable[[int], str]:
    """Something inside itself, closed again."""

    def made(size: int) -> str:
        deep = size // (len(opening) + len(closing))
        return before + opening * deep + core + closing * deep + after

    return made


def _numbered(unit: str, *, before: str = "", after: str = "") -> Callable[[int], str]:
    """A text that is repeated, with a number of its own in each place of `#`."""

    def made(size: int) -> str:
        count = size // (len(unit) + 5 * unit.count("#"))
        return before + "".join(unit.replace("#", str(number)) for number in range(count)) + after

    return made


def _indented(unit: str, core: str, *, step: str = " ") -> Callable[[int], str]:
    """Something inside itself by indentation: as deep as the square root of the size."""

    def made(size: int) -> str:
        deep = 1
        while deep * (len(unit) + deep * len(step) // 2) < size:
            deep += 1
        return "".join(step * level + unit for level in range(deep)) + step * deep + core

    return made


def _aliases(size: int) -> str:
    return "a0: &a0 [x]\n" + "".join(
        f"a{one}: &a{one} [*a{one - 1}, *a{one - 1}]\n" for one in range(1, max(2, size // 26))
    )


def _entities(size: int) -> str:
    laughs = "".join(f"<!ENTITY a{one} '&a{one - 1};&a{one - 1};'>\n" for one in range(1, max(2, size // 40)))
    return f"<!DOCTYPE x [<!ENTITY a0 'ha'>{laughs}]><x>&a9;</x>"


def _notebook(size: int) -> str:
    output = {"output_type": "stream", "name": "stdout", "text": ["x" * 60 + "\n"] * (size // 80)}
    cell: dict[str, object] = {"cell_type": "code", "source": "def f(): pass\n", "outputs": [output], "metadata": {}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]})


def _cells(size: int) -> str:
    cell: dict[str, object] = {"cell_type": "code", "source": "def f(): pass\n", "outputs": [], "metadata": {}}
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": [cell] * (size // 100)})


def _mixed_breaks(size: int) -> bytes:
    return b"def f():\r\n    return 1\r\rdef g():\n    return f()\n\r" * (size // 48)


def _invalid(size: int) -> bytes:
    return b"def f():\n    return '\xff\xfe\x80'\n" * (size // 28)


def _utf16(size: int) -> bytes:
    return ("def f():\n    return 1\n" * (size // 44)).encode("utf-16")


def _huge_name(size: int) -> str:
    return f"class {'A' * size}:\n" + "    def f(self): pass\n" * 100


def _huge_names(size: int) -> str:
    return f"class {'A' * (size // 8)} {{ void f() {{}}\n" * 8 + "}" * 8


def _nuls(size: int) -> bytes:
    return b"int f(void);\n" + b"\0" * size


HOSTILE_SOURCES: Final = (
    # Definitions inside definitions
    Hostile("nested classes", "a.java", _nested("class A { void f() {}\n", "}")),
    Hostile("nested classes", "a.cs", _nested("class A { void f() {}\n", "}")),
    Hostile("nested classes", "a.kt", _nested("class A { fun f() {}\n", "}")),
    Hostile("nested classes", "a.scala", _nested("class A { def f = 1\n", "}")),
    Hostile("nested classes", "a.swift", _nested("class A { func f() {}\n", "}")),
    Hostile("nested classes", "a.py", _indented("class A:\n", "def f(): pass\n")),
    Hostile("nested classes, never closed", "a.java", _again("class A { void f() {}\n")),
    Hostile("nested modules", "a.rs", _nested("mod a { pub fn f() {}\n", "}")),
    Hostile("nested modules", "a.rb", _nested("module A\ndef f; end\n", "end\n")),
    Hostile("nested modules", "a.ex", _nested("defmodule A do\ndef f, do: 1\n", "end\n")),
    Hostile("nested modules", "a.jl", _nested("module A\nf() = 1\n", "end\n")),
    Hostile("nested modules", "a.ml", _nested("module A = struct let f x = x\n", "end ")),
    Hostile("nested namespaces", "a.cpp", _nested("namespace a { void f() {}\n", "}")),
    Hostile("nested namespaces", "a.ts", _nested("namespace a { function f() {}\n", "}")),
    Hostile("nested messages", "a.proto", _nested("message A { message f {}\n", "}", before='syntax = "proto3";\n')),
    Hostile("nested structs", "a.zig", _nested("const A = struct { fn f() void {}\n", "};")),
    Hostile("nested blocks", "a.tf", _nested('f "a" {\n', "}\n")),
    Hostile("nested functions", "a.js", _nested("function f() {", "}")),
    Hostile("nested functions", "a.py", _indented("def f():\n", "pass\n")),
    Hostile("nested functions", "a.lua", _nested("local function f() ", "end ")),
    Hostile("nested functions", "a.php", _nested("function f() {", "}", before="<?php\n")),
    Hostile("nested functions", "a.sh", _nested("f() {\n", "}\n", core=":\n")),
    Hostile("nested functions", "a.R", _nested("f <- function() {", "}")),
    Hostile("nested functions", "a.dart", _nested("void f() {", "}")),
    Hostile("nested functions", "a.pl", _nested("sub f {", "}")),
    Hostile("nested closures", "a.go", _nested("func() {", "}()", before="package a\nfunc f() {\n", after="\n}\n")),
    Hostile("nested lets", "a.hs", _again("let f = 1 in ", before="f = ", after="1\n")),
    # Brackets of every kind
    Hostile("parentheses", "a.c", _nested("(", ")", core="1", before="int f(void) { return ", after="; }\n")),
    Hostile("parentheses", "a.py", _nested("(", ")", core="1", before="def f(): return 1\nx = ", after="\n")),
    Hostile("parentheses, never closed", "a.js", _again("(")),
    Hostile("parentheses", "a.sol", _nested("(", ")", core="1", before="contract A { uint x = ", after="; }\n"), "A"),
    Hostile("braces, never closed", "a.c", _again("{")),
    Hostile("arrays", "a.js", _nested("[", "]", before="function f() {}\nconst a = ")),
    Hostile("arrays", "a.json", _nested("[", "]")),
    Hostile("objects", "a.json", _nested('{"a":', "}", core="1")),
    Hostile("arrays", "a.toml", _nested("[", "]", before="a = ")),
    Hostile("arrays, never closed", "a.yaml", _again("[")),
    Hostile("maps by indentation", "a.yaml", _indented("a:\n", "f: 1\n")),
    Hostile("lists by dashes", "a.yaml", _again("- ")),
    Hostile("anchors and aliases", "a.yaml", _aliases),
    Hostile("nested elements", "a.xml", _nested("<a>", "</a>")),
    Hostile("entities", "a.xml", _entities),
    Hostile("nested elements", "a.html", _nested("<div>", "</div>")),
    Hostile("elements, never closed", "a.html", _again("<b>")),
    Hostile("nested elements", "a.tsx", _nested("<a>", "</a>", before="function f() { return ", after="; }\n")),
    Hostile("many scripts", "a.vue", _again("<script>function f() {}</script>\n")),
    Hostile("nested rules", "a.css", _nested("a { ", "}")),
    Hostile("nested selections", "a.graphql", _nested("f { ", "}", before="query q ")),
    Hostile(
        "nested selects", "a.sql", _nested("(select f from ", ")", core="t", before="create view f as ", after=";\n")
    ),
    Hostile("quotes", "a.md", _again("> ")),
    Hostile("lists", "a.md", _again("* ")),
    Hostile("brackets and emphasis", "a.md", _again("[*a_`")),
    Hostile("headings", "a.md", _numbered("# f #\n")),
    Hostile("sections", "a.rst", _numbered("f #\n-----\n")),
    # Texts that do not end
    Hostile("comments in comments", "a.rs", _nested("/* ", " */", after="fn f() {}\n")),
    Hostile("comment, never closed", "a.c", _again("/* ")),
    Hostile("string, never closed", "a.java", _again("f();", before='class A { String s = "')),
    Hostile("quotes of all kinds", "a.py", _again("'\"'''\"\"\"")),
    Hostile("template literals", "a.ts", _nested("`${", "}`", core="1", before="function f() {}\nconst a = ")),
    Hostile("interpolation, never closed", "a.kt", _again('"${', before="fun f() = ")),
    Hostile("heredocs", "a.sh", _numbered("cat <<E#\n", before="f() { :; }\n")),
    Hostile("heredocs", "a.rb", _numbered("x(<<E#, 1)\n", before="def f; end\n")),
    Hostile("heredocs", "a.php", _numbered("$a = <<<E#\n", before="<?php function f() {}\n")),
    Hostile("conditions of a preprocessor, never closed", "a.c", _again("#if a\n", before="int f(void);\n")),
    Hostile("conditions of a preprocessor", "a.cpp", _nested("#if a\n", "#endif\n", core="int f();\n")),
    Hostile(
        "conditions around half a block",
        "a.c",
        _nested("#if a\n", "#else\n#endif\n", core="int f(void) {\n", after="}\n"),
    ),
    Hostile("branches that open a block", "a.c", _again("#if a\nint f(int a) {\n#else\nint f() {\n#endif\n}\n")),
    Hostile("quotes behind backslashes", "a.c", _again('\\"', before="#if a\nint f() {\n#else\n#endif\n", after="\n")),
    # Types and words in a row
    Hostile("nested generics", "a.ts", _nested("A<", ">", core="B", before="type f = ", after=";\n")),
    Hostile("nested generics", "a.java", _nested("A<", ">", core="B", before="class C { ", after=" f() {} }\n")),
    Hostile("nested templates", "a.cpp", _nested("A<", ">", core="int", before="", after=" f();\n")),
    Hostile("smaller than, never closed", "a.cs", _again("a<")),
    Hostile("smaller than, in many statements", "a.cs", _again(f"{'a.b<' * 1999};")),
    Hostile("smaller than, never closed", "a.java", _again("a.b<")),
    Hostile("nested macros", "a.rs", _nested("m!(", ")", before="fn f() { ", after=" }\n")),
    Hostile("macros", "a.c", _numbered("#define M# M1\n", before="int f(void);\n")),
    Hostile("names in a row", "a.zig", _again("x ")),
    Hostile("names in a row", "a.m", _again("x ")),
    Hostile("operators in a row", "a.py", _again("1 + ", before="def f():\n    return ", after="1\n")),
    Hostile("operators in a row", "a.js", _again("a && ", before="function f() { return ", after="b }\n")),
    Hostile("calls in a row", "a.scala", _again(".g(1)", before="def f = a", after="\n")),
    Hostile("if and else", "a.c", _again("if (a) b(); else ", before="void f(void) { ", after=";}\n")),
    Hostile("if and elif", "a.py", _again("    elif a: b()\n", before="def f():\n    if a: b()\n")),
    Hostile("decorators", "a.py", _again("@a\n", after="def f(): pass\n")),
    Hostile("attributes", "a.cs", _again("[A]\n", after="class f {}\n")),
    Hostile("parameters", "a.go", _numbered("a# int, ", before="package a\nfunc f(", after=") {}\n")),
    # A great many
    Hostile("tiny definitions", "a.py", _numbered("a#=1\n")),
    Hostile("tiny functions", "a.py", _numbered("def f#(): pass\n", after="def f(): pass\n")),
    Hostile("tiny declarations", "a.c", _numbered("int a#;", after="\nint f(void);\n")),
    Hostile("tiny functions on one line", "a.js", _numbered("function f#(){}", after="function f(){}")),
    Hostile("tiny methods", "a.rb", _numbered("def f#;end\n", before="class A\n", after="def f;end\nend\n")),
    Hostile("functions without an end", "a.c", _numbered("int f#(int a) { return a; }\nint g#(int a {\n}\n")),
    Hostile("methods without an end", "a.java", _numbered("class C# {\n  void f( {\n  }\n}\n")),
    Hostile("brackets that close nothing", "a.c", _numbered("int f#;\n    g(a);\n  }\n}\n", after="int f(void) {}\n")),
    Hostile("constants in an error, on one line", "a.js", _numbered("const a#=1;", before="function f(){} ({[")),
    Hostile(
        "values under conditions", "a.c", _numbered("int f# =\n#if a\n1\n#else\n2\n#endif\n;\n", after="int f(void);\n")
    ),
    Hostile("calls for definitions", "a.c", _numbered('int f#(int a) { return a; }\nstatic PATH(f, "a")\n')),
    Hostile("homonyms", "a.py", _again("def f(): pass\n")),
    Hostile("homonyms that call each other", "a.go", _again("func f() { f() }\n", before="package a\n")),
    Hostile("calls of one function", "a.js", _numbered("function g#(){f()}\n", before="function f(){}\n")),
    Hostile("calls by one function", "a.js", _numbered("g#();", before="function f(){", after="}\n")),
    Hostile("members", "a.ts", _numbered("f#: number;\n", before="interface f {\n", after="}\n")),
    Hostile("minified", "a.js", _numbered("var a#=function(b){return b?a#(c):{d:[1,2]}};", after="function f(){}")),
    # Long
    Hostile("a huge name", "a.py", _huge_name),
    Hostile("huge names", "a.java", _huge_names),
    Hostile("one line of calls", "a.js", _again("f(")),
    Hostile("one word", "a.txt", _again("a")),
    Hostile("one line of words", "a.log", _again("a b ")),
    Hostile("one string", "a.json", _again("b", before='{"a": "', after='"}')),
    Hostile("blanks", "a.py", _again(" ", after="x\n")),
    Hostile("empty lines", "a.py", _again("\n", after="def f(): pass\n")),
    Hostile("one row of cells", "a.csv", _again("1,")),
    Hostile("rows", "a.csv", _numbered("#,#\n")),
    Hostile("huge outputs", "a.ipynb", _notebook),
    Hostile("cells", "a.ipynb", _cells),
    # Bytes
    Hostile("NULs", "a.c", _nuls),
    Hostile("bytes that are no UTF-8", "a.py", _invalid),
    Hostile("UTF-16", "a.py", _utf16),
    Hostile("byte order marks", "a.py", _again("\ufeffdef f(): pass\n")),
    Hostile("line breaks of all kinds", "a.py", _mixed_breaks),
    Hostile("controls of direction", "a.js", _again("/*\u202e } \u2066*/ function f() {}\n")),
    Hostile("combining characters", "a.swift", _again("e\u0301", before="func f() {}\nlet ", after=" = 1\n")),
)
"""All kinds, of which each is one line of the table of costs."""
