"""A context compressor for the tests of messages: real adapters, and the simple compressor of `compressors`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from compaction.prompt.adapting import adapt
from compaction.prompt.markers import mark
from compaction.prompt.model import LEAST_TOKENS, CompressedResult, EngineName, ratio_saved, unheard
from tests.compaction.prompt.compressors import first_sentences
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.prompt.adapters import FormatAdapter
    from compaction.prompt.model import Progress


class FirstSentences:
    """Keeps the first sentence of every piece of prose."""

    def __init__(self, *, marks: bool = True, least: int = LEAST_TOKENS) -> None:
        self.marks = marks
        self.least = least
        self.targets: list[int] = []

    def compress_context(
        self,
        text: str,
        rate: float = 0.5,
        target_token: int = -1,
        preserve_code_blocks: bool = True,
        *,
        engine: EngineName | str = EngineName.AUTO,
        adapters: Sequence[FormatAdapter] | None = None,
        progress: Progress = unheard,
    ) -> CompressedResult:
        del rate, engine, progress
        started = time.perf_counter()
        self.targets.append(target_token)
        before = token_counter().count(text)
        made, trace = (
            (text, ("short",))
            if before < self.least
            else adapt(text, first_sentences, adapters, keep_fences=preserve_code_blocks)
        )
        if made != text and self.marks:
            made = mark(made)
        after = token_counter().count(made)
        if after >= before:
            made, after = text, before
        return CompressedResult(
            text=made,
            original_tokens=before,
            compressed_tokens=after,
            ratio=ratio_saved(before, after),
            time_ms=(time.perf_counter() - started) * 1000,
            engine=EngineName.EXTRACTIVE,
            trace=trace,
        )
