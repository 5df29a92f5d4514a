"""Tells by the words of an answer whether something went wrong, and which of its lines say what.

The words decide twice, at two strengths: `failed` asks whether the call itself came to nothing, `troubled` whether what it ran
reported an error.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from compaction.history.formats.base import as_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compaction.history.messages import ToolResult

_FAILED = re.compile(
    r"\s*(?:<tool_use_error>|\[?error\b\s*[:\]]|error (?:while|reading|writing|editing|opening|applying|executing|calling|"
    r"accessing|creating|finding|processing)\b|"
    r"(?:\w{1,40} )?failed(?: to\b|:)|enoent\b|eacces\b|eperm\b|permission denied|access denied|file not found|file does not exist|"
    r"no such file|could not (?:find|open|read|write|apply)\b|cannot (?:find|open|read|write|access)\b|"
    r"the user (?:doesn't want|does not want|rejected|denied|declined)|user (?:rejected|denied|declined|cancelled)|"
    r"operation (?:was )?(?:cancelled|rejected|denied)|tool (?:call|use) (?:was )?(?:rejected|denied|cancelled)|"
    r"invalid (?:arguments|params|parameters|patch)\b|no (?:replacement was performed|match(?:es)? found for old)|"
    r"(?:old_string|string to replace) (?:was )?not found|patch (?:failed|rejected)|path .{0,200}(?:does not exist|not "
    r"found)|file .{0,200}(?:does not exist|not found)\b|apply_patch verification failed|your proposed edit has introduced|traceback \(most recent)",
    re.IGNORECASE,
)
_TROUBLED = re.compile(
    r"\btraceback \(most recent|(?-i:[a-z](?:Error|Exception)\b)(?=\W*$|\s*[:(\[{]|\s+(?:at|in|was|raised|thrown|from|caused|"
    r"occurred|during|while)\b)|\berror(?:\[\w+\])?: |^error\b|(?-i:\bERROR\b)|(?-i:\bFAILED\b)(?!\s*[=:]\s*0\b)|"
    r"\b[1-9]\d* (?:failed|errors?|failing)\b|\bpanicked at\b|\bfatal: |npm ERR!|segmentation fault|"
    r"command not found|\bexit(?:ed with)? (?:code|status)[ :=]*[1-9]|assertion failed|undefined reference|\btimed out|"
    r"connection refused|permission denied|is not recognized as|cannot be loaded because|operation not permitted|read-only file system|no such file or directory|(?-i:^--- FAIL: |^FAIL\s*$|^FAIL\t)|\bcannot find\b|out of memory|(?-i:\bCONFLICT\b)",
    re.IGNORECASE | re.MULTILINE,
)
_TRIGGERS = (
    "error", "exception", "fail", "traceback", "panicked", "fatal", "npm err", "segmentation", "not found", "exit",
    "undefined ref", "timed out", "refused", "denied", "permitted", "read-only", "no such", "cannot find", "memory", "conflict",
    "not recognized", "cannot be",
)  # fmt: skip
"""One of these stands in every line that `_TROUBLED` finds: asking for them first is many times faster."""

_READ_HEAD, _READ_TAIL = 2_500, 4_500
"""Characters of an answer in which an error is looked for: what a program has to say stands at its ends."""

_EXCERPT_LINES, _EXCERPT_LINE = 3, 240
_ONLY_CODE = re.compile(
    r"\W*(?:command |process )?(?:failed with )?(?:exit(?:ed)?(?: with)?(?: code| status)?)[ :=]*\d+\W*$", re.IGNORECASE
)
"""A line that says that something failed, and not what."""

_NAMED = re.compile(
    r"^E {2,}\S|(?:\w(?:Error|Exception)|\berror(?:\[\w+\])?|\bfatal|^npm ERR!)[: ]+\S|^FAILED \S|^--- FAIL: |\bpanicked at\b"
)
"""A line that says what went wrong, where others say that something did."""

_WELL = re.compile(
    r"\bPASSED\b|\bPASS\b|^\s*(?:✓|✔|ok \d|at \S[^(]{0,200}\(|\+ (?:CategoryInfo|FullyQualifiedErrorId)\b)|\.\.\. ok$|"
    r"(?i:\bINFO\W{1,5}WARN\w*\W{1,5}ERROR\b)"
)
"""A line on a test that went well, whatever its name says, one that lists the levels of a log, or one on the place of an error."""

_MOST_OF_A_REPORT = 50_000
_FAILED_STATES = frozenset({"error", "failed", "failure"})
_STATUS_OF_HTTP = re.compile(r"[45]\d\d")
_GIVEN = frozenset({"output", "stdout", "result", "results", "data"})
"""Fields of what a call gave, beside which `error` may hold a warning."""

_NOT_RUN = re.compile(r"\s*(?:execution error: |exec_command failed: |\[NOT executed\. )")
"""The words of a host about a command that it did not or could not run."""

_LABEL = re.compile(r"\W*(?:errors?|failed|failures?|exception|fatal)\W*$", re.IGNORECASE)
"""A line that only announces what stands in the next."""

_OF_THE_HOST = re.compile(
    r"(?:Process running with session ID \S+|Script (?:completed|failed|terminated|running with cell ID \S+)|Chunk ID: .*|Wall time:? .*|Script error:|Original token count: .*|Total output lines: .*|Output:|"
    r"(?:Exit code:|Process exited with code) 0|Command executed successfully \(exit code 0\)\.)$"
)

_ECHO = re.compile(r"\ACommand: .*?\n(?=Chunk ID: \w+\nWall time: )", re.DOTALL)
_ECHO_OF_REFUSED = re.compile(r"\A(?P<told>.{0,60}?\w{1,40} failed) for `.*`(?=: )", re.DOTALL)
_ECHO_OF_GEMINI = re.compile(
    r"\A(?P<told>MCP tool '.{0,200}? reported tool error) for function call: \{.*\} with response(?=: )", re.DOTALL
)
_ECHO_OF_HELD = re.compile(r"\A\s*\[Your command \".*\" is (?=NOT executed\. )", re.DOTALL)
_FRAME_OF_GEMINI = re.compile(r"(?:Output|Stdout): (?:\(empty\)(?=\n))?")
_BELOW_OF_GEMINI = re.compile(
    r"(?:\nStderr: \(empty\))?(?:\nError: (?P<error>[^\n]*))?(?:\nExit Code: (?P<code>[^\n]*))?(?:\nSignal: (?P<signal>[^\n]*))?"
    r"(?:\nBackground PIDs: [^\n]*)?(?:\nProcess Group PGID: [^\n]*)?\s{0,9}\Z"
)
"""The label before what a command said, and the lines below it, as Gemini CLI and its kin write them."""

_NOTHING = frozenset({None, "", "0", "(none)", "(empty)"})
_PROMPT = re.compile(r"\n?\(Open file: [^\n]{0,400}\)\n\(Current directory: [^\n]{0,400}\)\n?bash-\$\s*$")


def without_echo(text: str) -> str:
    """Return an answer without what its host writes around it: the command above it, which is no answer, or the next prompt."""
    text = text.removeprefix("OBSERVATION:\n")
    if text.endswith("bash-$"):
        text = _PROMPT.sub("", text, count=1)
    if text.startswith("MCP tool '"):
        return _ECHO_OF_GEMINI.sub(r"\g<told>", text, count=1)
    if text[:40].lstrip().startswith('[Your command "'):
        return _ECHO_OF_HELD.sub("[", text, count=1)
    if text.startswith(("Command: ", "Output: ")):
        return _ECHO.sub("", _out_of_frame(text), count=1)
    return _ECHO_OF_REFUSED.sub(r"\g<told>", text, count=1) if " failed for `" in text[:60] else text


def _out_of_frame(text: str) -> str:
    """The words of a command out of the frame of Gemini CLI: its exit code above them, an error or a signal below, if it has one."""
    place = text.find("\nDirectory: ") if text.startswith("Command: ") else -1
    start = text.find("\n", place + 1) + 1 if place >= 0 else 0
    begun = _FRAME_OF_GEMINI.match(text, start)
    below = _BELOW_OF_GEMINI.search(text, begun.end()) if begun is not None else None
    if begun is None or below is None or not below[0].strip():
        return text
    code = [] if below["code"] in _NOTHING else [f"Exit code: {below['code']}"]
    told = [f"{name}: {below[name.lower()]}" for name in ("Error", "Signal") if below[name.lower()] not in _NOTHING]
    return "\n".join([*code, *filter(None, [text[begun.end() : below.start()]]), *told])


def flat(text: str, most: int) -> str:
    """Return a text on one line, without its middle where it is longer than `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most * 2 // 3]}…{line[-most // 3 :]}"


def said_by_host(line: str) -> bool:
    """Return whether a line of an answer is what a host writes above the output of a command."""
    return _OF_THE_HOST.match(line) is not None


@lru_cache(maxsize=2_048)
def reports_failure(text: str) -> bool:
    """Return whether an answer is a JSON object whose own fields say that the call has failed."""
    if len(text) > _MOST_OF_A_REPORT or not text.lstrip().startswith("{"):
        return False
    try:
        told = as_object(json.loads(text))
    except (ValueError, RecursionError):
        return False
    status = str(told.get("status")).lower()
    is_coded = _STATUS_OF_HTTP.fullmatch(status) is not None and "message" in told
    is_alone = bool(told.get("error")) and not _GIVEN & told.keys()
    return status in _FAILED_STATES or is_coded or is_alone or told.get("success") is False or told.get("ok") is False


def not_run(text: str) -> bool:
    """Return whether an answer is what a host says of a command that it did not run."""
    return _NOT_RUN.match(text) is not None


def failed(result: ToolResult) -> bool:
    """Tells whether the call itself came to nothing: refused, not found, denied."""
    if result.is_error:
        return True
    start = result.text[:400]
    if start.lstrip().startswith("{") and re.match(
        r'\s*\{\s*(?:"(?:error|is_?error)"\s*:(?!\s*(?:null|false|""|\{\}))|"status"\s*:\s*"(?:error|failed|failure)")',
        start,
    ):
        return True
    return _FAILED.match(start) is not None


def troubled(result: ToolResult) -> bool:
    """Tells whether the command that the call ran reported an error, or the call failed."""
    return failed(result) or reports_failure(result.text) or names_error(result.text)


def names_error(text: str) -> bool:
    """Return whether a line at the ends of an answer names an error."""
    return next(_troubled_lines(text), None) is not None


@lru_cache(maxsize=2_048)
def excerpt(text: str) -> str:
    """The lines of an answer that say what went wrong, at most three: the first ones that name an error."""
    lines = list(_troubled_lines(text))
    if all(_ONLY_CODE.match(line) for line in lines):
        others = [line.strip() for line in _ends(text).splitlines()]
        others = [line for line in others if re.search(r"\w", line) and line not in lines and not said_by_host(line)]
        lines += others[-(_EXCERPT_LINES - 1) :] if lines else others
    elif "Traceback (most recent call last)" in lines[0] and len(lines) > 1:
        lines = lines[1:]
    if len(lines) > _EXCERPT_LINES:
        first = sorted(lines[:-1], key=lambda line: _NAMED.search(line) is None)[: _EXCERPT_LINES - 1]
        lines = [*(line for line in lines[:-1] if line in first), lines[-1]]
    return " / ".join(
        line if len(line) <= _EXCERPT_LINE else flat(line, _EXCERPT_LINE) for line in dict.fromkeys(lines)
    )


def _troubled_lines(text: str) -> Iterator[str]:
    ends = _ends(text)
    lowered = ends.lower()
    present = [word for word in _TRIGGERS if word in lowered]
    if not present:
        return
    lines = iter(ends.splitlines())
    for line in lines:
        lowered = line.lower()
        if not any(word in lowered for word in present) or not _TROUBLED.search(line) or _WELL.search(line):
            continue
        behind = next((other for other in lines if other.strip()), "") if _LABEL.match(line) else ""
        yield f"{line.strip()} {behind.strip()}".strip()


def _ends(text: str) -> str:
    if len(text) <= _READ_HEAD + _READ_TAIL:
        return text
    return f"{text[:_READ_HEAD]}\n{text[-_READ_TAIL:]}"
