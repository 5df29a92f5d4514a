"""Tells how far definitions can be seen, told from their signatures alone."""

from __future__ import annotations

import pytest

from skeleton.index.survey import survey_of
from skeleton.languages.headers import QueryFileError
from skeleton.languages.sketches import sketch_patterns
from skeleton.languages.visibility import Visible, visibility_rules
from skeleton.sketch.sketching import sketch_of

GO = "package x\n\nfunc main() {}\n\nfunc open() {}\n\ntype Conn struct {\n\tdone bool\n\tName string\n}\n\nfunc (c *Conn) close() {}\n\nfunc (c *Conn) Read() {}\n"
C = "static int find(int x) { return x; }\nint run(int x) { return find(x); }\n"
CPP = "namespace shop {\nstatic int find(int x) { return x; }\nclass Shop {\n  static int count(int x) { return x; }\n};\n}\n"
JAVA = "class Near {\n    int size() { return 1; }\n    private int rows() { return 2; }\n}\npublic class Wide {}\n"
KOTLIN = "private fun find(x: Int) = x\nfun run(x: Int) = find(x)\ninternal class Rows\nclass Desk private constructor(size: Int)\n"
SCALA = (
    "private def find(x: Int) = x\nclass Desk private (x: Int)\nprivate[shop] class Rows\nprivate[this] val sum = 1\n"
)
SWIFT = "fileprivate func find() {}\nstruct Shop {\n    private(set) var size = 1\n    private var rows = 2\n}\n"
RUST = "fn main() {}\nfn find() {}\npub(crate) fn run() {}\nmod rows {\n    struct Row;\n    pub struct Sum;\n}\nimpl Shop {\n    fn add(&self) {}\n}\n"
FIELDS = "interface Near {\n  rows: number\n  count(): number\n}\nexport interface Wide {\n  size: number\n}\ninterface Listed {\n  sum: number\n}\nexport { Listed }\n"
TYPESCRIPT = "const find = () => 1\nexport function run() {}\nfunction sum() {}\nfunction add() {}\nexport { sum as total }\nexport default add\nexport class Shop {\n  private rows = 1\n  size() {}\n}\n"
COMMON = "function find() {}\nmodule.exports = { find }\n"


@pytest.mark.parametrize(
    ("language", "source", "in_folder", "in_file"),
    [
        ("go", GO, "open done close", ""),
        ("c", C, "", "find"),
        ("cpp", CPP, "", "find"),
        ("java", JAVA, "Near", "rows"),
        ("kotlin", KOTLIN, "", "find"),
        ("scala", SCALA, "", "find sum"),
        ("swift", SWIFT, "", "find rows"),
        ("rust", RUST, "find rows Row", ""),
        ("typescript", TYPESCRIPT, "", "find rows"),
        ("typescript", FIELDS, "", "Near rows"),
        ("javascript", COMMON, "", ""),
        ("python", "def _find(): pass\n", "", ""),
    ],
)
def test_what_is_not_for_others_is_seen_in_its_folder_or_file(
    language: str, source: str, in_folder: str, in_file: str
) -> None:
    patterns = sketch_patterns(language)
    assert patterns is not None
    text = source.encode()
    survey = survey_of(text, sketch_of(text, patterns), language=language, secrets=0)
    told = {name: Visible(number) for name, number in zip(survey.names, survey.visible, strict=True)}
    assert {name for name, width in told.items() if width is Visible.IN_FOLDER} == {*in_folder.split()}
    assert {name for name, width in told.items() if width is Visible.IN_FILE} == {*in_file.split()}
    assert Visible.EVERYWHERE in told.values()


def test_rules_that_cannot_be_read_are_told_with_their_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> str:
        return f"; visible: street {name}\n"

    monkeypatch.setattr("skeleton.languages.visibility.text_of", broken)
    with pytest.raises(QueryFileError, match=r"^far\.scm: its headers of visibility cannot be read: "):
        visibility_rules("far")
