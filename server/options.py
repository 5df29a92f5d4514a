"""The table of settings as command line options, and as the listings that people read."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from server.settings import CONFIG_FILE, CONFIG_VARIABLE, SETTINGS, Settings, read_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from server.settings import Setting

_FIELD = "setting_"
"""Before the field's name in a namespace, so that no argument of a command is taken for a setting."""


def setting_options(names: Iterable[str] = ()) -> argparse.ArgumentParser:
    """Returns a parent parser with `--config` and the options of some settings.

    Args:
        names: of the settings; empty for every one that has an option.
    """
    wanted = set(names) or {row.name for row in SETTINGS}
    parser = argparse.ArgumentParser(add_help=False)
    group = parser.add_argument_group("settings")
    for row in SETTINGS:
        if row.name in wanted and row.flag:
            group.add_argument(
                f"--{row.name}", dest=_FIELD + row.field, action="store_const", const="true", help=row.help
            )
        elif row.name in wanted and not row.secret:
            group.add_argument(
                f"--{row.name}",
                dest=_FIELD + row.field,
                metavar=row.metavar,
                action="append" if row.separator else "store",
                help=f"{row.help} ({row.default})".replace("%", "%%"),
            )
    group.add_argument("--config", metavar="FILE", help=f"file of settings (./{CONFIG_FILE})")
    return parser


def asked_settings(asked: argparse.Namespace, *, roots: Sequence[str] = ()) -> Settings:
    """Returns the settings for parsed arguments, the environment and the file.

    Args:
        asked: what a parser with `setting_options` has read.
        roots: what to read where `--root` says nothing; empty leaves it to the environment and the file.

    Raises:
        InvalidArgumentError: as `read_settings`.
    """
    given = {
        name.removeprefix(_FIELD): value
        for name, value in vars(asked).items()
        if name.startswith(_FIELD) and value is not None
    }
    if roots and not given.get("roots"):
        given["roots"] = list(roots)
    return read_settings(config=asked.config, **given)


def settings_in_force(settings: Settings) -> list[str]:
    """Returns one line for each setting: its name, its value and who said it."""
    lines: list[str] = []
    said_fields = {row.field: row.name for row in SETTINGS if row.name in settings.sources}
    for row in SETTINGS:
        source = settings.sources.get(row.name)
        if source is None and row.field in said_fields:
            continue  # another setting of the same field was said
        lines.append(f"{row.name} = {_shown(row, settings) if source else row.default} ({source or 'default'})")
    return lines


def settings_table() -> str:
    """Returns the documentation of every setting as a Markdown table."""
    lines = ["| setting | command line | environment | default | what it is |", "|---|---|---|---|---|"]
    for row in SETTINGS:
        option = "–" if row.secret else f"`{f'--{row.name} {row.metavar}'.strip()}`"
        key = f"`{row.name}`" + (" ¹" if row.guarded else "")
        separated = f", separated by `{row.separator}`" if row.separator else ""
        default = f"`{row.default}`" if " " not in row.default else row.default
        lines.append(f"| {key} | {option} | `{row.environment}`{separated} | {default} | {row.help} |")
    lines.append(f"| – | `--config FILE` | `{CONFIG_VARIABLE}` | `./{CONFIG_FILE}` | file of settings |")
    return "\n".join(lines) + "\n"


def _shown(row: Setting, settings: Settings) -> str:
    if row.field == "token" or row.secret:
        return "set, and not shown"
    value = getattr(settings, row.field)
    if row.field == "roots":
        return ", ".join(str(path) for path in settings.roots.paths) or "none"
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return "unlimited" if value is None else str(value)


if __name__ == "__main__":
    sys.stdout.write(settings_table())
