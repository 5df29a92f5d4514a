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
        "match": 0.311,
        "place": 0.522,
        "subject": -0.83,
        "name": 1.299,
        "container": 1.39,
        "file_place": 0.109,
        "file_best": 1.433,
        "file_crowd": -0.89,
        "file_units": -0.556,
        "path": 0.493,
        "mentioned": 1.945,
        "graph": 2.046,
        "history_place": 0.25,
        "history": 1.732,
        "recent": 1.064,
        "test": -4.246,
        "other": -1.396,
        "callable": 3.633,
        "size": 0.492,
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
