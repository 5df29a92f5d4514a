r"""Builds one context within a budget from many files.

    >>> import tempfile, pathlib
    >>> from allocator import ContextEngine
    >>> from workspace.roots import Roots
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "hello.py").write_text("def hello():\n    return 1\n", encoding="utf-8")
    >>> result = ContextEngine(Roots([folder])).get_context(str(folder), token_budget="1k", format="compact")
    >>> print(result.context, end="")
    +++ hello.py
    def hello():
        return 1
    >>> result.tokens_used <= 1000
    True

The rooms, in the order of a call: `question` says what a call is about, `ranking` what matters most, `spend` what the
budget buys, `show` how that looks; `assemble` joins them, and `context` is the engine on top. Everything here is
synchronous.
"""

from allocator.context import ContextEngine
from allocator.fileset import ContextResult
from allocator.show.formats import FormatName
from allocator.show.summary import ContextMetadata
from allocator.spend.adaptive import AdaptiveAllocator, Allocation, BudgetStats, Candidate, Placement
from allocator.spend.offered import SkeletonMode

__all__ = [
    "AdaptiveAllocator",
    "Allocation",
    "BudgetStats",
    "Candidate",
    "ContextEngine",
    "ContextMetadata",
    "ContextResult",
    "FormatName",
    "Placement",
    "SkeletonMode",
]
