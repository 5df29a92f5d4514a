"""Tree packs: what CI publishes of a commit, and what a server or a command on another machine begins with.

They lie in the folder or the bucket of the setting `published`, each under the mark of the key that signed it, the salt
of what worked it out, and the tree. Who looks for one takes the newest that there is of the last 64 commits: what has
changed since is worked out as ever.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, overload

import msgspec

from server.measured import PassedOn
from skeleton.index.cache import cache_folder
from skeleton.index.salt import salt
from skeleton.index.tree_pack import LONGEST_CHAIN, Head, Known, TreePack, TreePackError, secret_of, unpack, write_pack
from workspace.cancellation import stop_if_cancelled
from workspace.errors import InvalidArgumentError, UnreadableFileError
from workspace.git.work_tree import newest_trees, unchanged
from workspace.shared.target import Target, TargetError, open_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from allocator.progress import Progress
    from server.settings import Settings
    from skeleton.index.code_index import CodeIndex
    from skeleton.index.indexed import IndexedFile
    from skeleton.index.store import FactStore

MOST_KEPT: Final = 32
"""Packs that stay in the cache; the newest used."""

MOST_SECONDS: Final = 60.0
"""After which a process goes on without what it has not fetched."""

_LOOK_SECONDS: Final = 0.05
_ENDING: Final = ".pack"
USUAL_BUDGETS: Final = (2000, 4000, 8000, 16_000, 32_000)
"""Tokens of first questions: what they count is published, so that who begins needs no vocabulary for it."""

_WINDOW: Final = 2000
_LOG: Final = logging.getLogger(__name__)
_fetching = threading.Lock()
"""One pack comes at a time: who waits finds it on the machine."""


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """The pack of one root, as it was published.

    Attributes:
        root: the folder.
        tree: the name of its tree.
        files: that were looked at.
        facts: in the pack; 0 where it was there already.
        bytes: of the pack.
        base: the tree whose pack holds the rest; "" for none.
    """

    root: str
    tree: str
    files: int
    facts: int
    bytes: int
    base: str


class Shelves:
    """The places of the packs of some settings: afar, and in the cache of this machine.

    Args:
        settings: with `published` and `store_key`.
        target: where they are published; that of the settings by default.

    Raises:
        InvalidArgumentError: there is no key, or the target is none.
    """

    def __init__(self, settings: Settings, target: str = "") -> None:
        if not settings.store_key:
            raise InvalidArgumentError(
                "Tree packs are signed: set FRACTAL_CONTEXT_STORE_KEY, or `store-key` in a settings file that you name, to"
                " the same 16 characters or more where they are published and where they are used."
            )
        self.secret = secret_of(settings.store_key)
        self._target: Target = open_target(target or settings.published)
        salted = salt(settings.encoding, redact=not settings.no_redact, memory=settings.parser_memory << 20)
        mark = hashlib.blake2b(b"mark", digest_size=6, key=self.secret).hexdigest()
        self._folder = f"fractal-trees/{mark}-{salted.hex()}"
        cache = cache_folder(settings.cache)
        self._kept = None if cache is None else cache / "trees" / f"{mark}-{salted.hex()}"

    def names(self) -> set[str]:
        """Returns the trees that packs are published of; raises `TargetError`."""
        return {name.removesuffix(_ENDING) for name in self._target.names(self._folder) if name.endswith(_ENDING)}

    def put(self, tree: str, file: Path) -> None:
        """Publishes a pack; raises `TargetError`."""
        self._target.put(f"{self._folder}/{tree}{_ENDING}", file)

    def newest(self, trees: Sequence[str]) -> list[TreePack]:
        """Returns the pack of the first of some trees that there is one of, with those that it stands on; or none.

        Raises:
            TargetError: where packs are published cannot be reached.
            TreePackError: a pack is refused.
            OSError: the cache cannot be written.
        """
        if self._kept is None or not trees:
            return []
        self._kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self._file(trees[0]).exists():
            there = self.names()
            trees = [tree for tree in trees if tree in there or self._file(tree).exists()]
        packs: list[TreePack] = []
        tree = trees[0] if trees else ""
        try:
            while tree and len(packs) <= LONGEST_CHAIN:
                pack = self._opened(tree)
                if pack is None:
                    break
                packs.append(pack)
                tree = pack.head.base
        except BaseException:
            for pack in packs:
                pack.close()
            raise
        self._prune()
        return packs

    def _file(self, tree: str) -> Path:
        assert self._kept is not None
        return self._kept / f"{tree}.sqlite3"

    def _opened(self, tree: str) -> TreePack | None:
        file = self._file(tree)
        if not file.exists():
            with tempfile.TemporaryDirectory(dir=file.parent) as folder:
                fetched = Path(folder, "pack")
                if not self._target.get(f"{self._folder}/{tree}{_ENDING}", fetched):
                    return None
                unpack(fetched, self.secret, Path(folder, "facts"))
                Path(folder, "facts").replace(file)
        os.utime(file)
        return TreePack(file, self.secret)

    def _prune(self) -> None:
        assert self._kept is not None
        aged = sorted(self._kept.glob("*.sqlite3"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
        for file in aged[MOST_KEPT:]:
            with contextlib.suppress(OSError):  # Windows removes no file that somebody has open; a later call will
                file.unlink()


class Adopted(Sequence["TreePack"]):
    """The packs that fit the roots of some settings: fetched beside whatever else goes on; who looks at them waits.

    What cannot be had in time is told and done without. Threads may share it.

    Args:
        settings: with `published`.

    Raises:
        InvalidArgumentError: they name a target without a key, or one that is none.
    """

    def __init__(self, settings: Settings) -> None:
        self._shelves = Shelves(settings)
        self._roots = settings.roots.paths
        self._found: list[TreePack] = []
        self._packs: Sequence[TreePack] | None = None
        self._lock = threading.Lock()
        self._until = time.monotonic() + MOST_SECONDS
        self._fetching = threading.Thread(target=self._fetch, name="tree-packs", daemon=True)
        self._fetching.start()

    @overload
    def __getitem__(self, index: int) -> TreePack: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[TreePack]: ...
    def __getitem__(self, index: int | slice) -> TreePack | Sequence[TreePack]:
        return self._come()[index]

    def __len__(self) -> int:
        return len(self._come())

    def _come(self) -> Sequence[TreePack]:
        """Waits until they are there, or no longer.

        Raises:
            CallCancelledError: the call is not wanted any more.
        """
        while self._packs is None and self._fetching.is_alive() and time.monotonic() < self._until:
            self._fetching.join(_LOOK_SECONDS)
            stop_if_cancelled()
        with self._lock:
            if self._packs is None:
                self._packs = [*self._found]
                if self._fetching.is_alive():
                    _LOG.warning(
                        "The tree packs did not come within %d seconds; what they would tell is worked out.",
                        MOST_SECONDS,
                    )
            return self._packs

    def _fetch(self) -> None:
        for root in self._roots:
            try:
                with _fetching:
                    packs = self._shelves.newest(newest_trees(os.fspath(root)))
            except (TargetError, TreePackError, OSError) as error:
                _LOG.warning("No tree pack is used for %s: %s. What it would tell is worked out.", root, error)
                continue
            with self._lock:
                if self._packs is None:
                    self._found.extend(packs)


def fetch_ahead(settings: Settings) -> None:
    """Brings the packs of some settings onto this machine, beside whatever else goes on.

    Raises:
        InvalidArgumentError: as `Adopted`.
    """
    if settings.published:
        Shelves(settings)  # says now what is wrong with the settings

        def fetch() -> None:
            for pack in Adopted(settings):
                pack.close()

        threading.Thread(target=fetch, name="tree-packs-ahead", daemon=True).start()


class Recording(PassedOn):
    """A store of facts that remembers what went through it: a `FactStore`.

    Args:
        store: the store.
    """

    def __init__(self, store: FactStore) -> None:
        super().__init__(store)
        self.seen: dict[tuple[int, bytes], None] = {}

    @property
    def in_memory(self) -> bool:
        """Tells whether the store ends with the process; what is recorded is wanted in any case."""
        return False

    def read(self, kind: int, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Returns the values that are stored for some keys."""
        found = self._store.read(kind, keys)
        self.seen.update(((kind, key), None) for key in found)
        return found

    def held(self, kind: int, keys: Sequence[bytes]) -> set[bytes]:
        """Returns those of some keys that have a value."""
        held = self._store.held(kind, keys)
        self.seen.update(((kind, key), None) for key in keys if key in held)
        return held

    def write(self, entries: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Stores values, each with its kind and key."""
        written = [(int(kind), key, value) for kind, key, value in entries]
        self.seen.update(((kind, key), None) for kind, key, _ in written)
        self._store.write(written)


def prepared(index: CodeIndex, root: str, budget: int | None, progress: Progress | None) -> list[IndexedFile]:
    """Works out everything that is kept of the files of a root; returns the files.

    Args:
        index: knows them.
        root: the folder.
        budget: of an overview that is asked for, beside those of usual budgets, so that what they take is there as well.
        progress: is told how far it is.
    """
    from allocator import ContextEngine
    from skeleton.index.records import OF_LEVELS, OF_SKETCH, Aspect
    from workspace.files.scan import scan

    place = index.roots.resolve(root)
    files, _ = index.files(scan(place, roots=index.roots), wanted=OF_SKETCH | OF_LEVELS, progress=progress)
    alone = (Aspect.OUTLINE, Aspect.SYMBOLS, Aspect.USES)
    for aspect in (Aspect.TERMS, Aspect.WEIGHTS, *alone, *sorted(OF_SKETCH | OF_LEVELS)):
        index.prepare(files, aspect, progress=progress)
    index.cache.held(Aspect.BASICS, [file.key for file in files])
    engine = ContextEngine(index.roots, encoding=index.encoding, index=index)
    for asked in dict.fromkeys((budget, *USUAL_BUDGETS)):
        for summary in (True, False):  # a server gives one, the command none
            engine.get_context(root, token_budget=asked, format="compact", summary=summary, progress=progress)
    return files


def publish(
    shelves: Shelves, index: CodeIndex, recording: Recording, root: str, files: Sequence[IndexedFile]
) -> Published:
    """Publishes the pack of a root that was prepared, unless it is there already.

    Args:
        shelves: where it goes.
        index: knows the files.
        recording: the store of the index.
        root: the folder.
        files: as `prepared` gives them.

    Raises:
        InvalidArgumentError: the root has no commit, or tracked files are not as they were committed.
        UnreadableFileError: where it goes cannot be reached.
    """
    trees = newest_trees(root)
    if not trees:
        raise InvalidArgumentError(f"{root} is in no git repository with a commit; a tree pack is of the tree of one.")
    work = unchanged(root)
    if work.changed:
        raise InvalidArgumentError(
            f"{work.changed} tracked files of {root} are not as they were committed; publish from a clean checkout."
        )
    try:
        there = shelves.names()
        if trees[0] in there:
            return Published(root=root, tree=trees[0], files=len(files), facts=0, bytes=0, base="")
        with contextlib.ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
            base = shelves.newest([tree for tree in trees[1:] if tree in there])
            for pack in base:
                stack.callback(pack.close)
            if len(base) > LONGEST_CHAIN:
                base = []
            head = Head(
                tree=trees[0], base=base[0].head.tree if base else "", depth=base[0].head.depth + 1 if base else 0
            )
            new = _not_in(base, recording.seen)
            file = Path(folder, "pack")
            write_pack(file, shelves.secret, head, _contents(files, work.contents, base), _values(index.cache, new))
            shelves.put(trees[0], file)
            return Published(
                root=root, tree=trees[0], files=len(files), facts=len(new), bytes=file.stat().st_size, base=head.base
            )
    except (TargetError, TreePackError) as error:
        raise UnreadableFileError(f"The pack of {root} could not be published: {error}.") from error


def _contents(files: Sequence[IndexedFile], names: dict[str, bytes], base: Sequence[TreePack]) -> dict[bytes, Known]:
    """Returns the known facts of the contents that git knows by a name, and that are byte for byte on disk."""
    from skeleton.index.checkout import content_name
    from skeleton.index.records import encoded

    known: set[bytes] = set()
    for pack in base:
        known |= pack.contents().keys()
    found: dict[bytes, Known] = {}
    for file in files:
        name = names.get(file.path)
        at = None if name is None else content_name(name, file.place)
        if name is None or at is None or at in known:
            continue
        raw = file.as_read.raw
        algorithm = hashlib.sha1 if len(name) == hashlib.sha1().digest_size else hashlib.sha256
        if algorithm(b"blob %d\0" % len(raw) + raw).digest() == name:
            found[at] = Known(key=file.key, size=len(raw), basics=encoded(file.basics))
    return found


def _not_in(base: Sequence[TreePack], seen: Iterable[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    by_kind: dict[int, list[bytes]] = {}
    for kind, key in seen:
        by_kind.setdefault(kind, []).append(key)
    for pack in base:
        for kind, keys in by_kind.items():
            held = pack.held(kind, keys)
            by_kind[kind] = [key for key in keys if key not in held]
    return [(kind, key) for kind in sorted(by_kind) for key in sorted(by_kind[kind])]


def _values(store: FactStore, wanted: Sequence[tuple[int, bytes]]) -> Iterator[tuple[int, bytes, bytes]]:
    for start in range(0, len(wanted), _WINDOW):
        by_kind: dict[int, list[bytes]] = {}
        for kind, key in wanted[start : start + _WINDOW]:
            by_kind.setdefault(kind, []).append(key)
        for kind, keys in by_kind.items():
            for key, value in store.read(kind, keys).items():
                yield kind, key, value
