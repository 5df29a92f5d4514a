from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest

from tests.trees import make_repository, write_tree
from tests.workspace.scans import paths, scanned
from workspace import (
    InvalidArgumentError,
    OutsideRootsError,
    PathNotFoundError,
    Problem,
    ProblemKind,
    Roots,
    read_file,
    scan,
)
from workspace.files.reading import SourceFile

# The walk


def test_a_plain_folder_is_walked_and_sorted_by_bytes(tmp_path: Path) -> None:
    files = {
        "b.py": "",
        "a/z.py": "",
        "a.py": "",
        "B.py": "",
        "é.py": "",
        "a-b.py": "",
        "\U0001f600.py": "",
        "\uffee.py": "",
    }
    assert paths(write_tree(tmp_path / "x", files)) == [
        "B.py",
        "a-b.py",
        "a.py",
        "a/z.py",
        "b.py",
        "é.py",
        "\uffee.py",
        "\U0001f600.py",
    ]


def test_size_place_and_stamp_are_those_of_the_disk(tmp_path: Path) -> None:
    base = write_tree(tmp_path / "x", {"d/a.py": "12345"}).resolve()
    file = scanned(base).files[0]
    status = (base / "d/a.py").stat()
    assert (file.absolute, file.size) == (base / "d/a.py", 5)
    assert (file.stamp.mtime_ns, file.stamp.size) == (status.st_mtime_ns, 5)
    assert (file.stamp.inode, file.stamp.ctime_ns) == (status.st_ino, status.st_ctime_ns)


def test_ignore_files_hold_at_every_depth_and_are_themselves_listed(tmp_path: Path) -> None:
    base = write_tree(
        tmp_path / "x",
        {
            ".gitignore": "*.log\n",
            "a.log": "",
            "d/.gitignore": "!keep.log\n/only\n",
            "d/keep.log": "",
            "d/only": "",
            "only": "",
        },
    )
    assert paths(base) == [".gitignore", "d/.gitignore", "d/keep.log", "only"]


def test_folders_of_version_control_are_never_entered(tmp_path: Path) -> None:
    base = write_tree(
        tmp_path / "x", {".hg/store": "", ".svn/entries": "", "d/.git/config": "", "CVS/Root": "", "a": ""}
    )
    assert paths(base) == ["a"]


def test_ignore_files_above_the_folder_hold_from_the_root_down(tmp_path: Path) -> None:
    root = write_tree(
        tmp_path / "root",
        {
            ".gitignore": "*.log\nsub/\n",
            "sub/.contextignore": "*.md\n",
            "sub/d/a.log": "",
            "sub/d/b.md": "",
            "sub/d/c.py": "",
        },
    )
    assert paths(root / "sub/d", root) == ["c.py"]
    assert paths(root / "sub/d", root / "sub/d") == ["a.log", "b.md", "c.py"]


def test_a_contextignore_leaves_files_out_of_a_plain_folder(tmp_path: Path) -> None:
    base = write_tree(
        tmp_path / "x", {".contextignore": "data/\n", "data/a": "", "d/.contextignore": "b\n", "d/b": "", "b": ""}
    )
    assert paths(base) == [".contextignore", "b", "d/.contextignore"]


def test_an_ignore_file_that_cannot_be_obeyed_is_named(tmp_path: Path) -> None:
    base = write_tree(tmp_path / "x", {"a": "", "sub/a": "", "big/.gitignore": b"#" * (2 << 20)})
    (base / ".gitignore").mkdir()
    (base / "sub/.contextignore").symlink_to("../a")
    found = scanned(base)
    assert [(problem.path, problem.kind) for problem in found.problems] == [
        (".gitignore", ProblemKind.SPECIAL),
        ("big/.gitignore", ProblemKind.TOO_LARGE),
        ("sub/.contextignore", ProblemKind.SPECIAL),
    ]
    assert [file.path for file in found.files] == ["a", "big/.gitignore", "sub/a"]


def test_an_ignore_file_above_the_base_that_cannot_be_obeyed_is_named(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "x", {"sub/a": ""})
    (root / ".contextignore").mkdir()
    assert [problem.path for problem in scanned(root / "sub", root).problems] == [".contextignore"]


def test_an_empty_folder_has_no_files(tmp_path: Path) -> None:
    assert paths(tmp_path) == []


def test_one_file_is_a_scan_of_its_own_whatever_the_rules_say(tmp_path: Path) -> None:
    base = write_tree(tmp_path / "x", {".gitignore": "*", "d/a.py": "1", "d/b.py": ""}).resolve()
    found = scanned(base / "d/a.py", base, exclude=("*.py",))
    assert found.base == base / "d"
    assert [(file.path, file.absolute) for file in found.files] == [("a.py", base / "d/a.py")]


def test_a_base_outside_the_roots_or_missing_is_refused(tmp_path: Path) -> None:
    base = write_tree(tmp_path / "x", {"a": ""})
    with pytest.raises(OutsideRootsError):
        scanned(tmp_path, base)
    with pytest.raises(PathNotFoundError):
        scanned(base / "missing", base)


def test_a_folder_that_cannot_be_listed_is_a_problem(tmp_path: Path) -> None:
    # Permissions do not stop the superuser; a path that grew too long for the system stops anyone.
    deep = write_tree(tmp_path / "x", {"a": ""})
    here = os.open(deep, os.O_RDONLY)
    for _ in range(40):
        os.mkdir("d" * 120, dir_fd=here)
        here, above = os.open("d" * 120, os.O_RDONLY, dir_fd=here), here
        os.close(above)
    os.close(here)
    found = scanned(deep)
    assert [file.path for file in found.files] == ["a"]
    assert [problem.kind for problem in found.problems] == [ProblemKind.UNREADABLE]
    assert "cannot be listed" in found.problems[0].detail


# Names


def test_names_that_are_not_plain_text_are_escaped_and_can_still_be_read(tmp_path: Path) -> None:
    base = tmp_path / "x"
    base.mkdir()
    names = [b"caf\xe9.py", b"new\nline.py", b"esc\x1b[2J.py", b"back\\slash.py"]
    for name in names:
        (base / os.fsdecode(name)).write_bytes(name)
    found = scanned(base)
    shown = [file.path for file in found.files]
    assert shown == [r"back\\slash.py", r"caf\xe9.py", r"esc\x1b[2J.py", r"new\nline.py"]
    assert json.loads(json.dumps(shown)) == shown
    read = [read_file(file, roots=Roots([base])) for file in found.files]
    assert {file.raw for file in read if isinstance(file, SourceFile)} == set(names)
    assert [Roots([base]).resolve(path) for path in shown] == [file.absolute for file in found.files]


def test_git_lists_the_same_odd_names(tmp_path: Path) -> None:
    base = make_repository(tmp_path / "x", {os.fsdecode(b"caf\xe9.py"): "", "new\nline.py": "", 'quo"te.py': ""})
    assert paths(base) == [r"caf\xe9.py", r"new\nline.py", 'quo"te.py']


# Links and special files


def test_a_link_to_a_file_of_the_set_is_listed_under_the_file_s_own_place(tmp_path: Path) -> None:
    base = write_tree(tmp_path / "x", {"real.py": ""})
    (base / "a_link.py").symlink_to("real.py")
    assert paths(base) == ["real.py"]


def test_a_link_to_a_file_elsewhere_in_the_roots_is_listed_once_under_the_link_s_name(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "root", {"shared/real.py": "1", "base/a.py": ""}).resolve()
    for name in ("z.py", "link.py"):
        (root / "base" / name).symlink_to("../shared/real.py")
    found = scanned(root / "base", root)
    assert [(file.path, file.absolute) for file in found.files] == [
        ("a.py", root / "base/a.py"),
        ("link.py", root / "shared/real.py"),
    ]


def test_a_link_to_an_ignored_file_stands_for_it(tmp_path: Path) -> None:
    base = write_tree(tmp_path / "x", {".gitignore": "real.py", "real.py": ""})
    (base / "link.py").symlink_to("real.py")
    assert paths(base) == [".gitignore", "link.py"]


def test_links_that_lead_elsewhere_are_problems_and_folder_links_are_not_followed(tmp_path: Path) -> None:
    write_tree(tmp_path / "outside", {"secret": "s"})
    root = write_tree(tmp_path / "root", {"other/b": "", "base/d/a": "", ".git/config": ""})
    for name, target in {
        "out": "../../outside/secret",
        "outdir": "../../outside",
        "outgone": "../../outside/missing",
        "gone": "missing",
        "loop": "loop",
        "here": "d",
        "other": "../other",
        "control": "../.git/config",
    }.items():
        (root / "base" / name).symlink_to(target)
    found = scanned(root / "base", root)
    assert [file.path for file in found.files] == ["d/a"]
    kinds = {problem.path: problem.kind for problem in found.problems if problem.path != "base"}
    assert kinds == {
        "base/out": ProblemKind.OUTSIDE,
        "base/outdir": ProblemKind.OUTSIDE,
        "base/outgone": ProblemKind.OUTSIDE,
        "base/gone": ProblemKind.UNREADABLE,
        "base/loop": ProblemKind.SPECIAL,
        "base/other": ProblemKind.SPECIAL,
        "base/control": ProblemKind.SPECIAL,
    }


def test_pipes_and_sockets_and_devices_are_problems_and_never_opened(tmp_path: Path) -> None:
    base = write_tree(tmp_path / "x", {"a": ""})
    os.mkfifo(base / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(base)  # a socket's address is short, a temporary folder's path may not be
        try:
            server.bind("sock")
        finally:
            os.chdir(here)
    found = scanned(base)
    assert found.problems == (
        Problem(path="pipe", kind=ProblemKind.SPECIAL, detail="a named pipe"),
        Problem(path="sock", kind=ProblemKind.SPECIAL, detail="a socket"),
    )
    assert scanned(base / "pipe", base).problems[0].kind is ProblemKind.SPECIAL
    assert scan(Path("/dev/null"), roots=Roots(["/"])).problems[0].detail == "a character device"


# Globs of the caller

TREE = {"src/a.py": "", "src/gen/b.py": "", "src/c.md": "", "docs/d.md": "", "docs/api/e.md": "", "f.py": "", "#g": ""}


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        ((), (), ["#g", "docs/api/e.md", "docs/d.md", "f.py", "src/a.py", "src/c.md", "src/gen/b.py"]),
        (("*.py",), (), ["f.py", "src/a.py", "src/gen/b.py"]),
        (("src",), (), ["src/a.py", "src/c.md", "src/gen/b.py"]),
        (("./src/",), ("src/gen/",), ["src/a.py", "src/c.md"]),
        (("src/", "!src/gen/"), (), ["src/a.py", "src/c.md"]),
        (("/*.py", "docs/**/e.md"), (), ["docs/api/e.md", "f.py"]),
        ((), ("docs/", "!docs/api/"), ["#g", "docs/api/e.md", "f.py", "src/a.py", "src/c.md", "src/gen/b.py"]),
        ((), ("*.md", "\\#g"), ["f.py", "src/a.py", "src/gen/b.py"]),
        (("nothing",), (), []),
    ],
)
@pytest.mark.parametrize("versioned", [False, True])
def test_include_and_exclude_narrow_the_set(
    tmp_path: Path, include: tuple[str, ...], exclude: tuple[str, ...], expected: list[str], versioned: bool
) -> None:
    base = (make_repository if versioned else write_tree)(tmp_path / "x", TREE)
    assert paths(base, include=include, exclude=exclude) == expected


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        (("{}/src/a.py",), (), ["src/a.py"]),
        (("{}/src/**/*.py",), ("{}/src/gen/",), ["src/a.py"]),
        (("{}/src", "!{}/src/gen/"), (), ["src/a.py", "src/c.md"]),
        (("{}/a.py",), (), []),
        (("{}x/src",), (), []),
        (("{}", "!docs/"), ("{}/src/",), ["#g", "f.py"]),
        (("{}",), ("{}/src/",), ["#g", "docs/api/e.md", "docs/d.md", "f.py"]),
        (("{}/",), ("{}/src/gen", "{}/*"), []),
        (("{}/../*/src/*.py",), (), ["src/a.py"]),
        (("{}/../**/gen/*.py",), (), ["src/gen/b.py"]),
        (("{}/../link/src/*.py",), (), ["src/a.py"]),
        (("{}/../y/src/*.py",), (), []),
    ],
)
def test_a_glob_may_begin_with_the_absolute_path_of_its_folder(
    tmp_path: Path, include: tuple[str, ...], exclude: tuple[str, ...], expected: list[str]
) -> None:
    base = write_tree(tmp_path / "x", TREE)
    (tmp_path / "link").symlink_to(base)
    whole = [tuple(glob.format(base).replace("/x/..", "") for glob in globs) for globs in (include, exclude)]
    assert paths(base, include=whole[0], exclude=whole[1]) == expected


@pytest.mark.parametrize(
    "glob", ["{}/src/gen/*.py", "{}/src/**/*.py", "{}/**", "{}/src/gen", "{}/src/", "{}", "{}/s[rq]c"]
)
def test_an_absolute_glob_of_what_holds_the_folder_matches_there(tmp_path: Path, glob: str) -> None:
    base = write_tree(tmp_path / "x", TREE)
    found = scan(base / "src/gen", roots=Roots([base]), include=(glob.format(base),))
    assert [file.address for file in found.files] == ["src/gen/b.py"]
    assert not scan(base / "src/gen", roots=Roots([base]), include=(f"{base}/src/*.py",)).files


def test_a_folder_of_the_same_path_inside_the_base_is_meant_first(tmp_path: Path) -> None:
    base = tmp_path / "x"
    inside = f"{base}/a.py".removeprefix("/")
    write_tree(base, {"a.py": "", inside: ""})
    assert paths(base, include=(f"/{inside}",)) == [inside]


@pytest.mark.parametrize(
    "glob",
    [
        "",
        "#x",
        "[a",
        "a\\",
        "../x",
        "a/../b",
        "a\0b",
        "a\nb",
        "x" * 2000,
        "/x" * 9000,
        "\ud800",
        "/tmp/\ud800/",
        "/tmp/\0",
        "!",
        "/",
        "[[:nope:]]",
    ],
)
def test_a_glob_that_can_match_nothing_is_refused(tmp_path: Path, glob: str) -> None:
    for argument in ("include", "exclude"):
        with pytest.raises(InvalidArgumentError, match=argument):
            scan(tmp_path, roots=Roots([tmp_path]), **{argument: (glob,)})  # pyright: ignore[reportArgumentType]  # one of two names


def test_too_many_globs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="at most 256"):
        scanned(tmp_path, include=("a",) * 257)


def test_globs_that_multiply_stars_do_not_hang(tmp_path: Path) -> None:
    base = write_tree(tmp_path / "x", {"a" * 200: "", f"d/{'a' * 200}": ""})
    assert paths(base, include=("*a" * 100 + "b", "**/*a*a*a*a*a*a*a*ab*c")) == []


def test_two_scans_of_the_same_folder_are_equal(tmp_path: Path) -> None:
    base = make_repository(tmp_path / "x", TREE)
    assert scanned(base) == scanned(base)
