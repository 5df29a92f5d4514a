"""The closed sets of words that arguments take, for the tools and for the command line alike.

They stand apart from the schemas because the command line needs them before it does anything, and pydantic for nothing.
"""

from __future__ import annotations

from typing import Literal

SkeletonMode = Literal["auto", "enabled", "disabled"]
MinLevel = Literal["L0", "L1", "L2", "L3"]
MaxLevel = Literal["L0", "L1", "L2"]
OutputFormat = Literal["plus", "compact", "xml", "markdown", "json"]
Neighbour = Literal["callers", "callees", "tests"]
HistoryFormat = Literal["auto", "anthropic", "openai_chat", "openai_responses", "gemini", "mcp"]
EngineChoice = Literal["auto", "llmlingua2", "extractive", "none"]
