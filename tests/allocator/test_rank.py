from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from allocator.ranking.by_path import rank_key, ranked
from workspace.names.tiers import Tier

files = st.lists(st.tuples(st.text(max_size=12), st.sampled_from(Tier)), max_size=30)


def order(*paths: str) -> list[str]:
    return ranked(paths, lambda path: (path, Tier.CORE))


def test_a_more_important_tier_comes_first() -> None:
    pairs = [("main.py", Tier.OTHER), ("z/y/x.py", Tier.CORE), ("a.toml", Tier.CONFIG), ("t.py", Tier.TESTS)]
    assert [tier for _, tier in ranked(pairs, lambda pair: pair)] == sorted(Tier)


def test_entry_points_come_before_what_they_lead_to() -> None:
    assert order("a.py", "src/deep/main.rs", "Index.ts", "lib.rs") == ["Index.ts", "lib.rs", "src/deep/main.rs", "a.py"]


def test_what_lies_near_the_root_comes_first() -> None:
    assert order("a/b/c.py", "a/z.py", "y.py") == ["y.py", "a/z.py", "a/b/c.py"]


def test_names_decide_what_nothing_else_does() -> None:
    assert order("src/b.py", "src/a.py") == ["src/a.py", "src/b.py"]


@given(files)
def test_the_order_does_not_depend_on_the_order_given(pairs: list[tuple[str, Tier]]) -> None:
    assert ranked(pairs, lambda pair: pair) == ranked(reversed(pairs), lambda pair: pair)
    assert ranked(pairs, lambda pair: pair) == sorted(pairs, key=lambda pair: rank_key(*pair))
