"""Items that a grammar keeps as tokens: those inside the calls of macros."""

from __future__ import annotations

from pathlib import Path

import pytest

from skeleton import skeletons
from skeleton.languages.queries import Language
from skeleton.outline.outlining import every_definition
from skeleton.zoom.zoomer import zoom
from workspace.roots import Roots

RUST = Language.named("rust")

GATED = """\
use std::io;

cfg_rt! {
    mod pool;

    /// Spawns a task. At once.
    #[track_caller]
    pub fn spawn(
        task: Task,
    ) -> Handle {
        run(task)
    }

    cfg_net! {
        pub struct Socket { fd: u8 }

        impl Socket {
            cfg_time! {
                pub async fn wait(&self) { sleep().await }
            }
        }
    }
}

/// Picks one.
doc! {macro_rules! select {
    () => { 1 };
}}
"""


def names(source: str) -> list[str]:
    return [one.path for one in every_definition(source.encode(), RUST)]


def test_zoom_gives_what_stands_inside_the_call_of_a_macro_byte_for_byte(tmp_path: Path) -> None:
    (tmp_path / "lib.rs").write_text(GATED, encoding="utf-8")
    wanted = {
        "spawn": GATED[GATED.index("    /// Spawns") : GATED.index("\n\n    cfg_net!")],
        "Socket.wait": "                pub async fn wait(&self) { sleep().await }",
        "function=wait": "                pub async fn wait(&self) { sleep().await }",
        "select!": "macro_rules! select {\n    () => { 1 };\n}",
    }
    for target, source in wanted.items():
        (match,) = zoom(target, str(tmp_path), roots=Roots([tmp_path])).matches
        assert match.text.strip("\n") == source, target


@pytest.mark.parametrize("before", ["", "mod outer {\n", "impl Outer {\n", "trait Outer {\n"])
def test_items_inside_macros_have_the_names_that_they_have_without(before: str) -> None:
    after = "}\n" if before else ""
    plain = f"{before}fn one() {{ 1 }}\nconst TWO: u8 = 2;\n{after}"
    gated = f"{before}a! {{ fn one() {{ 1 }} b! {{ const TWO: u8 = 2; }} }}\n{after}"
    assert names(gated) == names(plain)


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("run!(a, b);", "run!(a, b);"),
        ("run! { a }", "run! { a }"),
        ("run! {\n    a = 1;\n\n    b = 2;\n}", "run! { /* ⋮ 3 lines */ }"),
        ("test!(it_runs, |dir: Dir| {\n    dir.run();\n});", "test!(it_runs, |dir: Dir| { /* ⋮ 1 line */ });"),
        ("table![\n    1, 2,\n    3, 4,\n];", "table![ /* ⋮ 2 lines */ ];"),
    ],
)
def test_what_is_no_item_is_shown_by_its_head_and_counted(call: str, shown: str) -> None:
    levels = skeletons(f"fn a() {{ 1 }}\n{call}\nfn b() {{ long(1, 2, 3, 4, 5, 6, 7) }}\n".encode(), RUST)
    assert f"fn a() {{ /* ... */ }}\n{shown}\nfn b()" in levels.plus.text
    assert f"fn a();\n{shown}\nfn b();" in levels.skeleton.text
    assert (levels.plus.unproven, levels.skeleton.unproven) == ("", "")


def test_text_that_no_grammar_reads_is_taken_for_no_comment() -> None:
    source = """\
impl Write for Mock {
    fn poll_write(
}
        match self.calls.pop_front() {
            Some(Poll::Ready(Ok(_))) => panic!(),
            Some(Poll::Pending) => Poll::Pending,
    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<Result<(), io::Error>> {
    }
}
    fn from(src: &'a [u8]) -> Op {
}
"""
    assert names(source) == ["Mock", "Mock.poll_shutdown", "from"]


def test_text_that_no_item_is_made_of_stays_in_its_place_among_items() -> None:
    source = """\
ffi! {
    fn free(body: *mut Body) { drop(body) } ?= ptr::null_mut()
}
switch! {
    #[cfg(a)] => {
        fn here() { 1 }
    }
    _ => { fn there() { 2 } }
}
"""
    levels = skeletons(source.encode(), RUST)
    assert names(source) == ["free", "here", "there"]
    assert levels.skeleton.text.split("\n") == [
        "ffi! {",
        "    fn free(body: *mut Body); ?= ptr::null_mut()",
        "}",
        "switch! {",
        "    #[cfg(a)] => {",
        "        fn here();",
        "    }",
        "    _ => { fn there(); }",
        "}",
    ]


def test_an_item_of_a_macro_s_own_language_is_known_by_its_word_and_its_name(tmp_path: Path) -> None:
    source = """\
bitflags! {
    /// Of a file.
    pub struct Flags: u8 {
        const READ = 1;
    }
}
proptest! {
    #[test]
    fn holds(x in 0..9u8) {
        assert!(x < 9);
    }
}
"""
    (tmp_path / "lib.rs").write_text(source, encoding="utf-8")
    levels = skeletons(source.encode(), RUST)
    assert [f"{one.kind} {one.path}" for one in levels.skeleton.definitions] == [
        "struct Flags",
        "member Flags.READ",
        "function holds",
    ]
    (match,) = zoom("holds", str(tmp_path), roots=Roots([tmp_path])).matches
    assert match.text.strip("\n") == source[source.index("    #[test]") : source.rindex("\n}")]


def test_words_in_a_row_are_no_definition() -> None:
    assert names("forward! { bool struct enum identifier ignored }\nforward! { map enum identifier }\n") == []


def test_constants_inside_macros_go_at_the_level_where_constants_go() -> None:
    source = b"thread_local! { static COUNT: u8 = 1; }\nfn run() { run(); run(); run() }\n"
    levels = skeletons(source, RUST)
    assert "static COUNT" in levels.plus.text
    assert levels.skeleton.text == "fn run();"


@pytest.mark.no_cover
@pytest.mark.parametrize("opener", ["a!{", "a!(", "a!{ fn f() {} "])
def test_macros_nested_without_end_are_shown(opener: str) -> None:
    source = opener * 4_000
    closed = source + ("}" if "{" in opener else ")") * 4_000
    for text in (source, closed):
        assert skeletons(text.encode(), RUST).full.text == text


def test_a_quote_inside_a_body_defines_nothing() -> None:
    assert names("fn make() { quote! { fn made() {} } }\n") == ["make"]
