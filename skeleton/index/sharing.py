"""Shares the tasks of a call between processes so that few of them load the same language.

To compile the patterns of a language takes a process up to a third of a second. So a language of which there is little
is left to the first that takes a file of it, and others take such files only where there are many and nothing else is left.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Final

from skeleton.index.records import OF_SKETCH
from skeleton.languages.headers import language_name_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from skeleton.index.worker import Task

LITTLE_BYTES: Final = 1 << 19
"""Of a language of which a call has so much or more, all hands take files."""

WORTH_LOADING_BYTES: Final = 1 << 17
"""So much that is left to one hand is worth another's loading its language."""


def loaded_for(task: Task) -> str:
    """Returns the name of the language that is loaded for a task; "" where none is."""
    from skeleton.index.sketched import takes_parser  # for work alone

    is_sketch = bool(task.aspects) and OF_SKETCH.issuperset(task.aspects)
    source = task.raw if task.source is None else task.source
    return "" if is_sketch and not takes_parser(task.path, source) else language_name_of(task.path) or ""


class Shares:
    """The tasks of one call, largest first, so that all hands come to an end together; before them what nobody has loaded.

    Args:
        tasks: all of them.
        hands: what works on them, and the names of the languages that each has loaded, which are added to.
        loads: the hand that a language of which there is little is left to where nobody has loaded it; None for the first
            that takes a file of it.

    Attributes:
        is_loading: whether the hand that took something last has to load a language first.
    """

    def __init__(
        self, tasks: Sequence[Task], hands: Mapping[Hashable, set[str]], *, loads: Hashable | None = None
    ) -> None:
        self._sizes = [len(task.raw) for task in tasks]
        self._hands = hands
        self.is_loading = False
        self._bytes = sum(self._sizes)
        self._languages = [*map(loaded_for, tasks)]
        known = {""}.union(*hands.values())
        self._waiting = deque(
            sorted(range(len(tasks)), key=lambda index: (self._languages[index] in known, -self._sizes[index]))
        )
        self._left: dict[Hashable, deque[int]] = {hand: deque() for hand in hands}
        """The tasks that are left to single hands."""
        sizes: Counter[str] = Counter()
        for language, size in zip(self._languages, self._sizes, strict=True):
            sizes[language] += size
        self._rare = {language for language, size in sizes.items() if language and size < LITTLE_BYTES}
        for language in sorted(self._rare):
            loaded = [hand for hand, languages in hands.items() if language in languages]
            if len(loaded) == 1:
                self._leave(language, loaded[0])
            elif loaded:
                self._rare.discard(language)
            elif loads is not None:
                hands[loads].add(language)
                self._leave(language, loads)

    def __bool__(self) -> bool:
        return bool(self._waiting) or any(self._left.values())

    @property
    def bytes_each(self) -> int:
        """The bytes of source that are left for each hand."""
        return self._bytes // len(self._hands)

    def take(self, hand: Hashable) -> int | None:
        """Takes the index of a task away for a hand; None where it is better that others do what is left."""
        index = self._next(hand)
        if index is not None:
            self._bytes -= self._sizes[index]
            language = self._languages[index]
            self.is_loading = bool(language) and language not in self._hands[hand]
            if self.is_loading:
                self._hands[hand].add(language)
        return index

    def _next(self, hand: Hashable) -> int | None:
        own, waiting = self._left[hand], self._waiting
        if own and (not waiting or self._sizes[own[0]] >= self._sizes[waiting[0]]):
            return own.popleft()
        if not waiting:
            return self._taken_from_others()
        index = waiting.popleft()
        language = self._languages[index]
        if language in self._rare:
            self._leave(language, hand)
        return index

    def put_back(self, indices: Iterable[int]) -> None:
        """Puts tasks back that were taken and not done."""
        for index in indices:
            self._waiting.appendleft(index)
            self._bytes += self._sizes[index]

    def release(self, hand: Hashable) -> None:
        """Gives what was left to a hand to all."""
        self._waiting.extend(self._left[hand])
        self._left[hand].clear()

    def clear(self) -> None:
        """Takes all tasks away."""
        self._waiting.clear()
        for own in self._left.values():
            own.clear()

    def _leave(self, language: str, hand: Hashable) -> None:
        """Leaves all that waits of a language to a hand, and counts it as loaded there."""
        self._rare.discard(language)
        own = self._left[hand]
        own.extend(index for index in self._waiting if self._languages[index] == language)
        self._left[hand] = deque(sorted(own, key=lambda index: -self._sizes[index]))
        self._waiting = deque(index for index in self._waiting if self._languages[index] != language)

    def _taken_from_others(self) -> int | None:
        most = max(self._left.values(), key=lambda own: sum(self._sizes[index] for index in own))
        return most.popleft() if sum(self._sizes[index] for index in most) >= WORTH_LOADING_BYTES else None
