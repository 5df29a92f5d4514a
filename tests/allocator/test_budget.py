from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allocator import AdaptiveAllocator, Allocation, BudgetStats, Candidate, SkeletonMode
from allocator.spend.adaptive import worthwhile_levels
from skeleton import CompressionLevel
from tests.allocator.strategies import candidates
from workspace.errors import BudgetTooSmallError, InvalidArgumentError
from workspace.names.tiers import Tier

L0, L1, L2, L3 = CompressionLevel
budgets = st.integers(0, 30_000)
modes = st.sampled_from(SkeletonMode)


def candidate(
    path: str,
    full: int,
    plus: int | None = None,
    skeleton: int | None = None,
    *,
    tier: Tier = Tier.CORE,
) -> Candidate:
    costs = {level: cost for level, cost in ((L0, full), (L1, plus), (L2, skeleton)) if cost is not None}
    return Candidate(path=path, tier=tier, costs=costs)


def levels(allocation: Allocation) -> list[CompressionLevel]:
    return [placement.level for placement in allocation.placements]


def shown(allocation: Allocation) -> set[str]:
    return {placement.path for placement in allocation.placements if placement.level is not L3}


def test_without_a_budget_everything_is_full() -> None:
    allocation = AdaptiveAllocator(None).allocate([candidate("a", 500, 50, 20), candidate("b", 90)])
    assert levels(allocation) == [L0, L0]


def test_enabled_without_a_budget_keeps_the_skeletons() -> None:
    allocation = AdaptiveAllocator(None, skeleton="enabled").allocate([candidate("a", 500, 50, 20), candidate("b", 90)])
    assert levels(allocation) == [L1, L0]


def test_the_least_important_tier_loses_its_detail_first() -> None:
    tiers = [candidate(tier.name, 100, 60, 10, tier=tier) for tier in Tier]
    assert levels(AdaptiveAllocator(400).allocate(tiers)) == [L0, L0, L0, L0]
    assert levels(AdaptiveAllocator(399).allocate(tiers)) == [L0, L0, L0, L1]
    assert levels(AdaptiveAllocator(359).allocate(tiers)) == [L0, L0, L0, L2]
    assert levels(AdaptiveAllocator(309).allocate(tiers)) == [L0, L0, L1, L2]
    assert levels(AdaptiveAllocator(219).allocate(tiers)) == [L0, L1, L2, L2]
    assert levels(AdaptiveAllocator(90).allocate(tiers)) == [L1, L2, L2, L2]


def test_within_a_tier_the_last_file_loses_its_detail_first() -> None:
    allocation = AdaptiveAllocator(210).allocate([candidate(name, 100, 60, 10) for name in "abc"])
    assert levels(allocation) == [L0, L0, L2]


def test_the_tier_counts_for_more_than_the_order_given() -> None:
    given_order = [candidate("notes", 100, 60, 10, tier=Tier.OTHER), candidate("core", 100, 60, 10)]
    assert levels(AdaptiveAllocator(110).allocate(given_order)) == [L2, L0]


def test_nothing_is_dropped_while_all_fit_as_skeletons() -> None:
    allocation = AdaptiveAllocator(40).allocate([candidate(name, 100, 60, 10) for name in "abcd"])
    assert levels(allocation) == [L2, L2, L2, L2]


def test_what_is_left_buys_detail_for_the_most_important_file_that_it_fits() -> None:
    files = [candidate("big", 1000, 900, 10), candidate("small", 50, 30, 10), candidate("last", 500, 400, 10)]
    assert levels(AdaptiveAllocator(75).allocate(files)) == [L2, L0, L2]


def test_enabled_gives_everyone_a_doc_before_anyone_a_body() -> None:
    files = [candidate(name, 100, 30, 10) for name in "abc"]
    assert levels(AdaptiveAllocator(160, skeleton="enabled").allocate(files)) == [L0, L1, L1]
    assert levels(AdaptiveAllocator(160, skeleton="auto").allocate(files)) == [L0, L1, L1]
    assert levels(AdaptiveAllocator(120, skeleton="enabled").allocate(files)) == [L1, L1, L1]
    assert levels(AdaptiveAllocator(120, skeleton="auto").allocate(files)) == [L0, L2, L2]


def test_disabled_shows_files_in_full_or_not_at_all() -> None:
    files = [candidate("a", 100, 30, 10), candidate("b", 500, 30, 10), candidate("c", 80, 30, 10)]
    assert levels(AdaptiveAllocator(200, skeleton="disabled").allocate(files)) == [L0, L3, L0]


def test_a_level_that_does_not_save_is_not_used() -> None:
    assert worthwhile_levels({L0: 10, L1: 12, L2: 9}, (L0, L1, L2)) == (L0, L2)
    assert worthwhile_levels({L0: 10, L1: 10, L2: 10}, (L0, L1, L2)) == (L0,)
    assert worthwhile_levels({L1: 12, L2: 9}, (L1, L2)) == (L1, L2)


def test_where_the_next_file_is_too_large_for_the_rest_a_smaller_one_takes_it() -> None:
    files = [candidate("a", 80), candidate("b", 90), candidate("c", 20), candidate("d", 1)]
    assert levels(AdaptiveAllocator(100).allocate(files)) == [L0, L3, L0, L3]


def test_a_budget_below_min_level_names_the_budget_that_works() -> None:
    files = [candidate("a", 100, 60, 10), candidate("b", 100, 40, 10)]
    with pytest.raises(BudgetTooSmallError, match="need 100 tokens") as refusal:
        AdaptiveAllocator(99, min_level=L1).allocate(files)
    assert refusal.value.minimum == 100
    assert levels(AdaptiveAllocator(100, min_level=L1).allocate(files)) == [L1, L1]


def test_max_level_keeps_the_full_text_out() -> None:
    files = [candidate("a", 100, 60, 10), candidate("b", 100)]
    assert levels(AdaptiveAllocator(1000, max_level=L1).allocate(files)) == [L1, L3]
    assert levels(AdaptiveAllocator(1000, max_level=L2).allocate(files)) == [L2, L3]
    assert levels(AdaptiveAllocator(9, max_level=L1).allocate(files)) == [L3, L3]


@pytest.mark.parametrize(("mode", "min_level", "max_level"), [("auto", L3, L3), ("auto", L0, L1), ("disabled", L3, L1)])
def test_levels_that_leave_nothing_to_show_are_refused(
    mode: str, min_level: CompressionLevel, max_level: CompressionLevel
) -> None:
    with pytest.raises(InvalidArgumentError, match="max_level"):
        AdaptiveAllocator(1000, skeleton=mode, min_level=min_level, max_level=max_level)


def test_the_stats_add_up() -> None:
    files = [candidate("a", 100, 60, 10), candidate("b", 100, 60, 10), candidate("c", 100)]
    stats = AdaptiveAllocator(215).allocate(files).stats
    assert stats == BudgetStats(
        total_tokens=210,
        files_included=3,
        files_dropped=0,
        files_skeletonized=1,
        tokens_saved_by_skeleton=90,
        compression_breakdown={L0: 2, L1: 0, L2: 1, L3: 0},
    )


def test_no_candidates_make_an_empty_allocation() -> None:
    allocation = AdaptiveAllocator(100).allocate([])
    assert allocation.placements == ()
    assert allocation.stats.total_tokens == 0


@pytest.mark.no_cover
@given(candidates(), budgets, modes)
def test_an_allocation_is_never_over_the_budget(files: list[Candidate], budget: int, mode: SkeletonMode) -> None:
    allocation = AdaptiveAllocator(budget, skeleton=mode).allocate(files)
    assert sum(placement.tokens for placement in allocation.placements) == allocation.stats.total_tokens <= budget
    for file, placement in zip(files, allocation.placements, strict=True):
        assert placement.path == file.path
        if placement.level is not L3:
            assert placement.tokens == file.costs[placement.level]


@pytest.mark.no_cover
@given(candidates(), budgets, st.sampled_from(["auto", "enabled"]))
def test_a_file_is_dropped_only_when_no_other_could_lose_detail_to_let_it_in(
    files: list[Candidate], budget: int, mode: str
) -> None:
    allocation = AdaptiveAllocator(budget, skeleton=mode).allocate(files)
    if L3 in levels(allocation):
        assert sum(min(file.costs.values()) for file in files) > budget


@pytest.mark.no_cover
@given(candidates(), budgets)
def test_core_keeps_its_detail_while_another_tier_has_some_to_lose(files: list[Candidate], budget: int) -> None:
    allocation = AdaptiveAllocator(budget).allocate(files)
    if L3 in levels(allocation):
        return
    order = sorted(zip(files, allocation.placements, strict=True), key=lambda pair: pair[0].tier)
    for place, (file, placement) in enumerate(order):
        ladder = worthwhile_levels(file.costs, (L0, L1, L2))
        for level in ladder[: ladder.index(placement.level)]:
            above = sum(other.tokens for _, other in order[:place]) + file.costs[level]
            below = sum(min(other.costs.values()) for other, _ in order[place + 1 :])
            assert above + below > budget


@pytest.mark.no_cover
@given(candidates(), budgets, budgets, st.sampled_from(["auto", "enabled"]))
def test_more_budget_never_shows_fewer_files(files: list[Candidate], budget: int, more: int, mode: str) -> None:
    little = AdaptiveAllocator(budget, skeleton=mode).allocate(files)
    much = AdaptiveAllocator(budget + more, skeleton=mode).allocate(files)
    assert len(shown(little)) <= len(shown(much))


@pytest.mark.no_cover
@given(candidates(), budgets, st.sampled_from(["auto", "enabled"]))
def test_what_is_left_is_less_than_any_step_up_costs(files: list[Candidate], budget: int, mode: str) -> None:
    allocation = AdaptiveAllocator(budget, skeleton=mode).allocate(files)
    left = budget - allocation.stats.total_tokens
    for file, placement in zip(files, allocation.placements, strict=True):
        if placement.level is not L3:
            ladder = worthwhile_levels(file.costs, (L0, L1, L2))
            above = ladder[: ladder.index(placement.level)]
            assert all(file.costs[level] > placement.tokens + left for level in above)


@pytest.mark.no_cover
def test_many_thousand_files_are_allocated_in_one_pass_of_each_kind() -> None:
    files = [
        candidate(f"{index}", 900 + index % 7, 300, 90 + index % 5, tier=Tier(index % 4)) for index in range(25_000)
    ]
    for budget in (20_000, 3_000_000, 10_000_000):
        allocation = AdaptiveAllocator(budget).allocate(files)
        assert budget * 0.95 <= allocation.stats.total_tokens <= budget
