"""The examples of the format-adapters seed, as it prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compaction.prompt.adapters import FormatAdapter, MarkdownAdapter, PlacingAdapter, XmlAdapter, YamlAdapter
from compaction.prompt.adapting import adapt

if TYPE_CHECKING:
    from collections.abc import Sequence

XML = """<project>
  <artifactId>myapp</artifactId>
  <description>This is a lengthy explanation of what the project does and how it integrates with other systems in the organization.</description>
</project>"""
XML_AFTER = """<project>
  <artifactId>myapp</artifactId>
  <description>[…]</description>
</project>
<!-- project that integrates with org systems -->"""

YAML = """name: myservice
image: nginx:1.25
replicas: 3
description: This service handles all incoming requests and routes them to appropriate backends based on load balancing logic and health check status."""
YAML_AFTER = """name: myservice
image: nginx:1.25
replicas: 3
# routes requests to backends via load balancing and health checks"""

MARKDOWN = """# API Reference
## Authentication
All requests require a token of the identity service. It expires after one hour and has to be renewed before that.

It is sent in a header. Proxies must not write it into their logs.

A request without one is answered with 401 and nothing else.

## Endpoints
| Method | Path |
|--------|------|
| GET | /users |
"""
MARKDOWN_AFTER = """# API Reference
## Authentication
All requests require a token of the identity service.

## Endpoints
| Method | Path |
|--------|------|
| GET | /users |
"""


class Saying:
    """A summarizer with prepared answers, as a language model would give them."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> list[str]:
        self.asked += texts
        return self.answers[: len(texts)]


def test_the_xml_example_compresses_as_printed() -> None:
    summarizer = Saying("project that integrates with org systems")
    assert adapt(XML, summarizer) == (XML_AFTER, ("adapter:xml",))
    assert [text.split(" explanation")[0] for text in summarizer.asked] == ["This is a lengthy"]


def test_the_yaml_example_compresses_as_printed() -> None:
    summarizer = Saying("routes requests to backends via load balancing and health checks")
    assert adapt(YAML, summarizer) == (YAML_AFTER, ("adapter:yaml",))
    assert [text.split(" handles")[0] for text in summarizer.asked] == ["description: This service"]


def test_the_markdown_example_keeps_headings_and_tables_and_each_summary_under_its_heading() -> None:
    summarizer = Saying("All requests require a token of the identity service.")
    assert adapt(MARKDOWN, summarizer) == (MARKDOWN_AFTER, ("adapter:markdown",))
    assert len(summarizer.asked) == 1


def test_one_summary_for_everything_goes_where_the_seed_puts_it() -> None:
    for adapter, content, after, summary in (
        (XmlAdapter(), XML, XML_AFTER, "project that integrates with org systems"),
        (YamlAdapter(), YAML, YAML_AFTER, "routes requests to backends via load balancing and health checks"),
    ):
        assert adapter.reconstruct(adapter.extract_preserved(content), summary) == after
    markdown = MarkdownAdapter()
    kept = markdown.extract_preserved(MARKDOWN)
    assert kept == ["# API Reference\n## Authentication", MARKDOWN[MARKDOWN.index("## Endpoints") :].rstrip("\n")]
    assert markdown.reconstruct(kept, "Say.").endswith("| GET | /users |\n\nSay.")


class CsvOfTheSeed:
    """The custom adapter that the seed writes out."""

    name = "csv"

    def detect(self, content: str) -> bool:
        lines = [line for line in content.split("\n") if line.strip()]
        return len(lines) >= 3 and "," in lines[0] and "," in lines[1]

    def extract_preserved(self, content: str) -> list[str]:
        return [content.split("\n")[0]]

    def extract_compressible(self, content: str) -> list[str]:
        return [line for line in content.split("\n")[1:] if line.strip()]

    def reconstruct(self, preserved: list[str], summary: str) -> str:
        joined = "\n".join(preserved)
        return f"{joined}\n[{summary}]"


def test_the_custom_adapter_of_the_seed_works_as_it_is_written() -> None:
    custom: FormatAdapter = CsvOfTheSeed()
    assert isinstance(custom, FormatAdapter)
    assert not isinstance(custom, PlacingAdapter)
    table = "id,name,role\n1,Ada Lovelace,analyst\n2,Alan Turing,cryptanalyst\n3,Grace Hopper,admiral"
    made = adapt(table, Saying("three people", "", ""), [custom])
    assert made == ("id,name,role\n[three people]", ("adapter:csv",))


def test_a_result_that_is_no_smaller_is_reverted_and_the_trace_says_so() -> None:
    longer = Saying("a summary that goes on and on " * 10)
    assert adapt(XML, longer) == (XML, ("adapter_reverted:xml",))
