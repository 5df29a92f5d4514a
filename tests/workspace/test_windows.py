"""Windows, as far as it can be asked on another system: its rules of names, and our gates over a disk that has them."""

from __future__ import annotations

import ntpath
import os
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from tests.trees import git, make_repository, write_tree
from tests.windows_disk import WindowsDisk
from workspace.errors import FractalContextError, InvalidArgumentError, OutsideRootsError, PathNotFoundError
from workspace.files import replacing as replacing_module
from workspace.files.listing import Listing
from workspace.files.replacing import MARKER, replacing
from workspace.files.rescan import RememberedScan
from workspace.files.scan import scan
from workspace.git.files import git_list
from workspace.git.running import Git
from workspace.names.sensitive import is_sensitive
from workspace.paths import path_of, shown, slashed, unshown
from workspace.roots import Roots, UnnamedRoots, is_too_wide
from workspace.windows import misread, share, without_prefix

if TYPE_CHECKING:
    from collections.abc import Iterator

DEVICES = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", *(f"COM{n}" for n in "189¹²³"), *(f"LPT{n}" for n in "19²")]
DEEP = "\\".join(["a_folder_with_a_long_name"] * 12)


@pytest.mark.parametrize("name", DEVICES)
@pytest.mark.parametrize("form", ["{}", "{}.txt", "src\\{}", "src/{}.tar.gz", "C:\\repo\\{} .py"])
def test_a_name_of_a_device_is_known_in_any_case_with_any_ending(name: str, form: str) -> None:
    assert misread(form.format(name)) == misread(form.format(name.lower())) == "it names a device"


@pytest.mark.parametrize(
    "path",
    [
        *("a.py", "src/a.py", "src\\a.py", "C:\\repo\\a.py", "c:/repo/a.py", "C:a.py", "\\a.py", ".", "..", "../a.py"),
        *(
            "console.py",
            "aux_.py",
            "nulls",
            "com0.txt",
            "com10.txt",
            "lpt.txt",
            "my.con",
            "a.aux",
            "conin",
            "auxiliary",
        ),
        *(".env", ".gitignore", "a b.py", " a.py", "größe.py", "漢字.py", "a..b", "...a", "\\\\server\\share\\a.py"),
        *("//server/share/a.py", "\\\\?\\C:\\repo\\a.py".removeprefix("\\\\?\\"), "C:\\", "C:\\repo\\", "src//a.py"),
    ],
)
def test_a_plain_name_is_left_alone(path: str) -> None:
    assert misread(path) == ""


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (".env::$DATA", "stream"),
        ("src\\.env:hidden", "stream"),
        ("C:\\repo\\a.py:10-40", "stream"),
        ("C:\\repo\\C:\\a.py", "stream"),
        ("a.py:Zone.Identifier", "stream"),
        (".env.", "dropped"),
        (".env ", "dropped"),
        ("id_rsa...", "dropped"),
        (".git.\\config", "dropped"),
        ("src /a.py", "dropped"),
        ("C:\\repo\\.ssh \\known", "dropped"),
        ("\\\\.\\PhysicalDrive0", "device"),
        ("\\\\.\\pipe\\x", "device"),
        ("//./COM1", "device"),
        ("\\\\?\\GLOBALROOT\\Device", "device"),
        ("//?/C:/repo", "device"),
    ],
)
def test_what_would_open_something_else_is_told(path: str, why: str) -> None:
    assert why in misread(path)


@pytest.mark.parametrize(
    ("path", "plain"),
    [
        ("\\\\?\\C:\\repo\\a.py", "C:\\repo\\a.py"),
        (f"\\\\?\\C:\\{DEEP}\\a.py", f"C:\\{DEEP}\\a.py"),
        ("//?/c:/repo", "c:\\repo"),
        ("\\\\?\\UNC\\server\\share\\a", "\\\\server\\share\\a"),
        ("\\\\?\\unc\\server\\share", "\\\\server\\share"),
        ("\\\\?\\Volume{1}\\a", "\\\\?\\Volume{1}\\a"),
        ("\\\\.\\C:\\a", "\\\\.\\C:\\a"),
        ("C:\\repo", "C:\\repo"),
        ("a?b", "a?b"),
        ("", ""),
    ],
)
def test_the_sign_of_a_long_path_is_taken_off(path: str, plain: str) -> None:
    assert without_prefix(path) == plain


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("\\\\Server\\Share\\a", "\\\\server\\share"),
        ("//server/share/a/b", "\\\\server\\share"),
        ("\\\\?\\UNC\\server\\share\\a", "\\\\server\\share"),
        ("\\/server\\share", "\\\\server\\share"),
        ("C:\\a", ""),
        ("a\\b", ""),
        ("\\a", ""),
        ("", ""),
    ],
)
def test_the_machine_that_a_path_leads_to_is_told_without_asking_it(path: str, where: str) -> None:
    assert share(path) == where


@pytest.fixture
def disk() -> WindowsDisk:
    return WindowsDisk(
        [
            *("C:\\repo\\a.py", "C:\\repo\\src\\Main.py", "C:\\repo\\.env", "C:\\repo\\aux.py", "C:\\repo-old\\b.py"),
            *("C:\\repo\\new\\table.py", "C:\\Users\\me\\key", "D:\\other\\c.py", "\\\\nas\\code\\proj\\d.py"),
            f"C:\\repo\\{DEEP}\\deep.py",
        ],
        {"C:\\repo\\out": "C:\\Users\\me", "C:\\repo\\again": "C:\\repo\\src"},
    )


@pytest.fixture
def roots(disk: WindowsDisk, monkeypatch: pytest.MonkeyPatch) -> Roots:
    disk.put_into(monkeypatch, "workspace.roots")
    return Roots(["C:\\repo", "\\\\nas\\code\\proj"])


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("a.py", "C:\\repo\\a.py"),
        ("A.PY", "C:\\repo\\a.py"),
        ("src/main.py", "C:\\repo\\src\\Main.py"),
        ("src\\Main.py", "C:\\repo\\src\\Main.py"),
        ("SRC\\..\\a.py", "C:\\repo\\a.py"),
        (".\\src\\.\\main.PY", "C:\\repo\\src\\Main.py"),
        ("C:\\repo\\a.py", "C:\\repo\\a.py"),
        ("c:/REPO/a.py", "C:\\repo\\a.py"),
        ("\\\\?\\C:\\repo\\a.py", "C:\\repo\\a.py"),
        ("C:src\\main.py", "C:\\repo\\src\\Main.py"),
        ("new\\table.py", "C:\\repo\\new\\table.py"),
        ("again\\main.py", "C:\\repo\\src\\Main.py"),
        (f"{DEEP}\\deep.py", f"C:\\repo\\{DEEP}\\deep.py"),
        (f"\\\\?\\C:\\repo\\{DEEP}\\deep.py", f"C:\\repo\\{DEEP}\\deep.py"),
        ("\\\\nas\\code\\proj\\d.py", "\\\\nas\\code\\proj\\d.py"),
        ("//NAS/code/proj/d.py", "\\\\nas\\code\\proj\\d.py"),
        ("d.py", "\\\\nas\\code\\proj\\d.py"),
        (".", "C:\\repo"),
        ("C:\\repo\\", "C:\\repo"),
    ],
)
def test_a_path_inside_is_found_however_it_is_written(roots: Roots, path: str, place: str) -> None:
    assert str(roots.resolve(path)) == place


@pytest.mark.parametrize(
    "path",
    [
        *(
            "..\\repo-old\\b.py",
            "C:\\repo-old\\b.py",
            "C:\\Users\\me\\key",
            "\\Users\\me\\key",
            "/Users/me/key",
            "C:\\",
        ),
        *("D:\\other\\c.py", "D:c.py", "src\\..\\..\\Users\\me\\key", "C:..\\..\\Users\\me\\key", "\\repo-old"),
        *(
            "\\\\evil\\share\\a.py",
            "//evil/share",
            "\\\\nas\\private\\x",
            "\\\\?\\UNC\\evil\\share\\a",
            "\\/evil/share",
        ),
        *("\\\\.\\PhysicalDrive0", "\\\\.\\pipe\\x", "\\\\?\\GLOBALROOT\\x", "D:\\NUL", "C:\\repo-old\\b.py::$DATA"),
        *("\\\\evil@SSL\\share\\a.py", "\\\\evil@80\\DavWWWRoot\\a"),
    ],
)
def test_a_path_outside_is_refused_and_no_other_machine_is_asked(roots: Roots, disk: WindowsDisk, path: str) -> None:
    disk.contacted.clear()
    with pytest.raises(OutsideRootsError):
        roots.resolve(path)
    assert set(disk.contacted) <= {"\\\\nas\\code"}
    assert not disk.opened


@pytest.mark.parametrize(
    "path",
    [
        *(
            "NUL",
            "con",
            "aux.py",
            "src\\NUL",
            "src/com1.txt",
            "C:\\repo\\LPT1",
            ".env::$DATA",
            ".env:x",
            ".env.",
            ".env ",
        ),
        *("a.py:10-40", "src/../a.py:1", "a.py...", "nothing.py", "src\\missing\\deep.py", ".git.\\config"),
    ],
)
def test_what_is_no_file_inside_is_not_found_and_no_device_is_opened(
    roots: Roots, disk: WindowsDisk, path: str
) -> None:
    disk.opened.clear()
    with pytest.raises(PathNotFoundError):
        roots.resolve(path)
    assert not disk.opened


def test_a_link_that_leads_out_is_refused_there(disk: WindowsDisk, monkeypatch: pytest.MonkeyPatch) -> None:
    disk.put_into(monkeypatch, "workspace.roots")
    for path in ("out\\key", "C:\\repo\\OUT", "src\\..\\out\\missing"):
        with pytest.raises(OutsideRootsError):
            Roots(["C:\\repo"]).resolve(path)


@pytest.mark.parametrize("path", ["", "a\0b", "~", "~\\a.py", "x" * 5000])
def test_what_can_be_no_path_is_refused_there_too(roots: Roots, path: str) -> None:
    with pytest.raises(InvalidArgumentError):
        roots.resolve(path)


def test_paths_are_told_with_forward_slashes(roots: Roots) -> None:
    assert roots.address(roots.resolve("src\\main.py")) == "src/Main.py"
    with pytest.raises(OutsideRootsError) as outside:
        roots.resolve("D:\\other\\c.py")
    assert "'D:/other/c.py'" in str(outside.value)
    assert "(C:/repo, //nas/code/proj)" in str(outside.value)


def test_the_disk_the_home_and_what_holds_it_are_too_wide_there(
    disk: WindowsDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = disk.put_into(monkeypatch, "workspace.roots")
    for wide in ("C:\\", "C:\\Users", "c:\\users\\ME", "D:\\"):
        assert is_too_wide(cast("Path", made(wide))), wide
    assert not is_too_wide(cast("Path", made("C:\\repo")))
    unnamed = UnnamedRoots(cast("Path", made("C:\\repo")))
    assert unnamed.declare(["D:\\other", "C:\\Users\\me"]) == ["C:\\Users\\me"]
    assert [str(path) for path in unnamed.paths] == ["D:\\other"]


def test_a_scan_there_has_forward_slashes_and_each_file_once(
    roots: Roots, disk: WindowsDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.put_into(monkeypatch, "workspace.files.scan", "workspace.files.ground")
    listed = ("a.py", "src/Main.py", "again", "out", "gone.py")
    listing = Listing(paths=listed, problems=())

    def as_listed(base: str, *, roots: Roots, prunes: object) -> Listing:
        return listing

    monkeypatch.setattr("workspace.files.scan.list_paths", as_listed)
    found = scan(roots.resolve("."), roots=roots)
    assert [file.path for file in found.files] == ["a.py", "src/Main.py"]
    assert [str(file.absolute) for file in found.files] == ["C:\\repo\\a.py", "C:\\repo\\src\\Main.py"]
    assert [problem.path for problem in found.problems] == ["out"]


def test_the_separator_of_the_system_is_the_only_one_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    assert slashed("a\\b/c") == "a\\b/c"
    monkeypatch.setattr("workspace.paths.os", SimpleNamespace(sep="\\"))
    assert slashed("a\\b/c") == "a/b/c"


@pytest.mark.parametrize("name", [b"a.py", b"caf\xe9.py", b"\xff\xfe", "größe".encode(), b"\xed\xa0\x80"])
def test_bytes_of_git_that_are_no_text_are_a_name_on_any_system(name: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    here = path_of(name)
    assert os.fsencode(here) == name

    def as_windows_does(raw: bytes) -> str:
        return raw.decode("utf-8", "surrogatepass")

    monkeypatch.setattr("workspace.paths.os", SimpleNamespace(fsdecode=as_windows_does))
    there = path_of(name)
    assert unshown(shown(there)) == there or b"\xed" in name


@pytest.mark.parametrize(
    "path", [".ENV", "ID_RSA", "Credentials.JSON", "config/.Env.local", "A.PEM", "x/.SSH/config", ".AWS/Credentials"]
)
def test_names_of_credentials_are_known_in_any_case(path: str) -> None:
    assert is_sensitive(path)


def test_git_is_found_on_the_search_path_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_repository(tmp_path / "repo", {"a.py": "a"})
    here = write_tree(tmp_path / "bin", {"git": "#!/bin/sh\ntouch was-run\n"})
    (here / "git").chmod(0o755)
    monkeypatch.chdir(here)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", "bin", str(tmp_path / "none")]))
    assert Git(str(folder)).ask("--version").refusal
    assert git_list(str(folder)).paths is None
    assert not (here / "was-run").exists()


def test_a_folder_is_replaced_without_an_exchange_of_names_and_without_a_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for content in (b"one", b"two", b"three"):
        with replacing(tmp_path / "made") as build:
            build.write("src/a.py", content)
        monkeypatch.setattr(replacing_module, "_exchange", lambda *_: False)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
        monkeypatch.setattr(replacing_module, "fcntl", None)
        monkeypatch.setattr(Path, "rename", _renamed_as_windows_does)
        assert (tmp_path / "made/src/a.py").read_bytes() == content
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == [MARKER, "src"]
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def _renamed_as_windows_does(path: Path, target: Path) -> Path:
    """Renames to what is not there alone, and no folder in which this process has a file open."""
    if os.path.lexists(target):
        raise FileExistsError(17, "it exists")
    opened = (os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd"))  # noqa: PTH208 - names alone
    if any(place.startswith(f"{path}/") for place in opened):
        raise PermissionError(13, "it is open")
    os.rename(path, target)  # noqa: PTH104 - `Path.rename` is this
    return target


def test_a_mirror_lists_its_files_with_forward_slashes_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with replacing(tmp_path / "made") as build:
        build.write("src/a.py", b"one")
    backslashed: list[str] = []
    relpath = os.path.relpath

    def as_windows(path: str, start: str) -> str:
        backslashed.append(relpath(path, start).replace("/", "\\"))
        return backslashed[-1]

    monkeypatch.setattr("workspace.paths.os", SimpleNamespace(sep="\\"))
    monkeypatch.setattr(replacing_module.os.path, "relpath", as_windows)
    with replacing(tmp_path / "made") as build:
        build.write("src/a.py", b"two")
    assert "src\\a.py" in backslashed
    monkeypatch.undo()
    assert (tmp_path / "made/src/a.py").read_bytes() == b"two"


def test_a_linked_work_tree_is_listed_anew_when_its_index_changes(tmp_path: Path) -> None:
    first = make_repository(tmp_path / "first", {"a.py": "a", ".gitignore": "*.log\n"})
    git(first, "worktree", "add", "-q", str(tmp_path / "second"))
    second = write_tree(tmp_path / "second", {"x.log": "x"})
    for place in (second, *second.iterdir(), *(first / ".git").rglob("*")):
        os.utime(place, (1_700_000_000, 1_700_000_000), follow_symlinks=False)
    remembered = RememberedScan(second, Roots([second]))
    assert remembered.current() is not None
    git(second, "add", "-f", "x.log")
    assert remembered.current() is None


def _line_ends() -> Iterator[tuple[str, bytes]]:
    for name, source in {
        "a.py": 'def f(a,\n      b):\n    """Doc."""\n    return 1\n\n\nclass C:\n    def g(self):\n        pass\n',
        "a.go": "package a\n\n// F does.\nfunc F(a int,\n\tb int) int {\n\treturn a\n}\n",
        "a.rs": "/// Doc.\npub fn f(\n    a: u8,\n) -> u8 {\n    a\n}\n",
        "a.ts": "export class A {\n  f(\n    a: number,\n  ): number {\n    return a;\n  }\n}\n",
        "a.c": "int f(int a,\n      int b)\n{\n  return a;\n}\n",
        "a.java": "class A {\n  int f(\n      int a) {\n    return a;\n  }\n}\n",
        "a.md": "# A\n\nText.\n\n## B\n\nMore.\n",
        "a.toml": "[a]\nb = 1\n\n[c]\nd = 2\n",
    }.items():
        yield name, source.encode()


@pytest.mark.parametrize(("name", "source"), [*_line_ends()], ids=[name for name, _ in _line_ends()])
def test_lines_that_end_as_on_windows_define_and_show_the_same(name: str, source: bytes) -> None:
    from skeleton import CompressionLevel, skeletonize
    from skeleton.recognition import language_of

    other = source.replace(b"\n", b"\r\n")
    shown_of: list[list[str]] = []
    for text in (source, other):
        language = language_of(name, text)
        assert language is not None
        made = skeletonize(text, language, CompressionLevel.SKELETON)
        shown_of.append([line.rstrip() for line in made.text.split("\n")])
    assert shown_of[0] == shown_of[1]


def test_every_refusal_is_one_that_a_caller_reads(roots: Roots) -> None:
    for path in ("NUL", "\\\\evil\\x\\y", "C:\\Users", "missing"):
        with pytest.raises(FractalContextError, match="root"):
            roots.resolve(path)


def test_ntpath_and_the_rules_agree_on_devices() -> None:
    known = getattr(ntpath, "isreserved", None)  # from Python 3.13 on
    for name in (*DEVICES, "a.py", "aux.txt", "com0", "a.", "a "):
        if known is not None:
            assert bool(misread(name)) == known(name), name
