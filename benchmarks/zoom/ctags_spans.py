"""Universal Ctags as a reference: names, lines and, where it tells them, last lines; the rest is read by brackets.

What ctags does not say is where the decorators, attributes and doc comments above begin, and for some languages where a
definition ends. Both are read here by the lexer and the bracket reader of the skeleton benchmark, which know no grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from benchmarks.skeletons import exemptions
from benchmarks.skeletons.corpus import CorpusFile
from benchmarks.skeletons.ctags_reading import run_ctags, tags_of
from benchmarks.skeletons.languages import LanguageEntry
from benchmarks.skeletons.placement import Tag, Text, indentation, locate, place
from benchmarks.skeletons.references import Reference, Role
from benchmarks.skeletons.signatures import attributed_start, extent_of
from benchmarks.zoom.spans import Lines, Span

_PACKAGED = frozenset({"java", "kotlin"})
"""Languages whose scopes begin with a package or namespace of several parts, which stands around nothing."""


_TYPEDEFS = frozenset({"typedef"})
_SPACED_OPERATOR = re.compile(r"operator\s+(?=\W)")
_ATTRIBUTES: Mapping[str, str] = {"php": "#"}
"""The start of an attribute once its brackets are left out, where the skeleton benchmark says otherwise."""

_ATTRIBUTE_MARKS: Mapping[str, str] = {"csharp": "[", "java": "@", "rust": "#["}

_ANNOTATED_MEMBER = re.compile(r"[A-Z][A-Z0-9_]+")


def ctags_spans(files: Sequence[CorpusFile], entry: LanguageEntry, command: str) -> list[list[Span] | str]:
    """The functions and types of each file by position."""
    tags = tags_of(run_ctags([file.absolute for file in files], entry, command), entry)
    return [_spans(file, tags.get(str(file.absolute), []), entry) for file in files]


def _spans(file: CorpusFile, tags: Sequence[Tag], entry: LanguageEntry) -> list[Span]:
    text = Text(file.text, entry)
    lines = Lines(file.text, entry.name, entry.lexicon)
    ends = {(tag.name, tag.line): tag.end for tag in tags}
    types = {tag.name for tag in tags if tag.role is Role.TYPE}
    found: list[Span] = []
    for tag, reference in _placed(tags, file.text, entry):
        name = locate(text, tag, entry)
        if name is None or entry.form is None:
            continue
        extent = extent_of(text.code, text.brackets, name, entry.form, is_type=tag.role is Role.TYPE)
        start, last = extent.start, ends.get((tag.name, tag.line), 0)
        if tag.kind in _TYPEDEFS:
            start = _typedef_start(text, name[0], start)
            last = text.line_of(_semicolon(text, name[1]))
        elif not last:
            last = text.line_of(extent.body[1] if extent.body else _semicolon(text, extent.end))
        found.append(
            Span(
                name=_SPACED_OPERATOR.sub("operator", tag.name),
                container=_around(reference.container, tag.role, types, entry),
                kind=tag.kind,
                first=lines.line_of(_start(lines, text, start, entry)),
                last=last,
                local=reference.exemption == exemptions.LOCAL,
            )
        )
    found = [*{(one.asked, one.first, one.last): one for one in reversed(found)}.values()][::-1]  # `struct s {} s;`
    return _by_indentation(found, lines) if entry.name == "ruby" else found


def _around(container: tuple[str, ...], role: Role, types: set[str], entry: LanguageEntry) -> tuple[str, ...]:
    """Returns the containers of a definition, without the package of the file."""
    if entry.name == "go":
        return container[1:]
    if entry.name == "php":  # no class stands in another
        return container[-1:] if role is Role.FUNCTION and container[-1:] and container[-1] in types else ()
    return tuple(part for part in container if part in types) if entry.name in _PACKAGED else container


def _placed(tags: Sequence[Tag], source: str, entry: LanguageEntry) -> Iterator[tuple[Tag, Reference]]:
    references = {(one.name, one.line): one for one in place(tags, source, entry)}
    for tag in sorted(tags, key=lambda one: (one.line, one.name)):
        reference = references.get((tag.name, tag.line))
        if reference is None or tag.role not in {Role.FUNCTION, Role.TYPE}:
            continue
        if tag.kind == "prototype" and _ANNOTATED_MEMBER.fullmatch(tag.name):
            continue  # `int x GUARDED_BY(mutex);` declares no function
        if tag.kind == "singletonMethod" and f"def {tag.name}." in source.split("\n")[tag.line - 1]:
            continue  # `def receiver.name` is called by its name
        if reference.exemption in {exemptions.MISREAD, exemptions.TEMPLATE, exemptions.CALL}:
            continue
        yield tag, reference


def _start(lines: Lines, text: Text, start: int, entry: LanguageEntry) -> int:
    """Up over doc comments and attributes, as long as one stands directly above."""
    while True:
        above = lines.with_docs(start)
        if attributes := _ATTRIBUTES.get(entry.name, entry.form.attributes if entry.form else ""):
            above = attributed_start(text.code, above, attributes)
        if above == start:
            mark = _ATTRIBUTE_MARKS.get(entry.name)
            above = _over_notes(text, start, mark) if mark else start
        if above == start:
            return start
        start = above


def _over_notes(text: Text, start: int, attribute: str) -> int:
    """Past plain comments and preprocessor lines directly above, if an attribute stands above them."""
    at = text.line_of(start)
    while at > 1:
        above = slice(*text.bounds(at - 1))
        if not text.source[above].strip() or (
            text.code[above].strip() and not text.source[above].lstrip().startswith("#")
        ):
            break
        at -= 1
    above = text.code[slice(*text.bounds(at - 1))].strip() if at > 1 else ""
    return text.bounds(at)[0] if above.startswith(attribute) and at < text.line_of(start) else start


def _typedef_start(text: Text, name: int, start: int) -> int:
    """Returns the place of the `typedef` of a name; the names of a struct come behind its block."""
    words = [match.start() for match in re.finditer(r"\btypedef\b", text.code[:name])]
    own = [at for at in words if text.brackets.innermost(at) == text.brackets.innermost(name)]
    return own[-1] if own else start


def _semicolon(text: Text, offset: int) -> int:
    """The next semicolon outside brackets, or the end of the line where there is none."""
    at = offset
    while at < len(text.code) and text.code[at] not in ";)]}":
        at = text.brackets.partner.get(at, at) + 1
    return at if text.code[at : at + 1] == ";" else text.bounds(text.line_of(max(0, offset - 1)))[1] - 1


def _by_indentation(found: Sequence[Span], lines: Lines) -> list[Span]:
    """Ends and containers by indentation: ctags takes the `end` of an inner block for that of a method."""
    ended: list[Span] = []
    around: list[Span] = []
    for span in found:
        head = next(
            (number for number in range(span.first, span.last + 1) if not lines.line(number).lstrip().startswith("#")),
            span.first,
        )
        indent = indentation(lines.line(head))
        last = span.last
        if last > head and indentation(lines.line(last)) != indent:
            for number in range(head + 1, len(lines.starts) + 1):
                if lines.line(number).strip() == "end" and indentation(lines.line(number)) == indent:
                    last = number
                    break
        while around and around[-1].last < span.first:
            around.pop()
        outer = tuple(one.name for one in around if one.kind in {"class", "module"})
        ended.append(replace(span, last=last, container=outer))
        around.append(ended[-1])
    return ended
