"""The ledger in words: the lines that sections 3, 4, 7 and 8 are given by code, whoever writes the rest.

The line for a file is also read back, so that a file stays known through any number of compactions:

    - `src/app.py`: edited x2, read
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from compaction.history.file_tools import Operation, Touch
from compaction.history.ledger import FileTouch, Ledger, describe
from compaction.prose.sentences import is_small_talk, split
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Sequence

_FILE_LINE = re.compile(
    r"^- `(?P<path>[^`\n]+)`: (?P<operations>(?:read|written|edited|deleted)(?: x\d+)?"
    r"(?:, (?:read|written|edited|deleted)(?: x\d+)?)*)$",
    re.MULTILINE,
)
_FOLDER = re.compile(r"^- Folder: `(?P<folder>/[^`\n]*/)`", re.MULTILINE)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_FEWEST_FOLDED, _MOST_OF_THEM = 3, 0.6
_SAID_LENGTH = 240
_IN_FLIGHT = 600
"""Characters in which a call is named that may have to be made again."""


_HOME = re.compile(r"/(?:home|Users)/[^/\n]{1,100}(?=/)|/root(?=/)")
"""The folder of a user, that `~` stands for."""


def shown_path(path: str) -> str:
    """A path on one line, without the tick that would end it."""
    return re.sub(r"[\r\n\t`]", " ", path).strip()


def file_lines(ledger: Ledger, earlier: str = "", *, folded: bool = False) -> list[str]:
    """One line a file, the one touched last at the end; files of an earlier summary come first.

    With `folded`, a first line names the folder that most of them lie in, and their paths are given from there.
    """
    operations: dict[str, Counter[Operation]] = {}
    touched = (*read_file_lines(earlier), *(entry.touch for entry in ledger.files))
    paths = [touch.path for touch in touched]
    spelled = _spelled(paths, (*ledger.folders, *_begun_in(paths)))
    for touch in touched:
        path = shown_path(spelled.get(touch.path, touch.path))
        kept = operations.pop(path, Counter[Operation]())
        if touch.operation is not Operation.DELETE:
            del kept[Operation.DELETE]  # it was made again
        kept[touch.operation] = 1 if touch.operation is Operation.DELETE else kept[touch.operation] + 1
        operations[path] = kept
    folder = _common_folder(list(operations)) if folded else ""
    lines = [f"- `{path.removeprefix(folder)}`: {_operations(counted)}" for path, counted in operations.items()]
    return [f"- Folder: `{folder}`, of paths without a slash before them", *lines] if folder else lines


def _spelled(paths: Sequence[str], folders: Sequence[str]) -> dict[str, str]:
    """The spellings from a folder that is worked in of paths that are given from the root on as well, and one of each other path."""
    homes = {of_a_user[0] for path in paths if (of_a_user := _HOME.match(path)) is not None}
    home = homes.pop() if len(homes) == 1 else "~"
    known: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: path.startswith("~")):
        known.setdefault(_key(path, home), path)
    found: dict[str, list[str]] = {}
    for key, path in known.items():
        for folder in folders if not path.startswith(("/", "~")) and not _DRIVE.match(path) else ():
            if (whole := _key(f"{folder}/{path.removeprefix('./')}", home)) in known:
                found.setdefault(whole, []).append(key)
    shorter = {whole: keys[0] for whole, keys in found.items() if len(keys) == 1}
    many = Counter(key for keys in found.values() for key in keys)
    absolute = sum(path.startswith("/") for path in known.values())
    if absolute >= _FEWEST_FOLDED and absolute > len(known) - absolute:  # most are given from the root on
        longer = {key: full for full, key in shorter.items() if many[key] == 1}
        return {path: known[longer.get(key, key)] for path in paths if (key := _key(path, home))}
    return {
        path: known[shorter[key]] if key in shorter and many[shorter[key]] == 1 else known[key]
        for path in paths
        if (key := _key(path, home))
    }


def _key(path: str, home: str) -> str:
    """A path as one spelling stands for all of it: on Windows neither slashes nor capitals tell files apart."""
    if path.startswith("~/"):
        return f"{home}{path[1:]}"
    return path.replace("\\", "/").lower() if _DRIVE.match(path) else path.removeprefix("./")


def _begun_in(paths: Sequence[str]) -> list[str]:
    """The folder from which all paths that begin with `./` are given, where others are those paths from the root on."""
    ends = {path[1:] for path in paths if path.startswith("./")}
    whole = {path for path in paths if path.startswith("/")}
    found = [folders for end in ends if (folders := {path.removesuffix(end) for path in whole if path.endswith(end)})]
    shared = set[str]().union(*found).intersection(*found)
    return [*shared] if len(shared) == 1 else []


def _common_folder(paths: Sequence[str]) -> str:
    """The deepest folder, with its slash, that most of some absolute paths lie in; "" where not all are absolute."""
    if len(paths) < _FEWEST_FOLDED or not all(path.startswith("/") for path in paths):
        return ""
    folders: Counter[str] = Counter()
    for path in paths:
        parts = path.split("/")[:-1]
        folders.update("/".join(parts[:depth]) + "/" for depth in range(2, len(parts) + 1))
    shared = [folder for folder, times in folders.items() if times >= len(paths) * _MOST_OF_THEM and len(folder) > 1]
    return max(shared, key=len, default="")


def _operations(counted: Counter[Operation]) -> str:
    return ", ".join(
        operation.value + (f" x{counted[operation]}" if counted[operation] > 1 else "")
        for operation in (Operation.DELETE, Operation.WRITE, Operation.EDIT, Operation.READ)
        if counted[operation]
    )


def read_file_lines(text: str) -> list[Touch]:
    """The files of an earlier summary, in its order: one touch for each kind of operation, as often as counted."""
    found: list[Touch] = []
    known = _FOLDER.search(text)
    folder = known["folder"] if known else ""
    for line in matches(_FILE_LINE, text):
        path = line["path"] if line["path"].startswith("/") else f"{folder}{line['path']}"
        for part in line["operations"].split(", ")[::-1]:
            word, _, times = part.partition(" x")
            found += [Touch(path=path, operation=Operation(word))] * min(int(times or 1), 999)
    return found


def earlier_touches(text: str) -> list[FileTouch]:
    """The same as file touches that lie before every message."""
    touched = read_file_lines(text)
    return [FileTouch(touch=touch, turn=-1, order=place - len(touched)) for place, touch in enumerate(touched)]


def failure_lines(ledger: Ledger) -> list[str]:
    """One line an error: the call, what it said, what became of it. The same error twice is one line with a count."""
    lines: dict[str, str] = {}
    times: Counter[str] = Counter()
    for failure in ledger.failures:
        key = f"{describe(failure.record.call)}: {failure.excerpt}"
        outcome = " Later the same call went well." if failure.fixed_at is not None else ""
        said = next((part for part in split(failure.said_next) if not is_small_talk(part)), "")
        said = f" Then: {said[:_SAID_LENGTH]}" if said else ""
        times[key] += 1
        lines.pop(key, None)
        lines[key] = f"- {key}{_stop(key)}{outcome}{said}"
    return [line + (f" ({times[key]} times)" if times[key] > 1 else "") for key, line in lines.items()]


def _stop(text: str) -> str:
    return "" if text.endswith((".", "!", "?")) else "."


def plan_lines(ledger: Ledger) -> list[str]:
    """The open steps of the newest plan; the done ones in one line."""
    if not ledger.plan:
        return []
    open_steps = [f"- [{step.status}] {step.text}" for step in ledger.plan if not step.done]
    done = [step.text for step in ledger.plan if step.done]
    return [f"- Done already: {'; '.join(done)}"[:600], *open_steps] if done else open_steps


def in_flight_lines(ledger: Ledger) -> list[str]:
    """The calls that no result has answered."""
    return [f"- In flight, not answered yet: {describe(record.call, _IN_FLIGHT)}" for record in ledger.in_flight]


def appendix(lines: Sequence[str], limit: int) -> str:
    """The newest lines, at most `limit`, under a heading that says who wrote them."""
    if not lines:
        return ""
    left_out = len(lines) - limit
    shown = list(lines[-limit:])
    more = [f"- ({left_out} older entries are left out)"] if left_out > 0 else []
    return "\n".join(["Recorded by code:", *more, *shown])
