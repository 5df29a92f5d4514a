"""Attempts of one tenant to see what belongs to another: what is asked, with places for what the asker should not know.

Every attempt is made twice, with what truly is the other's (`{repo}`, `{commit}`, …) and with what nobody has. Both
answers have to be the same bytes, but for what was asked, and hold nothing of the other's.
"""

from __future__ import annotations

from typing import Any

Attempt = tuple[str, dict[str, Any]]


def _tool(name: str, **arguments: Any) -> Attempt:
    return "tools/call", {"name": name, "arguments": arguments}


def _context(path: str, **arguments: Any) -> Attempt:
    return _tool("get_context", path=path, **arguments)


def _resource(uri: str) -> Attempt:
    return "resources/read", {"uri": uri}


def _completion(name: str, value: str) -> Attempt:
    ref = {"type": "ref/prompt", "name": "explore_code"}
    return "completion/complete", {"ref": ref, "argument": {"name": name, "value": value}}


def _history(**arguments: Any) -> Attempt:
    return _tool("compact_history", **arguments)


_TALK = [
    {"role": "user", "content": "read {folder}/{file}"},
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "1", "name": "Read", "input": {"file_path": "{folder}/{file}"}}],
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "It was long. " * 1500}]},
]

_RECORD = "ui://fractal-context/record?%7B%22path%22%3A%22repo%3A%2F%2F{percent}%22%2C%22token_budget%22%3A2000%7D"
"""The words that a view is told of the context of its repository."""

ATTEMPTS: dict[str, Attempt] = {
    "its name": _context("repo://{repo}"),
    "its name and a branch": _context("repo://{repo}@main"),
    "its name and a commit": _context("repo://{repo}@{commit}"),
    "its name and a file": _context("repo://{repo}:{file}"),
    "its commit in a repository of mine": _context("repo://a/shop@{commit}"),
    "its commit in short": _context("repo://a/shop@{short}"),
    "its branch": _context("repo://a/shop@{branch}"),
    "its tree": _context("repo://a/shop@{tree}"),
    "its file as an object": _context("repo://a/shop@{blob}"),
    "up from mine": _context("repo://a/shop:../{bare}"),
    "up from a commit of mine": _context("repo://a/shop@main:../../{bare}"),
    "up inside a name": _context("repo://a/../{repo}"),
    "up behind a revision": _context("repo://a/shop@main/../../{repo}"),
    "up from a folder of mine": _context("repo://a/site:../{vault}/{file}"),
    "its folder by its absolute path": _context("{folder}"),
    "its file by its absolute path": _context("{folder}/{file}"),
    "its bare repository by its absolute path": _context("{bare_path}"),
    "its absolute path behind a name of mine": _context("repo://a/shop:{folder}"),
    "a place in a commit": _context("/dev/null/revisions/{number}/{commit}/{bare}"),
    "a place in a commit behind a name of mine": _context("repo://a/shop:/dev/null/revisions/{number}/{commit}/{bare}"),
    "a link on the disk": _context("repo://a/site:{link}"),
    "a file behind a link on the disk": _context("repo://a/site:{link}/{file}"),
    "a link in a commit": _context("repo://a/shop:{committed}"),
    "a folder whose git is another's": _context("repo://a/site:{pointed}", changed="{commit}"),
    "a percent for a slash": _context("repo://{percent}"),
    "a percent for the colon": _context("repo%3A%2F%2F{percent}"),
    "another case of the scheme": _context("REPO://{repo}"),
    "another case of the name": _context("repo://{upper}"),
    "letters that look alike": _context("repo://{alike}"),
    "wide letters": _context("repo\uff1a\uff0f\uff0f{repo}"),
    "a name with a joiner": _context("repo://{repo}\u200b"),
    "a NUL before it": _context("repo://a/shop\0{repo}"),
    "a NUL behind it": _context("repo://{repo}\0"),
    "a slash more": _context("repo:///{repo}"),
    "a slash at the end": _context("repo://{repo}/"),
    "a user before it": _context("repo://a/shop@{repo}"),
    "a pattern": _context("repo://{pattern}"),
    "a file address": _context("file://{folder}"),
    "an address that is cloned on the command line": _context("file://{bare_path}@main"),
    "a commit as on the command line": _context("git:{bare_path}@main"),
    "a range of commits": _context("repo://a/shop", changed="{commit}..main"),
    "a commit to compare with": _context("repo://a/shop", changed="{commit}"),
    "a snapshot": _context("repo://a/shop", since="{snapshot}"),
    "a cursor": _context("repo://a/shop", cursor="{cursor}"),
    "a focus on its definition": _context("repo://a/shop", focus=["{symbol}"]),
    "a focus on its path": _context("repo://a/shop", focus=["{folder}/{file}"]),
    "globs that go up": _context("repo://a/site", include=["**/{file}", "{link}/**"]),
    "its words as a question": _context("repo://a/shop", query="{symbol}"),
    "zoom into its definition": _tool("zoom", target="{symbol}", path="repo://{repo}"),
    "zoom into its definition from mine": _tool("zoom", target="{symbol}", path="repo://a/shop"),
    "zoom into its file": _tool("zoom", target="file={folder}/{file}", path="repo://a/site"),
    "zoom into its name": _tool("zoom", target="repo://{repo}:{file}", path="repo://a/shop"),
    "zoom into its lines": _tool("zoom", target="lines=../{vault}/{file}:1-3", path="repo://a/site"),
    "the map of its folder": _tool("zoom", target="../{vault}/", path="repo://a/site"),
    "its archive": _history(archive_id="{archive}"),
    "a part of its archive": _history(archive_id="{archive}", recall="1-2"),
    "its session by its path": _history(transcript_path="{folder}/session.jsonl"),
    "its session by its name": _history(transcript_path="repo://{repo}:session.jsonl"),
    "its files read again by its name": _history(messages=_TALK, path="repo://{repo}", dry_run=True, force=True),
    "its files read again by their paths": _history(messages=_TALK, path="repo://a/site", dry_run=True, force=True),
    "its context as a resource": _resource("context://repo://{repo}"),
    "its context as a resource, encoded": _resource("context://repo%3A%2F%2F{percent}"),
    "its context by an absolute path": _resource("context://{folder}"),
    "its skeleton as a resource": _resource("skeleton://repo://{repo}:{file}"),
    "its definition as a resource": _resource("symbol://{symbol}"),
    "its file as a resource": _resource("symbol://file={folder}/{file}"),
    "what its name may become": _completion("path", "repo://{letter}"),
    "what its revisions are": _completion("path", "repo://{repo}@"),
    "what its files are": _completion("path", "repo://{repo}:"),
    "what lies in its folder": _completion("path", "{folder}/"),
    "what lies behind a link": _completion("path", "repo://a/site:{link}/"),
    "what its definitions are": _completion("target", "{symbol}"),
    "an escaped way up": _context("repo://a/shop:%2e%2e/{bare}"),
    "an escaped way up, twice": _context("repo://a/shop:%252e%252e%252f{bare}"),
    "backslashes": _context("repo://a\\..\\{repo}"),
    "backslashes behind mine": _context("repo://a/site:..\\{vault}\\{file}"),
    "its folder through the system's root": _context("/proc/self/root{folder}"),
    "its folder through the server's own": _context("/proc/self/cwd/{vault}"),
    "its folder from the server's own": _context("./{vault}"),
    "its folder behind a home folder": _context("~/../../{folder}"),
    "its folder as the one of a share": _context("\\\\localhost\\{folder}"),
    "what is kept of it": _context("{kept}"),
    "what is kept of it, behind a name of mine": _context("repo://a/site:{kept}"),
    "its git folder": _context("{folder}/.git"),
    "its commit as a search": _context("repo://a/shop@:/{symbol}"),
    "its commit by what it is reached from": _context("repo://a/shop@{commit}^0"),
    "its commit in the log of a branch": _context("repo://a/shop@main@{{commit}}"),
    "its branch by its whole name": _context("repo://a/shop@refs/heads/{branch}"),
    "a reference that goes up": _context("repo://a/shop@../../{bare}/refs/heads/main"),
    "a revision that is an option": _context("repo://a/shop@--git-dir={bare_path}"),
    "a file as a revision has it": _context("repo://a/shop@main:{bare_path}/HEAD"),
    "a submodule that is its commit": _context("repo://a/shop:{submodule}"),
    "what changed in a submodule that is its commit": _context("repo://a/shop:{submodule}", changed="HEAD~1"),
    "a comparison with its branch": _context("repo://a/shop", changed="{branch}"),
    "a comparison with its file": _context("repo://a/site", changed="{commit}:{file}"),
    "an archive for a snapshot": _context("repo://a/shop", since="{archive}"),
    "a snapshot for an archive": _history(archive_id="{snapshot}"),
    "the first digits of a snapshot": _context("repo://a/shop", since="{snapshot_begins}"),
    "the first digits of an archive": _history(archive_id="{archive_begins}"),
    "its archive in other letters": _history(archive_id="{archive_upper}"),
    "its archive by its path": _history(transcript_path="{state}/tenants/{archive}"),
    "a question about all that it holds": _history(archive_id="{archive}", recall="{symbol}"),
    "a snapshot under its name": _context("repo://{repo}", since="{snapshot}"),
    "a cursor under its name": _context("repo://{repo}", cursor="{cursor}"),
    "a stack trace through its file": _context("repo://a/site", query='File "{folder}/{file}", line 2, in {symbol}'),
    "a question with its path": _context("repo://a/shop", query="what does {folder}/{file} do"),
    "who calls its definition": _tool("zoom", target="{symbol}", path="repo://a/shop", context="callers"),
    "several targets, one of them its own": _tool("zoom", target=["price", "{symbol}"], path="repo://a/shop"),
    "globs by its absolute path": _context("repo://a/site", include=["{folder}/**"]),
    "globs that leave out what it has": _context("repo://a/site", exclude=["!../{vault}/**"]),
    "its record as a view is told": _resource(_RECORD),
    "its skeleton through a link": _resource("skeleton://repo://a/site:{link}/{file}"),
    "its definition behind a name": _resource("symbol://repo://{repo}:{file}::{symbol}"),
    "a prompt about it": ("prompts/get", {"name": "explore_code", "arguments": {"path": "repo://{repo}"}}),
    "what its name may become, by a template": (
        "completion/complete",
        {
            "ref": {"type": "ref/resource", "uri": "context://{+path}"},
            "argument": {"name": "path", "value": "repo://{letter}"},
        },
    ),
    "what its files are, told by another argument": (
        "completion/complete",
        {
            "ref": {"type": "ref/resource", "uri": "symbol://{+target}"},
            "argument": {"name": "target", "value": "{symbol}"},
            "context": {"arguments": {"path": "repo://{repo}"}},
        },
    ),
}
