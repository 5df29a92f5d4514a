"""Prompt compression where the packages or the model are missing, in interpreters of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from compaction.prompt.engine import CompressionEngine
from compaction.prompt.model import EngineName
from compaction.prompt.weights import DEFAULT_MODEL, MODEL_VARIABLE, find_model, model_state
from tests.compaction.prompt.texts import PLAN

_ROOT = Path(__file__).parents[3]
_LEFT_OUT = ("torch", "functorch", "transformers", "llmlingua")
_COMPRESS = """
import json, sys
def refuse(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo"}:
        raise SystemExit(f"the network was asked: {event} {arguments}")
sys.addaudithook(refuse)
from compaction.prompt.engine import CompressionEngine
result = CompressionEngine.get_instance().compress_context(sys.stdin.read())
print(json.dumps([result.text, result.engine, result.warnings]))
"""


def _run(python: Path, code: str, *, stdin: str = "", **variables: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "PYTHON", MODEL_VARIABLE))}
    done = subprocess.run(
        [str(python), "-c", code],
        input=stdin,
        env=kept | variables,
        cwd=_ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that sees everything that is installed here but torch, transformers and llmlingua."""
    folder = tmp_path_factory.mktemp("bare")
    links = folder / "links"
    links.mkdir()
    for kind in ("purelib", "platlib"):
        for installed in Path(sysconfig.get_path(kind)).iterdir():
            link = links / installed.name
            if not installed.name.startswith((*_LEFT_OUT, "__")) and installed.suffix != ".pth" and not link.exists():
                link.symlink_to(installed)
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    python = folder / "venv" / "bin" / "python"
    packages = _run(python, "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    (Path(packages) / "links.pth").write_text(f"{links}\n{_ROOT}\n", "utf-8")
    return python


def test_without_the_packages_the_text_comes_back_with_one_warning_that_says_what_to_install(bare_python: Path) -> None:
    text, engine, warnings = json.loads(_run(bare_python, _COMPRESS, stdin=PLAN))
    assert text == PLAN
    assert engine == "none"
    assert len(warnings) == 1
    assert "pip install 'fractal-context[llmlingua]'" in warnings[0]
    assert "torch, transformers and llmlingua" in warnings[0]


def test_without_the_packages_the_extractive_engine_works(bare_python: Path) -> None:
    code = _COMPRESS.replace("sys.stdin.read()", "sys.stdin.read(), 0.9, engine='extractive'")
    text, engine, warnings = json.loads(_run(bare_python, code, stdin=PLAN))
    assert len(text) < len(PLAN)
    assert engine == "extractive"
    assert warnings == []


def test_without_a_model_nothing_is_fetched_and_one_warning_says_how_to_get_it(tmp_path: Path) -> None:
    pytest.importorskip("llmlingua", reason="the extra llmlingua is not installed")
    text, engine, warnings = json.loads(_run(Path(sys.executable), _COMPRESS, stdin=PLAN, HF_HOME=str(tmp_path)))
    assert text == PLAN
    assert engine == "none"
    assert len(warnings) == 1
    assert f"hf download {DEFAULT_MODEL}" in warnings[0]
    assert list(tmp_path.rglob("*.json")) == []


@pytest.mark.no_cover
def test_a_model_in_the_local_cache_is_found_and_run_without_the_network_or_a_vocabulary_in_the_cache(
    model_folder: Path, tmp_path: Path
) -> None:
    revision = "0123456789abcdef0123456789abcdef01234567"
    cached = tmp_path / "hub" / f"models--{DEFAULT_MODEL.replace('/', '--')}"
    (cached / "refs").mkdir(parents=True)
    (cached / "refs" / "main").write_text(revision, "utf-8")
    (cached / "snapshots").mkdir()
    (cached / "snapshots" / revision).symlink_to(model_folder)
    caches = {"HF_HOME": str(tmp_path), "TIKTOKEN_CACHE_DIR": str(tmp_path / "no vocabularies")}
    text, engine, warnings = json.loads(_run(Path(sys.executable), _COMPRESS, stdin=PLAN, **caches))
    assert len(text) < len(PLAN)
    assert engine == "llmlingua2"
    assert warnings == []


@pytest.mark.no_cover
def test_the_server_starts_without_importing_any_of_them() -> None:
    heavy = {"torch", "transformers", "llmlingua", "huggingface_hub", "tokenizers"}
    code = (
        "import sys, server.app, server.cli, server.doctor, compaction.prompt.engine; "
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    assert _run(Path(sys.executable), code, PYTHONPATH=str(_ROOT)).strip() == "[]"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("/nowhere/at/all", "is no folder"),
        ("~/nowhere-at-all", "is no folder"),
        ("no/such/model/name", "is not in the local cache"),
        ("an-owner/a-model", "hf download an-owner/a-model"),
    ],
)
def test_a_model_that_is_not_there_is_told_with_what_to_do(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("llmlingua", reason="the extra llmlingua is not installed")
    monkeypatch.setenv(MODEL_VARIABLE, name)
    assert said in find_model().advice
    works, words = model_state()
    assert not works
    assert said in words
    result = CompressionEngine().compress_context(PLAN)
    assert (result.text, result.engine) == (PLAN, EngineName.NONE)
    assert said in result.warnings[0]


def test_a_folder_without_weights_is_told(model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.json").write_text("{}", "utf-8")
    monkeypatch.setenv(MODEL_VARIABLE, str(tmp_path))
    assert "no config.json with weights beside it" in find_model().advice
    monkeypatch.setenv(MODEL_VARIABLE, str(model_folder))
    assert model_state() == (True, f"{model_folder} in {model_folder}")
