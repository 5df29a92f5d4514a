"""Finds what still names definitions that are gone, as those of a diff are: most likely it is broken.

A use counts where it can mean what is gone and nothing that is there (`skeleton.uses.certainty`): a call, a type that is
named, an import. Where the name alone speaks for it, it has to be one of several words: `get` may be anybody's. Of a
member of a type inside another one the other has to be named, too, for many have a `Builder`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.languages.kinds import HOLDERS
from skeleton.names.targets import segments
from skeleton.uses.candidates import MOST_COMPARED, Candidate, Sureness
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition
    from skeleton.uses.candidates import Candidates, Meant
    from skeleton.uses.certainty import Context
    from skeleton.zoom.neighbours import References
    from workspace.names.tiers import Tier

_OF_WORDS: Final = re.compile(r"[^\W_]_+[^\W_]|[a-z\d][A-Z]")


class GoneFile(NamedTuple):
    """A file as it was."""

    path: str
    tier: Tier


class LeftOver(NamedTuple):
    """A place that names a definition that is gone."""

    file: IndexedFile
    at: int
    """In the file, in bytes."""
    user: Definition | None
    """The innermost definition that it stands in."""
    gone: Definition


def left_over(gone: Sequence[tuple[GoneFile, Definition]], references: References) -> list[LeftOver]:
    """Finds what names definitions that are gone, file by file.

    Args:
        gone: the definitions, each with the file that it stood in.
        references: the uses of names in the folder as it is now.
    """
    wanted: dict[str, list[tuple[Candidate, Candidates]]] = {}
    for file, one in gone:
        candidates = references.candidates(one.name, file, one)
        wanted.setdefault(one.name, []).append((Candidate(file, one), candidates))
    found: list[LeftOver] = []
    for context, names in still_wanted(references.holding([*wanted], lambda _: True)):
        for candidate, candidates in (pair for name in names for pair in wanted[name]):
            one = candidate.one
            found += [LeftOver(context.file, at, None, one) for at in context.imports_of(candidate, candidates)]
            if candidate.is_member and not (
                _is_complete(candidate, candidates) and _may_know(context, one, references)
            ):
                continue
            uses = (meant.site for meant in context.meant(candidates) if _is_of(candidate, meant, candidates, context))
            found += [LeftOver(context.file, site.at, site.user, one) for site in uses]
    return found


def _is_complete(candidate: Candidate, candidates: Candidates) -> bool:
    """Tells whether uses are weighed against all that has the name now: of more than are compared, another may be meant."""
    return sum(each != candidate for each in candidates.every) <= MOST_COMPARED


def _may_know(context: Context, one: Definition, references: References) -> bool:
    """Tells whether a file says the type around the one that a definition is a member of, where there is one."""
    *_, around, _ = ("", "", *segments(one.container))
    if not around or not references.table.usable(around):
        return True
    return re.search(rb"(?<!\w)%s(?!\w)" % re.escape(around.encode()), context.sites.source) is not None


def _is_of(candidate: Candidate, meant: Meant, candidates: Candidates, context: Context) -> bool:
    """Tells whether a use means what is gone, and nothing else."""
    if [each for each, _ in meant.found] != [candidate]:
        return False
    ((_, verdict),) = meant.found
    is_value = not meant.site.called and candidate.one.kind not in HOLDERS
    if is_value and not (meant.site.receiver or context.imports_of(candidate, candidates)):
        return False  # a variable may be called so
    if verdict.sureness is Sureness.BY_NAME and (candidate.is_field or not _OF_WORDS.search(candidate.one.name)):
        return False
    return not any(context.inherits(meant.site, each.owner) for each in candidates.every if each != candidate)
