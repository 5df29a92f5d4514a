"""The files whose functions answer what a framework, a queue or a command line asks: nothing of the code calls them.

Controllers, views and routes, the commands that a framework runs, the tasks that workers take from a queue, and what takes
a message to its type.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from allocator.overview.grounds import Grounds

OF_HANDLERS = "controllers"
"""The folder, in lower case, of those who answer, and say so by that."""

_ROUTES = re.compile(
    r"(?:^|/)(?:(?:app/(?:[^/]+/){0,20}route|pages/api/(?:[^/]+/){0,20}[^/]+)\.[jt]sx?|management/commands/[^/_][^/]*\.py)\Z"
)
"""The path of a file that answers what a server of Next.js is asked, or that Django runs as a command."""

HANDLERS = re.compile(r"Controller\Z")
"""The name of a type whose members may answer what a framework is asked."""

_ANSWERS = re.compile(rb"@(?:Rest)?Controller\b|\[(?:Api)?Controller\b|:\s?Controller(?:Base)?\b")
"""The words by which a file says that they do."""

SAID: Sequence[tuple[str | tuple[str, ...], frozenset[str], re.Pattern[bytes]]] = (
    (
        ".py",
        frozenset({"APIRouter", "Blueprint"}),
        re.compile(rb"^@\w{1,60}\.(?:delete|get|patch|post|put|route)\(", re.MULTILINE),
    ),
    (
        ".py",
        frozenset({"shared_task", "task"}),
        re.compile(rb"^@(?:shared_task|(?:app|celery(?:_app)?)\.task)\b", re.MULTILINE),
    ),
    (
        ".py",
        frozenset({"request"}),
        re.compile(rb"^class \w{1,99}\([^()]{0,400}View(?:Set)?\b|^def \w{1,99}\(\s{0,20}request\b", re.MULTILINE),
    ),
    (
        ".cs",
        frozenset({"MapDelete", "MapGet", "MapPatch", "MapPost", "MapPut"}),
        re.compile(rb"\.Map(?:Delete|Get|Patch|Post|Put)\("),
    ),
    (
        (".java", ".kt"),
        frozenset({"Controller", "RestController"}),
        re.compile(rb"^[ \t]{0,20}@(?:Rest)?Controller\b", re.MULTILINE),
    ),
    (".cs", frozenset({"IRequestHandler"}), re.compile(rb"[:,]\s{0,99}IRequestHandler<")),
)
"""The endings of files, words one of which they hold, and what says that functions in them answer: routes of Python and tasks
of its queues, views of Django, controllers of Spring whatever they are called, endpoints of ASP.NET and what takes its messages."""


def answering(grounds: Grounds, files: Iterable[int]) -> list[int]:
    """Returns those of some files whose functions answer something.

    Args:
        grounds: all files.
        files: the places of those that are looked at.
    """
    return [file for file in sorted(files) if _answers(grounds, file)]


def _answers(grounds: Grounds, file: int) -> bool:
    path, survey = grounds.files[file].path, grounds.surveys[file]
    if OF_HANDLERS in path.lower().split("/")[:-1] or _ROUTES.search(path):
        return True
    if any(map(HANDLERS.search, survey.names)):
        return _ANSWERS.search(grounds.source(file)) is not None
    return any(
        path.endswith(ending) and not words.isdisjoint(survey.words) and says.search(grounds.source(file)) is not None
        for ending, words, says in SAID
    )
