"""Completion of the command line in bash, zsh and fish.

A shell asks the program itself what may come next, so a script of four lines serves each of them, and never falls
behind: commands, options and choices are read from the parser that reads the call. Where the program has nothing to
say, the shell completes file names.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SCRIPTS = {
    "bash": """_fractal_context() {
    local IFS=$'\\n'
    COMPREPLY=($(fractal-context completion --words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _fractal_context fractal-context
""",
    "zsh": """#compdef fractal-context
_fractal_context() {
    local -a found
    found=(${(f)"$(fractal-context completion --words "${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)"})
    (( $#found )) && compadd -- $found || _files
}
compdef _fractal_context fractal-context
""",
    "fish": """function __fractal_context
    fractal-context completion --words (commandline -opc)[2..] (commandline -ct) 2>/dev/null
end
complete -c fractal-context -a '(__fractal_context)'
""",
}
"""For each shell, what it has to be told: `eval "$(fractal-context completion bash)"`."""


def completions(parser: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """Returns what the last word may become.

    Args:
        parser: the parser of the whole command line.
        words: what has been typed behind the program's name; the last word may be empty.

    Returns:
        Commands, options or choices that begin with the last word, sorted; nothing where a file name or free text is
        due.
    """
    *before, typed = words or [""]
    asked = parser
    expecting: argparse.Action | None = None
    for word in before:
        expecting = None
        commands = _commands(asked)
        if word in commands:
            asked = commands[word]
        else:
            expecting = next((action for action in _actions(asked) if word in action.option_strings), None)
    if expecting is not None and expecting.nargs != 0:
        offered = [str(choice) for choice in expecting.choices or ()]
    elif typed.startswith("-"):
        offered = [
            option
            for action in _actions(asked)
            if action.help is not argparse.SUPPRESS
            for option in action.option_strings
            if option.startswith("--")
        ]
    else:
        offered = [*_commands(asked), *_positional_choices(asked)]
    return sorted(one for one in offered if one.startswith(typed))


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return parser._actions  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - argparse lists them nowhere else


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found: dict[str, argparse.ArgumentParser] = {}
    for action in _actions(parser):
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - as above
            found |= action.choices  # pyright: ignore[reportUnknownMemberType] - generic in the class of the parsers
    return found


def _positional_choices(parser: argparse.ArgumentParser) -> list[str]:
    return [
        str(choice)
        for action in _actions(parser)
        if not action.option_strings and not isinstance(action.choices, dict)
        for choice in action.choices or ()
    ]
