"""Mixes the signals of a ranking by one table of factors.

The factors are those of a conditional logit: they make the definitions that real commits changed as likely as they can
be, given the message, among all definitions of the tree before the commit. They were fitted on one half of the
repositories of `benchmarks/recall` and are reported on the other; `python -m benchmarks.recall.tune` prints them anew.
Two are set by hand: `rest`, since only functions are counted there, and what tests count when a query asks for tests.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from allocator.ranking.corpus import Floats

FACTORS: Mapping[str, float] = MappingProxyType(
    {
        "match": -0.313,
        "place": 0.251,
        "subject": 0.013,
        "name": 0.264,
        "container": 1.419,
        "file_place": 0.171,
        "file_best": 2.989,
        "file_crowd": 0.062,
        "file_units": -0.153,
        "path": 1.21,
        "mentioned": 1.742,
        "graph": 0.711,
        "history_place": 0.253,
        "history": 1.282,
        "recent": 1.292,
        "test": -4.728,
        "other": -1.348,
        "callable": 3.792,
        "size": 0.472,
        "match_inside": 0.145,
        "graph_inside": 0.548,
        "name_inside": 0.32,
        "rest": 0.0,
    }
)

ASKED_TESTS = -0.7
"""Takes the place of the factor of `test` where the query asks for tests: they count half."""


def factors(*, asks_for_tests: bool) -> Mapping[str, float]:
    """The factor of each signal, by its name.

    Args:
        asks_for_tests: whether the query is about tests.
    """
    return {**FACTORS, "test": ASKED_TESTS} if asks_for_tests else FACTORS


def likelihoods(signals: Mapping[str, Floats], *, asks_for_tests: bool) -> Floats:
    """Returns how likely each unit is to be what the query is about; all add up to 1.

    Args:
        signals: by name, each over all units.
        asks_for_tests: whether the query is about tests.
    """
    table = factors(asks_for_tests=asks_for_tests)
    scores = sum((table[name] * signal for name, signal in signals.items()), np.zeros(1))
    raised = np.exp(scores - scores.max(initial=-np.inf)) if len(scores) else scores
    return raised / raised.sum() if len(raised) else raised
