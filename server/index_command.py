"""The `index` command: works out everything about folders before anyone asks, and publishes it for other machines."""

from __future__ import annotations

import argparse
import json
import os
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from server.options import setting_options
from workspace.errors import InvalidArgumentError
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from allocator.progress import Progress
    from server.publishing import Published
    from server.settings import Settings
    from skeleton.index.store import FactStore
    from skeleton.index.workers import Parsers

STORE_SECONDS = 60.0
"""The seconds that the command waits at its end for the shared store to take what it was offered."""


def add_index_command(commands: Any) -> argparse.ArgumentParser:
    """Adds the command to a parser's commands and returns its own parser, without a function to call."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "index",
        parents=[
            setting_options(
                ["root", "encoding", "no-redact", "cache", "cache-limit", "published", "parsers", "parser-memory"]
            )
        ],
        help="work out everything about folders before anyone asks",
        description="Works out everything that is kept of the files of folders, into the cache and the shared store, and"
        " with --publish into a signed object for each commit's tree, which servers and commands on other machines begin"
        " with (`published`).",
    )
    parser.add_argument("folders", metavar="ROOT", nargs="*", help="folder to look at, as --root says it")
    parser.add_argument(
        "--workers",
        metavar="N",
        type=_count,
        help="processes that parse, on this machine or on the cluster (its processors)",
    )
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="parse on a Ray cluster: HOST:PORT, or auto for that of this machine; local starts Ray here",
    )
    parser.add_argument("--publish", metavar="TARGET", help="folder or object store (s3://, gs://, az://) to write to")
    parser.add_argument("--json", action="store_true", help="print a JSON object for each folder, for programs")
    return parser


def run_index(asked: argparse.Namespace, settings: Settings, progress: Progress | None) -> Iterator[str]:
    """Runs the command for parsed arguments; gives what is to be printed of each root.

    Raises:
        InvalidArgumentError: a root cannot be published, there is no key to sign with, no Ray, or nowhere to keep anything.
        UnreadableFileError: where it is published cannot be reached.
    """
    from server.indexing import open_index
    from server.publishing import Published, Recording, Shelves, prepared, publish
    from server.sharing import shared_store

    shelves = Shelves(settings, asked.publish) if asked.publish else None
    if shelves is None and shared_store(settings) is None:
        _check_cache(settings.cache)
    with _parsers(asked, settings) as parsers:
        for place in settings.roots.paths:
            root = os.fspath(place)
            recorded: list[Recording] = []

            def recording(store: FactStore, recorded: list[Recording] = recorded) -> FactStore:
                recorded.append(Recording(store))
                return recorded[-1]

            alone = msgspec.structs.replace(settings, roots=Roots([root]))
            with closing(open_index(alone, through=recording, workers=parsers())) as index:
                files = prepared(index, root, settings.default_budget, progress)
                done = (
                    Published(root=root, tree="", files=len(files), facts=0, bytes=0, base="")
                    if shelves is None
                    else publish(shelves, index, recorded[-1], root, files)
                )
            yield json.dumps(msgspec.to_builtins(done)) if asked.json else in_words(done)
    if (store := shared_store(settings)) is not None:
        store.flush(STORE_SECONDS)


def _check_cache(named: str) -> None:
    """Makes sure that the cache keeps what is worked out.

    Raises:
        InvalidArgumentError: it is off, or its folder cannot be written.
    """
    from skeleton.index.cache import Cache, cache_folder

    with closing(Cache(cache_folder(named))) as cache:
        held = cache.statistics()
    if held.path is None:
        raise InvalidArgumentError(
            "Nothing would be kept: the cache is off. Leave `off` out, or name a place with --publish."
        )
    if held.problem:
        raise InvalidArgumentError(
            f"Nothing would be kept: the cache {held.path} cannot be used ({held.problem}). Name another folder with --cache."
        )


@contextmanager
def _parsers(asked: argparse.Namespace, settings: Settings) -> Generator[Callable[[], Parsers]]:
    """Gives what makes the parsers of each root, and ends what they stand on."""
    memory = settings.parser_memory << 20
    if asked.ray:
        from skeleton.index.cluster import ClusterWorkers, connected  # Ray takes a second to load

        with connected(asked.ray, asked.workers) as cluster:
            yield lambda: ClusterWorkers(cluster, memory=memory)
        return
    from skeleton.index.workers import Workers

    yield lambda: Workers(settings.parsers if asked.workers is None else asked.workers, memory=memory)


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError("a whole number from 1 is needed")
    return int(text)


def in_words(done: Published) -> str:
    """Says what became of a root in one line."""
    looked = f"{done.root}: {done.files:,} files"
    if not done.tree:
        return f"{looked} are known."
    if not done.bytes:
        return f"{looked}; the pack of tree {done.tree[:12]} was published before."
    rest = f"; the rest is in that of tree {done.base[:12]}" if done.base else ""
    return f"{looked}; {done.facts:,} facts, {done.bytes / 1e6:.1f} MB, published as the pack of tree {done.tree[:12]}{rest}."
