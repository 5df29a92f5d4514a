from __future__ import annotations

import os
import subprocess
import sys

import pytest

from benchmarks.vocabularies import CACHE_SETTING, tiktoken_cache
from workspace.tokens import BUNDLED_ENCODINGS, bundled_vocabulary, token_counter

TEXT = "naïve façades: 日本語, 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 and\n\n    if x:\n\treturn 1234567"
NO_NETWORK = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")


@pytest.mark.parametrize("encoding", BUNDLED_ENCODINGS)
def test_tiktoken_alone_takes_the_bundled_vocabulary_for_its_own(encoding: str) -> None:
    # tiktoken refuses a file that has not the hash that it knows, and would fetch another.
    code = f"import tiktoken; print(len(tiktoken.get_encoding({encoding!r}).encode_ordinary({TEXT!r})))"
    with tiktoken_cache([encoding]) as folder:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **NO_NETWORK, CACHE_SETTING: str(folder)},
            capture_output=True,
            text=True,
            check=True,
        )
    assert int(done.stdout) == token_counter(encoding).count(TEXT)


def test_a_vocabulary_that_is_not_the_one_wanted_is_refused() -> None:
    with pytest.raises(ImportError, match=r"o200k_base\.msgpack is damaged; install"):
        bundled_vocabulary("o200k_base", "0" * 64)
