from __future__ import annotations

import pytest

from allocator.ranking.words import query_of
from tests.allocator.ranking.code import CodeFile, names_by_weight, ranked_for

LOG = CodeFile(
    "src/log.py",
    "".join(
        f"def {verb}_entry(entry):\n    '''Takes an entry to the log.'''\n    return entry\n\n"
        for verb in ("open", "write", "close", "rewind", "print")
    ),
)
FORMS = (
    CodeFile("src/urlencoded.py", "def parse(body):\n    return body.split('&')\n"),
    CodeFile("src/multipart.py", "def parse(body):\n    '''A body of a form.'''\n    return body\n"),
    CodeFile("src/links.py", "def url(link):\n    '''The url of a link.'''\n    return link\n"),
)


@pytest.mark.parametrize(
    ("query", "name"), [("an entry is written twice", "write_entry"), ("an entry is rewound too late", "rewind_entry")]
)
def test_a_form_of_a_verb_that_no_ending_makes_leads_to_the_verb(query: str, name: str) -> None:
    assert names_by_weight([LOG], ranked_for([LOG], query))[0] == f"src/log.py::{name}"


def test_a_word_of_which_the_code_has_another_form_alone_is_no_unknown_word() -> None:
    assert [word for word, _ in ranked_for([LOG], "is an entry rewound twise").unmatched] == ["twise"]


def test_a_form_weighs_what_the_word_weighs_that_the_code_may_have_as_well() -> None:
    both = CodeFile("src/both.py", "def write():\n    return 1\n\n\ndef written():\n    return 2\n")
    terms = ranked_for([both], "what was written?").terms
    assert terms["writ"] == terms["written"]


@pytest.mark.parametrize("query", ["where is a URL-encoded body parsed?", "where is a url encoded body parsed?"])
def test_words_side_by_side_lead_to_what_the_code_writes_as_one(query: str) -> None:
    ranking = ranked_for(FORMS, query)
    assert FORMS[ranking.order[0]].path == "src/urlencoded.py"


def test_words_side_by_side_are_no_other_word_where_the_parts_of_a_name_say_them() -> None:
    files = [CodeFile("src/page.py", "def page_view(pageview):\n    return pageview\n")]
    assert ranked_for(files, "how is a page view kept?").terms.keys() == {"pag", "view", "kept"}


@pytest.mark.parametrize(
    ("text", "together"),
    [
        ("how is a page view kept?", (("page", "view"), ("view", "kept"))),
        ("URL-encoded. Body", (("url", "encoded"),)),
        ("read_time out1 of2 it", ()),
    ],
)
def test_words_stand_side_by_side_with_a_blank_or_a_hyphen_between_them(
    text: str, together: tuple[tuple[str, str], ...]
) -> None:
    assert query_of(text).together == together
