from __future__ import annotations

from random import Random

import pytest

from compaction.prompt.fitting import by_score, fit
from compaction.prompt.layout import lay_out
from workspace.tokens import token_counter

count = token_counter().count
PROSE = (
    "The scheduler keeps one queue for each worker and moves half of a queue to whoever runs dry. A task that blocks is "
    "handed to a pool of threads, whose number is bounded by `max_blocking_threads` (512 unless configured otherwise).\n"
    "  - Timers live in a hierarchical wheel of six levels with sixty-four slots each, so that insertion costs the same "
    "however many timers there are;\n"
    "  - cancellation is cooperative: a future that is dropped between two polls never runs again, notwithstanding "
    "any outstanding wake-ups.\n"
    "Unconditionally flushing internationalization caches (https://example.org/internationalization/caches?v=20) is "
    "counterproductive; measure first."
)

STEPS = "\n".join(
    f"    - Step {step}: the server reads the config number {step * 37} and returns a value for every item in the list; "
    f"do not delete port {5000 + step}."
    for step in [*range(60)] * 3
)


@pytest.mark.parametrize("target", range(12, 120, 7))
@pytest.mark.parametrize("seed", range(5))
def test_small_targets_are_met_within_a_tenth_too(target: int, seed: int) -> None:
    draws = Random(seed)
    layout = lay_out(PROSE)
    scores = [draws.random() for _ in layout.words]
    text = fit(layout, by_score(layout, scores, target, count=count), target, count=count)
    assert 0.9 * target <= count(text) <= target


@pytest.mark.no_cover
@pytest.mark.parametrize("target", [300, 600, 800, 1_000, 2_000])
@pytest.mark.parametrize("seed", range(4))
def test_a_list_of_which_each_line_costs_an_indentation_is_met_too(target: int, seed: int) -> None:
    """The costs of single words mislead here: a few words bring the marks of all lines with them."""
    draws = Random(seed)
    layout = lay_out(STEPS)
    worth: dict[str, float] = {}
    by_word = [worth.setdefault(layout.word(number), draws.random()) for number in range(len(layout.words))]
    for scores in ([draws.random() for _ in layout.words], by_word):
        text = fit(layout, by_score(layout, scores, target, count=count), target, count=count)
        assert 0.95 * target <= count(text) <= target
