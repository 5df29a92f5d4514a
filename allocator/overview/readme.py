"""Reads the beginning of a README: what a project says of itself before all else.

The text is parted into blocks, and what tells nothing of the project is left out: pictures, tables and rules, ways to
elsewhere, thanks to sponsors, who makes it and how to reach them, what announces a thing that is left out, and headings over nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from allocator.overview.markup import BREAK, LINK, LINKED, PICTURE, WHOLE_LINK
from allocator.overview.readme_blocks import GONE, ITEM, READ, WORD, Block, Kind, blocks_of, unmarked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOST_README = 700
"""Characters of a README that are shown."""

LEAST_LINE = 25
"""Characters of a paragraph or a heading, after the first; shorter ones are remains of badges, and names of sections."""

LEAST_STATED = 6
"""Words of a sentence before a picture, or of one that is a heading, that says something by itself."""

LEAST_ITEM = 6
"""Characters of an item of a list."""

INDENT = "  "
"""Before an item that stands below another."""

LEAST_FIRST = 4
"""Characters of what comes first."""

_SAID_BY = re.compile(r"> ?(?:--|[\u2013\u2014]) ?[^\W_]")
"""The line of a quotation that says whose it is."""

_ALERT = re.compile(r"> ?\[!\w+\]")
_PICTURE_INSIDE = re.compile(rf"[^\W_][{LINK}{LINKED} ]*{PICTURE}[{PICTURE}{LINKED} ]*[a-z]")
"""A picture that stands for a word: `a (picture) project`."""

_BETWEEN = re.compile(r"[|•·/]")
_EMOJI = re.compile(r":\w{1,40}:")
_POINTS = re.compile(
    r"\b(?:choose|here|above|below|following|follows|like|these|those|this|examples?|looks?|table|list|screen\w*|pictures?|images?"
    r"|diagrams?|figures?|charts?|graphs?|demo\w*|videos?|gifs?|results?|benchmarks?)\b",
    re.IGNORECASE,
)
"""Words of a sentence that speaks of what is shown behind it."""

_ADDRESS = re.compile(r"(?:https?|ftp)://\S+|www\.[\w.-]+|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}/\S*")
_EMPHASIS = re.compile(r"[*_`]{1,3}(?=[^\s*_`])|(?<=[^\s*_`])[*_`]{1,3}")
_INVITES = re.compile(r"(?:ask|browse|check|create|follow|join|look|open|read|see|visit|watch)\b", re.IGNORECASE)
_GUIDES = re.compile(
    r"\b(?:see|visit|refer to|check out|consult|head over|look at|learn more|read more|(?:be found|available|documented) (?:at|in|on|here)"
    r"|(?:be found|available|documented)(?= ?" + LINK + r")|for (?:more|further) (?:information|details?))\b",
    re.IGNORECASE,
)
"""Words of a sentence that sends its reader elsewhere."""

_HERE = f" {LINK}here{LINKED}"
"""The end of a sentence that names a thing and says only by its address where that is."""

_SENDS = re.compile(
    r"\W*(?:please )?(?:also )?(?:see|visit|refer to|check out|consult|head over to|(?:take|have) a (?:look|gander) at)\b[^.!?]*\Z",
    re.IGNORECASE,
)
"""A sentence that only sends its reader elsewhere."""

_WHERE = re.compile(
    rf"(?:(?:[^\s:]{{1,40}} ){{0,4}}[^\s:]{{1,40}}: |(?i:(?:available|hosted|located) (?:at|on) ))"
    rf"(?!https?://(?:localhost|127\.))(?:{_ADDRESS.pattern})"
)
"""An address behind a label of few words, elsewhere: `Documentation: https://…`."""

_OF_ITSELF = re.compile(r"\W*(?:the (?:aim|goal|purpose) of )?this readme\b", re.IGNORECASE)
"""The beginning of a paragraph that speaks of the README and not of the project."""

_LABEL = re.compile(r"[^:\u2013\u2014-]{0,60}[:\u2013\u2014-]")
"""A label before a row of links."""

_IN_LANGUAGES = re.compile(r"\b(?:languages?|translat(?:ed|ions?))\b", re.IGNORECASE)
"""Words of a label before links to the same text in other languages."""

_GOES_ON = re.compile(r"\b(?:and|as follows|or|then|using|via)$", re.IGNORECASE)
_ENDS = re.compile(r"[.!?][\"')*_`\]]*$")
_STATED = re.compile(r"[.!][\"')*_`\]]*$")
_SENTENCE = re.compile(r"[.!?][\"')*_]{0,3}(?= +[^\Wa-z\d_]| +[`*_\"'])")
_INSTALLING = re.compile(
    r"\W*(?:install(?:ation|ing)?(?: instructions)?|requirements|prerequisites|(?:table of )?contents)\W*",
    re.IGNORECASE,
)
"""A heading over how to install it."""

_CONTENTS = re.compile(r"\W*(?:table of )?contents\W*(?:\([^)]{0,40}\)\W*)?", re.IGNORECASE)
"""A line over links that is no heading."""

_THANKS = re.compile(
    r"\b(?:sponsors?|sponsored|sponsoring|sponsorship|backers?|donate|donations?|supporters|supported by|special thanks)\b",
    re.IGNORECASE,
)
_SPONSOR = re.compile(r"[^:\u2013\u2014]{0,40}\bsponsors?\b[^:\u2013\u2014]{0,20}[:\u2013\u2014]", re.IGNORECASE)
"""The beginning of a paragraph that says whose advertisement it is: `Featured Sponsor: …`."""

_THANKING = re.compile(
    r"\W{0,9}(?:(?:many|special|huge|big) )?thanks to (?:all )?(?:the |our )?(?:\w{1,20} ){0,2}"
    r"(?:contributors|folks|friends|people|teams?|volunteers)\b",
    re.IGNORECASE,
)
"""The beginning of a paragraph that thanks somebody: `Thanks to the kind folks at …`, but not `Thanks to its index …`."""

_STARS = re.compile(r"\W*(?:please |if you )[^.!?]{0,80}\b(?:starring|stars?)\b[^.!?]*[.!?]?\W*", re.IGNORECASE)
"""A paragraph that asks for a star."""

_ASIDE = re.compile(
    r"\W*(?:(?:available |support )?for (?:the )?enterprises?|(?:commercial|enterprise|professional) support|funding"
    r"|support(?:ing)?(?: (?:us|me|[\w-]+))?|(?:how to )?contribut(?:e|ing|ions?|ors)(?: .{1,80})?"
    r"|(?:join (?:the|our) )?community|(?:the )?(?:authors?|maintainers|credits|acknowledge?ments|thanks)|code of conduct"
    r"|(?:getting |get )?help|(?:report(?:ing)? )?(?:bugs|issues|security issues|vulnerabilities)|bug reports?|contact"
    r"|(?:do you )?(?:have|found|got) (?:an? |any )?(?:bugs?|issues?|problems?|questions?)"
    r"|licen[cs](?:e|ing)(?:,? etc)?|copyright|roadmap|changelog)\W*",
    re.IGNORECASE,
)
"""A heading over who makes it, who pays for it, how to reach them, and what they plan."""


def readme_lines(text: str) -> tuple[str, ...]:
    """The first lines of a README that say something of the project.

    Where all there is leads elsewhere or thanks somebody, that is shown.

    Args:
        text: the file.
    """
    chosen = _chosen(blocks_of(text, strict=True), strict=True)
    if not any(block.kind in READ for block in chosen):
        chosen = _chosen(blocks_of(text, strict=False), strict=False)
    return tuple(line for block in _indented(_beginning(chosen)) for line in block.lines)


def _indented(blocks: Iterable[Block]) -> Iterator[Block]:
    """Has items that stand below another begin behind it, as in the README."""
    around: list[int] = []
    for block in blocks:
        while around and (block.kind is not Kind.ITEM or around[-1] + 1 >= block.level):
            around.pop()
        first, *others = block.lines
        yield block._replace(lines=(INDENT * len(around) + first, *others))
        if block.kind is Kind.ITEM:
            around.append(block.level)


def _chosen(blocks: Iterable[Block], *, strict: bool) -> list[Block]:
    """Returns the blocks that say something, without marks.

    Args:
        blocks: all of them.
        strict: leave out what leads elsewhere, thanks, and alerts but for their first sentences.
    """
    if strict:
        blocks = _without_links(_installing_last(_without_thanks(_alerted(blocks))))
    bare = [_as_code(block) if block.kind is Kind.CODE else _as_text(block) for block in blocks]
    first = next((at for at, block in enumerate(bare) if block.kind in (*READ, Kind.HEADING)), 0)
    least = dict.fromkeys(Kind, 1) | {Kind.TEXT: LEAST_LINE if strict else LEAST_ITEM, Kind.ITEM: LEAST_ITEM}
    chosen: list[Block] = []
    follows = GONE
    for at in range(len(bare) - 1, -1, -1):
        block = bare[at]
        if block.kind is Kind.RULE:
            continue
        if block.kind is Kind.SHOWN:
            follows = block
            continue
        leads = at == first or (_announces(block) and follows.kind in (Kind.ITEM, Kind.CODE))
        fewest = LEAST_FIRST if leads and block.kind is Kind.TEXT else least[block.kind]
        if len(" ".join(block.lines)) < (min(fewest, LEAST_ITEM) if at and _announces(bare[at - 1]) else fewest):
            block = GONE
        elif block.kind is Kind.HEADING:
            over = chosen[-1] if chosen else block
            is_over_nothing = over.kind is Kind.HEADING and over.level <= block.level
            block = GONE if at != first and is_over_nothing and not _states(block) else block
        elif follows.kind not in READ or (block.kind is follows.kind is Kind.ITEM and follows.level <= block.level):
            block = _announcing_nothing(block, shown=follows.kind is Kind.SHOWN)
        follows = block
        if block.kind is not Kind.NOTHING:
            chosen.append(block)
    chosen.reverse()
    return chosen


def _as_text(block: Block) -> Block:
    """Returns a block without marks, and without what announces a picture that stands in its last line."""
    if block.kind is Kind.HEADING and (_PICTURE_INSIDE.search(block.lines[0]) or _names_a_place(block.lines[0])):
        return GONE
    lines = tuple(bare for line in block.lines if (bare := unmarked(line)))
    if block.kind is Kind.TEXT or not block.opens_section:
        lines = tuple(line for line in lines if not _CONTENTS.fullmatch(line))
    if not lines:
        return block if block.kind in (Kind.RULE, Kind.SHOWN) else GONE
    text = block._replace(lines=lines)
    return _announcing_nothing(text, shown=True) if block.lines[-1].rstrip(f" {BREAK}").endswith(PICTURE) else text


def _names_a_place(heading: str) -> bool:
    """Tells whether a heading is an address and no more."""
    return LINK in heading and _ADDRESS.fullmatch(unmarked(heading).strip("#=*_ ")) is not None


def _as_code(block: Block) -> Block:
    """Returns code, but for what is drawn with signs in place of words."""
    return block if any(map(WORD.search, block.lines)) else GONE


def _alerted(blocks: Iterable[Block]) -> Iterator[Block]:
    """Leaves the first sentences of an alert: it speaks to those who know the project. What others said is left out."""
    alert = said = False
    for block in blocks:
        is_quote = block.kind is Kind.TEXT and block.lines[0].startswith(">")
        lines = block.lines
        if is_quote and any(map(_SAID_BY.match, lines[1:])):
            yield GONE
            continue
        if is_quote and _ALERT.match(lines[0]):
            alert, said = True, False
            lines = lines[1:]
        alert = alert and is_quote
        if not alert:
            yield block
        elif lines and not said:
            said = True
            end = next((at for at, line in enumerate(lines, 1) if _ENDS.search(unmarked(line))), len(lines))
            yield block._replace(lines=lines[:end])


def _installing_last(blocks: Iterable[Block]) -> list[Block]:
    """Has a section that tells how to install it, and nothing that says what it is before, come last."""
    first: list[Block] = []
    last: list[Block] = []
    level, begun = 0, False
    for block in blocks:
        if block.kind is Kind.HEADING and block.opens_section and (not level or block.level <= level):
            level = block.level if not begun and _INSTALLING.fullmatch(unmarked(block.lines[0])) else 0
        (last if level else first).append(block)
        begun = begun or (not level and block.kind in READ)
    return first + last


def _without_thanks(blocks: Iterable[Block]) -> Iterator[Block]:
    """Leaves out what stands under headings that thank who gives money or tell of who makes it, up to the next section or rule."""
    blocks = [*blocks]
    levels = Counter(block.level for block in blocks if block.kind is Kind.HEADING and block.opens_section)
    under = 0
    begun = False  # a title, the only one of its level, is what it is
    for block in blocks:
        if block.kind is Kind.HEADING:
            is_title = not begun and block.opens_section and levels[block.level] == 1
            thanks = not is_title and (_THANKS.search(block.lines[0]) or _ASIDE.fullmatch(block.lines[0]))
            if under and block.opens_section and block.level <= under:
                under = 0
            if thanks and not under and block.opens_section:
                under = block.level
            yield GONE if thanks or under else block
        elif block.kind is Kind.RULE:
            under = 0
            yield block
        else:
            is_paid = block.kind is Kind.TEXT and LINK in block.lines[0] and _SPONSOR.match(unmarked(block.lines[0]))
            text = " ".join(map(unmarked, block.lines)) if block.kind is Kind.TEXT else ""
            asks = _STARS.fullmatch(text) or _THANKING.match(text)
            yield GONE if under or is_paid or asks else block
        begun = begun or block.kind not in (Kind.NOTHING, Kind.SHOWN)


def _without_links(blocks: Iterable[Block]) -> Iterator[Block]:
    """Leaves out what leads elsewhere: lists of links, lines of them, and addresses that nothing announces."""
    announced = False
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        if kind is Kind.ITEM:
            yield from _list_without_links(list(group))
        elif kind is Kind.TEXT:
            for block in group:
                lines = block.lines if announced and _is_address(block.lines) else _text_without_links(block.lines)
                yield block._replace(lines=lines) if lines else GONE
                announced = _announces(block)
        else:
            yield from (GONE if _is_row(" ".join(block.lines)) else block for block in group)
        announced = announced and kind is Kind.TEXT


def _list_without_links(items: Sequence[Block]) -> Iterator[Block]:
    """Leaves out the items that are links, unless most of the others say something: a list of features has links, too."""
    texts = [ITEM.sub("", " ".join(item.lines), count=1) for item in items]
    leads = [
        _is_labelled(text) and not (_ENDS.search(unmarked(text)) and unmarked(text).count(" ") > 1) for text in texts
    ]
    if all(leading or _invites(text) for leading, text in zip(leads, texts, strict=True)):
        leads = [True] * len(items)
    elif 2 * sum(leads) < len(items):
        leads = [False] * len(items)
    for item, leading in zip(items, leads, strict=True):
        yield GONE if leading else item


def _text_without_links(lines: Sequence[str]) -> tuple[str, ...]:
    """Leaves out the lines of a paragraph that are links, and no part of a sentence."""
    kept: list[str] = []
    part: list[str] = []
    for at, line in enumerate(lines, 1):
        part.append(line)
        if line.endswith(BREAK) or at == len(lines):
            while part and _leads_away(part[-1]) and (_ENDS.search(unmarked(part[-2])) if len(part) > 1 else True):
                part.pop()
            text = " ".join(part)
            says_where = all(_WHERE.fullmatch(_EMPHASIS.sub("", unmarked(one))) for one in part)
            if not (says_where or all(map(_leads_away, part))) and not (
                _is_row(text) or _is_in_languages(text) or _guides(text) or _OF_ITSELF.match(text)
            ):
                kept += part
            part = []
    return () if _is_address(kept) else tuple(kept)


def _is_address(lines: Sequence[str]) -> bool:
    return len(lines) == 1 and _ADDRESS.fullmatch(unmarked(lines[0])) is not None


def _announces(block: Block) -> bool:
    """Tells whether a text ends where what follows goes on: with a colon, or a paragraph within a sentence."""
    if not block.lines or block.kind is Kind.CODE:
        return False
    end = block.lines[-1].rstrip(f"*_ {LINKED}{BREAK}")
    return end.endswith((":", "：")) or (block.kind is Kind.TEXT and _GOES_ON.search(end) is not None)


def _leads_away(text: str) -> bool:
    """Tells whether all words of a text stand in links, if there are any."""
    return not WORD.search(_outside(text))


def _is_labelled(text: str) -> bool:
    """Tells whether all words of a text stand in links, but for a label before these: `Tools: [Metrics](x) and [Output](y)`."""
    outside = _outside(text)
    label = _LABEL.match(outside) if LINK in text else None
    return {"and", "or"}.issuperset(WORD.findall(outside[label.end() :] if label else outside))


def _guides(text: str) -> bool:
    """Tells whether every sentence of a text sends its reader to a link of which no address is shown."""
    sentences = _SENTENCE.sub(lambda found: f"{found[0]}{BREAK}", text.replace(BREAK, "")).split(BREAK)
    bare = [one.rstrip("*_.! ") for one in sentences]
    return all(
        ((one.endswith(LINKED) and _GUIDES.search(one)) or (LINK in one and _SENDS.match(one)) or one.endswith(_HERE))
        and not any(_ADDRESS.fullmatch(said.strip(f"{LINK}{LINKED}")) for said in WHOLE_LINK.findall(one))
        for one in bare
    )


def _is_row(text: str) -> bool:
    """Tells whether a text is a row of links; a word or two may be those of the page itself."""
    outside = _outside(text)
    return text.count(LINK) > 1 < len(_BETWEEN.findall(outside)) and len(WORD.findall(outside)) < 3


def _is_in_languages(text: str) -> bool:
    """Tells whether a text only says where it can be read in other languages."""
    return text.count(LINK) > 1 and _is_labelled(text) and _IN_LANGUAGES.search(_outside(text)) is not None


def _outside(text: str) -> str:
    return _EMOJI.sub("", WHOLE_LINK.sub("", text))


def _invites(text: str) -> bool:
    """Tells whether a text only asks its reader to follow the link at its end."""
    return bool(_INVITES.match(text)) and text.rstrip("*_.").endswith(LINKED) and text.count(LINK) == 1


def _announcing_nothing(block: Block, *, shown: bool = False) -> Block:
    """Returns a block without its last sentence, where what follows goes on with that.

    Args:
        block: announces what is left out.
        shown: that is a picture or a table, without which a sentence may say enough.
    """
    if not _announces(block):
        return block
    left = _whole_sentences(block.lines)
    last = " ".join(block.lines)[len(" ".join(left)) :].strip()
    if shown and last.endswith(":") and len(WORD.findall(last)) >= LEAST_STATED and not _POINTS.search(last):
        return block._replace(lines=(*block.lines[:-1], block.lines[-1].removesuffix(":") + "."))
    return block._replace(lines=left) if left else GONE


def _whole_sentences(lines: Sequence[str]) -> tuple[str, ...]:
    """Returns lines up to the last end of a sentence, none where that is not far."""
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        end = len(line) if _ENDS.search(line) else max((found.end() for found in _SENTENCE.finditer(line)), default=0)
        if end:
            whole = (*lines[:at], line[:end])
            return whole if len(" ".join(whole)) >= LEAST_LINE else ()
    return ()


def _beginning(blocks: Sequence[Block]) -> list[Block]:
    """Returns as many blocks as there is room for, the last with the sentences that fit, or of code the lines.

    Code that does not fit is left out with what announces it, and with the rest of its
    section, which speaks of it; but where there is nothing else.
    """
    shown: list[Block] = []
    room = MOST_README
    left_out = False
    for block in blocks:
        left_out = left_out and block.kind is not Kind.HEADING
        if left_out:
            continue
        if shown and block.kind is Kind.HEADING and len(block.lines[0]) < LEAST_LINE and not _asks(block):
            continue
        if block.kind is Kind.CODE and len(shown) > 1 and sum(map(len, block.lines)) > room:
            _end_with_what_is_shown(shown)
            left_out = True
            continue
        while len(shown) > 1 and block.kind is shown[-1].kind is Kind.HEADING and shown[-1].level >= block.level:
            shown.pop()
        lines: list[str] = []
        for line in block.lines:
            if len(line) > room and (shown or lines):
                whole = () if block.kind is Kind.CODE else _whole_sentences((*lines, line[:room] + "…"))
                is_all = not whole and all(before.kind is Kind.HEADING for before in shown)
                lines = [*lines, line] if is_all else list(whole) or (lines if block.kind is Kind.CODE else [])
                room = -1
                break
            room -= len(line)
            lines.append(line)
        if lines:
            shown.append(block._replace(lines=tuple(lines)))
        if room < 0:
            break
    _end_with_what_is_shown(shown)
    while len(shown) > 1 and shown[-1].kind is Kind.HEADING:
        shown.pop()
    return shown


def _states(heading: Block) -> bool:
    """Tells whether a heading is a sentence that says something though nothing stands below it."""
    return len(WORD.findall(heading.lines[0])) >= LEAST_STATED and _STATED.search(heading.lines[0]) is not None


def _asks(heading: Block) -> bool:
    """Tells whether a heading is a question without which no answer is understood, as `What is Pump?` is not."""
    bare = heading.lines[0].strip("#=*_ ")
    return bare.endswith("?") and not bare.lower().startswith(("what is ", "what's ", "what’s "))


def _end_with_what_is_shown(shown: list[Block]) -> None:
    """Takes from the end what announces more, but for the first block."""
    while len(shown) > 1 and shown[-1] != (last := _announcing_nothing(shown[-1])):
        shown[-1:] = [last] if last.lines else []
