r"""Ignore rules with git's semantics, to the byte.

A line of an ignore file becomes a `Rule`; a file of them is a tuple; `IgnoreTree` reads those files folder by folder and
answers for a path the way git does: the deepest file decides first, in a file the last line that matches wins, and what
lies below an ignored folder stays ignored whatever is said of it further down.

Globs come from the files that are read and from callers, so nobody vouches for them. They are translated to regular
expressions whose cost is bounded: of all the ways in which a `*` can match, the leftmost is as good as any other as
long as no `**` stands between, so every star but the last is an atomic group and a pattern such as `*a*a*a*a*b` cannot
make the matcher try all combinations. (The library at hand, pathspec 1.1, tries them all: six stars on a name of 100
letters take 8 seconds; it also prunes a folder that `!*/` brings back.) Matching is on bytes, as in git, where `?` is
one byte.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import msgspec

from workspace.files.globs import Glob, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_IGNORE_BYTES = 1 << 20


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One pattern of an ignore file.

    Attributes:
        matches: tells whether the pattern matches a path (`basename_only`: the last part of it), as bytes.
        negative: the line began with `!`: what matches is not ignored.
        folders_only: the line ended with `/`.
        basename_only: the pattern holds no slash, so it is matched against the last part of the path at any depth.
        sound: False for a pattern that can match nothing (an unclosed bracket, a backslash at the end).
    """

    matches: Callable[[bytes], object]
    negative: bool
    folders_only: bool
    basename_only: bool
    sound: bool


class _RulesAt(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of the ignore file in one folder; `skip` is how many bytes of a path lie before what they match."""

    skip: int
    rules: tuple[Rule, ...]


def parse_rules(content: bytes) -> tuple[Rule, ...]:
    """Return the rules of an ignore file, last line first, which is the order in which they are asked."""
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    parsed = [parse_rule(line[:-1] if line.endswith(b"\r") else line) for line in lines]
    return tuple(rule for rule in reversed(parsed) if rule is not None)


def parse_rule(line: bytes) -> Rule | None:
    """Return the rule that a line of gitignore syntax states, None for an empty line or a comment."""
    if line.startswith(b"#"):
        return None
    pattern = _without_trailing_spaces(line.split(b"\0", 1)[0])
    negative = pattern.startswith(b"!")
    if negative:
        pattern = pattern[1:]
    folders_only = pattern.endswith(b"/")
    if folders_only:
        pattern = pattern[:-1]
    if not pattern:
        return None
    basename_only = b"/" not in pattern
    glob = translate(pattern.removeprefix(b"/"), across_folders=not basename_only)
    return Rule(
        matches=_matcher(glob),
        negative=negative,
        folders_only=folders_only,
        basename_only=basename_only,
        sound=glob.regex is not None,
    )


def verdict(rules: Iterable[Rule], path: bytes, *, is_folder: bool) -> bool | None:
    """Return whether the first of `rules` that matches ignores `path`; None when none does.

    Args:
        rules: in the order of `parse_rules`.
        path: relative to the folder of the rules, with forward slashes.
        is_folder: whether the path is a folder (a link to one is not).
    """
    name = path.rpartition(b"/")[2]
    for rule in rules:
        if (is_folder or not rule.folders_only) and rule.matches(name if rule.basename_only else path):
            return not rule.negative
    return None


class IgnoreTree:
    """The ignore files of one name in a tree of folders, read when a path below them is asked for."""

    __slots__ = ("_above", "_chains", "_excluded", "_read")

    def __init__(self, read: Callable[[str], bytes], above: str) -> None:
        """Build the tree.

        Args:
            read: gives the content of the ignore file in a folder, empty where there is none.
            above: the folder that was asked for; it and what holds it are never ignored. "" for the top.
        """
        self._read = read
        self._above = above
        self._chains: dict[str, tuple[_RulesAt, ...]] = {}
        self._excluded: dict[str, bool] = {}

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether `path`, relative to the top of the tree, or a folder that holds it, is ignored."""
        folder = path.rpartition("/")[0]
        return self._folder_ignored(folder) or self._decides(path, is_folder=is_folder)

    def _folder_ignored(self, folder: str) -> bool:
        steps: list[str] = []
        while (ignored := self._excluded.get(folder)) is None:
            steps.append(folder)
            if not folder:
                ignored = False
                break
            folder = folder.rpartition("/")[0]
        for step in reversed(steps):
            given = not step or step == self._above or self._above.startswith(f"{step}/")
            ignored = not given and (ignored or self._decides(step, is_folder=True))
            self._excluded[step] = ignored
        return ignored

    def _decides(self, path: str, *, is_folder: bool) -> bool:
        encoded = os.fsencode(path)
        for at in self._chain(path.rpartition("/")[0]):
            decided = verdict(at.rules, encoded[at.skip :], is_folder=is_folder)
            if decided is not None:
                return decided
        return False

    def _chain(self, folder: str) -> tuple[_RulesAt, ...]:
        """The rules in force for what lies in `folder`, deepest first."""
        steps: list[str] = []
        while (chain := self._chains.get(folder)) is None:
            steps.append(folder)
            if not folder:
                chain = ()
                break
            folder = folder.rpartition("/")[0]
        for step in reversed(steps):
            rules = parse_rules(self._read(step))
            skip = len(os.fsencode(step)) + 1 if step else 0
            chain = (_RulesAt(skip=skip, rules=rules), *chain) if rules else chain
            self._chains[step] = chain
        return chain


def _without_trailing_spaces(line: bytes) -> bytes:
    """Cut the spaces at the end but for one that is escaped; a tab stays, as in git."""
    cut = line.rstrip(b" ")
    backslashes = len(cut) - len(cut.rstrip(b"\\"))
    return cut + b" " if cut != line and backslashes % 2 else cut


def _matcher(glob: Glob) -> Callable[[bytes], object]:
    if glob.regex is None:
        return _nothing
    if glob.literal is not None:
        return glob.literal.__eq__
    return re.compile(glob.regex, re.DOTALL).match


def _nothing(_path: bytes) -> bool:
    return False
