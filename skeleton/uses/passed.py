"""Tells which of several overloads a call means, by what it passes: how many arguments, what they are called, and of what types.

Values that are written out say what they are; of others the type is asked for. What says nothing rules nothing out.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.index.indexed import IndexedFile
from skeleton.languages.kinds import CALLABLE
from skeleton.uses.candidates import Candidate, last_part
from skeleton.uses.written import types_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from skeleton.outline.definitions import Definition
    from skeleton.uses.candidates import Verdict
    from skeleton.uses.sites import Site, Sites

_LONGEST: Final = 4000
"""Bytes of the arguments of a call, or of the parameters of a definition."""

_BEFORE: Final = re.compile(rb"[?!]{0,2}(?:::)?(?:<[^()\n;]{0,200}>)?[ \t]{0,9}(?P<opening>[({])")
_OF_TYPES: Final = re.compile(rb"(?<=\w)<[\w\s,.:?&*\[\]]{0,200}>(?=\s{0,9}[(){},;:>\]\w])")
_BLOCK: Final = re.compile(rb"[ \t]{0,9}\{")
_LABEL: Final = re.compile(r"\s{0,99}(\w+)\s{0,9}(?::(?!:)|=(?![=>]))\s{0,9}")
_LITERALS: Final = re.compile(
    r"\s{0,99}(?:(?P<text>[$@]{0,2}\")|(?P<number>-?\d)|(?P<truth>(?:true|false)\b)"
    r"|(?P<function>\{|\[[&=\w, ]{0,80}\]\s?[({]|(?:\w+|\([\w\s,]{0,200}\))\s?(?:->|=>)))"
)
_QUOTES: Final = b'"$@'
_MODIFIERS: Final = re.compile(
    r"\s{0,99}(?:@\w+(?:\([^()]{0,200}\))?\s{1,9}|\[[^\[\]]{0,200}\]\s{0,9}"
    r"|(?:const|crossinline|final|in|inout|noinline|out|override|params|private|ref|this|val|var|vararg)\b\s{0,9}){0,9}"
)
_SEVERAL: Final = re.compile(r"\.\.\.|\b(?:params|vararg)\b")
_DEFAULT: Final = re.compile(r"(?<![=!<>])=(?![=>])")
_NAMED: Final = re.compile(r"\w\s{0,9}:(?!:)")
_NAME_BEHIND: Final = re.compile(r"(?<=[\s&*>?\]])@?\w+\s*\Z")
_FUNCTIONS: Final = re.compile(
    r"->|=>|\b(?:Action|BiFunction|Callable|Consumer|Func|Function|Predicate|Runnable|Supplier|function)\b"
)
_SORTS: Final = (
    ("text", re.compile(r"(?:w|u8|u16)?[sS]tring(?:_view|View)?|CharSequence|str|char(?=.*\*)")),
    ("number", re.compile(r"u?(?:int|long|short)\d*(?:_t)?|U?Int(?:eger|\d+)?|s?size_t|[dD]ouble|[fF]loat|[lL]ong|[sS]hort|decimal")),
    ("truth", re.compile(r"[bB]ool(?:ean)?")),
    ("any", re.compile(r"[oO]bject|Any|auto|dynamic|[A-Z]\d?|T[A-Z]\w*")),
)  # fmt: skip
_WRITTEN_OUT: Final = frozenset(["function", "number", "text", "truth"])

_EXTENDED: Final = "this "
"""Begins a parameter that stands before the name where the definition is called as a member of it."""

_SPREAD: Final = re.compile(rb"(?<=[(,\s])\*|\.\.\.|\blambda\b|\bfor\b")
"""The signs of arguments of which it is not seen how many they are."""

_LONGEST_LAST: Final = 200
"""Bytes of the last argument that is passed in which such signs are looked for."""

_OPEN: Final = re.compile(r"\*\w")
"""A parameter that takes all further arguments."""

_WORD: Final = re.compile(r"\w+")

_SAME, _ABOVE, _MAY, _HARDLY = 3, 2, 1, 0


class Argument(NamedTuple):
    """A value that a call passes.

    Attributes:
        at: the place where it begins.
        label: the name of the parameter that it is for; "" where none is written.
        sort: what it is, where it is written out: `text`, `number`, `truth` or `function`; else "".
    """

    at: int
    label: str
    sort: str


class Passed(NamedTuple):
    """All that a call passes.

    Attributes:
        arguments: those in its brackets.
        has_block: whether a block stands behind these, which may be one more.
        is_block: whether that stands in the place of the brackets.
    """

    arguments: Sequence[Argument]
    has_block: bool
    is_block: bool = False


class _Parameter(NamedTuple):
    text: str
    type: str
    is_optional: bool
    is_several: bool

    @property
    def takes_block(self) -> bool:
        return "->" in self.type or "=>" in self.type


def passed_at(source: bytes, end: int, is_prose: Callable[[int], bool]) -> Passed | None:
    """Returns what a call passes; None where nothing is called.

    Args:
        source: as UTF-8.
        end: the place behind the name that is called.
        is_prose: tells whether a place is in a comment or a string.
    """
    before = _BEFORE.match(source, end)
    if before is None:
        return None
    if before["opening"] == b"{":
        return Passed((), has_block=True, is_block=True)
    parts, closing = _parts(source, before.end() - 1, is_prose)
    arguments = [one for start, stop in parts if (one := _argument(source, start, stop, is_prose)) is not None]
    return Passed(arguments, _BLOCK.match(source, closing) is not None) if closing else None


def _argument(source: bytes, start: int, stop: int, is_prose: Callable[[int], bool]) -> Argument | None:
    text = source[start:stop].decode("utf-8", "replace")
    if not text.strip():
        return None
    label = _LABEL.match(text)
    begin = label.end() if label is not None else len(text) - len(text.lstrip())
    at = start + len(text[:begin].encode())
    literal = _LITERALS.match(text, begin)
    sort = (literal.lastgroup or "") if literal is not None else ""
    if sort == "text":
        behind = next(
            (place for place in range(at, stop) if source[place] not in _QUOTES and not is_prose(place)), stop
        )
        sort = "" if source[behind:stop].strip()[:1] not in {b"", b"+"} else sort
    return Argument(at, label[1] if label is not None else "", sort)


def _parts(source: bytes, opening: int, is_prose: Callable[[int], bool]) -> tuple[list[tuple[int, int]], int]:
    """The parts between two brackets that commas divide, and the place behind the closing one; 0 where it is not near."""
    text = source[opening : opening + _LONGEST]
    types = {at for found in _OF_TYPES.finditer(text) for at in range(*found.span())}
    depth, begin = 0, opening + 1
    parts: list[tuple[int, int]] = []
    for at, byte in enumerate(text):
        if byte not in b"()[]{}," or at in types or is_prose(opening + at):
            continue
        depth += (byte in b"([{") - (byte in b")]}")
        if depth == 0 or (depth == 1 and byte == ord(",")):
            parts.append((begin, opening + at))
            begin = opening + at + 1
        if depth == 0:
            return parts, begin
    return [], 0


def _parameters(source: bytes, one: Definition) -> Sequence[_Parameter] | None:
    """The parameters of a definition; None where none are written."""
    end = one.name_start + len(one.name.rpartition(".")[2].encode())
    is_apart = source.endswith(b"::", 0, one.name_start)  # where its class is, it is said what is given by default
    return _parameters_in(source[end : max(end, min(one.body, end + _LONGEST))], is_apart)


@lru_cache(maxsize=4096)
def _parameters_in(head: bytes, is_apart: bool) -> Sequence[_Parameter] | None:
    """The parameters in what stands behind a name."""
    opening = head.find(b"(")
    if opening < 0:
        return None
    parts, _ = _parts(head, opening, lambda _: False)
    found: list[_Parameter] = []
    for start, stop in parts:
        text = head[start:stop].decode("utf-8", "replace")
        if text.strip() not in {"", "void"}:
            plain, *default = _DEFAULT.split(text, maxsplit=1)
            is_optional = bool(default) or is_apart or text.lstrip().startswith(_EXTENDED)
            found.append(_Parameter(plain, _type_of(plain), is_optional, _SEVERAL.search(plain) is not None))
    return found


def _type_of(parameter: str) -> str:
    modifiers = _MODIFIERS.match(parameter)
    text = parameter[modifiers.end() :] if modifiers is not None else parameter
    if named := _NAMED.search(text):
        return text[named.end() :]
    return _NAME_BEHIND.sub("", text.rstrip())


def rules_out(candidate: Candidate, site: Site, sites: Sites) -> bool:
    """Tells whether a call cannot mean a definition, by what it passes or by what stands before its name.

    Args:
        candidate: the definition.
        site: where a name like its own is called.
        sites: the file that it is called in.
    """
    if not (sites.naming.counted_arguments and site.called):
        return False
    if _is_written_out(site, sites):
        return not candidate.extends_a_type
    return _is_of_gathered(site, sites) or _takes_other(candidate, site, sites)


def _is_written_out(site: Site, sites: Sites) -> bool:
    """Tells whether a text stands before a name, or in a language of mappings in braces one of these: `", ".join`."""
    before = sites.source[max(0, site.at - 2) : site.at]
    return before[1:] == b"." and (before[:1] in (b'"', b"'") or (before[:1] == b"}" and sites.naming.loose_types))


def _is_of_gathered(site: Site, sites: Sites) -> bool:
    """Tells whether a member of a parameter is meant that gathers what is passed, `**options`: that is of no type of one's own."""
    if len(site.receiver) != 1 or not site.receiver[0].isidentifier():
        return False
    for one in reversed(site.around):
        if one.kind in CALLABLE:
            name = re.escape(site.receiver[0])
            if re.search(rf"[(,]\s{{0,99}}\*{{1,2}}{name}\b", sites.code(one.signature, one.body)):
                return re.search(rf"(?<![\w.]){name}\s{{0,9}}=(?!=)", sites.code(one.body, one.end)) is None
            if re.search(rf"(?<![\w.]){name}\b", sites.code(one.signature, one.body)):
                return False
    return False


def _takes_other(candidate: Candidate, site: Site, sites: Sites) -> bool:
    """Tells whether a call passes more or fewer arguments than a definition takes, or names one that it has not.

    Nothing is told where some are spread, or where something around the definition may take others for it.
    """
    file, one = candidate
    if one.kind not in CALLABLE or not isinstance(file, IndexedFile):
        return False
    end = site.at + len(last_part(one.name).encode())
    passed = passed_at(sites.source, end, sites.is_prose)
    parameters = _parameters(file.source, one)
    if passed is None or parameters is None or b"@" in file.source[one.start : one.signature]:
        return False
    arguments = passed.arguments
    behind = sites.source[end : arguments[-1].at + _LONGEST_LAST] if arguments else b""
    if _SPREAD.search(behind) or (len(arguments) == 1 and b"(" in behind[1:]):  # a call may give several
        return False
    texts = [each.text.strip() for each in parameters]
    own = int(one.kind == "method" and texts[:1] in (["self"], ["cls"]))
    by_place = [*takewhile(lambda each: not each[1].startswith("*"), zip(parameters, texts, strict=True))][own:]
    by_place = [each for each in by_place if each[1] != "/"]
    is_open = any(each.is_several or _OPEN.match(text) for each, text in zip(parameters, texts, strict=True))
    labels = {each.label for each in arguments if each.label}
    count = len(arguments) - len(labels)
    names = {word for each in texts for word in _WORD.findall(each)}
    if not any(each.startswith("**") for each in texts) and not labels <= names:
        return True
    least = sum(not (each.is_optional or each.is_several) for each, _ in by_place)
    return len(arguments) < least or (count > len(by_place) and not is_open)


def among_overloads(
    meant: Sequence[tuple[Candidate, Verdict]],
    site: Site,
    sites: Sites,
    types_of: Callable[[int, Site], Collection[str]],
    above: Callable[[str], Mapping[str, int]],
) -> list[tuple[Candidate, Verdict]]:
    """Returns those of the definitions which a call may mean that it can mean by what it passes; of one name all if it fits none.

    Args:
        meant: the definitions, overloads among them.
        site: where the name is called.
        sites: the file that it is called in.
        types_of: gives the names of the types of the expression that begins at a place.
        above: gives the types that one inherits from; none where no file defines it.
    """
    alike: dict[tuple[str, str], list[Candidate]] = {}
    for one, _ in meant:
        if one.one.kind in CALLABLE and isinstance(one.file, IndexedFile):
            alike.setdefault((one.file.path, one.one.path), []).append(one)
    overloads = [each for each in alike.values() if len(each) > 1]
    name = overloads[0][:1] if overloads else []
    passed = (
        passed_at(sites.source, site.at + len(last_part(name[0].one.name).encode()), sites.is_prose) if name else None
    )
    if passed is None:
        return [*meant]
    left_out: set[Candidate] = set()
    for each in overloads:
        fits = [_fit(passed, one, lambda argument: types_of(argument.at, site), above) for one in each]
        most = max((fit for fit in fits if fit is not None), default=None)
        left_out.update(one for one, fit in zip(each, fits, strict=True) if fit != most)
    return [(one, verdict) for one, verdict in meant if one not in left_out]


def _fit(
    passed: Passed,
    one: Candidate,
    types_of: Callable[[Argument], Collection[str]],
    above: Callable[[str], Mapping[str, int]],
) -> tuple[int, int] | None:
    """Returns the points of a definition that takes what is passed, and, below 0, the parameters that are left out; None where it does not."""
    parameters = _parameters(one.file.source, one.one) if isinstance(one.file, IndexedFile) else None
    if parameters is None:
        return None
    count, has_block = len(passed.arguments), passed.has_block and parameters[-1:] != [] and parameters[-1].takes_block
    least = sum(not (each.is_optional or each.is_several) for each in parameters)
    most = count + 1 if any(each.is_several for each in parameters) else len(parameters)
    if not (least <= count <= most and not passed.is_block) and not (has_block and least <= count + 1 <= most):
        return None
    total = int(has_block)
    for argument, parameter in _pairs(passed.arguments, parameters):
        if parameter is None:
            return None
        points = _points(argument, parameter, types_of, above)
        if points is None:
            return None
        total += points
    return total, count - len(parameters)


def _pairs(
    arguments: Sequence[Argument], parameters: Sequence[_Parameter]
) -> Iterator[tuple[Argument, _Parameter | None]]:
    """Each argument with the parameter that it is for: the one that it names, or that at its place."""
    shift = int(
        len(parameters) > len(arguments) and bool(parameters) and parameters[0].text.lstrip().startswith(_EXTENDED)
    )
    for place, argument in enumerate(arguments, shift):
        if argument.label:
            yield argument, next((one for one in parameters if argument.label in re.findall(r"\w+", one.text)), None)
        else:
            yield argument, parameters[min(place, len(parameters) - 1)] if parameters else None


def _points(
    argument: Argument,
    parameter: _Parameter,
    types_of: Callable[[Argument], Collection[str]],
    above: Callable[[str], Mapping[str, int]],
) -> int | None:
    wanted = _sort_of(parameter.type)
    names = [one.name for one in types_in(parameter.type)]
    given = types_of(argument) if not argument.sort else ()
    if any(one in names for one in given):
        return _SAME
    if any(not above(one).keys().isdisjoint(names) for one in given):
        return _ABOVE
    sort = argument.sort or next((sort for one in given if (sort := _sort_of(one))), "")
    if not sort and not given:
        return _MAY
    if wanted == sort and sort in _WRITTEN_OUT:
        return _SAME if argument.sort else _ABOVE
    if wanted == "any":
        return _MAY
    if sort in _WRITTEN_OUT and wanted in _WRITTEN_OUT:
        return None
    return _MAY if sort == "function" or wanted == "function" else _HARDLY


def _sort_of(written: str) -> str:
    """The sort of values of a type; "" for one that has a name and says nothing else."""
    if _FUNCTIONS.search(written):
        return "function"
    name = next((one.name for one in types_in(written)), "")
    text = f"{name} *" if "*" in written else name
    return next((sort for sort, pattern in _SORTS if (found := pattern.match(text)) and found.end() == len(name)), "")
