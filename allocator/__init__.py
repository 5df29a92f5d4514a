r"""Many files, one budgeted context.

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

The modules, in the order of a call: `rank` orders the files, `views` knows the ways to show one, `render` writes them
in five formats, `budget` gives each its level, `fill` spends what is left, `summary` says what was done, `assemble`
joins all of that, and `context` is the engine on top. Everything here is synchronous.
"""

from allocator.budget import AdaptiveAllocator, Allocation, BudgetStats, Candidate, Placement, SkeletonMode
from allocator.context import ContextEngine
from allocator.fileset import ContextResult
from allocator.render import FormatName
from allocator.summary import ContextMetadata

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
