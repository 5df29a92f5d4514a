"""Lines of files that are too large to be read whole: zoom reads what is needed of them, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeleton.zoom.zoomer import zoom
from tests.trees import write_tree
from workspace.errors import InvalidArgumentError, UnreadableFileError
from workspace.files import opening
from workspace.files.opening import Refusal, read_stretch
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

LINES = [f"row {number} of the log {'x' * (number % 90)}" for number in range(1, 120_001)]
LOG = "\n".join(LINES) + "\n"


@pytest.mark.parametrize(
    ("first", "last"), [(1, 1), (1, 3), (2, 9), (1500, 1501), (70_000, 70_020), (119_999, 120_000)]
)
def test_lines_of_a_file_that_is_too_large_are_given_as_they_are(tmp_path: Path, first: int, last: int) -> None:
    write_tree(tmp_path, {"big.log": LOG})
    assert len(LOG) > 4 << 20
    text = zoom(f"big.log:{first}-{last}", ".", roots=Roots([tmp_path])).text
    assert text == f"+++ big.log:{first}-{last}\n" + "".join(f"{line}\n" for line in LINES[first - 1 : last])


def test_what_is_too_large_says_that_lines_of_it_can_be_shown_and_how_many_it_has(tmp_path: Path) -> None:
    write_tree(tmp_path, {"big.log": LOG})
    with pytest.raises(UnreadableFileError, match=r"Lines of it can: file=big\.log:1-200\."):
        zoom("big.log", ".", roots=Roots([tmp_path]))
    with pytest.raises(InvalidArgumentError, match=r"has 120000 lines; there is no line 120001\."):
        zoom("file=big.log:120001-120002", ".", roots=Roots([tmp_path]))
    assert zoom("big.log:119999-130000", ".", roots=Roots([tmp_path])).text.startswith("+++ big.log:119999-120000\n")


def test_secrets_in_lines_of_a_large_file_are_taken_out_by_what_stands_around_and_at_its_head(tmp_path: Path) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEowIBAAKCAQEAx7fK9sQ2\n" * 20 + "-----END RSA PRIVATE KEY-----\n"
    rows = "".join(f"{number},row{number},p4ssW0rd{number}xyzQ\n" for number in range(260_000))
    write_tree(tmp_path, {"big.log": f"{LOG}{key}{LOG}", "big.csv": f"id,name,password\n{rows}"})
    text = zoom("big.log:120010-120012", ".", roots=Roots([tmp_path])).text
    assert "MIIEow" not in text
    assert "[REDACTED]" in text.partition("\n")[0]
    assert "p4ssW0rd" not in zoom("big.csv:200000-200002", ".", roots=Roots([tmp_path])).text


def test_a_large_file_that_is_no_text_or_holds_credentials_by_its_name_is_not_read_by_lines(tmp_path: Path) -> None:
    write_tree(tmp_path, {"id_rsa": LOG, "wide.log": LOG.encode("utf-16"), "a.bin": b"\0\1\2\n" * (2 << 20)})
    for name in ("id_rsa", "wide.log", "a.bin"):
        with pytest.raises(UnreadableFileError, match="cannot be shown"):
            zoom(f"file={name}:5-6", ".", roots=Roots([tmp_path]))


@given(st.lists(st.integers(0, 30), max_size=60), st.integers(1, 62), st.integers(0, 20), st.booleans())
def test_a_stretch_is_the_lines_between_what_is_above_and_below(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], first: int, more: int, ends: bool
) -> None:
    folder = tmp_path_factory.mktemp("stretch")
    lines = [f"{number}{'x' * length}" for number, length in enumerate(lengths)]
    text = "\n".join(lines) + ("\n" if ends and lines else "")
    (folder / "a").write_text(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(opening, "_CHUNK", 16)
        patched.setattr(opening, "_AROUND", 40)
        found = read_stretch(
            str((folder / "a").resolve()), roots=Roots([folder]), first=first, last=first + more, max_bytes=1 << 10
        )
    assert not isinstance(found, Refusal)
    kept = text.splitlines(keepends=True)
    assert found.lines.decode() == "".join(kept[first - 1 : first + more])
    if found.lines:
        assert "".join(kept[: first - 1]).endswith(found.above.decode().rpartition("\n\n")[2][-20:])
        assert found.number == min(first + more, len(kept))
    else:
        assert found.number == len(kept)
