"""Small real trees to serve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = '''"""Where the settings live."""

LIMIT = 10


class Config:
    """The settings that the application is started with."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.values = {}

    def load(self) -> dict[str, str]:
        """Reads every value."""
        for line in open(self.path, encoding="utf-8"):
            key, _, value = line.partition("=")
            self.values[key.strip()] = value.strip()
        return self.values
'''

MAIN = """from config import Config


def main() -> None:
    print(Config("app.conf").load())


def unused(count: int) -> int:
    total = 0
    for number in range(count):
        total += number * number
    return total
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project of a few files in several languages."""
    root = tmp_path / "project"
    files = {
        "src/config.py": CONFIG,
        "src/main.py": MAIN,
        "src/shape.rs": "/// A shape.\npub struct Shape {\n    pub sides: u32,\n}\n\nimpl Shape {\n"
        "    /// Whether it has corners.\n    pub fn pointed(&self) -> bool {\n        self.sides > 0\n    }\n}\n",
        "tests/test_main.py": "from main import main\n\n\ndef test_main():\n    main()\n",
        "pyproject.toml": '[project]\nname = "example"\n',
        "README.md": "# Example\n\nReads settings.\n",
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root
