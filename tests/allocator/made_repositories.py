"""Repositories that are made by chance: every byte in messages, names and attributes, and every state git can be left in.

The same number makes the same repository. Most are sound; in each something is odd, and settings in it name programs that
leave a mark where they are run.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from tests.trees import GIT_ENVIRONMENT, git, write_tree

ANY: Final = tuple(range(256))
TRAP: Final = "trapped"
"""A file of this name beside the repository says that something of it was run."""

_SOURCES: Final = (
    b"def first(a):\n    '''First of all.'''\n    return a\n\n\nclass Second:\n    def third(self):\n        return 3\n",
    b"function first(a) {\n  return a;\n}\n\nexport class Second {\n  third() { return 3; }\n}\n",
    b"# Title\n\nSome words about the first step.\n\n## Part\n\nMore.\n",
    b'{"first": 1, "second": [1, 2, 3]}\n',
    b"",
    b"no newline at the end",
)
_ENDINGS: Final = (b".py", b".js", b".md", b".json", b"", b".txt")
_ATTRIBUTES: Final = (
    *(b"filter=trap", b"diff=trap", b"merge=trap", b"text=auto", b"eol=crlf", b"-diff", b"binary", b"ident", b"-text"),
    *(
        b"working-tree-encoding=UTF-16",
        b"working-tree-encoding=nonsense",
        b"export-ignore",
        b"diff=python",
        b"whitespace=x",
    ),
)
_SETTINGS: Final = (
    *(("color.ui", "always"), ("core.quotePath", "true"), ("diff.renames", "copies"), ("diff.noprefix", "true")),
    *(
        ("diff.mnemonicPrefix", "true"),
        ("log.showSignature", "true"),
        ("gpg.program", "{trap}"),
        ("core.pager", "{trap}"),
    ),
    *(("diff.external", "{trap}"), ("diff.trap.textconv", "{trap}"), ("diff.trap.command", "{trap}")),
    *(("filter.trap.clean", "{trap}"), ("filter.trap.smudge", "cat"), ("filter.trap.process", "{trap}")),
    *(
        ("filter.trap.required", "true"),
        ("core.fsmonitor", "{trap}"),
        ("core.hooksPath", "hooks"),
        ("core.sshCommand", "{trap}"),
    ),
    *(("remote.origin.uploadpack", "{trap}"), ("credential.helper", "!{trap}"), ("core.askPass", "{trap}")),
    *(
        ("diff.orderFile", "nowhere"),
        ("diff.algorithm", "nonsense"),
        ("log.date", "nonsense"),
        ("core.ignoreCase", "true"),
    ),
    *(("i18n.logOutputEncoding", "UTF-16"), ("i18n.commitEncoding", "nonsense"), ("core.abbrev", "4")),
    *(("status.relativePaths", "false"), ("submodule.recurse", "true"), ("diff.ignoreSubmodules", "none")),
    *(("diff.submodule", "log"), ("core.attributesFile", "attributes"), ("core.excludesFile", "excludes")),
    *(
        ("core.untrackedCache", "true"),
        ("index.version", "4"),
        ("core.splitIndex", "true"),
        ("diff.python.xfuncname", "("),
    ),
    *(("diff.relative", "true"), ("diff.interHunkContext", "5"), ("diff.context", "7"), ("core.autocrlf", "true")),
    *(("core.precomposeUnicode", "true"), ("alias.diff-index", "!{trap}"), ("grep.lineNumber", "true")),
    *(("core.bigFileThreshold", "1"), ("core.worktree", "/"), ("core.bare", "true"), ("core.compression", "nonsense")),
)
_MERGES: Final = 3


class MadeRepository(msgspec.Struct, frozen=True, kw_only=True):
    """A repository, and what may be asked about it.

    Attributes:
        folder: where it lies, or a work tree of it.
        state: what is odd about it, in a word.
        revisions: what may be named in it.
        trap: the file that is there when something of the repository's was run.
    """

    folder: Path
    state: str
    revisions: tuple[str, ...]
    trap: Path


def make(place: Path, number: int) -> MadeRepository:
    """Makes the repository of a number in an empty folder."""
    chance = random.Random(number)
    folder = place / "repository"
    folder.mkdir(parents=True)
    names = tuple(STATES)
    state = names[number % len(names)]
    _git(folder, "init", "-q", *(["--object-format=sha256"] if state == "sha256" else []))
    if state != "without commits":
        _commits(folder, chance)
        _git(folder, "reset", "-q", "--hard")
    folder = STATES[state](folder, chance)
    for _ in range(chance.randrange(4)):
        _edit(folder, chance)
    trap = place / TRAP
    program = place / "program"
    program.write_text(f"#!/bin/sh\ntouch '{trap}'\ncat\n", encoding="utf-8")
    program.chmod(0o755)
    for setting, value in chance.sample(_SETTINGS, chance.randrange(6)):
        _git(folder, "config", setting, value.format(trap=program))
    for hook in ("post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"):
        if (folder / ".git" / "hooks").is_dir():
            (folder / ".git" / "hooks" / hook).symlink_to(program)
    revisions = (
        "worktree",
        "HEAD",
        "HEAD~1",
        "HEAD~2..HEAD",
        "HEAD...main",
        "topic",
        "@{u}",
        ":/first",
        "HEAD^2",
        "tag",
    )
    return MadeRepository(folder=folder, state=state, revisions=revisions, trap=trap)


def _git(folder: Path, *arguments: str, fed: bytes | None = None) -> bytes:
    """Runs git, which may fail: what it leaves then is what is wanted."""
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", *arguments],
        cwd=folder,
        env={**os.environ, **GIT_ENVIRONMENT, "GIT_TERMINAL_PROMPT": "0"},
        input=b"" if fed is None else fed,
        capture_output=True,
        timeout=250,
        check=False,
    )
    return done.stdout


def _bytes(chance: random.Random, most: int, without: bytes = b"") -> bytes:
    few = chance.choice([ANY, b"\x1e\x1f\0\n :", range(0x20, 0x7F), b"\xff\xfe\xc3\x28\xe2\x80\xae", b"'\"\\\t\r$`"])
    drawn = (chance.choice(few) for _ in range(chance.randrange(1, most + 1)))
    return bytes(byte for byte in drawn if byte not in without)


def _name(chance: random.Random) -> bytes:
    stem = chance.choice([b"a", b"A", b"main", _bytes(chance, 30, b"/\0"), _bytes(chance, 200, b"/\0"), b"-rf", b"a b"])
    if not stem.strip(b". ") or stem.lower().startswith(b".git"):
        stem = b"x"
    return stem + chance.choice(_ENDINGS)


def _path(chance: random.Random) -> bytes:
    return b"/".join(
        [*(chance.choice([b"lib", b"Lib", b"d e", b"\xffd"]) for _ in range(chance.randrange(3))), _name(chance)]
    )


def _content(chance: random.Random) -> bytes:
    source = chance.choice(_SOURCES)
    return source.replace(b"first", _bytes(chance, 5)) if chance.random() < 0.3 else source * chance.randrange(1, 4)


def _attributes(chance: random.Random) -> bytes:
    lines = [
        b" ".join(
            [chance.choice([b"*", b"*.py", b"lib/**", b'"a\\tb"', _bytes(chance, 10)]), *chance.sample(_ATTRIBUTES, 2)]
        )
        for _ in range(chance.randrange(1, 5))
    ]
    return b"\n".join([*lines, _bytes(chance, 40)])


def _quoted(path: bytes) -> bytes:
    return b'"' + b"".join(b"\\%03o" % byte for byte in path) + b'"'


def _commits(folder: Path, chance: random.Random) -> None:
    """Writes commits as `git fast-import` reads them, which takes almost anything."""
    stream = bytearray()

    def write(content: bytes) -> bytes:
        return b"data %d\n%s\n" % (len(content), content)

    for number in range(chance.randrange(1, 7)):
        author = _bytes(chance, 20, b"<>\n\0"), _bytes(chance, 20, b"<>\n\0")
        branch = b"refs/heads/topic" if number % _MERGES == 2 else b"refs/heads/main"
        stream += b"commit %s\nmark :%d\n" % (branch, number + 1)
        for role in (b"author", b"committer"):
            stream += b"%s %s <%s> %d +0000\n" % (role, *author, chance.choice([0, 1_700_000_000 + number, 2**31 + 5]))
        stream += write(_bytes(chance, 120) + chance.choice([b"", b"\n\nfirst and second\n"]))
        if number and branch == b"refs/heads/topic":
            stream += b"from :1\n"
        for _ in range(chance.randrange(1, 6)):
            mode, content = chance.choice(
                [(b"100644", _content(chance)), (b"100755", _content(chance)), (b"120000", _target(chance))]
            )
            stream += b"M %s inline %s\n%s" % (mode, _quoted(_path(chance)), write(content))
        if chance.random() < 0.5:
            stream += b"M 100644 inline .gitattributes\n" + write(_attributes(chance))
        if chance.random() < 0.4:
            stream += b"M 100644 inline .gitignore\n" + write(_bytes(chance, 30) + b"\n*.log\n" + b"*a" * 20)
        if chance.random() < 0.1:
            stream += b"M 160000 %s sub\n" % (b"1" * 40)
    for case in (b"Case.py", b"case.py", b"CASE.PY"):
        stream += b"" if chance.random() < 0.7 else b"M 100644 inline %s\n%s" % (case, write(_content(chance)))
    _git(folder, "fast-import", "--quiet", "--force", fed=bytes(stream))
    _git(folder, "tag", "-a", "-m", "tag", "tag")
    _git(folder, "branch", _bytes(chance, 12, b"\0").decode("utf-8", "surrogateescape"))


def _target(chance: random.Random) -> bytes:
    return chance.choice(
        [b"a.py", b"../..", b"/etc/passwd", b".", b"lib", b".git/config", _bytes(chance, 20, b"\0") or b"x"]
    )


def _edit(folder: Path, chance: random.Random) -> None:
    """Changes something in the work tree, and perhaps in the index."""
    files = sorted(
        path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts and not path.is_symlink()
    )
    kind = chance.randrange(6)
    try:
        if files and kind == 0:
            chance.choice(files).unlink()
        elif files and kind == 1:
            chosen = chance.choice(files)
            chosen.rename(chosen.with_name(f"moved{chosen.suffix}"))
        elif files and kind == 2:
            chosen = chance.choice(files)
            chosen.unlink()
            chosen.mkdir()
        elif files and kind == 3:
            with chance.choice(files).open("ab") as file:
                file.write(b"\ndef added():\n    return 1\n")
        else:
            place = os.fsencode(folder) + b"/" + _name(chance)
            Path(os.fsdecode(place)).write_bytes(_content(chance))
    except OSError:
        return
    if chance.random() < 0.4:
        _git(folder, "add", "-A")


def _sound(folder: Path, chance: random.Random) -> Path:
    return folder


def _detached(folder: Path, chance: random.Random) -> Path:
    _git(folder, "checkout", "-q", "--detach", "-f")
    return folder


def _merging(folder: Path, chance: random.Random) -> Path:
    for branch, text in (("topic", "one\n"), ("main", "two\n")):
        _git(folder, "checkout", "-q", "-f", branch)
        write_tree(folder, {"both.py": text})
        _git(folder, "add", "both.py")
        _git(folder, "commit", "-q", "-m", "both")
    _git(folder, chance.choice(["merge", "rebase", "cherry-pick"]), "topic")
    return folder


def _locked(folder: Path, chance: random.Random) -> Path:
    for name in ("index.lock", "HEAD.lock", "config.lock", "packed-refs.lock"):
        (folder / ".git" / name).write_bytes(b"")
    return folder


def _damaged(folder: Path, chance: random.Random, *names: str) -> Path:
    """Spoils some files below `.git`: cut, emptied, deleted, or with a byte that is another one."""
    inside = folder / ".git"
    files = [inside / name for name in names] or sorted(
        path for path in (inside / "objects").rglob("*") if path.is_file()
    )
    for path in chance.sample(files, min(len(files), chance.randrange(1, 4))):
        content = bytearray(path.read_bytes() if path.is_file() else b"")
        kind = chance.randrange(4)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if kind == 0:
            path.write_bytes(content[: len(content) // 2])
        elif kind == 1 and content:
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
            path.write_bytes(content)
        elif kind == 2:
            path.write_bytes(_bytes(chance, 200))
    return folder


def _damaged_objects(folder: Path, chance: random.Random) -> Path:
    if chance.random() < 0.5:
        pack = next(iter((folder / ".git/objects/pack").glob("*.pack")), None)
        if pack is not None:
            moved = folder / "moved.pack"
            pack.rename(moved)
            _git(folder, "unpack-objects", "-q", fed=moved.read_bytes())
            moved.unlink()
    return _damaged(folder, chance)


def _damaged_index(folder: Path, chance: random.Random) -> Path:
    return _damaged(folder, chance, "index")


def _broken_refs(folder: Path, chance: random.Random) -> Path:
    return _damaged(folder, chance, "HEAD", "refs/heads/main", "packed-refs", "refs/heads/topic")


def _damaged_config(folder: Path, chance: random.Random) -> Path:
    return _damaged(folder, chance, "config", "info/exclude", "info/attributes", "shallow")


def _clone(folder: Path, *options: str) -> Path:
    _git(folder, "config", "uploadpack.allowFilter", "true")
    _git(folder.parent, "clone", "-q", *options, f"file://{folder}", "clone")
    clone = folder.parent / "clone"
    return clone if clone.is_dir() else folder


def _shallow(folder: Path, chance: random.Random) -> Path:
    return _clone(folder, "--depth=1")


def _partial(folder: Path, chance: random.Random) -> Path:
    checkout = chance.choice([["--no-checkout"], []])
    clone = _clone(folder, f"--filter={chance.choice(['blob:none', 'tree:0'])}", *checkout)
    return write_tree(clone, {"first.py": "def first():\n    return 1\n"})


def _mirrored(folder: Path, chance: random.Random) -> Path:
    return _clone(folder, "--bare")


def _linked(folder: Path, chance: random.Random) -> Path:
    _git(folder, "worktree", "add", "-q", "-f", "--detach", "../linked")
    linked = folder.parent / "linked"
    if not linked.is_dir():
        return folder
    if chance.random() < 0.4:
        (linked / ".git").write_bytes(
            chance.choice([b"gitdir: a\0b", b"gitdir: " + _bytes(chance, 300), b"", b"gitdir:\n"])
        )
    return linked


def _submodule(folder: Path, chance: random.Random) -> Path:
    inner = write_tree(folder.parent / "inner", {"inner.py": "def inner():\n    return 1\n"})
    git(inner, "init", "-q")
    git(inner, "add", "-A")
    git(inner, "commit", "-q", "-m", "inner")
    _git(folder, "submodule", "add", "-q", f"file://{inner}", "sub module")
    if chance.random() < 0.5:
        _git(folder, "commit", "-q", "-m", "submodule")
        write_tree(folder / "sub module", {"inner.py": "def other():\n    return 2\n"})
    return folder / "sub module" if chance.random() < 0.3 and (folder / "sub module").is_dir() else folder


def _nested(folder: Path, chance: random.Random) -> Path:
    inner = write_tree(folder / "nested", {"inner.py": "def inner():\n    return 1\n"})
    _git(inner, "init", "-q")
    _damaged(inner, chance, "HEAD", "config", "index")
    return folder


def _strangers(folder: Path, chance: random.Random) -> Path:
    if not os.geteuid():
        for place in (folder, folder / ".git"):
            os.chown(place, 12345, 12345)
    return folder


def _pointing(folder: Path, chance: random.Random) -> Path:
    """The repository lies elsewhere, and something odd in its place."""
    inside = folder / ".git"
    elsewhere = folder.parent / "elsewhere"
    inside.rename(elsewhere)
    kind = chance.randrange(4)
    if kind == 0:
        inside.symlink_to(elsewhere)
    elif kind == 1:
        inside.write_bytes(b"gitdir: ../elsewhere\n")
    elif kind == 2:
        os.mkfifo(inside)
    else:
        inside.symlink_to(inside)
    return folder


def _replaced(folder: Path, chance: random.Random) -> Path:
    inside = folder / ".git"
    head = _git(folder, "rev-parse", "HEAD").strip()
    write_tree(
        inside,
        {
            "objects/info/alternates": chance.choice([b"/nowhere\n", _bytes(chance, 50), b"../../objects\n"]),
            "objects/info/commit-graph": _bytes(chance, 100),
            "info/grafts": head + b" " + b"2" * 40 + b"\n",
            "refs/replace/" + head.decode("ascii", "replace"): b"3" * 40 + b"\n",
            "info/attributes": _attributes(chance),
        },
    )
    return folder


STATES: Final[dict[str, Callable[[Path, random.Random], Path]]] = {
    "sound": _sound,
    "detached": _detached,
    "merging": _merging,
    "locked": _locked,
    "damaged objects": _damaged_objects,
    "damaged index": _damaged_index,
    "broken refs": _broken_refs,
    "damaged config": _damaged_config,
    "shallow": _shallow,
    "partial": _partial,
    "bare": _mirrored,
    "linked": _linked,
    "submodule": _submodule,
    "nested": _nested,
    "a stranger's": _strangers,
    "pointing": _pointing,
    "replaced": _replaced,
    "without commits": _sound,
    "sha256": _sound,
}
