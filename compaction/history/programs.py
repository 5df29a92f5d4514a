"""Tables that tell what a simple command of a shell does, by the program and the words behind it."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from compaction.history.machine import removed_items, shows_of_windows
from compaction.history.shell import placed, simple_commands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from compaction.history.shell import SimpleCommand

_SHOW: Final = frozenset({
    "cat", "bat", "grep", "egrep", "fgrep", "rg", "ag", "ack", "sed", "head", "tail", "less", "more", "nl", "ls", "find", "fd", "tree",
    "wc", "awk", "jq", "yq", "echo", "printf", "which", "type", "pwd", "env", "printenv", "stat", "file", "sort", "uniq", "cut", "tr",
    "column", "paste", "tac", "diff", "cmp", "comm", "xxd", "od", "hexdump", "strings", "du", "df", "ps", "date", "uname", "whoami",
    "realpath", "dirname", "basename", "true", "test", "[", "[[", "pgrep", "lsof", "search_dir", "search_file", "find_file", "goto", "scroll_down", "scroll_up",
    "dir", "where", "findstr", "netstat", "ss", "tasklist", "systeminfo", "ipconfig", "hostname", "id", "groups",
})  # fmt: skip
_SHOW_TEXT: Final = frozenset(
    {"cat", "bat", "head", "tail", "sed", "nl", "less", "more", "awk", "tac", "strings", "xxd", "get-content", "gc"}
)
_SAYS: Final = frozenset({"echo", "printf", "Write-Host", "Write-Output"})
_GIT_SHOWS: Final = frozenset({
    "diff", "show", "log", "blame", "check-ignore", "check-attr", "rev-list", "for-each-ref", "merge-base", "grep", "ls-files", "ls-tree", "status", "rev-parse", "describe", "cat-file", "shortlog", "reflog",
})  # fmt: skip
_GIT_LISTS: Final = {
    "remote": frozenset({"show", "get-url"}),
    "branch": frozenset[str](),
    "tag": frozenset[str](),
    "stash": frozenset({"list", "show"}),
    "worktree": frozenset({"list"}),
    "config": frozenset[str](),
}
"""Subcommands of git that show something where nothing, or one of these, stands behind them."""

_GIT_ASKS: Final = frozenset(
    {"--get", "--get-all", "--get-regexp", "--list", "-l", "--show-current", "--contains", "--merged", "--no-merged"}
)
_GH_SHOWS: Final = frozenset({"view", "diff", "list", "status", "checks"})
_CODE_SHOWS: Final = frozenset({"pack", "zoom", "review"})
_IN_PLACE: Final = re.compile(r"-[nErsuz]*i(?:\.|$)|--in-place")
_EXECUTES: Final = frozenset({"-exec", "-execdir", "-ok", "-okdir"})

_PREPARE: Final = frozenset({
    "cd", "pushd", "popd", "export", "set", "unset", "source", ".", "sleep", "wait", "shift", "read", "local", "alias", "ulimit", "umask",
})  # fmt: skip
_MOVING: Final = (
    "mkdir rm rmdir cp mv ln touch chmod chown tee mktemp unlink Remove-Item Copy-Item Move-Item New-Item Rename-Item Set-Content "
    "Add-Content Set-Location del copy move md rd ren"
)
_MOVE: Final = frozenset(_MOVING.split())
_ANSWERS_NO: Final = frozenset(
    {"grep", "egrep", "fgrep", "rg", "ag", "ack", "diff", "cmp", "test", "[", "[[", "pgrep", "which", "findstr"}
)
"""Programs whose exit code 1 is an answer: no match, or a difference."""

_TESTS: Final = frozenset({
    "pytest", "py.test", "unittest", "tox", "nox", "jest", "vitest", "mocha", "rspec", "ctest", "phpunit",
    "trial", "nosetests", "ava", "karma", "bats",
})  # fmt: skip
_WITH_TESTS: Final = frozenset({
    "go", "cargo", "npm", "yarn", "pnpm", "bun", "deno", "gradle", "gradlew", "mvn", "mvnw", "make", "gmake", "mise", "just", "task", "dotnet",
    "swift", "mix", "rake", "rails", "zig", "sbt", "lein", "bazel", "artisan", "django-admin", "manage.py", "setup.py", "hatch", "meson",
    "ninja", "stack", "cabal", "dart", "flutter", "composer",
})  # fmt: skip
_MANY_TARGETS: Final = frozenset(
    {"make", "gmake", "gradle", "gradlew", "mvn", "mvnw", "ninja", "sbt", "rake", "just", "task"}
)
_TEST_TARGET: Final = re.compile(r"(?=\S*+$)(?:\S*:)?tests?(?:[-_:.]|$)|nextest$|t$|spec$")
_CHECK_TARGET: Final = re.compile(r"(?=\S*+$)(?:\S*:)?check(?:[-_:.]|$)")
_TEST_SCRIPT: Final = re.compile(r"(?:.*/)?(?:run[-_]?tests?(?:\.\w+)?|tests?\.(?:sh|py))$|.*\w/test$")
_NO_RUN: Final = frozenset(
    {"--version", "--help", "-h", "-V", "--collect-only", "--co", "--fixtures", "--markers", "--no-run"}
)
_SCRIPTS: Final = re.compile(r"(?:python[\d.]*|node|php|ruby|perl)$")
_CONTAINERS: Final = frozenset({"docker", "docker-compose", "podman", "podman-compose", "kubectl"})

_ADDS: Final = frozenset({"install", "add", "i", "get", "require"})
_TAKES: Final = frozenset({"uninstall", "remove", "rm", "un", "del", "delete", "purge"})
_INSTALLERS: Final = frozenset({
    "pip", "pip3", "pipx", "uv", "poetry", "pdm", "pipenv", "npm", "pnpm", "yarn", "bun", "apt", "apt-get", "apk", "dnf", "yum", "brew", "cargo", "go",
    "gem", "conda", "mamba", "composer",
})  # fmt: skip
_NAMES_A_SOURCE: Final = frozenset({"-r", "--requirement", "-e", "--editable"})
_TAKES_A_WORD: Final = frozenset({
    "-c", "--constraint", "-i", "--index-url", "--extra-index-url", "-f", "--find-links", "-t", "--target", "--python", "-p", "--prefix",
    "--features", "-F", "-o", "-n", "--name", "--channel", "--group", "--extra", "--root", "--path", "--git", "--branch", "--tag", "--rev",
    "--registry", "-C", "--cwd", "--dir", "--filter", "--directory", "--version",
})  # fmt: skip

_SOON_OVER: Final = frozenset({"curl", "wget", "open", "xdg-open"})
"""Programs that end by themselves, also where a line does not wait for them."""

_SERVERS: Final = frozenset({"uvicorn", "gunicorn", "hypercorn", "http.server", "nodemon", "http-server"})
_SERVES: Final = {
    "npm": {"start", "dev"},
    "yarn": {"start", "dev"},
    "pnpm": {"start", "dev"},
    "bun": {"dev"},
    "flask": {"run"},
    "rails": {"s", "server"},
    "docker": {"up"},
    "docker-compose": {"up"},
    "podman": {"up"},
    "systemctl": {"start", "restart"},
    "manage.py": {"runserver"},
    "vite": {"dev", "preview"},
    "next": {"dev", "start"},
}
_STOPS: Final = {
    "docker": {"down", "stop", "rm", "kill"},
    "docker-compose": {"down", "stop", "rm", "kill"},
    "podman": {"down", "stop", "rm", "kill"},
    "systemctl": {"stop"},
    "npm": {"stop"},
    "pm2": {"stop", "delete", "kill"},
}
_KILLS: Final = frozenset({"kill", "pkill", "killall", "fuser", "kill-port", "taskkill"})

_KEEP_TREE: Final = frozenset({"push", "fetch", "tag", "branch", "remote", "commit", "config", "add"})
_THROWN_AWAY: Final = re.compile(r"(?:/private)?(?:/var)?/tmp(?:/|$)|[A-Za-z]:[^\n]{0,200}[\\/]Temp(?:[\\/]|$)")

_BUILT: Final = ("dist", "build", "out", "target", ".next", ".nuxt", "bin", "obj", "_build", "public")
"""Folders that a build makes."""

_MADE: Final = {
    "npm": ("package-lock.json", "node_modules"),
    "yarn": ("yarn.lock", "node_modules"),
    "pnpm": ("pnpm-lock.yaml", "node_modules"),
    "bun": ("bun.lockb", "bun.lock", "node_modules"),
    "cargo": ("Cargo.lock", "target"),
    "poetry": ("poetry.lock", ".venv"),
    "uv": ("uv.lock", ".venv"),
    "pdm": ("pdm.lock", ".venv"),
    "pipenv": ("Pipfile.lock",),
    "bundle": ("Gemfile.lock", "vendor"),
    "composer": ("composer.lock", "vendor"),
    "go": ("go.sum", "vendor"),
}
"""The files and folders that programs which install or build make of their own."""

_MAKES: Final = frozenset(
    {"install", "i", "ci", "add", "update", "upgrade", "lock", "sync", "mod", "get", "require", "generate-lockfile"}
)
_BUILDS: Final = re.compile(
    r"(?=\S*+$)(?:\S*:)?(?:build|bundle|compile|package|release|dist)(?:[-_:.]|$)|(?:vite|webpack|rollup|tsc|tsup|esbuild|parcel)$"
)


def looks(command: SimpleCommand) -> bool:
    """Return whether a command only shows something, so that what it shows is not about itself."""
    return _shows(command) and not written(command)


def _shows(command: SimpleCommand) -> bool:
    """Tells whether a command only shows something, wherever it does."""
    operands = command.operands
    if command.program == "git":
        return bool(operands) and _git_shows(command)
    if command.program == "gh":
        return bool(operands) and (operands[0] in {"api", "search"} or any(word in _GH_SHOWS for word in operands[1:2]))
    if shows_code(command):
        return True
    if command.program == "sed":
        return not any(map(_IN_PLACE.match, command.arguments))
    if command.program == "find":
        run = [
            word for option, word in zip(command.arguments, command.arguments[1:], strict=False) if option in _EXECUTES
        ]
        return "-delete" not in command.arguments and _SHOW.issuperset(run)
    return command.program in _SHOW or shows_of_windows(command.program)


def shows_code(command: SimpleCommand) -> bool:
    """Return whether a command is the command line of `get_context` or `zoom`."""
    return command.program == "fractal-context" and not _CODE_SHOWS.isdisjoint(command.operands[:1])


def _git_shows(command: SimpleCommand) -> bool:
    verb, *words = _git_words(command) or [""]
    listed = _GIT_LISTS.get(verb)
    if verb in _GIT_SHOWS or listed is None:
        return verb in _GIT_SHOWS
    is_change = not {"-d", "-D", "-m", "-M", "--delete", "--unset", "--edit", "-e"}.isdisjoint(command.arguments)
    asks = not _GIT_ASKS.isdisjoint(command.arguments)
    return not is_change and (asks or (not words and verb != "stash") or not listed.isdisjoint(words[:1]))


@lru_cache(maxsize=1_024)
def only_looks(line: str) -> bool:
    """Return whether a line only shows something."""
    telling = [command for command in simple_commands(line) if command.program not in _PREPARE]
    return bool(telling) and all(map(looks, telling))


@lru_cache(maxsize=1_024)
def answers_no(line: str) -> bool:
    """Return whether exit code 1 of a line is the answer to what it asks, such as a search without a hit in what others put out."""
    telling = [command for command in simple_commands(line) if command.program not in _PREPARE]
    if not telling or "pipefail" in line or any(map(runs_tests, telling)):
        return False
    if not all(looks(one) or one.then == "|" for one in telling[:-1]) or not looks(telling[-1]):
        return False
    last = telling[-1]
    return last.program in _ANSWERS_NO or (
        last.program == "git" and _git_words(last)[:1] in (["grep"], ["diff"], ["check-ignore"])
    )


def is_saying(command: SimpleCommand) -> bool:
    """Return whether a command prints words of its own."""
    return command.program in _SAYS


def is_told(command: SimpleCommand) -> bool:
    """Return whether a command says how this project is worked on: it does more than look or move files about."""
    return not (looks(command) or command.program in _PREPARE or command.program in _MOVE)


@lru_cache(maxsize=1_024)
def masks(line: str) -> bool:
    """Return whether a line may end with code 0 although something that it runs has failed."""
    commands = simple_commands(line)
    hidden = [command for command in commands[:-1] if command.then not in {"", "&&"}]
    return any(map(is_told, [*hidden, *(command for command in commands[-1:] if command.then == "&")]))


@lru_cache(maxsize=1_024)
def words_of_failure(line: str) -> tuple[str, ...]:
    """Return what a line says where a part of it that does more than look has failed: the words of `make || echo 'not made'`."""
    commands = simple_commands(line)
    found: list[str] = []
    first = 0
    for place, (command, following) in enumerate(pairwise(commands)):
        if command.then not in {"||", "&&"}:
            first = place + 1
        elif command.then == "||" and following.program in _SAYS:
            tried = commands[first : place + 1]
            words = " ".join(" ".join(following.operands).split())
            if words and any(is_told(one) and one.program not in _KILLS for one in tried):
                found.append(words)
    return tuple(found)


@lru_cache(maxsize=1_024)
def only_tests(line: str) -> bool:
    """Return whether a line runs tests, and nothing else that could report an error."""
    telling = [command for command in simple_commands(line) if is_told(command)]
    return bool(telling) and all(map(runs_tests, telling))


@lru_cache(maxsize=1_024)
def shows_text(line: str) -> bool:
    """Return whether what a line shows is the text of files, so that no word of it is about the line itself."""
    return only_looks(line) and any(command.program.lower() in _SHOW_TEXT for command in simple_commands(line))


def runs_tests(command: SimpleCommand) -> bool:
    """Return whether a command runs tests."""
    if not _NO_RUN.isdisjoint(command.arguments):
        return False
    if command.program in _CONTAINERS and not {"run", "exec"}.isdisjoint(command.operands[:2]):
        inner = list(command.operands)
        return any(_tests(word, inner[place + 1 :]) for place, word in enumerate(inner))
    return _tests(command.program, command.operands)


def _tests(program: str, operands: Sequence[str]) -> bool:
    name = program.rpartition("/")[2]
    if _SCRIPTS.match(name) and operands:
        return _tests(operands[0], operands[1:])
    if name in _TESTS or _TEST_SCRIPT.match(program):
        return True
    targets = [word for word in operands if word not in {"run", "run-script"}]
    if name in _MANY_TARGETS:
        return any(_TEST_TARGET.match(word) or _CHECK_TARGET.match(word) for word in targets)
    return name in _WITH_TESTS and bool(targets) and _TEST_TARGET.match(targets[0]) is not None


_SWITCH = re.compile(r"/[A-Za-z]")
"""An option of commands of Windows (`del /f`, `rmdir /s /q`)."""


def removed(command: SimpleCommand) -> list[str]:
    """Return the paths that a command removes, from the folder that its line begins in; not those it finds out as it runs."""
    operands = list(command.operands)
    if command.program == "git":
        words = _git_words(command)
        operands = words[1:] if words[:1] == ["rm"] and "--cached" not in command.arguments else []
    elif command.program not in {"rm", "unlink", "rmdir", "trash"}:
        operands = list(removed_items(command))
    return [
        placed(path, command.folder)
        for path in operands
        if "$" not in path and re.search(r"\w", path) and not _SWITCH.fullmatch(path)
    ]


def written(command: SimpleCommand) -> list[str]:
    """Return the paths that a command surely writes, from the folder that its line begins in."""
    paths = [path for path in command.writes if not path.startswith(("/dev/", "&"))]
    operands = command.operands
    if command.program in {"mkdir", "touch", "tee"}:
        paths += operands
    elif command.program in {"cp", "mv", "ln"} and len(operands) > 1:
        target = operands[-1]
        names = [f"{target.rstrip('/')}/{source.rstrip('/').rpartition('/')[2]}" for source in operands[:-1]]
        paths += [target, *names]
    elif command.program == "git" and (words := _git_words(command))[:1] in (["checkout"], ["restore"], ["mv"]):
        paths += words[1:]
    return [placed(path, command.folder) for path in paths if path and "$" not in path]


def remade(command: SimpleCommand) -> list[str]:
    """Return the paths that a command makes again without naming them, where they were removed: lock files, what a build writes."""
    verbs = command.operands
    names: tuple[str, ...] = ()
    if command.program in _MADE and (not verbs or not _MAKES.isdisjoint(verbs[:1])):
        names += _MADE[command.program]
    if _BUILDS.match(command.program) or any(map(_BUILDS.match, verbs)) or command.program in _MANY_TARGETS:
        names += (*_BUILT, *_MADE.get(command.program, ()))
    if command.program in {"venv", "virtualenv"}:
        names += verbs
    return [placed(name, command.folder) for name in names]


def keeps_tree(command: SimpleCommand) -> bool:
    """Return whether a command surely leaves the files of a working tree as they are."""
    if not all(map(is_thrown_away, [*written(command), *removed(command)])):
        return False
    if command.program in _MOVE:
        return all(is_thrown_away(placed(path, command.folder)) for path in command.operands)
    if command.program == "git" and any(word in _KEEP_TREE for word in _git_words(command)[:1]):
        return True
    is_aside = command.program in _PREPARE or command.program in _KILLS or command.program == "gh"
    return is_aside or _shows(command) or runs_tests(command)


def is_thrown_away(path: str) -> bool:
    """Return whether a path lies where temporary files do."""
    return _THROWN_AWAY.match(path) is not None


def repository(command: SimpleCommand) -> str | None:
    """Return the folder whose repository a command of version control is about, None for any other command."""
    if command.program not in {"git", "gh", "hub", "jj"}:
        return None
    folder = command.folder
    for option, value in zip(command.arguments, command.arguments[1:], strict=False):
        if not option.startswith("-"):
            break
        folder = placed(value, folder) if option == "-C" else folder
    return folder


def new_branch(command: SimpleCommand) -> str:
    """Return the branch that a command surely goes to, "" where it says none."""
    if command.program != "git":
        return ""
    words = _git_words(command)
    makes = not {"-b", "-B", "-c", "-C", "--create"}.isdisjoint(command.arguments)
    goes = words[:1] == ["switch"] or (words[:1] == ["checkout"] and makes)
    return words[1] if goes and len(words) > 1 and "$" not in words[1] else ""


def subcommand(command: SimpleCommand) -> list[str]:
    """Return what git is asked to do, as a list of one word; [] for any other command."""
    return _git_words(command)[:1] if command.program == "git" else []


def _git_words(command: SimpleCommand) -> list[str]:
    """The subcommand of git and the operands behind it."""
    arguments = list(command.arguments)
    while arguments and arguments[0].startswith("-"):
        arguments = arguments[2 if arguments[0] in {"-C", "-c"} else 1 :]
    return [word for word in arguments if not word.startswith("-")]


def installed(command: SimpleCommand) -> tuple[list[str], list[str]]:
    """Return the packages that a command installs and those that it takes away."""
    arguments = list(command.arguments)
    if command.program == "uv" and arguments[:1] == ["pip"]:
        arguments.pop(0)
    while arguments and arguments[0].startswith("-"):
        arguments.pop(0)
    if command.program not in _INSTALLERS or not arguments:
        return [], []
    verb, names = arguments[0], list(_packages(arguments[1:]))
    return (names, []) if verb in _ADDS else ([], names) if verb in _TAKES else ([], [])


def _packages(arguments: Iterable[str]) -> Iterator[str]:
    option = ""
    for word in arguments:
        if option in _NAMES_A_SOURCE:
            yield f"{option} {word}"
        if option in _NAMES_A_SOURCE | _TAKES_A_WORD:
            option = ""
        elif word.startswith("-"):
            option = word
        elif "$" not in word:
            option = ""
            yield word


def starts(command: SimpleCommand) -> bool:
    """Return whether a command starts something that goes on when the line has ended."""
    if looks(command) or command.program in _PREPARE or "timeout" in command.words[:2]:
        return False
    if command.program in _SOON_OVER:
        return False
    is_of_windows = command.of_windows or any(map(_SWITCH.fullmatch, command.arguments))
    if (command.then == "&" and not is_of_windows) or command.program in _SERVERS:  # `&` of cmd only comes between two
        return True
    if command.of_windows and command.program.lower() in {"start", "start-process"}:
        return True
    words = [word for word in command.operands if word not in {"run", "compose"}] or list(command.operands)
    if _SCRIPTS.match(command.program):
        return len(words) > 1 and words[1] in _SERVES.get(words[0].rpartition("/")[2], ())
    if command.program in {"docker", "podman"} and command.operands[:1] == ("run",):
        return "-d" in command.arguments or "--detach" in command.arguments
    if command.program == "flask":
        return "run" in command.operands
    return bool(words) and words[0].partition(":")[0] in _SERVES.get(command.program, ())


def stops(command: SimpleCommand) -> list[str] | None:
    """Return the words for what a command ends, None where it ends nothing that was started."""
    operands = list(command.operands)
    if command.program in _KILLS:
        return None if {"-0", "-l"} & set(command.arguments) else [word for word in operands if word[:1] != "/"]
    words = [word for word in operands if word != "compose"]
    return [command.program] if words and words[0] in _STOPS.get(command.program, ()) else None
