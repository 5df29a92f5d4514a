"""A conversation about the example project, as a host writes it down; `scripts.screenshots` shows what becomes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

REQUESTS = (
    "The cart's total is sometimes a cent off. Find out why. Never touch the prices of what was already sold.",
    "yes, round half to even",
    "Also the tax: it has to be added after the discount, not before. See ticket 214.",
    "Why does the test take two seconds?",
    "Write a line into the README about rounding, one sentence, no marketing.",
    "Good. Now let `Cart` refuse a negative count, with a clear message.",
)
ANSWERS = (
    "`Cart.total` adds floats that were rounded one by one. Shall I round the sum instead, half to even?",
    "`Cart.total` rounds the sum once now, half to even. All 4 tests pass.",
    "Done: `with_tax` is applied to the discounted sum. One test expected the old order; I changed its figure to 12.60.",
    "It waits for a lock file that nothing writes any more. I removed the wait; the tests take 0.1 s.",
    "The README says: Sums are rounded once, half to even.",
    "`Cart.add` raises `ValueError: a count is at least 1, not -2` now, and a test asks for it.",
)
OUTPUT = "tests/test_cart.py::test_total PASSED\n" * 40 + "4 passed in 0.12s\n"


def sample_session(project: Path) -> list[dict[str, Any]]:
    """Returns the messages of a conversation about a copy of `examples/shop`."""
    looked_at = ("shop/cart.py", "shop/cart.py", "shop/prices.py", "tests/test_cart.py", "README.md", "shop/cart.py")
    messages: list[dict[str, Any]] = []

    def called(number: int, name: str, answer: str, failed: bool = False, **arguments: str) -> None:
        call = {"type": "tool_use", "id": f"call_{len(messages)}_{number}", "name": name, "input": arguments}
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": answer, "is_error": failed}
        messages.append({"role": "assistant", "content": [call]})
        messages.append({"role": "user", "content": [result]})

    for number, (asked, answer, file) in enumerate(zip(REQUESTS, ANSWERS, looked_at, strict=True)):
        messages.append({"role": "user", "content": asked})
        called(number, "Read", (project / file).read_text(encoding="utf-8") * 4, file_path=file)
        if number in (1, 2, 5):
            old, new = f"value_{number} = 0", f"value_{number} = round(total, 2)"
            called(number, "Edit", "The file was changed.", file_path=file, old_string=old, new_string=new)
            called(number, "Bash", "FAILED tests/test_cart.py::test_total\n1 failed", failed=True, command="pytest -q")
        called(number, "Bash", OUTPUT, command="pytest -v")
        messages.append({"role": "assistant", "content": [{"type": "text", "text": answer}]})
    return messages
