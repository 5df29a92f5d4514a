"""The elements that hosts put into messages in the user's name, in one place: what they say themselves and what they attach.

What a host says is nobody's request. What it attaches the user named, but did not write: a file that a message mentions is told as
read, and the words around it are the user's. A selection is short and what the words are about, so it stays with them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

SAID: Final = (
    "system-reminder", "environment_context", "environment_details", "user_instructions", "local-command-stdout",
    "local-command-stderr", "local-command-caveat", "task-notification", "turn_aborted", "user-prompt-submit-hook",
    "ide_opened_file", "ide_selection", "ide_diagnostics", "permissions_instructions", "collaboration_mode",
    "skills_instructions", "new-diagnostics", "bash-stdout", "bash-stderr", "bash-input", "subagent_notification",
    "command-name", "command-message", "command-args", "skill-format",
)  # fmt: skip
"""Elements in which hosts speak for themselves."""

_TOLD_ANEW: Final = re.compile(
    r"\s*<(?P<tag>permissions instructions|app-context|collaboration_mode|(?:apps|skills|plugins)_instructions|"
    r"multi_agent_mode|model_switch|personality_spec|turn_aborted)>.*</(?P=tag)>\s*|Approved command prefix saved:\n.*",
    re.DOTALL,
)
"""The elements of Codex for developers: how its sandbox, tools and modes are set when it runs."""

_SELECTED: Final = ("attached_files", "code_selection", "terminal_selection")
_NAMED: Final = (
    "file_content", "folder_content", "url_content", "terminal_output", "workspace_diagnostics", "git_working_state", "git_commit",
)  # fmt: skip
_ANY: Final = re.compile(
    rf"<(?P<tag>{'|'.join((*_SELECTED, *_NAMED))})\b[^<>\n]*>(?:(?!<(?P=tag)\b).)*?</(?P=tag)>", re.DOTALL
)
_SELECTION: Final = re.compile(r"<attached_files>(?:(?!<attached_files>).)*?</attached_files>", re.DOTALL)
_WHOLE: Final = re.compile(
    rf"^(?:<(?P<tag>{'|'.join(_NAMED)})\b[^>\n]*>\n(?:(?!^<(?P=tag)\b).)*?\n</(?P=tag)>|"
    r"--- Content from referenced files ---\n(?:(?!^--- Content from referenced).)*?\n--- End of content ---)[ \t]*$\n*",
    re.DOTALL | re.MULTILINE,
)
"""The elements that Cline and Gemini CLI attach, each between lines of its own; none begins in another of its kind, so that one
which does not end is looked at once."""

_PATH: Final = re.compile(
    r"<file_content\b[^<>\n]*?\bpath=\"(?P<path>[^\"\n]{1,400})\"|^Content from @?(?P<of_gemini>[^\n]{1,400}):$",
    re.MULTILINE,
)
_OF_AN_EDITOR: Final = re.compile(r"\A\s*# Context from my IDE setup:\n.*?\n## My request for Codex:\n", re.DOTALL)
_SKILL: Final = re.compile(
    r"\s*<skill name=\"(?P<name>[^\"\n]{1,100})\"[^>\n]*>\n.*\n</skill>\s*(?P<words>.*)", re.DOTALL
)
"""A skill that pi puts in the place of the command that names it."""


def is_told_anew(text: str) -> bool:
    """Return whether a text for developers is what Codex itself tells whoever works next, and nothing that was set by hand."""
    return _TOLD_ANEW.fullmatch(text) is not None


def typed(text: str) -> str:
    """Return the words that the user typed of a text that holds them, "" where all of it is attached.

    Args:
        text: without elements in which a host speaks.
    """
    if (skill := _SKILL.fullmatch(text)) is not None:
        return f"/skill:{skill['name']} {skill['words']}".rstrip()
    without = _OF_AN_EDITOR.sub("", text, count=1)
    cut = _WHOLE.sub("", without) if "</" in without or "\n--- " in without else without
    return cut.strip("\n") if cut != without else without


def without_attached(text: str, filling: str) -> str:
    """Return a text with `filling` in the place of everything that is attached, selections too."""
    return _ANY.sub(filling, text)


def selections(text: str) -> tuple[list[str], str]:
    """Return the selections of a text of Cursor, and the text without them."""
    return [found[0] for found in _SELECTION.finditer(text)], _SELECTION.sub("", text)


def attached_files(text: str) -> Iterator[str]:
    """Yield the paths of the files that stand whole in a message."""
    for whole in _WHOLE.finditer(text) if "file_content" in text or "Content from" in text else ():
        for found in _PATH.finditer(whole[0]):
            yield found["path"] or found["of_gemini"]
