"""Files that hold credentials by their nature, told by their names.

The names are in `sensitive.toml`. The rule errs towards hiding data and away from hiding code: `credentials.json` is
sensitive, `credentials.py` is source. Secrets inside other files are another matter and need their content.
"""

from __future__ import annotations

from functools import cache

import msgspec

from workspace.names.rules import NameRules, name_rules
from workspace.tables import table


class _Rules(msgspec.Struct, frozen=True, kw_only=True):
    by_name: NameRules
    places: tuple[str, ...]


_SPARES, _HOLDS = 0, 1
"""The rules in their order: what is spared is not sensitive, whatever else matches."""


def is_sensitive(path: str) -> bool:
    """Tell whether a file holds credentials by its name (`.env`, private keys, `credentials.json`, …).

    Args:
        path: with forward slashes; of a file reached through a link ask for the link's path and for its target's.
    """
    rules = _rules()
    first = rules.by_name.first(path)
    return first == _HOLDS or (first != _SPARES and f"/{path.lower()}".endswith(rules.places))


@cache
def _rules() -> _Rules:
    rules = table("names/sensitive")
    return _Rules(
        by_name=name_rules((rules["spares"], rules["holds"]), any_case=True),
        places=tuple(f"/{place}" for place in rules["holds"]["places"]),
    )
