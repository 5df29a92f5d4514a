"""Chooses the numbers that a token classifier computes with, the fastest where it runs, and makes it use them.

On CUDA and MPS that is half precision. On a processor with matrix units for bfloat16 (AMX) it is bfloat16. On others with
instructions for sums of products of bytes (VNNI and the like) the linear layers run in int8, their weights quantized once
and what goes into them on the fly; where there are instructions for bfloat16 too, attention runs in that. Everything else
runs in single precision, which gives the numbers of llmlingua itself.

`benchmarks/compression/speed.py` measures what that gains and how many words it decides otherwise.
"""

from __future__ import annotations

import importlib
import warnings
from enum import StrEnum
from typing import Any

_MATRIX_UNITS = ("amx_bf16", "sve_bf16", "avx10_2")
_BYTE_SUMS = ("avx512_vnni", "avx_vnni", "i8mm")
_BF16 = ("avx512_bf16", "amx_bf16", "bf16")
_ATTENTION = "fractal_context_bf16"
_ENGINE = "onednn"


class Precision(StrEnum):
    """The numbers that a model computes with.

    Attributes:
        AUTO: the fastest of the others that device and processor have instructions for.
    """

    AUTO = "auto"
    FP32 = "fp32"
    BF16 = "bf16"
    FP16 = "fp16"
    INT8 = "int8"


def fastest(torch: Any, device: str) -> Precision:
    """Return what a device (`cpu`, `cuda`, `mps`) computes fastest with."""
    if device != "cpu":
        return Precision.BF16 if device == "cuda" and torch.cuda.is_bf16_supported() else Precision.FP16
    if _has(torch, _MATRIX_UNITS):
        return Precision.BF16
    if _has(torch, _BYTE_SUMS) and _ENGINE in torch.backends.quantized.supported_engines:
        return Precision.INT8
    return Precision.BF16 if _has(torch, _BF16) else Precision.FP32


def converted(torch: Any, model: Any, precision: Precision) -> Any:
    """Return a model that computes with these numbers; the one that was given is used up."""
    if precision is not Precision.INT8:
        kinds = {Precision.BF16: torch.bfloat16, Precision.FP16: torch.float16}
        return model.to(kinds.get(precision, torch.float32))
    quantization: Any = importlib.import_module("torch.ao.quantization")
    before = torch.backends.quantized.engine
    torch.backends.quantized.engine = _ENGINE
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it is deprecated; its successor is a package of its own
            model = quantization.quantize_dynamic(model, {torch.nn.Linear}, dtype=torch.qint8)
    finally:
        torch.backends.quantized.engine = before
    if _has(torch, _BF16):
        _with_bf16_attention(model)
    return model


def _has(torch: Any, instructions: tuple[str, ...]) -> bool:
    able: dict[str, object] = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return any(able.get(name) for name in instructions)


def _with_bf16_attention(model: Any) -> None:
    """Let a model multiply queries, keys and values in bfloat16, whatever its other layers compute with."""
    transformers: Any = importlib.import_module("transformers")
    masks: Any = importlib.import_module("transformers.masking_utils")
    transformers.AttentionInterface.register(_ATTENTION, _bf16_attention)
    masks.AttentionMaskInterface.register(_ATTENTION, masks.eager_mask)
    model.set_attn_implementation(_ATTENTION)


def _bf16_attention(
    _module: Any, query: Any, key: Any, value: Any, attention_mask: Any = None, scaling: float | None = None, **_: Any
) -> tuple[Any, None]:
    factor = query.size(-1) ** -0.5 if scaling is None else scaling
    scores = (query * factor).bfloat16() @ key.bfloat16().transpose(2, 3)
    if attention_mask is not None:
        scores = scores + attention_mask.bfloat16()
    mixed = scores.softmax(dim=-1) @ value.bfloat16()
    return mixed.to(query.dtype).transpose(1, 2).contiguous(), None
