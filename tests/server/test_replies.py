"""Results can always be sent."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from server.replies import as_unicode, text_reply
from workspace.tokens import token_counter

any_text = st.text(st.characters(exclude_categories=()))


@settings(deadline=None)
@given(any_text)
def test_every_text_can_be_sent_at_the_cost_it_was_counted_at(text: str) -> None:
    sent = as_unicode(text)
    assert sent.encode("utf-8").decode("utf-8") == sent
    assert len(sent) <= len(text)
    assert token_counter().count(sent) == token_counter().count(text)


@settings(deadline=None)
@given(st.dictionaries(any_text, st.lists(any_text | st.integers() | st.none()), max_size=3))
def test_metadata_can_be_sent_whatever_it_names(metadata: dict[str, object]) -> None:
    reply = text_reply("context", metadata=metadata)
    assert reply.model_dump_json()
    assert reply.structured_content is None
