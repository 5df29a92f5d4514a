"""Makes references of names and lines: the place of each definition, its signature, its body, its exemption.

Ctags and the keyword reader give a name, a kind and a line. Everything else is worked out here from the text without
comments and strings: brackets (or, where blocks have none, indentation) say what stands inside a function's body, and
the text before a `{` that belongs to no definition says what kind of block it is (`exemptions.HEAD_RULES`).
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from benchmarks.skeletons import exemptions
from benchmarks.skeletons.languages import LanguageEntry
from benchmarks.skeletons.lexing import blank
from benchmarks.skeletons.references import Reference, Role
from benchmarks.skeletons.signatures import Brackets, Extent, extent_of

_TYPE_WORDS = r"\b(?:class|struct|union|enum|interface|trait|module|namespace|type|typealias|object|impl|protocol|extension|actor|mod|message|service|contract|library|record|using|typedef|template|@interface|@implementation|@protocol)\b"
_FUNCTION_WORD = re.compile(r"(?<![$@%&\w])(?:sub|def|fn|fun|func|function)\s+$")
_DECLARATION_END = re.compile(r"[{;]|\n\s*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A definition as a parser of names and lines reports it.

    Attributes:
        name: as reported.
        kind: the parser's word.
        role: what it counts as.
        line: 1-based.
        container: what the parser says it stands in.
        in_function: the parser itself says that it stands in a function.
        end: the last line by the parser, 0 if it does not say.
        offset: of the name, where the parser gives it.
    """

    name: str
    kind: str
    role: Role
    line: int
    container: tuple[str, ...] = ()
    in_function: bool = False
    end: int = 0
    offset: int = -1


def needle(name: str) -> str:
    """The part of a name that stands in a source line as one word (`f` of `M.f`, `insert` of `insert:at:`)."""
    words = re.findall(r"\$?[\w!?]+", name)
    return words[0] if ":" in name and "::" not in name and words else words[-1] if words else name


def word_pattern(name: str) -> re.Pattern[str]:
    """Returns the pattern of a name as a whole word; in a name without words (an operator) any white space may stand."""
    word = needle(name)
    if not re.search(r"\w", word) or name.startswith("operator"):
        return re.compile(r"\s*".join(re.escape(mark) for mark in re.sub(r"\s+", "", name)))
    before = r"(?<![\w$])" if not word.startswith("$") else ""
    after = r"(?![\w])" if word[-1].isalnum() or word[-1] in "_$" else ""
    return re.compile(before + re.escape(word) + after)


class Text:
    """A source file with its comments and strings blanked, and its lines."""

    def __init__(self, source: str, entry: LanguageEntry) -> None:
        self.source = source
        self.code = blank(source, entry.lexicon)
        self.spoken = blank(source, entry.lexicon, keep_strings=True)
        self._branches = blank(source, entry.lexicon, all_branches=True)
        self.starts = [0, *(match.end() for match in re.finditer("\n", source))]
        self.brackets = Brackets(self.code)

    def line_of(self, offset: int) -> int:
        """The 1-based line of an offset."""
        return bisect.bisect_right(self.starts, offset)

    def holds(self, tag: Tag) -> bool:
        """The line of a tag holds its name as code, be it in a preprocessor branch that is not read."""
        return tag.line <= len(self.starts) and bool(
            word_pattern(tag.name).search(self._branches, *self.bounds(tag.line))
        )

    def bounds(self, line: int) -> tuple[int, int]:
        """The offsets of a line, without its newline."""
        start = self.starts[line - 1]
        end = self.starts[line] - 1 if line < len(self.starts) else len(self.source)
        return start, end


def _start_above(text: Text, line: int, start: str) -> int:
    """The offset of the nearest line above that looks like the start of a definition; 0 without one."""
    for above in range(line - 1, max(0, line - 30), -1):
        if re.match(start, text.code[slice(*text.bounds(above))]):
            return text.bounds(above)[0]
    return 0


def locate(text: Text, tag: Tag, entry: LanguageEntry) -> tuple[int, int] | None:
    """The offsets of a tag's name: on its line, or further down the same declaration; None if it is in neither."""
    if tag.offset >= 0:
        return tag.offset, tag.offset + len(tag.name)
    if tag.line > len(text.starts):
        return None
    start, end = text.bounds(tag.line)
    matches = list(word_pattern(tag.name).finditer(text.code, start, end))
    if not matches and entry.late and (first := _start_above(text, tag.line, entry.late)):
        matches = list(word_pattern(tag.name).finditer(text.code, first, end))[:1]
    if not matches:
        mark = _DECLARATION_END.search(text.code, start)
        below = word_pattern(tag.name).search(text.code, end, mark.start() if mark else len(text.code))
        return below.span() if below else None
    if tag.role is Role.FUNCTION:
        for match in matches:
            if _FUNCTION_WORD.search(text.code, start, match.start()):
                return match.span()
        for match in matches:
            if re.match(r"\s*(?:<[^()\n]*>\s*)?(?:\(|$)", text.code[match.end() : end]):
                return match.span()
    if tag.role is Role.TYPE:
        for match in matches:
            if re.search(_TYPE_WORDS, text.code[start : match.start()]):
                return match.span()
    return matches[0].span()


def place(tags: Iterable[Tag], source: str, entry: LanguageEntry) -> tuple[Reference, ...]:
    """The references of one file, by line: each with its signature, its body and its exemption."""
    text = Text(source, entry)
    found: list[tuple[Tag, Extent | None, tuple[int, int] | None]] = []
    located = [(tag, locate(text, tag, entry)) for tag in sorted(tags, key=lambda tag: (tag.line, tag.offset))]
    exact = {(tag.name, tag.line) for tag, name in located if name and text.line_of(name[0]) == tag.line}
    for reported, name in located:
        tag = replace(reported, line=text.line_of(name[0])) if name else reported
        if tag.line != reported.line and (tag.name, tag.line) in exact:
            continue  # the name of the file's own module, and of one that it holds
        extent = None
        if name and entry.form and tag.role in {Role.FUNCTION, Role.TYPE} and tag.kind not in {"typedef", "alias"}:
            extent = extent_of(text.code, text.brackets, name, entry.form, is_type=tag.role is Role.TYPE)
        found.append((tag, extent, name))
    references = [_reference(tag, extent, text, entry) for tag, extent, _ in found]
    rules = [_by_text(tag, name, one, text, entry) for (tag, _, name), one in zip(found, references, strict=True)]
    owners = {
        extent.body[0]: tag
        for (tag, extent, _), rule in zip(found, rules, strict=True)
        if extent and extent.body and not (rule and rule.exemption == exemptions.MISREAD)
    }
    result: list[Reference] = []
    for index, (tag, _, name) in enumerate(found):
        reference = references[index]
        by_place = ""
        if entry.braces and name:
            around, by_place = _by_blocks(text, name[0], owners, entry)
            reference = reference if reference.container else replace(reference, container=around)
        elif not entry.braces:
            by_place = _by_indentation(text, references[:index], reference, entry)
        local = exemptions.LOCAL if tag.in_function else by_place
        role = Role.CONSTANT if _is_constant(reference, text, entry) else reference.role
        rule = rules[index]
        exemption, why = (rule.exemption, rule.why) if rule else (local, "")
        result.append(replace(reference, exemption=exemption, why=why, role=role))
    return tuple(result)


def _by_text(
    tag: Tag, name: tuple[int, int] | None, reference: Reference, text: Text, entry: LanguageEntry
) -> exemptions.TagRule | None:
    """The rule that exempts a tag by its line and signature."""
    return exemptions.of_tag(
        entry.name,
        tag.kind,
        needle(tag.name),
        line=text.source[slice(*text.bounds(min(tag.line, len(text.starts))))],
        signature=reference.signature,
        container=reference.container,
        in_code=name is not None or text.holds(tag),
    )


def _is_constant(reference: Reference, text: Text, entry: LanguageEntry) -> bool:
    if reference.role is not Role.MEMBER or not entry.constants:
        return False
    start, end = text.bounds(min(reference.line, len(text.starts)))
    statement = max(text.code.rfind(mark, 0, start) for mark in ";{}") + 1
    return bool(re.search(entry.constants, text.code[statement:end], re.DOTALL))


def _reference(tag: Tag, extent: Extent | None, text: Text, entry: LanguageEntry) -> Reference:
    if extent is None:
        body = (tag.line, tag.end) if tag.end and not entry.braces else None
        return Reference(
            name=tag.name,
            kind=tag.kind,
            role=tag.role,
            line=tag.line,
            container=tag.container,
            first=tag.line,
            last=tag.line,
            body=body,
        )
    signature = text.spoken[extent.start : extent.end].rstrip()
    body = None
    if entry.open_bodies and re.search(entry.open_bodies, signature, re.DOTALL):
        pass
    elif extent.body:
        body = text.line_of(extent.body[0]), text.line_of(extent.body[1])
    elif tag.end:
        body = text.line_of(extent.end), tag.end
    return Reference(
        name=tag.name,
        kind=tag.kind,
        role=tag.role,
        line=tag.line,
        container=tag.container,
        signature=signature,
        first=text.line_of(extent.start),
        last=text.line_of(extent.start + max(0, len(signature) - 1)),
        body=body,
        unclosed=extent.unclosed,
    )


def _by_blocks(text: Text, offset: int, owners: dict[int, Tag], entry: LanguageEntry) -> tuple[tuple[str, ...], str]:
    """The names of the types around an offset, and the exemption that the blocks around it give."""
    container: list[str] = []
    for opening, _ in text.brackets.enclosing(offset):
        owner = owners.get(opening)
        if owner is None:
            start = max(text.code.rfind(mark, 0, opening) for mark in ";{}") + 1
            reason = exemptions.of_head(text.code[start:opening], entry.name)
            if reason:
                return tuple(container), reason
        elif owner.role is Role.FUNCTION:
            return tuple(container), exemptions.LOCAL
        else:
            container.append(owner.name)
    return tuple(container), ""


def indentation(line: str) -> int:
    """The blanks that a line begins with."""
    return len(line) - len(line.lstrip())


def _by_indentation(text: Text, before: Sequence[Reference], reference: Reference, entry: LanguageEntry) -> str:
    """The exemption by the lines that open the blocks around a definition: each is indented less than all below it."""
    functions = {one.line for one in before if one.role is Role.FUNCTION}
    if reference.line > len(text.starts):
        return ""
    least = indentation(text.source[slice(*text.bounds(reference.line))])
    for line in range(reference.line - 1, 0, -1):
        if least == 0:
            break
        content = text.code[slice(*text.bounds(line))].rstrip()
        if not content.strip() or indentation(content) >= least:
            continue
        if line in functions:
            return exemptions.LOCAL
        if reason := exemptions.of_opening(content, entry.name):
            return reason
        if content.lstrip()[0] not in ")]}":
            least = indentation(content)
    return ""
