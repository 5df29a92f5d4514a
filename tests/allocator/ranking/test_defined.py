from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from allocator.ranking.corpus import Corpus, tiers_of
from allocator.ranking.defined import asked_for, defining
from allocator.ranking.words import query_of
from tests.allocator.ranking.code import CodeFile, ranked_for

FILES = (
    CodeFile("src/app.rs", "mod file_watcher;\n\npub fn run(watcher: FileWatcher) {}\n"),
    CodeFile("src/events.rs", "impl Drop for FileWatcher {\n    fn drop(&mut self) {}\n}\n"),
    CodeFile("src/file_watcher.py", "def watch_files(paths):\n    return paths\n"),
    CodeFile("src/state.rs", "pub struct FileWatcher {\n    pub paths: Vec<String>,\n}\n\npub struct HTTPServer;\n"),
    CodeFile("src/one.py", "class Handler:\n    pass\n"),
    CodeFile("src/other.py", "class Handler:\n    pass\n\n\nclass Outer:\n    def state(self):\n        return 1\n"),
)


def shares(question: str, files: Sequence[CodeFile] = FILES) -> dict[str, float]:
    arrays = Corpus().arrays(files, lambda places: [files[place].reading for place in places])
    found = defining(arrays, query_of(question)).tolist()
    return {file.path: share for file, share in zip(files, found, strict=True) if share}


@pytest.mark.parametrize(
    "question",
    ["FileWatcher", "where is FileWatcher kept?", "file watcher", "how do file watchers end?", "fileWatcher state"],
)
def test_a_name_is_defined_where_it_is_declared_and_not_where_it_is_implemented_or_held(question: str) -> None:
    assert shares(question)["src/state.rs"] == 1.0
    assert "src/events.rs" not in shares(question)
    assert "src/app.rs" not in shares(question)


def test_words_are_a_name_in_every_spelling() -> None:
    assert shares("how to watch files") == {"src/file_watcher.py": 1.0}
    assert shares("HTTP server") == {"src/state.rs": 1.0}


def test_files_that_define_the_same_name_share_it() -> None:
    assert shares("Handler of events") == {"src/one.py": 0.5, "src/other.py": 0.5}


def test_a_member_is_meant_only_where_nothing_else_has_the_name() -> None:
    assert shares("state") == {"src/other.py": 1.0}
    outer = CodeFile("src/outer.py", "def state():\n    return 2\n")
    assert shares("state", (*FILES, outer)) == {"src/outer.py": 1.0}


def test_an_everyday_word_of_a_question_is_no_name() -> None:
    assert shares("the state of all that runs") == {}


def test_names_that_came_with_other_files_of_a_corpus_are_unknown_here() -> None:
    corpus = Corpus()
    arrays = [
        corpus.arrays(files, lambda places, files=files: [files[place].reading for place in places])
        for files in (FILES[4:], FILES)
    ]
    assert [defining(each, query_of("FileWatcher")).sum() for each in arrays] == [0.0, 1.0]


def test_the_file_that_defines_what_a_question_names_comes_first() -> None:
    users = tuple(
        CodeFile(
            f"src/use_{at}.py",
            f"def use_{at}(watcher):\n    '''A FileWatcher, a FileWatcher.'''\n    return FileWatcher\n",
        )
        for at in range(8)
    )
    files = (*users, CodeFile("src/zebra.py", "class FileWatcher:\n    def stop(self):\n        return None\n"))
    assert files[ranked_for(files, "FileWatcher").order[0]].path == "src/zebra.py"


CONSTANTS = (
    CodeFile("src/settings.py", "RETRY_LIMIT = 5\nPORT = 1\n\n\ndef retry_limit():\n    return RETRY_LIMIT\n"),
    CodeFile("src/other.py", "PORT = 2\n"),
    CodeFile("tests/test_retry.py", "RETRY_LIMIT = 1\n"),
    *(CodeFile(f"src/part_{number}.py", "LOG = 1\n") for number in range(6)),
)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what is RETRY_LIMIT", {("src/settings.py", 0): 1.0}),
        ("raise the retry limit", {("src/settings.py", 0): 1.0}),
        ("PORT", {("src/settings.py", 1): 0.5, ("src/other.py", 0): 0.5}),
        ("which port does the client open", {}),
        ("LOG", {}),
    ],
)
def test_a_constant_is_asked_for_by_its_name(question: str, found: dict[tuple[str, int], float]) -> None:
    arrays = Corpus().arrays(CONSTANTS, lambda places: [CONSTANTS[place].reading for place in places])
    shares = asked_for(arrays, tiers_of(CONSTANTS), query_of(question), np.ones(arrays.files)).tolist()
    asked = {
        (file.path, place): share
        for number, file in enumerate(CONSTANTS)
        for place, share in enumerate(shares[arrays.first[number] : arrays.first[number + 1]])
        if share
    }
    assert asked == found


def test_a_word_in_capitals_among_others_is_a_constant_only_where_the_question_is_about_its_file() -> None:
    schemes = CodeFile("src/schemes.py", "HTTP = 'http'\nFTP = 'ftp'\n\n\ndef of(name):\n    return name\n")
    chunks = CodeFile(
        "src/chunks.py",
        "def decode_chunked_message(body):\n    # HTTP sends a chunked message\n    return [decode(chunk) for chunk in body]\n",
    )
    files = schemes, chunks
    asked = ranked_for(files, "how does it decode HTTP chunked messages").asked
    assert asked is not None
    assert asked[0][:2] == (0.0, 0.0)
    alone = ranked_for(files, "HTTP").asked
    assert alone is not None
    assert alone[0][0] == 1.0
    in_settings = ranked_for((CodeFile("src/settings.py", "PORT = 5\n"), *files), "raise PORT").asked
    assert in_settings is not None
    assert in_settings[0][0] == 1.0
