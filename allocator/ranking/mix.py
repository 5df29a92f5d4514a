"""How the signals of a ranking are mixed: one table of factors.

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
        "match": 0.49,
        "place": 0.5,
        "subject": -0.872,
        "name": 1.3,
        "container": 1.415,
        "file_place": 0.142,
        "file_best": 1.197,
        "file_crowd": -0.9,
        "file_units": -0.545,
        "path": 0.456,
        "called": 0.0,
        "mentioned": 2.015,
        "graph": 2.086,
        "history_place": 0.245,
        "history": 1.631,
        "recent": 1.101,
        "test": -4.255,
        "other": -1.379,
        "callable": 3.639,
        "size": 0.499,
        "rest": 0.0,
    }
)

ASKED_TESTS = -0.7
"""Takes the place of the factor of `test` where the query asks for tests: they count half."""


def likelihoods(signals: Mapping[str, Floats], *, asks_for_tests: bool) -> Floats:
    """How likely each unit is what the query is about; all add up to 1.

    Args:
        signals: by name, each over all units.
        asks_for_tests: whether the query is about tests.
    """
    factors = {**FACTORS, "test": ASKED_TESTS} if asks_for_tests else FACTORS
    scores = sum((factors[name] * signal for name, signal in signals.items()), np.zeros(1))
    raised = np.exp(scores - scores.max(initial=-np.inf)) if len(scores) else scores
    return raised / raised.sum() if len(raised) else raised
