"""CSS, SCSS and Less: selectors, at-rules and the custom properties they set.

One regular expression finds what matters to the structure (braces, semicolons, strings, comments) and everything else
is carried along. At L1 a rule shows its selector and the custom properties and variables in it with their values; rules
inside others (`@media`, nested SCSS) are shown one level deep. At L2 only names are left, and as many on a line as fit.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import partial

import msgspec

from skeleton.formats.lines import MARKER, Line, NotThisFormatError, Outliner, marked_count, marker
from skeleton.levels import CompressionLevel

CAPS = {CompressionLevel.SKELETON_PLUS: 5000, CompressionLevel.SKELETON: 2000}
"""Bytes within which an outline has to stay; what does not fit is counted at its end."""

_WIDTH = 120
_VALUE_WIDTH = 60
_MAX_DEPTH = 3
_MOST_VARIABLES = {CompressionLevel.SKELETON_PLUS: 24, CompressionLevel.SKELETON: 12}

_TOKEN = re.compile(
    r"""(?P<comment>/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/)?|(?<![:\w])//[^\n]*)
      | (?P<string>"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'[^'\\\n]*(?:\\.[^'\\\n]*)*'?|url\((?:(?!url\()[^)"'\n])*\)|\#\{[^{}]*\})
      | (?P<brace>[{};])""",
    re.VERBOSE,
)
_VARIABLE = re.compile(r"(?P<name>--[\w-]+|[$@][\w-]+)\s*(?::\s*(?P<value>.*))?$", re.DOTALL).match
_STATEMENT = re.compile(r"@(?:import|use|forward|charset|namespace|layer|tailwind|plugin|source)\b").match
_GROUP = re.compile(r"@(?:media|supports|layer|container|scope|document|include|at-root|starting-style)\b").match
_CLOSED = re.compile(r"@(?:-\w+-)?(?:keyframes|font-face|mixin|function)\b").match
_OPENING = re.compile(r"""["'({;]|\#\{""").search
_MARKER_LINE = re.compile(rf"{MARKER.pattern}$").match


class _Rule(msgspec.Struct):
    """A rule, or a statement that ends with a semicolon (`is_statement`).

    Attributes:
        prelude: the selector or the at-rule with its arguments; of a statement that sets a variable, its name.
        line: where it begins.
        end: where its closing brace is.
        value: of a variable.
        variables: what it sets.
        rules: the rules in it.
        hidden: how many variables an outline says it has left out.
    """

    prelude: str
    line: int
    end: int = 0
    value: str = ""
    variables: list[tuple[str, str]] = msgspec.field(default_factory=list["tuple[str, str]"])
    rules: list[_Rule] = msgspec.field(default_factory=list["_Rule"])
    hidden: int = 0
    is_statement: bool = False


def outliner(source: str) -> Outliner:
    """Selectors, at-rules and custom properties with their values (L1), their names (L2).

    Raises:
        NotThisFormatError: there is neither a rule nor a variable.
    """
    sheet = _Reader(source).read()
    if not sheet.rules:
        raise NotThisFormatError("no rule")
    return partial(_outline_lines, sheet)


class _Reader:
    """The rules of a style sheet."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.line_ends = [match.start() for match in re.finditer("\n", source)]
        self.sheet = _Rule("", 1)
        self.stack = [self.sheet]
        self.pieces: list[tuple[int, int]] = []  # the spans of the statement that is being read

    def read(self) -> _Rule:
        """The whole sheet as one rule."""
        offset = 0
        for match in _TOKEN.finditer(self.source):
            if match["string"]:
                continue
            self.pieces.append((offset, match.start()))
            offset = match.end()
            if comment := match["comment"]:
                if len(self.stack) == 1:
                    self.sheet.hidden += marked_count(comment) if "… " in comment[:5] else 0
                continue
            text, line = self._statement()
            if match["brace"] == "{":
                self._open(text, line)
                continue
            if text:
                self._end_statement(text, line)
            if match["brace"] == "}" and len(self.stack) > 1:
                self.stack.pop().end = bisect_right(self.line_ends, match.start()) + 1
        self.pieces.append((offset, len(self.source)))
        text, line = self._statement()
        if text:
            self._end_statement(text, line)
        return self.sheet

    def _statement(self) -> tuple[str, int]:
        """Returns the text that was read since the last brace or semicolon, white space folded, and its line."""
        pieces = [self.source[start:end] for start, end in self.pieces]
        line = 0
        for (start, _), piece in zip(self.pieces, pieces, strict=True):
            if stripped := piece.lstrip():
                line = bisect_right(self.line_ends, start + len(piece) - len(stripped)) + 1
                break
        self.pieces.clear()
        return " ".join("".join(pieces).split()), line

    def _open(self, text: str, line: int) -> None:
        parent = self.stack[-1]
        rule = _Rule(text, line, line)
        if text and len(self.stack) <= _MAX_DEPTH and not _CLOSED(parent.prelude):
            parent.rules.append(rule)
        self.stack.append(rule)

    def _end_statement(self, text: str, line: int) -> None:
        rule = self.stack[-1]
        variable = _VARIABLE(text)
        if len(self.stack) == 1:
            if variable and not _STATEMENT(text):
                value = " ".join((variable["value"] or "").split())
                rule.rules.append(_Rule(variable["name"], line, line, value, is_statement=True))
            elif _STATEMENT(text):
                rule.rules.append(_Rule(text, line, line, is_statement=True))
        elif _MARKER_LINE(text):
            rule.hidden += marked_count(text)
        elif variable and text[0] != "@":
            rule.variables.append((variable["name"], " ".join((variable["value"] or "").split())))


def _outline_lines(sheet: _Rule, level: CompressionLevel) -> list[Line]:
    lines: list[Line] = []
    room = CAPS[level]
    rules = _merged(sheet.rules) if level is CompressionLevel.SKELETON else sheet.rules
    shown = 0
    for rule in rules:
        written = _written(rule, level, 0)
        room -= sum(len(line.text) + 1 for line in written)
        if room < 0:
            break
        shown += 1
        lines += written
    if hidden := sheet.hidden + len(rules) - shown:
        number = lines[-1].number if shown == len(rules) else max(rules[shown].line, lines[-1].number if lines else 1)
        lines.append(Line(number, f"/* {marker(hidden, 'more')} */"))
    return lines


def _merged(rules: list[_Rule]) -> list[_Rule]:
    """Neighbours that are bare selectors as one rule, neighbours that set variables as one statement."""
    merged: list[_Rule] = []
    for rule in rules:
        bare = _Rule(_short(rule.prelude, _WIDTH - 3), rule.line, rule.end, is_statement=rule.is_statement)
        last = merged[-1] if merged else None
        if last and _is_bare(rule) and _is_bare(last) and rule.is_statement == last.is_statement:
            separator = "; " if rule.is_statement else ", "
            prelude = f"{last.prelude}{separator}{bare.prelude}"
            if len(prelude) <= _WIDTH - 3:
                merged[-1] = _Rule(prelude, last.line, rule.end, is_statement=rule.is_statement)
                continue
        merged.append(bare if _is_bare(rule) else rule)
    return merged


def _short(text: str, width: int) -> str:
    """A selector or value of at most `width` characters, cut where no quote, bracket or brace is open."""
    if len(text) <= width:
        return text
    text = text[: width - 1]
    opened = _OPENING(text)
    return (text[: opened.start()] if opened else text).rstrip() + "…"


def _is_bare(rule: _Rule) -> bool:
    if rule.is_statement:
        return not _STATEMENT(rule.prelude)
    return not rule.variables and not rule.hidden and rule.prelude[:1] != "@"


def _written(rule: _Rule, level: CompressionLevel, depth: int) -> list[Line]:
    """The lines of one rule."""
    indent = "  " * depth
    is_short = level is CompressionLevel.SKELETON
    prelude = _short(rule.prelude, _WIDTH)
    if rule.is_statement:
        value = f": {_short(rule.value, _VALUE_WIDTH)}" if rule.value and not is_short else ""
        return [Line(rule.line, f"{indent}{prelude}{value};")]
    parts: list[str] = []
    most = _MOST_VARIABLES[level]
    for name, value in rule.variables[:most]:
        parts.append(name if is_short or not value else f"{name}: {_short(value, _VALUE_WIDTH)}")
    if hidden := rule.hidden + len(rule.variables) - len(parts):
        parts.append(marker(hidden, "more"))
    body = f"{'; '.join(parts)}" if parts else ""
    rules = rule.rules if depth == 0 and (not is_short or _GROUP(rule.prelude)) else []
    inner = [line for inside in (_merged(rules) if is_short else rules) for line in _written(inside, level, depth + 1)]
    if not inner:
        return [
            Line(rule.line, f"{indent}{prelude} {{{body}}}".lstrip() if not depth else f"{indent}{prelude} {{{body}}}")
        ]
    one_line = " ".join([*([f"{body};"] if body else []), *(line.text.strip() for line in inner)])
    if len(one_line) + len(prelude) + 5 <= _WIDTH:
        return [Line(rule.line, f"{prelude} {{ {one_line} }}")]
    own = [Line(rule.line, f"  {body};")] if body else []
    return [Line(rule.line, f"{prelude} {{"), *own, *inner, Line(max(rule.end, inner[-1].number), "}")]
