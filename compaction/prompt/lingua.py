"""The engine `llmlingua2`: a trained classifier weighs each token, and the best words stay (arXiv 2403.12968).

A word is worth the mean of its tokens, as in llmlingua. What is different is what becomes of the worth: words are as
`layout` cuts them, so that no name, path or number is torn apart, and the threshold is one for the whole text, found by
counting (`fitting`), where llmlingua takes a percentile of each chunk and meets its target only by chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction.prompt.fitting import by_score, fit
from compaction.prompt.layout import lay_out
from compaction.prompt.model import EngineName, unheard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from compaction.prompt.classifier import TokenClassifier, TokenScores
    from compaction.prompt.layout import Layout
    from compaction.prompt.model import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class LinguaCompressor:
    """Drops the words that matter least; a `TextCompressor`.

    Attributes:
        classifier: the model, shared with other calls.
        count: how many tokens a text has, in the unit of the targets.
        progress: told of each batch of the model; what it raises ends the call.
    """

    classifier: TokenClassifier
    count: Callable[[str], int]
    progress: Progress = unheard
    name: EngineName = EngineName.LLMLINGUA2

    def compress(self, texts: Sequence[str], targets: Sequence[int]) -> list[str]:
        """Return each text with its best words; what one of them leaves of its target is given to the next."""
        found = self.classifier.score(texts, progress=self.progress)
        shortened: list[str] = []
        left = 0
        for text, target, scores in zip(texts, targets, found, strict=True):
            layout = lay_out(text)
            room = max(1, target + left)
            order = by_score(layout, word_scores(layout, scores), room, count=self.count)
            result = fit(layout, order, room, count=self.count)
            left += target - self.count(result)
            shortened.append(result)
        return shortened


def word_scores(layout: Layout, scores: TokenScores) -> list[float]:
    """Return what each word of a text is worth: the mean of its tokens, and of the whole text where it has none."""
    sums = [0.0] * len(layout.words)
    numbers = [0] * len(layout.words)
    first = 0
    for (start, end), probability in zip(scores.spans, scores.probabilities, strict=True):
        while first < len(layout.words) and layout.words[first].end <= start:
            first += 1
        number = first
        while number < len(layout.words) and layout.words[number].start < end:
            sums[number] += probability
            numbers[number] += 1
            number += 1
    middle = sum(scores.probabilities) / len(scores.probabilities) if scores.probabilities else 0.0
    return [total / number if number else middle for total, number in zip(sums, numbers, strict=True)]
