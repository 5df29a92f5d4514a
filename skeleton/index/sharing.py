"""Shares the tasks of a call between processes so that few of them load the same language.

To compile the patterns of a language takes a process up to a third of a second. So a language of which there is little
is left to the first that takes a file of it, and others take such files only where there are many and nothing else is left.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Final

from skeleton.index.records import OF_SKETCH
from skeleton.languages.headers import language_name_of, languages_by_name

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from skeleton.index.worker import Task
    from workspace.files.scan import ScannedFile

LITTLE_BYTES: Final = 1 << 19
"""Of a language of which a call has so much or more, all hands take files."""

WORTH_LOADING_BYTES: Final = 1 << 17
"""So much that is left to one hand is worth another's loading its language."""


MAIN_SHARE: Final = 6
"""Of a main language of some files is one byte in so many, at the least."""


SCARCE_BYTES: Final = 1 << 17
SCARCE_SHARE: Final = 50
"""Of a scarce language there are fewer bytes than so many, and less than one in so many of all."""


def main_languages(files: Iterable[ScannedFile]) -> list[str]:
    """Returns the names of the languages that much of some files is written in, by their names; most of them in the first."""
    sizes = _sizes((file.path, file.size) for file in files)
    total = sizes.total()
    return [language for language, size in sizes.most_common() if language and size * MAIN_SHARE >= total]


def scarce_languages(files: Iterable[tuple[str, int]]) -> frozenset[str]:
    """Returns the names of the languages that take a parser for sketches and that next to nothing of some files is in.

    Args:
        files: their paths, by which languages are known, and their bytes.
    """
    from skeleton.languages.sketches import sketch_patterns  # for what is new alone

    sizes = _sizes(files)
    most = min(SCARCE_BYTES, sizes.total() // SCARCE_SHARE)
    return frozenset(name for name, size in sizes.items() if name and size < most and sketch_patterns(name) is None)


def _sizes(files: Iterable[tuple[str, int]]) -> Counter[str]:
    """Returns the bytes of each language, by its name; "" stands for what is no code.

    What may be in several, as headers are, counts for the one of them that most of the other files are in.
    """
    sizes: Counter[str] = Counter()
    undecided: Counter[tuple[str, ...]] = Counter()
    for path, size in files:
        names = languages_by_name(path)
        if len(names) > 1:
            undecided[names] += size
        else:
            sizes[names[0] if names else ""] += size
    for name, size in [(max(names, key=sizes.__getitem__), size) for names, size in undecided.items()]:
        sizes[name] += size
    return sizes


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
