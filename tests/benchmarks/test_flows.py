"""The count of how much of a main flow is named."""

from __future__ import annotations

from benchmarks.overview.flows import flows, share_named


def test_a_name_counts_alone_or_with_what_it_stands_in() -> None:
    text = "begin: a.py\nmain flow: src/a.c::main > Hono.#dispatch, run; run > Store.open\nread next: Router.match\n"
    assert share_named(text, ["main", "#dispatch", "Store.open", "open"]) == 1.0
    assert share_named(text, ["Hono.run", "match"]) == 0.0
    assert share_named("begin: a.py\n", ["main"]) == 0.0


def test_no_repository_is_in_two_groups() -> None:
    names = [name for held in flows().values() for name in held]
    assert len(names) == len({*names})
