"""Tables that tell the files that a tool call touches.

Tools are known by the last part of their name in lower case without separators, so that `mcp__fs__read_text_file`,
`ReadTextFile` and `functions.read_text_file` are one. The paths stand under any of the argument names found in the
wild, or in the headers of a patch, which may itself be an argument of a shell call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from compaction.history.programs import remade, removed, written
from compaction.history.shell import command_text, simple_commands
from workspace.addresses import as_path
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compaction.history.messages import ToolCall
    from compaction.values import Json, JsonObject


class Operation(StrEnum):
    """The operations of a call on a file, in the words of the summary."""

    READ = "read"
    WRITE = "written"
    EDIT = "edited"
    DELETE = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """One path that a call touches, spelled as the call spells it."""

    path: str
    operation: Operation


_TOOLS = {
    Operation.READ: (
        "read", "readfile", "readtextfile", "readmediafile", "readmultiplefiles", "readmanyfiles", "fileread", "view",
        "viewfile", "viewimage", "openfile", "open", "cat", "getfilecontents", "getfile", "readnotebook",
        "notebookread", "readlines", "readfilelines", "viewcode", "fsread",
    ),
    Operation.WRITE: (
        "write", "writefile", "writetextfile", "writetofile", "createfile", "createtextfile", "create", "savefile",
        "filewrite", "newfile", "createnewfile", "createorupdatefile", "fswrite",
    ),
    Operation.EDIT: (
        "edit", "editfile", "fileedit", "multiedit", "editblock", "replace", "replaceinfile", "replacestringinfile",
        "multireplacestringinfile", "strreplace", "strreplaceeditor", "strreplacebasededittool", "searchreplace",
        "searchandreplace", "applydiff", "applyedit", "inserteditintofile", "insert", "insertcontent", "insertatline",
        "texteditor", "texteditor20250728", "applypatch", "patch", "patchfile", "notebookedit", "editnotebook",
        "editnotebookfile", "replacelines", "replacecontent", "replacesymbolbody", "insertaftersymbol",
        "insertbeforesymbol", "appendfile", "appendtofile", "smartedit", "updatefile", "editfiles", "fsreplace", "fsappend",
    ),
    Operation.DELETE: ("delete", "deletefile", "removefile", "unlink"),
}  # fmt: skip
_OPERATION_OF = {name: operation for operation, names in _TOOLS.items() for name in names}
_OF_CODE = frozenset({"getcontext", "zoom"})
"""Tools that show code: their `path` is where they look, and their answers tell the files that they show."""

_MOVES = frozenset({"movefile", "renamefile", "move", "rename"})
_PATH_KEYS = (
    "file_path", "filePath", "filepath", "path", "paths", "absolute_path", "absolutePath", "notebook_path",
    "notebookPath", "target_file", "targetFile", "relative_path", "relativePath", "file", "filename", "files",
    "file_paths", "filePaths", "uri", "TargetFile", "AbsolutePath", "replacements", "args",
)  # fmt: skip
_MOVE_KEYS = (("source", "destination"), ("old_path", "new_path"), ("oldPath", "newPath"), ("from", "to"))
_COMMANDS = {"view": Operation.READ, "create": Operation.WRITE, "write": Operation.WRITE}
"""The operations that the `command` argument of an editor tool names."""

_PATCH_OPERATIONS = {
    "Add": Operation.WRITE,
    "Update": Operation.EDIT,
    "Delete": Operation.DELETE,
    "create_file": Operation.WRITE,
    "update_file": Operation.EDIT,
    "delete_file": Operation.DELETE,
}
_PATCH_HEADER = re.compile(r"^\*\*\* (?P<what>Add|Update|Delete) File: (?P<path>.*\S)", re.MULTILINE)
_PATCH_MOVE = re.compile(r"^\*\*\* Move to: (?P<path>.*\S)", re.MULTILINE)
_DIFF_HEADER = re.compile(r"^--- (?P<old>\S[^\t\n]*+)[^\n]*\n\+\+\+ (?P<new>\S[^\t\n]*)", re.MULTILINE)


def short_name(tool: str) -> str:
    """The name by which the tables know a tool."""
    last = re.split(r"__|[.:/]", tool)[-1] or tool
    return re.sub(r"[^a-z0-9]", "", last.lower())


def touches(call: ToolCall) -> list[Touch]:
    """The paths a call touches, in the order it names them; [] for a call that touches none."""
    name = short_name(call.name)
    patched = list(_patched(call.arguments))
    if patched:
        return patched
    operation = _COMMANDS.get(str(call.arguments.get("command", "")), _OPERATION_OF.get(name))
    if name in _MOVES:
        return [
            touch
            for old, new in _MOVE_KEYS
            if isinstance(source := call.arguments.get(old), str) and isinstance(target := call.arguments.get(new), str)
            for touch in (Touch(path=source, operation=Operation.DELETE), Touch(path=target, operation=Operation.WRITE))
        ]
    if name not in _OPERATION_OF or operation is None:
        return _removed(call.arguments)
    if name == "applypatch" and (made := _PATCH_OPERATIONS.get(str(call.arguments.get("type", "")))) is not None:
        operation = made
    paths = dict.fromkeys(path for key in _PATH_KEYS for path in _paths(call.arguments.get(key)))
    return [Touch(path=path, operation=operation) for path in paths]


def lies_in(path: str, gone: str) -> bool:
    """Return whether a path is one that was removed, or lies below it, however much of either is spelled."""
    gone, path = (one.replace("\\", "/").strip("/") for one in (gone, path))
    return f"/{gone}/" in f"/{path}/"


def put_back(call: ToolCall) -> list[str]:
    """Return the paths that a command of a shell makes, by name or as installers and builds do, in whatever order."""
    line = command_text(call.arguments, "command", "cmd") if not _is_of_files(call) else ""
    return [path for command in simple_commands(line) for path in (*written(command), *remade(command))] if line else []


def _is_of_files(call: ToolCall) -> bool:
    return short_name(call.name) in _OPERATION_OF or short_name(call.name) in _MOVES


def _removed(arguments: JsonObject) -> list[Touch]:
    """The files that a command of a shell removes by name and does not make again."""
    line = command_text(arguments, "command", "cmd")
    paths: list[str] = []
    for command in simple_commands(line) if line else ():
        made = [*written(command), *remade(command)]
        paths = [path for path in paths if not any(lies_in(one, path) for one in made)] if made else paths
        paths += removed(command)
    return [Touch(path=path, operation=Operation.DELETE) for path in paths if not any(sign in path for sign in "*?~{")]


_NEW_TEXT = (
    "new_string", "new_str", "newText", "content", "file_text", "text", "replacement", "new_source", "diff", "patch",
)  # fmt: skip


def new_text(call: ToolCall) -> str:
    """Return what an edit puts into a file, "" where the call does not say it."""
    given = (call.arguments.get(key) for key in _NEW_TEXT)
    return next((text for text in given if isinstance(text, str) and text.strip()), "")


def operation_of(call: ToolCall) -> Operation | None:
    """Return what a call does to files, None where it does nothing to any."""
    if looks_at_code(call):
        return Operation.READ
    touched = touches(call)
    return touched[0].operation if touched else _OPERATION_OF.get(short_name(call.name))


def looks_at_code(call: ToolCall) -> bool:
    """Return whether a call asks for code by names or in words, so that its answer says which files it shows."""
    return short_name(call.name) in _OF_CODE


def _paths(value: Json) -> Iterator[str]:
    match value:
        case str():
            if value.strip() and "\n" not in value:
                yield as_path(value)
        case list():
            for item in value:
                yield from _paths(item)
        case dict():
            for key in _PATH_KEYS:
                yield from _paths(value.get(key))
        case _:
            return


def _patched(arguments: JsonObject) -> Iterator[Touch]:
    for text in _strings(arguments):
        if "*** " in text:
            for header in matches(_PATCH_HEADER, text):
                yield Touch(path=header["path"], operation=_PATCH_OPERATIONS[header["what"]])
            for header in matches(_PATCH_MOVE, text):
                yield Touch(path=header["path"], operation=Operation.WRITE)
        elif "\n+++ " in text:
            for header in matches(_DIFF_HEADER, text):
                deleted = header["new"].strip() == "/dev/null"
                path = header["old" if deleted else "new"].strip()
                yield Touch(path=re.sub(r"^[ab]/", "", path), operation=Operation.DELETE if deleted else Operation.EDIT)


_PATCH_KEYS = ("patch", "patchText", "patch_text", "diff", "input", "command", "cmd", "script", "commands", "arguments")


def _strings(arguments: JsonObject) -> Iterator[str]:
    """The arguments that may hold a patch: a document that happens to quote one is not among them."""
    for key in _PATCH_KEYS:
        value = arguments.get(key)
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (item for item in value if isinstance(item, str))
