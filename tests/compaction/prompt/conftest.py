"""A real model, made on the spot: see `benchmarks.compression.models`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.compression.models import build_bert
from compaction.prompt.weights import MODEL_VARIABLE

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small BERT under a name by which llmlingua knows its family."""
    pytest.importorskip("llmlingua", reason="the extra llmlingua is not installed")
    return build_bert(tmp_path_factory.mktemp("models") / "bert-base-multilingual-cased-small")


@pytest.fixture
def with_model(model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small model, named by the environment variable."""
    monkeypatch.setenv(MODEL_VARIABLE, str(model_folder))
    return model_folder
