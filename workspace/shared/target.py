"""A folder or a bucket that whole objects are published to: a path, or an address that `obstore` understands."""

from __future__ import annotations

import os
import re
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)

_PIECE: Final = 1 << 20


class TargetError(Exception):
    """A folder or a bucket cannot be used now; its text names no password."""


class Target(Protocol):
    """A place for objects, each under a name of words with slashes between them. Its methods raise `TargetError`."""

    def names(self, folder: str) -> set[str]:
        """Returns the last words of the names of all objects in a folder."""
        ...

    def put(self, name: str, file: Path) -> None:
        """Puts a file there, whole or not at all."""
        ...

    def get(self, name: str, file: Path) -> bool:
        """Writes an object into a file; False where there is none."""
        ...


def open_target(text: str) -> Target:
    """Returns what a path or an address names.

    Raises:
        InvalidArgumentError: it is an address, and no client for it is installed, or none understands it.
    """
    if not _ADDRESS.match(text):
        return _Folder(Path(text).expanduser().absolute())
    if find_spec("obstore") is None:
        raise InvalidArgumentError(
            "An object store needs its client: pip install 'fractal-context[obstore]', or name a folder."
        )
    return _Bucket(text)


class _Folder:
    def __init__(self, place: Path) -> None:
        self._place = place

    def names(self, folder: str) -> set[str]:
        try:
            return {entry.name for entry in os.scandir(self._place / folder)}
        except FileNotFoundError:
            return set()
        except OSError as error:
            raise TargetError(f"{self._place}: {error.strerror}") from error

    def put(self, name: str, file: Path) -> None:
        try:
            place = self._place / name
            place.parent.mkdir(parents=True, exist_ok=True)
            _write_whole(place, _pieces(file))
        except OSError as error:
            raise TargetError(f"{self._place}: {error.strerror}") from error

    def get(self, name: str, file: Path) -> bool:
        try:
            _write_whole(file, _pieces(self._place / name))
        except FileNotFoundError:
            return False
        except OSError as error:
            raise TargetError(f"{self._place}: {error.strerror}") from error
        return True


class _Bucket:
    """Its access and its secrets come from the environment or the machine, as its own client finds them."""

    def __init__(self, address: str) -> None:
        import obstore
        import obstore.store

        self._obstore = cast("Any", obstore)
        try:
            self._store: Any = cast("Any", obstore.store).from_url(address)
        except Exception as error:
            # The client has errors of its own for each cloud; its text may repeat the address.
            raise InvalidArgumentError(
                f"The address is of no object store that is understood ({type(error).__name__}): s3://, gs://, az:// and"
                " file:// are."
            ) from error

    def names(self, folder: str) -> set[str]:
        def listed() -> set[str]:
            return {
                str(one["path"]).rpartition("/")[2] for page in self._obstore.list(self._store, folder) for one in page
            }

        return self._tried(listed)

    def put(self, name: str, file: Path) -> None:
        self._tried(lambda: self._obstore.put(self._store, name, file))

    def get(self, name: str, file: Path) -> bool:
        def got() -> bool:
            try:
                answer = self._obstore.get(self._store, name)
            except FileNotFoundError:
                return False
            _write_whole(file, answer.stream())
            return True

        return self._tried(got)

    def _tried(self, work: Any) -> Any:
        try:
            return work()
        except Exception as error:
            # As above.
            raise TargetError(f"the object store did not answer as it should ({type(error).__name__})") from error


def _pieces(file: Path) -> Iterator[bytes]:
    with file.open("rb") as source:
        while piece := source.read(_PIECE):
            yield piece


def _write_whole(place: Path, pieces: Iterable[bytes]) -> None:
    handle, made = tempfile.mkstemp(dir=place.parent, prefix="new-")
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                file.write(piece)
        Path(made).replace(place)
    except BaseException:
        Path(made).unlink(missing_ok=True)
        raise
