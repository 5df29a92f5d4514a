from __future__ import annotations

import codecs
import gzip
import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.trees import write_tree
from tests.unprivileged import open_to_everybody, without_rights
from workspace import MAX_FILE_BYTES, Problem, ProblemKind, Roots, ScannedFile, SourceFile, read_file, scan
from workspace.files.reading import decode

TEXT = "def größe():\r\n    return '漢字 €'\n"


def found(folder: Path, name: str) -> ScannedFile:
    return next(file for file in scan(folder, roots=Roots([folder])).files if file.path == name)


def read(folder: Path, content: bytes) -> SourceFile | Problem:
    write_tree(folder, {"a.py": content})
    return read_file(found(folder, "a.py"), roots=Roots([folder]))


def problem_of(result: SourceFile | Problem) -> ProblemKind:
    assert isinstance(result, Problem)
    return result.kind


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8-sig"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16-be"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "utf-32-le"),
        (codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"), "utf-32-be"),
        (TEXT.encode("utf-16-le"), "utf-16-le"),
        (TEXT.encode("utf-16-be"), "utf-16-be"),
    ],
)
def test_text_in_any_unicode_encoding_is_read_as_utf8(tmp_path: Path, raw: bytes, encoding: str) -> None:
    file = read(tmp_path, raw)
    assert isinstance(file, SourceFile)
    assert (file.raw, file.source, file.encoding) == (raw, TEXT.encode(), encoding)
    assert file.md5 == hashlib.md5(raw).hexdigest()


@pytest.mark.parametrize(
    ("raw", "text", "encoding"),
    [
        (b"na\xefve \x80 \x93x\x94\r\n", "naïve € “x”\r\n", "cp1252"),
        (b"na\xefve \x81\n", "naïve \x81\n", "latin-1"),
        ("漢字漢字漢字".encode() + b"\xff", "漢字漢字漢字\ufffd", "utf-8-damaged"),
        (codecs.BOM_UTF8 + b"abcdefgh\xff", "abcdefgh\ufffd", "utf-8-damaged"),
        (codecs.BOM_UTF16_LE + b"a\0b\0c\0d\0e", "abcd\ufffd", "utf-16-le"),
        (b"", "", "utf-8"),
        (codecs.BOM_UTF8, "", "utf-8-sig"),
        (b"a" * 9000 + b"\0", "a" * 9000 + "\0", "utf-8"),
    ],
)
def test_text_that_is_old_or_damaged_or_empty_is_still_read(
    tmp_path: Path, raw: bytes, text: str, encoding: str
) -> None:
    file = read(tmp_path, raw)
    assert isinstance(file, SourceFile)
    assert (file.source.decode(), file.encoding) == (text, encoding)


@pytest.mark.parametrize(
    "raw",
    [
        b"\x89PNG\r\n\x1a\n",
        b"%PDF-1.7\n%text",
        gzip.compress(b"x", mtime=0),
        b"abc\0def",
        b"\0",
        b"a\0b\0c\0d\0\0\xd8\0\xd8",
        b"a\0b\0c\0d\0" * 2000 + b"\0\0",
        b"\x01\x02\x03\x04\xff\xfe\xfd" * 10,
        codecs.BOM_UTF16_LE + b"a\0\0\0b\0",
        codecs.BOM_UTF16_LE + b"\x00\xd8" * 50,
    ],
)
def test_what_is_no_text_is_binary(tmp_path: Path, raw: bytes) -> None:
    assert problem_of(read(tmp_path, raw)) is ProblemKind.BINARY


def test_a_file_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "big").open("wb") as big:
        big.truncate(50_000_000)
    result = read_file(found(tmp_path, "big"), roots=Roots([tmp_path]))
    assert result == Problem(
        path="big", kind=ProblemKind.TOO_LARGE, detail=f"50000000 bytes; at most {MAX_FILE_BYTES} are read"
    )


def test_a_file_of_exactly_the_limit_is_read(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a": b"x" * 100})
    file = found(tmp_path, "a")
    assert isinstance(read_file(file, roots=Roots([tmp_path]), max_bytes=100), SourceFile)
    assert problem_of(read_file(file, roots=Roots([tmp_path]), max_bytes=99)) is ProblemKind.TOO_LARGE


def test_a_file_that_says_it_is_empty_is_read_no_further_than_the_limit() -> None:
    # What /proc holds has the size 0 and any content.
    result = scan(Path("/proc/self/maps"), roots=Roots(["/proc"])).files[0]
    assert result.size == 0
    assert isinstance(read_file(result, roots=Roots(["/proc"])), SourceFile)
    assert problem_of(read_file(result, roots=Roots(["/proc"]), max_bytes=10)) is ProblemKind.TOO_LARGE


def test_a_file_that_errors_on_reading_is_unreadable() -> None:
    memory = scan(Path("/proc/self/mem"), roots=Roots(["/proc"])).files[0]
    assert problem_of(read_file(memory, roots=Roots(["/proc"]))) is ProblemKind.UNREADABLE


def test_a_file_without_permission_is_unreadable(tmp_path: Path) -> None:
    write_tree(open_to_everybody(tmp_path), {"a": "x"})
    (tmp_path / "a").chmod(0)
    code = """
from workspace import Problem, Roots, read_file, scan
def work(folder):
    roots = Roots([folder])
    read = read_file(scan(folder, roots=roots).files[0], roots=roots)
    return read.kind if isinstance(read, Problem) else "read"
"""
    assert without_rights(code, str(tmp_path)) == ProblemKind.UNREADABLE.value


def test_a_file_that_vanished_is_unreadable(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a": "x"})
    file = found(tmp_path, "a")
    (tmp_path / "a").unlink()
    assert problem_of(read_file(file, roots=Roots([tmp_path]))) is ProblemKind.UNREADABLE


def test_what_took_the_place_of_a_file_is_not_opened(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "root", {"a": "x", "b": "y"})
    write_tree(tmp_path / "outside", {"a": "secret"})
    file = found(root, "a")
    (root / "a").unlink()
    (root / "a").symlink_to("../outside/a")
    assert problem_of(read_file(file, roots=Roots([root]))) is ProblemKind.SPECIAL
    (root / "a").unlink()
    os.mkfifo(root / "a")
    assert problem_of(read_file(file, roots=Roots([root]))) is ProblemKind.SPECIAL
    (root / "a").unlink()
    (root / "a").mkdir()
    assert problem_of(read_file(file, roots=Roots([root]))) is ProblemKind.SPECIAL


def test_a_folder_that_became_a_link_leads_nowhere(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "root", {"d/a": "x"})
    write_tree(tmp_path / "outside", {"a": "secret"})
    file = found(root, "d/a")
    (root / "d/a").unlink()
    (root / "d").rmdir()
    (root / "d").symlink_to("../outside")
    assert problem_of(read_file(file, roots=Roots([root]))) is ProblemKind.OUTSIDE


def test_a_system_that_does_not_tell_what_is_open_reads_nothing_outside_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workspace.files.opening._OPENED", str(tmp_path / "nothing"))
    assert isinstance(read(tmp_path / "root", b"x = 1\n"), SourceFile)
    test_a_folder_that_became_a_link_leads_nowhere(tmp_path / "other")


def test_a_scan_of_wider_roots_opens_nothing_under_narrower_ones(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {"in/a": "x", "out/b": "y"})
    file = found(root, "out/b")
    assert problem_of(read_file(file, roots=Roots([root / "in"]))) is ProblemKind.OUTSIDE


def test_the_stamp_is_that_of_what_was_read(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a": "x"})
    file = found(tmp_path, "a")
    write_tree(tmp_path, {"a": "longer"})
    read_now = read_file(file, roots=Roots([tmp_path]))
    assert isinstance(read_now, SourceFile)
    assert read_now.stamp == found(tmp_path, "a").stamp != file.stamp
    assert replace(read_now, raw=b"other").md5 != read_now.md5


@given(st.binary(max_size=200) | st.text(max_size=50).map(lambda text: text.encode("utf-16")))
def test_any_bytes_are_text_in_utf8_or_binary(raw: bytes) -> None:
    text = decode(raw)
    if text is not None:
        assert text[0].decode("utf-8") is not None


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=50))
def test_utf8_text_is_handed_on_unchanged(text: str) -> None:
    raw = text.encode()
    decoded = decode(raw)
    if decoded is not None and not raw.startswith(codecs.BOM_UTF8):
        assert decoded == (raw, "utf-8")
