"""Lines of a skeleton that are shown together, and the lines of the source that they come from."""

from __future__ import annotations

from skeleton import Language, skeletons
from skeleton.index.units import units_of
from skeleton.levels import CompressionLevel
from skeleton.skeletonizer import definitions_of

ROW = b"""struct row_s {
  ROW_FIELDS
  /* who reads it */
  reader_t* reader;
  int count;
};
int sum(struct row_s* row) { return row->count; }
"""


def test_a_unit_begins_in_the_source_where_its_first_line_in_the_skeleton_does() -> None:
    language = Language.named("c")
    skeleton = skeletons(ROW, language).at(CompressionLevel.SKELETON)
    definitions = definitions_of(ROW, language)
    units = units_of(ROW, definitions, skeleton)
    lines = skeleton.text.split("\n")
    by_name = {definitions[unit.definitions[0]].name: unit for unit in units.units}
    reader = by_name["reader"]
    assert "/*" not in skeleton.text
    assert lines[reader.first].strip() == "ROW_FIELDS"
    assert (reader.source_first, reader.source_last) == (2, 4)
    assert (by_name["count"].source_first, by_name["row_s"].source_first) == (5, 1)
