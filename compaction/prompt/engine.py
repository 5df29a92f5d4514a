"""The face of prompt compression: chooses the engine, the parts of a text and the tokens (Zipper seed, section 5.1).

    engine = CompressionEngine.get_instance()
    engine.compress_context(plan, rate=0.5).text

What may be compressed is told by `adapting`: fenced code, what was compressed before and the structure of known formats
stay. The rest is shortened in one go, so that its budget is one and its batch is one. `rate` speaks of the tokens that may
be compressed, `target_token` of the whole text, so what stays is paid for first.

There is one engine in a process, and it loads its model once, when it is needed for the first time. Whatever is missing for
that (the packages, the model) costs the compression, never the call: the text comes back as it was, with one warning that
says what to do.

The calls are synchronous and safe to make from any number of threads: an event loop makes them in worker threads. They
share the model, which they use in turns, batch by batch; the progress callback is asked between batches, and while a call
waits for its turn, whether to go on.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from compaction.prompt.adapters import MarkdownAdapter, known_adapters
from compaction.prompt.adapting import adapt
from compaction.prompt.classifier import ModelLoadError, load_classifier
from compaction.prompt.extractive import ExtractiveCompressor
from compaction.prompt.lingua import LinguaCompressor
from compaction.prompt.messages import compress_messages
from compaction.prompt.model import (
    DEFAULT_RATE,
    LEAST_TOKENS,
    SLACK,
    TOLERANCE,
    CompressedResult,
    EngineName,
    missed_target,
    ratio_saved,
    unheard,
)
from compaction.prompt.weights import MODEL_VARIABLE, find_model
from workspace.errors import InvalidArgumentError
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from compaction.prompt.adapters import FormatAdapter
    from compaction.prompt.classifier import TokenClassifier
    from compaction.prompt.messages import CompressedMessages, MessageConfig
    from compaction.prompt.model import Progress, TextCompressor
    from compaction.values import JsonObject

LEAST_RATE = 0.1
"""Prose is shortened to no less than this part of its tokens, whatever the target: less says nothing any more."""


@dataclass(slots=True)
class _Budget:
    """The tokens of one call, and how the prose shares them.

    Attributes:
        whole: the tokens of the text.
        rate: the part of the tokens of prose that stays, where there is no target.
        target: the tokens that the text should have at most, -1 for none.
        prose: the tokens that may be compressed; known once `share` was asked.
    """

    whole: int
    rate: float
    target: int
    prose: int = 0

    def share(self, pieces: Sequence[int]) -> list[int]:
        """Return the target of each piece of prose, given its tokens."""
        self.prose = sum(pieces)
        rate = self.rate
        if self.target > 0 and self.prose:
            rate = min(1.0, max(LEAST_RATE, (self.target - (self.whole - self.prose)) / self.prose))
        return [max(1, round(piece * rate)) for piece in pieces]

    @property
    def wanted(self) -> int:
        """The tokens that the whole text should have."""
        return self.target if self.target > 0 else self.whole - round(self.prose * (1 - self.rate))

    def missed(self, tokens: int) -> list[str]:
        """Return the warning that a result has many more or many fewer tokens than were wanted, none where it has not."""
        fixed = self.whole - self.prose
        reason = f"{fixed} of them are code, structure or compressed already"
        if self.prose * LEAST_RATE + fixed > self.wanted:
            reason += f", and prose is shortened to no less than {LEAST_RATE:.0%}."
        else:
            reason += ", and what else stayed are constraints, numbers, names or words that would not become fewer."
        if above := missed_target(self.wanted, tokens, reason):
            return above
        least = min(self.wanted, self.whole) * (1 - TOLERANCE)
        if self.prose and tokens < least - SLACK:
            why = (
                "unchanged lines of a diff, which are only there for context, go whatever the rate."
                if tokens < fixed
                else "what would fill the rest is longer than the room, or says again what is said."
            )
            return [f"The text has only {tokens} tokens where {self.wanted} were wanted: {why}"]
        return []


class _Shortened(NamedTuple):
    """A text as it was made, what was decided about it, its tokens, and what they were to be."""

    text: str
    trace: tuple[str, ...]
    tokens: int
    budget: _Budget


@dataclass(slots=True)
class CompressionEngine:
    """Compresses prompts; one for a process, from `get_instance`.

    Attributes:
        model: the folder or the name of the model; "" for what the environment names, or the default.
    """

    model: str = ""
    _instance: ClassVar[CompressionEngine | None] = None
    _creating: ClassVar[threading.Lock] = threading.Lock()

    _loading: threading.Lock = field(default_factory=threading.Lock)
    _loaded: tuple[Path, TokenClassifier] | None = None

    @classmethod
    def get_instance(cls) -> CompressionEngine:
        """Return the engine of this process. Nothing is loaded before it is needed."""
        with cls._creating:
            if cls._instance is None:
                cls._instance = cls()
            return cls._instance

    def compress_context(
        self,
        text: str,
        rate: float = DEFAULT_RATE,
        target_token: int = -1,
        preserve_code_blocks: bool = True,
        *,
        engine: EngineName | str = EngineName.AUTO,
        adapters: Sequence[FormatAdapter] | None = None,
        progress: Progress = unheard,
    ) -> CompressedResult:
        """Return a text with fewer tokens (of `o200k_base`) that says the same to a language model.

        A text of fewer than 50 tokens, one without anything that may be compressed, and one that does not become
        smaller come back as they were. Equal texts give equal results.

        Args:
            text: any text.
            rate: the part of the tokens that stays, of those that may be compressed; above 0 and up to 1.
            target_token: the tokens that the result should have at most, code included; -1 for what `rate` says. Prose
                is shortened to no less than a tenth; what cannot be met is told in a warning.
            preserve_code_blocks: whether fenced code stays as it is.
            engine: what shortens the prose.
            adapters: the formats to look for, first match first; None for all there are.
            progress: told of parts done, parts in all, and the stage; what it raises ends this call alone.

        Raises:
            InvalidArgumentError: an argument is out of its range, or there is no such engine.
        """
        started = time.perf_counter()
        wanted = _checked(rate, target_token, engine)
        whole = token_counter().count(text)
        warnings: list[str] = []
        if whole < LEAST_TOKENS:
            warnings += missed_target(target_token, whole, f"A text of fewer than {LEAST_TOKENS} is not shortened.")
            return _result(text, text, whole, started, warnings=tuple(warnings), trace=(f"short:{whole}",))
        if rate >= 1.0 and not 0 < target_token < whole:
            return _result(text, text, whole, started, trace=("nothing_to_do",))
        compressor = self._compressor(wanted, warnings, progress, hard=target_token > 0)
        if compressor is None:
            warnings += missed_target(target_token, whole, "No engine was asked to shorten it.") if not warnings else []
            return _result(text, text, whole, started, warnings=tuple(warnings), trace=("engine:none",))

        def shortened(by: TextCompressor, formats: Sequence[FormatAdapter] | None) -> _Shortened:
            budget = _Budget(whole, rate, target_token)

            def compress_texts(pieces: Sequence[str]) -> list[str]:
                return by.compress(pieces, budget.share([token_counter().count(piece) for piece in pieces]))

            made, trace = adapt(text, compress_texts, formats, keep_fences=preserve_code_blocks)
            return _Shortened(made, trace, token_counter().count(made), budget)

        best = shortened(compressor, adapters)
        if isinstance(compressor, ExtractiveCompressor) and compressor.missing and target_token > 0:
            other = replace(compressor, warnings=[], missing=[])
            asked = known_adapters(keep_fences=preserve_code_blocks) if adapters is None else adapters
            again = shortened(other, _without_tables(asked))
            if (sum(other.missing), again.tokens) < (sum(compressor.missing), best.tokens):
                best, compressor = again, other
        trace = (f"engine:{compressor.name}", *best.trace)
        made, tokens = best.text, best.tokens
        if tokens >= whole:
            made, tokens = text, whole
        warnings += best.budget.missed(tokens)
        if isinstance(compressor, ExtractiveCompressor) and made != text:
            warnings += compressor.warnings
        return _result(
            text, made, whole, started, name=compressor.name, warnings=tuple(warnings), trace=trace, tokens=tokens
        )

    def compress_messages(
        self,
        messages: Sequence[JsonObject],
        config: Mapping[str, object] | MessageConfig | None = None,
        *,
        progress: Progress = unheard,
    ) -> CompressedMessages:
        """Return messages in which what stands between `<compress>` markers is compressed; see `messages`."""
        return compress_messages(messages, config, engine=self, progress=progress)

    def classifier(self, folder: Path) -> TokenClassifier:
        """Return the model of a folder, loaded once however many threads ask for it.

        Raises:
            ModelLoadError: the folder holds no model that can be run.
        """
        with self._loading:
            if self._loaded is None or self._loaded[0] != folder:
                self._loaded = (folder, load_classifier(folder))
            return self._loaded[1]

    def _compressor(
        self, wanted: EngineName, warnings: list[str], progress: Progress, *, hard: bool
    ) -> TextCompressor | None:
        """Returns the compressor of the prose; None, and perhaps a warning, where nothing is to be shortened."""
        if wanted is EngineName.NONE:
            return None
        if wanted is EngineName.EXTRACTIVE:
            return ExtractiveCompressor(count=token_counter().count, keep_rules=not hard, progress=progress)
        place = find_model(self.model)
        advice = place.advice
        if place.folder is not None:
            progress(0, 1, "loading the model")
            try:
                classifier = self.classifier(place.folder)
            except (ModelLoadError, ImportError) as error:
                advice = f"The model {place.name} cannot be used ({error}): copy it again or name another in {MODEL_VARIABLE}."
            else:
                return LinguaCompressor(classifier=classifier, count=token_counter().count, progress=progress)
        warnings.append(
            f"Nothing was compressed. {advice} Or ask for engine={EngineName.EXTRACTIVE}, which needs no model."
        )
        return None


def _without_tables(adapters: Sequence[FormatAdapter]) -> list[FormatAdapter]:
    """The adapters, of which that of Markdown keeps no rows of tables: rules come before them where room is short."""
    return [
        MarkdownAdapter(keep_fences=one.keep_fences, keep_tables=False) if isinstance(one, MarkdownAdapter) else one
        for one in adapters
    ]


def _checked(rate: float, target_token: int, engine: str) -> EngineName:
    if not 0.0 < rate <= 1.0:
        raise InvalidArgumentError(f"rate is {rate}; give the part of the tokens that stays, such as 0.5.")
    if target_token != -1 and target_token < 1:
        raise InvalidArgumentError(f"target_token is {target_token}; give a positive number of tokens, or -1 for none.")
    if engine not in set(EngineName):
        raise InvalidArgumentError(f"There is no engine {engine!r}; there are {', '.join(EngineName)}.")
    return EngineName(engine)


def _result(
    original: str,
    made: str,
    whole: int,
    started: float,
    *,
    name: EngineName = EngineName.NONE,
    warnings: tuple[str, ...] = (),
    trace: tuple[str, ...] = (),
    tokens: int | None = None,
) -> CompressedResult:
    tokens = whole if tokens is None else tokens
    return CompressedResult(
        text=made,
        original_tokens=whole,
        compressed_tokens=tokens,
        ratio=ratio_saved(whole, tokens),
        time_ms=(time.perf_counter() - started) * 1000,
        engine=name if made != original else EngineName.NONE,
        warnings=warnings,
        trace=trace,
    )
