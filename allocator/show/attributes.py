"""Attributes that say how a definition is built or checked, and nothing of what it is for.

Contexts leave them out where they stand below what is left out anyway (`allocator.show.elision`). They are
known by name in every language alike; one with a name that is not here, as `#[test]`, `@property` or `@app.route("/")`,
says something.
"""

from __future__ import annotations

import re
from typing import Final

SAYS_NOTHING: Final = frozenset(
    (
        # Rust
        *("allow", "automatically_derived", "cfg_attr", "cold", "deny", "expect", "forbid"),
        *("inline", "must_use", "no_mangle", "non_exhaustive", "optimize", "repr", "rustfmt::skip"),
        *("target_feature", "track_caller", "warn"),
        # C#
        *("CLSCompliant", "ComVisible", "CompilerGenerated", "DebuggerBrowsable", "DebuggerDisplay", "DebuggerHidden"),
        *("DebuggerNonUserCode", "DebuggerStepThrough", "DynamicallyAccessedMembers", "EditorBrowsable"),
        *("ExcludeFromCodeCoverage", "GeneratedCode", "MethodImpl", "SkipLocalsInit", "StackTraceHidden"),
        *("StructLayout", "SuppressMessage", "UnconditionalSuppressMessage"),
        # Java, Kotlin, Scala
        *("CanIgnoreReturnValue", "CheckReturnValue", "JvmField", "JvmName", "JvmOverloads", "JvmStatic"),
        *("JvmSynthetic", "Override", "SafeVarargs", "Suppress", "SuppressLint", "SuppressWarnings", "nowarn"),
        *("specialized", "tailrec"),
        # Swift, Dart, Python, PHP, TypeScript
        *("ReturnTypeWillChange", "discardableResult", "frozen", "inlinable", "override", "pragma"),
        *("usableFromInline",),
        # C++
        *("gnu::always_inline", "gnu::noinline", "maybe_unused", "nodiscard", "noreturn"),
    )
)
"""Names of attributes, as they are written, or their last part."""

USUAL_TRAITS: Final = frozenset(
    ("Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd", "")
)
"""Traits that a type of Rust derives without saying anything by it; "" stands behind a last comma."""

_ATTRIBUTE = re.compile(
    r"\s*(?:"
    r"#\[\s*\\?(?P<hash>[\w:]+)\s*(?P<hashed>\(.*\)|=.*)?\]"
    r"|\[\[\s*(?P<double>[\w:]+)\s*(?:\(.*\))?\]\]"
    r"|\[\s*(?P<square>[\w.]+)\s*(?:\([^\]]*\))?\]"
    r"|@(?P<at>[\w.]+)\s*+(?:\([^()]*\))?"
    r")\s*"
)
_PARTS = re.compile(r"[.:]+")


def says_nothing(line: str) -> bool:
    """Tells whether a line is one attribute, as a whole, that says nothing of what a definition is for.

    Args:
        line: of a file, above the line that a definition's signature begins on.
    """
    found = _ATTRIBUTE.fullmatch(line)
    if found is None:
        return False
    name = found["hash"] or found["double"] or found["square"] or found["at"]
    within = (found["hashed"] or "").strip("() ")
    if name == "derive":
        return {_PARTS.split(one.strip())[-1] for one in within.split(",")} <= USUAL_TRAITS
    if name == "cfg":
        return "test" not in re.findall(r"\w+", within)
    return name in SAYS_NOTHING or _PARTS.split(name)[-1] in SAYS_NOTHING
