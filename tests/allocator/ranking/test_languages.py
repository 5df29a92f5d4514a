"""Languages that a question says the code to be written in."""

from __future__ import annotations

import pytest

from allocator.ranking.languages import languages_in, written_in
from allocator.ranking.words import query_of
from tests.allocator.ranking.code import CodeFile, ranked_for


@pytest.mark.parametrize(
    ("question", "languages"),
    [
        ("Where does the Go code read options?", ["Go"]),
        ("How is a row read in C#?", ["C#"]),
        ("How is a row read in C++, and where?", ["C++"]),
        ("Which Python modules call the TypeScript client?", ["Python", "TypeScript"]),
        ("How do the Java server and the Kotlin client agree?", ["Java", "Kotlin"]),
        ("What is written in Rust.", ["Rust"]),
        ("Where does the CUDA code clamp values?", ["CUDA"]),
        ("Where do requests go in the server code?", []),
        ("How does it compile a template to Python code?", []),
        ("How is code in Go highlighted?", []),
        ("Where does it read in R.txt?", []),
        ("Where is the Javanese module?", []),
    ],
)
def test_a_language_is_named_where_a_question_says_what_something_is_written_in(
    question: str, languages: list[str]
) -> None:
    assert languages_in(question) == languages


def test_files_are_told_by_their_endings() -> None:
    assert written_in(["a.go", "b.py", "c.tsx"], ["Go", "TypeScript"]).tolist() == [1.0, 0.0, 1.0]
    assert written_in(["a.cu", "a.cpp", "a.nf"], ["CUDA", "Groovy"]).tolist() == [1.0, 0.0, 1.0]
    assert written_in(["a.go"], []).tolist() == [0.0]


def test_common_words_match_in_the_language_that_is_named() -> None:
    files = [
        CodeFile("server/options.py", "def read_options(path):\n    return parse(path)\n"),
        CodeFile("client/options.ts", "export function readOptions(path) {\n  return parse(path)\n}\n"),
    ]
    for place, language in enumerate(("Python", "TypeScript")):
        ranking = ranked_for(files, f"Where does the {language} code read options of a path?")
        assert ranking.order[0] == place
        assert ranking.files[place] > 4 * ranking.files[1 - place]
    assert query_of("Fix the Go code").languages == ()
