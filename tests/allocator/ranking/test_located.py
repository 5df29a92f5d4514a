"""Files that a question finds by their place: what it says is called so, in a folder that it says, too."""

from __future__ import annotations

from allocator.ranking.corpus import Corpus, tiers_of
from allocator.ranking.history import NO_HISTORY
from allocator.ranking.mix import factors
from allocator.ranking.signals import signals
from allocator.ranking.words import query_of
from tests.allocator.ranking.code import CodeFile


def located(question: str, *paths: str) -> list[float]:
    files = [CodeFile(path, "def value():\n    return 1\n") for path in paths]
    arrays = Corpus().arrays(files, lambda places: [files[place].reading for place in places])
    found = signals(arrays, tiers_of(files), query_of(question), NO_HISTORY)["located"]
    return [round(float(found[unit]), 2) for unit in arrays.first[:-1]]


def test_both_the_name_of_a_file_and_that_of_its_folder_have_to_be_said() -> None:
    paths = "src/http/client/response.py", "src/http/response.py", "src/http/response_trait.py", "src/response.py"
    assert located("the headers of an HTTP response", *paths) == [0.0, 1.0, 0.5, 0.0]


def test_it_counts_for_questions_alone() -> None:
    assert factors(query_of("where are the headers of an HTTP response set?"))["located"] > 0
    assert "located" not in factors(query_of("Fix the headers of an HTTP response"))
