"""Kinds of definitions that hold code to run."""

from __future__ import annotations

CALLABLE_KINDS = frozenset({"constructor", "function", "macro", "method"})
"""Kinds as `skeleton.languages.queries` calls them."""
