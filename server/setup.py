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
from typing import TYPE_CHECKING, Any, cast

from server.clients import CLIENTS, GUIDANCE, NAME, Client, Syntax, arguments, client_named, entry, toml_table
from server.commented_json import read_commented, with_member
from workspace.errors import InvalidArgumentError, UnreadableFileError

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
    server = server_for(client, [_folder(root) for root in asked.root])
    for path, make in _changes(client, server, guides=asked.guidance):
        before = _read(path)
        try:
            after = make(before or "")
        except InvalidArgumentError as error:
            raise InvalidArgumentError(
                f"{path} was not changed: {error}. Mend it, or put in by hand what --print shows."
            ) from error
        if asked.only_print:
            show(f"{path}:\n{make('')}")
        elif after == before:
            say(f"{path} has it already.")
        else:
            kept = _replace(path, before, after)
            say(f"{path} is written." + (f" As it was: {kept}" if kept else ""))
    if not asked.only_print and client.guidance and not asked.guidance:
        say(f"--guidance adds to {client.guidance} how to use it: that is what saves the time.")
    if not asked.only_print:
        say(f"Start {client.title} again to have it read.")


def configuration(client: Client) -> Path:
    """Returns the file of a client's configuration on this system."""
    named = client.elsewhere.get(sys.platform, client.file)
    return Path(os.path.expandvars(named)).expanduser().absolute()


def server_for(client: Client, folders: Sequence[str]) -> dict[str, object]:
    """Returns the entry of the server for a client on this machine.

    Args:
        client: whom it serves.
        folders: absolute; none leaves it to the client, and is this folder where it cannot tell.
    """
    words = arguments(client, folders or ([str(Path.cwd())] if client.root is None else []))
    command, *before = _lasting_command()
    return entry(client, [*before, *words], command)


def _lasting_command() -> list[str]:
    """Returns the words by which this program is started in another shell, and tomorrow.

    What `uvx` and `pipx run` made lies in their caches, and an environment that is active in this shell is active in no
    other: a command inside such a one is not named.
    """
    import shutil  # no other command needs what this one does to files

    own = f"{sys.prefix}{os.sep}"
    is_apart = sys.prefix != sys.base_prefix
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    lasting = [place for place in places if not (is_apart and f"{place}{os.sep}".startswith(own))]
    if shutil.which(NAME, path=os.pathsep.join(lasting)) is not None:
        return [NAME]
    parts = Path(sys.prefix).parts
    if "archive-v0" in parts or "environments-v2" in parts:
        return ["uvx", NAME]
    if "pipx" in parts and "venvs" not in parts:
        return ["pipx", "run", NAME]
    return [sys.executable, "-m", "fractal_context"]


def _changes(client: Client, server: Mapping[str, object], *, guides: bool) -> list[tuple[Path, Callable[[str], str]]]:
    """Returns each file that is to be changed, and what makes its new text of the one that is there."""
    made: list[tuple[Path, Callable[[str], str]]] = [(configuration(client), lambda text: _with(client, server, text))]
    if guides:
        if not client.guidance:
            raise InvalidArgumentError(f"{client.title} reads no file of guidance that is known; leave --guidance out.")
        made.append((Path(client.guidance).absolute(), _guided))
    return made


def _with(client: Client, server: Mapping[str, object], text: str) -> str:
    if client.syntax is Syntax.TOML:
        return _with_table(client.key, server, text)
    there: Any = read_commented(text) if text.strip("\ufeff \t\r\n") else {}
    if isinstance(there, dict) and _member(cast("dict[str, Any]", there), client.key) == server:
        return text
    made = with_member(text, (client.key, NAME), server)
    return made if made.endswith("\n") else made + "\n"


def _with_table(key: str, server: Mapping[str, object], text: str) -> str:
    import tomllib  # as above

    mark = "\ufeff" if text.startswith("\ufeff") else ""  # some editors begin with it, and TOML does not know it
    text = text.removeprefix(mark)
    try:
        there = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidArgumentError(f"it is no TOML ({error})") from error
    found = _member(there, key)
    if found == server:
        return mark + text
    if found is not None:
        raise InvalidArgumentError(f"it holds another [{key}.{NAME}]")
    newline = "\r\n" if "\r\n" in text else "\n"
    table = toml_table(key, dict(server)).replace("\n", newline)
    made = text + ("" if not text or text.endswith("\n") else newline) + (newline if text else "") + table
    try:
        after = tomllib.loads(made)
    except tomllib.TOMLDecodeError as error:
        raise InvalidArgumentError(f"its `{key}` is written so that no table can be added") from error
    expected = json.loads(json.dumps(there, default=str))
    expected.setdefault(key, {})[NAME] = server
    if json.loads(json.dumps(after, default=str)) != expected:
        raise InvalidArgumentError("its form is not understood well enough to change it")
    return mark + made


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
