"""Tells repositories of documents and of configuration from those of code that have some beside it.

In one of code a question is answered by code, and its docs only tell of that. In a book, a reference or the web site of a
framework code shows what the prose says, in listings, or builds the pages; of charts and playbooks it keeps a few in order.
There the files without definitions are what is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from allocator.ranking.integers import summed
from workspace.names.documents import spoken_for
from workspace.names.tiers import Tier, is_written_by_hand

if TYPE_CHECKING:
    from allocator.ranking.arrays import Arrays, Floats, Longs

LEAST: Final = 2.5
"""Words of documents for each of code and configuration up to which a repository is none of documents …"""

FULL: Final = 3.5
"""… and from which on it is one altogether."""

LEAST_SET: Final = 3.0
"""Files without definitions for each with some, and words in them, up to which a repository is none of configuration …"""

FULL_SET: Final = 6.0
"""… and from which on it is one altogether."""


def told(arrays: Arrays, tiers: Longs) -> Floats:
    """For each file without definitions how far the repository is one of such files, from 0 to 1; 0 for every other file.

    Args:
        arrays: the files.
        tiers: of the files.
    """
    prose = arrays.is_document
    words = summed(arrays.file, arrays.length, arrays.files)
    defines = np.diff(arrays.first) > 1
    made = ~prose & (tiers <= Tier.CONFIG)
    spoken = spoken_for((arrays.paths[place], float(words[place])) for place in np.flatnonzero(prose).tolist())
    of_prose = _share(spoken, float(words[made].sum()), LEAST, FULL)
    code, settings = made & defines, made & ~defines
    of_settings = min(
        _share(float(settings.sum()), float(code.sum()), LEAST_SET, FULL_SET),
        _share(float(words[settings].sum()), float(words[code].sum()), LEAST_SET, FULL_SET),
    )
    if not of_prose and not of_settings:
        return np.zeros(arrays.files)
    by_hand = np.array([is_written_by_hand(path) for path in arrays.paths], dtype=np.bool_)
    texts = ~defines & by_hand & (tiers != Tier.TESTS)
    return np.where(prose & ~defines, max(of_prose, of_settings), np.where(texts, of_settings, 0.0))


def _share(some: float, others: float, least: float, full: float) -> float:
    return min(1.0, max(0.0, (some / max(others, 1.0) - least) / (full - least)))
