"""The command `setup`: writes the server into a client's configuration, and nothing else of it.

What is there stays byte for byte: other servers, unknown keys, comments. The file as it was is kept beside it, the new
one takes its place at once or not at all, and a file that is not understood is left alone.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from server.clients import CLIENTS, GUIDANCE, NAME, Client, Syntax, arguments, client_named, entry, toml_table
from server.commented_json import read_commented, with_member
from server.versions import installed_from
from workspace.errors import InvalidArgumentError, UnreadableFileError
from workspace.roots import is_too_wide

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence

MOST_BYTES = 4 << 20
"""Of a configuration: a larger file is none."""

BEGIN, END = f"<!-- {NAME}: begin -->", f"<!-- {NAME}: end -->"
"""Around the guidance in a file that holds more than that."""


def add_setup_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:  # pyright: ignore[reportPrivateUsage] - argparse has no other name for it
    """Adds `setup` to the commands and returns its parser."""
    setup = commands.add_parser(
        "setup",
        help="write the server into a client's configuration",
        description="Writes the server into a client's configuration; all else in it stays as it is. Without --client it"
        " names the clients and changes nothing.",
    )
    setup.add_argument("--client", choices=[client.name for client in CLIENTS], help="whose configuration")
    setup.add_argument(
        "--root", action="append", default=[], metavar="DIR", help="folder that may be read; repeatable (this one)"
    )
    setup.add_argument("--print", dest="only_print", action="store_true", help="print what would be written")
    setup.add_argument("--guidance", action="store_true", help="also tell the client's model how to use it")
    return setup


def run_setup(asked: argparse.Namespace, say: Callable[[str], None], show: Callable[[str], None]) -> None:
    """Runs the command.

    Args:
        asked: what the parser has read.
        say: tells people what was done.
        show: prints a result.

    Raises:
        InvalidArgumentError: a root is no folder, or the configuration is not of its form.
        UnreadableFileError: a file cannot be read or written.
    """
    if asked.client is None:
        show("\n".join(f"{client.name:<16} {configuration(client)}" for client in CLIENTS))
        say("Name one with --client, and see what would be written with --print.")
        return
    client = cast("Client", client_named(asked.client))
    folders = [_folder(root) for root in asked.root]
    if not folders and client.root is None and is_too_wide(Path.cwd()):
        raise InvalidArgumentError(f"{Path.cwd()} holds more than a project; name the folder to read with --root.")
    for change in _changes(client, folders, guides=asked.guidance):
        before = _read(change.path)
        if asked.only_print:
            show(f"{change.path}:\n{change.alone(before or '') if change.alone else change.make('')}")
            continue
        try:
            after = change.make(before or "")
        except InvalidArgumentError as error:
            raise InvalidArgumentError(
                f"{change.path} was not changed: {error}. Mend it, or put in by hand what --print shows."
            ) from error
        if after == before:
            say(f"{change.path} has it already.")
        else:
            kept = _replace(change.path, before, after)
            say(f"{change.path} is written." + (f" As it was: {kept}" if kept else ""))
            for line in change.told(before or "", after) if change.told else ():
                say(line)
    if not asked.only_print and client.guidance and not asked.guidance:
        say(f"--guidance adds to {client.guidance} how to use it: that is what saves the time.")
    if not asked.only_print:
        say(f"Start {client.title} again to have it read.")


def configuration(client: Client) -> Path:
    """Returns the file of a client's configuration on this system."""
    named = client.elsewhere.get(sys.platform, client.file)
    return Path(os.path.expandvars(named)).expanduser().absolute()


def server_for(client: Client, folders: Sequence[str], there: object = None) -> dict[str, object]:
    """Returns the entry of the server for a client on this machine.

    Args:
        client: whom it serves.
        folders: absolute; none leaves it to the client, and is this folder where it cannot tell, before those that the
            entry names already.
        there: the entry as it stands. Its other keys stay, and the other words behind `serve`.
    """
    standing = cast("dict[str, object]", there) if isinstance(there, dict) and "command" in there else {}
    named, others = _served(standing)
    if not folders:
        own = [str(Path.cwd())] if client.root is None else []
        folders = list(dict.fromkeys([*own, *(root for root in named if not _is_gone(root))]))
    command, *before = _lasting_command()
    return {**standing, **entry(client, [*before, *arguments(client, folders), *others], command)}


def _served(there: object) -> tuple[list[str], list[str]]:
    """Returns the roots that an entry names, and the other words behind `serve`; nothing where it starts no server."""
    if not isinstance(there, dict):
        return [], []
    found = cast("dict[str, Any]", there)
    words: list[str] = []
    for part in (found.get("command", []), found.get("args", [])):
        words += [str(word) for word in cast("list[object]", part)] if isinstance(part, list) else [str(part)]
    roots: list[str] = []
    others: list[str] = []
    left = iter(words[words.index("serve") + 1 :] if "serve" in words else ())
    for word in left:
        if word == "--root":
            roots += [root for root in (next(left, ""),) if root]
        elif word.startswith("--root="):
            roots.append(word.removeprefix("--root="))
        else:
            others.append(word)
    return roots, others


def _is_gone(root: str) -> bool:
    """Tells whether a root is no folder of this machine; one that the client works out (`${workspaceFolder}`) may be."""
    return Path(root).is_absolute() and not Path(root).is_dir()


def _told_of_roots(earlier: Sequence[str], now: Sequence[str], *, named: bool) -> list[str]:
    """Returns what to say of an entry that names other folders than before: no folder comes or goes in silence.

    Args:
        earlier: the folders as they were.
        now: as they are.
        named: whether the caller has named those, so that none of them is news.
    """
    lines = [
        f"{root} is no folder any more, and was taken out." for root in earlier if root not in now and _is_gone(root)
    ]
    lost = [root for root in earlier if root not in now and not _is_gone(root)]
    if lost:
        lines.append(f"It reads {', '.join(lost)} no longer; name that with --root as well to have it read.")
    if not named and (kept := [root for root in now if root in earlier]):
        lines.append(
            f"It reads {', '.join(kept)} as before, and a call that names no path means {now[0]}; where that is not"
            " wanted, name the folders to read with --root."
        )
    return lines


def _lasting_command() -> list[str]:
    """Returns the words by which this program is started in another shell, and tomorrow.

    What `uvx` and `pipx run` made lies in their caches, and an environment that is active in this shell is active in no
    other: a command inside such a one is not named. Python is told not to look for modules in the folder it is started
    in (`-P`): that is a project.
    """
    import shutil  # no other command needs what this one does to files

    own = f"{sys.prefix}{os.sep}"
    is_apart = sys.prefix != sys.base_prefix
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    lasting = [place for place in places if not (is_apart and f"{place}{os.sep}".startswith(own))]
    if shutil.which(NAME, path=os.pathsep.join(lasting)) is not None:
        return [NAME]
    parts = Path(sys.prefix).parts
    source = installed_from()
    if "archive-v0" in parts or "environments-v2" in parts:
        return ["uvx", *(["--from", source] if source else []), NAME]
    if "pipx" in parts and "venvs" not in parts:
        return ["pipx", "run", *(["--spec", source] if source else []), NAME]
    return [sys.executable, "-P", "-m", "fractal_context"]


class _Change(NamedTuple):
    """One file that is to be changed.

    Attributes:
        path: its path.
        make: makes the new text of the one that is there.
        alone: makes what is to stand there of it, without what else the file holds; None where that is what `make`
            makes of nothing.
        told: what to say of the old text and the new one.
    """

    path: Path
    make: Callable[[str], str]
    alone: Callable[[str], str] | None = None
    told: Callable[[str, str], Sequence[str]] | None = None


def _changes(client: Client, folders: Sequence[str], *, guides: bool) -> list[_Change]:
    def with_entry(text: str) -> str:
        return _with(client, folders, text)

    def told(before: str, after: str) -> list[str]:
        earlier, now = (_served(_entry_in(client, text))[0] for text in (before, after))
        return _told_of_roots(earlier, now, named=bool(folders)) if earlier and earlier != now else []

    def entry_alone(text: str) -> str:
        return with_entry(_ours_of(client, text))

    made = [_Change(configuration(client), with_entry, entry_alone, told)]
    if guides:
        if not client.guidance:
            raise InvalidArgumentError(f"{client.title} reads no file of guidance that is known; leave --guidance out.")
        made.append(_Change(Path(client.guidance).absolute(), _guided))
    return made


def _ours_of(client: Client, text: str) -> str:
    """Returns a configuration that holds nothing of another but our entry; "" where it has none, or none can be read."""
    if client.syntax is Syntax.TOML:  # a table that is there is not changed
        return ""
    try:
        there = _entry_in(client, text)
    except InvalidArgumentError:
        return ""
    return "" if there is None else with_member("", (client.key, NAME), there)


def _entry_in(client: Client, text: str) -> object:
    """Returns our entry in a configuration; None where there is none.

    Raises:
        InvalidArgumentError: the text is not of its form.
    """
    if not text.strip("\ufeff \t\r\n"):
        return None
    if client.syntax is Syntax.TOML:
        return _member(_tables(text.removeprefix("\ufeff")), client.key)
    there = read_commented(text)
    return _member(cast("dict[str, Any]", there), client.key) if isinstance(there, dict) else None


def _with(client: Client, folders: Sequence[str], text: str) -> str:
    there = _entry_in(client, text)
    server = server_for(client, folders, there)
    if there == server:
        return text
    if client.syntax is Syntax.TOML:
        return _with_table(client.key, server, text)
    made = with_member(text, (client.key, NAME), server)
    return made if made.endswith("\n") else made + "\n"


def _with_table(key: str, server: Mapping[str, object], text: str) -> str:
    mark = "\ufeff" if text.startswith("\ufeff") else ""  # some editors begin with it, and TOML does not know it
    text = text.removeprefix(mark)
    there = _tables(text)
    if _member(there, key) is not None:
        raise InvalidArgumentError(f"it holds another [{key}.{NAME}]")
    newline = "\r\n" if "\r\n" in text else "\n"
    table = toml_table(key, dict(server)).replace("\n", newline)
    made = text + ("" if not text or text.endswith("\n") else newline) + (newline if text else "") + table
    try:
        after = _tables(made)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"its `{key}` is written so that no table can be added") from error
    expected = json.loads(json.dumps(there, default=str))
    expected.setdefault(key, {})[NAME] = server
    if json.loads(json.dumps(after, default=str)) != expected:
        raise InvalidArgumentError("its form is not understood well enough to change it")
    return mark + made


def _tables(text: str) -> dict[str, Any]:
    import tomllib  # as above

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidArgumentError(f"it is no TOML ({error})") from error


def _member(whole: Mapping[str, Any], key: str) -> object:
    servers: Any = whole.get(key)
    return cast("dict[str, object]", servers).get(NAME) if isinstance(servers, dict) else None


def _guided(text: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    block = f"{BEGIN}\n{GUIDANCE}{END}\n".replace("\n", newline)
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if begin and end:
        return f"{before}{block.rstrip()}{after}"
    if begin:
        raise InvalidArgumentError(f"it holds {BEGIN!r} without its end")
    return f"{text.rstrip()}{newline}{newline}{block}" if text.strip() else block


def _folder(root: str) -> str:
    path = Path(root).absolute()
    if not path.is_dir():
        raise InvalidArgumentError(f"The root '{root}' is not a folder; name one that exists.")
    return str(path)


def _read(path: Path) -> str | None:
    """Returns the text of a file, its line ends as they are; None where there is none."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableFileError(f"{path} cannot be read: {error.strerror}.") from error
    if len(raw) > MOST_BYTES:
        raise UnreadableFileError(f"{path} is larger than {MOST_BYTES} bytes: that is no configuration.")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableFileError(f"{path} is not written in UTF-8; it was not changed.") from error


def _replace(path: Path, before: str | None, after: str) -> Path | None:
    """Writes a file whole or not at all, and returns where the one before is kept; links are followed, its mode stays."""
    import shutil  # as above
    import tempfile

    real = Path(os.path.realpath(path))
    kept: Path | None = None
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        if before is not None:
            if not real.stat().st_mode & stat.S_IWUSR:
                raise UnreadableFileError(
                    f"{path} may not be written: it is read-only. Make it writable, or put in by hand what --print shows."
                )
            kept = _free(real)
            shutil.copy2(real, kept)
        handle, name = tempfile.mkstemp(prefix=f".{real.name}.", dir=real.parent)
        new = Path(name)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(after.encode("utf-8"))
                stream.flush()
                os.fsync(stream.fileno())
            if kept is not None:
                shutil.copymode(kept, new)
            else:
                mask = os.umask(0)
                os.umask(mask)
                new.chmod(0o666 & ~mask)
            new.replace(real)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UnreadableFileError(f"{path} cannot be written: {error.strerror}.") from error
    return kept


def _free(path: Path) -> Path:
    """Returns a name beside a file that nothing has, for the copy of how it was."""
    number = 1
    while (free := path.with_name(f"{path.name}.before-{NAME}.{number}")).exists():
        number += 1
    return free
