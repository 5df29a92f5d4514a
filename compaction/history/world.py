"""The state of the world that a session leaves behind: version control, packages, servers, files, the last tests.

Each line is read off what calls that ended without an error ran and answered; the newest of its kind counts, and a line that a
later call ends is taken back. The lines are written so that they can be read back, which is how a second compaction knows them:

    - Branch: fix/login
    - Commits: 06e93767 Address review; 53466ba2 Keep old files readable
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from compaction.history.answers import flat, not_run
from compaction.history.elsewhere import changes_elsewhere
from compaction.history.excerpts import named
from compaction.history.file_tools import Operation, lies_in, operation_of, short_name, touches
from compaction.history.machine import changes_machine
from compaction.history.outcomes import Ending, command_of, ending_of, is_shell, outcome
from compaction.history.programs import (
    installed,
    is_saying,
    is_thrown_away,
    is_told,
    keeps_tree,
    new_branch,
    remade,
    removed,
    repository,
    runs_tests,
    starts,
    stops,
    subcommand,
    written,
)
from compaction.history.record_tools import changes_records
from compaction.history.shell import simple_commands
from workspace.cancellation import still_wanted
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from compaction.history.messages import CallRecord
    from compaction.history.shell import SimpleCommand

_COMMIT = re.compile(
    r"^\[(?P<branch>[^\s\]]+)(?: \([^)\n]*\))? (?P<id>[0-9a-f]{7,40})\] (?P<subject>.+)$", re.MULTILINE
)
_ON_BRANCH = re.compile(r"^(?:On branch|Switched to (?:a new )?branch) '?(?P<branch>[^\s']+)'?", re.MULTILINE)
_PUSHED = re.compile(
    r"^[^\S\n]*(?:[+*][^\S\n]*)?(?P<range>[0-9a-f]{7,}\.\.\.?[0-9a-f]{7,}|\[new (?:branch|tag)\])\s+(?P<what>(?P<from>\S+) -> (?P<to>\S+))",
    re.MULTILINE,
)
_PUSHED_TO = re.compile(r"^To \S+$", re.MULTILINE)
_FORWARD = re.compile(
    r"^Updating (?P<range>[0-9a-f]{7,}\.\.[0-9a-f]{7,})\n(?:[^\n]*\n){0,4}?Fast-forward", re.MULTILINE
)
_REBASED = re.compile(r"Successfully rebased and updated refs/heads/(?P<branch>\S+?)\.")
_UNFINISHED = (
    (
        "a merge",
        re.compile(
            r"MERGE_HEAD exists|unmerged paths|you are still merging|^CONFLICT \([^)\n]+\)|unfinished merge",
            re.MULTILINE,
        ),
    ),
    (
        "a rebase",
        re.compile(
            r"rebase in progress|You are currently (?:rebasing|editing a commit)|rebase-(?:merge|apply) directory"
        ),
    ),
    ("a cherry-pick", re.compile(r"currently cherry-picking|CHERRY_PICK_HEAD exists")),
    ("a revert", re.compile(r"currently reverting|REVERT_HEAD exists")),
)
_DIVERGED = re.compile(
    r"Your branch and '(?P<other>[^']+)' have diverged,\s+and have (?P<ours>\d+) and (?P<theirs>\d+) different commits"
)
_APART = re.compile(r"Your branch is (?P<what>ahead of|behind) '(?P<other>[^']+)' by (?P<number>\d+) commits?")
_UP_TO_DATE = re.compile(r"Your branch is up to date with '")
_CLEAN = re.compile(r"nothing to commit, working tree clean")
_MERGED = re.compile(r"Merge made by [^\n]+")
_URL = re.compile(r"https?://[^\s\"'<>)\\]{1,300}/(?:pull|issues?|merge_requests|releases)/[^\s\"'<>)\\,]+")
_NOTHING_NEW = re.compile(r"\b0 newly installed\b|^Requirement already satisfied", re.MULTILINE)
_SOMETHING_NEW = re.compile(r"Successfully installed|^Setting up ", re.MULTILINE)
_VERSION = re.compile(r"(?<=.)[@=<>~!\[; ].*", re.DOTALL)
_LINE = re.compile(r"^- (?P<key>[A-Z][\w ]+): (?P<value>.+)$", re.MULTILINE)
_PLAIN_WORD = re.compile(r"[\w./:@+-]+")
_AGENTS = frozenset({"task", "agent", "delegate", "delegatetoagent", "spawnagent"})
_ENDERS = frozenset({"killshell", "killbash", "killterminal", "taskstop"})
"""Tools that may do any work, and those that end what another call started."""

_LONGEST_CALL, _LONGEST_COMMAND, _MOST_COMMANDS = 150, 70, 14
_MOST_COMMITS, _MOST_INSTALLED, _MOST_DELETED, _MOST_SETTINGS, _MOST_ELSEWHERE = 12, 16, 12, 16, 16
_KEYS = (
    "Not known", "Branch", "Unfinished", "Upstream", "Commits", "Pulled", "Pushed", "Working tree", "Links", "Changed elsewhere", "Installed", "Running", "Deleted",
    "Settings changed", "Changed by calls", "Last tests", "Commands used",
)  # fmt: skip


_FEWEST_SILENT = 4
_SILENT = "how any call ended: no answers are kept, so what follows was called and may have failed"


@dataclass(slots=True)
class World:
    """The lines, by what they are about."""

    lines: dict[str, str] = field(default_factory=dict[str, str])

    def written(self) -> list[str]:
        """Return the lines in their order."""
        return [f"- {key}: {self.lines[key]}" for key in _KEYS if self.lines.get(key)]


def world(calls: Iterable[CallRecord], earlier: str = "") -> World:
    """Return the state at the end.

    Args:
        calls: in the order they were made.
        earlier: a section of an earlier summary that holds such lines.
    """
    state = World({line["key"]: line["value"] for line in matches(_LINE, earlier) if line["key"] in _KEYS})
    answered = [record for record in calls if record.result is not None]
    if len(answered) >= _FEWEST_SILENT and not any(record.result.text.strip() for record in answered if record.result):
        state.lines["Not known"] = _SILENT
    homes = _homes(answered)
    for record in still_wanted(answered):
        ended = ending_of(record)
        if ended is Ending.REFUSED:
            continue
        if is_shell(record.call.name):
            _read_line(state, record, ended, homes)
        elif ended is Ending.ENDED:
            _read_tool(state, record)
    return state


def _homes(answered: Iterable[CallRecord]) -> frozenset[str]:
    """The folders that files of the session lie in, at any depth; none where its paths are not absolute."""
    edits = {Operation.WRITE, Operation.EDIT}
    changed = [touch.path for record in answered for touch in touches(record.call) if touch.operation in edits]
    if not all(path.startswith("/") for path in changed):
        return frozenset()
    return frozenset(str(folder) for path in still_wanted(changed) for folder in PurePosixPath(path).parents)


def _is_home(folder: str, homes: frozenset[str]) -> bool:
    """Tells whether a folder may belong to the repository that the session works in."""
    if folder.startswith("/"):
        return not is_thrown_away(folder) and (not homes or folder in homes)
    return folder.partition("/")[0] != ".."


def _read_tool(state: World, record: CallRecord) -> None:
    name, text = short_name(record.call.name), record.result.text if record.result else ""
    changed = [touch.path for touch in touches(record.call) if touch.operation in {Operation.WRITE, Operation.EDIT}]
    if operation_of(record.call) not in {None, Operation.READ} or name in _AGENTS:
        state.lines.pop("Working tree", None)
    if changed:
        _drop(state, "Deleted", lambda gone: any(lies_in(path, gone) for path in changed))
    if changes_records(record.call):
        _add(state, "Changed by calls", flat(named(record), _LONGEST_CALL).replace("; ", ", "))
    if name in _ENDERS:
        state.lines.pop("Running", None)
    if "create" in record.call.name and (found := _URL.search(text[:2_000])):
        _add(state, "Links", found[0].rstrip("\"',)}"))


def _of_tests(record: CallRecord, commands: Sequence[SimpleCommand]) -> CallRecord:
    """The call, its answer from the heading on that the line prints before it runs tests."""
    first = next((place for place, command in enumerate(commands) if runs_tests(command)), 0)
    text = record.result.text if record.result else ""
    for command in reversed(commands[:first]):
        heading = " ".join(command.operands)
        if is_saying(command) and heading and (begin := text.rfind(f"{heading}\n")) >= 0 and record.result:
            return replace(record, result=replace(record.result, text=text[begin + len(heading) + 1 :]))
    return record


def _read_line(state: World, record: CallRecord, ended: Ending, homes: frozenset[str]) -> None:
    line, answer = command_of(record), record.result.text if record.result else ""
    commands = simple_commands(line)
    if any(map(runs_tests, commands)) and not not_run(answer):
        failed = ended is Ending.FAILED
        said = outcome(_of_tests(record, commands)).words or ("reported errors" if failed else "no error reported")
        state.lines["Last tests"] = f"`{_short(line)}`: {said}"
    for command in commands:
        if not (changes_machine(command) or changes_elsewhere(command)) and (shown := _named(command)):
            _add(state, "Commands used", f"`{shown}`", most=_MOST_COMMANDS)
    if not all(map(keeps_tree, commands)):
        state.lines.pop("Working tree", None)
    is_here = _is_of_home(commands, homes)
    if is_here:
        _read_unfinished(state, commands, answer, ended)
    if is_here and ended is Ending.FAILED and any("commit" in subcommand(command) for command in commands):
        _read_commits(state, answer)
    if ended is Ending.ENDED:
        if is_here:
            _read_repository(state, commands, answer)
        for command in still_wanted(commands):
            _read_command(state, command, answer)


def _is_of_home(commands: Sequence[SimpleCommand], homes: frozenset[str]) -> bool:
    """Tells whether version control speaks of this repository: an answer in which another may speak says nothing of it."""
    folders = [folder for command in commands if (folder := repository(command)) is not None]
    is_scratch = any(command.program == "mktemp" for command in commands)
    return bool(folders) and not is_scratch and all(_is_home(folder, homes) for folder in folders)


def _read_repository(state: World, commands: Sequence[SimpleCommand], answer: str) -> None:
    """Reads what version control says of this repository."""
    places = [place for place, command in enumerate(commands) if repository(command) is not None]
    for place in places:
        if branch := new_branch(commands[place]):
            state.lines["Branch"] = branch
    verbs = {verb for place in places for verb in subcommand(commands[place])}
    pushes = "push" in verbs or _PUSHED_TO.search(answer) is not None
    _read_git(state, answer, pushes=pushes, pulls="pull" in verbs)
    if not all(map(keeps_tree, commands[places[-1] + 1 :])):
        state.lines.pop("Working tree", None)


def _read_unfinished(state: World, commands: Sequence[SimpleCommand], answer: str, ended: Ending) -> None:
    """Reads what version control has begun and not ended, and how a branch stands to the one that it follows."""
    verbs = {verb for command in commands for verb in subcommand(command)}
    words = {word for command in commands for word in command.arguments}
    begun = [what for what, sign in _UNFINISHED if sign.search(answer)]
    if begun:
        state.lines["Unfinished"] = "; ".join(begun)
    elif ended is Ending.ENDED and (
        "status" in verbs
        or "commit" in verbs
        or not {"--abort", "--quit", "--continue", "--skip", "--hard"}.isdisjoint(words)
    ):
        state.lines.pop("Unfinished", None)
    if ended is Ending.ENDED and not verbs.isdisjoint({"push", "pull", "fetch", "merge", "rebase", "reset", "commit"}):
        state.lines.pop("Upstream", None)
    if found := _DIVERGED.search(answer):
        state.lines["Upstream"] = (
            f"diverged from {found['other']}: {found['ours']} commits here, {found['theirs']} there"
        )
    elif found := _APART.search(answer):
        state.lines["Upstream"] = f"{found['what']} {found['other']} by {found['number']}"
    elif _UP_TO_DATE.search(answer):
        state.lines.pop("Upstream", None)


def _read_command(state: World, command: SimpleCommand, answer: str) -> None:
    if command.program in {"gh", "glab"} and command.operands[1:2] == ("create",) and (found := _URL.search(answer)):
        _add(state, "Links", found[0])
    added, taken = installed(command)
    if not _NOTHING_NEW.search(answer) or _SOMETHING_NEW.search(answer):
        again = {_VERSION.sub("", name) for name in added}
        _drop(state, "Installed", lambda name: _VERSION.sub("", name) in again)
        for name in added:
            _add(state, "Installed", name[:120], most=_MOST_INSTALLED)
    bare = {_VERSION.sub("", name) for name in taken}
    _drop(state, "Installed", lambda name: _VERSION.sub("", name) in bare or name in taken)
    if changes_elsewhere(command):
        _add(state, "Changed elsewhere", f"`{_short(command.text).replace('; ', ', ')}`", most=_MOST_ELSEWHERE)
    if changes_machine(command):
        _add(state, "Settings changed", f"`{_short(command.text).replace('; ', ', ')}`", most=_MOST_SETTINGS)
    made = [*written(command), *remade(command)]
    _drop(state, "Deleted", lambda gone: any(lies_in(path, gone) for path in made))
    for path in removed(command):
        if not is_thrown_away(path):
            _add(state, "Deleted", path[:160], most=_MOST_DELETED)
    if (ended := stops(command)) is not None:
        named = state.lines.get("Running", "")
        is_named = any(word in named for word in ended)
        is_alone = command.program in {"docker", "docker-compose", "podman", "systemctl"}
        _drop(state, "Running", lambda one: any(word in one for word in ended) if is_named or is_alone else True)
    if starts(command):
        _add(state, "Running", f"`{_short(command.text)}` was started")


def _pulled(answer: str) -> str:
    """The change that a pull made here; "" where nothing came."""
    if (forward := _FORWARD.search(answer)) is not None:
        return f"{forward['range']}, a fast-forward"
    rebased = _REBASED.search(answer)
    return f"{rebased['branch']}, its own commits rebased onto what came" if rebased is not None else ""


def _read_git(state: World, answer: str, *, pushes: bool, pulls: bool) -> None:
    """Reads the answers of git itself: a script that makes repositories of its own says nothing of this one."""
    for found in matches(_ON_BRANCH, answer):
        state.lines["Branch"] = found["branch"]
    _read_commits(state, answer)
    for found in matches(_PUSHED, answer) if pushes else ():
        if not found["to"].endswith(f"/{found['from']}"):  # what a fetch brings goes to `origin/…`
            state.lines["Pushed"] = f"{found['range']} {found['what']}"
    if pulls and (pulled := _pulled(answer)):
        state.lines["Pulled"] = pulled
    if _CLEAN.search(answer):
        state.lines["Working tree"] = "clean"
    elif found := _MERGED.search(answer):
        _add(state, "Commits", found[0][:120], most=_MOST_COMMITS)


def _read_commits(state: World, answer: str) -> None:
    """Reads the commits that were made: what git says of one holds whatever failed behind it."""
    for found in matches(_COMMIT, answer):
        state.lines["Branch"] = found["branch"]
        _add(state, "Commits", f"{found['id']} {found['subject'][:100]}", most=_MOST_COMMITS)
        state.lines.pop("Working tree", None)


def _named(command: SimpleCommand) -> str:
    """A command up to its first option; "" for one that only looks or moves files about, and for one that is its name alone."""
    kept: list[str] = []
    for word in command.words:
        if word.startswith("-") or not _PLAIN_WORD.fullmatch(word):
            break
        kept.append(word)
    shown = " ".join(kept)
    return shown if len(kept) > 1 and len(shown) <= _LONGEST_COMMAND and is_told(command) else ""


def _add(state: World, key: str, value: str, *, most: int = 8) -> None:
    known = [part for part in state.lines.get(key, "").split("; ") if part and part != value]
    state.lines[key] = "; ".join([*known, value][-most:])


def _drop(state: World, key: str, is_over: Callable[[str], bool]) -> None:
    """Takes back the parts of a line that no longer hold."""
    if key in state.lines:
        state.lines[key] = "; ".join(part for part in state.lines[key].split("; ") if not is_over(part))


def _short(command: str) -> str:
    line = " ".join(command.split())
    return line if len(line) <= 120 else f"{line[:120]}…"
