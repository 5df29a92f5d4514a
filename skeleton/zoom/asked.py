"""The places in which uses of a definition are looked for: in tests, outside of them, or everywhere.

Tests have files of their own, by their names, or stand beside what they test: what a language says of those is in its
query file (`tests`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.languages.headers import naming_of
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Callable

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition
    from skeleton.uses.certainty import Context
    from skeleton.uses.sites import Site


class Asked(NamedTuple):
    """The files, and the places in them, that are looked through."""

    file: Callable[[IndexedFile], bool]
    place: Callable[[Context, Site], bool]


def stands_in_test(context: Context, one: Definition) -> bool:
    """Tells whether a definition of a file is a test, or of use for tests alone."""
    if _has_tests_alone(context.file):
        return True
    around = [each for each in context.sites.definitions if each.start <= one.start and one.end <= each.end]
    return context.sites.is_tested_at(one.start, around)


def _has_tests_alone(file: IndexedFile) -> bool:
    return file.tier is Tier.TESTS


def _may_hold_tests(file: IndexedFile) -> bool:
    return _has_tests_alone(file) or naming_of(file.path, b"").tests is not None


def _is_in_test(context: Context, site: Site) -> bool:
    return _has_tests_alone(context.file) or context.sites.is_tested_at(site.at, site.around)


def _may_hold_more(file: IndexedFile) -> bool:
    return not _has_tests_alone(file)


def _is_in_no_test(context: Context, site: Site) -> bool:
    return not _is_in_test(context, site)


def _is_any(*_: object) -> bool:
    return True


EVERYWHERE: Final = Asked(_is_any, _is_any)
IN_TESTS: Final = Asked(_may_hold_tests, _is_in_test)
OUTSIDE_TESTS: Final = Asked(_may_hold_more, _is_in_no_test)
