"""Profiles a folder: the cost of every file at each level, and what each of a row of budgets buys.

Nothing is estimated here: every purchase is an assembly of the same files as `get_context` makes, with another budget.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from allocator.assemble import assemble
from allocator.bringing import indexed
from skeleton import CompressionLevel
from skeleton.index.records import Aspect, Definitions, Facts
from workspace.cancellation import still_wanted
from workspace.errors import BudgetTooSmallError
from workspace.model import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from allocator.fileset import ContextRequest, FileSet
    from allocator.progress import Stages
    from allocator.show.framing import Portion
    from allocator.show.views import FileViews
    from skeleton import Definition, Skeleton
    from skeleton.index.code_index import CodeIndex

LEAST = 500
"""Tokens of the smallest budget of the row."""

MOST = 200_000
"""Tokens above which there is none but what was asked for."""

MANTISSAS = (1, 2, 3, 5, 7)
"""The budgets of the row between a power of ten and the next."""

MOST_CHOSEN = 400
"""Definitions for which it is told why they were chosen."""


class NamedDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """A definition that a reader can go to.

    Attributes:
        target: what `zoom` and `focus` know it by: `src/a.py::Config.load`.
        name: its qualified name.
        kind: such as `class`, `function`.
        line: where its name stands, from 1 on.
    """

    target: str
    name: str
    kind: str
    line: int


class LevelLines(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a level.

    Attributes:
        text: its lines.
        numbers: the line of the source that each comes from, from 1 on.
    """

    text: str
    numbers: Sequence[int]


class ProfiledText(msgspec.Struct, frozen=True, kw_only=True):
    """One file with its skeletons, as it may be shown: without secrets.

    Attributes:
        source: the text.
        skeletons: by level, L1 and L2; without a level whose text is that of the level above.
        definitions: those that a reader of L1 can see, by position.
    """

    source: str
    skeletons: Mapping[CompressionLevel, LevelLines]
    definitions: Sequence[NamedDefinition]


class ProfiledFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file and what it costs.

    Attributes:
        path: as contexts tell it.
        language: what it is written in; "" for plain text.
        tokens: of its text at L0, L1 and L2, without a frame; -1 where a level is not offered.
        notes: what is to be told of it, as the marks of a header.
        text: the file itself, where it was asked for.
    """

    path: str
    language: str
    tokens: tuple[int, int, int]
    notes: Sequence[str] = ()
    text: ProfiledText | None = None


class Purchase(msgspec.Struct, frozen=True, kw_only=True):
    """The files that one budget buys, and their costs.

    Attributes:
        budget: in tokens; None for no ceiling.
        tokens_used: of the whole context.
        shown: for each file that is shown, by its place, its level and the tokens of its framed block.
    """

    budget: int | None
    tokens_used: int
    shown: Mapping[int, tuple[CompressionLevel, int]]


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """A definition in the context that was asked for, and why it is there.

    Attributes:
        file: the place of its file.
        target: what `zoom` knows it by.
        kind: such as `class`, `function`.
        is_full: whether all of it is shown, or its signature alone.
        is_named: whether the call asked for it by name, or for what changed in it.
        weight: what the ranking gives it, from 0 to 1.
        parts: what each signal added to the logarithm of the weight, the largest first.
        words: words that it holds and that the query is about.
        callers: definitions that speak of it.
    """

    file: int
    target: str
    kind: str
    is_full: bool
    is_named: bool
    weight: float
    parts: Sequence[tuple[str, float]]
    words: Sequence[str]
    callers: Sequence[str]


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """A folder, and what budgets buy of it.

    Attributes:
        files: those that can be shown, in the order of the context.
        problems: of those that cannot, and anything else that went wrong.
        purchases: by budget, the smallest first.
        asked: the place of the one that was asked for.
        chosen: for a query, why definitions are shown under that budget, those of most weight first.
        more_chosen: how many are shown besides.
        encoding: the vocabulary that tokens are counted with.
    """

    files: Sequence[ProfiledFile]
    problems: Sequence[Problem]
    purchases: Sequence[Purchase]
    asked: int
    chosen: Sequence[Chosen]
    more_chosen: int
    encoding: str


def budgets(total: int, asked: int | None) -> list[int]:
    """Lists the budgets whose purchases are told.

    Args:
        total: tokens of all files in full.
        asked: the budget that was asked for; it is among them.
    """
    listed: list[int] = []
    for power in count(2):
        for mantissa in MANTISSAS:
            budget = mantissa * 10**power
            if budget >= LEAST:
                listed.append(budget)
            if budget > min(total * 1.1, MOST) and listed:
                last = [budget] if budget <= MOST else []
                return sorted({*listed[:-1], *last, *([asked] if asked else [])})
    raise AssertionError("the row ends")


def profiled(
    files: FileSet, request: ContextRequest, *, index: CodeIndex, stages: Stages, most_text: int, whole_row: bool
) -> Profile:
    """Makes the profile of the files of a call.

    Args:
        files: the files, with what is needed of them.
        request: what was asked for.
        index: knows the files.
        stages: is told how far it is.
        most_text: bytes of source, about, that are taken along.
        whole_row: whether the other budgets are bought too.

    Raises:
        BudgetTooSmallError: what was asked for cannot be shown within its budget.
        FileChangedError: a file had to be read again, and has changed.
    """
    facts = index.load(indexed(files.files), Aspect.FACTS, Facts, progress=stages.parsing)
    total = sum(one.tokens[0] for one in facts)

    shown: Sequence[Portion | None] = ()

    def noted(portions: Sequence[Portion | None]) -> tuple[str, None]:
        nonlocal shown
        shown = portions
        return "", None

    told = replace(files, hand_out=noted)

    def bought(budget: int | None) -> Purchase:
        asked_for = replace(request, token_budget=budget)
        result = assemble(told, asked_for, encoding=index.encoding, count=index.counts.count, stages=stages)
        return _purchase(budget, result.tokens_used, shown)

    asked = bought(request.token_budget)
    chosen, more = _chosen(files, shown, index)
    purchases = [asked]
    for budget in budgets(total, None) if whole_row else ():
        if budget == request.token_budget:
            continue
        try:
            purchases.append(bought(budget))
        except BudgetTooSmallError:
            continue
    purchases.sort(key=lambda one: float("inf") if one.budget is None else one.budget)
    texts = _texts(files.files, facts, asked, most_text, index)
    return Profile(
        files=[
            ProfiledFile(
                path=view.address, language=one.language, tokens=one.tokens, notes=view.notes, text=texts.get(number)
            )
            for number, (view, one) in enumerate(zip(files.files, facts, strict=True))
        ],
        problems=files.problems,
        purchases=purchases,
        asked=purchases.index(asked),
        chosen=chosen,
        more_chosen=more,
        encoding=index.encoding,
    )


def _purchase(budget: int | None, used: int, shown: Sequence[Portion | None]) -> Purchase:
    return Purchase(
        budget=budget,
        tokens_used=used,
        shown={number: (portion.level, portion.cost) for number, portion in enumerate(shown) if portion is not None},
    )


def _texts(
    files: Sequence[FileViews], facts: Sequence[Facts], asked: Purchase, most: int, index: CodeIndex
) -> dict[int, ProfiledText]:
    """The texts of the files that are shown, and then of the others, as many as are allowed."""
    taken: list[int] = []
    for number in sorted(range(len(files)), key=lambda number: number not in asked.shown):
        size = files[number].file.basics.bytes
        if size <= most:
            most -= size
            taken.append(number)
    views = [files[number] for number in taken]
    symbols = index.load(indexed(views), Aspect.SYMBOLS, Definitions)
    return {
        number: _text(view, facts[number], known.definitions)
        for number, view, known in still_wanted(zip(taken, views, symbols, strict=True))
    }


def _text(view: FileViews, facts: Facts, symbols: Sequence[Definition]) -> ProfiledText:
    source = view.source.source
    above = view.skeletons.full
    skeletons: dict[CompressionLevel, LevelLines] = {}
    for level in (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON):
        skeleton = view.skeletons.at(level)
        if facts.tokens[level.depth] >= 0 and skeleton.text != above.text:
            skeletons[level] = _lines(skeleton)
            above = skeleton
    return ProfiledText(
        source=source.decode("utf-8", "replace"),
        skeletons=skeletons,
        definitions=list(_named(view, source, view.definitions, symbols)),
    )


def _lines(skeleton: Skeleton) -> LevelLines:
    return LevelLines(text=skeleton.text, numbers=skeleton.line_numbers)


def _named(
    view: FileViews, source: bytes, definitions: Sequence[Definition], symbols: Sequence[Definition]
) -> Iterator[NamedDefinition]:
    """Definitions by position, with a target that names each alone."""
    same: Counter[str] = Counter()
    number: dict[tuple[str, int], int] = {}
    for one in symbols:
        same[one.path] += 1
        number[one.path, one.name_start] = same[one.path]
    at, line = 0, 1
    for one in sorted(definitions, key=lambda one: one.name_start):
        line += source.count(b"\n", at, one.name_start)
        at = one.name_start
        ordinal = f"~{number[one.path, at]}" if same[one.path] > 1 and (one.path, at) in number else ""
        yield NamedDefinition(target=f"{view.address}::{one.path}{ordinal}", name=one.path, kind=one.kind, line=line)


def _chosen(files: FileSet, portions: Sequence[Portion | None], index: CodeIndex) -> tuple[list[Chosen], int]:
    """Returns the definitions that are shown for a query, with the reasons, and how many more are shown."""
    needs = files.needs
    if needs is None or needs.reasons is None:
        return [], 0
    wished = {(wish.file, wish.place) for wish in needs.wishes}
    shown = [(number, portion) for number, portion in enumerate(portions) if portion is not None]
    addresses = {view.path: view.address for view in files.files}
    weighed: list[tuple[float, int, int, bool]] = []
    for number, portion in shown:
        of_file = needs.definitions(number)
        weighed += [(of_file[place], number, place, is_full) for place, is_full in _definitions_of(portion)]
    weighed.sort(key=lambda one: (-one[0], one[1:]))
    kept = weighed[:MOST_CHOSEN]
    held = sorted({number for _, number, _, _ in kept})
    views = {number: files.files[number] for number in held}
    symbols = index.load(indexed([*views.values()]), Aspect.SYMBOLS, Definitions)
    targets = {
        (number, named.line, named.name): named
        for (number, view), known in zip(views.items(), symbols, strict=True)
        for named in _named(view, view.source.source, view.definitions, known.definitions)
    }
    chosen: list[Chosen] = []
    for _, number, place, is_full in still_wanted(kept):
        view = views[number]
        one = view.definitions[place]
        line = view.source.source.count(b"\n", 0, one.name_start) + 1
        named = targets[number, line, one.path]
        reason = needs.reasons.of(number, place)
        chosen.append(
            Chosen(
                file=number,
                target=named.target,
                kind=named.kind,
                is_full=is_full,
                is_named=(number, place) in wished or (number, -1) in wished,
                weight=reason.weight,
                parts=reason.parts,
                words=reason.words,
                callers=[_addressed(caller, addresses) for caller in reason.callers],
            )
        )
    return chosen, len(weighed) - len(kept)


def _addressed(caller: str, addresses: Mapping[str, str]) -> str:
    path, separator, name = caller.rpartition("::")
    if not separator:
        return addresses.get(caller, caller)
    return f"{addresses.get(path, path)}{separator}{name}"


def _definitions_of(portion: Portion) -> Iterator[tuple[int, bool]]:
    """The definitions that a block shows, by their places, and whether it shows all of each."""
    view = portion.view
    if view.selection is not None:
        yield from ((place, True) for place in view.full)
        yield from ((place, False) for place in view.signatures)
    elif not view.partial:
        yield from ((place, portion.level is CompressionLevel.FULL) for place in range(len(portion.file.definitions)))
