"""Tables that tell which commands change something that lies neither in files nor on this machine.

That is what runs in a cloud or a cluster, what a registry or a hosting service holds, and the data of a database.

Such a change leaves no trace in the folder that is worked in, and whoever goes on must know of it. A command is told by its program
and by a word behind it that says what it does; a trial (`--dry-run`) changes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.history.shell import SimpleCommand

_TRIAL: Final = re.compile(r"--?(?:dry-?run|what-?if|help|no-execute-changeset|check)(?:=(?!false|none)|$)")
_OF_A_CLOUD: Final = (
    "create delete destroy update set unset add remove deploy enable disable start stop restart reset resize scale rollback promote "
    "submit apply import patch put up launch assign purge rename move restore attach detach migrate "
    "add-iam-policy-binding remove-iam-policy-binding set-iam-policy set-env-vars update-traffic"
)
_OF_AWS: Final = re.compile(
    r"(?:create|delete|put|update|modify|attach|detach|run|start|stop|terminate|reboot|register|deregister|add|remove|associate|"
    r"disassociate|enable|disable|publish|send|tag|untag|set|authorize|revoke|allocate|release|import|restore|reset|purge|copy|"
    r"change|upload|transact|batch-write)-[a-z0-9-]+$|deploy$|publish$"
)
_COPIES: Final = frozenset({"cp", "sync", "rsync"})
_CHANGES_STORE: Final = frozenset({"mv", "rm", "mb", "rb"})
_STORES: Final = frozenset({"s3", "storage"})
_ANYWHERE: Final = {
    **dict.fromkeys(
        ("gcloud", "az", "doctl", "hcloud", "ibmcloud", "oci", "linode-cli", "fly", "flyctl", "railway", "wrangler"),
        f"{_OF_A_CLOUD} publish execute",
    ),
    "supabase": "push deploy set unset create delete link",
    "vercel": "deploy rm remove add link promote rollback alias",
    "netlify": "deploy env:set env:unset sites:create sites:delete",
    "firebase": "deploy functions:delete hosting:disable functions:secrets:set",
    "heroku": "create destroy config:set config:unset addons:create addons:destroy ps:scale pg:reset pipelines:promote rollback",
    "pulumi": "up destroy import refresh",
    "terraform": "apply destroy import taint untaint rm mv",
    "tofu": "apply destroy import taint untaint rm mv",
    "terragrunt": "apply destroy import",
    "cdk": "deploy destroy bootstrap",
    "sam": "deploy delete",
    "serverless": "deploy remove",
    "sls": "deploy remove",
    "solana": "deploy transfer airdrop",
    "anchor": "deploy upgrade",
    "eas": "build submit update",
    "modal": "deploy",
    "docker": "push",
    "podman": "push",
    "npm": "publish unpublish deprecate",
    "pnpm": "publish",
    "yarn": "publish",
    "cargo": "publish yank",
    "poetry": "publish",
    "uv": "publish",
    "gem": "push yank",
    "twine": "upload",
    "prisma": "deploy dev reset push seed execute",
    "alembic": "upgrade downgrade stamp",
    "manage.py": "migrate flush loaddata",
    "rails": "db:migrate db:seed db:reset db:drop db:create db:rollback db:setup",
    "rake": "db:migrate db:seed db:reset db:drop db:create db:rollback db:setup",
    "artisan": "migrate db:seed migrate:fresh migrate:rollback",
    "knex": "migrate:latest migrate:up migrate:rollback seed:run",
    "sequelize": "db:migrate db:migrate:undo db:seed:all",
    "sequelize-cli": "db:migrate db:migrate:undo db:seed:all",
    "drizzle-kit": "push migrate",
    "flyway": "migrate clean repair undo",
    "liquibase": "update rollback",
    "goose": "up down reset",
    "dbmate": "up down migrate rollback drop create",
}
"""The words behind a program, wherever they stand, that say that it changes something."""

_AT_THE_HEAD: Final = {
    "gh": "create delete edit fork rename archive set remove upload merge close reopen comment enable disable run rerun cancel lock",
    "glab": "create delete edit fork rename archive set remove upload merge close reopen note run retry",
    "kubectl": "apply create delete patch replace scale restart undo set label annotate expose drain cordon uncordon taint run autoscale",
    "oc": "apply create delete patch replace scale restart undo set label annotate expose new-app new-project",
    "helm": "install upgrade uninstall rollback delete",
}
"""The same where a noun may be spelt like one: the second word of `gh`, and the first two of the others."""

_WORDS: Final = {program: frozenset(words.split()) for program, words in (_ANYWHERE | _AT_THE_HEAD).items()}
_ALWAYS: Final = frozenset(
    {"createdb", "dropdb", "createuser", "dropuser", "pg_restore", "mongorestore", "ansible-playbook"}
)
_DATABASES: Final = frozenset(
    {"psql", "mysql", "mariadb", "sqlite3", "mongosh", "mongo", "sqlcmd", "duckdb", "clickhouse-client", "bq", "turso"}
)
_CHANGES_DATA: Final = re.compile(
    r"\b(?:insert\s+into|update\s+\S+\s+set|delete\s+from|(?:create|drop|alter)\s+(?:or\s+replace\s+|unique\s+|temp(?:orary)?\s+)?"
    r"(?:table|index|view|database|schema|role|user|type|function|trigger|extension|sequence|policy|materialized)|"
    r"truncate\s|grant\s+\w|revoke\s+\w|merge\s+into|replace\s+into)"
    r"|\.(?:insert(?:One|Many)|update(?:One|Many)|delete(?:One|Many)|replaceOne|drop(?:Database)?|createIndex)\(",
    re.IGNORECASE,
)
_REDIS: Final = re.compile(
    r"(?:set\w*|del|unlink|flush\w+|[hlsz](?:set|add|push|rem|del|pop)\w*|expire|rename|incr\w*|restore)$",
    re.IGNORECASE,
)
_SCRIPT: Final = re.compile(r"(?=\S*+$)(?:\S*[/:_-])?(?:deploy|publish)(?:[:_.-]|$)")
_RUNNERS: Final = frozenset({"npm", "pnpm", "yarn", "bun"})
_MAKERS: Final = frozenset({"make", "just", "task", "rake"})
_INTERPRETERS: Final = re.compile(r"(?:python[\d.]*|node|php|ruby|bash|sh|zsh)$")
_REMOTE: Final = re.compile(r"(?:[\w.-]+@)?[\w.-]{2,}:")
"""The beginning of a path on another machine; a drive of Windows has one letter."""

_NAMES_A_PLACE: Final = frozenset(
    {"-h", "-p", "-a", "-n", "-u", "--namespace", "--context", "--cluster", "--kubeconfig", "-R", "--repo"}
)
_METHODS: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})


def changes_elsewhere(command: SimpleCommand) -> bool:
    """Return whether a command changes something beyond files and this machine."""
    if any(map(_TRIAL.match, command.arguments)):
        return False
    program, operands = _meant(command)
    if program in _DATABASES:
        return any(map(_CHANGES_DATA.search, command.arguments)) or not {"-f", "--file"}.isdisjoint(command.arguments)
    if program == "redis-cli":
        return any(map(_REDIS.match, _bare(command.arguments)[:1]))
    if program in {"scp", "rsync"}:
        return bool(operands) and _REMOTE.match(operands[-1]) is not None
    if program in {"gh", "glab"}:
        return _of_a_forge(program, command.arguments)
    if program in {"aws", "gsutil", "gcloud"} and (told := _of_a_store(program, operands)) is not None:
        return told
    if program == "aws":
        return any(map(_OF_AWS.match, operands))
    if program == "vercel" and (not operands or "--prod" in command.arguments):
        return True
    words = _WORDS.get(program, frozenset[str]())
    is_local = operands[:1] == ("config",) or program in _ALWAYS
    at = _bare(command.arguments)[:2] if program in _AT_THE_HEAD else operands
    return program in _ALWAYS or (not is_local and not words.isdisjoint(at)) or _is_script(program, operands)


def _bare(arguments: Sequence[str]) -> list[str]:
    """The arguments that are no options, and no values of those that name a server or a place there."""
    before = ("", *arguments)
    return [
        word
        for word, option in zip(arguments, before, strict=False)
        if word[:1] != "-" and option not in _NAMES_A_PLACE
    ]


def _meant(command: SimpleCommand) -> tuple[str, tuple[str, ...]]:
    """The program that a command is about, and the operands behind it: of `python manage.py migrate` what is run."""
    program, operands = command.program.lower(), command.operands
    if program in _RUNNERS:
        behind = operands[1:] if operands[:1] in (("run",), ("exec",)) else operands
        return (behind[0], behind[1:]) if behind and behind[0] in _WORDS else (program, operands)
    if _INTERPRETERS.match(program) and operands:
        return operands[0].rpartition("/")[2], operands[1:]
    return program, operands


def _of_a_forge(program: str, arguments: Sequence[str]) -> bool:
    operands = _bare(arguments)
    if operands[:1] == ["api"]:
        return any(word.removeprefix("--method=").removeprefix("-X") in _METHODS for word in arguments)
    return not _WORDS[program].isdisjoint(operands[1:2])


def _of_a_store(program: str, operands: tuple[str, ...]) -> bool | None:
    """Tells whether files are changed in a store of objects; None where a command is not about one."""
    place = next((place for place, word in enumerate(operands) if word in _STORES), -1)
    if program != "gsutil" and place < 0:
        return None
    verb = operands[place + 1 : place + 2]
    if not _COPIES.isdisjoint(verb):
        return "://" in operands[-1]
    return not _CHANGES_STORE.isdisjoint(verb)


def _is_script(program: str, operands: tuple[str, ...]) -> bool:
    """Tells whether a script or a target is run that is called like what it does."""
    if program in _RUNNERS:
        target = operands[1:2] if operands[:1] == ("run",) else operands[:1] if program in {"yarn", "bun"} else ()
        return any(map(_SCRIPT.match, target))
    return any(map(_SCRIPT.match, operands)) if program in _MAKERS else _SCRIPT.match(program) is not None
