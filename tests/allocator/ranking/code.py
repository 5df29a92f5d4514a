"""Files for rankings, made from sources in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from allocator.ranking.corpus import Corpus, Reading
from allocator.ranking.history import NO_HISTORY, History
from allocator.ranking.rank import Ranking, rank
from skeleton import language_of
from skeleton.index.terms import terms_of
from skeleton.languages.queries import Language
from skeleton.outline.outlining import outline
from workspace.names.tiers import Tier, tier_of


@dataclass(frozen=True, slots=True)
class CodeFile:
    path: str
    text: str

    @property
    def tier(self) -> Tier:
        return tier_of(self.path, self.text.encode())

    @property
    def key(self) -> str:
        return hashlib.md5(self.text.encode(), usedforsecurity=False).hexdigest()

    @property
    def reading(self) -> Reading:
        source = self.text.encode()
        language = language_of(self.path, source)
        if not isinstance(language, Language):
            return Reading((), terms_of(source, ()))
        definitions = outline(source, language).definitions
        return Reading(definitions, terms_of(source, definitions, language.name))


def ranked_for(
    files: Sequence[CodeFile], query: str = "", *, corpus: Corpus | None = None, history: History = NO_HISTORY
) -> Ranking:
    return rank(
        files, query, read=lambda places: [files[place].reading for place in places], corpus=corpus, history=history
    )


def names_by_weight(files: Sequence[CodeFile], ranking: Ranking) -> list[str]:
    weighed = [
        (weight, f"{file.path}::{definition.path}")
        for file, weights in zip(files, ranking.definitions, strict=True)
        for weight, definition in zip(weights, file.reading.definitions, strict=True)
    ]
    return [name for _, name in sorted(weighed, key=lambda pair: (-pair[0], pair[1]))]
