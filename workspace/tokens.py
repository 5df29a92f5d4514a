"""Counts tokens, the unit of every budget.

tiktoken is the counter. It fetches vocabularies over the network, so the two that matter are part of the package, and
their encodings are built from tiktoken's own definitions (pattern, special tokens, hash) with the bundled tokens in the
place of the download: nothing is fetched whatever the user's cache settings are, no environment variable is touched,
and a cache folder that the user has set goes on to serve the other encodings. What was built is entered into
tiktoken's registry, so that any other user of tiktoken in the process gets it too.

The default vocabulary is counted without tiktoken's native part, which takes a fifth of a second to load
(`workspace.byte_pairs`); the little that is refused there is tiktoken's.

Text is counted as plain text: `<|endoftext|>` in a file is seven or so tokens like any other characters. A long text is
counted in pieces, between which a call can be given up: native code cannot be stopped, and takes most of a second for a
megabyte of one letter. Pieces end where a letter stands before a character that is none, where every token ends, so the
count is exactly tiktoken's. Where there is no such place in `PIECE` characters (a run of blanks, of signs, of one word),
the cut changes the count by at most a few tokens a piece; the expression of `o200k_base` would end in a panic of
tiktoken's native part on blank runs of about a million characters.

Loading is put off until the first count. tiktoken's is one step of native code, so a call that needs it waits beside it:
the load goes on in a thread of its own, for whoever counts next, when the call is given up.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
import threading
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from workspace.byte_pairs import BytePairCounter, PackedTokens, UncountableError, ranks_of
from workspace.cancellation import stop_if_cancelled
from workspace.errors import BudgetTooSmallError, InvalidArgumentError
from workspace.seams import seams

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tiktoken import Encoding

DEFAULT_ENCODING = "o200k_base"
BUNDLED_ENCODINGS = ("o200k_base", "cl100k_base")
MINIMUM_BUDGET = 64
PIECE = 49_152
"""Characters that are counted at once, at the most."""

_VOCABULARIES: Final = Path(__file__).parent / "vocabularies"
_DEFINITIONS = "tiktoken_ext.openai_public"
_OF_DEFAULT: Final = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
"""The SHA-256 of tiktoken's file of the default encoding."""

_PACKED: Final = {
    _OF_DEFAULT: "21be86ee43e53a592c4dc0621c2eca9af6bc4c29df3c9a2161e452e4ecccab5d",
    "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7": "ed0816e2b705c3b6474af6314071f4fdeebd9b5862af1ff3d3f9136711a8a00c",
}
"""For the SHA-256 of each of tiktoken's files, that of ours."""
_INDEX: Final = f"{DEFAULT_ENCODING}.index"
"""The index of the vocabulary of the default encoding, as `workspace.byte_pairs.index_of` gives it."""

_OF_INDEX: Final = "545d095188930f02682fc63a35cdb0b43989d632fe0c4683d468cc2a1456703d"
_END_OF_TOKEN = re.compile(r"[A-Za-z](?=[\x00-&(-@\[-`{-\x7f])")
_BUDGET = re.compile(r"([0-9]+(?:_[0-9]+)*)(?:\.([0-9]+))?\s*([km]?)", re.IGNORECASE)
_THOUSANDS = {"": 0, "k": 3, "m": 6}
_MAX_BUDGET_CHARACTERS = 100
_LOOK_SECONDS = 0.02
"""The pause before a call that waits for the vocabulary looks again whether it is still wanted."""

_starting = threading.Lock()
_loads: dict[str, _Load] = {}
_quick: dict[str, BytePairCounter] = {}
"""The counters that need no tiktoken, once they are loaded."""


class TokenCounter:
    """Counts tokens of one encoding; get one from `token_counter`. Safe to share between threads, and picklable.

    Attributes:
        encoding: the encoding's name.
    """

    __slots__ = ("encoding",)

    encoding: str

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return token_counter, (self.encoding,)

    @property
    def is_loaded(self) -> bool:
        """Tells whether counting needs no more than the time for it: the vocabulary is at hand."""
        # A module stands there before its first line is run, in the thread that loads it.
        return self.encoding in _quick or self.encoding in getattr(
            sys.modules.get("tiktoken.registry"), "ENCODINGS", ()
        )

    def load_soon(self) -> None:
        """Begins to load the vocabulary beside other work, where it is bundled and takes its time."""
        with _starting:
            if self.encoding in BUNDLED_ENCODINGS and self.encoding != DEFAULT_ENCODING and not self.is_loaded:
                _begun(self.encoding)

    def expect_many(self) -> None:
        """Load what much is counted with."""
        if self.encoding == DEFAULT_ENCODING:
            _quick_counter().expect_many()
        else:
            self.count("")

    def count(self, text: str | bytes) -> int:
        """Return how many tokens a text is; bytes are read as UTF-8, with U+FFFD for what is not."""
        if isinstance(text, bytes):
            text = text.decode("utf-8", "replace")
        if len(text) <= PIECE:
            return self._counted(text)
        return sum(map(self._counted, _pieces(text)))

    def count_neighbours(self, texts: Sequence[bytes]) -> tuple[list[int], int]:
        """Returns how many tokens each of some texts is, and all of them together.

        Args:
            texts: UTF-8, each of them whole lines.
        """
        tokens = [*map(self.count, texts)]
        if self.encoding not in BUNDLED_ENCODINGS:
            return tokens, self.count(b"".join(texts))
        found = Counter(map(tuple, seams(texts)))  # most definitions end alike
        across = ((self.count(b"".join(seam)) - sum(map(self.count, seam))) * times for seam, times in found.items())
        return tokens, sum(tokens) + sum(across)

    def _counted(self, piece: str) -> int:
        """The tokens of a text that is counted at once."""
        stop_if_cancelled()
        if self.encoding == DEFAULT_ENCODING:
            try:
                return _quick_counter().count(piece)
            except UncountableError:
                pass
        return len(encoding_of(self.encoding).encode_ordinary(piece))

    def fits(self, text: str, budget: float) -> bool:
        """Tells whether a text is no more than so many tokens; a short one is not counted, so no vocabulary is loaded."""
        # A token is a byte at the least, and half of a pair of UTF-16 is counted as the three of U+FFFD.
        return len(text.encode("utf-8", "surrogatepass")) <= budget or self.count(text) <= budget


@cache
def token_counter(encoding: str = DEFAULT_ENCODING) -> TokenCounter:
    """Return the counter of an encoding, one per process.

    Raises:
        InvalidArgumentError: the encoding is not known, or its vocabulary is not bundled and cannot be fetched.
    """
    if encoding not in BUNDLED_ENCODINGS:
        encoding_of(encoding)
    return TokenCounter(encoding)


def parse_budget(value: int | str | None, *, default: int | None = None) -> int | None:
    """Return a token budget as a number of tokens, None for no ceiling.

    Args:
        value: `8000`, `"8000"`, `"8_000"`, `"8k"`, `"1.5M"` (thousands and millions, in either case; a fraction of a
            token is dropped); `0` or `"unlimited"` for no ceiling; None for the default.
        default: what None stands for.

    Raises:
        BudgetTooSmallError: fewer than 64 tokens.
        InvalidArgumentError: anything else.
    """
    if value is None:
        return default
    tokens = _budget_tokens(value)
    if tokens is None:
        quoted = repr(value)
        raise InvalidArgumentError(
            f"{quoted if len(quoted) <= _MAX_BUDGET_CHARACTERS else quoted[:_MAX_BUDGET_CHARACTERS] + '…'} "
            "is no token budget; give a whole number such as 8000, '8k' or '1.5M', or 'unlimited'."
        )
    if 0 < tokens < MINIMUM_BUDGET:
        raise BudgetTooSmallError(
            f"A budget of {tokens} token{'' if tokens == 1 else 's'} is too small; the least is {MINIMUM_BUDGET}.",
            minimum=MINIMUM_BUDGET,
        )
    return tokens or None


def _budget_tokens(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value >= 0 else None
    if not isinstance(value, str) or len(value) > _MAX_BUDGET_CHARACTERS:
        return None
    text = value.strip()
    if text.lower() == "unlimited":
        return 0
    budget = _BUDGET.fullmatch(text)
    if budget is None or (budget[2] and not budget[3]):
        return None
    zeros = _THOUSANDS[budget[3].lower()]
    return int(budget[1].replace("_", "") + (budget[2] or "")[:zeros].ljust(zeros, "0"))


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > PIECE:
        found = _END_OF_TOKEN.search(text, start + PIECE // 2, start + PIECE)
        cut = found.end() if found is not None else start + PIECE
        yield text[start:cut]
        start = cut
    yield text[start:]


def _quick_counter() -> BytePairCounter:
    """The counter of the default encoding, loaded once for all threads."""
    found = _quick.get(DEFAULT_ENCODING)
    if found is None:
        with _starting:
            found = _quick.get(DEFAULT_ENCODING)
            if found is None:
                packed = PackedTokens(_packed(DEFAULT_ENCODING, _OF_DEFAULT), _bundled_file(_INDEX, _OF_INDEX))
                found = _quick[DEFAULT_ENCODING] = BytePairCounter(packed, _ranks_of_default)
    return found


def _ranks_of_default() -> dict[bytes, int]:
    return ranks_of(bundled_vocabulary(DEFAULT_ENCODING, _OF_DEFAULT))


def encoding_of(name: str) -> Encoding:
    """Return tiktoken's encoding of a name, which any user of tiktoken in this process then finds as well.

    Raises:
        InvalidArgumentError: it is not known, or its vocabulary is not bundled and cannot be fetched.
        ImportError: its bundled vocabulary is damaged.
    """
    from tiktoken import registry  # heavy, and not needed before the first count

    known = registry.ENCODINGS.get(name)
    if known is not None:
        return known
    if name in BUNDLED_ENCODINGS:
        return _loaded(name)
    names = registry.list_encoding_names()
    if name not in names:
        raise InvalidArgumentError(f"{name!r} is no known encoding; known are {', '.join(sorted(names))}.")
    try:
        return registry.get_encoding(name)
    except (OSError, ValueError) as error:
        raise InvalidArgumentError(
            f"The vocabulary of {name!r} is not part of the package and could not be fetched ({type(error).__name__}); "
            f"use {' or '.join(BUNDLED_ENCODINGS)}, or set TIKTOKEN_CACHE_DIR to a folder that holds it."
        ) from error


class _Load:
    """The load of a bundled encoding, in a thread of its own."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._encoding: Encoding | None = None
        self._error: Exception | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._run, name=f"load {name}", daemon=True).start()

    def _run(self) -> None:
        from tiktoken import registry

        try:
            registry.ENCODINGS[self._name] = self._encoding = _bundled(self._name)
        except Exception as error:  # noqa: BLE001 - raised again below, in the threads that wait for it
            self._error = error
        finally:
            with _starting:
                del _loads[self._name]
            self._ended.set()

    def awaited(self) -> Encoding:
        """Returns the encoding as soon as it is there.

        Raises:
            CallCancelledError: nobody waits for the call any more.
            Exception: what the load failed with.
        """
        while not self._ended.wait(_LOOK_SECONDS):
            stop_if_cancelled()
        if self._encoding is None:
            raise self._error or ImportError(f"The bundled vocabulary {self._name} could not be loaded.", name=__name__)
        return self._encoding


def _loaded(name: str) -> Encoding:
    """A bundled encoding, loaded once for all threads that ask for it meanwhile."""
    from tiktoken import registry

    with _starting:
        if name in registry.ENCODINGS:
            return registry.ENCODINGS[name]
        load = _begun(name)
    return load.awaited()


def _begun(name: str) -> _Load:
    """The load of a bundled encoding, begun where nobody has; `_starting` is held."""
    load = _loads.get(name)
    if load is None:
        load = _loads[name] = _Load(name)
    return load


def _bundled(name: str) -> Encoding:
    """Build an encoding from tiktoken's definition of it and the bundled vocabulary."""
    import tiktoken

    # A copy of tiktoken's module of definitions that is ours alone, so that only here its loader reads the package.
    spec = importlib.util.find_spec(_DEFINITIONS)
    if spec is None or spec.loader is None:
        raise ImportError(f"tiktoken's {_DEFINITIONS} is missing; install tiktoken again.", name=_DEFINITIONS)
    definitions = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(definitions)
    definitions.__dict__["load_tiktoken_bpe"] = _bundled_ranks
    arguments = definitions.ENCODING_CONSTRUCTORS[name]()
    encoding = tiktoken.Encoding(**arguments)
    # Its native part has tables of its own; what they were made of would stay for a purpose that there is not.
    arguments["mergeable_ranks"].clear()
    return encoding


def _bundled_ranks(url: str, expected_hash: str) -> dict[bytes, int]:
    """Return the token ranks of the vocabulary at `url`, which has that SHA-256, from the package."""
    tokens = bundled_vocabulary(url.rpartition("/")[2].removesuffix(".tiktoken"), expected_hash)
    return ranks_of(tokens)


def bundled_vocabulary(name: str, expected_hash: str) -> list[bytes]:
    """Return the tokens of a bundled vocabulary in the order of their ranks, which count from 0.

    They are kept as one array in MessagePack, which is read in a third of the time that tiktoken's own form takes.

    Args:
        name: the encoding.
        expected_hash: the SHA-256 of tiktoken's file of it, which its tokens must be those of.

    Raises:
        ImportError: the vocabulary is damaged, or not the one that this tiktoken wants.
    """
    return msgspec.msgpack.decode(_packed(name, expected_hash), type=list[bytes])


def _packed(name: str, expected_hash: str) -> bytes:
    """Return the file of a bundled vocabulary; the arguments and errors are those of `bundled_vocabulary`."""
    return _bundled_file(f"{name}.msgpack", _PACKED.get(expected_hash))


def _bundled_file(name: str, expected_hash: str | None) -> bytes:
    """Return a file of the package, of which the SHA-256 is known.

    Raises:
        ImportError: it is another file.
    """
    content = (_VOCABULARIES / name).read_bytes()
    if hashlib.sha256(content).hexdigest() != expected_hash:
        raise ImportError(f"The bundled vocabulary {name} is damaged; install fractal-context again.", name=__name__)
    return content
