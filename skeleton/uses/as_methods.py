"""Functions that are called as methods though they stand in no class: those of a package, and those of a file that is a type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from skeleton.index.indexed import IndexedFile
from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import HOLDERS
from skeleton.names.fitting import namespace_of
from skeleton.names.targets import stem
from skeleton.uses.candidates import BY_NAME, Sureness, Verdict
from skeleton.uses.sites import UNKNOWN
from skeleton.uses.types_at import ITSELF

if TYPE_CHECKING:
    from skeleton.uses.candidates import Candidate
    from skeleton.uses.sites import Site, Sites
    from skeleton.uses.types_at import TypesAt

_OBJECTS: Final = frozenset(["$class", "$self", "__PACKAGE__", "shift"])
"""The names of the object, or the class, whose method is at work."""

_SHORTEST_ALIKE: Final = 3


def as_method(site: Site, candidate: Candidate, sites: Sites, types: TypesAt, path: str) -> Verdict | None:
    """Returns the verdict on a function that is no member, where it may be called as a method; None where it cannot be.

    Args:
        site: the use, with something before the name.
        candidate: the function.
        sites: the text of the file that uses it.
        types: of what stands before names there.
        path: of that file.
    """
    if sites.naming.functions_are_methods:
        return _behind_arrow(site, candidate, sites, path)
    if sites.naming.files_are_types and (own := type_of_file(candidate)):
        return _of_file(site, candidate, own, sites, types, path)
    return None


def type_of_file(candidate: Candidate) -> str:
    """Returns the type that the file of a function is, whose method that may be; "" where the file is none.

    It says so (`const Till = @This();`), or is called like a type.
    """
    file = candidate.file
    if not naming_of(file.path, b"").files_are_types or candidate.one.container or not isinstance(file, IndexedFile):
        return ""
    name = stem(file.path)[-1]
    return next(iter(namespace_of(file)), name if name[:1].isupper() else "")


def _of_file(site: Site, candidate: Candidate, own: str, sites: Sites, types: TypesAt, path: str) -> Verdict | None:
    last = site.receiver[-1]
    if last == UNKNOWN:
        return BY_NAME
    if last in ITSELF and len(site.receiver) == 1:
        is_inside = any(one.kind in HOLDERS for one in site.around)
        return Verdict(Sureness.SURE, "same file") if candidate.file.path == path and not is_inside else None
    if last == own:
        return Verdict(Sureness.SURE, "class named")
    typed = types.at(site)
    if own in typed.own:
        return Verdict(Sureness.SURE, f"{last} is typed so")
    if typed.own or typed.foreign or sites.importing(site.receiver[0]):
        return None
    plain = last.lower().replace("_", "")
    if len(plain) >= _SHORTEST_ALIKE and own.lower().endswith(plain):
        return Verdict(Sureness.LIKELY, f"likely: {last}")
    return BY_NAME


def _behind_arrow(site: Site, candidate: Candidate, sites: Sites, path: str) -> Verdict | None:
    """Of a language that tells a method from a function by the call alone, `$self->open`."""
    if not sites.source.endswith(b"->", 0, site.at):
        return None
    is_own = len(site.receiver) == 1 and site.receiver[0] in _OBJECTS
    if is_own and candidate.file.path == path:
        return Verdict(Sureness.SURE, "same file")
    is_object = is_own or site.receiver[-1][:1] in ("", "$") or (len(site.receiver) > 1 and site.receiver[0][:1] == "$")
    return BY_NAME if is_object else None
