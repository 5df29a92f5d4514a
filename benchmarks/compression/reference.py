"""The decisions of plain llmlingua about each of its words, and those of its rule with our probabilities.

The engine keeps other words than llmlingua on purpose: its threshold is one for the whole text. To see that the numbers
beneath are the same, llmlingua's own rule (a percentile of each chunk, words as its tokenizer begins them) is applied here
to the probabilities that our batches give.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.prompt.classifier import TokenClassifier

_WORD_SEPARATOR, _LABEL_SEPARATOR = "\t\t|\t\t", " "


def plain_llmlingua(folder: str) -> Any:
    """llmlingua as its users make it, on the processor; its folder's name tells it the family of the model."""  # noqa: D403 - a name
    return importlib.import_module("llmlingua").PromptCompressor(folder, device_map="cpu", use_llmlingua2=True)


def its_decisions(plain: Any, text: str, rate: float) -> list[tuple[str, bool]]:
    """Return llmlingua's words of a text, and whether it keeps them."""
    made: dict[str, str] = plain.compress_prompt([text], rate=rate, return_word_label=True)
    labelled = made["fn_labeled_original_prompt"].split(_WORD_SEPARATOR)
    pairs = (one.rsplit(_LABEL_SEPARATOR, 1) for one in labelled)
    return [(word, label == "1") for word, label in pairs]


def our_decisions(classifier: TokenClassifier, plain: Any, text: str, rate: float) -> list[tuple[str, bool]]:
    """Return the same from our probabilities, by llmlingua's rule for a BERT."""
    return [
        (word, probability > threshold or probability == threshold == 1.0)
        for word, probability, threshold in our_probabilities(classifier, plain, text, rate)
    ]


def our_probabilities(
    classifier: TokenClassifier, plain: Any, text: str, rate: float
) -> list[tuple[str, float, float]]:
    """Return each word with our probability of it, and with the threshold that it has to be above."""
    numpy: Any = importlib.import_module("numpy")
    scores = classifier.score([text])[0]
    encoding = classifier.tokenizer.backend_tokenizer.encode(text, add_special_tokens=False)
    found_words: list[tuple[str, float, float]] = []
    for start, end in classifier.borders(encoding.ids):
        words: list[tuple[str, list[float]]] = []
        for token, probability in zip(encoding.tokens[start:end], scores.probabilities[start:end], strict=True):
            if token in plain.special_tokens:
                continue  # an unknown word is none for it, and is lost
            if token.startswith("##") and words:
                words[-1] = (words[-1][0] + token[2:], [*words[-1][1], probability])
            else:
                words.append((token, [probability]))
        means = [sum(found) / len(found) for _, found in words]
        weighted: Sequence[float] = [
            mean
            for (word, _), mean in zip(words, means, strict=True)
            for _ in range(len(plain.oai_tokenizer.encode(word)))
        ]
        threshold = float(numpy.percentile(weighted, int(100 * (1 - rate) + 1)))
        found_words += [(word, mean, threshold) for (word, _), mean in zip(words, means, strict=True)]
    return found_words
