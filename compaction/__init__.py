"""Makes a history shorter, and a prompt cheaper: fewer tokens that say the same.

>>> from compaction import CompactionEngine, CompressionEngine
>>> CompactionEngine().compact([{"role": "user", "content": "hello"}]).status.value
'noop_too_short'
>>> CompressionEngine.get_instance().compress_context("Too short to be compressed.").text
'Too short to be compressed.'
"""

from __future__ import annotations

from compaction.history import CompactionEngine, CompactionOptions, CompactionResult
from compaction.prompt.adapters import FormatAdapter
from compaction.prompt.engine import CompressionEngine
from compaction.prompt.messages import CompressedMessages
from compaction.prompt.model import CompressedResult
from compaction.prompt.store import VerbatimStore
from compaction.prompt.uncompress import uncompress

__all__ = [
    "CompactionEngine",
    "CompactionOptions",
    "CompactionResult",
    "CompressedMessages",
    "CompressedResult",
    "CompressionEngine",
    "FormatAdapter",
    "VerbatimStore",
    "uncompress",
]
