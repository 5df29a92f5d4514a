"""The engine `extractive`: the best sentences, list items and rows of a text, whole. It needs no model.

What is chosen is told by `compaction.prose.choosing`, which the summaries of conversations use as well: rules first, then
what says most that is new for its price. Nothing inside a sentence is dropped, so a target is met from below, by up to one
unit; texts that come together share their targets. Where a rate is asked for, rules stay whatever they cost; where a number of tokens is asked for it is kept to, and
rules that found no room are told.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from compaction.prompt.model import EngineName, unheard
from compaction.prose.choosing import choose_among

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from compaction.prompt.model import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractiveCompressor:
    """Keeps the best units of texts; a `TextCompressor`.

    Attributes:
        count: how many tokens a text has, in the unit of the targets.
        keep_rules: whether what says what must or must not be done stays even where it is more than the target.
        progress: told of each text that is done; what it raises ends the call.
        warnings: what was left out that somebody may miss, one sentence each.
        missing: how many rules found no room, a number for each call that left any out.
    """

    count: Callable[[str], int]
    keep_rules: bool = True
    progress: Progress = unheard
    name: EngineName = EngineName.EXTRACTIVE
    warnings: list[str] = field(default_factory=list[str])
    missing: list[int] = field(default_factory=list[int])

    def compress(self, texts: Sequence[str], targets: Sequence[int]) -> list[str]:
        """Return each text with its best units; all of them share the sum of the targets, so that some may be empty."""
        chosen = choose_among(texts, max(1, sum(targets)), count=self.count, keep_rules=self.keep_rules)
        self.progress(len(texts), len(texts), "choosing sentences")
        if chosen.rules:
            self.missing.append(chosen.rules)
            self.warnings.append(
                f"{chosen.rules} sentences or lines that say what must or must not be done found no room; ask for more tokens, or "
                "for a rate, which keeps them."
            )
        return list(chosen.texts)
