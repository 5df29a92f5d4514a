"""Sets of arguments that nobody should send, and many that somebody may: a generator, from a seed."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

WORDS: Final = [
    "how",
    "does",
    "the",
    "parser",
    "tell",
    "errors",
    "of",
    "config",
    "main",
    "load",
    "Config.load",
    "src/main.py",
    "README",
    "route",
    "handler",
    "é",
    "設定",
]
PIECES: Final = (
    *(
        "a",
        "A",
        "aB",
        "a_",
        "a.",
        "a/",
        "../",
        "./",
        "//",
        "*",
        "**/",
        "?",
        "[a-z]",
        "[!",
        "]",
        "{a,",
        "(",
        "(a+)+",
        "\\",
    ),
    *(
        "'",
        ".'a",
        '"',
        "`",
        "::",
        "#",
        "->",
        "=",
        "~",
        ":1-",
        "HEAD~",
        "..",
        "-",
        "--",
        "@{",
        "\0",
        "\n",
        "\r",
        "\t",
        " ",
    ),
    *(
        "é",
        "設",
        "\u202e",
        "\ufeff",
        "😀",
        "<|endoftext|>",
        "%s",
        "</compress>",
        "<compress>",
        "```",
        "$(id)",
        ";",
        "&",
    ),
)
"""The pieces of hostile texts."""


def words(chance: random.Random, most: int = 12) -> str:
    """Returns what a person might write."""
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(1, most)))


def hostile(chance: random.Random, longest: int) -> str:
    """Returns a text that is made to take long, or to break out."""
    size = chance.choice([1, 20, 300, 20_000, longest])
    match chance.randrange(6):
        case 0:
            return chance.choice(PIECES) * max(1, size // 2)
        case 1:
            return "".join(chance.choice(PIECES) for _ in range(min(size, 50_000)))
        case 2:
            return (words(chance) + "\n") * max(1, size // 40)
        case 3:
            return base64.b64encode(chance.randbytes(size * 3 // 4)).decode()
        case 4:
            frames = (
                f'  File "src/a{number}.py", line {number}, in f{number}\n' for number in range(max(1, size // 40))
            )
            return "Traceback (most recent call last):\n" + "".join(frames)
        case _:
            return " ".join(f"w{number}" for number in range(max(1, size // 8)))


def arguments(chance: random.Random, paths: Sequence[str], longest: int = 1_000_000) -> tuple[str, dict[str, Any]]:
    """Returns a tool and what to call it with.

    Args:
        chance: decides.
        paths: folders that exist, as the server knows them.
        longest: characters of the longest text.
    """

    def text() -> str:
        return hostile(chance, longest) if chance.random() < 0.4 else words(chance)

    def texts() -> list[str]:
        if chance.random() >= 0.3:
            return [words(chance, 1)]
        one = text()
        return [one] * max(1, min(chance.choice([1, 1, 3, 300, 100_000]), 4 * longest // max(1, len(one))))

    def path() -> str:
        return chance.choice(paths) if chance.random() < 0.9 else text()

    of_context: dict[str, Callable[[], Any]] = {
        "query": text,
        "focus": texts,
        "include": texts,
        "exclude": texts,
        "changed": lambda: chance.choice(["worktree", "HEAD~1", "HEAD~3..HEAD", text()]),
        "since": text,
        "cursor": text,
        "format": lambda: chance.choice(["plus", "compact", "xml", "markdown", "json", text()]),
        "min_level": lambda: chance.choice(["L0", "L1", "L2", "L3"]),
        "max_level": lambda: chance.choice(["L0", "L1", "L2"]),
        "skeleton": lambda: chance.choice(["auto", "enabled", "disabled"]),
        "line_numbers": lambda: chance.choice([True, False]),
    }

    def some(of: dict[str, Callable[[], Any]], most: int) -> dict[str, Any]:
        return {name: of[name]() for name in chance.sample(sorted(of), chance.randint(0, most))}

    budget = chance.choice([64, 500, 2000, "8k", 20_000, text() if chance.random() < 0.1 else 4000])
    match chance.randrange(10):
        case 0 | 1 | 2 | 3 | 4:
            return "get_context", {"path": path(), "token_budget": budget, **some(of_context, 3)}
        case 5 | 6 | 7:
            beside = {"context": lambda: chance.choice(["callers", "callees", "tests"])}
            return "zoom", {"target": text(), "path": path(), "token_budget": budget, **some(beside, 1)}
        case 8:
            turns = [{"role": chance.choice(["user", "assistant", "tool"]), "content": text()}]
            history = turns * chance.choice([1, 2, 50, 5000]) if len(str(turns)) < 2000 else turns
            wrong = chance.choice([{}, {"pin": [10**9]}, {"target_tokens": 1}, {"format": "gemini"}])
            return "compact_history", {"messages": history, "dry_run": True, "summarizer": "extractive", **wrong}
        case _:
            wrong = chance.choice([{}, {"rate": 0.0}, {"rate": 7}, {"target_tokens": 10}, {"adapters": [text()[:100]]}])
            return "compress", {"text": hostile(chance, min(longest, 100_000)), "engine": "extractive", **wrong}
