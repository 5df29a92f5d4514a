"""The command `review`: shows the parts that a diff touches, to a person or a model that reviews it.

It is `pack --changed` with the defaults of a review, and in Markdown a page that can be posted: what became of every
file, then the changed definitions in full, what still names a definition that is gone, what uses one whose signature
changed, and the tests that name one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args

from server.choices import OutputFormat
from workspace.tokens import parse_budget
from workspace.wording import number_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from allocator import ContextResult
    from allocator.progress import Progress
    from server.settings import Settings
    from skeleton.index.code_index import CodeIndex
    from workspace.git.diff import Change

MARKDOWN = "markdown"
MOST_LISTED = 50
"""Files in the table of a page; more are counted."""


def add_review_command(commands: Any, parents: Sequence[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Adds the command to a parser's commands and returns its own parser, without a function to call."""
    review: argparse.ArgumentParser = commands.add_parser(
        "review",
        parents=parents,
        help="print what a diff touches: changed definitions in full, what uses them, tests",
        description="Prints what a reviewer of a diff needs: every changed definition in full, with the lines that were"
        " removed; the lines that still name a removed definition; what uses one whose signature changed; and the tests"
        " that name a changed one. Code is read from the work tree, so check out the end of RANGE first.",
    )
    review.add_argument(
        "changed",
        metavar="RANGE",
        nargs="?",
        default="worktree",
        help="main..topic: from one to the other; main...topic: what topic changed since it left main; HEAD~1: from that"
        " commit to the work tree; worktree: what is not committed (%(default)s)",
    )
    review.add_argument("path", metavar="PATH", nargs="?", help="folder of the repository (the first root)")
    review.add_argument("--format", choices=get_args(OutputFormat), default="compact", help="layout (%(default)s)")
    review.add_argument("--include", action="append", default=[], metavar="GLOB", help="only these files; repeatable")
    review.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="not these files; repeatable")
    return review


def reviewed(
    asked: argparse.Namespace, settings: Settings, place: str, index: CodeIndex, progress: Progress | None
) -> tuple[str, ContextResult]:
    """Runs the command for parsed arguments, and returns what it prints and what that was made of.

    Raises:
        InvalidArgumentError: the range names no commits, or the folder is in no work tree.
    """
    from allocator import ContextEngine

    budget = settings.default_budget if asked.budget is None else parse_budget(asked.budget)
    made = ContextEngine(settings.roots, encoding=settings.encoding, index=index).get_context(
        place,
        token_budget=budget,
        changed=asked.changed,
        include=asked.include,
        exclude=asked.exclude,
        format=asked.format,
        line_numbers=asked.line_numbers,
        summary=False,
        progress=progress,
    )
    if asked.format != MARKDOWN:
        return made.context, made
    from workspace.files.scan import in_globs
    from workspace.git.diff import changes

    folder = settings.roots.resolve(place)
    keeps = in_globs(folder, asked.include, asked.exclude)
    diff = [
        change
        for change in changes(str(folder if settings.roots.is_folder(folder) else folder.parent), asked.changed)
        if keeps(change.path)
    ]
    return page(asked.changed, diff, made.context), made


def page(wanted: str, diff: Sequence[Change], context: str) -> str:
    """Returns a page of Markdown: a heading, what became of every file, and the context, folded away.

    Args:
        wanted: the range, as the caller wrote it.
        diff: the files that changed.
        context: what the diff touches, in Markdown.
    """
    if not diff:
        return f"### {_code(wanted)}: nothing changed\n"
    came, went = sum(one.came for one in diff), sum(one.amount - one.came for one in diff)
    files = number_of(len(diff), "file")
    rows = [f"| {_code(one.path)} | {_became(one)} | {_counted(one)} |" for one in diff[:MOST_LISTED]]
    if len(diff) > MOST_LISTED:
        rows.append(f"| and {len(diff) - MOST_LISTED} more | | |")
    return "\n".join(
        [
            f"### {_code(wanted)}: {files}, +{came} -{went}",
            "",
            "| file | | lines |",
            "|---|---|---:|",
            *rows,
            "",
            "<details><summary>Changed definitions, what uses them, and tests</summary>",
            "",
            context.rstrip("\n"),
            "",
            "</details>",
            "",
        ]
    )


def _became(one: Change) -> str:
    return f"{one.kind.lower()} from {_code(one.old_path)}" if one.old_path else one.kind.lower()


def _counted(one: Change) -> str:
    return f"+{one.came} -{one.amount - one.came}" if one.amount else ""


def _code(text: str) -> str:
    """A name as code in a table of Markdown, whatever is in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence, blank = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{blank}{text}{blank}{fence}".replace("|", "\\|")
