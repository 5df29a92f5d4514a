"""Packages that a question names, among several in one repository."""

from __future__ import annotations

from allocator.overview.manifests import MANIFESTS
from allocator.ranking.mix import factors
from allocator.ranking.packages import Packages
from allocator.ranking.words import query_of
from tests.allocator.ranking.code import CodeFile, ranked_for
from workspace.names.manifests import begins_package

BOATS = "boat-core", "boat-sail", "boat-sail-tools", "boat-loader"


def said(question: str, *folders: str) -> list[float]:
    paths = [f"{folder}/{name}" for folder in folders for name in ("Cargo.toml", "src/lib.rs")]
    return [round(share, 2) for share in Packages(paths).said(query_of(question)).tolist()[1::2]]


def test_the_package_whose_name_is_said_comes_before_those_of_which_a_part_is() -> None:
    core, sail, tools, loader = said("How does the sail catch the wind?", *BOATS)
    assert sail > 0.6 > tools > core == loader == 0.0


def test_a_word_that_all_packages_are_called_like_tells_none_of_them() -> None:
    assert max(said("How is a boat built?", *BOATS)) < 0.1


def test_another_form_of_the_word_says_less() -> None:
    *_, by_form = said("How is a chart loaded?", *BOATS)
    *_, by_word = said("How does the loader read a chart?", *BOATS)
    assert 0 < by_form < 0.5 < by_word


def test_one_package_is_told_from_nothing() -> None:
    assert said("How does the sail catch the wind?", "boat-sail") == [0.0]
    assert said("How does the sail catch the wind?", "", "") == [0.0, 0.0]


def test_a_file_of_a_package_inside_another_belongs_to_both() -> None:
    paths = ["sail/package.json", "sail/rig/package.json", "sail/rig/src/index.ts", "hull/package.json"]
    shares = Packages(paths).said(query_of("where is the sail?")).tolist()
    assert shares[0] == shares[1] == shares[2] == 1.0 > shares[3]


def test_every_manifest_that_a_first_look_reads_makes_a_package() -> None:
    assert all(begins_package(f"boat{name}" if name.startswith(".") else name) for name in MANIFESTS)


def test_common_words_match_in_the_package_that_is_named() -> None:
    text = "def score_match(text, pattern):\n    return match(text, pattern)\n"
    files = [
        file
        for name in ("anchor", "buoy", "compass", "dinghy")
        for file in (CodeFile(f"{name}/pyproject.toml", ""), CodeFile(f"{name}/src/rating.py", f"# {name[0]}\n{text}"))
    ]
    for name in ("anchor", "dinghy"):
        ranking = ranked_for(files, f"How does {name} score a match of some text?")
        assert files[ranking.order[0]].path == f"{name}/src/rating.py"
        weights = sorted((ranking.files[place] for place in range(1, len(files), 2)), reverse=True)
        assert weights[0] > 2 * weights[1]


def test_it_counts_for_questions_alone() -> None:
    assert factors(query_of("how does the sail catch the wind?"))["package"] > 0
    assert "package" not in factors(query_of("Fix the sail"))
