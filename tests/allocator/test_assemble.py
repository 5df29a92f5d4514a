from __future__ import annotations

import pytest
from msgspec.structs import replace

from allocator import ContextResult
from allocator.assemble import assemble
from allocator.fileset import ContextRequest, FileSet
from allocator.progress import Stages
from allocator.show.views import FileViews
from skeleton import CompressionLevel
from skeleton.index.weights import MISSING
from tests.allocator.files import file_of as loose_file
from workspace.errors import BudgetTooSmallError
from workspace.model import Problem, ProblemKind
from workspace.tokens import TokenCounter, token_counter

L0, L1, L2, L3 = CompressionLevel
count = token_counter().count


class MoreThanItsParts(TokenCounter):
    """Counts the whole as more than its parts, as no bundled vocabulary does: every header after the first costs extra."""

    __slots__ = ()

    def count(self, text: str | bytes) -> int:
        text = text if isinstance(text, str) else text.decode()
        return len(text) // 3 + 4 * max(0, text.count("+++ ") - 1)


more_than_its_parts = MoreThanItsParts("three")


def file_of(path: str, text: str) -> FileViews:
    return loose_file(text, path, counter=more_than_its_parts)


def assembled(files: list[FileViews], request: ContextRequest) -> ContextResult:
    return assemble(
        FileSet(files=files),
        request,
        encoding="three",
        count=more_than_its_parts.count,
        stages=Stages(None, len(files)),
    )


FILES = [
    file_of(
        f"src/part_{number}.py", "".join(f"def f_{number}_{n}(x):\n    y = x\n    return y\n\n\n" for n in range(9))
    )
    for number in range(12)
]


@pytest.mark.parametrize("budget", [200, 480, 900, 1200, 1500, 1800])
def test_where_the_whole_counts_for_more_than_its_parts_the_budget_holds_still(budget: int) -> None:
    result = assembled(FILES, ContextRequest(token_budget=budget))
    assert result.tokens_used <= budget
    assert result.metadata.files_full + result.metadata.files_skeleton > 0


def test_a_refusal_names_a_budget_that_works_even_then() -> None:
    with pytest.raises(BudgetTooSmallError) as refusal:
        assembled(FILES, ContextRequest(token_budget=400, min_level=L2))
    served = assembled(FILES, ContextRequest(token_budget=refusal.value.minimum + 44, min_level=L2))
    assert served.metadata.files_dropped == 0


def test_a_file_with_nothing_to_fold_is_its_own_skeleton() -> None:
    files = [file_of("src/names.py", "import os\nimport re\n")]
    result = assembled(files, ContextRequest(token_budget=2000, max_level=L1))
    assert result.metadata.compression_summary[L1] == ("src/names.py",)
    assert "+ import os\n+ import re\n" in result.context


def test_a_level_that_could_not_be_proven_is_not_used_and_named() -> None:
    file = file_of("src/a.py", "".join(f"def f{n}(x):\n    'Doc.'\n    return x + {n} * x\n\n\n" for n in range(30)))
    unproven = "L2: a signature is not whole"
    file.skeletons = replace(file.skeletons, skeleton=replace(file.skeletons.plus, unproven=unproven))
    file.facts = file.facts._replace(unproven=("", unproven), tokens=(*file.facts.tokens[:2], MISSING))
    result = assembled([file], ContextRequest(token_budget=2000, max_level=L1))
    assert result.metadata.compression_summary[L1] == ("src/a.py",)
    assert result.context.startswith("+++ src/a.py [SKELETON:L1] [UNPROVEN]\n")
    assert result.metadata.problems == (
        Problem(path="src/a.py", kind=ProblemKind.UNPROVEN, detail="L2: a signature is not whole"),
    )
    refused = assembled([file], ContextRequest(token_budget=2000, max_level=L2))
    assert refused.metadata.compression_summary[L3] == ("src/a.py",)
    detail = "L2: a signature is not whole; max_level L2 keeps more than that out"
    assert refused.metadata.problems == (Problem(path="src/a.py", kind=ProblemKind.UNPROVEN, detail=detail),)
    assert refused.context == "⋮ No file is shown: 1 skeleton not proven.\n"
    beside = assembled([file, file_of("src/names.py", "import os\n")], ContextRequest(token_budget=3000, max_level=L2))
    why = "(1 without a proven skeleton, so max_level leaves them out)"
    assert f"\n⋮ 1 of 2 files is not shown {why}: zoom a path" in beside.context
