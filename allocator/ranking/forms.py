"""Other forms that the words of a query have in the code: `write` of `written`, `urlencoded` of `URL-encoded`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from allocator.ranking.stems import parts_of, stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from allocator.ranking.arrays import Arrays
    from allocator.ranking.words import Query

_IRREGULAR: Final = """
    arise arose arisen|begin began begun|bend bent|blow blew blown|break broke broken|bring brought
    catch caught|child children|choose chose chosen|deal dealt|draw drew drawn|drive drove driven|fall fell fallen
    feed fed|forbid forbade forbidden|forget forgot forgotten|freeze froze frozen|grow grew grown|hang hung|hear heard
    hide hid hidden|hold held|index indices|keep kept|lead led|learn learnt|lend lent|lose lost|matrix matrices
    mean meant|meet met|override overrode overridden|overwrite overwrote overwritten|parenthesis parentheses|pay paid
    rebuild rebuilt|redo redone|rerun reran|resend resent|rewind rewound|rewrite rewrote rewritten|rise rose risen
    run ran|seek sought|sell sold|send sent|shake shook shaken|shrink shrank shrunk|sink sank sunk|sleep slept
    speak spoke spoken|spend spent|spin spun|stand stood|stick stuck|strike struck|sweep swept|swing swung
    tear tore torn|tell told|think thought|throw threw thrown|unbind unbound|undo undid undone|unwind unwound
    vertex vertices|wake woke woken|wind wound|withdraw withdrew withdrawn|write wrote written
"""
"""Words of which no ending makes the others behind them. Left out is what says something else as well: bound, built, left."""

_ROOTS: Final = {
    form: root
    for line in _IRREGULAR.strip().replace("|", "\n").splitlines()
    for root, *forms in [line.split()]
    for form in forms
}


def with_forms(query: Query, arrays: Arrays) -> Query:
    """Returns a query with the other forms of its words that some files have, each of the weight of the word.

    A word that occurs nowhere itself is read as that form.

    Args:
        query: what is asked for.
        arrays: the files.
    """
    terms, subject, instead = dict(query.terms), set(query.subject), dict[str, str]()
    for part, form in _forms(query, arrays):
        term = stem(part)
        weight = terms.get(term, 0.0)
        if part in _ROOTS and not arrays.knows(term):
            instead[part] = form
            terms.pop(term, None)
        terms[stem(form)] = max(terms.get(stem(form), 0.0), weight)
        if term in subject:
            subject.add(stem(form))
    if len(terms) == len(query.terms) and not instead:
        return query
    words = tuple((word, tuple(instead.get(part, part) for part in parts)) for word, parts in query.words)
    return replace(query, terms=terms, subject=frozenset(subject), words=words)


def _forms(query: Query, arrays: Arrays) -> Iterator[tuple[str, str]]:
    """Yields words of a query that are looked up, and other forms of them that are not and that files have."""
    for _, parts in query.words:
        for part in parts:
            root = _ROOTS.get(part)
            if root and stem(part) in query.terms.keys() - query.frame and arrays.knows(stem(root)):
                yield part, root
    for first, second in query.together:
        one = first + second
        if stem(one) not in query.terms and _is_one_word(stem(one), arrays):
            yield max((first, second), key=lambda word: query.terms.get(stem(word), 0.0)), one


def _is_one_word(term: str, arrays: Arrays) -> bool:
    """Tells whether a word, or a path, is about a term, and no word with parts is, which say the same."""
    words = [arrays.words[number] for number in arrays.vocabulary.having(term)]
    return (bool(words) or term in arrays.paths_with) and all(len(parts_of(word)) == 1 for word in words)
