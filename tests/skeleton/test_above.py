"""The lines that a line of a text stands in."""

from __future__ import annotations

import pytest

from skeleton.formats.above import above, is_prose, section

MARKDOWN = """\
# Till
Intro.

Opening
-------
```sh
# no heading
```
### Keys
Turn it.
## Closing
- one
"""

RST = """\
Till
====
Intro.

Opening
-------
Turn it.

Closing
-------
Count.
"""

YAML = """\
till:
  # How long a voucher is good.
  # In days.
  voucher:
    days: 14

  drawers:
  - name: left
    coins: true
  - name: right
# Of all tills.
other: 1
"""

JSON = """\
{
  "till": {
    "voucher": {
      "days": 14
    },
    "drawers": [
      "left"
    ]
  }
}
"""


def around(path: str, text: str, line: str) -> list[str]:
    """The lines around the first one that begins so, the inner first."""
    lines = text.split("\n")
    found = above(path, lines)
    place = next(number for number, one in enumerate(lines) if one.strip().startswith(line))
    outer: list[str] = []
    while (place := found[place]) >= 0:
        outer.append(lines[place].strip())
    return outer


@pytest.mark.parametrize(
    ("path", "text", "line", "expected"),
    [
        ("a.md", MARKDOWN, "Intro", ["# Till"]),
        ("a.md", MARKDOWN, "# no heading", ["Opening", "# Till"]),
        ("a.md", MARKDOWN, "Turn", ["### Keys", "Opening", "# Till"]),
        ("a.mdx", MARKDOWN, "- one", ["## Closing", "# Till"]),
        ("a.rst", RST, "Intro", ["Till"]),
        ("a.rst", RST, "Turn", ["Opening", "Till"]),
        ("a.rst", RST, "Count", ["Closing", "Till"]),
        ("a.adoc", "= Till\n== Opening\nTurn it.\n", "Turn", ["== Opening", "= Till"]),
        ("a.yaml", YAML, "days", ["voucher:", "till:"]),
        ("a.yaml", YAML, "# In days", ["voucher:", "till:"]),
        ("a.yaml", YAML, "# How", ["voucher:", "till:"]),
        ("a.yaml", YAML, "- name: left", ["drawers:", "till:"]),
        ("a.yaml", YAML, "coins", ["- name: left", "drawers:", "till:"]),
        ("a.yaml", YAML, "- name: right", ["drawers:", "till:"]),
        ("a.yaml", YAML, "# Of all", ["other: 1"]),
        ("a.json", JSON, '"days"', ['"voucher": {', '"till": {']),
        ("a.json", JSON, '"left"', ['"drawers": [', '"till": {']),
        ("a.toml", "a = 1\n[till]\ndays = 14\n", "days", ["[till]"]),
        ("a.toml", "a = 1\n[till]\ndays = 14\n", "a =", []),
    ],
)
def test_a_line_stands_in_those_above_it(path: str, text: str, line: str, expected: list[str]) -> None:
    assert around(path, text, line) == expected


def test_of_other_files_nothing_is_known() -> None:
    assert above("till.conf", ["a", "  b"]) == []
    assert above("till", ["a", "  b"]) == []


def test_prose_is_what_stands_under_headings() -> None:
    assert [path for path in ("a.md", "a.rst", "a.adoc", "a.yaml", "a.json", "a.txt", "a") if is_prose(path)] == [
        "a.md",
        "a.rst",
        "a.adoc",
    ]


_GUIDE = """# Till

Of all.

## Opening `hours`

From eight.

### Feasts { #closed }

Never.

```sh
# no heading
```

Closing
-------

At six.

## Opening hours

Once more.
"""


@pytest.mark.parametrize(
    ("anchor", "lines"),
    [
        ("till", (1, 24)),
        ("opening-hours", (5, 15)),
        ("Opening `hours`", (5, 15)),
        ("closed", (9, 15)),
        ("closing", (17, 20)),
        ("opening-hours-1", (22, 24)),
        ("no-heading", None),
        ("opening", None),
    ],
)
def test_a_section_is_found_by_its_anchor(anchor: str, lines: tuple[int, int] | None) -> None:
    assert section("guide.md", _GUIDE.split("\n"), anchor) == lines
    assert section("guide.py", _GUIDE.split("\n"), anchor) is None
