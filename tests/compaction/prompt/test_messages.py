"""Messages of every API: what is marked gets shorter, everything else keeps its bytes, and all of it comes back."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compaction.prompt.engine import CompressionEngine
from compaction.prompt.markers import is_marked, split_blocks
from compaction.prompt.messages import MessageConfig, compress_messages, compress_text
from compaction.prompt.store import VerbatimStore
from compaction.prompt.uncompress import uncompress
from tests.compaction.prompt.engines import FirstSentences
from workspace.errors import InvalidArgumentError
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Callable

ENGINE = FirstSentences()
DUMP = (
    "The plan has three parts. First the parser is rewritten so that it reads the new syntax, which took the team most"
    " of the spring. Then the printer follows, because it shares the tables of the parser. In the end the old tables"
    " are removed, and nobody will miss them much, or so we think at the moment."
)
FIRST = "<compressed>The plan has three parts.</compressed>"
MARKED = f"Do it well.\n<compress>\n{DUMP}\n</compress>\n# Your Task\nGo."
SHORTER = f"Do it well.\n\n{FIRST}\n\n# Your Task\nGo."


def shapes() -> list[tuple[str, Callable[[str], dict[str, Any]]]]:
    """Every place where a text stands in a message."""
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    text = "text"
    return [
        ("anthropic string", lambda t: {"role": "user", "content": t}),
        ("anthropic parts", lambda t: {"role": "user", "content": [image, {"type": text, "text": t}, image]}),
        (
            "anthropic cached part",
            lambda t: {"role": "user", "content": [{"type": text, "text": t, "cache_control": {"type": "ephemeral"}}]},
        ),
        (
            "anthropic tool result",
            lambda t: {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": t}]},
        ),
        (
            "anthropic tool result of parts",
            lambda t: {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "a", "content": [{"type": text, "text": t}, image]}],
            },
        ),
        (
            "anthropic document",
            lambda t: {
                "role": "user",
                "content": [{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": t}}],
            },
        ),
        (
            "anthropic document of parts",
            lambda t: {
                "role": "user",
                "content": [
                    {"type": "document", "source": {"type": "content", "content": [{"type": text, "text": t}]}}
                ],
            },
        ),
        ("chat tool", lambda t: {"role": "tool", "tool_call_id": "a", "content": t}),
        (
            "chat parts",
            lambda t: {
                "role": "user",
                "content": [{"type": text, "text": t}, {"type": "image_url", "image_url": {"url": "http://x/y"}}],
            },
        ),
        (
            "responses message",
            lambda t: {"type": "message", "role": "user", "content": [{"type": "input_text", "text": t}]},
        ),
        ("responses output", lambda t: {"type": "function_call_output", "call_id": "a", "output": t}),
        (
            "responses output of parts",
            lambda t: {"type": "function_call_output", "call_id": "a", "output": [{"type": "input_text", "text": t}]},
        ),
        ("gemini parts", lambda t: {"role": "user", "parts": [{"text": t}, {"inlineData": {"data": "AAAA"}}]}),
        (
            "gemini answer",
            lambda t: {
                "role": "user",
                "parts": [{"functionResponse": {"name": "f", "response": {"output": {"lines": [1, t]}}}}],
            },
        ),
        ("mcp content", lambda t: {"role": "user", "content": {"type": text, "text": t}}),
        (
            "mcp resource",
            lambda t: {
                "role": "user",
                "content": [
                    {"type": "resource", "resource": {"uri": "file:///a", "mimeType": "text/plain", "text": t}}
                ],
            },
        ),
        (
            "mcp tool result",
            lambda t: {
                "role": "user",
                "content": [{"type": "tool_result", "toolUseId": "a", "content": [{"type": text, "text": t}]}],
            },
        ),
    ]


SHAPES = shapes()


@pytest.mark.parametrize(("name", "shape"), SHAPES, ids=[name for name, _ in SHAPES])
def test_marked_text_gets_shorter_wherever_it_stands(name: str, shape: Callable[[str], dict[str, Any]]) -> None:
    message = shape(MARKED)
    before = copy.deepcopy(message)
    made = compress_messages([message], engine=ENGINE)
    assert made.messages == [shape(SHORTER)]
    assert message == before
    assert json.dumps(uncompress(made.messages, made.store)) == json.dumps([before])


def test_a_mark_of_the_byte_order_hides_no_format() -> None:
    long = f"{DUMP} {DUMP}"
    given = f'\ufeff<?xml version="1.0"?>\n<a>{long}</a>\n'
    made = compress_text(given, {"engine": "extractive"}, engine=CompressionEngine.get_instance())
    text = str(made.messages[0]["content"])
    assert made.trace[-1] == "0: adapter:xml"
    assert text.startswith('\ufeff<?xml version="1.0"?>\n<a>[…]</a>\n<!-- ')
    assert uncompress(made.messages, made.store)[0]["content"] == given


def test_a_text_with_the_line_ends_of_windows_keeps_them() -> None:
    given = "\r\n\r\n".join(["# A", f"{DUMP} Never drop port 5433.", "## B", f"{DUMP} {DUMP}", "## C", DUMP, ""])
    made = compress_text(given, {"engine": "extractive"}, engine=CompressionEngine.get_instance())
    text = str(made.messages[0]["content"])
    assert text != given
    assert text.count("\n") == text.count("\r\n")
    assert uncompress(made.messages, made.store)[0]["content"] == given


def test_the_metrics_are_those_of_the_seed() -> None:
    made = compress_messages([{"content": MARKED}], {"rate": 0.5, "agent": "engineer", "iteration": 2}, engine=ENGINE)
    messages, metrics = made
    assert messages == made.messages
    assert metrics == made.metrics
    assert list(made.metrics) == [
        *("agent", "iteration", "original_tokens", "compressed_tokens", "compression_ratio", "compression_time_ms"),
    ]
    count = token_counter().count
    original, compressed = count(DUMP), count(FIRST)
    assert (made.metrics["original_tokens"], made.metrics["compressed_tokens"]) == (original, compressed)
    assert made.metrics["compression_ratio"] == round(1 - compressed / original, 4)
    assert made.trace == ("0: prose",)


@pytest.mark.parametrize("role", ["system", "developer"])
def test_system_messages_lose_their_markers_and_nothing_else(role: str) -> None:
    made = compress_messages([{"role": role, "content": MARKED}], engine=ENGINE)
    assert made.messages == [{"role": role, "content": split_blocks(MARKED).plain}]
    assert made.trace == ("0: system",)


def test_markers_are_gone_when_compression_is_off() -> None:
    made = compress_messages([{"role": "user", "content": MARKED}], {"enabled": False}, engine=ENGINE)
    assert made.messages == [{"role": "user", "content": split_blocks(MARKED).plain}]
    assert made.metrics["compression_ratio"] == 0.0
    assert uncompress(made.messages, made.store) == [{"role": "user", "content": MARKED}]


def test_what_a_provider_signed_or_a_caller_called_is_not_touched() -> None:
    messages: list[Any] = [
        {"role": "assistant", "content": [{"type": "thinking", "thinking": MARKED, "signature": "s"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {"text": MARKED}}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"arguments": MARKED}}]},
        {"role": "model", "parts": [{"text": MARKED, "thoughtSignature": "s"}, {"text": MARKED, "thought": True}]},
        {"type": "reasoning", "content": [{"type": "reasoning_text", "text": MARKED}], "encrypted_content": "e"},
        {"role": "assistant", "content": [{"type": "compaction", "content": MARKED}]},
        {"type": "function_call", "call_id": "a", "arguments": MARKED},
    ]
    made = compress_messages(messages, engine=ENGINE)
    assert made.messages == messages
    assert made.store == VerbatimStore()
    assert made.warnings == ("No text is marked with <compress>…</compress>, so nothing was compressed.",)


def test_short_blocks_code_and_what_is_marked_already_stay() -> None:
    code = "```py\n" + "x = 1\n" * 60 + "```"
    for block in ("A few words only.", code, FIRST, "", " \n "):
        made = compress_messages([{"content": f"a<compress>{block}</compress>b"}], engine=ENGINE)
        assert made.messages == [{"content": f"a{block}b"}]


def test_a_block_that_would_not_be_smaller_stays() -> None:
    text = "Alpha beta. " + "unsplittable" * 40
    made = compress_messages([{"content": f"<compress>{text}</compress>"}], engine=FirstSentences(least=1))
    assert len(str(made.messages[0]["content"])) <= len(text)


def test_the_second_call_changes_nothing_even_where_the_caller_marks_the_text_again() -> None:
    first = compress_messages([{"content": MARKED}], engine=ENGINE).messages[0]["content"]
    assert isinstance(first, str)
    for again in (first, f"<compress>{first}</compress>", first.replace(FIRST, f"<compress>{FIRST}</compress>")):
        second = compress_messages([{"content": again}], engine=ENGINE).messages[0]["content"]
        assert isinstance(second, str)
        assert FIRST in second
    assert compress_text(first, engine=FirstSentences(least=1)).messages[0]["content"] == first


def test_new_text_beside_text_that_was_compressed_already_is_compressed_alone() -> None:
    made = compress_messages([{"content": f"<compress>{FIRST}\n\n{DUMP}</compress>"}], engine=ENGINE)
    assert made.messages == [
        {"content": "<compressed>\nThe plan has three parts.\n\nThe plan has three parts.\n</compressed>"}
    ]


def test_an_engine_that_does_not_mark_its_results_gets_them_marked() -> None:
    made = compress_messages([{"content": MARKED}], engine=FirstSentences(marks=False))
    assert made.messages == [{"content": SHORTER}]


def test_the_target_is_shared_by_the_size_of_blocks_and_small_ones_stay() -> None:
    engine = FirstSentences()
    text = f"<compress>{DUMP}</compress><compress>{DUMP} {DUMP}</compress><compress>short</compress>"
    compress_messages([{"content": text}, {"role": "system", "content": MARKED}], {"target_token": 91}, engine=engine)
    one, two, small = engine.targets
    assert small == -1
    assert abs(one * 2 - two) <= 2
    assert 85 <= one + two <= 91
    compress_messages([{"content": text}], {"target_token": -1}, engine=engine)
    assert engine.targets[3:] == [-1, -1, -1]


def test_progress_counts_blocks_and_can_end_the_call() -> None:
    seen: list[tuple[int, int, str]] = []
    messages: list[Any] = [{"content": MARKED}, {"content": MARKED}]

    def watch(done: int, total: int, stage: str) -> None:
        seen.append((done, total, stage))

    compress_messages(messages, engine=ENGINE, progress=watch)
    assert seen == [(0, 2, "compressing"), (1, 2, "compressing"), (2, 2, "compressing")]

    def leave(done: int, total: int, stage: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compress_messages(messages, engine=ENGINE, progress=leave)


WRONG_CALLS: list[tuple[Any, dict[str, object], str]] = [
    ("text", {}, "list of objects"),
    (["text"], {}, "Message 0 is str"),
    ([{}, None], {}, "Message 1 is NoneType"),
    ([], {"rate": 0}, "rate is 0"),
    ([], {"rate": 1.5}, "rate is 1.5"),
    ([], {"target_tokens": 0}, "target_tokens is 0"),
    ([], {"engine": "gzip"}, "no engine 'gzip'"),
    ([], {"speed": 1}, "no setting 'speed'"),
    ([], {"adapters": ["toml"]}, "no adapter 'toml'"),
]


@pytest.mark.parametrize(("messages", "config", "words"), WRONG_CALLS)
def test_wrong_calls_are_told_what_is_wrong(messages: Any, config: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidArgumentError, match=words):
        compress_messages(messages, config, engine=ENGINE)


def test_adapters_are_asked_by_name_or_as_they_are() -> None:
    yaml = "name: a\nkind: b\nsize: 3\nnote: " + "words of a very long sentence that says nothing new " * 5
    adapters = MessageConfig(adapters=["yaml"]).resolved_adapters()
    assert adapters is not None
    for config in (None, {"adapters": ["json", "yaml"]}, {"adapters": adapters}):
        assert compress_text(yaml, config, engine=ENGINE).trace == ("0: adapter:yaml",)
    assert compress_text(yaml, {"adapters": []}, engine=ENGINE).trace == ("0: code",)


def test_a_text_is_compressed_where_it_is_marked_or_else_as_a_whole() -> None:
    assert compress_text(MARKED, engine=ENGINE).messages[0]["content"] == SHORTER
    assert compress_text(DUMP, engine=ENGINE).messages[0]["content"] == FIRST
    odd = compress_text(f"{DUMP} `<compress>`", engine=ENGINE)
    assert odd.messages[0]["content"] == FIRST
    assert odd.warnings == ("A marker is escaped and stays as text.",)


def test_a_text_whose_target_is_missed_says_so_once_and_knows_of_no_messages() -> None:
    engine = CompressionEngine(model="/nowhere")  # no model is there, so nothing is shortened
    missed = compress_text(DUMP * 40, {"target_tokens": 20}, engine=engine)
    assert missed.messages[0]["content"] == DUMP * 40
    (warning,) = missed.warnings
    assert warning.startswith("Nothing was compressed.")
    blocks = compress_text(
        f"<compress>{DUMP}</compress> and <compress>{DUMP}</compress>", {"target_tokens": 1}, engine=ENGINE
    )
    assert blocks.warnings
    for warning in blocks.warnings:
        assert "system messages" not in warning
        assert "message 0" not in warning


PIECES = st.sampled_from(
    [
        *("<compress>", "</compress>", "<compressed>", "</compressed>", "```\ncode\n```\n", "```\n", "\\", "`"),
        *(DUMP, f" {DUMP}\n", "# Title\n", "Ünïcödé 中文 \ud83d.", "\n\n", "\r\n", "key: value\n", FIRST),
    ]
)
TEXTS = st.lists(PIECES, max_size=8).map("".join)
MESSAGES = st.lists(st.tuples(st.sampled_from(SHAPES), TEXTS), max_size=5).map(
    lambda chosen: [shape(text) for (_, shape), text in chosen]
)
CONFIGS = st.fixed_dictionaries({"enabled": st.booleans(), "preserve_code_blocks": st.booleans()})


@settings(max_examples=150, deadline=None)
@given(MESSAGES, CONFIGS)
def test_whatever_compress_gives_uncompress_takes_back_byte_for_byte(
    messages: list[Any], config: dict[str, object]
) -> None:
    before = json.dumps(messages)
    once = compress_messages(messages, config, engine=ENGINE)
    assert json.dumps(messages) == before
    stored = VerbatimStore.from_json(json.loads(json.dumps(once.store.as_json())))
    sent = json.loads(json.dumps(once.messages))
    assert json.dumps(uncompress(sent, stored)) == before
    twice = compress_messages(once.messages, config, engine=ENGINE)
    assert json.dumps(uncompress(uncompress(twice.messages, twice.store), once.store)) == before


@settings(max_examples=40, deadline=None)
@given(MESSAGES)
def test_the_extractive_engine_is_taken_back_byte_for_byte_as_well(messages: list[Any]) -> None:
    engine = CompressionEngine.get_instance()
    made = engine.compress_messages(messages, {"engine": "extractive", "rate": 0.3})
    assert json.dumps(uncompress(made.messages, made.store)) == json.dumps(messages)


@settings(max_examples=40, deadline=None)
@given(TEXTS.filter(lambda text: "compress>" not in text))
def test_the_extractive_engine_changes_nothing_the_second_time(text: str) -> None:
    engine = CompressionEngine.get_instance()
    wanted: dict[str, object] = {"engine": "extractive", "rate": 0.3}
    once = compress_text(text, wanted, engine=engine).messages[0]["content"]
    assert isinstance(once, str)
    assert compress_text(once, wanted, engine=engine).messages[0]["content"] == once


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_outside_of_blocks_not_one_byte_changes(text: str) -> None:
    from compaction.prompt.markers import split_blocks

    made = compress_messages([{"content": text}], engine=ENGINE).messages[0]["content"]
    assert isinstance(made, str)
    position = 0
    for block in split_blocks(text).blocks:
        if not block.compressible:
            assert made.find(block.text, position) >= 0
            position = made.find(block.text, position) + len(block.text)
    blocks = split_blocks(text).blocks
    if blocks and not blocks[0].compressible:
        assert made.startswith(blocks[0].text)
    if blocks and not blocks[-1].compressible:
        assert made.endswith(blocks[-1].text)
    assert len(made) <= len(text)


@settings(max_examples=100, deadline=None)
@given(TEXTS.filter(lambda text: "compress>" not in text))
def test_the_whole_call_is_idempotent(text: str) -> None:
    engine = FirstSentences(least=1)
    once = compress_text(text, engine=engine).messages[0]["content"]
    assert isinstance(once, str)
    assert compress_text(once, engine=engine).messages[0]["content"] == once
    assert once == text or is_marked(once)


def test_messages_may_move_and_come_while_they_are_compressed() -> None:
    made = compress_messages([{"content": "old"}, {"content": MARKED}], engine=ENGINE)
    moved: list[Any] = [{"content": "new"}, *made.messages[1:], {"content": "newer"}, {"content": "newest"}]
    back = uncompress([made.messages[1], {"content": "x"}], made.store)
    assert back == [{"content": MARKED}, {"content": "x"}]
    assert uncompress(moved, made.store)[1] == {"content": MARKED}


def test_a_text_that_is_gone_is_missed_unless_the_caller_allows_it() -> None:
    made = compress_messages([{"content": MARKED}, {"content": "<compress>a</compress>"}], engine=ENGINE)
    with pytest.raises(InvalidArgumentError, match="1 of 2 texts of the store are not in these messages"):
        uncompress(made.messages[:1], made.store)
    assert uncompress(made.messages[:1], made.store, is_partial=True) == [{"content": MARKED}]


NO_STORES: list[Any] = [
    None,
    [],
    {},
    {"version": 2, "texts": []},
    {"version": 1, "texts": [{}]},
    {"version": 1, "texts": 3},
]


@pytest.mark.parametrize("given_store", NO_STORES)
def test_what_is_no_store_is_refused(given_store: object) -> None:
    with pytest.raises(InvalidArgumentError, match="store"):
        VerbatimStore.from_json(given_store)
