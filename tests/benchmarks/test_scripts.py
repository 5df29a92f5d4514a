"""The pure parts of the scripts: tables, the corpus, cuts, peers' output."""

import random
import subprocess
from pathlib import Path

import pytest

from benchmarks.skeletons.compiler_reading import script_of
from benchmarks.skeletons.corpus import CorpusError, CorpusFile, files_of, manifest, repository
from benchmarks.skeletons.exemptions import HEAD_RULES, REASONS, TAG_RULES
from benchmarks.skeletons.languages import LANGUAGES
from benchmarks.skeletons.measure import measure
from benchmarks.skeletons.peers import held, repomix_blocks
from benchmarks.skeletons.python_reading import read_python
from benchmarks.skeletons.recall import write_misses
from benchmarks.skeletons.references import Reading, Reference, Role
from benchmarks.skeletons.robustness import closed_before_the_cut, cut, longest_program
from benchmarks.skeletons.tables import share, table
from skeleton import CompressionLevel


def corpus_file(name: str, source: str) -> CorpusFile:
    return CorpusFile(absolute=Path(name), path=f"repo/{name}", source=source.encode())


def test_a_share_is_never_rounded_up_to_all() -> None:
    assert [share(99_999, 100_000), share(3, 3), share(0, 3), share(0, 0)] == ["99.99 %", "100.00 %", "0 %", "–"]


def test_numbers_stand_right_and_words_left() -> None:
    assert table(["a", "n"], [["x", 1], ["yy", 22]]) == "| a  |  n |\n|----|---:|\n| x  |  1 |\n| yy | 22 |"


def test_the_manifest_names_enough_repositories_for_every_language() -> None:
    listed = manifest()
    assert set(listed) == set(LANGUAGES)
    assert all(len(repositories) >= 1 for repositories in listed.values())
    major = [
        "python",
        "javascript",
        "typescript",
        "tsx",
        "rust",
        "go",
        "java",
        "c",
        "cpp",
        "csharp",
        "ruby",
        "php",
        "kotlin",
        "swift",
    ]
    assert all(len(listed[language]) >= 3 for language in major)


def test_a_repository_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="get owner/name and put its files there"):
        repository(tmp_path, "owner/name")


def test_tracked_files_of_a_language_are_listed_by_path(tmp_path: Path) -> None:
    for name, content in (("b.py", "b"), ("a.py", "a"), ("c.txt", "c"), ("new.py", "n"), ("empty.py", "")):
        (tmp_path / name).write_text(content, encoding="utf-8")
    for arguments in (["init", "-q"], ["add", "a.py", "b.py", "c.txt", "empty.py"]):
        subprocess.run(["git", "-C", str(tmp_path), *arguments], check=True)
    found = files_of(tmp_path, LANGUAGES["python"])
    assert [file.path for file in found] == [f"{tmp_path.name}/a.py", f"{tmp_path.name}/b.py"]
    assert [file.source for file in files_of(tmp_path, LANGUAGES["python"], most=1)] == [b"a"]


def test_every_rule_gives_a_reason_that_is_explained() -> None:
    given = {rule.exemption for rule in HEAD_RULES} | {rule.exemption for rule in TAG_RULES}
    assert given <= {"", *REASONS}


def test_only_the_scripts_of_a_component_are_read() -> None:
    text = '<template>{a</template>\n<script setup lang="ts">\nlet a\n</script>\n<style>b</style>\n'
    assert script_of(text) == (f"{' ' * 23}\n{' ' * 24}\nlet a\n{' ' * 9}\n{' ' * 16}\n", "ts")


def test_a_cut_is_a_beginning_and_the_same_for_the_same_seed() -> None:
    source = bytes(range(200))
    pieces = [cut(source, random.Random(3)) for _ in range(2)]
    assert pieces[0] == pieces[1]
    assert source.startswith(pieces[0])
    assert 20 <= len(pieces[0]) < 200


def test_the_longest_program_ends_before_the_broken_definition() -> None:
    assert longest_program(b"def f():\n    return 1\n\n@x\ndef g(\n  a") == b"def f():\n    return 1\n\n"


def test_only_what_is_closed_before_the_cut_is_asked_for() -> None:
    source = "fn a() {\n}\nmod m {\n  fn b() {\n  }\n  fn c() {\n    x("
    lines = {"a": (1, (1, 2)), "m": (3, None), "b": (4, (4, 5)), "c": (6, None)}
    reading = Reading(
        references=tuple(
            Reference(name=name, kind="function", role=Role.FUNCTION, line=line, first=line, last=line, body=body)
            for name, (line, body) in lines.items()
        )
    )
    found = closed_before_the_cut(reading, corpus_file("a.rs", source), LANGUAGES["rust"])
    assert [(one.name, closed) for one, closed in found] == [("a", True), ("b", False)]


def test_repomix_blocks_are_split_by_file() -> None:
    output = '<files>\n<file path="a/b.py">\ndef f()\n</file>\n\n<file path="c.py">\nx\n</file>\n</files>'
    assert repomix_blocks(output) == {"a/b.py": "def f()\n", "c.py": "x\n"}


def test_a_peer_keeps_a_function_where_it_is_declared_and_not_where_it_is_called() -> None:
    functions = read_python(b"def f(a,\n      b): pass\ndef g(): pass\n").references
    kept = held(functions, "def f(a, b)\n    g()\n", "python")
    assert [(one.name, found, whole) for one, found, whole in kept] == [("f", True, True), ("g", False, False)]


def test_a_real_file_is_measured_with_the_real_engine(tmp_path: Path) -> None:
    source = 'class A:\n    """Say it."""\n    def f(self,\n          a=1):\n        return [a, a, a, a, a, a, a]\n' * 3
    file = corpus_file("a.py", source)
    tally = measure([file], [read_python(file.source)], LANGUAGES["python"], len)
    plus = tally.levels[CompressionLevel.SKELETON_PLUS]
    assert (tally.required, tally.multi, plus.present, plus.multi_whole, tally.misses) == (6, 3, 6, 3, [])
    unknown = corpus_file("a.unknown", source)
    tally.add(measure([unknown], [read_python(unknown.source)], LANGUAGES["python"], len))
    assert (tally.files, tally.unrecognised, tally.required, len(tally.misses)) == (2, 1, 12, 12)
    write_misses(tmp_path, "python", tally)
    listed = (tmp_path / "python.txt").read_text(encoding="utf-8")
    assert "## 3 × L1 file not recognised: ClassDef" in listed
    assert "repo/a.unknown:1: ClassDef A" in listed
