"""Trees of files and lists of candidates, as hypothesis draws them."""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hypothesis import strategies as st

from allocator import Candidate
from skeleton import CompressionLevel
from tests.trees import write_tree
from workspace.names.tiers import Tier

_names = st.sampled_from(["load", "store", "configuration_of", "x", "Ünïcode_name"])
_prose = st.sampled_from(
    [
        "the value of an old window",
        "kept twice → not at all",
        "日本 words, and then some more that make the line a long one to cut",
        "x",
        "returns what it was given, or the next one, or nothing",
    ]
)


@st.composite
def _function(draw: st.DrawFn) -> str:
    name, prose, body = draw(_names), draw(_prose), draw(st.integers(0, 8))
    lines = [f"def {name}(first: int, {name}_2: str = 'a') -> dict[str, int]:"]
    if draw(st.booleans()):
        lines.append(f'    """{prose}.\n\n    More of {prose}\n    """')
    lines += [f"    value_{number} = {name}({number})  # {prose}" for number in range(body)]
    return "\n".join([*lines, "    return {}", "", ""])


_python = st.lists(_function(), min_size=1, max_size=10).map("\n".join).map("import os\nLIMIT = 3\n\n".__add__)
_markdown = st.lists(st.tuples(_prose, _prose), max_size=12).map(
    lambda sections: "".join(f"# {title}\n\n{body}\n\n" for title, body in sections)
)
_odd = st.sampled_from(
    [
        "",
        "\n",
        "\n\n  \n",
        "no line break at the end",
        "first\r\nsecond\r\n\r\nthird",
        "+++ a/header.py [SKELETON:L2]\n--- b\n\\+++ escaped\n\\\\+++ twice\n+ x\n",
        "``` fence\n````\n",
        "]]> & <file>\n",
        "form\x0cfeed and \x1b[0m\n",
        "old\rmac\rlines\r",
        "/slash first\n/\n",
        "tabs\tand trailing  \n \t \n",
        "one long line " * 300,
        "⋮ 3 more lines\n",
        "<|endoftext|>\n",
    ]
)
_broken = _python.map(lambda text: text + "\ndef broken(:\n    ((\n")
_paths = st.sampled_from(
    [
        "main.py",
        "src/core.py",
        "src/deep/er/still.py",
        "src/index.py",
        "src/with space [x].py",
        "tests/test_core.py",
        "tests/conftest.py",
        "pyproject.toml",
        "config/settings.json",
        "README.md",
        "docs/guide.md",
        "notes.txt",
        "LICENSE",
        "lib/__init__.py",
        "lib/a_module_with_quite_a_long_name_for_a_file.py",
        *(f"package/part_{number:02}.py" for number in range(12)),
    ]
)
texts = st.one_of(_python, _python, _markdown, _odd, _broken)
trees = st.dictionaries(_paths, texts, min_size=1, max_size=14)


@contextmanager
def on_disk(tree: Mapping[str, str | bytes]) -> Generator[Path]:
    """Writes a tree into a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        write_tree(folder, tree)
        yield folder


@st.composite
def candidates(draw: st.DrawFn, *, largest: int = 25) -> list[Candidate]:
    made: list[Candidate] = []
    for number in range(draw(st.integers(0, largest))):
        full = draw(st.integers(1, 2000))
        costs = {CompressionLevel.FULL: full}
        for level in (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON):
            if draw(st.booleans()):
                costs[level] = draw(st.integers(1, full + 20))
        made.append(Candidate(path=f"{number}", tier=draw(st.sampled_from(Tier)), costs=costs))
    return made
