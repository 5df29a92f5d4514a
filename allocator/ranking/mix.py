"""Mixes the signals of a ranking by one table of factors, a column for each kind of query (`words.Kind`).

The factors are those of a conditional logit: they make the definitions that were changed as likely as they can be, given
the text, among all definitions of the tree before. Those of what is to be done, as commit messages say it, were fitted to
the commits of one half of the repositories of `benchmarks/recall` and are reported on the other: at first to ten of each
(`python -m benchmarks.recall.tune`), then, from there, to sixty (`--near --cases 60`). Those of issues, which say much that is
not about the code, were fitted to Loc-Bench's issues of ten repositories that are in no other set of
`benchmarks/localisation`, where they are reported; there, what was known of commits is what they begin from. Those of
questions and of names of what is looked for were fitted in the same way to the questions about one half of the repositories of
semble's benchmark, and are reported on the other (`python -m benchmarks.localisation.tune_questions`). These tell files apart
and nothing in them: what does that is as for commits, and functions come before other definitions by less, set by hand, as is
what the place of a file counts (`located`), and its package and its language, where a question names these. What tests count,
and what is no definition (`rest`), is not told by any: it is the same for all, and set by hand where a query asks for tests.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from allocator.ranking.arrays import Floats
    from allocator.ranking.words import Query


class Factor(NamedTuple):
    """The factor of a signal, by the kind of the query."""

    plain: float
    issue: float
    question: float


FACTORS: Mapping[str, Factor] = MappingProxyType(
    {
        "match": Factor(0.157, -0.407, -0.607),
        "place": Factor(0.051, -0.133, 0.154),
        "subject": Factor(-0.248, 0.869, -0.261),
        "name": Factor(0.293, 0.69, 0.466),
        "container": Factor(1.339, 0.721, 0.073),
        "file_place": Factor(0.364, -0.18, 0.303),
        "file_best": Factor(2.485, 1.471, 1.856),
        "file_crowd": Factor(-0.516, -1.518, 0.756),
        "file_units": Factor(-0.038, 0.081, -0.171),
        "subject_place": Factor(0.0, 0.44, 0.0),
        "prose_place": Factor(0.0, 0.427, 0.0),
        "prose_path": Factor(0.0, 0.358, 0.0),
        "rarest": Factor(0.0, 1.809, 0.0),
        "path": Factor(1.39, -0.015, 0.151),
        "mentioned": Factor(2.242, 1.968, 1.742),
        "module": Factor(0.0, 1.153, 0.0),
        "code": Factor(0.0, 0.791, 0.0),
        "code_name": Factor(0.0, 0.532, 0.0),
        "code_file": Factor(0.0, -0.405, 0.0),
        "name_file": Factor(0.0, 1.001, 0.0),
        "called": Factor(0.0, 0.0, 2.077),
        "named_file": Factor(0.0, 0.0, 0.338),
        "folder": Factor(0.0, 0.0, 1.272),
        "located": Factor(0.0, 0.0, 0.5),
        "package": Factor(0.0, 0.0, 2.0),
        "language": Factor(0.0, 0.0, 2.0),
        "defined": Factor(0.0, 0.0, 1.504),
        "told": Factor(7.0, 7.0, 6.0),
        "behind": Factor(0.0, 0.0, -1.1),
        "graph": Factor(1.863, 1.451, 0.556),
        "history_place": Factor(0.06, 0.09, 0.431),
        "history": Factor(1.488, 1.299, 1.048),
        "recent": Factor(1.044, 0.699, 0.1),
        "test": Factor(-4.728, -4.728, -4.728),
        "other": Factor(-1.348, -1.348, -1.348),
        "callable": Factor(3.792, 4.356, 1.5),
        "size": Factor(0.551, 0.246, 0.142),
        "match_inside": Factor(0.407, 0.217, 0.145),
        "graph_inside": Factor(0.262, 0.239, 0.548),
        "name_inside": Factor(0.222, 0.253, 0.32),
        "rest": Factor(0.0, 0.0, 0.0),
    }
)

ASKED_TESTS = -0.7
"""Takes the place of the factor of `test` where the query asks for tests: they count half."""


def factors(query: Query) -> Mapping[str, float]:
    """The factor of each signal for a query, by its name; those that count for nothing are left out."""
    column = Factor._fields.index(query.kind)
    table = {name: factor[column] for name, factor in FACTORS.items()}
    if query.asks_for_tests:
        table["test"] = ASKED_TESTS
    return {name: factor for name, factor in table.items() if factor}


def likelihoods(signals: Mapping[str, Floats], query: Query) -> Floats:
    """Returns how likely each unit is to be what the query is about; all add up to 1.

    Args:
        signals: by name, each over all units.
        query: what is asked for.
    """
    scores = sum((factor * signals[name] for name, factor in factors(query).items()), np.zeros(1))
    raised = np.exp(scores - scores.max(initial=-np.inf)) if len(scores) else scores
    return raised / raised.sum() if len(raised) else raised
