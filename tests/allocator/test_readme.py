"""The part of a README that a first look shows."""

from __future__ import annotations

import pytest

from allocator.overview.readme import MOST_README, readme_lines
from tests.thoroughness import share_of

DESCRIPTION = "Sells things to people who asked for a basket."


def test_a_readme_is_shown_without_badges_and_tables_of_contents() -> None:
    text = "<p align=center>\n\n# Name\n\n![x](y)\n\n- [Use](#use)\n\nIt does *one* thing, and [that](https://z) well enough.\n"
    assert readme_lines(text) == ("# Name", "It does *one* thing, and that well enough.")
    assert readme_lines("") == ()


def test_a_readme_is_shown_without_tables_and_what_is_left_of_badges() -> None:
    text = (
        "# Name\n\n<img\n  src='x'\n  width='650'\n/>\n\n[![Build of the main branch][a]][build-of-the-main-branch]\n\n"
        "| Version of it | What is fixed there |\n|---|---|\n\nWhat it is, where a < b and b > c.\n"
    )
    assert readme_lines(text) == ("# Name", "What it is, where a < b and b > c.")


def test_a_readme_keeps_its_lists_and_the_ends_of_its_sentences() -> None:
    text = "# Name\n\nshort\n\n- HTTP/1\n- HTTP/2\n\nIf you look for a client, you may wish to consider\n[that](https://z).\n\nIt gives you also:\n"
    assert readme_lines(text) == (
        *("# Name", "- HTTP/1", "- HTTP/2"),
        *("If you look for a client, you may wish to consider", "that."),
    )


def test_an_address_in_angle_brackets_is_kept_in_its_sentence() -> None:
    text = "# Name\n\nSee the official site at <https://name.org/>.\n\nWritten by A. Person <a@name.org>, long ago.\n"
    assert readme_lines(text) == (
        *("# Name", "See the official site at https://name.org/."),
        "Written by A. Person , long ago.",
    )


@pytest.mark.parametrize(
    "ways",
    [
        "[Website](https://x) |\n[Guides of it](https://y) |\n[Chat with others](https://z)",
        (
            '<p align="center">\n  <a href="#a">Key Features of it</a> •\n  <a href="#b">How To Use it</a><br>\n  [English]\n'
            '  [<a href="zh.md">中文</a>]\n</p>'
        ),
        "<h4>English | <a href='zh'>中文</a> | <a href='ja'>日本語</a></h4>",
        "**[Read the documentation of it here!](https://x)**",
        "- [User Guide](GUIDE.md)\n- [Frequently Asked Questions](FAQ.md)",
        "Use these resources for all that you want to know:\n\n- read our [documentation](x)\n- ask on [a forum](y)",
        "<https://name.org/the/whole/manual>",
        "name.org/the/whole/manual/of/it",
        "- `Home page <https://x>`_\n- `What is new <https://x>`_",
        "> The goal of this README is to be short.",
        "Please see the [Policy of it](https://x) for more information.",
        "The instructions for installing it are [here](https://x).",
        "> ✨ Featured Sponsor: [Others](https://x) — Sell twice as much, at once.",
        "*Read this document in other languages: [Deutsch](doc/de.md), [English](README.md), [日本語](doc/ja.md)*",
        "Take a look at some of the [things](https://x)\nthat were made with it.",
        "For more information, see the [website](https://x) or\n[documentation](https://y).",
        "All of the keys can be found [in the documentation on the website](https://x).",
        "- [Usage](https://x)\n  - **HTTP -** [Methods](https://y), [Headers](https://z)\n  - **Tools -** [Output](x) and [Metrics](y)",
    ],
)
def test_ways_to_elsewhere_are_left_out_where_there_is_more(ways: str) -> None:
    assert readme_lines(f"# Name\n\n{ways}\n\n## The next section of this text\n\n{DESCRIPTION}\n")[-1] == DESCRIPTION
    assert len(readme_lines(f"# Name\n\n{ways}\n\n{DESCRIPTION}\n")) == 2


def test_a_readme_of_links_alone_keeps_them() -> None:
    text = "# Name\n\n[A parser of names in Rust](https://x)\n\n- [User Guide](GUIDE.md)\n"
    assert readme_lines(text) == ("# Name", "A parser of names in Rust", "- User Guide")


@pytest.mark.parametrize("announced", ["Then serve it, as here:", "Get what it serves with, then"])
def test_code_that_does_not_fit_is_left_out_with_its_announcement_and_what_speaks_of_it(announced: str) -> None:
    sample = "```\nimport a\n" + "    serve(requests)\n" * 50 + "```\n\nThat serves the requests, and quits.\n\n"
    text = f"# Name\n\n{DESCRIPTION}\n\n## How it is begun by who sells things\n\n{announced}\n\n{sample}"
    assert readme_lines(text) == ("# Name", DESCRIPTION)
    assert readme_lines(f"{text}## What else is in it for you\n\n{DESCRIPTION}\n") == (
        *("# Name", DESCRIPTION),
        *("## What else is in it for you", DESCRIPTION),
    )
    assert readme_lines(f"# Name\n\n{sample}")[:3] == ("# Name", "import a", "    serve(requests)")


def test_few_words_that_announce_a_list_are_kept() -> None:
    text = "# Pump\n\n[![build](b.svg)](x)\n\nPump is:\n\n1. A way to move water\n2. A way to hold it\n"
    assert readme_lines(text) == ("# Pump", "Pump is:", "1. A way to move water", "2. A way to hold it")


def test_features_that_are_links_are_kept() -> None:
    features = "- [Simple, fast routing engine](x).\n- [Powerful container](y).\n- Backends for [caches](z).\n"
    assert len(readme_lines(f"# Name\n\n{DESCRIPTION} Such as:\n\n{features}")) == 5
    assert len(readme_lines("# Name\n\n- [Fast routing](x)\n- Zero dependencies\n- Small\n- Works everywhere\n")) == 5


@pytest.mark.parametrize(
    "shown", ["![picture](x.png)", "[![badge](x)](y)", "| a | b |\n|---|---|", "a | b\n--- | ---\nc | d", ""]
)
def test_what_announces_a_thing_that_is_left_out_goes_with_it(shown: str) -> None:
    text = f"# Name\n\n{DESCRIPTION}\n\n### How it looks when it runs\n\nIt looks like this with many programming and markup\nlanguages:\n\n{shown}\n"
    assert readme_lines(text) == ("# Name", DESCRIPTION)
    assert readme_lines(f"{text}\n### More\n\n{DESCRIPTION}\n") == ("# Name", DESCRIPTION, DESCRIPTION)
    two = text.replace("It looks", "This sentence tells something. It looks")
    assert readme_lines(two)[2:] == ("### How it looks when it runs", "This sentence tells something.")


@pytest.mark.parametrize(("shown", "is_kept"), [("![a](b.png)", True), ("| a | b |\n|---|---|", True), ("", False)])
def test_what_says_enough_without_the_picture_behind_it_is_kept(shown: str, *, is_kept: bool) -> None:
    said = "It supports a large number of programming and markup\nlanguages:"
    kept = (*said.removesuffix(":").split("\n")[:1], "languages.") if is_kept else ()
    assert readme_lines(f"# Name\n\n{DESCRIPTION}\n\n{said}\n\n{shown}\n") == ("# Name", DESCRIPTION, *kept)
    assert readme_lines(f"# Name\n\n{DESCRIPTION}\n\n{said}\n{shown}\n")[2:3] == kept[:1]


@pytest.mark.parametrize("shown", ["- one item", "```\ncode\n```", "    make all", "https://name.org"])
def test_what_announces_a_thing_that_follows_is_kept(shown: str) -> None:
    lines = readme_lines(f"# Name\n\nAll of it is as simple as this:\n\n{shown}\n")
    assert lines[:2] == ("# Name", "All of it is as simple as this:")
    assert len(lines) == 3


@pytest.mark.parametrize(
    "decoration",
    [
        (
            '<kbd align="center">\n<a href="https://shop.com/x"><img src="x"></a>\n<br/>\nShow your love, buy mugs and shirts today!\n<br/>\n'
            '<a href="https://shop.com/x">shop.com/x</a>\n</kbd>'
        ),
        (
            '<h3 align="center">Gold sponsors</h3> <table><tr><td><a href="x"><img src="y"></a><p>We sell all the things, call us.</p>'
            "</td></tr></table>"
        ),
        (
            '<div align="center">\n<sup>Supported by:</sup>\n<a href="x"><img src="y"></a>\n\n### [Warp, a terminal for developers](x)\n'
            "[Try it today on all systems](x)<br>\n</div>\n<hr>\n\n# Overview"
        ),
        "## Sponsors\n\nThis work is paid for by many friendly people.\n\n### Gold\n\nSomebody whose name is long enough.\n\n## Features",
        "## For enterprise\n\nAvailable as a part of a subscription.\n\n## Use",
        "## 🚀 Contributing\n\nIf you find a bug, please create an issue.\n\n## Use",
        "## Contributing fixes and new features\n\nWe would love to have your help.\n\n## Use",
        "Thanks to the kind folks at [Ocean](x), a demo of it can be tried for as long as you like.",
        "## Supporting Name\n\nIt is made by volunteers, who like to be paid.\n\n## Use",
        "## Special thanks\n\nTo all who gave something for this work.\n\n---\n",
    ],
)
def test_thanks_and_advertising_are_left_out(decoration: str) -> None:
    assert readme_lines(f"# Name\n\n{decoration}\n\n{DESCRIPTION}\n") == ("# Name", DESCRIPTION)


def test_what_a_project_owes_to_no_person_is_kept() -> None:
    owed = "Thanks to its index, which people like, it finds all in no time."
    assert owed in readme_lines(f"# Name\n\n{DESCRIPTION}\n\n{owed}\n")


def test_a_section_about_gifts_before_all_else_is_no_title() -> None:
    gifts = "Donations\n=========\n\nThis work is paid for by many friendly people.\n\n"
    assert readme_lines(f"{gifts}Use\n===\n\n{DESCRIPTION}\n") == ("Use", DESCRIPTION)
    assert readme_lines(f"{gifts}{DESCRIPTION}\n\nUse\n---\n\n{DESCRIPTION}\n")[0] == "Donations"


def test_a_description_among_badges_is_kept() -> None:
    text = (
        f'<p align="center">\n  <img src="x" alt="y"><br>\n  <a href="x"><img src="y"></a><br>\n  {DESCRIPTION}\n</p>\n'
    )
    assert readme_lines(text) == (DESCRIPTION,)
    assert readme_lines(f"<h1 align=center>\n<img src=x>\n<br>\nZod\n</h1>\n\n{DESCRIPTION}") == ("Zod", DESCRIPTION)


def test_of_an_alert_the_first_sentence_is_shown() -> None:
    text = f"# Name\n\n> [!IMPORTANT]\n> **This is the second version of\n> it.** There was a first.\n> Read on.\n>\n> And more of it here.\n\n{DESCRIPTION}\n"
    assert readme_lines(text) == (
        *("# Name", "> **This is the second version of", "> it.** There was a first."),
        DESCRIPTION,
    )


def test_code_is_shown_as_it_is() -> None:
    text = "# Name\n\n```html\n<p class='a'>[x](y)</p>\n\n| a |\n```\n\nUse `<p>` and ``[x](y)`` where it is needed.\n"
    assert readme_lines(text) == (
        *("# Name", "<p class='a'>[x](y)</p>", "| a |", "Use `<p>` and ``[x](y)`` where it is needed."),
    )


def test_a_heading_that_says_a_word_by_a_picture_is_left_out() -> None:
    heading = '<h3>a <a href="https://x"><img src="x.svg"></a> project</h3>'
    assert readme_lines(f"{heading}\n\n<h3>Every pump here</h3>\n\n{DESCRIPTION}\n") == ("Every pump here", DESCRIPTION)
    beside = "# ![logo](x.svg) Pump ![build](b.svg) [![docs](d.svg)](https://z)"
    assert readme_lines(f"{beside}\n\n{DESCRIPTION}\n") == ("# Pump", DESCRIPTION)


def test_a_reference_of_rest_is_shown_without_its_underscore() -> None:
    text = (
        "Pump_ moves water for Zyte_, as pump-lib_ does, with ``Zyte_`` or private_ in the code.\n\n"
        ".. _Pump: https://x\n.. _zyte: https://y\n.. _`pump-lib`: https://z\n"
    )
    assert readme_lines(text) == (
        "Pump moves water for Zyte, as pump-lib does, with ``Zyte_`` or private_ in the code.",
    )


def test_rest_and_asciidoc_are_read() -> None:
    text = f"====\nName\n====\n\n.. image:: https://x/y.svg\n   :target: https://x\n\n{DESCRIPTION} See `the docs <https://x>`__ and `more`_.\n\nThe way it is used\n~~~~~~~~~~~~~~~~~\n"
    assert readme_lines(text) == ("Name", f"{DESCRIPTION} See the docs and more.")
    text = f"= Name\n:toc: left\n\nimage::x.png[a picture of it]\n\n{DESCRIPTION}\n\n== The way it is used\n"
    assert readme_lines(text) == ("= Name", DESCRIPTION)


def test_fields_and_comments_of_rest_are_left_out_with_all_their_lines() -> None:
    fields = ":Version: 5.6\n:Keywords: task, queue, job, redis,\n  python, distributed, actors,\n  and all others\n:Web: https://x\n"
    comment = ".. All of this is written by a program\n   from the documentation of it.\n"
    note = ".. note::\n\n   It needs a broker to send its messages.\n"
    contents = ".. contents::\n..\n    1  What it is for\n    2  The way it is used\n      2.1  The first steps\n"
    text = f"{fields}\n{contents}\n{DESCRIPTION}\n\n{comment}\n{note}"
    assert readme_lines(text) == (DESCRIPTION, "It needs a broker to send its messages.")


def test_a_question_is_kept_before_its_answer() -> None:
    text = f"# Name\n\n{DESCRIPTION}\n\n## Is it down?\n\nProbably not, but that is possible.\n\n## What is Use?\n\n{DESCRIPTION}\n"
    assert readme_lines(text)[2:] == ("## Is it down?", "Probably not, but that is possible.", DESCRIPTION)


def test_comments_in_every_line_are_no_headings() -> None:
    text = "# Scripts in this directory are run as root when\n# somebody logs out.\n"
    assert readme_lines(text) == tuple(text.splitlines())


def test_a_long_paragraph_is_shown_by_its_sentences() -> None:
    sentence = "It does version 3.5 of one thing well. "
    assert readme_lines("# Name\n\n" + sentence * 100) == ("# Name", (sentence * 17).strip())
    endless = "word " * 300
    assert readme_lines("# Name\n\n" + endless) == ("# Name", endless.strip())
    assert readme_lines(f"# Name\n\n{DESCRIPTION}\n\n{endless}") == ("# Name", DESCRIPTION)
    lines = "It goes on from line to line\n" * 50
    assert readme_lines(f"# Name\n\n{DESCRIPTION}\n\n{lines}") == ("# Name", DESCRIPTION)


@pytest.mark.no_cover
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit",
    ["[", "<", "|", "`", "![", "[a](", "<a ", "<!--", "a:\n\n", "<kbd>", '[a](b "', "<a href=x>\n", "- [a](b)\n"],
)
def test_a_hostile_readme_takes_no_longer_than_another(unit: str) -> None:
    assert len(readme_lines(unit * (share_of(1_000_000) // len(unit)))) < MOST_README


def test_how_to_install_it_comes_behind_what_it_is() -> None:
    install = "## Installation\n\nAdd it to the packages of your project:\n\n```\nadd shop\n```\n\n"
    found = readme_lines(f"# Shop\n\n{install}## About\n\n{DESCRIPTION}\n")
    assert found.index(DESCRIPTION) < found.index("add shop")
    found = readme_lines(f"# Shop\n\n{DESCRIPTION}\n\n{install}## Use\n\nAsk for a basket, and put things into it.\n")
    assert found.index("add shop") < found.index("Ask for a basket, and put things into it.")
    assert "add shop" in readme_lines(f"# Shop\n\n{install}")


def test_code_of_rest_keeps_its_indentation() -> None:
    text = """Name
====

It serves requests, and that well enough::

    def get(request):
        return "Hello"

    serve(get)

What follows is another paragraph of the text.

.. code-block:: python
   :linenos:

   if True:
       serve()

And this ends with two colons, but no code is behind it::

Here is the last paragraph of the text.
"""
    assert readme_lines(text) == (
        "Name",
        "It serves requests, and that well enough:",
        "def get(request):",
        '    return "Hello"',
        "serve(get)",
        "What follows is another paragraph of the text.",
        "if True:",
        "    serve()",
        "And this ends with two colons, but no code is behind it::",
        "Here is the last paragraph of the text.",
    )


def test_an_item_for_which_there_is_no_room_ends_with_a_sentence_or_is_left_out() -> None:
    before = "It does things, and does them well enough. " * 14
    long = "which goes on and on,\n  " * 9
    assert (
        readme_lines(f"{before}\n\n* One thing is certain here. It is {long}.\n")[-1] == "* One thing is certain here."
    )
    assert readme_lines(f"{before}\n\n* One thing is {long}.\n") == (before.strip(),)


def test_a_line_over_links_and_a_name_that_is_drawn_are_left_out() -> None:
    table = "<div align=right>Table of Contents↗️</div>\n\n<summary>Table of contents (Click to show)</summary>\n\n- [Use](#use)\n"
    drawn = "```\n██╗  ██╗\n╚═╝  ╚═╝\n```\n"
    text = f"{table}\n# Pump\n\n{drawn}\nPump moves what has to be moved from here to there.\n"
    assert readme_lines(text) == ("# Pump", "Pump moves what has to be moved from here to there.")


def test_what_stands_over_a_part_that_is_folded_away_is_no_text() -> None:
    folded = "<details>\n<summary>Android</summary>\n\nInstall it with any of these:\n\n| a | b |\n|---|---|\n| c | d |\n\n</details>\n"
    text = f"# Pump\n\nPump moves what has to be moved from here to there.\n\n## Steps\n\nSelect your system to see what to do:\n\n{folded}"
    assert readme_lines(text) == ("# Pump", "Pump moves what has to be moved from here to there.")


def test_what_others_said_and_where_to_ask_is_left_out() -> None:
    said = "> Pumps are what the world needs most. <br/>\n> -- Somebody Else / Another Film\n"
    asked = "## Do you have an issue?\n\nFirst check whether it is mended in the newest build.\n\n## License, etc.\n\nIt has adopted a code of conduct.\n"
    text = f"{said}\nPump moves what has to be moved from here to there.\n\n{asked}"
    assert readme_lines(text) == ("Pump moves what has to be moved from here to there.",)
    quoted = "> Pump moves what has to be moved\n> from here to there -- and back.\n"
    assert readme_lines(quoted) == ("> Pump moves what has to be moved", "> from here to there -- and back.")


@pytest.mark.parametrize(
    "where",
    [
        "**Documentation**: [https://x.org](https://x.org)",
        "Located at [https://x.org/new](https://x.org/new/)",
        "### [x.github.io/name](https://x.github.io/name)",
        "🙏 If you like Name you can show support by starring ⭐ this\nrepository.",
        "Pre-release feed: <https://x.org/y>\nSource code: https://github.com/x/y",
    ],
)
def test_addresses_alone_and_what_asks_for_stars_are_left_out_where_there_is_more(where: str) -> None:
    assert readme_lines(f"# Name\n\n{where}\n\n{DESCRIPTION}\n") == ("# Name", DESCRIPTION)


def test_items_below_others_begin_behind_them() -> None:
    text = f"# Name\n\n{DESCRIPTION}\n\n* First part\n    * what it holds\n      * deeper\n    * more of it\n * Second part\n"
    items = ("* First part", "  * what it holds", "    * deeper", "  * more of it", "* Second part")
    assert readme_lines(text) == ("# Name", DESCRIPTION, *items)


def test_what_stands_below_a_picture_says_nothing_without_it() -> None:
    caption = "<figure>\n<img src=x.gif>\n<figcaption><p>The shop above is <b>not</b> open yet, only its doors.</p></figcaption>\n</figure>"
    assert readme_lines(f"# Name\n\n{caption}\n\n{DESCRIPTION}\n") == ("# Name", DESCRIPTION)


def test_a_heading_that_is_a_sentence_says_something_over_nothing() -> None:
    stated = "<h3>Sells fast and breaks nothing. All<br>ends made easy.</h3>"
    lines = readme_lines(
        f"<h1>Name</h1>\n{stated}\n\n### Over nothing that anybody said\n\n## Intro of it all\n\n{DESCRIPTION}\n"
    )
    assert [line.strip("# ") for line in lines] == [
        "Name",
        "Sells fast and breaks nothing. All ends made easy.",
        DESCRIPTION,
    ]
