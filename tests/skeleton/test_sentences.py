"""The first sentences that `first_sentence` finds, and its promises for every text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeleton.render.sentences import MAX_CHARACTERS, first_sentence

CASES = [
    ("Return the name of the thing.", "Return the name of the thing."),
    ("Return the name", "Return the name"),
    ("", ""),
    (" \n\t ", ""),
    ("First. Second.", "First."),
    ("Is it? Yes.", "Is it?"),
    ("  Long\n    line, folded\tto one. Next.", "Long line, folded to one."),
    ("One paragraph\nof two lines\n\nAnother.", "One paragraph of two lines"),
    ("One paragraph\r\n\r\nAnother.", "One paragraph"),
    ("See e.g. this one, i.e. that. Next", "See e.g. this one, i.e. that."),
    ("Lines, words etc. are counted. Next", "Lines, words etc. are counted."),
    ("Lines, words etc. The rest is dropped.", "Lines, words etc."),
    ("Written by Dr. Who vs. others. Next", "Written by Dr. Who vs. others."),
    ("After Donald E. Knuth. Next", "After Donald E. Knuth."),
    ("See Fig. 3 and no. 4. Next", "See Fig. 3 and no. 4."),
    ("The answer is no. Next", "The answer is no."),
    ("Since v1.2.3 of foo.py is 3.5 times as fast. Next", "Since v1.2.3 of foo.py is 3.5 times as fast."),
    ("Supports .NET and ... and so on. Next", "Supports .NET and ... and so on."),
    ("Wait... then go. Stop", "Wait... then go."),
    ("Wait… Then go.", "Wait…"),
    ("Uses `a. b` and ``c. d`` here. Next", "Uses `a. b` and ``c. d`` here."),
    ("Return the `foo' value. Next", "Return the `foo' value."),
    ("A condition like a ? b : c here. Next", "A condition like a ? b : c here."),
    ("(In brackets.) Next.", "(In brackets.)"),
    ('He said "stop." Then more.', 'He said "stop."'),
    ("**Bold.** Next.", "**Bold.**"),
    ("返回名称。然后", "返回名称。"),
    ("本当？はい", "本当？"),
    ("1. First do this. Next", "1. First do this."),
    ("The lowercase next. word ends it", "The lowercase next."),
    ("Title\n=====\n\nText.", "Title"),
    ("=====\nTitle\n=====\nText.", "Title"),
    ("Gets it\n@param x the x\n@return it", "Gets it"),
    ("@brief Gets it. More", "Gets it."),
    ("\\brief Gets it\n\\param x y", "Gets it"),
    ("Gets it\n    :param x: the x", "Gets it"),
    ("Gets a :class:`Foo` and\n:class:`Bar` too\n:returns: it", "Gets a :class:`Foo` and :class:`Bar` too"),
    ("Gets it\n\n    Args:\n        x: y", "Gets it"),
    ("Gets it\nArgs:\n    x: y", "Gets it"),
    ("Gets it\nParameters\n----------\nx", "Gets it"),
    ("Gets {@link X} now. Next", "Gets {@link X} now."),
    ("Gets it\n<p>Another paragraph.", "Gets it"),
    ("<summary>\nGets <see cref='X'/>.\n</summary>\n<param name='x'/>", "Gets <see cref='X'/>."),
    ("<summary><para>Gets it.</para><para>More.</para></summary>", "Gets it."),
    ("<inheritdoc cref='X'/>\n<remarks>Slow.</remarks>", "<remarks>Slow.</remarks>"),
    ("<inheritdoc/>", ""),
    ("\n    chain(layers...)\n    chain(name = layer)\n\nCollects layers. More.\n", "Collects layers."),
    ("\n    Indented as all of it. More.\n\n    Second.\n    ", "Indented as all of it."),
    ("\n    chain(layers...)\n", "chain(layers...)"),
    ("Example: {{{\nscala> a. B\n}}}\nGives it back. More.", "Gives it back."),
    ("Example:\n{{{\nscala> a\n}}}", ""),
    ("Gives it\n{{{\nscala> a\n}}}", "Gives it"),
    ("{@template shop}\nSells `this`\n{@endtemplate}", "Sells `this`"),
    ("{@macro shop}", ""),
    (
        "@method static A|B store(C|null $name = null)\n@method void driver()\n@property-read int $id\n@see X",
        "@method store, driver @property id",
    ),
    ("@method static A store()", "@method static A store()"),
    ("Sells.\n@method static A store()\n@method void driver()", "Sells."),
    ("{@inheritdoc}\n\n@throws X", "@throws X"),
    ("Does:\n- this\n- that", "Does:"),
    ("Does\n1. this", "Does"),
    ("Does\n```rust\nfoo();\n```", "Does"),
    ("Does\n>>> foo()", "Does"),
    ("Does\n# Examples\nfoo", "Does"),
    ("Does\n.. versionadded:: 3", "Does"),
    ("@return the name. Next", "@return the name."),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_the_first_sentence_ends_where_a_reader_would_end_it(text: str, expected: str) -> None:
    assert first_sentence(text) == expected


def test_a_long_sentence_is_cut_at_a_word() -> None:
    cut = first_sentence("word " * 100)
    assert cut == "word " * 38 + "word word…"
    assert len(cut) == MAX_CHARACTERS


def test_a_long_word_is_cut_anywhere() -> None:
    assert first_sentence("x" * 1000) == "x" * (MAX_CHARACTERS - 1) + "…"


def test_a_megabyte_without_a_blank_line_gives_one_sentence() -> None:
    assert first_sentence("\n" * 1000 + "a b\n" * 250_000).endswith(" a b…")


PIECES = st.sampled_from(
    [
        *[
            "foo",
            "Bar",
            "e.g.",
            "etc.",
            ".",
            "...",
            "…",
            "!",
            "?",
            "。",
            " ",
            "  ",
            "\n",
            "\n\n",
            "\r\n",
            "\t",
            "`",
            "``",
            "'",
            "@brief",
            "@param x",
            "\\short",
            ":param x:",
            "Args:",
            "",
        ],
        *[
            "- ",
            "1.",
            "====",
            "----\n",
            "<summary>",
            "</summary>",
            "<p>",
            '"',
            ")",
            "(",
            "*",
            ":",
            "```",
            "# ",
            "A.",
            "J",
            "\x85",
            "\x1c",
            "\u2028",
            "ß",
            "İ",
        ],
        *("x" * 190, "word " * 38),
    ]
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=30).map("".join))


@given(TEXTS)
def test_the_first_sentence_of_a_first_sentence_is_itself(text: str) -> None:
    sentence = first_sentence(text)
    assert first_sentence(sentence) == sentence


@given(TEXTS)
def test_a_sentence_is_short_and_on_one_line(text: str) -> None:
    sentence = first_sentence(text)
    assert len(sentence) <= MAX_CHARACTERS
    assert sentence == " ".join(sentence.split())
