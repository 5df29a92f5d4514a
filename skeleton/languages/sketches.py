r"""Patterns of languages that find definitions line by line, without a parser.

They stand in the headers of query files:

    sketch             `KIND[:PLACE][@WHERE,…] REGEX`, repeatable: what begins a definition, from the first character of its line
                       that is not blank; the group `name` is its name, or every word of the group `names` that no colon
                       follows is the name of one; the group `container` is a part of the qualified name of what it stands
                       in; every word of the group `members` is the name of a member of it, one that stands in its line.
                       Without a name it stands behind the block. A definition with a group `line`, an empty one, has
                       its signature up to there, and ends with the line (and those that a backslash joins to it); with
                       a group `body`, an empty one as well, it has its signature up to there, and ends as others do;
                       one with a group `whole`, an empty one, has no comment behind it, and its signature up to its end
                       where `body` is in no match. `\1` is what its line is indented by. The `name marks` of the
                       language that `name` begins or ends with, or that stand before a word of `names`, are no part of
                       a name, which starts with them; of several with such marks each signature ends behind its name.
                       One with a group `begin`, an empty one, begins there: nothing above it belongs to it. One with a
                       group `rest`, an empty one, has its signature up to there, and all behind it stands in it.
                       KIND is one of the kinds of definitions; `*` for the one that `sketch words` gives for the group
                       `word`; `-` for what holds no definition that a reader sees, and is passed over whole. WHERE are
                       the kinds of what it may stand in, `.` for what stands in nothing; without any it may stand
                       everywhere. PLACE is what those that stand in it name there instead of its kind (`class:object`);
                       of what is passed over, the kind that it ends as. The first that fits counts
    sketch words       words that begin a definition, and its kind, separated by blanks (`fn=function`)
    sketch hides       `OPEN CLOSE`, repeatable: a regex and the text up to which nothing is a definition (long comments
                       and texts); `OPEN` is looked for everywhere, and may begin with `^`; whichever begins first
                       counts, and one that never ends hides nothing. `$` for `CLOSE` is the end of the line; with `-`
                       `OPEN` is all of it, and stays, but nothing that stands in it opens anything (texts of one line);
                       with `=` it ends with the next line that begins with the group `word` of `OPEN`, which stays, as
                       `<<~TEXT` does
    sketch code        a text that code begins with: all before the first of them is hidden, and what `sketch hides` lets
                       end with it is hidden up to the end of the file where no other follows (`<?` of PHP)
    sketch names       a regex of a name in a group `names`, instead of every word of it
    sketch above       a regex of lines directly above a definition that belong to it, as comments do; where blocks are
                       indented, with all below them that is indented further than the definition
    sketch signature   a regex of what stands behind the name of what holds no others, or behind brackets of its head; its
                       signature ends with that, though no brace and no equals sign follows
    sketch continues   a regex of what goes on with a definition behind a block in its value; such a block ends where its
                       braces say, however they are indented, and the value of a field does not end with a comma
    sketch behind      a regex of what stands behind the block of a type, or behind what ends with its indentation, and
                       belongs to it, from the end of its last line; with `indented` blocks that is a line that is
                       indented as its head is
    sketch apart       a regex of how a line begins that does not go on with a definition though it is indented further
    sketch joins       a regex of how a line begins that goes on with the head of what holds others though it is indented
                       no further; with `indented` blocks one that is indented as a definition is and goes on with it,
                       where `sketch behind` stands behind it
    sketch indents     a regex of how a line of a head ends whose block is indented and has no braces, up to the next line
                       that is indented no further; the signature ends before what it fits
    sketch halves      a regex of how a line ends that is only a part of a statement, however the next is indented; without
                       it, after `=`, `=>`, `&&`, `||` and `+`
    sketch embeds      `LANGUAGE OPEN CLOSE`, repeatable: a regex and the text up to which the code of another language
                       stands, whose definitions those of the file are; `-` for `LANGUAGE` for what holds none (comments).
                       Whichever begins first counts, and of those the first. There is nothing else in such a file
    sketch arrow       a sign that stands before the body of a definition, as `=` before its value, and begins with `=`
                       (`=>`): the signature ends there, and the definition with its statement, not with its braces
    sketch blocks      how a definition ends: `braces`; `lines`, where the end of a line may end it as well; `indented`,
                       where it ends before the next line that is indented no further; `none` for a language that has
                       no patterns, though the one that it inherits from has

Letters are those of any alphabet in all of them but `sketch hides`: `\w`, `[A-Za-z_]` and `[^\W\d]` hold the bytes beyond
ASCII as well, and `\b` is no place before one (in bytes they would cut `Größe` to `Gr`). Other negated sets are as they are
written. An expression may not take more than linear time: repeat nothing inside of what is repeated without a bound.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

from skeleton.languages.headers import QueryFileError, comment_start, resolved, text_of

TOP: Final = "."
"""Stands for the kind of what a definition stands in that stands in nothing."""

PASSED_OVER: Final = "-"
END_OF_LINE: Final = b"\n"
OF_WORD: Final = b"\n="
"""Stands for the end of what ends with a word that its beginning names."""

_CLOSINGS: Final = {"$": END_OF_LINE, "-": b"", "=": OF_WORD}
_FIRST: Final = re.compile(rb"\\?[\"'/#`<=?~]|\\[\[-]")
NEVER: Final = re.compile(rb"(?!)")
"""Matches nothing: stands for an expression that a language does not have."""

_GROUPS: Final = ("name", "names", "word", "container", "members", "line", "body", "whole", "begin", "rest")
_HALVES: Final = r"=|=>|&&|\|\||\+"

_NAME: Final = r"(?<![\w$])[^\W\d][\w$]*+(?![ \t]*:)|(?<![\w$])[$][\w$]*+(?![ \t]*:)"
"""One of several names of a head."""

_BEYOND_ASCII: Final = r"\x80-\xff"
_ASCII_ALONE: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])+\]", re.DOTALL)
r"""What may hold letters of ASCII alone: a class, as `\w`, or a set."""


class Blocks(Enum):
    """Ways in which a language ends a definition."""

    BRACES = "braces"
    LINES = "lines"
    INDENTED = "indented"


class Rule(NamedTuple):
    """A pattern, as it stands in `Inside`: the kind that it finds and its place, and the numbers of its groups, 0 for none."""

    kind: str
    place: str
    name: int
    names: int
    word: int
    container: int
    members: int
    line: int
    body: int
    whole: int
    begin: int
    rest: int


class Inside(NamedTuple):
    """All patterns of what may stand in one kind of definitions.

    Attributes:
        pattern: finds the next of them, from the line break before it; its first group is what it is indented by.
        rules: the patterns by the number of the group that is theirs, an empty one behind each.
    """

    pattern: re.Pattern[bytes]
    rules: dict[int, Rule]


class Embeds(NamedTuple):
    """The beginnings of code of other languages in a file.

    Attributes:
        pattern: finds the next beginning; it has one group for each kind of them.
        kinds: for each the language, or `PASSED_OVER`, and the text that ends the code.
    """

    pattern: re.Pattern[bytes]
    kinds: tuple[tuple[str, bytes], ...]


class SketchPatterns(NamedTuple):
    """The patterns of a language.

    Attributes:
        language: its name.
        blocks: how definitions end.
        rules: the kind that each finds and its place, where it may stand, and its expression.
        words: kinds by the words that begin a definition.
        hides: what begins and what ends each kind of what is hidden; the end is empty where nothing is.
        code: what code begins with; empty where all is code.
        names: finds one of several names of a head.
        comments: matches the beginning of what is hidden that is a comment.
        apart: matches the beginning of a line that does not go on with a definition.
        joins: matches the beginning of a line that goes on with the head of what holds others.
        indents: finds the end of a line of a head whose block is indented.
        halves: matches the end of a line that is only a part of a statement.
        above: matches the lines above a definition that belong to it.
        signature: matches the end of a signature behind a name or brackets.
        continues: matches what goes on behind a block in a value; None where that is the same as in most languages.
        behind: matches what stands behind the block of a type and belongs to it.
        alias: matches the beginning of a type whose other names stand behind its block.
        embeds: what begins the code of other languages; None where there is none.
        arrow: a sign before the body of a definition, which begins with `=`; empty for none.
        marks: stand around names, and are no part of them.
        conditions: matches a directive of a preprocessor, and its first group is what it is: `if`, `endif`, or anything between.
    """

    language: str
    blocks: Blocks
    rules: tuple[tuple[str, frozenset[str], str], ...]
    words: dict[str, str]
    hides: tuple[tuple[bytes, bytes], ...]
    code: bytes
    names: re.Pattern[bytes]
    comments: re.Pattern[bytes]
    apart: re.Pattern[bytes]
    joins: re.Pattern[bytes]
    indents: re.Pattern[bytes]
    halves: re.Pattern[bytes]
    above: re.Pattern[bytes]
    signature: re.Pattern[bytes]
    continues: re.Pattern[bytes] | None
    behind: re.Pattern[bytes]
    alias: re.Pattern[bytes]
    embeds: Embeds | None
    arrow: bytes
    marks: str
    conditions: re.Pattern[bytes]

    def inside(self, kind: str) -> Inside:
        """Returns the patterns of what may stand in one kind of definitions, `TOP` for what stands in nothing.

        Raises:
            QueryFileError: one is no regular expression.
        """
        rules = tuple((own, expression) for own, where, expression in self.rules if not where or kind in where)
        try:
            return _inside(rules)
        except re.error as error:
            raise QueryFileError(f"{self.language}.scm: a sketch cannot be read: {error}") from error


@cache
def sketch_patterns(name: str) -> SketchPatterns | None:
    """Returns the patterns of a language; None where it has none. Loads no grammar.

    Args:
        name: of the language.

    Raises:
        QueryFileError: a header of it cannot be read.
    """
    header, _ = resolved(name, text_of(name))
    return patterns_of(header, name)


def patterns_of(header: dict[str, str], name: str) -> SketchPatterns | None:
    """Compiles the patterns that headers hold; None where they hold none.

    Args:
        header: the headers of a language.
        name: its name, for errors.

    Raises:
        QueryFileError: one cannot be read.
    """
    if not {"sketch", "sketch embeds"} & header.keys() or header.get("sketch blocks") == "none":
        return None

    def read(key: str, around: bytes = b"%b") -> re.Pattern[bytes]:
        return re.compile(around % _of_any_alphabet(header[key])) if key in header else NEVER

    try:
        rules = tuple(map(_parted, header.get("sketch", "").splitlines()))
        hides = [line.rsplit(" ", 1) for line in header.get("sketch hides", "").splitlines()]
        return SketchPatterns(
            language=name,
            blocks=Blocks(header.get("sketch blocks", "braces")),
            rules=rules,
            words=dict(word.split("=") for word in header.get("sketch words", "").split()),
            hides=tuple((opening.encode(), _CLOSINGS.get(closing, closing.encode())) for opening, closing in hides),
            code=header.get("sketch code", "").encode(),
            names=re.compile(_of_any_alphabet(header.get("sketch names", _NAME))),
            comments=comment_start(header) or NEVER,
            apart=read("sketch apart"),
            signature=read("sketch signature"),
            continues=read("sketch continues") if "sketch continues" in header else None,
            behind=read("sketch behind"),
            alias=read("sketch alias"),
            joins=read("sketch joins"),
            indents=read("sketch indents", b"(?:%b)(?=[ \t]*\n)"),
            halves=re.compile(b"(?:%b)[ \t]*\n\\Z" % _of_any_alphabet(header.get("sketch halves", _HALVES))),
            above=re.compile(
                rb"[ \t]*(?:" + header.get("sketch above", header.get("comments", "(?!)")).encode() + rb")"
            ),
            embeds=_embeds(header["sketch embeds"]) if "sketch embeds" in header else None,
            arrow=_sign(header.get("sketch arrow", "")),
            marks=header.get("name marks", ""),
            conditions=read("conditions", b"(?m:%b)"),
        )
    except (ValueError, re.error) as error:
        raise QueryFileError(f"{name}.scm: the headers of its sketch cannot be read: {error}") from error


class Hiding(NamedTuple):
    """The way to find all that is hidden.

    Attributes:
        pattern: finds it to its end or to that of the text, and the beginning alone of what ends with a word; the last
            group that fits is its beginning.
        kinds: which of the kinds that group is of, by its number.
    """

    pattern: re.Pattern[bytes]
    kinds: dict[int, int]


@cache
def hidden(hides: tuple[tuple[bytes, bytes], ...], endless: frozenset[int] = frozenset()) -> Hiding:
    """Returns what finds all that is hidden.

    Args:
        hides: as of `SketchPatterns`.
        endless: kinds of which the beginning alone is found.
    """
    firsts = [_FIRST.match(opening) for opening, _ in hides]
    parts: list[bytes] = []
    for number, ((opening, closing), first) in enumerate(zip(hides, firsts, strict=True)):
        own = opening.replace(b"(?P<word>", b"(?P<word%d>" % number)
        if closing == END_OF_LINE:  # with all lines below it that hold no more than the same: a comment of many lines
            until = rb"[^\n]*(?>(?:\n[ \t]*+" + opening + rb"[^\n]*)*)"
        elif closing == OF_WORD:
            until = b""  # lines are known by their words: to look for that of each beginning would take too long
        else:
            until = _up_to(closing) + b"(?:" + re.escape(closing) + rb"|\Z)"
        begins = b"(?P<hide%d>" % number
        if first and all(firsts):
            begins = b"(?<=" + first[0] + b")" + begins + own[first.end() :] + b")"
        else:
            begins += own + b")"
        parts.append(begins + (until if closing and number not in endless else b""))
    either = b"|".join(parts)
    if all(firsts):  # an expression that begins with a set of bytes is searched for them, several times as fast
        begin = b"".join(dict.fromkeys(first[0] for first in firsts if first))
        either = b"[" + begin + b"](?:" + either + b")"
    pattern = re.compile(either, re.MULTILINE)
    return Hiding(pattern, {pattern.groupindex[f"hide{number}"]: number for number in range(len(hides))})


def _of_any_alphabet(expression: str) -> bytes:
    """Returns an expression for bytes whose letters are those of any alphabet, as the head of this file says."""

    def wider(match: re.Match[str]) -> str:
        text = match[0]
        if text == r"\w":
            return rf"[\w{_BEYOND_ASCII}]"
        if text == r"\b":
            return rf"\b(?![{_BEYOND_ASCII}])"
        if text == r"[^\W\d]":
            return f"[A-Za-z_{_BEYOND_ASCII}]"
        holds_letters = r"\w" in text or ("A-Z" in text and "a-z" in text)
        is_set = text.startswith("[") and not text.startswith("[^")
        return f"[{_BEYOND_ASCII}{text[1:]}" if is_set and holds_letters else text

    return _ASCII_ALONE.sub(wider, expression).encode()


def _up_to(text: bytes) -> bytes:
    """Returns an expression for all before the next place of a text.

    It takes several times as long to ask for as few bytes as there may be: then what follows is tried behind each.
    """
    first, rest = re.escape(text[:1]), re.escape(text[1:])
    return b"[^%b]*+" % first + (b"(?>(?:%b(?!%b)[^%b]*+)*)" % (first, rest, first) if rest else b"")


def _embeds(lines: str) -> Embeds:
    """Compiles what begins the code of other languages."""
    parted = [(line.partition(" ")[0], *line.partition(" ")[2].rsplit(" ", 1)) for line in lines.splitlines()]
    either = "|".join(f"({opening})" for _, opening, _ in parted)
    return Embeds(re.compile(either.encode()), tuple((name, closing.encode()) for name, _, closing in parted))


def _sign(text: str) -> bytes:
    """Returns the sign before a body, or nothing for none."""
    if text and not text.startswith("="):
        raise ValueError(f"{text!r} does not begin with an equals sign")
    return text.encode()


def _parted(line: str) -> tuple[str, frozenset[str], str]:
    """Parts a pattern into its kind, where it may stand, and its expression."""
    head, _, expression = line.partition(" ")
    kind, _, places = head.partition("@")
    if not expression:
        raise ValueError(f"{line!r} holds no expression")
    return kind, frozenset(places.split(",")) if places else frozenset(), expression


@cache
def _inside(rules: tuple[tuple[str, str], ...]) -> Inside:
    parts: list[str] = []
    for number, (_, expression) in enumerate(rules):
        own = re.sub(r"\(\?P(<\w+|=\w+)", rf"(?P\g<1>{number}", expression)
        # with its group behind it, a pattern that begins with a fixed text is tried only where that stands
        parts.append(f"(?:{own})(?P<rule{number}>)")
    either = _of_any_alphabet("|".join(parts or ["(?!)"]))
    pattern = re.compile(b"\n([ \t]*+)(?!\n)(?:" + either + b")", re.MULTILINE)
    groups = pattern.groupindex
    found: dict[int, Rule] = {}
    for number, (kind, _) in enumerate(rules):
        own, _, place = kind.partition(":")
        found[groups[f"rule{number}"]] = Rule(own, place, *(groups.get(f"{group}{number}", 0) for group in _GROUPS))
    return Inside(pattern, found)
