"""A history -> a shorter history.

>>> from compaction import CompactionEngine
>>> CompactionEngine().compact([{"role": "user", "content": "hello"}]).status.value
'noop_too_short'
"""

from __future__ import annotations

from compaction.history import CompactionEngine, CompactionOptions, CompactionResult

__all__ = ["CompactionEngine", "CompactionOptions", "CompactionResult"]
