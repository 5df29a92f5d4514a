"""The question of a call: which files it is about, and what its reader wants of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from skeleton.index.records import OF_LEVELS, Aspect

if TYPE_CHECKING:
    from collections.abc import Sequence


class Question(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The question of a call.

    Attributes:
        query: what the reader is about to do, in words.
        names: symbols that the reader expects, exact or not: they are looked for beside what the query says.
        focus: paths, globs and symbols to show first and in full.
        changed: `worktree`, a revision or a range of git.
        include: globs of the files that it is about; none for all.
        exclude: globs of those that it is not.
        within: the folder or the file that it is about, from its root on; "" for all of the root.
        commit: the hash of the commit that it is read of; "" for the disk.
        since: the snapshot of an earlier result.
        cursor: where an earlier result stopped.
    """

    query: str = ""
    names: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    changed: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    within: str = ""
    commit: str = ""
    since: str = ""
    cursor: str = ""

    @property
    def has_query(self) -> bool:
        """True if its query, or a name that is expected, holds more than white space."""
        return bool(self.query.strip()) or any(map(str.strip, self.names))

    @property
    def is_steered(self) -> bool:
        """True if it says what the reader needs most."""
        return self.has_query or self.narrows

    @property
    def narrows(self) -> bool:
        """True if it names its subject by more than a query."""
        return bool(self.focus or self.changed or self.since)

    @property
    def is_of_some(self) -> bool:
        """True if globs say which files it is about."""
        return bool(self.include or self.exclude)

    def with_names(self, query: str) -> str:
        """Returns a query, and behind it the names that are expected, written as code is written in prose."""
        names = [" ".join(name.replace("`", " ").split()) for name in self.names]
        return "\n\n".join(filter(None, (query, " ".join(f"`{name}`" for name in names if name))))

    @property
    def wanted(self) -> frozenset[Aspect]:
        """The aspects that will be asked of the files that have to be parsed."""
        if self.has_query:
            return OF_LEVELS | {Aspect.SKETCH, Aspect.TERMS}
        return OF_LEVELS if self.is_steered else OF_LEVELS - {Aspect.WEIGHTS}

    @property
    def lasting(self) -> Question:
        """The part of it that the next page asks as well."""
        return replace(self, cursor="")

    def going_on(self, first: Question) -> Question:
        """The question of a page that follows the one of `first`: what this one leaves out is as it was there.

        Behind a page of what changed since a snapshot comes what changed and was not told there: what changed since that.
        """
        is_since = bool(first.since) and not self.since
        return Question(
            query=self.query or first.query,
            names=self.names or first.names,
            focus=self.focus or first.focus,
            changed=self.changed or first.changed,
            include=self.include or first.include,
            exclude=self.exclude or first.exclude,
            within=self.within or first.within,
            since=self.cursor if is_since else self.since,
            cursor="" if is_since else self.cursor,
        )


def question_of(
    query: str | None,
    names: Sequence[str] | str | None,
    focus: Sequence[str] | str | None,
    changed: str | None,
    include: Sequence[str] | str | None,
    exclude: Sequence[str] | str | None,
    since: str | None,
    cursor: str | None,
) -> Question:
    """The question of a call as its arguments stand: None is none, and a plain text a list of one."""
    return Question(
        query=query or "",
        names=_listed(names),
        focus=_listed(focus),
        changed=changed or "",
        include=_listed(include),
        exclude=_listed(exclude),
        since=since or "",
        cursor=cursor or "",
    )


def _listed(given: Sequence[str] | str | None) -> tuple[str, ...]:
    """An argument that takes several texts: None is none, and a plain text a list of it."""
    return (given,) if isinstance(given, str) and given else tuple(given or ())
