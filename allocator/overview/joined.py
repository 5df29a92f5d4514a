"""File names in few tokens: those of a folder that begin and end alike are written once, with what differs in braces.

    conf.py test_{basic fp_groups orders}.py {access alternative}.{py txt}

stands for `conf.py`, `test_basic.py`, `test_fp_groups.py`, `test_orders.py`, `access.py`, `access.txt`, `alternative.py`
and `alternative.txt`. Blanks between braces take a fifth less tokens than commas do. What names begin and end with is
looked for at the ends of words alone (`test_`, `-docs`, `Test.java`), and joined where that saves tokens. Which names
share what depends on all names of the folder, so what is written of some of them stays when more are written.

A name with a character that could be read as one of these signs is written by itself. Blanks in a name are escaped, and
braces that could be taken for such a list, and a bracket that could be taken for what a file defines (`workspace.paths`):
as a target it works like that.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from workspace.paths import as_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MOST_FOLDERS = 1 << 13
"""Folders whose names are remembered with what they share: an edit changes no name."""

BRACES = 2.0
"""Tokens of a pair of braces."""

CHARACTERS = 4.6
"""Characters of a name to a token, about."""

ESCAPED = 1.5
"""Tokens of an escaped sign besides."""

MOST_ENDS = 4
"""Places, from the outer end of a name, at which what it shares may end."""

_SAFE = re.compile(r"[^\s{},:;\"'`\\()\[\]]+")
_WORDS_END = re.compile(r"(?<=[^\W_])[_\-.]+(?=.)|(?<=[a-z0-9])(?=[A-Z])")
_PAIR = re.compile(r"\{[^\s{}]*\}")


class Part(NamedTuple):
    """A name, in the parts in which it is written: what it shares with others, what is its own, and its ending."""

    before: str
    own: str
    after: str
    ending: str


class _Stem(NamedTuple):
    """The beginning that files have in common which differ in their endings alone, and these endings."""

    text: str
    endings: tuple[str, ...]


@lru_cache(MOST_FOLDERS)
def parted(names: tuple[str, ...]) -> Mapping[str, Part]:
    """Tells for the names of a folder what they share; those that are written by themselves are missing.

    Args:
        names: all of the folder.
    """
    endings: defaultdict[tuple[str, bool], list[str]] = defaultdict(list)
    for name in names:
        if _SAFE.fullmatch(name):
            text, dot, ending = name.rpartition(".")
            endings[(text, True) if text and ending else (name, False)].append(dot + ending if text and ending else "")
    stems = [_Stem(text, tuple(sorted(said))) for (text, _), said in endings.items()]
    return {
        f"{stem.text}{ending}": Part(before, stem.text[len(before) : len(stem.text) - len(after)], after, ending)
        for stem, (before, after) in _shared(stems).items()
        for ending in stem.endings
    }


def written(names: Iterable[str], parts: Mapping[str, Part]) -> list[str]:
    """Writes some names of a folder, those that share something together.

    Args:
        names: in the order in which they are to be written.
        parts: of all names of the folder.
    """
    groups: dict[tuple[str, str] | str, dict[str, list[str]]] = {}
    for name in names:
        part = parts.get(name)
        if part is None:
            groups[name] = {}
        else:
            groups.setdefault((part.before, part.after), {}).setdefault(part.own, []).append(part.ending)
    said: list[str] = []
    for shared, owns in groups.items():
        if isinstance(shared, str):
            said.append(alone(shared))
            continue
        alike: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for own, endings in owns.items():
            alike[tuple(sorted(endings))].append(own)
        said += (f"{shared[0]}{_either(own)}{shared[1]}{_ending(endings)}" for endings, own in alike.items())
    return said


def alone(name: str) -> str:
    """Writes a name by itself, as a word and a target that is taken neither for several nor for one with members behind it."""
    name = as_word(name)
    if name.endswith(")"):
        name = name[:1] + name[1:].replace("(", "\\x28")
    bare = name
    while (shorter := _PAIR.sub("", bare)) != bare:
        bare = shorter
    if "{" not in bare and "}" not in bare:
        return name
    return name.replace("{", "\\x7b").replace("}", "\\x7d")


def prices_of(names: Sequence[str]) -> list[float]:
    """Returns about how many tokens each name of a folder takes, written among all of them."""
    parts = parted(tuple(names))
    members: defaultdict[tuple[str, str, str], int] = defaultdict(int)
    for part in parts.values():
        members[part.before, part.after, part.ending] += 1
    found: list[float] = []
    stems: set[tuple[str, str, str]] = set()
    for name in names:
        part = parts.get(name)
        if part is None:
            found.append(_tokens(alone(name)))
            continue
        shared = _tokens(part.before) + _tokens(part.after) + _tokens(part.ending) + BRACES
        own = 0.0 if part[:3] in stems else _tokens(part.own)
        stems.add(part[:3])
        found.append(own + shared / members[part.before, part.after, part.ending])
    return found


def shared_beginning(names: Sequence[str]) -> str:
    """Returns the words that some names begin with, all of them."""
    begins = [{name[:end] for end in _ends(name)} for name in names]
    return max(set[str]().union(*begins[:1]).intersection(*begins), key=len, default="")


def is_safe(name: str) -> bool:
    """Tells whether a name may stand in braces."""
    return _SAFE.fullmatch(name) is not None


def _shared(stems: Sequence[_Stem]) -> Mapping[_Stem, tuple[str, str]]:
    """The texts that stems are written with, before and after what is their own; what saves most tokens is shared first."""
    alike: defaultdict[tuple[str, str, tuple[str, ...]], list[_Stem]] = defaultdict(list)
    for stem in stems:
        ends = _ends(stem.text)
        for before in (0, *ends[:MOST_ENDS]):
            for after in (*_begins(stem.text)[-MOST_ENDS:], len(stem.text)):
                if before < after:
                    alike[stem.text[:before], stem.text[after:], stem.endings].append(stem)
    found: dict[_Stem, tuple[str, str]] = {}
    waiting = [(-_saved(key, held), key) for key, held in alike.items() if len(held) > 1]
    heapify(waiting)
    while waiting:
        promised, key = heappop(waiting)
        held = alike[key] = [stem for stem in alike[key] if stem not in found]
        saved = _saved(key, held)
        if saved <= 0:
            continue
        if saved < -promised:
            heappush(waiting, (-saved, key))
            continue
        found.update(dict.fromkeys(held, key[:2]))
    return found | {stem: ("", "") for stem in stems if stem not in found and len(stem.endings) > 1}


def _saved(key: tuple[str, str, tuple[str, ...]], held: Sequence[_Stem]) -> float:
    before, after, endings = key
    shared = _tokens(before) + _tokens(after) + sum(map(_tokens, endings))
    return (len(held) - 1) * shared - BRACES


def _ends(text: str) -> list[int]:
    """The places at which a beginning that names share may end."""
    return [found.end() for found in _WORDS_END.finditer(text)]


def _begins(text: str) -> list[int]:
    """The places at which an ending that names share may begin."""
    return [found.start() for found in _WORDS_END.finditer(text)]


def _tokens(text: str) -> float:
    return 0.6 + len(text) / CHARACTERS + ESCAPED * text.count("\\") if text else 0.0


def _either(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{{{' '.join(texts)}}}"


def _ending(endings: Sequence[str]) -> str:
    if len(endings) == 1:
        return endings[0]
    return f".{_either([ending[1:] for ending in endings])}"
