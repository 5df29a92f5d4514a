from __future__ import annotations

import re
from array import array

import pytest

from skeleton.index.records import NO_USES, Uses
from skeleton.index.uses import uses_of
from skeleton.languages.headers import languages
from skeleton.languages.queries import Language

MARKED = {
    "bash": '# load\nf() { go x «"load »$(load y)«"»; }\n',
    "c": "int f() { load(«\"load\"», «'c'»); a->b(); } «// load»\n",
    "cpp": 'int f() { ns::load<int>(«"load"»); new Foo(1); auto s = «R"(load)"»; }\n',
    "csharp": 'class D { void F() { Load(«"load"»); G(«$"load »{Load(1)}« x"»); } }\n',
    "dart": "f() { load(«'load »${load(1)}«'»); }\n",
    "elixir": 'def f do\n load(1)\n «"load »#{load(2)}«"»\nend\n',
    "erlang": 'f() -> load(«"load"»), a:b(), «% load»\n  g().\n',
    "gdscript": 'func f():\n\tload(1); a.b(«&"load"», «$load/Go», «%"load"») «# load»\n',
    "go": "package p\nfunc f() { load(«\"load\"», «'c'», «`load`»); x.Y() }\n",
    "groovy": "def f() { load(«'load'»); a.b(1) } «// load»\n",
    "haskell": 'f x = load x (go 1) «"load"» «-- load»\n',
    "java": 'class A { void f() { load(«"load"»); new Foo(); this.g(); } «/** load */» }\n',
    "javascript": "const x = «`load »${load(1)}«`»; new Foo(); a.b.c(); «/load/»; «// load»\n",
    "kotlin": 'fun f() { load(«"load"»); a.b.c { 1 } }\n',
    "lua": 'function f() load(1); a.b(); a:c(); g «"load"» end «-- load»\n',
    "nix": 'x: load (go "«load »${load 2}") «# load»\n',
    "php": "<?php send(1); $this->x(); A::y(«'load'»); new Foo(); «# load»\n",
    "powershell": "function f { Load-It «'load'»; $a.Go(1) } «# load»\n",
    "python": 'x = «f"»{load()}« load »{a:>{w}}«"» + «"load"»\nself.app.go(1) «# load»\n',
    "ruby": 'def f\n  go «"load »#{load(2)}«"»\n  Shop.price(:load)\n  «%w[load]»\nend\n',
    "rust": 'fn f() { let x = «"load"»; load::<u8>(1); a.b::<T>().c(); m!(load(2)); } «// load»\n',
    "scala": 'def f() = { load(1); go(«s"load »${load(2)}«"») }\n',
    "swift": 'func f() { load(«"load"»); a.b() } «// load»\n',
    "tsx": 'const x = <div a=«"load"»>«load »{load(1)}</div>; new Foo<string>();\n',
    "typescript": "const x = «`load »${load(1)}«`»; new Foo<string>(); «// load»\n",
}
"""Sources with marks around what is a comment or a string."""


def _read(packed: bytes) -> array[int]:
    numbers = array("I")
    numbers.frombytes(packed)
    return numbers


def _uses(name: str, source: str) -> Uses:
    return uses_of(source.encode(), Language.named(name))


@pytest.mark.parametrize("name", MARKED)
def test_comments_and_strings_are_told_from_what_is_computed_in_them(name: str) -> None:
    marked = MARKED[name].replace("# load\nf()", "«# load»\nf()")
    source = re.sub("[«»]", "", marked)
    found, at = "", 0
    for number, end in enumerate([*_read(_uses(name, source).prose), len(source)]):
        found += f"«{source[at:end]}»" if number % 2 else source[at:end]
        at = end
    assert found == marked


@pytest.mark.parametrize(
    ("name", "source", "called"),
    [
        ("python", "self.app.go(1)(2); Foo[int](3); go", ["go"]),
        ("rust", "fn f() { load::<u8>(1); a.b::<T>().c(); m!(1); }", ["load", "b", "c", "m"]),
        ("java", "class A { void f() { new Foo<B>(); this.g(); h; } }", ["Foo", "g"]),
        ("ruby", "load_it 1\nShop.price(2)\nx = other\n", ["load_it", "price"]),
        ("bash", "f() { load x; }\n", ["load"]),
        ("haskell", "f x = load x (go 1)\n", ["load", "go"]),
        ("python", "größe(1); a.über(2); 你好(); naïf\n", ["größe", "über", "你好"]),
        ("java", "class A { void f() { new Öl<B>(); this.maß(); } }", ["Öl", "maß"]),
        ("objc", "void f() { [shop sell:1 for:load(2)]; [shop close]; }\n", ["sell", "for", "load", "close"]),
        ("perl", "load(1); $x->go; A->make(2);\n", ["load", "go", "make"]),
    ],
)
def test_what_is_called_is_known_with_parentheses_and_without(name: str, source: str, called: list[str]) -> None:
    calls = _read(_uses(name, source).calls)
    text = source.encode()
    assert [re.match(r"\w+", text[at:].decode())[0] for at in calls] == called  # pyright: ignore[reportOptionalSubscript]


def test_imports_are_known_by_the_query_of_the_language() -> None:
    source = 'package p\nimport (\n\t"os"\n\tx "a/b"\n)\n'
    places = _read(_uses("go", source).imports)
    assert [source[start:end] for start, end in zip(places[::2], places[1::2], strict=True)] == [
        "package p",
        'import (\n\t"os"\n\tx "a/b"\n)',
    ]


def test_comments_behind_the_last_import_are_none_of_it() -> None:
    source = 'package p\nimport a.b\nimport c.d\n\n/** It says "e". */\n@Suppress("f")\nclass G\n'
    places = _read(_uses("kotlin", source).imports)
    assert [source[start:end] for start, end in zip(places[::2], places[1::2], strict=True)] == [
        "package p",
        "import a.b\nimport c.d",
    ]


def test_every_language_tells_its_comments() -> None:
    for name in languages().names:
        comments = Language.named(name).comment_query
        assert comments is None or uses_of(b"\n", Language.named(name)) != NO_USES, name


def test_what_is_no_code_uses_nothing() -> None:
    assert uses_of(b"# load\nload()\n", None) == NO_USES


def test_what_is_nested_deeper_than_a_query_can_count_is_read_all_the_same() -> None:
    # Behind 65,535 levels a query looks at the same nodes again and again, for minutes.
    levels = 40_000
    code = f"load({'`${' * levels}1 /* load() */{'}`' * levels});\nload();\n"
    found = _uses("typescript", code)
    assert len(_read(found.calls)) == 2
    assert len(_read(found.prose)) > levels
