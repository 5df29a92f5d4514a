"""The engines on every document of the corpus: what a format needs is still there, whatever an engine makes of the prose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compaction.prompt.engine import CompressionEngine
from compaction.prompt.fences import find_fences
from compaction.prompt.messages import compress_text
from compaction.prompt.uncompress import uncompress
from tests.compaction.prompt.test_corpus import CORPUS, PARSERS, read, source
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from pathlib import Path


def everything_is_kept(engine: str, *, most: int, least: int) -> None:
    """Checks the first documents of each format; at least so many of them must be taken and get smaller."""
    taken = 0
    for path in sorted(CORPUS.glob("*.txt")):
        for entry in read(path)[:most]:
            text = source(entry)
            result = CompressionEngine.get_instance().compress_context(text, 0.5, engine=engine)
            assert token_counter().count(result.text) <= token_counter().count(text)
            before, after = find_fences(text), find_fences(result.text)
            assert [result.text[slice(*span)] for span in after.all] == [text[slice(*span)] for span in before.all]
            if f"adapter:{path.stem}" in result.trace:
                taken += result.text != text
                PARSERS.get(path.stem, str)(result.text)
            made = compress_text(text, {"engine": engine}, engine=CompressionEngine.get_instance())
            assert uncompress(made.messages, made.store) == [{"role": "user", "content": text}]
            again = compress_text(
                str(made.messages[0]["content"]), {"engine": engine}, engine=CompressionEngine.get_instance()
            )
            marked = str(made.messages[0]["content"])
            if "<compressed>" in marked or marked == text:
                assert again.messages == made.messages
            else:  # what has no comments is not marked, so that it still parses
                assert made.trace[-1] in {"0: adapter:json", "0: adapter:xml"}
            if path.stem in {"json", "xml", "yaml"} and made.trace[-1] == f"0: adapter:{path.stem}":
                PARSERS.get(path.stem, str)(marked)
    assert taken >= least


def test_the_extractive_engine_keeps_every_format() -> None:
    everything_is_kept("extractive", most=20, least=30)


@pytest.mark.usefixtures("with_model")
def test_a_model_that_drops_words_keeps_every_format(model_folder: Path) -> None:
    assert model_folder.is_dir()
    everything_is_kept("llmlingua2", most=3, least=8)
