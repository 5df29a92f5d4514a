"""The state of the world that a session leaves behind: version control, packages, servers, files, the last tests.

Each line is read off the answers of calls that ended without an error, and the newest of its kind counts. The lines are
written so that they can be read back, which is how a second compaction knows them:

    - Branch: fix/login
    - Commits: 06e93767 Address review; 53466ba2 Keep old files readable
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from compaction.history.outcomes import Ending, command_of, ending_of, is_shell, outcome, telling_line
from workspace.cancellation import still_wanted
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from compaction.history.messages import CallRecord

_COMMIT = re.compile(r"^\[(?P<branch>[^\s\]]+)(?: \([^)]*\))? (?P<id>[0-9a-f]{7,40})\] (?P<subject>.+)$", re.MULTILINE)
_ON_BRANCH = re.compile(r"^(?:On branch|Switched to (?:a new )?branch) '?(?P<branch>[^\s']+)'?", re.MULTILINE)
_PUSHED = re.compile(
    r"^\s*[ +*]?\s*(?P<range>[0-9a-f]{7,}\.\.\.?[0-9a-f]{7,}|\[new (?:branch|tag)\])\s+(?P<what>\S+ -> \S+)",
    re.MULTILINE,
)
_GIT = re.compile(r"\b(?:git|gh|hub|jj)\b")
_ELSEWHERE = re.compile(r"(?:\bcd|\bpushd|-C)\s+[\"']?(?:/private)?(?:/var)?/tmp/|\bmktemp\b")
"""Work in a folder that is thrown away."""

_CLEAN = re.compile(r"nothing to commit, working tree clean")
_MERGED = re.compile(r"Successfully rebased and updated \S+|Merge made by [^\n]+|Already up to date")
_URL = re.compile(r"https?://[^\s\"'<>)\\]+/(?:pull|issues?|merge_requests|releases)/[^\s\"'<>)\\,]+")
_INSTALL = re.compile(
    r"\b(?:(?:uv )?pip3? install|npm (?:install|i|add)|yarn add|pnpm (?:add|install)|apt(?:-get)? install|brew install|"
    r"cargo (?:add|install)|go (?:get|install)|gem install|conda install)\s+(?P<what>[^|;&\n]+)"
)
_SERVES = re.compile(
    r"(?:npm run (?:dev|start)|yarn (?:dev|start)|flask run|uvicorn |runserver|docker compose up|docker-compose up|http\.server|"
    r"rails s(?:erver)?\b|[^&]&\s*$)"
)
_TESTS = re.compile(
    r"\b(?:pytest|unittest|tox|nox|go test|cargo (?:test|nextest)|npm (?:run )?test|yarn test|jest|vitest|mocha|rspec|gradle\w* test|"
    r"mvn test|ctest|make (?:test|check)|mise run test\S*|phpunit|dotnet test|runtests)"
)
_REMOVES = re.compile(r"(?:^|&&|;)\s*(?:git )?rm\s+(?:-\w+\s+)*(?P<what>[^|;&\n]+)")
_LINE = re.compile(r"^- (?P<key>[A-Z][\w ]+): (?P<value>.+)$", re.MULTILINE)
_SIMPLE = re.compile(r"&&|\|\||[;|\n&]")
_PLAIN_WORD = re.compile(r"[\w./:@+-]+")
_LOOKS = re.compile(
    r"(?:cd|ls|cat|grep|rg|head|tail|sed|echo|find|wc|sort|uniq|xargs|awk|mkdir|rm|cp|mv|pwd|sleep|true|printf|export|which|for|do|"
    r"done|while|if|then|else|fi|test|diff|tree|touch|chmod|set|source|git (?:show|blame|branch|rev-parse|ls-\w+))\b"
)
_READ = 2_000
"""Characters of a command in which programs are looked for."""

_LONGEST_COMMAND, _MOST_COMMANDS = 70, 14
_MOST_COMMITS = 12
_KEYS = (
    "Branch", "Commits", "Pushed", "Working tree", "Links", "Installed", "Running", "Deleted", "Last tests", "Commands used",
)  # fmt: skip


@dataclass(slots=True)
class World:
    """The lines, by what they are about."""

    lines: dict[str, str] = field(default_factory=dict[str, str])

    def written(self) -> list[str]:
        """Return the lines in their order."""
        return [f"- {key}: {self.lines[key]}" for key in _KEYS if self.lines.get(key)]


def world(calls: Iterable[CallRecord], earlier: str = "", branch: str = "") -> World:
    """Return the state at the end.

    Args:
        calls: in the order they were made.
        earlier: a section of an earlier summary that holds such lines.
        branch: what the host says of the branch.
    """
    state = World({line["key"]: line["value"] for line in matches(_LINE, earlier) if line["key"] in _KEYS})
    if branch:
        state.lines["Branch"] = branch
    for record in still_wanted(calls):
        if record.result is None:
            continue
        if is_shell(record.call.name):
            ended = outcome(record)
            command = command_of(record)
            if _TESTS.search(command):
                how = "reported errors" if ended.ending is Ending.FAILED else "no error reported"
                said = ended.words if ended.ending is Ending.FAILED else telling_line(record.result.text)
                state.lines["Last tests"] = f"`{_short(command)}`: {said or how}"
            if ended.ending is not Ending.REFUSED:
                for simple in _simple_commands(command):
                    _add(state, "Commands used", f"`{simple}`", most=_MOST_COMMANDS)
            if ended.ending is Ending.ENDED:
                _read_command(state, command, record.result.text)
        elif (
            ending_of(record) is Ending.ENDED
            and (found := _URL.search(record.result.text[:2_000]))
            and "create" in record.call.name
        ):
            _add(state, "Links", found[0].rstrip("\"',)}"))
    return state


def _read_command(state: World, command: str, answer: str) -> None:
    if _GIT.search(command) and not _ELSEWHERE.search(command):
        _read_git(state, answer)
    if re.search(r"\b(?:gh|glab) \w+ create\b", command) and (found := _URL.search(answer)):
        _add(state, "Links", found[0])
    for found in matches(_INSTALL, command):
        _add(state, "Installed", " ".join(word for word in found["what"].split() if not word.startswith("-"))[:120])
    if _SERVES.search(command) and "2>&1" not in command[-6:]:
        _add(state, "Running", f"`{_short(command)}` was started")
    for found in matches(_REMOVES, command):
        _add(state, "Deleted", found["what"].strip()[:160])


def _read_git(state: World, answer: str) -> None:
    """Reads the answers of git itself: a script that makes repositories of its own says nothing of this one."""
    for found in matches(_ON_BRANCH, answer):
        state.lines["Branch"] = found["branch"]
    for found in matches(_COMMIT, answer):
        state.lines["Branch"] = found["branch"]
        _add(state, "Commits", f"{found['id']} {found['subject'][:100]}", most=_MOST_COMMITS)
        state.lines.pop("Working tree", None)
    for found in matches(_PUSHED, answer):
        state.lines["Pushed"] = f"{found['range']} {found['what']}"
    if _CLEAN.search(answer):
        state.lines["Working tree"] = "clean"
    elif found := _MERGED.search(answer):
        _add(state, "Commits", found[0][:120], most=_MOST_COMMITS)


def _simple_commands(command: str) -> Iterator[str]:
    """The programs that a line runs, each up to its first option, without those that only look or move files about."""
    for part in _SIMPLE.split(command.split("<<")[0][:_READ]):
        words = part.split()
        while words and re.match(r"\w+=", words[0]):
            words.pop(0)
        kept: list[str] = []
        for word in words:
            if word.startswith("-") or not _PLAIN_WORD.fullmatch(word):
                break
            kept.append(word)
        simple = " ".join(kept)
        if len(kept) > 1 and len(simple) <= _LONGEST_COMMAND and not _LOOKS.match(simple):
            yield simple


def _add(state: World, key: str, value: str, *, most: int = 8) -> None:
    known = [part for part in state.lines.get(key, "").split("; ") if part and part != value]
    state.lines[key] = "; ".join([*known, value][-most:])


def _short(command: str) -> str:
    line = " ".join(command.split())
    return line if len(line) <= 120 else f"{line[:120]}…"
