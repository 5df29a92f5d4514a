"""Runs git so that nobody else has a say in the answer.

A repository may come from anywhere, and so may what its configuration names. Git is run in a session of its own, without
a terminal, bounded in time and in what it may print; it takes no locks, fetches nothing, asks for no password, and runs
no hook, monitor, pager or helper. Of the environment's `GIT_*` only what says which of the user's own configuration
counts is passed on. Callers ask git's plumbing, which reads none of the settings that people make for their eyes, in
forms that are delimited by NUL or by their length.

Whatever goes wrong is a value, `GitAnswer.refusal`, never an exception: git is welcome, and never needed.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import threading
import time
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import msgspec

from workspace.cancellation import stop_if_cancelled
from workspace.paths import path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

GIT_SECONDS: Final = 30.0

WHOLE: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
"""The name of an object, not shortened."""

FILTERS: Final = ("config", "--null", "--name-only", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$")
"""Asks for the settings by which a repository names programs that git runs on contents."""

MOST_BYTES: Final = 256 << 20
"""Bytes of one answer; the list of a million files takes about 60 MB."""

_MOST_WORDS: Final = 1 << 16
"""Bytes of git's complaints that are looked at."""

_PIECE: Final = 1 << 16
_LOOK_SECONDS: Final = 0.05
"""The pause before a call that waits for git looks again whether it is still wanted."""

_LAST_SECONDS: Final = 1.0
"""The time that an ended process may take to go, and its pipes to close."""

_OWN_SETTINGS: Final = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.pager", "cat"),
    ("credential.helper", ""),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("protocol.allow", "never"),
    ("submodule.recurse", "false"),
)

_OWN_VARIABLES: Final = {
    "GIT_ASKPASS": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PROTOCOL_FROM_USER": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LANGUAGE": "",
    "LC_ALL": "C",
}

SHALLOW: Final = " This clone is shallow and lacks older commits: git fetch --unshallow brings them."
"""The sentence to who names a commit that a shallow clone may lack, behind another."""

_NO_TRANSPORT: Final = "none"
"""No transport has this name, so a partial clone fetches nothing."""

_PLAIN: Final = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_SYSTEM": os.devnull}

_OBJECTS_ALONE: Final = {
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
}
"""The variables that keep a repository from saying that one object stands for another."""

_USERS_VARIABLES: Final = frozenset({"GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"})
_USERS_SWITCHES: Final = frozenset({"GIT_CONFIG_NOSYSTEM", "GIT_DISCOVERY_ACROSS_FILESYSTEM"})
_SWITCH_VALUES: Final = frozenset({"0", "1", "false", "no", "off", "on", "true", "yes"})
_SIGN: Final = "="
_SETTINGS_BY_VARIABLES: Final = (2, 31)
"""The version of git that first takes settings from variables."""

_GIT: Final = "git.exe" if os.name == "nt" else "git"
"""Looked for in the places of the search path alone: `shutil.which` would look into the working directory on Windows."""

_VERSION: Final = re.compile(rb"git version (\d+)\.(\d+)")
_TRUST: Final = "safe.directory"
_MOST_PAIRS: Final = 1000

_NOT_THERE: Final = (b"not a git repository", b"must be run in a work tree")
_DISTRUSTED: Final = b"dubious ownership"
_TOO_LARGE: Final = b"attempting to allocate"


_COMPLAINT: Final = re.compile(r"(?:fatal|error): ")
_ABSOLUTE: Final = re.compile(r"(?:^|[\s'\"(=:])(?:[/~\\]|[A-Za-z]:[/\\])")
"""The beginning of a path that may lie anywhere."""

_ADDRESS: Final = re.compile(r"'?https?://[^\s']*'?")
"""The address of a repository, which whoever asks has named."""

_LONGEST_REASON: Final = 120
"""Characters of git's own words that are told."""


class GitAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Git's answer to one question.

    Attributes:
        out: what it printed.
        status: its exit status; below zero where it was not started or was ended.
        refusal: why there is no answer, as a clause that names nothing outside the roots; "" where git ended well.
        in_repository: False where git says that the folder is in no work tree.
        is_there: False where there is no git that could be started.
    """

    out: bytes = b""
    status: int = 0
    refusal: str = ""
    in_repository: bool = True
    is_there: bool = True


def turned_off(listed: bytes) -> tuple[tuple[str, str], ...]:
    """The settings that turn filters off, of the answer to `FILTERS`."""
    names = dict.fromkeys(path_of(name) for name in listed.split(b"\0") if name)
    return tuple((name, "false" if name.endswith(".required") else "") for name in names)


class Git:
    """Git in one folder. All that is asked of one object takes at most so long together.

    Args:
        folder: a real absolute path.
        seconds: how long all questions may take.
        transports: by which it may fetch, in git's words with ":" between them.
        plain: whether even the user's own configuration has no say, as where files are written.
        repository: where git keeps its objects, if they alone are asked about, and no work tree; nothing stands for
            another object then.
        attributes: a folder that holds files of attributes, to be taken for the work tree then; "" for none.
        piece: bytes that git may take at once for one object; 0 for as many as it wants.
    """

    def __init__(
        self,
        folder: str,
        *,
        seconds: float = GIT_SECONDS,
        transports: str = _NO_TRANSPORT,
        plain: bool = False,
        repository: str = "",
        attributes: str = "",
        piece: int = 0,
    ) -> None:
        self.folder = folder
        self._variables = {"GIT_ALLOW_PROTOCOL": transports} | (_PLAIN if plain else {})
        if repository:
            self._variables |= _OBJECTS_ALONE | {"GIT_DIR": repository}
        if attributes:
            self._variables |= {"GIT_WORK_TREE": attributes}
        if piece:
            self._variables |= {"GIT_ALLOC_LIMIT": str(piece)}
        self._seconds = seconds
        self._until = time.monotonic() + seconds

    def ask(
        self,
        *arguments: str,
        fed: bytes = b"",
        settings: Sequence[tuple[str, str]] = (),
        watch: Callable[[], str] | None = None,
    ) -> GitAnswer:
        """Runs one command.

        Args:
            arguments: the command and its arguments; what comes from a caller stands behind `--end-of-options`.
            fed: what git reads from its standard input.
            settings: configuration for this one run, names and values.
            watch: is asked while git is at work, and ends it with a clause that says why.
        """
        stop_if_cancelled()
        left = self._until - time.monotonic()
        if left <= 0:
            return GitAnswer(status=-1, refusal=self._too_slow())
        try:
            run = _Run(*self.command(arguments, settings), watch)
        except OSError as error:
            return GitAnswer(status=-1, refusal=f"git could not be started ({error.strerror})", is_there=False)
        out, words, status = run.finish(fed, left)
        if run.objection:
            return GitAnswer(status=-1, refusal=run.objection)
        if run.is_late:
            return GitAnswer(status=-1, refusal=self._too_slow())
        if run.is_too_much:
            return GitAnswer(status=-1, refusal=f"git printed more than {MOST_BYTES >> 20} MB")
        if not status:
            return GitAnswer(out=out)
        if any(reason in words for reason in _NOT_THERE):
            return GitAnswer(out=out, status=status, refusal="the folder is in no work tree", in_repository=False)
        if _DISTRUSTED in words:
            trust = f"git does not trust the owner of the repository (its setting {_TRUST})"
            return GitAnswer(out=out, status=status, refusal=trust)
        if _TOO_LARGE in words:
            return GitAnswer(out=out, status=status, refusal="one object would take more memory than it may")
        return GitAnswer(out=out, status=status, refusal=f"git failed with exit status {status}{_reason(words)}")

    def command(
        self, arguments: Sequence[str], settings: Sequence[tuple[str, str]] = ()
    ) -> tuple[list[str], str, dict[str, str]]:
        """Gives how a command is run: its words, the folder, and the environment.

        Raises:
            FileNotFoundError: there is no git.
        """
        program = _program(os.environ.get("PATH", os.defpath))
        pairs = [*_trusted(), *_OWN_SETTINGS, *settings]
        words = [program, "--no-pager", *_options(pairs), *arguments]
        return words, self.folder, _environment(pairs) | self._variables

    def takes(self, names: Sequence[str]) -> bool:
        """Tells whether settings of these names can be given to this git: those that hold a `=` need 2.31."""
        if not any(_SIGN in name for name in names):
            return True
        version = _VERSION.match(self.ask("--version").out)
        return version is not None and (int(version[1]), int(version[2])) >= _SETTINGS_BY_VARIABLES

    def is_shallow(self) -> bool:
        """Tells whether the repository lacks older commits, which it was cloned without."""
        return self.ask("rev-parse", "--is-shallow-repository").out.strip() == b"true"

    def _too_slow(self) -> str:
        return f"git took more than {self._seconds:g} seconds"


def _reason(words: bytes) -> str:
    """Returns the first line of git's complaint, in brackets; where to read it where it names a place that may lie outside."""
    line = next((line for line in words.decode("utf-8", "replace").splitlines() if _COMPLAINT.match(line)), "")
    said = _ADDRESS.sub("it", _COMPLAINT.sub("", line)).strip()
    is_told = said and said.isprintable() and not _ABSOLUTE.search(said)
    return f" ({said[:_LONGEST_REASON] if is_told else 'git status in the folder says why'})"


class _Run:
    """One process, which is gone with all that it started when `finish` returns."""

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        environment: Mapping[str, str],
        watch: Callable[[], str] | None,
    ) -> None:
        self._watch = watch
        self.objection = ""
        self.is_late = False
        self.is_too_much = False
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def finish(self, fed: bytes, seconds: float) -> tuple[bytes, bytes, int]:
        """Gives what was printed, what was complained of, and the exit status."""
        until = time.monotonic() + seconds
        out, words = bytearray(), bytearray()
        process = self._process
        threads = [
            threading.Thread(target=self._read, args=(process.stdout, out, MOST_BYTES), daemon=True),
            threading.Thread(target=self._read, args=(process.stderr, words, _MOST_WORDS), daemon=True),
            threading.Thread(target=_feed, args=(process.stdin, fed), daemon=True),
        ]
        if not fed:
            _feed(process.stdin, fed)
            threads.pop()
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive() and (left := until - time.monotonic()) > 0:
                    stop_if_cancelled()
                    if self._watch is not None and (objection := self._watch()):
                        self.objection = self.objection or objection
                        kill(self._process)
                    thread.join(min(left, _LOOK_SECONDS))
            process.wait(max(0.0, until - time.monotonic()))
            self.is_late = any(thread.is_alive() for thread in threads)
        except subprocess.TimeoutExpired:
            self.is_late = True
        finally:
            if self.is_late or process.poll() is None:
                self._end()
        return bytes(out), bytes(words), process.returncode or 0

    def _read(self, pipe: IO[bytes] | None, found: bytearray, most: int) -> None:
        """Reads a pipe to its end; beyond `most` bytes of an answer the process is ended, of complaints they are left."""
        assert pipe is not None
        with contextlib.suppress(OSError, ValueError), pipe:
            while piece := os.read(pipe.fileno(), _PIECE):
                if len(found) < most:
                    found += piece
                elif most == MOST_BYTES:
                    self.is_too_much = True
                    kill(self._process)
                    return

    def _end(self) -> None:
        kill(self._process)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_SECONDS)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Ends git, and what it started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)  # what git started is of its session
        else:
            process.kill()


def _feed(pipe: IO[bytes] | None, fed: bytes) -> None:
    assert pipe is not None
    with contextlib.suppress(OSError, ValueError), pipe:  # git may end before it has read all
        pipe.write(fed)


@lru_cache(maxsize=8)
def _program(search: str) -> str:
    """Returns the place of git; never one in the folder that is asked about, which a search path may name as its own.

    Raises:
        FileNotFoundError: nowhere.
    """
    for place in search.split(os.pathsep):
        program = Path(place) / _GIT
        if program.is_absolute() and program.is_file() and os.access(program, os.X_OK):
            return str(program)
    raise FileNotFoundError(2, "no program of the name git is on the search path")


def _options(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """The settings of one run as options, which every git takes."""
    return [word for name, value in pairs if _SIGN not in name for word in ("-c", f"{name}{_SIGN}{value}")]


def _environment(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The variables that git sees: none that would change its answers, or name a program.

    Settings whose name holds a `=` are variables; no option can say them.
    """
    given = os.environ
    kept = {name: value for name, value in given.items() if not name.startswith("GIT_") and name != "SSH_ASKPASS"}
    kept |= {name: given[name] for name in _USERS_VARIABLES if name in given}
    kept |= {name: given[name] for name in _USERS_SWITCHES if given.get(name, "").lower() in _SWITCH_VALUES}
    odd = [(name, value) for name, value in pairs if _SIGN in name]
    for number, (name, value) in enumerate(odd):
        kept[f"GIT_CONFIG_KEY_{number}"] = name
        kept[f"GIT_CONFIG_VALUE_{number}"] = value
    return {**kept, **_OWN_VARIABLES, "GIT_CONFIG_COUNT": str(len(odd))}


def _trusted() -> list[tuple[str, str]]:
    """The folders that the user trusts by the environment, as containers often do."""
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    numbers = range(min(int(count), _MOST_PAIRS)) if count.isascii() and count.isdigit() else ()
    return [
        (_TRUST, os.environ.get(f"GIT_CONFIG_VALUE_{number}", ""))
        for number in numbers
        if os.environ.get(f"GIT_CONFIG_KEY_{number}", "").lower() == _TRUST
    ]
