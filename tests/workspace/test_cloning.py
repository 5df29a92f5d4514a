"""Repositories of other people: what is fetched, and what hostile ones do not get to do."""

from __future__ import annotations

import hashlib
import os
import socket
import struct
import subprocess
import threading
import zlib
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

import pytest

from server.cli import FAILED, WRONG_CALL, run
from tests.trees import commit_object, git, make_repository
from workspace.errors import PathNotFoundError, RepositoryFetchError
from workspace.git.cloning import Address, Limits, address_of, cloned
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

MARK = "was-run"
transports = pytest.mark.parametrize("transport", ["file", "http"])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A repository that somebody offers, with two branches and a tag."""
    folder = make_repository(tmp_path / "source", {"shop.py": "def price():\n    return 1\n"})
    git(folder, "branch", "-M", "main")
    git(folder, "tag", "-a", "v1", "-m", "one")
    git(folder, "checkout", "-q", "-b", "feature/x")
    (folder / "shop.py").write_text("def price():\n    return 2\n")
    git(folder, "commit", "-qam", "two")
    git(folder, "checkout", "-q", "main")
    return folder


@pytest.fixture
def traps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which a mark appears when anything is run that a repository names; the user has filters for LFS."""
    marks = tmp_path / "marks"
    marks.mkdir()
    trap = tmp_path / "trap.sh"
    trap.write_text(f'#!/bin/sh\ntouch "{marks}/{MARK}-$1"\ncat\n')
    trap.chmod(0o755)
    template = tmp_path / "template" / "hooks"
    template.mkdir(parents=True)
    for hook in ("post-checkout", "reference-transaction", "post-index-change"):
        (template / hook).write_text(f"#!/bin/sh\n{trap} {hook} </dev/null\n")
        (template / hook).chmod(0o755)
    config = tmp_path / "gitconfig"
    config.write_text(
        f'[filter "lfs"]\n\tsmudge = {trap} smudge\n\tprocess = {trap} process\n\tclean = {trap} clean\n'
        f"[init]\n\ttemplateDir = {template.parent}\n[core]\n\thooksPath = {template}\n\tfsmonitor = {trap} monitor\n"
        f"[credential]\n\thelper = !{trap} credential\n"
        '[submodule]\n\trecurse = true\n[fetch]\n\trecurseSubmodules = true\n[protocol "ext"]\n\tallow = always\n'
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_ASKPASS", str(trap))
    monkeypatch.setenv("SSH_ASKPASS", str(trap))
    monkeypatch.setenv("GIT_SSH_COMMAND", f"{trap} ssh")
    return marks


def at(folder: Path, revision: str = "") -> Address:
    return Address(folder.as_uri(), revision)


@pytest.mark.parametrize("end", [".", "sub/.."])
def test_an_address_that_ends_in_dots_is_fetched(source: Path, tmp_path: Path, end: str) -> None:
    (source / "sub").mkdir()
    clone = cloned(address_of(f"{source.as_uri()}/{end}"), tmp_path / "cache")
    assert clone.folder.name == "repository"
    assert clone.folder.parent.parent == tmp_path / "cache" / "repositories"
    assert (clone.folder / "shop.py").exists()


@pytest.mark.parametrize(("revision", "value"), [("", 1), ("main", 1), ("v1", 1), ("feature/x", 2), ("COMMIT", 2)])
def test_a_branch_a_tag_and_a_commit_are_fetched(source: Path, tmp_path: Path, revision: str, value: int) -> None:
    if revision == "COMMIT":
        revision = git(source, "rev-parse", "feature/x").decode().strip()
    first = cloned(at(source, revision), tmp_path / "cache")
    again = cloned(at(source, revision), tmp_path / "cache")

    assert (first.folder / "shop.py").read_text() == f"def price():\n    return {value}\n"
    assert first.folder.name == "source"
    assert first.is_new
    assert not again.is_new
    assert again.folder == first.folder
    assert git(first.folder, "rev-list", "--count", "HEAD") == b"1\n"


def test_a_branch_that_moved_is_fetched_anew_and_old_clones_are_forgotten(source: Path, tmp_path: Path) -> None:
    for number in range(11):
        (source / "shop.py").write_text(f"def price():\n    return {number + 10}\n")
        git(source, "commit", "-qam", str(number))
        clone = cloned(at(source, "main"), tmp_path / "cache")
        assert clone.is_new
        assert f"return {number + 10}" in (clone.folder / "shop.py").read_text()
    assert len(list((tmp_path / "cache" / "repositories").iterdir())) == 8
    assert not cloned(at(source, "main"), tmp_path / "cache").is_new


@pytest.mark.parametrize("revision", ["nowhere", "0123abc", "0" * 40])
def test_what_is_not_there_is_told(source: Path, tmp_path: Path, revision: str) -> None:
    with pytest.raises(RepositoryFetchError):
        cloned(at(source, revision), tmp_path / "cache")
    with pytest.raises(RepositoryFetchError):
        cloned(at(tmp_path / "nothing"), tmp_path / "cache")
    assert list((tmp_path / "cache" / "repositories").iterdir()) == []


def test_a_host_that_does_not_answer_is_told_in_words_of_git(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        address = address_of(f"http://127.0.0.1:{taken.getsockname()[1]}/shop.git")
        assert address is not None
        with pytest.raises(RepositoryFetchError, match=r"status 128 \(unable to access it: \w"):
            cloned(address, tmp_path / "cache")


def hostile(folder: Path, outside: Path) -> Path:
    """A repository with hooks, filters, a submodule, LFS pointers and links that lead out."""
    make_repository(
        folder,
        {
            ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs\n*.txt filter=evil\n",
            "large.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
            "a.txt": "text\n",
            ".gitmodules": f'[submodule "sub"]\n\tpath = sub\n\turl = ext::sh -c "touch {outside.parent}/marks/ext"\n',
            ".lfsconfig": "[lfs]\n\turl = http://127.0.0.1:1/\n",
            "hooks/post-checkout": "#!/bin/sh\n",
            "code.py": "def f():\n    return 1\n",
        },
    )
    (folder / "link.py").symlink_to(outside)
    (folder / "up").symlink_to("../../..")
    git(folder, "add", "-A")
    git(folder, "update-index", "--add", "--cacheinfo", "160000," + "1" * 40 + ",sub")
    git(folder, "commit", "-qm", "hostile")
    git(folder, "config", "uploadpack.packObjectsHook", f"touch {outside.parent}/marks/hook; exec")
    return folder


@transports
def test_nothing_that_a_hostile_repository_names_is_run(transport: str, tmp_path: Path, traps: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("SECRET = 1\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        source = hostile(tmp_path / "hostile", outside)

    with offered(source, transport) as address:
        clone = cloned(address, tmp_path / "cache")

    assert list(traps.iterdir()) == []
    assert (clone.folder / "large.bin").read_text().startswith("version https://git-lfs")
    for name, place in (("link.py", str(outside)), ("up", "../../..")):
        assert not (clone.folder / name).is_symlink()
        assert (clone.folder / name).read_text() == place
    assert not (clone.folder / "sub" / ".git").exists()
    assert list((clone.folder / ".git").glob("hooks/*")) == []
    subprocess.run(["git", "checkout", "-f", "HEAD"], cwd=clone.folder, check=True, capture_output=True)
    assert list(traps.iterdir())  # what git does when nobody keeps it from it


@transports
def test_a_repository_beyond_the_limits_is_not_written(transport: str, source: Path, tmp_path: Path) -> None:
    (source / "noise").write_bytes(os.urandom(300_000))
    (source / "zeros").write_bytes(bytes(2_000_000))
    git(source, "add", "-A")
    git(source, "commit", "-qm", "large")
    with offered(source, transport) as address:
        for limits, words in (
            (Limits(fetched=100_000), "bytes came"),
            (Limits(written=1_000_000), "1,000,000 bytes are written"),
            (Limits(files=2), "at most 2 files"),
            (Limits(seconds=0), "seconds"),
        ):
            with pytest.raises(RepositoryFetchError, match=words):
                cloned(address, tmp_path / "cache", limits)
            assert list((tmp_path / "cache" / "repositories").iterdir()) == []


@pytest.mark.parametrize("name", [".git", ".GIT", "..", "git~1", ".g\u200cit"])
def test_a_tree_that_writes_where_git_keeps_its_own_is_not_written(
    name: str, source: Path, tmp_path: Path, traps: Path
) -> None:
    hook = tree_object(source, "post-checkout", git(source, "rev-parse", "HEAD:shop.py"), mode="100755")
    inner = tree_object(source, "hooks", hook, mode="40000")
    commit = commit_object(source, tree=tree_object(source, name, inner, mode="40000").decode(), message=b"x")
    git(source, "update-ref", "refs/heads/main", commit)

    with pytest.raises(RepositoryFetchError):
        cloned(at(source, "main"), tmp_path / "cache")

    assert list(traps.iterdir()) == []
    assert list((tmp_path / "cache" / "repositories").iterdir()) == []
    assert not (tmp_path / "cache" / "hooks").exists()


def tree_object(folder: Path, name: str, held: bytes, *, mode: str) -> bytes:
    """Writes a tree with one entry as it is given, checked by nobody, into a repository; returns its hash."""
    content = f"{mode} {name}\0".encode() + bytes.fromhex(held.decode().strip())
    command = ["git", "hash-object", "-t", "tree", "-w", "--stdin", "--literally"]
    return subprocess.run(command, cwd=folder, input=content, capture_output=True, check=True).stdout.strip()


class Host(BaseHTTPRequestHandler):
    """A host on loopback: it serves repositories by git's own program, or answers as it is told to."""

    home: ClassVar[Path]
    asked: ClassVar[list[str]] = []
    sent: ClassVar[list[int]] = [0]
    unpacked: ClassVar[int] = 64 << 20
    gone: ClassVar[threading.Event]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        place, _, query = self.path.partition("?")
        if place.startswith("/locked"):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="x"')
            self.end_headers()
        elif place.startswith("/silent"):
            self.gone.wait(60)
        elif place.startswith("/away"):
            self.send_response(302)
            self.send_header("Location", f"file://{self.home}/source/info/refs?{query}")
            self.end_headers()
        elif place.startswith("/elsewhere"):
            self.send_response(302)
            port = self.headers["Host"].rpartition(":")[2]
            self.send_header("Location", f"http://localhost:{port}/source/.git/info/refs?{query}")
            self.end_headers()
        elif place.startswith("/flood/"):
            self._offer(place, self._flood)
        elif place.startswith("/bomb/"):
            self._offer(place, lambda: self.wfile.write(bomb(self.unpacked)))
        elif place.startswith("/endless"):
            self.send_response(200)
            self.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
            self.end_headers()
            self.wfile.write(b"001e# service=git-upload-pack\n0000")
            try:
                while not self.gone.is_set():
                    self.wfile.write(b"003f" + b"1" * 40 + b" refs/heads/aaaaaa\n")
            except OSError:
                return
        else:
            self._serve(place, query)

    def _offer(self, place: str, send_pack: Callable[[], object]) -> None:
        """Offers one commit, and has its pack sent to who asks for it."""
        asked = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(200)
        kind = "advertisement" if place.endswith("info/refs") else "result"
        self.send_header("Content-Type", f"application/x-git-upload-pack-{kind}")
        self.end_headers()
        commit = b"1" * 40
        if kind == "advertisement":
            head = commit + b" HEAD\0shallow\n"
            self.wfile.write(b"001e# service=git-upload-pack\n0000" + line(head) + b"0000")
            return
        self.wfile.write(line(b"shallow " + commit) + b"0000")
        if not asked.endswith(b"done\n"):
            return  # git asks a second time, for the pack
        self.wfile.write(line(b"NAK\n"))
        send_pack()

    def _flood(self) -> None:
        """Sends a pack that never ends."""
        self.wfile.write(b"PACK" + struct.pack(">II", 2, 1 << 16))
        blob = bytes([0xB0, 0x80, 0x08])  # of 16 KiB: kind 3 and the size, in groups of seven bits
        try:
            while not self.gone.is_set():
                self.wfile.write(blob + zlib.compress(os.urandom(1 << 14), 0))
                self.sent[0] += 1 << 14
        except OSError:
            return

    def do_POST(self) -> None:
        self.do_GET()

    def _serve(self, place: str, query: str) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        variables = {
            "GIT_PROJECT_ROOT": str(self.home),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": place,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "PATH": os.environ["PATH"],
        }
        done = subprocess.run(["git", "http-backend"], input=body, env=variables, capture_output=True, check=False)
        head, _, rest = done.stdout.partition(b"\r\n\r\n")
        lines = [line.partition(": ")[::2] for line in head.decode().split("\r\n")]
        self.send_response(int(next((value for name, value in lines if name == "Status"), "200")[:3]))
        for name, value in lines:
            if name != "Status":
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(rest)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the method it replaces
        del format, args


def line(content: bytes) -> bytes:
    """A line of git's protocol: its length, four digits included, and its content."""
    return f"{len(content) + 4:04x}".encode() + content


def bomb(size: int) -> bytes:
    """A pack of some kilobytes, whose second object is as long as that: it says of the first one to copy it again and again."""
    base = 1 << 20
    copies = b"\xc0\x10"  # from 0 on, 1 MiB
    delta = _varying(base) + _varying(size) + copies * (size // base)
    first = _head(3, base) + zlib.compress(bytes(base))
    second = _head(6, len(delta)) + _back(len(first)) + zlib.compress(delta)
    pack = b"PACK" + struct.pack(">II", 2, 2) + first + second
    return pack + hashlib.sha1(pack, usedforsecurity=False).digest()


def _varying(number: int) -> bytes:
    """A number in groups of seven bits, the lowest first."""
    groups = bytearray()
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*groups, number])


def _head(kind: int, size: int) -> bytes:
    """The kind and the size of an object in a pack, four bits of the size in the first byte."""
    low, high = size & 0xF, size >> 4
    return bytes([kind << 4 | low | (0x80 if high else 0)]) + (_varying(high) if high else b"")


def _back(distance: int) -> bytes:
    """A distance as packs write how far before a delta its base begins."""
    groups = [distance & 0x7F]
    while distance := distance >> 7:
        distance -= 1
        groups.append(distance & 0x7F | 0x80)
    return bytes(reversed(groups))


@contextmanager
def offered(folder: Path, transport: str) -> Generator[Address]:
    """Gives the address of a repository by a transport."""
    if transport == "file":
        yield at(folder)
        return
    with hosting(folder.parent) as host:
        yield Address(f"{host}/{folder.name}/.git", "")


@contextmanager
def hosting(home: Path) -> Generator[str]:
    handler = type("OneHost", (Host,), {"home": home, "asked": [], "gone": threading.Event()})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
        thread = threading.Thread(target=host.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{host.server_port}"
        finally:
            handler.gone.set()  # pyright: ignore[reportAttributeAccessIssue] - given above
            host.shutdown()
            thread.join()


def test_over_http_a_repository_is_fetched_and_a_hostile_host_gets_nothing(
    source: Path, tmp_path: Path, traps: Path
) -> None:
    with hosting(tmp_path) as host:
        clone = cloned(Address(f"{host}/source/.git", "feature/x"), tmp_path / "cache")
        assert "return 2" in (clone.folder / "shop.py").read_text()
        assert urlsplit(host).hostname == "127.0.0.1"
        for place in ("locked", "away", "endless", "silent", "nothing"):
            with pytest.raises(RepositoryFetchError):
                cloned(Address(f"{host}/{place}", ""), tmp_path / "cache", Limits(seconds=1))
    assert list(traps.iterdir()) == []


def test_a_pack_that_never_ends_is_ended_at_the_limit(tmp_path: Path) -> None:
    Host.sent[0] = 0
    with hosting(tmp_path) as host, pytest.raises(RepositoryFetchError, match="1,000,000 bytes came"):
        cloned(Address(f"{host}/flood/a", ""), tmp_path / "cache", Limits(fetched=1_000_000))
    assert Host.sent[0] > 1_000_000
    assert list((tmp_path / "cache" / "repositories").iterdir()) == []


def test_who_answers_on_this_machine_sends_git_nowhere_else(source: Path, tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        handler = f"{host}/elsewhere"
        with pytest.raises(RepositoryFetchError):
            cloned(Address(handler, ""), tmp_path / "cache")


def test_what_unpacks_to_much_more_than_it_is_takes_no_memory(tmp_path: Path) -> None:
    limits = Limits(piece=8 << 20)
    with hosting(tmp_path) as host, pytest.raises(RepositoryFetchError, match="more memory"):
        cloned(Address(f"{host}/bomb/a", ""), tmp_path / "cache", limits)
    assert list((tmp_path / "cache" / "repositories").iterdir()) == []


def test_pack_and_zoom_take_an_address_and_no_tool_does(
    source: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRACTAL_CONTEXT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    address = source.as_uri()

    assert run(["pack", f"{address}@feature/x"]) == 0
    assert "return 2" in capfd.readouterr().out
    assert run(["zoom", "price", address]) == 0
    assert "return 1" in capfd.readouterr().out
    assert run(["pack", f"{address}@nowhere"]) == FAILED
    assert run(["pack", "https://user:word@host.example/a"]) == WRONG_CALL
    assert run(["pack", address, "--cache", "off"]) == WRONG_CALL
    said = capfd.readouterr().err
    assert "nowhere" in said
    assert "cache" in said
    for text in (
        f"{address}@feature/x",
        "github:a/b",
        "https://host.example/a",
    ):  # a tool is given paths, and clones nothing
        with pytest.raises(PathNotFoundError):
            Roots([tmp_path]).resolve(text)
    assert Roots([tmp_path]).resolve(address) == source
