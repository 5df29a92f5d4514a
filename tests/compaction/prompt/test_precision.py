"""The choice of numbers, for processors that are described here as torch describes its own."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from compaction.prompt.precision import Precision, fastest


def described(
    *instructions: str, engines: tuple[str, ...] = ("onednn",), cuda_has_bf16: bool = True
) -> SimpleNamespace:
    able = dict.fromkeys(instructions, True) | {"architecture": "x86_64", "fma4": False}
    return SimpleNamespace(
        cpu=SimpleNamespace(get_capabilities=lambda: able),
        cuda=SimpleNamespace(is_bf16_supported=lambda: cuda_has_bf16),
        backends=SimpleNamespace(quantized=SimpleNamespace(supported_engines=engines)),
    )


@pytest.mark.parametrize(
    ("instructions", "chosen"),
    [
        (("avx2",), Precision.FP32),
        (("avx2", "avx512_f", "avx512_vnni"), Precision.INT8),
        (("avx512_vnni", "avx512_bf16"), Precision.INT8),
        (("avx512_vnni", "avx512_bf16", "amx_bf16", "amx_int8"), Precision.BF16),
        (("bf16",), Precision.BF16),
    ],
)
def test_a_processor_computes_with_what_it_has_instructions_for(
    instructions: tuple[str, ...], chosen: Precision
) -> None:
    assert fastest(described(*instructions), "cpu") is chosen


def test_without_kernels_for_bytes_there_is_no_int8() -> None:
    assert fastest(described("avx512_vnni", engines=("qnnpack",)), "cpu") is Precision.FP32
    assert fastest(described("avx512_vnni", "avx512_bf16", engines=()), "cpu") is Precision.BF16


def test_a_torch_that_does_not_tell_what_its_processor_can_gets_single_precision() -> None:
    assert fastest(SimpleNamespace(cpu=SimpleNamespace()), "cpu") is Precision.FP32


def test_graphics_processors_compute_in_half_precision() -> None:
    assert fastest(described(), "cuda") is Precision.BF16
    assert fastest(described(cuda_has_bf16=False), "cuda") is Precision.FP16
    assert fastest(described(), "mps") is Precision.FP16
