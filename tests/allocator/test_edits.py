"""Changes of a file among the lines that are shown of it: as much work as there are lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from allocator.show.edits import EditedSelection, with_edits
from skeleton import CompressionLevel, Language
from skeleton.index.units import Units
from tests.allocator.files import file_of

Row = tuple[str, int]

ROWS = 2000


class CountedRows(Sequence[Row]):
    """Rows that count how many of them were given out."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self.given = 0

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        if isinstance(place, slice):
            self.given += len(self._rows[place])
        else:
            self.given += 1
        return self._rows[place]


def test_rows_are_looked_at_a_few_times_however_many_stand_for_others() -> None:
    source = [f"line {number}" for number in range(2 * ROWS)]
    shown = [("line 0", 1), *((f"⋮ {number} lines", 0) for number in range(ROWS))]
    rows = CountedRows(shown)
    units = Units(units=(), runs=(), of={}, loose=0)
    edited = with_edits(rows, source, units, {1: ("gone",)}, EditedSelection())
    assert edited == [("⋮- gone", 0), *shown]
    assert rows.given < 10 * ROWS


def test_a_signature_is_whole_where_lines_of_its_body_stand_below_it() -> None:
    source = (
        "class Till {\n    void open(\n        int key)\n    {\n        a();\n        b();\n        c();\n    }\n\n"
        "    void shut() {\n        d();\n        e();\n    }\n}\n"
    )
    file = file_of(source, "Till.cs", written_in=Language.named("csharp"))
    selection = EditedSelection(shown=frozenset(range(3)), exact=frozenset([4, 5]))
    view = file.selected(CompressionLevel.SKELETON, selection)
    assert view.lines[1:5] == ("    void open(", "        int key)", "    {", "        a();")
    assert view.numbers[1:5] == (2, 3, 4, 5)
    assert view.lines[-2:] == ("    void shut();", "}")
