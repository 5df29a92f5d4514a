r"""The grammar of names, for every tool and argument that takes one: `Config.load`, `src/a.py::Config.load`, `src/a.py`.

word=name           the kind of thing, and its name: `function=load`, `class=Config`; a bare name is `symbol=name`
name/2              with its arity, in a language of clauses those that take so many; `mod:name/2` as Erlang writes it
path::name          of that file alone; the path may be the end of one, or a folder
Container.name      qualified, by any of `.`, `::`, `#` and `->`; the container may be left out, or be a part
package.module.name qualified by the module that it stands in, as imports write it
path::Container     its members in that file, where it is not defined there
package.name        what the package gives out under that name, wherever it stands
name~2              the second of several that have the same qualified name in one file, by position
path, path:10-40    a file, or lines of it, however tools write the place: `path:10:3`, `path#L10-L40`, `path(10,3)`, `path:10-`
a, b                several
src/{a b}.py        several, as the map writes the names of files
my\x20notes.md      blanks and braces in the name of a file, as the map writes them

Names are read as people and models write them: in backticks, with the parentheses of a call (`load()`), after the word
that declares them (`def load`).
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final
from urllib.parse import unquote

import msgspec

from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import CALLABLE, HOLDERS
from workspace.errors import InvalidArgumentError
from workspace.paths import as_word, from_word, slashed

KINDS_OF: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("function", "fn", "method"), CALLABLE),
    **dict.fromkeys(("class", "struct", "trait", "interface", "enum", "type", "impl"), HOLDERS),
    "symbol": frozenset(),
}
"""The words before `=` that name definitions, and the kinds that they mean; none means any."""

PLACES: Final = ("file", "lines", "module")

_WORDED = re.compile(r"\s*[a-z]+\s*=")

LONGEST_TARGET: Final = 4096
"""Characters of a target. The expressions below may take the square of that."""

_RANGE = re.compile(
    r"(?P<path>.+?)(?:(?::L?|#L)(?P<first>\d+)(?:C\d+)?(?:(?P<on>-)(?:L?(?P<last>\d+)(?:C\d+)?)?|:\d+)?:?"
    r"|\((?P<at>\d+)(?:,\d+)?\))\Z"
)
_TO_THE_END: Final = 1_000_000_000
"""The last line where none is named: no file has more."""

_ADDRESS = re.compile(r"\s*(?:file=)?file://(?:localhost)?(?:/(?=[A-Za-z]:))?(?P<path>(?:/|[A-Za-z]:)(?:.*\S)?)\s*")
_HEADER = re.compile(r"(?:\+\+\+ )?(?P<place>.+?:\d+-\d+) .*")
_PLUS: Final = "+++ "
_MARK = re.compile(r" \[(?=[A-Z]|md5:)")
"""The blank before a mark of a header: `[SKELETON:L2]`, `[md5:1a2b3c4d]`."""
_ORDINAL = re.compile(r"(?P<name>.+)~(?P<ordinal>[1-9]\d{0,8})\Z")
_SEPARATORS = re.compile(r"::|#|->|\.")
EXACTLY: Final = 2
"""The score of a file for a module, where its path ends as the module is spelt (`in_module`)."""

_OF_FOLDERS: Final = frozenset(["__init__", "mod", "index"])
"""Files without their ending that are the module of their folder, …"""
_ENDS_OF_FOLDERS: Final = ("/init.lua", "/init.luau")
"""… and those with theirs."""

_HERE: Final = frozenset(["crate", "self", "super", "this"])
"""Parts of a qualified name that stand for the module it is written in, or for one around it."""

_QUOTES: Final = frozenset("\"'`")
_QUOTED = re.compile(r"(?<![^.:#>])(?P<quote>[\"'`])(?P<name>.+?)(?P=quote)(?=\Z|[.:#]|->)")
_DECLARED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("def", "fn", "func", "function", "fun", "sub", "method"), "function"),
    **dict.fromkeys(("class", "struct", "enum", "trait", "interface", "type"), "class"),
    "macro_rules!": "function",
}
"""Words that declare a thing in some language, and the kind of target that they stand for."""

_MODIFIERS: Final = frozenset(
    [
        "abstract",
        "async",
        "const",
        "default",
        "export",
        "extern",
        "final",
        "inline",
        "internal",
        "let",
        "new",
        "open",
        "override",
        "private",
        "protected",
        "pub",
        "public",
        "readonly",
        "sealed",
        "static",
        "suspend",
        "unsafe",
        "var",
        "virtual",
    ]
)
"""Words that may stand before those, or before a name."""

_PARAMETERS = re.compile(r"(?<=[\w$?!])\s*\(.*\)\Z", re.DOTALL)
"""The parentheses of a call or a declaration."""

_ARITY = re.compile(r"(?:(?<=[\w?!'=<>+*&|^~@-])|(?<=\./))/\d{1,3}\Z")
"""The number of parameters behind a name, an operator among these: `load/2`, `Kernel.+/2`."""

_MODULE_AND_NAME = re.compile(r"(?P<module>[a-z][\w@]*):(?P<name>[a-z][\w@]*|'[^']+')\Z")
"""A name of Erlang behind its module: `lists:map`."""

_END_OF_NAME = re.compile(r"[(<{\s]|(?<!:):(?!:)")
_DECLARED_LIKE_C = re.compile(r"(?P<before>[\w\s*&<>,:.\[\]?]*[\s*&])(?P<name>[\w:~$]+)\s*\([^()]*\)[^()]*\Z")
"""A declaration that no word opens: its type, its name and its parameters."""
_LONGEST_DECLARED: Final = 500

_RECEIVER = re.compile(r"\((?:\w+\s+)?\*?(?P<type>\w+)(?:\[[^\]]*\])?\)(?:\s+|(?=\.))")
"""The receiver of a method of Go: `(engine *Engine) `, `(*Engine)`."""
_NAME = re.compile(r"[^\s,;]+(?:\([^()]*\))?\Z")
_BRACED = re.compile(r"(?P<word>[a-z]+\s*=\s*)?(?P<path>[^\s{},;]*(?:\{[^{}\n]+\}[^\s{},;]*)+)")
_ALTERNATIVES = re.compile(r"\{([^{}]*)\}")
_PARTS = re.compile(r"(?:\{[^{}\n]*\}|[^,;\n])+")
"""The names of a list; a comma inside braces parts what they hold."""
_MOST_AT_ONCE: Final = 50
"""Names in one list."""

_REFERRED = re.compile(r"[&*\[\s]+(?:'\w+\s+)?(?:(?:mut|const|dyn)\s+)*(?P<name>\w+)\]*")


class SymbolTarget(msgspec.Struct, frozen=True, kw_only=True):
    """Definitions by name.

    Attributes:
        word: as it was written: `function`, `class`, `symbol`, …
        name: all after it, as it was written.
        path: the file or folder, or "".
        qualified: the name without the path and the number.
        segments: the parts of the qualified name, of which the last is never missing.
        ordinal: which of several of the same name in one file, from 1 on; 0 for all.
    """

    word: str
    name: str
    path: str
    qualified: str
    segments: tuple[str, ...]
    ordinal: int

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that are meant; none means any."""
        return KINDS_OF[self.word]


def from_folder(target: str, prefix: str, holds: Callable[[str], bool]) -> str:
    """A target with its path from a folder on, where it is written from the root of that folder on.

    Args:
        target: as it is written.
        prefix: the folder from its root on, with a slash at its end; "" for the root itself.
        holds: tells whether the folder holds another of a name.
    """
    word, equals, name = target.strip().rpartition("=") if _WORDED.match(target) else ("", "", target.strip())
    name = name.lstrip().removeprefix("./")
    spelt = next((one for one in (prefix, as_word(prefix)) if f"{name}/".startswith(one)), "")
    if not spelt or holds(prefix):
        return target
    return f"{word}{equals}{name.removeprefix(spelt.rstrip('/')).lstrip('/') or '.'}"


def without_scheme(target: str) -> str:
    """A target with a plain path, where it is written as the address of a file: `file:///work/my%20notes.md#L3`."""
    found = _ADDRESS.fullmatch(target)
    return unquote(found["path"]) if found is not None else target


def split_word(target: str, is_file: Callable[[str], bool]) -> tuple[str, str]:
    """Parts a target into its word and its name.

    Args:
        target: as it is written.
        is_file: tells whether a name is that of a file, or of lines of one: `class notes.md` declares nothing then.

    Raises:
        InvalidArgumentError: the word is not known, there is no name, or it is far too long for one.
    """
    if len(target) > LONGEST_TARGET:
        raise InvalidArgumentError(
            f"The target is {len(target):,} characters long, and no name is longer than {LONGEST_TARGET:,}; name one"
            " definition, file or range of lines, as in src/a.py::Config.load."
        )
    word, equals, name = target.strip().partition("=")
    if not equals or word.strip().lower() not in {*KINDS_OF, *PLACES}:
        if equals and word.strip().isidentifier() and name.strip(" ="):
            known = ", ".join((*KINDS_OF, *PLACES))
            raise InvalidArgumentError(
                f"{word!r} is no kind of target; use one of {known}, as in function=load_config."
            )
        plain = target.strip()  # an operator may have a `=` in its name: `operator==`
        is_path = " " in plain and is_file(plain.partition("::")[0])
        place = plain if is_path else next(filter(is_file, _headed(plain)), "")
        word, name = ("symbol", place) if place else _as_written(plain)
    word, name = word.strip().lower(), from_word(name.strip())
    if not name:
        raise InvalidArgumentError(f"The target {target!r} names nothing; write for example {word}=load_config.")
    return word, name


def _headed(target: str) -> list[str]:
    """The files, and lines of files, that a target may be the header of: `src/a.py` of `+++ src/a.py [SKELETON:L2]`."""
    headed = _HEADER.fullmatch(target)
    places = [headed["place"]] if headed is not None else []
    return [*places, _MARK.split(target.removeprefix(_PLUS), maxsplit=1)[0]] if target.startswith(_PLUS) else places


def _as_written(target: str) -> tuple[str, str]:
    """Reads a bare name: without backticks or quotes around it, and without the words that declare it."""
    if len(target) > 1 and target[0] == target[-1] and target[0] in _QUOTES:
        target = target[1:-1].strip() or target
    target = target.replace(".prototype.", ".")
    words = target.split()
    while len(words) > 1 and words[0] in _MODIFIERS:
        words.pop(0)
    if len(words) > 1 and words[0] == "fun" and _MODULE_AND_NAME.match(without_arity(words[1])):
        return "symbol", words[1]
    if len(words) > 1 and words[0] in _DECLARED:
        declared = " ".join(words[1:])
        receiver = _RECEIVER.match(declared)
        if receiver is not None:
            declared = f"{receiver['type']}.{declared[receiver.end() :]}"
        return _DECLARED[words[0]], _END_OF_NAME.split(declared, maxsplit=1)[0]
    if len(words) == 1:
        receiver = _RECEIVER.match(words[0])
        return "symbol", words[0] if receiver is None else f"{receiver['type']}{words[0][receiver.end() :]}"
    return "symbol", target


def each_of(target: str) -> list[str]:
    """Parts a list of names, `Config.load, src/{a b}.py`, at its commas, semicolons and line ends, and those with braces.

    What has blanks inside its parts is one name, as titles of tests are. So is what has brackets around a comma.

    Raises:
        InvalidArgumentError: there are too many.
    """
    names = [(name, in_braces(name)) for part in _PARTS.findall(target) if (name := part.strip())]
    if not all(paths or _is_name(name) for name, paths in names):
        return [target]
    found = [one for name, paths in names for one in (paths or [name])]
    check_number(found)
    return found if len(found) > 1 else [target]


def in_braces(target: str) -> list[str]:
    """The paths that one with braces stands for: `src/a.py` and `src/b.py` for `src/{a b}.py`; [] where it has no braces.

    Raises:
        InvalidArgumentError: there are too many.
    """
    found = _BRACED.fullmatch(target.strip())
    if found is None or not re.search(r"[/.]", found["path"]):
        return []
    word, parts = found["word"] or "", _ALTERNATIVES.split(found["path"])
    choices = [re.split(r"[\s,]+", part.strip(" ,")) if number % 2 else [part] for number, part in enumerate(parts)]
    if all(len(choice) == 1 for choice in choices):
        return []
    check_number(range(math.prod(map(len, choices))))
    return [word + "".join(chosen) for chosen in itertools.product(*choices)]


def check_number(targets: Sequence[object]) -> None:
    """Refuses more targets than one call takes.

    Raises:
        InvalidArgumentError: there are more.
    """
    if len(targets) > _MOST_AT_ONCE:
        raise InvalidArgumentError(
            f"{len(targets)} targets at once; at most {_MOST_AT_ONCE} are allowed. Call again with the others."
        )


def _is_name(text: str) -> bool:
    word, name = _as_written(text)
    plain = name if word != "symbol" else text
    return (
        bool(_NAME.match(plain))
        and plain.count("(") == plain.count(")")
        and plain.count("<") == plain.count(">")
        and plain.count("[") == plain.count("]")
    )


def without_call(name: str) -> str:
    """A name without the parentheses of a call: `load` of `load(path)`; the same where there are none.

    So is one with its arity, `load/2`, and a dot takes the place of the colon behind a module of Erlang (`lists:map/2`).
    """
    plain = _PARAMETERS.sub("", name) if name.endswith(")") else without_arity(name)
    return _MODULE_AND_NAME.sub(r"\g<module>.\g<name>", plain)


def without_arity(name: str) -> str:
    """A name without the number of parameters behind it: `load` of `load/2`; the same where there is none."""
    return _ARITY.sub("", name)


def declared_name(name: str) -> str:
    """The name in a declaration that begins with a type: `stop` of `void stop(loop *of)`; "" where it is none."""
    found = _DECLARED_LIKE_C.match(name) if len(name) <= _LONGEST_DECLARED else None
    return found["name"] if found is not None else ""


def symbol_target(word: str, name: str) -> SymbolTarget:
    """Reads the name of a definition.

    Raises:
        InvalidArgumentError: nothing is named.
    """
    path, separator, rest = name.partition("::")
    qualified = name
    # A path has a slash or an ending; what has neither is a container of a language that writes `::`.
    if separator and rest and ("/" in path or re.search(r"\w\.\w", path)):
        qualified, path = rest, slashed(path).removeprefix("./").rstrip("/")
    else:
        path = ""
    numbered = _ORDINAL.match(qualified)
    qualified, ordinal = (numbered["name"], int(numbered["ordinal"])) if numbered else (qualified, 0)
    parts = segments(qualified)
    if not parts:
        raise InvalidArgumentError(f"The target {name!r} names no definition; write for example {word}=Config.load.")
    return SymbolTarget(word=word, name=name, path=path, qualified=qualified, segments=parts, ordinal=ordinal)


def segments(qualified: str) -> tuple[str, ...]:
    """The parts of a qualified name; one that holds nothing but separators, as operators do, is a part itself.

    Quotes around a part are left out, and what is called by a reference, a pointer or a slice of a type (`&'a mut T`,
    `[u8]`) goes by the name of the type.
    """
    if not _QUOTES.isdisjoint(qualified):
        qualified = _QUOTED.sub(r"\g<name>", qualified)
    parts = tuple(_plain(part) for part in _SEPARATORS.split(qualified) if part)
    return parts or ((qualified,) if qualified.strip(".:#") else ())


def last_segment(name: str) -> str:
    """The last part of a name: what a table of names knows it by."""
    return name if name.isidentifier() else segments(name)[-1] if segments(name) else name


def is_member_of(container: str, target: SymbolTarget) -> bool:
    """Tells whether a target names what a definition stands in, by its qualified name or the end of it."""
    parts = segments(container) if container.endswith(target.segments[-1]) else ()
    return parts[len(parts) - len(target.segments) :] == target.segments if parts else False


def _plain(part: str) -> str:
    referred = _REFERRED.fullmatch(part) if part[0] in "&*[" else None
    return referred["name"] if referred else part


def line_range(name: str) -> tuple[str, int, int] | None:
    """Parts `path:10-40`, `path:10:3` and the like into the path and the lines, from 1 on; None where it ends in no range."""
    match = _RANGE.match(name)
    if match is None:
        return None
    first = int(match["first"] or match["at"])
    return match["path"], first, int(match["last"] or (_TO_THE_END if match["on"] else first))


def check_range(name: str, first: int, last: int) -> None:
    """Refuses the lines of a name that count from 0, or end before they begin.

    Raises:
        InvalidArgumentError: they are such.
    """
    if first < 1 or last < first:
        raise InvalidArgumentError(f"{name!r} is no range of lines; lines count from 1, as in src/a.py:10-40.")


def in_module(path: str, parts: Sequence[str]) -> int:
    """Tells how well a file is the module that some parts of a name spell.

    Args:
        path: of the file.
        parts: as an import writes them: `flask`, `app`.

    Returns:
        `EXACTLY` where its path ends so, 1 where it only holds them in order, 0 where it does not.
    """
    wanted = tuple(part.replace("-", "_") for part in parts if part not in _HERE)
    held = tuple(part.replace("-", "_") for part in stem(path))
    if held[len(held) - len(wanted) :] == wanted:
        return EXACTLY
    left = iter(held)
    return int(all(part in left for part in wanted))


def names_no_module(parts: Sequence[str]) -> bool:
    """Tells whether parts of a name stand for where it is written alone: `self` of `self.add`."""
    return _HERE.issuperset(parts)


def stem(path: str) -> tuple[str, ...]:
    """Returns the parts of the name that a module is called by: `pkg/mod.py`, `pkg/mod/__init__.py`, `pkg/mod/mod.rs` and `pkg/mod/any.go` are all `pkg`, `mod`."""
    parts = path.rsplit(".", 1)[0].split("/")
    if len(parts) > 1 and (
        parts[-1] in _OF_FOLDERS or path.endswith(_ENDS_OF_FOLDERS) or _is_called_by_folder(path.rpartition(".")[2])
    ):
        parts.pop()
    return tuple(parts)


@cache
def _is_called_by_folder(ending: str) -> bool:
    """Tells whether a file with an ending is part of the module that its folder is."""
    return naming_of(f"a.{ending}", b"").folders
