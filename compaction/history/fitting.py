"""Makes the new history small enough, step by step, the cheapest loss first.

    everything -> files by reference -> one image -> none -> a shorter summary
               -> fewer user messages between the first and the newest -> headings, first and newest message alone

What was left out on the way, and fits beside what a later step made shorter, is put back: words of the user, images, files.

The last of these is the least that a history can be made; what a caller asks for below it cannot be had, and the
number is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from compaction.history.compose import Plan, compose
from compaction.history.envelope import CONTINUE, PREFACE, RESUME, Tag, escape, seal
from compaction.history.messages import Block, FormatName, Text
from compaction.history.restored import FileStatus, RestoredFile, files_text
from compaction.history.sections import Section, write
from compaction.history.transcript import parse_native
from compaction.history.user_messages import DEFAULT_LIMIT, Entry, fit
from compaction.history.user_messages import write as write_user_messages
from compaction.history.weigh import IMAGE_TOKENS, weigh
from compaction.values import JsonObject

if TYPE_CHECKING:
    from compaction.history.images import Snapshot
    from compaction.history.restore import Restorables
    from compaction.history.survey import Survey

Writer = Callable[[int | None, Sequence[Entry], Sequence[RestoredFile], bool], dict[Section, str]]
"""Writes the eight sections beside section 6: within so many tokens (None: as many as it likes), knowing which user
messages section 6 shows, which files stand below, and whether the tokens are there to be filled."""

_SHARE_OF_FILES, _LEAST_WITH_FILES = 0.35, 4_000
"""The part of a target that texts of files may take where a whole summary leaves less, and the least target with any."""

_WORTH_WRITING, _LEAST_WRITTEN = 150, 16
"""Tokens of room that a summary should have, and those below which none is written."""

_WELL_SHORTER = 0.75
"""The part of a history, but for what an earlier summary tells, that its shorter form should have at most, where none was asked for."""

_MARGIN = 8
_LONGEST_CLAUSE = 160
_FILES_LEFT_OUT = "left out to fit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The parts that may go into the new history.

    Attributes:
        writer: writes the summary.
        unread: what of the history cannot be read, a clause each.
        archive: where the archive lies, "" for none.
        fills: whether a ceiling was asked for, so that what it leaves is filled as far as there is more to tell.
        continues: whether the next turn is the assistant's, so that the history must end with a user's message.
    """

    survey: Survey
    writer: Writer
    files: Restorables
    images: tuple[Snapshot, ...]
    read_tool: str
    unread: tuple[str, ...]
    archive_id: str | None
    archive: str
    target: FormatName
    fills: bool
    continues: bool
    count: Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The amount of the offer that is taken.

    Attributes:
        files: tokens for the texts of files; None for as many as were asked for.
        images: how many of the newest.
        announced: whether the attachments may say anything at all.
        summary: tokens for the summary; None for as many as the writer likes.
        user_messages: tokens for section 6.
    """

    files: int | None = None
    images: int | None = None
    announced: bool = True
    summary: int | None = None
    user_messages: int = DEFAULT_LIMIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A new history."""

    messages: list[JsonObject]
    sections: dict[Section, str]
    summary: str
    files: tuple[RestoredFile, ...]
    images: tuple[Snapshot, ...]
    tokens: int


_STEPS = (
    Step(),
    Step(files=0),
    Step(files=0, images=1),
    Step(files=0, images=0),
)
_BARE = Step(files=0, images=0, announced=False, summary=0)


def fit_below(offer: Offer, ceiling: int) -> Candidate:
    """The fullest candidate of at most `ceiling` tokens; the smallest possible one where none is.

    Where the offer fills, the summary takes what the rest leaves of the ceiling.
    """
    for step in (_STEPS[0], *(_with_files(offer, ceiling) if offer.fills else ()), *_STEPS[1:]):
        made = build(offer, step)
        if made.tokens <= ceiling:
            step, made = _grown(offer, step, made, ceiling) if offer.fills else (step, made)
            return _refilled(offer, step, made, ceiling)
    for step in _squeezed(offer, ceiling):
        made = build(offer, step)
        if made.tokens <= ceiling:
            return _refilled(offer, step, made, ceiling)
    return build(offer, replace(_BARE, user_messages=0))


def _with_files(offer: Offer, ceiling: int) -> Iterator[Step]:
    """Steps with files at the levels that the room beside a summary holds, or a part of the ceiling."""
    if ceiling < _LEAST_WITH_FILES or not offer.files.files:
        return
    bare = build(offer, Step(files=0, images=0))
    room = max(ceiling - bare.tokens, int(ceiling * _SHARE_OF_FILES)) - _MARGIN
    step = Step(files=room, images=0)
    yield step
    yield from _shorter(offer, ceiling, replace(step, summary=0))
    yield from _shorter(offer, ceiling, replace(step, summary=0, user_messages=ceiling // 5))


def _refilled(offer: Offer, step: Step, made: Candidate, ceiling: int) -> Candidate:
    """The same with what fits after all: more of the user's messages, the newest images, the files."""
    goal = ceiling if offer.fills else min(ceiling, _well_shorter(offer, ceiling))
    for percent in (100, 60, 30) if step.user_messages < DEFAULT_LIMIT else ():
        room = (goal - made.tokens - _MARGIN) * percent // 100
        longer = replace(step, user_messages=min(DEFAULT_LIMIT, step.user_messages + room))
        if room < _LEAST_WRITTEN or (fuller := build(offer, longer)).tokens == made.tokens:
            break
        if made.tokens < fuller.tokens <= goal:
            step, made = longer, fuller
            break
    if step.images is not None:
        most = min(len(offer.images), (goal - made.tokens) // IMAGE_TOKENS)
        for number in range(most, step.images, -1):
            fuller = build(offer, replace(step, images=number))
            if fuller.tokens <= goal:
                step, made = replace(step, images=number), fuller
                break
    if step.files != 0 or not offer.files.files:
        return made
    for percent in (100, 90, 70, 40):
        room = (goal - made.tokens - _MARGIN) * percent // 100
        if room < _LEAST_WRITTEN:
            break
        fuller = build(offer, replace(step, files=room, announced=True))
        if fuller.tokens <= goal and any(file.status is FileStatus.EMBEDDED for file in fuller.files):
            return fuller
    return made


def _well_shorter(offer: Offer, ceiling: int) -> int:
    """The tokens that the shorter form of a history should have at most, where none were asked for."""
    known = sum(map(offer.count, offer.survey.earlier.values()))
    return int(known + (ceiling - known) * _WELL_SHORTER)


def _grown(offer: Offer, step: Step, made: Candidate, ceiling: int) -> tuple[Step, Candidate]:
    """The same with a longer summary, as far as there is more to say."""
    for percent in (100, 97, 92, 80):
        room = (ceiling - made.tokens - _MARGIN) * percent // 100
        if room < _WORTH_WRITING:
            break
        length = sum(
            offer.count(text) for section, text in made.sections.items() if section is not Section.USER_MESSAGES
        )
        longer = build(offer, replace(step, summary=length + room))
        if made.tokens < longer.tokens <= ceiling:
            return replace(step, summary=length + room), longer
    return step, made


def _squeezed(offer: Offer, ceiling: int) -> Iterator[Step]:
    """Steps that give the summary the room that the rest leaves, then take room from section 6.

    Where no ceiling was asked for, section 6 stays whole as long as it can, and a good part shorter is tried first.
    """
    if not offer.fills:
        whole = replace(_BARE, announced=True)
        yield from _shorter(offer, _well_shorter(offer, ceiling), whole)
        yield from _shorter(offer, ceiling, whole)
        yield from _shorter(offer, ceiling, _BARE)
    for announced, user_messages in (
        (True, ceiling * 2 // 3),
        (True, ceiling * 2 // 5),
        (False, ceiling * 2 // 5),
        (False, ceiling // 4),
        (False, 0),
    ):
        base = replace(_BARE, announced=announced, user_messages=min(DEFAULT_LIMIT, user_messages))
        yield from _shorter(offer, ceiling, base)
    yield from _shorter(offer, ceiling, replace(_BARE, user_messages=0), least=_LEAST_WRITTEN)
    yield replace(_BARE, user_messages=0)


def _shorter(offer: Offer, ceiling: int, base: Step, least: int = _WORTH_WRITING) -> Iterator[Step]:
    room = ceiling - build(offer, base).tokens - _MARGIN
    if room < least:
        return
    for tenths in (100, 98, 95, 90, 80, 60, 40):
        yield replace(base, summary=room * tenths // 100)


def build(offer: Offer, step: Step) -> Candidate:
    """The history that a step makes, weighed as it is served."""
    survey = offer.survey
    entries = fit(survey.entries, limit=step.user_messages, count=offer.count, archive_id=offer.archive_id)
    files, images = _taken(offer, step)
    sections = dict.fromkeys(Section, "")
    sections |= offer.writer(step.summary, entries, files if step.announced else (), offer.fills)
    sections[Section.USER_MESSAGES] = write_user_messages(entries)
    kept_at = (
        f" The original messages are in archive {offer.archive_id} ({offer.archive}); compact_history with this archive_id and "
        'recall="3", or "3-5", gives what was said and done at these user messages.'
        if offer.archive_id
        else ""
    )
    text = write(sections)
    plan = Plan(
        head=survey.head,
        summary="\n".join([seal(Tag.SUMMARY, f"{PREFACE}{kept_at}{_unread(offer.unread)}\n\n{text}"), RESUME]),
        attachments=_attachments(offer, step, files, images),
        kept=survey.kept,
        pending=survey.pending,
        ends_with_assistant=not offer.continues,
    )
    messages = compose(plan, source=survey.transcript.format, target=offer.target)
    return Candidate(
        messages=messages,
        sections=sections,
        summary=text,
        files=files,
        images=images,
        tokens=weigh(parse_native(messages, offer.target), offer.count),
    )


def _unread(clauses: Sequence[str]) -> str:
    """Says that a part of the history is told nowhere; "" where all of it was read."""
    if not clauses:
        return ""
    named = "; ".join(
        f"{clause[:_LONGEST_CLAUSE]}…" if len(clause) > _LONGEST_CLAUSE else clause for clause in clauses[:2]
    )
    more = f"; {len(clauses) - 2} more of the kind" if len(clauses) > 2 else ""
    return escape(
        f" Not all of the conversation could be read ({named}{more}): what is not told here may still have happened."
    )


def _taken(offer: Offer, step: Step) -> tuple[tuple[RestoredFile, ...], tuple[Snapshot, ...]]:
    files = offer.files.within(step.files)
    if step.files == 0:
        files = tuple(
            replace(file, reason=_FILES_LEFT_OUT)
            if file.status is FileStatus.REFERENCED and file.reason.endswith("no room is left")
            else file
            for file in files
        )
    images = offer.images if step.images is None else offer.images[len(offer.images) - step.images :]
    return files, images if step.images != 0 else ()


def _attachments(
    offer: Offer, step: Step, files: Sequence[RestoredFile], images: Sequence[Snapshot]
) -> tuple[Block, ...]:
    parts = [files_text(files, offer.read_tool)] if files and step.announced else []
    if images:
        parts.append("The newest images of the conversation follow, the newest last, each with where it is from.")
    if offer.continues and not offer.survey.pending and not offer.survey.kept:
        parts.append(CONTINUE)
    if not parts:
        return ()
    blocks: list[Block] = [Text(text=seal(Tag.ATTACHMENTS, "\n\n".join(parts)))]
    for image in images:
        blocks += image.blocks()
    return tuple(blocks)
