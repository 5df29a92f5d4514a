"""Mirrors of real folders: what is in them, what is never touched, and what an interruption leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from allocator.mirror import Mirrored, MirrorLevel, mirror
from skeleton.commented import commented_skeleton
from skeleton.languages.queries import Language
from workspace.errors import InvalidArgumentError, OutsideRootsError
from workspace.files import replacing as replacing_module
from workspace.files.replacing import MARKER, replacing
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CODE = '''"""What it does.

And why.
"""

import os  # for the names


# Settings come first.
LIMIT = 10


@cache
class Config(Base):
    """Settings.

    In two paragraphs.
    """

    def load(self) -> dict:
        """Reads."""
        # how it is done
        return {}
'''
FILES = {
    "src/config.py": CODE,
    "src/shape.rs": "//! A crate.\n\n/// A shape.\npub fn sides() -> u32 {\n    // counted\n    3\n}\n",
    "README.md": "# Title\n\ntext\n",
    "data/settings.json": '{"a": [1, 2]}',
    "Dockerfile": "FROM scratch\n",
    "Makefile": "all:\n\ttrue\n",
    "ci/Jenkinsfile": "pipeline { agent any }\n",
    "notes.txt": "remember\n",
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    root = tmp_path / "source"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    (root / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    (root / ".env").write_text("PASSWORD=hunter2\n", encoding="utf-8")
    return root


def made(source: Path, target: Path, level: MirrorLevel = MirrorLevel.L1) -> Mirrored:
    return mirror(str(source), str(target), roots=Roots([source]), level=level)


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_code_becomes_skeletons_and_other_text_is_copied(source: Path, tmp_path: Path) -> None:
    result = made(source, tmp_path / "out" / "mirror")
    found = content(tmp_path / "out" / "mirror")
    assert set(found) == {*FILES, MARKER}
    for path in ("README.md", "data/settings.json", "Dockerfile", "Makefile", "ci/Jenkinsfile", "notes.txt"):
        assert found[path] == FILES[path].encode()
    python = found["src/config.py"].decode()
    for kept in (
        *("import os  # for the names", "# Settings come first.", "@cache", "class Config(Base):", "And why."),
        *("In two paragraphs.", "def load(self) -> dict:", '"""Reads."""', "LIMIT = 10"),
    ):
        assert kept in python, kept
    assert "return {}" not in python
    assert "how it is done" not in python
    rust = found["src/shape.rs"].decode()
    assert rust.startswith("//! A crate.\n\n/// A shape.\npub fn sides() -> u32")
    assert "counted" not in rust
    assert (result.skeletons, result.copies) == (2, 6)
    assert result.bytes_before > result.bytes_after
    assert sorted(problem.path for problem in result.problems) == [".env", "image.png"]


def test_at_l2_only_signatures_stay(source: Path, tmp_path: Path) -> None:
    made(source, tmp_path / "mirror", MirrorLevel.L2)
    python = (tmp_path / "mirror/src/config.py").read_text(encoding="utf-8")
    assert "def load(self) -> dict" in python
    assert "Settings" not in python


def test_a_mirror_is_rebuilt_as_a_whole(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "mirror"
    target.mkdir()
    made(source, target)
    first = content(target)
    (source / "notes.txt").unlink()
    (source / "more").mkdir()
    (source / "more" / "new.txt").write_text("new", encoding="utf-8")
    made(source, target)
    second = content(target)
    assert set(first) - set(second) == {"notes.txt"}
    assert set(second) - set(first) == {"more/new.txt"}
    made(source, target)
    assert content(target) == second
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mirror", "source"]


def a_new_file(target: Path) -> None:
    (target / "mine.txt").write_text("mine", encoding="utf-8")


def a_new_folder(target: Path) -> None:
    (target / "src" / "mine").mkdir()


def a_changed_file(target: Path) -> None:
    (target / "README.md").write_text("my notes", encoding="utf-8")


def a_new_link(target: Path) -> None:
    (target / "link").symlink_to("/etc")


def a_link_in_place_of_a_file(target: Path) -> None:
    (target / "notes.txt").unlink()
    (target / "notes.txt").symlink_to("/etc/hostname")


def no_marker(target: Path) -> None:
    (target / MARKER).unlink()


def a_foreign_marker(target: Path) -> None:
    (target / MARKER).write_text("something else\n", encoding="utf-8")


def a_marker_that_is_no_text(target: Path) -> None:
    (target / MARKER).write_bytes(b"\xff")


@pytest.mark.parametrize(
    "touch",
    [
        *(a_new_file, a_new_folder, a_changed_file, a_new_link, a_link_in_place_of_a_file),
        *(no_marker, a_foreign_marker, a_marker_that_is_no_text),
    ],
)
def test_what_no_mirror_wrote_is_never_deleted(source: Path, tmp_path: Path, touch: Callable[[Path], None]) -> None:
    target = tmp_path / "mirror"
    made(source, target)
    touch(target)
    before = content(target)
    with pytest.raises(InvalidArgumentError, match="left as it"):
        made(source, target)
    assert content(target) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mirror", "source"]


def test_a_folder_with_other_content_is_refused(source: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("years of work", encoding="utf-8")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for target in ("full", "file"):
        with pytest.raises(InvalidArgumentError, match=target):
            made(source, tmp_path / target)
    assert content(tmp_path / "full") == {"thesis.tex": b"years of work"}


def test_source_and_mirror_never_hold_one_another(source: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(source)
    for target in (
        source,
        source / "mirror",
        tmp_path,
        tmp_path / "link" / "deep" / "mirror",
        source / ".." / "source",
    ):
        with pytest.raises(InvalidArgumentError, match="beside"):
            made(source, target)
    assert set(content(source)) == {*FILES, "image.png", ".env"}


def test_a_source_must_be_a_folder_inside_the_roots(source: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="folder"):
        mirror(str(source / "README.md"), str(tmp_path / "mirror"), roots=Roots([source]))
    with pytest.raises(OutsideRootsError):
        mirror("/etc", str(tmp_path / "mirror"), roots=Roots([source]))


def test_an_error_on_the_way_leaves_the_old_mirror_and_nothing_else(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "mirror"
    made(source, target)
    before = content(target)

    def give_up(done: int, total: int, stage: str) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mirror(str(source), str(target), roots=Roots([source]), progress=give_up)
    assert content(target) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mirror", "source"]


def test_a_killed_run_leaves_the_old_mirror_or_the_new_one_and_the_next_run_cleans_up(
    source: Path, tmp_path: Path
) -> None:
    target = tmp_path / "mirror"
    made(source, target)
    old = content(target)
    (source / "notes.txt").write_text("changed\n", encoding="utf-8")
    killing = (
        "import os, sys\n"
        "from allocator.mirror import mirror\n"
        "from workspace.files import replacing\n"
        "from workspace.roots import Roots\n"
        "def die(*given): os.kill(os.getpid(), 9)\n"
        "step = int(sys.argv[3])\n"
        "take_place = replacing._take_place\n"
        "if step == 99: replacing._take_place = lambda *given: (take_place(*given), die())\n"
        "progress = lambda done, total, stage: die() if done == step else None\n"
        "mirror(sys.argv[1], sys.argv[2], roots=Roots([sys.argv[1]]), progress=progress)\n"
    )
    for step in (0, 4, 99):
        killed = subprocess.run([sys.executable, "-c", killing, source, target, str(step)], check=False)
        assert killed.returncode == -signal.SIGKILL
        assert (content(target) == old) is (step != 99)
        assert (target / "notes.txt").read_text(encoding="utf-8") == ("changed\n" if step == 99 else "remember\n")
    assert len(list(tmp_path.iterdir())) > 2
    made(source, target)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mirror", "source"]


def test_a_run_that_is_at_work_is_not_cleaned_up_by_another(tmp_path: Path) -> None:
    target = tmp_path / "mirror"

    def overtaken() -> None:
        with replacing(target) as slow:
            slow.write("a.txt", b"slow")
            with replacing(target) as fast:
                fast.write("a.txt", b"fast")
            slow.write("b.txt", b"slow")

    with pytest.raises(InvalidArgumentError, match="changed meanwhile"):
        overtaken()
    assert (target / "a.txt").read_bytes() == b"fast"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mirror"]


def test_leftovers_that_are_not_ours_stay(source: Path, tmp_path: Path) -> None:
    (tmp_path / ".mirror.mirror-mine").mkdir()
    (tmp_path / ".mirror.mirror-mine" / "mine.txt").write_text("mine", encoding="utf-8")
    made(source, tmp_path / "mirror")
    assert (tmp_path / ".mirror.mirror-mine" / "mine.txt").exists()


def test_a_system_that_cannot_exchange_names_is_served_too(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(one: Path, other: Path) -> bool:
        return False

    monkeypatch.setattr(replacing_module, "_exchange", cannot)
    target = tmp_path / "mirror"
    made(source, target)
    (source / "notes.txt").write_text("changed\n", encoding="utf-8")
    made(source, target)
    assert (target / "notes.txt").read_text(encoding="utf-8") == "changed\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mirror", "source"]


def test_odd_names_are_mirrored_under_their_own(source: Path, tmp_path: Path) -> None:
    names = [b"caf\xe9.txt", b"tab\there.txt", b"line\nbreak.txt", b"back\\slash.txt", b"two  spaces.txt"]
    for name in names:
        with open(bytes(source) + b"/" + name, "wb") as file:  # noqa: PTH123 - pathlib takes no bytes
            file.write(name)
    made(source, tmp_path / "mirror")
    made(source, tmp_path / "mirror")
    assert set(names) <= set(os.listdir(bytes(tmp_path / "mirror")))  # noqa: PTH208 - as above


def test_the_marker_is_no_content(source: Path, tmp_path: Path) -> None:
    made(source, tmp_path / "mirror")
    with pytest.raises(InvalidArgumentError, match=MARKER):
        made(tmp_path / "mirror", tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_what_cannot_be_parsed_is_kept_as_far_as_l1_can_be_proven() -> None:
    python = Language.named("python")
    assert commented_skeleton(b"x = 1\n", python).text == "x = 1"
    broken = commented_skeleton(b"# kept\ndef broken(:\n    return ((\n\nclass Kept:\n    x = 1\n", python)
    assert "class Kept" in broken.text


def test_secrets_are_taken_out_of_what_is_mirrored(source: Path, tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (source / "notes.txt").write_text(f"token: {token}\n", encoding="utf-8")
    (source / "src" / "config.py").write_text(f'TOKEN = "{token}"\n' + CODE, encoding="utf-8")
    assert made(source, tmp_path / "mirror").secrets == 2
    assert all(token.encode() not in text for text in content(tmp_path / "mirror").values())
    mirror(str(source), str(tmp_path / "open"), roots=Roots([source]), redact=False)
    assert token in (tmp_path / "open" / "notes.txt").read_text(encoding="utf-8")
