"""Tables that tell which commands change the machine beside files and packages: services, firewalls, users, the registry.

Such a change often answers nothing and leaves no file behind, and whoever goes on must know of it. Commands of PowerShell are
told by their verbs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compaction.history.shell import SimpleCommand

_CMDLET_SHOWS: Final = re.compile(
    r"(?:get|select|where|format|measure|sort|test|write|out|compare|resolve|convertto|convertfrom|group|show|find)-\w+$|foreach-object$",
    re.IGNORECASE,
)
_CMDLET_CHANGES: Final = re.compile(
    r"(?:set|new|remove|stop|start|restart|disable|enable|add|clear|install|uninstall|register|unregister|rename|suspend|resume|"
    r"reset|grant|revoke|mount|dismount|block|unblock)-(?!(?:location|variable|item|content|object|sleep|alias|strictmode|job|"
    r"process|transcript|pssession|member|type|psbreakpoint|timespan|guid|temporaryfile)$)\w+$",
    re.IGNORECASE,
)
_REMOVES: Final = frozenset({"remove-item", "ri", "del", "erase"})
_NAMES_A_PATH: Final = frozenset({"", "-path", "-literalpath", "-force", "-recurse", "-confirm", "-verbose", "-r"})
"""Options of a command that removes behind which a path may stand."""

_ALWAYS: Final = frozenset({
    "iptables", "ip6tables", "nft", "firewall-cmd", "useradd", "usermod", "userdel", "groupadd", "groupdel", "adduser", "deluser",
    "passwd", "chpasswd", "modprobe", "rmmod", "setenforce", "update-alternatives", "icacls", "takeown", "setx", "mount", "umount",
})  # fmt: skip
_NEVER: Final = frozenset({"-L", "-S", "-n", "-l", "--list", "--list-all", "--state", "list", "/query"})
_WITH: Final = {
    "systemctl": "enable disable mask unmask start stop restart reload daemon-reload set-default edit",
    "service": "start stop restart reload",
    "launchctl": "load unload bootstrap bootout enable disable kickstart",
    "ufw": "enable disable allow deny delete default limit reject reset",
    "sysctl": "-w --write -p",
    "defaults": "write delete import",
    "hostnamectl": "set-hostname hostname",
    "timedatectl": "set-timezone set-ntp set-time",
    "scutil": "--set",
    "sc": "config create delete start stop failure",
    "reg": "add delete import copy",
    "net": "start stop",
    "netsh": "set add delete reset",
    "schtasks": "/create /delete /change /run /end",
    "bcdedit": "/set /delete /default",
    "auditpol": "/set /clear",
    "wevtutil": "sl cl",
    "powercfg": "/change /setactive /h",
    "crontab": "-e -r -",
}
_CLIENTS: Final = frozenset({"gcloud", "kubectl", "oc", "az", "npm", "pnpm", "yarn", "pip", "pip3", "poetry", "aws"})
_SETS: Final = frozenset(
    {"set", "unset", "use-context", "set-context", "set-cluster", "set-credentials", "delete-context"}
)
"""Programs that keep what they work on, and the words behind `config` that change it."""

_WORDS: Final = {program: frozenset(words.split()) for program, words in _WITH.items()}
_LEAST_OF_CONFIG: Final = 2


def shows_of_windows(program: str) -> bool:
    """Return whether a command of PowerShell only shows something."""
    return _CMDLET_SHOWS.match(program) is not None


def changes_machine(command: SimpleCommand) -> bool:
    """Return whether a command changes how a machine, or a repository, is set up."""
    arguments = command.arguments
    if not _NEVER.isdisjoint(arguments):
        return False
    if command.program == "git":
        is_read = any(word.startswith(("--get", "--unset", "--show")) for word in arguments)
        return arguments[:1] == ("config",) and not is_read and len(command.operands) > _LEAST_OF_CONFIG
    if command.program in _CLIENTS and command.operands[:1] in (("config",), ("configure",)):
        return not _SETS.isdisjoint(command.operands[1:2])
    if command.program in _ALWAYS:
        return bool(arguments)
    if _CMDLET_CHANGES.match(command.program):
        return True
    return not _WORDS.get(command.program.lower(), frozenset[str]()).isdisjoint(arguments)


def removed_items(command: SimpleCommand) -> Iterator[str]:
    """Yield the paths that a command of PowerShell removes; none of any other command."""
    if command.program.lower() not in _REMOVES:
        return
    option = ""
    for word in command.arguments:
        if word.startswith("-"):
            option = word.lower()
        else:
            yield from (path for path in word.split(",") if path and option in _NAMES_A_PATH)
            option = ""
