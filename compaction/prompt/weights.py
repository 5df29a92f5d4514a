"""Finds the model of LLMLingua-2 on this machine without loading or fetching anything.

`FRACTAL_CONTEXT_MODEL` names a folder or a model of the Hugging Face hub; without it, it is the multilingual BERT that the
Zipper seed names (section 3). A model of the hub is only looked for in the local cache (`HF_HOME`, `HF_HUB_CACHE`): nothing
is downloaded unless the user does so. What is missing is said in one sentence, with the command that mends it.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEFAULT_MODEL = "microsoft/llmlingua-2-bert-base-multilingual-cased-meetingbank"
MODEL_VARIABLE = "FRACTAL_CONTEXT_MODEL"
INSTALL = "pip install 'fractal-context[llmlingua]'"

_PACKAGES = ("torch", "transformers", "llmlingua")
_WEIGHTS = ("*.safetensors", "*.bin")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlace:
    """The place of the model, or the advice on how to get it.

    Attributes:
        name: the model, as the user or the default names it.
        folder: the folder with its files, None where it cannot be used.
        advice: where it cannot be used, what is missing and what to do, as one sentence.
    """

    name: str
    folder: Path | None = None
    advice: str = ""


def find_model(named: str = "") -> ModelPlace:
    """Return where the model of LLMLingua-2 is; imports neither torch nor llmlingua.

    Args:
        named: the folder or the model of the hub; "" for what the environment names, or the default.
    """
    name = named or os.environ.get(MODEL_VARIABLE) or DEFAULT_MODEL
    missing = [package for package in _PACKAGES if importlib.util.find_spec(package) is None]
    if missing:
        return ModelPlace(name=name, advice=f"LLMLingua-2 needs {_listed(missing)}: run {INSTALL}.")
    folder = Path(name).expanduser()
    if folder.is_dir():
        return _checked(name, folder)
    if folder.is_absolute() or name.startswith(("~", ".")):
        return ModelPlace(
            name=name, advice=f"{MODEL_VARIABLE} names {name}, which is no folder; name one with a model."
        )
    return _from_cache(name)


def model_state(named: str = "") -> tuple[bool, str]:
    """Return whether nothing about the model is wrong, and what there is to say of it, for a person.

    A model that nobody asked for may be missing; one that is named, here or by `FRACTAL_CONTEXT_MODEL`, may not.
    """
    place = find_model(named)
    if place.folder is not None:
        return True, f"{place.name} in {place.folder}"
    return not (named or MODEL_VARIABLE in os.environ), f"compress works without a model. {place.advice}"


def _from_cache(name: str) -> ModelPlace:
    hub: Any = importlib.import_module("huggingface_hub")
    try:
        found: object = hub.try_to_load_from_cache(name, "config.json")
    except ValueError:  # the hub's own check of names
        found = None
    if isinstance(found, str):
        return _checked(name, Path(found).parent)
    return ModelPlace(
        name=name,
        advice=f"The model {name} is not in the local cache: run hf download {name}, "
        f"or name a folder that holds it in {MODEL_VARIABLE}.",
    )


def _checked(name: str, folder: Path) -> ModelPlace:
    if (folder / "config.json").is_file() and any(next(folder.glob(kind), None) for kind in _WEIGHTS):
        return ModelPlace(name=name, folder=folder)
    return ModelPlace(
        name=name, advice=f"The folder of {name} has no config.json with weights beside it: copy it again."
    )


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
