"""The portrait of a folder: its definitions by importance and its landmarks, kept by the files' keys."""

from __future__ import annotations

from array import array
from collections import Counter
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from allocator.overview.about import description, is_readme, not_said_before
from allocator.overview.contents import NO_CONTENTS, are_chapters, contents, of_documents, told
from allocator.overview.folders import MapFile, Sort, helpers_of_tests, modules_called_scripts, sites, specifications
from allocator.overview.keys import key_of
from allocator.overview.manifests import MANIFESTS, sort_of_manifest
from allocator.overview.namesakes import NAMELESS, Named
from allocator.overview.readme import readme_lines
from allocator.spend.ceilings import NOWHERE
from skeleton.index.records import Aspect
from skeleton.index.survey import NO_SURVEY, Survey, shares_of
from skeleton.languages.headers import language_name_of, naming_of
from skeleton.languages.kinds import CLASS
from skeleton.outline.definitions import qualified
from workspace.arrays import load_arrays
from workspace.names.tiers import Tier, tier_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from allocator.overview.grounds import Grounds
    from skeleton.index.code_index import CodeIndex, Progress
    from skeleton.index.indexed import IndexedFile

MOST_NAMED = 4000
"""Definitions whose names the map may show."""

MOST_VALUES = 24
"""Fields, constants and the like of one definition, or of a file outside of any, that the map names before the names of all else."""

LARGEST_PROSE = 400_000
"""Bytes of a text that is read for what it names."""

PROSE = ("md", "mdx", "markdown", "rst", "adoc", "txt", "rdoc")
"""Endings of files that document."""

CODE = "code.c"
"""A name that says of a file that it is code, and no more: with it a folder tells what sort of code lies there."""

GROUPING = frozenset({"module", "namespace", "package"})
"""Kinds whose members are known without them."""

FIELD = "field"
"""The kind of what stands in a type, or, in C, in one without a name: then nobody else can name it."""

SPECIAL = frozenset({"__construct", "__destruct"})
"""Names that PHP gives a meaning, of methods that most classes have."""

FEW = 12
"""Definitions that are most worth reading, one of a name."""

HELD = 256
"""Files whose bytes are held while what calls what is looked at."""

FIRST_LINES = 3
"""Lines of a README that come before where to begin."""


SOON = 3200
"""Characters of the chapters of parts that are told before the map, whatever they take of it."""


class Ranked(NamedTuple):
    """The definitions of all files of a folder by importance; files are known by their place in the order of paths.

    Attributes:
        places: for every definition of the source files, the most important first, its file and where its name starts,
            one after the other, as 32 bits each.
        lengths: for each of them the bytes of its signature, those of its source that stand in no definition inside it,
            and the place of the one that it stands in among all of them, `NOWHERE` for none; likewise, with a sign.
        sources: the source files, the most important first.
        to_read: the places among the definitions of the few that are most worth reading, the first the most.
    """

    places: bytes
    lengths: bytes
    sources: tuple[int, ...]
    to_read: tuple[int, ...]


class Portrait(NamedTuple):
    """The facts of all files of a folder together.

    Attributes:
        ranked: the definitions by importance.
        named: the first of them by name, as a map names them: many values of one definition come late, and last values
            that are not for others.
        lines: what is told of the whole, in the order in which it is read.
        urgent: the places of the lines in the order in which they are shown as room grows.
        patient: how many of the last of them wait until they are a small part of what is shown, in groups: in each the
            first waits before the others.
    """

    ranked: Ranked
    named: tuple[tuple[int, str, str, bool], ...]
    lines: tuple[str, ...]
    urgent: tuple[int, ...]
    patient: tuple[int, ...]


def portrait(
    index: CodeIndex,
    files: Sequence[IndexedFile],
    *,
    key: bytes = b"",
    ranked: Callable[[Ranked], None] | None = None,
    progress: Progress | None = None,
) -> Portrait:
    """Gives the portrait of some files.

    Args:
        index: knows them.
        files: by path.
        key: what `key_of` gives for them, where that is known already.
        ranked: is told of the definitions as soon as they are ranked, where nothing is known yet.
        progress: is told how many are surveyed; what it raises ends the call.

    Raises:
        FileChangedError: a file had to be read again, and has changed.
    """
    key = key or key_of(files)
    known = index.kept(Aspect.OVERVIEW, key, Portrait)
    if known is None:
        known = _worked_out(index, files, ranked, progress)
        index.keep(Aspect.OVERVIEW, key, known)
    return known


def sort_of(tier: Tier, *, machine_made: bool) -> Sort:
    """Returns the sort of a file for the reader of a map.

    Args:
        tier: the tier of the file.
        machine_made: whether a program wrote it, by its content.
    """
    if machine_made:
        return Sort.MADE
    if tier is Tier.TESTS:
        return Sort.TEST
    return Sort.SOURCE if tier is Tier.CORE else Sort.PROSE


def map_files(files: Sequence[IndexedFile]) -> list[MapFile]:
    """The files as a map knows them: where they are chapters, these are the source."""
    mapped = _as_code(files)
    if chapters := _chapters(files, mapped):
        for place, file in enumerate(mapped):
            if place in chapters or file.sort is Sort.SOURCE:
                mapped[place] = file._replace(sort=Sort.SOURCE if place in chapters else Sort.PROSE)
    return mapped


def _chapters(files: Sequence[IndexedFile], mapped: Sequence[MapFile]) -> frozenset[int]:
    return are_chapters(mapped, sum(file.basics.bytes for file in files if file.tier is Tier.CONFIG))


def _as_code(files: Sequence[IndexedFile]) -> list[MapFile]:
    """The files as a map of code knows them."""
    sorts = [sort_of(file.tier, machine_made=file.basics.machine_made) for file in files]
    by_name = [(file.path, sort) for file, sort in zip(files, sorts, strict=True)]
    judged = dict.fromkeys(helpers_of_tests(by_name), Sort.TEST)
    judged |= dict.fromkeys(specifications(by_name) | sites(by_name), Sort.PROSE)
    judged.update(modules_called_scripts(by_name))
    return [
        MapFile(file.address, file.basics.bytes, judged.get(place, sort))
        for place, (file, sort) in enumerate(zip(files, sorts, strict=True))
    ]


def _worked_out(
    index: CodeIndex,
    files: Sequence[IndexedFile],
    ranked: Callable[[Ranked], None] | None,
    progress: Progress | None,
) -> Portrait:
    load_arrays()  # where nothing is known alone
    from allocator.overview.copied import copied
    from allocator.overview.foreign import imported_from_others
    from allocator.overview.grounds import Grounds
    from allocator.overview.importance import ADDING, VALUES, standing
    from allocator.overview.landmarks import USES, landmarks
    from allocator.overview.packages import Packages
    from allocator.overview.representing import representatives
    from skeleton.index.mixture import scarce_languages

    mapped = _as_code(files)
    chapters = _chapters(files, mapped)
    voters = [place for place, file in enumerate(mapped) if file.sort is Sort.SOURCE]
    if not voters:
        voters = [
            place
            for place, file in enumerate(mapped)
            if file.sort is Sort.TEST or (file.sort is Sort.PROSE and not file.path.endswith(PROSE))
        ]
    voting = set(voters)
    prose = [
        place
        for place, file in enumerate(mapped)
        if (file.sort is Sort.PROSE or place in chapters)
        and place not in voting
        and file.bytes <= LARGEST_PROSE
        and _documents(file.path)
    ]
    scarce = scarce_languages((files[place].path, mapped[place].bytes) for place in voters)
    surveyed = [*(place for place in voters if language_name_of(files[place].path) not in scarce), *prose]
    loaded = index.load([files[place] for place in surveyed], Aspect.SURVEY, Survey, progress=progress)
    surveys: list[Survey] = [NO_SURVEY] * len(files)
    for place, survey in zip(surveyed, loaded, strict=True):
        surveys[place] = survey
        index.note_secrets(files[place].key, survey.secrets)
    tests = [place for place, file in enumerate(mapped) if file.sort is Sort.TEST and files[place].tier is Tier.TESTS]

    @lru_cache(maxsize=HELD)
    def source(place: int) -> bytes:
        return files[place].source

    found = standing(files, surveys, voters, imported_from_others(files, surveys, voters, source))
    made = frozenset(place for place, file in enumerate(mapped) if file.sort is Sort.MADE)
    grounds = Grounds(files, surveys, voters=voters, tests=tests, standing=found, source=source, made=made)
    packages = Packages(grounds)
    if last := packages.unpublished | copied(grounds, packages):
        found = grounds.standing = found.with_last(last)
    followed = contents([file.path for file in files], source) if chapters else NO_CONTENTS
    order = _ranked(grounds)
    if chapters:
        read = (grounds.places[one.path] for one in followed.chapters if one.path)
        order = Ranked(b"", b"", (*dict.fromkeys((*read, *sorted(chapters), *order.sources)),), ())
    if ranked is not None:
        ranked(order)
    folder = next((one.folder for one in packages.largest if 2 * one.share > len(found.file)), "")
    about, marks, first = _about(files, folder), landmarks(grounds, packages), FIRST_LINES + 1
    used = next((at for at, line in enumerate(marks) if line.startswith(f"{USES}: ")), len(marks))
    behind = len(about) + used
    named: list[tuple[int, str, str, bool]] = []
    late: list[tuple[int, str, str, bool]] = []
    own: list[tuple[int, str, str, bool]] = []
    values: Counter[tuple[int, str]] = Counter()
    groups: set[tuple[str, str]] = set()
    speaking = representatives(grounds, packages, lambda file, place: not _container(grounds, file, place))
    for file, place in dict.fromkeys((*speaking, *found.foremost(MOST_NAMED))):
        container, name = _container(grounds, file, place), surveys[file].names[place]
        if surveys[file].kinds[place] in GROUPING:
            group = surveys[file].containers[place], name
            if group in groups:  # one that other files hold parts of too is named in the first alone
                continue
            groups.add(group)
        is_value = surveys[file].kinds[place] in VALUES
        is_own = is_value and surveys[file].hidden[place] == 1
        is_of_others = all(grounds.kind(one) in ADDING for one in grounds.spots[name])  # `impl Read for Vec`
        if is_value and not is_own:
            values[file, container] += 1
        if _says_something(name):
            is_of_nameless = surveys[file].kinds[place] == FIELD and not surveys[file].containers[place]
            come = (
                own
                if is_own or is_of_others or is_of_nameless
                else named
                if values[file, container] <= MOST_VALUES
                else late
            )
            come.append((file, container, name, is_own))
    begun, ended = range(min(first, len(about))), range(first, len(about))
    if not chapters:
        return Portrait(
            ranked=order,
            named=(*named, *late, *own),
            lines=(*about, *marks),
            urgent=(*begun, *range(len(about), behind), *ended, *range(behind, len(about) + len(marks))),
            patient=(len(ended), len(marks) - used),
        )
    marks = of_documents(marks)
    parts, below = told(followed, files[0].address.removesuffix(files[0].path))
    return Portrait(
        ranked=order,
        named=(*named, *late, *own),
        lines=(*about, *parts, *below, *marks),
        urgent=(
            *begun,
            *range(len(about), len(about) + len(parts) + len(below)),
            *ended,
            *range(len(about) + len(parts) + len(below), len(about) + len(parts) + len(below) + len(marks)),
        ),
        patient=(sum(length > SOON for length in accumulate(map(len, below))), len(ended), len(marks)),
    )


def _documents(path: str) -> bool:
    """Tells of a file that is no code whether it may document the project: what lies among tests is theirs."""
    return path.endswith(PROSE) and tier_of(path[: path.rfind("/") + 1] + CODE) is not Tier.TESTS


def _ranked(grounds: Grounds) -> Ranked:
    """Returns the definitions by importance, with their lengths."""
    from allocator.overview.importance import ADDING

    found, surveys, voters = grounds.standing, grounds.surveys, grounds.voters
    places, lengths = array("I"), array("i")
    held = {file: shares_of(surveys[file]) for file in voters}
    # the last is that of what stands in no other
    number_of = {file: [NOWHERE] * (len(shares) + 1) for file, shares in held.items()}
    foremost = found.foremost(len(found.file))
    for number, (file, place) in enumerate(foremost):
        number_of[file][place] = number
    for file, place in foremost:
        survey, (own, around) = surveys[file], held[file][place]
        places.extend((file, survey.starts[place]))
        lengths.extend((survey.heads[place], own, number_of[file][around]))
    sources = dict.fromkeys(found.file.tolist()) | dict.fromkeys(voters)
    to_read: dict[str, int] = {}
    for file, place in found.to_read:
        if surveys[file].kinds[place] not in GROUPING | ADDING and not _container(grounds, file, place):
            to_read.setdefault(surveys[file].names[place], number_of[file][place])
    return Ranked(places.tobytes(), lengths.tobytes(), tuple(sources), (*to_read.values(),)[:FEW])


def _says_something(name: str) -> bool:
    """Tells whether a reader may look for a name: no single letter, and none that the language gives a meaning."""
    special = name.startswith("__") and (name.endswith("__") or name in SPECIAL)
    return len(name) > 1 and not special and name not in NAMELESS


def _container(grounds: Grounds, file: int, place: int) -> str:
    """Returns the name of the container as a map gives it: its last part, and "" where it only groups."""
    survey = grounds.surveys[file]
    container = survey.containers[place]
    if not container:
        return ""
    last = container.rpartition(".")[2]
    for around in range(place - 1, -1, -1):
        own = qualified(survey.containers[around], survey.names[around])
        if own == container and survey.ends[around] >= survey.ends[place]:
            return "" if survey.kinds[around] in GROUPING and not _is_object(grounds, file, around) else last
    return "" if survey.kinds[place] == CLASS and grounds.only_groups(container) else last


def _is_object(grounds: Grounds, file: int, place: int) -> bool:
    """Tells of what groups others whether it is an object of JavaScript with a name: its members are known by that."""
    from allocator.overview.habits import DECLARING

    path, survey = grounds.files[file].path, grounds.surveys[file]
    return (
        survey.kinds[place] == "module"
        and naming_of(path, b"").function_values
        and survey.names[place] not in NAMELESS
        and not DECLARING.search(path)
    )


def _about(files: Sequence[IndexedFile], folder: str) -> list[str]:
    """Returns the lines in which the project describes itself: from its manifest, then the beginning of its README.

    Args:
        files: by path.
        folder: that of the package with most of the code, which speaks for a whole that says nothing; "" for none.
    """
    manifests = sorted(
        (MANIFESTS.index(sort), file.path, file)
        for file in files
        if "/" not in file.path and (sort := sort_of_manifest(file.path))
    )
    said = (description(path, file.source.decode("utf-8", "replace")) for _, path, file in manifests)
    told = next(filter(None, said), "")
    lines = [told] if told else []
    around = f"{folder}/" if folder else ""
    for prefix in dict.fromkeys(("", around)):
        for file in files:
            if file.path.startswith(prefix) and is_readme(file.path.removeprefix(prefix)):
                found = not_said_before(readme_lines(file.source.decode("utf-8", "replace")), told)
                lines += [f"{file.address}: {found[0]}", *found[1:]] if found else ()
                return lines
    return lines


def named_of(known: Portrait) -> list[Named]:
    """The definitions that a map may name."""
    return [Named(*one) for one in known.named]
