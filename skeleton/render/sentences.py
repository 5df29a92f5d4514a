"""Finds the first sentence of a text: the part that a reader skims of a docstring, a doc comment or a paragraph.

Level L1 keeps the first sentence of the first paragraph. Documentation is not prose alone: its
first paragraph also ends at a tag (`@param`, `:param x:`, `Args:`), a list, a code block or an underline, and a full
stop inside `e.g.`, `v1.2` or `` `a. b` `` ends nothing. The rules are three tables of regular expressions: what may
stand before the first paragraph, what ends it, and which abbreviations hide a full stop.

Every decision looks only at what stands before it and at the next word. That is why the function is idempotent: cutting
the text where it ended cannot change an earlier decision.
"""

from __future__ import annotations

import re

MAX_CHARACTERS = 200
"""The longest sentence that is given whole; a longer one is cut at a word and ends with `…`."""

_WINDOW = 4096
"""Characters of a text that are looked at: a first paragraph beyond it is cut anyway, and the time stays bounded."""

_PLAIN = r"[\w ,;:/()'\"`*+=|&%$#^~\[\]{}-]*"
_ONE_PLAIN_SENTENCE = re.compile(rf"[\w`'\"(]{_PLAIN}(?:\.\w{_PLAIN})*[\w)`'\"\]}}][.!?]?").fullmatch
"""The common case, a one-line doc: nothing inside it can end a sentence or a paragraph."""

_BEFORE_THE_SUMMARY = re.compile(
    r"""(?: \s+
          | [@\\](?:brief|short|summary)\b
          | <summary> | <para> | </?inheritdoc\b[^>\n]*> | \{@inherit[Dd]oc\}
          | \{@(?:template|macro)\b[^}\n]*\}
          | (?:(?:Examples?|Usage|e\.g\.)[ \t]*:?\s*)?\{\{\{(?:(?!\}\}\}).)*(?:\}\}\}|\Z)    # an example that stands first
          | [=\-~^*\#"'+`]{3,}[ \t]*\r?\n      # the line above an overlined title
        )*""",
    re.VERBOSE | re.DOTALL,
).match

_CALL_FORMS = re.compile(r"\s*\n(?:(?:[ ]{4}|\t)[ \t]*\S[^\n]*\n)+(?:[ \t]*\n)+(?=[^\s#])").match
"""Indented lines above a first paragraph that is not: what is called, as Julia's docs begin."""

_MEMBERS = re.compile(
    r"^[ \t]*@(?:(?P<method>method)\b[^\n(]*?(?<!\w)(?P<called>\w+)[ \t]*\(|property(?:-read|-write)?\b[^\n$]*\$(?P<read>\w+))",
    re.MULTILINE,
)
"""A tag that declares a member which the code does not: `@method static bool has(string $key)`."""

_PARAGRAPH_END = re.compile(
    r"""</(?:summary|para)>
      | \{@endtemplate\} | \{\{\{
      | \n[ \t\r]*
        (?: \n                                 # a blank line
          | [-*+•][ ] | \d{1,3}[.)][ ]         # a list
          | [@\\][A-Za-z]                      # @param, \return
          | :[A-Za-z][^:\n]*:(?=\s|$)          # :param x:
          | \.\.[ ]                            # a directive
          | (?:Args|Arguments|Attributes|Examples?|Keyword\ Arg(?:ument)?s|Notes?|Param(?:eter)?s|Raises|References
              |Returns?|See\ Also|Throws|Usage|Warnings?|Warns|Yields?) [ \t]* (?:::?)? [ \t]* (?:\r?\n|$)
          | ```|~~~|>>>                        # code
          | \#{1,6}[ ]                         # the next heading
          | ([=\-~^*\#"'+`])\1{2,}[ \t]*(?:\r?\n|$)    # the underline of a heading
          | </?(?:p|ul|ol|li|pre|table|dl|h[1-6]|blockquote|para|param|returns|remarks|code|example|br|hr)\b
        )""",
    re.VERBOSE,
).search

_STOP = re.compile(
    r"""(?P<code>`+|'(?!\w))
      | (?P<stop>\.+|[!?…]+)[)\]}"'”’»*_]*(?=\s|$)
      | (?P<wide>[。！？．｡]+[」』）”’]*)""",
    re.VERBOSE,
).finditer

_NEVER_ENDS = re.compile(
    r"""(?<![\w.])(?:e\.g|i\.e|eg|ie|vs|cf|viz|a\.k\.a|w\.r\.t|N\.B|Dr|Mr|Mrs|Ms|Prof|St|resp|approx|incl|excl|Eqs?|eqs?
        |Figs?|figs?|Secs?|Refs?|pp)$
      | ^[\[(]?\d{1,3}$                        # the number of a list item
      | (?:\b[A-Z][a-z]+\ |\b[A-Z]\.\ ?)[A-Z]$    # an initial""",
    re.VERBOSE,
).search

_ENDS_BEFORE_A_CAPITAL = re.compile(
    r"(?<![\w.])(?:etc|al|Inc|Ltd|Co|Corp|Jr|Sr|U\.S|no|No|nr|max|min|ca|p|vol|ch)$"
).search
"""Abbreviations that do end a sentence when the next word has a capital."""

_LONGEST_ABBREVIATION = 16


def first_sentence(text: str) -> str:
    """The first sentence of the first paragraph of a documentation text, on one line.

    Comment markers (`///`, ` * `, `#`) are the caller's to take off; tags are not: a leading `@brief` is dropped, and
    the tags behind the summary end it. A text that opens with another tag (`@return the name`) has no other summary, so
    its first tag is given. Inline tags (`{@link X}`) and markup stay as they are.

    Returns:
        The sentence with white space folded to single spaces, at most `MAX_CHARACTERS` characters (then it is cut at a
        word and ends with `…`); all of a paragraph that has no sentence end; "" when there is no text. It is
        idempotent: the first sentence of a first sentence is itself.
    """
    if len(text) <= MAX_CHARACTERS and _ONE_PLAIN_SENTENCE(text) and "  " not in text:
        return text
    if forms := _CALL_FORMS(text[:_WINDOW]):
        text = text[forms.end() :]
    text = text.lstrip()[:_WINDOW]
    if summary := _plain_first_line(text):
        return summary
    text = _declared_members(text) or text
    before = _BEFORE_THE_SUMMARY(text)
    start = before.end() if before else 0
    end = _PARAGRAPH_END(text, start)
    folded = " ".join(text[start : end.start() if end else None].split())
    sentence = folded[: _sentence_length(folded)]
    if len(sentence) <= MAX_CHARACTERS:
        return sentence
    return _cut_at_a_word(sentence)


def _declared_members(text: str) -> str:
    """The names of the members that a text declares which begins with tags for several: `@method get, put @property id`."""
    found = list(_MEMBERS.finditer(text)) if text.startswith(("@method", "@property")) else []
    if len(found) < 2:
        return ""
    methods = ", ".join(dict.fromkeys(one["called"] for one in found if one["method"]))
    fields = ", ".join(dict.fromkeys(one["read"] for one in found if one["read"]))
    return " ".join(f"{tag} {names}" for tag, names in (("@method", methods), ("@property", fields)) if names)


def _plain_first_line(text: str) -> str:
    """The first line, when it is one plain sentence by itself; else "". It only saves time."""
    line = text.partition("\n")[0].rstrip()
    if len(line) > MAX_CHARACTERS or line[-1:] != "." or "`" in line or "  " in line or not _ONE_PLAIN_SENTENCE(line):
        return ""
    word = line[-1 - _LONGEST_ABBREVIATION : -1]
    return "" if _NEVER_ENDS(word) or _ENDS_BEFORE_A_CAPITAL(word) else line


def _sentence_length(folded: str) -> int:
    """Characters of the first sentence of a text whose white space is folded."""
    code_mark = ""
    for match in _STOP(folded):
        if mark := match["code"]:
            if not code_mark:
                code_mark = mark if mark[0] == "`" else ""
            elif mark in (code_mark, "'"):
                code_mark = ""
        elif not code_mark and (match["wide"] or _ends(folded, match.start("stop"), match["stop"], match.end())):
            return match.end()
    return len(folded)


def _ends(folded: str, start: int, stop: str, after: int) -> bool:
    """Tells whether the stop at `start` ends a sentence, judged by the word before it and the first letter after it."""
    following = folded[after + 1 : after + 2]
    if folded[start - 1 : start] == " ":
        return False
    if stop[0] in "!?":
        return True
    if len(stop) > 1 or stop == "…":
        return not following.islower()
    word = folded[max(0, start - _LONGEST_ABBREVIATION) : start]
    if _NEVER_ENDS(word):
        return False
    return following.isupper() or not _ENDS_BEFORE_A_CAPITAL(word)


def _cut_at_a_word(sentence: str) -> str:
    space = sentence.rfind(" ", 0, MAX_CHARACTERS)
    cut = sentence[: space if space > 0 else MAX_CHARACTERS - 1]
    return cut.rstrip(" .,;:…") + "…"
