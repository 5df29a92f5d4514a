"""Attributes that say nothing of what a definition is for, which the first look counts with what it leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from allocator.show.attributes import says_nothing
from allocator.show.elision import Selection
from skeleton import CompressionLevel
from tests.allocator.files import file_of
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

L2 = CompressionLevel.SKELETON

SOURCE = """pub fn first() -> u8 { 1 }

#[derive(Clone, Debug)]
#[must_use]
pub struct Second {
    one: u8,
    #[inline]
    two: u8,
}

impl Second {
    fn three(&self) -> u8 { 3 }

    #[test]
    #[inline]
    fn four(&self) -> u8 { 4 }

    #[inline]
    #[cold]
    fn five(&self) -> u8 { 5 }
}
"""


@pytest.mark.parametrize(
    "line",
    [
        "#[inline]",
        "    #[inline(always)]",
        '#[must_use = "streams do nothing unless polled"]',
        "#[derive(Clone, Copy, std::fmt::Debug,)]",
        '#[cfg(all(feature = "server", feature = "http1"))]',
        '#[cfg_attr(docsrs, doc(cfg(feature = "http1")))]',
        "[MethodImpl(MethodImplOptions.AggressiveInlining)]",
        "[DebuggerStepThrough]",
        "@Override",
        '    @SuppressWarnings("unchecked")',
        "@typing.override",
        "[[nodiscard]]",
        "#[\\ReturnTypeWillChange]",
    ],
)
def test_how_a_definition_is_built_says_nothing(line: str) -> None:
    assert says_nothing(line)


@pytest.mark.parametrize(
    "line",
    [
        "#[test]",
        "#[cfg(test)]",
        "#[derive(Debug, Parser)]",
        "#[inline] fn take(&self) -> [u8; 2] {",
        "@property",
        '@app.route("/")',
        '@Suppress("unused") fun load(path: String)',
        "@Override public void run() {",
        "[Fact]",
        "[tool.ruff]",
        "@version ||= gemspec.version.to_s",
        "",
    ],
)
def test_what_a_definition_is_for_stays(line: str) -> None:
    assert not says_nothing(line)


def shown(*names: str, brief: bool, raised: tuple[str, ...] = ()) -> tuple[str, ...]:
    file = file_of(SOURCE, "src/second.rs")

    def places(wanted: tuple[str, ...]) -> frozenset[int]:
        return frozenset(place for place, one in enumerate(file.definitions) if one.path in wanted)

    return file.selected(L2, Selection(shown=places(names), raised=places(raised), brief=brief)).lines


def test_they_count_with_what_is_left_out_above_them() -> None:
    assert shown("Second.five", brief=True) == ("impl Second {", "    fn five(&self) -> u8;", "}")
    assert shown("Second.five", brief=False) == (
        *("impl Second {", "⋮ 2 definitions"),
        *("    #[inline]", "    #[cold]", "    fn five(&self) -> u8;", "}"),
    )


def test_where_nothing_is_left_out_above_them_they_stand() -> None:
    assert "    #[inline]" in shown("Second.four", "Second.five", brief=True)
    assert "#[derive(Clone, Debug)]" in shown("first", "Second", brief=True)
    assert "#[derive(Clone, Debug)]" not in shown("Second", brief=True)


def test_what_says_something_stands_with_all_below_it() -> None:
    lines = shown("Second.four", brief=True)
    assert lines[lines.index("    #[test]") + 1] == "    #[inline]"


def test_a_definition_in_full_is_as_it_is_written() -> None:
    lines = shown(brief=True, raised=("Second.five",))
    assert lines[-5:] == ("⋮ 2 definitions", *SOURCE.split("\n")[-5:-2], "}")


def test_a_first_look_leaves_them_out_and_a_definition_in_full_has_them(tmp_path: Path) -> None:
    names = [f"{first}{second}" for first in ("red", "blue", "pale", "dark") for second in ("stone", "river", "cloud")]
    wide = ", ".join(f"argument_{number}: Option<Vec<u{number}>>" for number in range(12))
    hidden = "".join(f"fn _hidden_{number}({wide}) {{}}\n" for number in range(20))
    tree = {
        f"src/{name}.rs": f"{hidden}\n#[must_use]\npub fn make_{name}() {{\n"
        + "".join(f"    make_{other}({number});\n" for number in range(4) for other in names)
        + "}\n"
        for name in names
    }
    folder = write_tree(tmp_path / "stones", tree)
    engine = ContextEngine(Roots([folder]))
    first = engine.get_context(str(folder), token_budget=2600, format="compact").context
    assert "[SHOWN:1/21]\npub fn make_" in first
    assert "#[must_use]" not in first
    assert "#[must_use]" in engine.get_context(str(folder), token_budget=2600, focus=["make_redstone"]).context
