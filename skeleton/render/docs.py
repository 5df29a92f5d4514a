"""Cuts doc comments and docstrings to their first sentence, in the notation they are written in.

The notation is told from the text alone, by the tables below: a string literal, a block between an opener and a closer,
or a run of line comments that share a mark.
"""

from __future__ import annotations

import re

from skeleton.render.sentences import first_sentence

_STRING = re.compile(
    rb"\A((?:@\w+[ \t]+|-[a-z]+[ \t]*(?:\([ \t]*)?)?~?[A-Za-z]{0,2})(\"\"\"|'''|\"|')(.*)\2((?:\s*\))?[ \t]*\.)?\Z",
    re.DOTALL,
)
"""A string literal, and one that an attribute of a module is: `@doc "…"` of Elixir, `-doc("…").` of Erlang."""

_BLOCKS = (
    (re.compile(rb"/\*[*!]*<?|/\+\+?"), rb"*/"),
    (re.compile(rb"\{-\s*[|^]?"), rb"-}"),
    (re.compile(rb"\(\*+"), rb"*)"),
    (re.compile(rb"<!--"), rb"-->"),
    (re.compile(rb"#\[=*\["), b""),
    (re.compile(rb"#="), rb"=#"),
    (re.compile(rb"<#+"), rb"#>"),
    (re.compile(rb"--\[(=*)\["), b""),
)
_RUBY_BLOCK = re.compile(rb"=begin\b[^\n]*\n(.*?)\n?=end\b[^\n]*\Z", re.DOTALL)
_HELP = re.compile(
    r"^[ \t]*\.SYNOPSIS[ \t]*\n(.*?)(?=^[ \t]*\.[A-Z]{4,}\b|\Z)", re.DOTALL | re.IGNORECASE | re.MULTILINE
)
"""The section of a help of PowerShell that sums it up."""

_LINE_MARK = re.compile(rb"[ \t]*(//[/!]*<?|--+[ \t]?[|^*]?|#+['!|]?(?!\w*\()|;+|%+|\*)")
_ORDER = re.compile(
    rb"[a-z]+:[a-z]|nolint\b|(?:end)?region\b|requires[ \t]|[ \t]*\.(?:SYNOPSIS|DESCRIPTION)[ \t]*\Z"
    rb"|[ \t]*(?::(?:nodoc|doc|stopdoc|startdoc|call-seq):|rubocop:|reek:|-\*-|(?:frozen_string_literal|encoding|typed):\s)"
)
"""The text behind the mark of a line that is written for a tool: `//nolint:lll`, `# rubocop:disable Style`, `#
:nodoc:`, `#region`; the name of a section of a help, too (`# .SYNOPSIS`)."""

_DECORATION = re.compile(r"^[ \t]*(?:\*(?!\*?\w+\*)|\|(?=\s))?[ \t]?", re.MULTILINE)
_HEADING = re.compile(r"[-=*#~_+/]{4,}")
"""The beginning of a comment that parts a file into sections and documents nothing."""

_WORD = re.compile(r"\w")
_RULER = re.compile(r"^[^\w\n@\\<]*$\n?", re.MULTILINE)


def summary(doc: bytes) -> bytes:
    """The doc with its first sentence only, on one line, in its own notation; b"" where it says nothing.

    It is a fixed point: the summary of a summary is itself. Ruby's blocks, which need lines of their own, become a line
    comment.
    """
    doc = doc.replace(b"\r\n", b"\n")
    if match := _STRING.match(doc):
        return _string(match[1], match[2], match[3], match[4] or b"")
    if match := _RUBY_BLOCK.match(doc):
        sentence = _sentence(match[1].decode("utf-8", "replace"))
        return b"# " + sentence if sentence else b""
    for opener, closer in _BLOCKS:
        if match := opener.match(doc):
            return _block(match, closer, doc)
    return _lines(doc)


def _string(prefix: bytes, quotes: bytes, body: bytes, suffix: bytes) -> bytes:
    sentence = _sentence(body.decode("utf-8", "replace"))
    if not sentence:
        return b""
    last = b" " if sentence.endswith((quotes[:1], b"\\")) else b""
    first = b" " if sentence.startswith(quotes[:1]) else b""
    if prefix.startswith((b"@", b"-")) and len(quotes) == 3:  # Such heredocs need lines of their own.
        quotes, sentence = quotes[:1], re.sub(rb"(?<!\\)" + quotes[:1], b"\\\\" + quotes[:1], sentence)
    return prefix + quotes + first + sentence + last + quotes + b"".join(suffix.split())


def _block(opener: re.Match[bytes], closer: bytes, doc: bytes) -> bytes:
    if not closer:
        closer = b"]" + b"=" * opener[0].count(b"=") + b"]"
    body = doc[opener.end() :].removesuffix(closer).decode("utf-8", "replace").rstrip("*")
    if opener[0].startswith(b"<#") and (section := _HELP.search(body)):
        body = section[1]
    text = _RULER.sub("", _DECORATION.sub("", body), count=1) if "\n" in body else body
    sentence = b"" if _HEADING.match(text.lstrip()) else _sentence(text)
    return opener[0] + b" " + sentence + b" " + closer if sentence and closer not in sentence else b""


def _lines(doc: bytes) -> bytes:
    match = _LINE_MARK.match(doc)
    if match is None:
        return b""
    mark = match[1]
    lines: list[str] = []
    for line in doc.split(b"\n"):
        raw = line.strip()
        start = _LINE_MARK.match(raw)
        raw = raw[start.end() if start else 0 :]
        if _ORDER.match(raw):
            continue
        text = raw.decode("utf-8", "replace")
        if not lines and not _WORD.search(text):
            continue
        if not text.strip() and lines[0].lstrip()[:1].isalpha():
            break  # the end of a paragraph that is one from its first word on
        lines.append(text)
    sentence = _sentence("\n".join(line.removeprefix(" ") for line in lines))
    if mark.startswith(b"--"):
        sentence = sentence.lstrip(b"|^* ")  # what would be read as a part of the mark the next time
    return mark.rstrip() + b" " + sentence if sentence else b""


def _sentence(text: str) -> bytes:
    sentence = first_sentence(text)
    return sentence.encode() if _WORD.search(sentence) else b""
