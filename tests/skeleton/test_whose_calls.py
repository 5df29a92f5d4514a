"""Whose a name is where imports rename it, a value comes from another module, or a call says it by what it passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.skeleton.test_neighbours import beside, desk_of

if TYPE_CHECKING:
    from pathlib import Path

RUST = {
    "src/main.rs": "mod cmd;\nfn folder() -> u8 { 1 }\n",
    "src/cmd/clean.rs": "use crate::folder;\npub struct Queue { back: Option<u8> }\nimpl Queue {\n    fn back(&mut self) { self.back = None; }\n"
    "    fn next(&mut self) -> u8 { self.back.take();\n    self.back(); folder() }\n}\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("folder", ["src/cmd/clean.rs:6 in Queue.next [imported]"]),
        ("Queue.back~2", ["src/cmd/clean.rs:6 in Queue.next [same class]"]),
    ],
)
def test_what_stands_in_the_module_around_is_imported_and_a_field_is_no_method(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert told_beside(tmp_path, RUST, target) == expected


def told_beside(folder: Path, texts: dict[str, str], target: str, context: str = "callers") -> list[str]:
    """The places that are told beside a definition, each with how it is known."""
    lines = beside(desk_of(folder, texts), target, context)[1:]
    return [f"{line.partition(': ')[0]} [{line.rpartition('[')[2]}" for line in lines]
