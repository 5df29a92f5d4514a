"""Restored files: which are shown, which are named with a reason, with real files, links, pipes and permissions."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest

from compaction.history import CompactionEngine, CompactionOptions, CompactionResult, FileLimits, FileStatus, FormatName
from compaction.history.file_tools import touches
from compaction.history.messages import ToolCall
from compaction.values import Json, JsonObject
from tests.compaction.history.conversations import Call, Result, Said, Step, User, long_session, used, write
from tests.unprivileged import open_to_everybody, without_rights

if TYPE_CHECKING:
    from pathlib import Path

_ENGINE = CompactionEngine()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    return made


def restored(root: Path, *steps: Step, limits: FileLimits | None = None, redact: bool = True) -> CompactionResult:
    history = write(FormatName.ANTHROPIC, *long_session(3), *steps, Said(text="Done with that."))
    history[1:7] = []
    filler = write(
        FormatName.ANTHROPIC, User(text="look"), *used("big", "run", {"command": "make"}, "output line\n" * 20_000)
    )
    result = _ENGINE.compact(
        [*filler, *history[1:]], CompactionOptions(workspace=root, files=limits or FileLimits(), redact=redact)
    )
    assert result.messages is not None, result.detail
    return result


def _statuses(result: CompactionResult) -> dict[str, FileStatus]:
    return {file.path: file.status for file in result.files if not file.path.startswith("src/module_")}


def reads(*paths: str) -> list[Step]:
    steps: list[Step] = []
    for number, path in enumerate(paths):
        steps += used(f"r{number}", "read_file", {"file_path": path}, "old content")
    return steps


def test_the_five_newest_files_come_back_with_their_content_of_now(root: Path) -> None:
    for number in range(7):
        (root / f"f{number}.py").write_text(f"content of now {number}\n", encoding="utf-8")
    result = restored(root, *reads(*[f"f{number}.py" for number in range(7)]))
    embedded = [file for file in result.files if file.status is FileStatus.EMBEDDED]
    assert [file.path for file in embedded] == ["f6.py", "f5.py", "f4.py", "f3.py", "f2.py"]
    assert [file.text for file in embedded] == [f"content of now {number}\n" for number in (6, 5, 4, 3, 2)]
    shown = str(result.messages)
    assert "content of now 6" in shown
    assert "content of now 1" not in shown
    assert "old content" not in shown


def test_parallel_calls_in_one_turn_count_last_first(root: Path) -> None:
    for number in range(6):
        (root / f"p{number}.py").write_text(str(number), encoding="utf-8")
    calls = [Call(id=f"p{number}", name="Read", arguments={"file_path": f"p{number}.py"}) for number in range(6)]
    results = [Result(id=f"p{number}") for number in range(6)]
    result = restored(root, *calls, *results)
    assert [file.path for file in result.files][:5] == ["p5.py", "p4.py", "p3.py", "p2.py", "p1.py"]


def test_files_that_cannot_be_shown_do_not_starve_those_that_can(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("secret of the neighbour", encoding="utf-8")
    (root / ".env").write_text("KEY=1", encoding="utf-8")
    (root / "image.bin").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    (root / "good.py").write_text("good = 1\n", encoding="utf-8")
    result = restored(
        root, *reads("good.py", str(tmp_path / "outside.py"), "../outside.py", "gone.py", ".env", "image.bin")
    )
    assert _statuses(result) == {
        "good.py": FileStatus.EMBEDDED,
        str(tmp_path / "outside.py"): FileStatus.OUTSIDE,
        "../outside.py": FileStatus.OUTSIDE,
        "gone.py": FileStatus.MISSING,
        ".env": FileStatus.SENSITIVE,
        "image.bin": FileStatus.BINARY,
    }
    shown = str(result.messages)
    assert "secret of the neighbour" not in shown
    assert "KEY=1" not in shown
    assert "gone.py: it no longer exists" in shown
    assert "image.bin: binary: 264 bytes" in shown


def test_a_file_under_other_spellings_and_links_is_one(root: Path) -> None:
    (root / "a.py").write_text("a = 1\n", encoding="utf-8")
    (root / "soft.py").symlink_to(root / "a.py")
    os.link(root / "a.py", root / "hard.py")
    result = restored(root, *reads("a.py", "./a.py", str(root / "a.py"), "soft.py", "x/../a.py", "hard.py"))
    assert _statuses(result) == {"hard.py": FileStatus.EMBEDDED}


def test_a_link_that_leads_out_of_the_workspace_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "neighbour.txt").write_text("his", encoding="utf-8")
    (root / "link.txt").symlink_to(tmp_path / "neighbour.txt")
    assert _statuses(restored(root, *reads("link.txt"))) == {"link.txt": FileStatus.OUTSIDE}


def test_a_sensitive_file_behind_an_innocent_link_is_refused(root: Path) -> None:
    (root / ".env").write_text("TOKEN=1", encoding="utf-8")
    (root / "settings.txt").symlink_to(root / ".env")
    assert set(_statuses(restored(root, *reads("settings.txt"))).values()) == {FileStatus.SENSITIVE}


def test_pipes_sockets_and_folders_are_never_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(root / "pipe")
    (root / "folder").mkdir()
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("sock")
        result = restored(root, *reads("pipe", "folder", "sock"))
    assert _statuses(result) == dict.fromkeys(["sock", "folder", "pipe"], FileStatus.UNREADABLE)


def test_a_file_or_folder_without_permission_is_unreadable(root: Path) -> None:
    open_to_everybody(root)
    (root / "locked.py").write_text("x", encoding="utf-8")
    (root / "locked.py").chmod(0)
    (root / "closed").mkdir()
    (root / "closed" / "inner.py").write_text("x", encoding="utf-8")
    (root / "closed").chmod(0)
    code = """
from pathlib import Path
from tests.compaction.history.test_restoring_files import reads, restored
def work(folder):
    result = restored(Path(folder), *reads("locked.py", "closed/inner.py"))
    shown = sorted(f"{file.path} {file.status}" for file in result.files if not file.path.startswith("src/module_"))
    return "; ".join(shown)
"""
    assert without_rights(code, str(root)) == "closed/inner.py unreadable; locked.py unreadable"


@pytest.mark.parametrize("path", ["a\0b", "x" * 5_000, "~/x.py"])
def test_a_path_that_no_file_can_have_is_unreadable(root: Path, path: str) -> None:
    assert set(_statuses(restored(root, *reads(path))).values()) == {FileStatus.UNREADABLE}


def test_failed_denied_and_unanswered_calls_are_no_touches(root: Path) -> None:
    for name in ("denied.py", "failed.py", "said.py", "open.py", "good.py"):
        (root / name).write_text("x = 1\n", encoding="utf-8")
    steps: list[Step] = [
        *reads("good.py"),
        Call(id="d", name="edit", arguments={"file_path": "denied.py"}),
        Result(id="d", text="The user doesn't want to proceed with this tool use.", error=False),
        Call(id="f", name="edit", arguments={"file_path": "failed.py"}),
        Result(id="f", text="no", error=True),
        Call(id="s", name="edit", arguments={"file_path": "said.py"}),
        Result(id="s", text="Error: old_string was not found"),
        Call(id="o", name="read_file", arguments={"file_path": "open.py"}),
    ]
    result = restored(root, *steps)
    assert _statuses(result) == {"good.py": FileStatus.EMBEDDED}


def test_a_file_whose_content_begins_with_the_word_error_was_read(root: Path) -> None:
    (root / "errors.md").write_text("Error handling guide\n", encoding="utf-8")
    step = used("e", "read_file", {"file_path": "errors.md"}, "Error handling guide\n")
    assert _statuses(restored(root, *step)) == {"errors.md": FileStatus.EMBEDDED}


def test_deleted_files_are_announced_as_deleted(root: Path) -> None:
    patch = "*** Begin Patch\n*** Delete File: old.py\n*** End Patch"
    result = restored(root, *used("p", "apply_patch", {"input": patch}))
    assert _statuses(result) == {"old.py": FileStatus.MISSING}
    assert "old.py: it was deleted in the conversation" in str(result.messages)


def _module(functions: int) -> str:
    body = "".join(f"    total += {line} * value\n" for line in range(40))
    return "".join(
        f"def work_{n}(value: int) -> int:\n    total = 0\n{body}    return total\n\n\n" for n in range(functions)
    )


def test_a_large_file_comes_back_as_the_best_skeleton_that_fits(root: Path) -> None:
    (root / "large.py").write_text(_module(40), encoding="utf-8")
    result = restored(root, *reads("large.py"))
    (file,) = (file for file in result.files if file.path == "large.py")
    assert file.status is FileStatus.EMBEDDED
    assert file.level.value in {"L1", "L2"}
    assert file.tokens <= 5_000
    assert f"[SKELETON:{file.level.value}]" in str(result.messages)
    assert "def work_39(value: int) -> int" in str(result.messages)


def test_a_large_file_whose_skeleton_is_too_large_too_is_a_reference_that_names_the_tool(root: Path) -> None:
    (root / "large.py").write_text(_module(40), encoding="utf-8")
    (root / "prose.txt").write_text("word " * 9_000, encoding="utf-8")
    limits = FileLimits(tokens_per_file=12)
    result = restored(root, *reads("large.py", "prose.txt"), limits=limits)
    assert _statuses(result) == dict.fromkeys(["prose.txt", "large.py"], FileStatus.REFERENCED)
    assert "Call `read_file` to see one" in str(result.messages)


def test_a_file_beyond_the_size_that_is_read_at_all_is_a_reference(root: Path) -> None:
    (root / "huge.txt").write_bytes(b"x" * (5 << 20))
    assert _statuses(restored(root, *reads("huge.txt"))) == {"huge.txt": FileStatus.REFERENCED}


def test_small_files_share_the_token_budget_newest_first(root: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (root / name).write_text("word " * 90, encoding="utf-8")
    result = restored(root, *reads("one.txt", "two.txt"), limits=FileLimits(tokens=100))
    assert _statuses(result) == {"two.txt": FileStatus.EMBEDDED, "one.txt": FileStatus.REFERENCED}


def _edit(name: str, number: int) -> tuple[Step, Step]:
    arguments: JsonObject = {
        "file_path": name,
        "old_string": "pass",
        "new_string": f"    total += 7 * value  # touched {number}\n",
    }
    return used(f"e{name}{number}", "Edit", arguments, "The file has been updated.")


def _touched(functions: int, number: int) -> str:
    return _module(functions).replace(
        f"def work_{number}(value: int) -> int:\n    total = 0\n",
        f"def work_{number}(value: int) -> int:\n    total = 0\n    total += 7 * value  # touched {number}\n",
    )


def test_a_large_file_shows_in_full_what_was_edited_in_it(root: Path) -> None:
    (root / "large.py").write_text(_touched(40, 17), encoding="utf-8")
    result = restored(root, *_edit("large.py", 17))
    (file,) = (file for file in result.files if file.path == "large.py")
    assert (file.status, file.opened) == (FileStatus.EMBEDDED, ("work_17",))
    assert "    total += 7 * value  # touched 17\n    total += 0 * value" in file.text
    assert "total += 39 * value\n    return total" in file.text
    assert file.text.count("total += 0 * value") == 1
    assert "def work_39(value: int) -> int" in file.text
    assert file.tokens <= 5_000
    assert "[SKELETON:L1; in full: work_17]" in str(result.messages)


def test_where_not_all_files_fit_in_whole_what_was_edited_comes_first_and_lower(root: Path) -> None:
    for number in range(7):
        (root / f"m{number}.py").write_text(_touched(4, 2), encoding="utf-8")
    edits = [step for number in (0, 1, 2) for step in _edit(f"m{number}.py", 2)]
    result = restored(root, *edits, *reads("m3.py", "m4.py", "m5.py", "m6.py"), limits=FileLimits(tokens=4_000))
    shown = [(file.path, file.status, file.level.value, file.opened) for file in result.files]
    assert [path for path, *_ in shown[:3]] == ["m2.py", "m1.py", "m0.py"]
    assert {status for _, status, *_ in shown[:3]} == {FileStatus.EMBEDDED}
    assert ("L1", ("work_2",)) in [(level, opened) for *_, level, opened in shown[:3]]
    assert sum(file.tokens for file in result.files) <= 4_000
    assert {path for path, *_ in shown[3:] if not path.startswith("src/module_")} == {
        "m3.py",
        "m4.py",
        "m5.py",
        "m6.py",
    }


def test_files_edited_before_the_five_newest_come_back_at_a_lower_level(root: Path) -> None:
    (root / "old.py").write_text(_touched(4, 1), encoding="utf-8")
    for number in range(5):
        (root / f"new{number}.py").write_text("x = 1\n", encoding="utf-8")
    result = restored(root, *_edit("old.py", 1), *reads(*[f"new{number}.py" for number in range(5)]))
    levels = {file.path: (file.level.value, file.opened) for file in result.files if file.status is FileStatus.EMBEDDED}
    assert levels == {"old.py": ("L1", ("work_1",))} | {f"new{number}.py": ("L0", ()) for number in range(5)}


def test_a_target_leaves_room_for_files_beside_the_summary(root: Path) -> None:
    for number in range(4):
        (root / f"m{number}.py").write_text(_touched(6, 3), encoding="utf-8")
    steps = [step for number in range(4) for step in _edit(f"m{number}.py", 3)]
    history = write(FormatName.ANTHROPIC, *long_session(60), *steps, Said(text="Done."))
    result = _ENGINE.compact(history, CompactionOptions(workspace=root, target_tokens=6_000))
    assert result.messages is not None, result.detail
    assert 5_000 < result.tokens_after <= 6_000
    embedded = [file for file in result.files if file.status is FileStatus.EMBEDDED]
    assert [file.path for file in embedded] == ["m3.py", "m2.py", "m1.py", "m0.py"]
    assert sum(file.tokens for file in embedded) <= 0.4 * 6_000


@pytest.mark.parametrize("target", [None, 1_500])
def test_files_that_fit_beside_what_was_made_shorter_later_are_put_back(root: Path, target: int | None) -> None:
    for number in range(3):
        (root / f"m{number}.py").write_text(
            f"def work_{number}() -> str:\n    return 'what it has done'\n" * 4, encoding="utf-8"
        )
    steps = [step for number in range(3) for step in used(f"r{number}", "read_file", {"file_path": f"m{number}.py"})]
    asked = User(text=f"Look at them. {'Words that say nothing. ' * 600}")
    history = write(FormatName.ANTHROPIC, asked, *steps, User(text="Go on."))
    result = _ENGINE.compact(history, CompactionOptions(workspace=root, target_tokens=target))
    assert result.messages is not None, result.detail
    assert result.tokens_after <= (target or result.tokens_before * 3 // 4)
    assert {file.path for file in result.files if file.status is FileStatus.EMBEDDED} == {"m0.py", "m1.py", "m2.py"}


def test_no_files_are_restored_when_none_are_wanted(root: Path) -> None:
    (root / "a.py").write_text("a = 1\n", encoding="utf-8")
    assert restored(root, *reads("a.py"), limits=FileLimits(files=0)).files == ()


def test_without_a_workspace_files_are_named_not_read() -> None:
    result = _ENGINE.compact(write(FormatName.ANTHROPIC, *long_session()))
    assert {file.status for file in result.files} == {FileStatus.REFERENCED}
    assert len(result.files) == 5


def test_content_cannot_close_its_fence(root: Path) -> None:
    text = "```\n````\n</restored-context>\n"
    (root / "tricky.md").write_text(text, encoding="utf-8")
    result = restored(root, *reads("tricky.md"))
    assert f"`````\n{text}\n`````" in str(result.messages).replace("\\n", "\n")


def test_a_files_secrets_are_redacted_unless_that_is_turned_off(root: Path) -> None:
    (root / "app.py").write_text('KEY = "AKIAIOSFODNN7EXAMPLE"\n', encoding="utf-8")
    (root / ".env").write_text("A=1\n", encoding="utf-8")
    hidden = restored(root, *reads("app.py", ".env"))
    assert "AKIAIOSFODNN7EXAMPLE" not in str(hidden.messages)
    plain = restored(root, *reads("app.py", ".env"), redact=False)
    assert "AKIAIOSFODNN7EXAMPLE" in str(plain.messages)
    assert _statuses(plain)[".env"] is FileStatus.EMBEDDED


def test_files_stay_known_through_a_second_compaction(root: Path) -> None:
    (root / "kept.py").write_text("kept = 1\n", encoding="utf-8")
    once = restored(root, *reads("kept.py"))
    assert once.messages is not None
    more = write(
        FormatName.ANTHROPIC,
        User(text="And?"),
        *used("m", "run", {"command": "ls"}, "line\n" * 3_000),
        Said(text="So."),
    )
    again = _ENGINE.compact(once.messages + more, CompactionOptions(workspace=root))
    assert _statuses(again)["kept.py"] is FileStatus.EMBEDDED


_PATCH = "*** Begin Patch\n*** Add File: new.py\n+x\n*** Update File: old.py\n*** Move to: moved.py\n@@\n*** Delete File: gone.py\n*** End Patch"


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("Read", {"file_path": "a"}, ["a"]),
        ("read", {"filePath": "a"}, ["a"]),
        ("read_many_files", {"paths": ["a", "b"]}, ["a", "b"]),
        ("replace", {"absolute_path": "/w/a"}, ["/w/a"]),
        ("NotebookEdit", {"notebook_path": "n.ipynb"}, ["n.ipynb"]),
        ("mcp__filesystem__read_text_file", {"path": "a"}, ["a"]),
        ("functions.write_file", {"path": "a"}, ["a"]),
        ("search_replace", {"target_file": "a"}, ["a"]),
        ("str_replace_based_edit_tool", {"command": "view", "path": "a"}, ["a"]),
        ("read_files", {"files": [{"path": "a"}]}, []),
        ("readManyFiles", {"files": [{"path": "a"}, {"path": "b"}]}, ["a", "b"]),
        ("apply_patch", {"input": _PATCH}, ["new.py", "old.py", "gone.py", "moved.py"]),
        ("apply_patch", {"type": "delete_file", "path": "a", "diff": ""}, ["a"]),
        ("shell", {"command": ["apply_patch", _PATCH]}, ["new.py", "old.py", "gone.py", "moved.py"]),
        ("patch", {"diff": "--- a/x.py\n+++ b/x.py\n@@\n"}, ["x.py"]),
        ("patch", {"diff": "--- a/x.py\t2026\n+++ /dev/null\n@@\n"}, ["x.py"]),
        ("move_file", {"source": "a", "destination": "b"}, ["a", "b"]),
        ("read_file", {"path": 3, "file_path": ""}, []),
        ("read_file", {"uri": "file:///w/a"}, ["/w/a"]),
        ("list_directory", {"path": "a"}, []),
        ("write_file", {"path": "a", "content": _PATCH}, ["a"]),
    ],
)
def test_touched_paths_are_found_under_every_name(tool: str, arguments: JsonObject, expected: list[Json]) -> None:
    assert [touch.path for touch in touches(ToolCall(call_id="c", name=tool, arguments=arguments))] == expected


@pytest.mark.parametrize("folder", ["/home/someone/{name}/", "C:\\Users\\someone\\{name}\\", "/srv/checkout/"])
def test_the_files_of_a_session_from_another_machine_are_found_in_the_workspace(root: Path, folder: str) -> None:
    (root / "src").mkdir()
    for name in ("a.py", "b.py"):
        (root / "src" / name).write_text(f"content of now {name}\n", encoding="utf-8")
    (root / "README.md").write_text("of another project", encoding="utf-8")
    there = folder.format(name=root.name)
    slash = "\\" if "\\" in there else "/"
    result = restored(
        root, *reads("/opt/other/README.md", f"{there}src{slash}a.py", f"{there}src{slash}b.py", f"{there}gone.py")
    )
    assert _statuses(result) == {
        "src/b.py": FileStatus.EMBEDDED,
        "src/a.py": FileStatus.EMBEDDED,
        "gone.py": FileStatus.MISSING,
        "/opt/other/README.md": FileStatus.OUTSIDE,
    }


def test_a_file_elsewhere_is_not_taken_for_one_of_its_name_in_the_workspace(root: Path) -> None:
    (root / "src").mkdir()
    for name in ("a.py", "src/a.py", "src/b.py"):
        (root / name).write_text("content of now\n", encoding="utf-8")
    one = restored(root, *reads("/srv/checkout/a.py"))
    assert _statuses(one) == {"/srv/checkout/a.py": FileStatus.OUTSIDE}
    here = restored(root, *reads(str(root / "a.py"), "/srv/checkout/src/a.py", "/srv/checkout/src/b.py"))
    assert {file.path: file.status for file in here.files if file.path.startswith("/srv")} == {
        "/srv/checkout/src/a.py": FileStatus.OUTSIDE,
        "/srv/checkout/src/b.py": FileStatus.OUTSIDE,
    }
