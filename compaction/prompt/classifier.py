"""The token classifier of LLMLingua-2: weighs each token of a text (arXiv 2403.12968, section 4).

Model and tokenizer are loaded by `llmlingua` itself and then run from here, because its own loop cannot be used as it is
(0.2.2): it pads each chunk to 512 tokens, tokenizes everything twice, walks over tokens in Python, takes texts one by one,
fails on empty texts and on texts without a known token, applies the rate chunk by chunk and tells the family of a model by
the name of its folder. Here all chunks of all texts are sorted by length and run in batches that are padded to their
longest, and what comes out is an array of probabilities and offsets into the text, so that nothing has to be put together
again from tokens. The chunks are llmlingua's: as long as the model allows, ending behind a full stop where there is one.

Its constructor is tamed while it loads: the vocabulary that it asks tiktoken for is the bundled one, no code from the
model's folder is run, nothing is fetched, the device is one that exists, the random generators are left alone and no
hundred untrained tokens are added.

One model is shared by all threads. On a processor there is a worker for each core, and each runs batches of its own on one
core: cores that work on one batch together wait for each other after every step. Calls have few batches at the workers at a
time, so that they take turns; one that is given up takes back what has not begun, and nobody else notices.
"""

from __future__ import annotations

import importlib
import warnings
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compaction.prompt.model import unheard
from compaction.prompt.precision import Precision, converted, fastest
from workspace.tokens import encoding_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence
    from pathlib import Path

    from compaction.prompt.model import Progress

_LLMLINGUA_VOCABULARY = "cl100k_base"
_MOST_POSITIONS = 512
_POSITIONS_TAKEN = {"roberta": 2, "xlm-roberta": 2, "camembert": 2}
"""Families that number their tokens from another position than 0."""

_SPECIAL = 2
"""Tokens around each chunk: `[CLS]` and `[SEP]`, or what the family calls them."""

_STOPS = (".", "\n")
_OTHER_STOPS = ("。", "！", "？", "!", "?", "।", "؟", "።", ";")
_BATCH_TOKENS = {"cpu": 512, "cuda": 65_536, "mps": 16_384}
"""On a processor larger batches are slower: what they need is too large to be used again by the allocator."""

_STEP = 16
"""Batches are padded to a multiple of so many tokens: kernels are prepared for each shape anew."""

_STAGE = "scoring words"

_AHEAD = 2
"""Batches for each worker that one call may have there at a time."""

_PULSE = 0.05
"""Seconds after which a call that waits for its batches asks whether anybody still waits for it."""


class ModelLoadError(Exception):
    """Raised when the files of a model are no token classifier that can be run; says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenScores:
    """The tokens of a text, in order: where each begins and ends, and the probability that it should stay."""

    spans: Sequence[tuple[int, int]]
    probabilities: Sequence[float]


@dataclass(frozen=True, slots=True)
class _Chunk:
    text: int
    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenClassifier:
    """A model with its tokenizer, safe to share between threads; get one from `load_classifier`.

    Attributes:
        device: where it runs: `cpu`, `cuda` or `mps`.
        precision: what it computes with, never `auto`.
        positions: the most tokens it reads at once, the two around a chunk included.
        stops: the tokens that a chunk had best end with: the first kind before the second.
        workers: what batches are given to.
        width: how many of them there are.
    """

    model: Any
    tokenizer: Any
    device: str
    precision: Precision
    positions: int
    stops: tuple[frozenset[int], ...]
    workers: ThreadPoolExecutor
    width: int

    def score(self, texts: Sequence[str], *, progress: Progress = unheard) -> list[TokenScores]:
        """Return the tokens of each text and their probabilities.

        Args:
            texts: any text; an empty one has no tokens.
            progress: told of each batch that is done, and from time to time while others have their turn; what it
                raises ends this call.
        """
        encodings = self.tokenizer.backend_tokenizer.encode_batch(
            [_encodable(text) for text in texts], add_special_tokens=False
        )
        ids: list[list[int]] = [encoding.ids for encoding in encodings]
        probabilities = [[0.0] * len(numbers) for numbers in ids]
        chunks = [_Chunk(text, *border) for text, numbers in enumerate(ids) for border in self.borders(numbers)]
        batches = deque(_batches(chunks, _BATCH_TOKENS[self.device]))
        running: dict[Future[list[list[float]]], list[_Chunk]] = {}
        done = 0
        try:
            while batches or running:
                while batches and len(running) < _AHEAD * self.width:
                    batch = batches.popleft()
                    rows = [ids[chunk.text][chunk.start : chunk.end] for chunk in batch]
                    running[self.workers.submit(self._run, rows)] = batch
                for ended in wait(running, timeout=_PULSE, return_when=FIRST_COMPLETED).done:
                    batch = running.pop(ended)
                    for chunk, row in zip(batch, ended.result(), strict=True):
                        probabilities[chunk.text][chunk.start : chunk.end] = row
                    done += len(batch)
                progress(done, len(chunks), _STAGE)
        finally:
            for waiting in running:
                waiting.cancel()
        return [
            TokenScores(spans=encoding.offsets, probabilities=row)
            for encoding, row in zip(encodings, probabilities, strict=True)
        ]

    def borders(self, ids: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Cut tokens where llmlingua cuts them: behind the last full stop that fits, else behind another end of a sentence.

        llmlingua (0.2.2) counts one token too many: it takes a full stop, or any token where there is no stop, that does
        not fit any more, and cuts off the token that ends the chunk for the model. Such a chunk ends earlier here.

        Yields:
            Where each chunk begins and ends.
        """
        longest = self.positions - _SPECIAL
        start = 0
        while len(ids) - start > longest:
            window = range(start + longest - 1, start, -1)
            end = next((at + 1 for stops in self.stops for at in window if ids[at] in stops), start + longest)
            yield start, end
            start = end
        if start < len(ids):
            yield start, len(ids)

    def _run(self, rows: Sequence[Sequence[int]]) -> list[list[float]]:
        torch: Any = importlib.import_module("torch")
        first, last = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        width = -(-(max(len(row) for row in rows) + _SPECIAL) // _STEP) * _STEP
        width = min(width, self.positions)
        padding = self.model.config.pad_token_id or 0
        ids = [[first, *row, last, *[padding] * (width - len(row) - _SPECIAL)] for row in rows]
        mask = [[1] * (len(row) + _SPECIAL) + [0] * (width - len(row) - _SPECIAL) for row in rows]
        with torch.inference_mode():
            logits = self.model(
                input_ids=torch.tensor(ids, device=self.device), attention_mask=torch.tensor(mask, device=self.device)
            ).logits.float()
            found: list[list[float]] = torch.softmax(logits, dim=-1)[..., 1].tolist()
        return [line[1 : len(row) + 1] for line, row in zip(found, rows, strict=True)]


def load_classifier(folder: Path, *, precision: Precision = Precision.AUTO) -> TokenClassifier:
    """Return the model of a folder, ready to run. Takes seconds, and half a gigabyte for the model of the seed.

    Raises:
        ModelLoadError: the folder holds no token classifier with two labels and a fast tokenizer.
        ImportError: torch, transformers or llmlingua is not installed.
    """
    torch: Any = importlib.import_module("torch")
    device = _device(torch)
    loaded = _loaded(folder)
    model, tokenizer = loaded.model, loaded.tokenizer
    if not type(model).__name__.endswith("ForTokenClassification") or model.config.num_labels != 2:
        raise ModelLoadError(f"it is a {type(model).__name__} with {model.config.num_labels} labels, not one with two")
    if not tokenizer.is_fast or tokenizer.cls_token_id is None or tokenizer.sep_token_id is None:
        raise ModelLoadError("its tokenizer is none of the fast ones, or has no tokens that begin and end a text")
    tokenizer.backend_tokenizer.encode_special_tokens = True  # "[SEP]" in a text is five characters like any other
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    precision = fastest(torch, device) if precision is Precision.AUTO else precision
    width: int = torch.get_num_threads() if device == "cpu" else 1
    positions = model.config.max_position_embeddings - _POSITIONS_TAKEN.get(model.config.model_type, 0)
    return TokenClassifier(
        model=converted(torch, model.eval().to(device), precision),
        tokenizer=tokenizer,
        device=device,
        precision=precision,
        positions=min(positions, _MOST_POSITIONS),
        workers=ThreadPoolExecutor(width, "token-classifier", initializer=torch.set_num_threads, initargs=(1,)),
        width=width,
        stops=tuple(_known(tokenizer.backend_tokenizer, stops) for stops in (_STOPS, _OTHER_STOPS)),
    )


def _loaded(folder: Path) -> Any:
    """Load what is in a folder as the compressor of llmlingua, with nothing of its constructor but the loading."""
    encoding_of(_LLMLINGUA_VOCABULARY)  # enters the bundled vocabulary where tiktoken looks first
    with _silence():
        base: Any = importlib.import_module("llmlingua").PromptCompressor

        class Loaded(base):
            def init_llmlingua2(self, max_batch_size: int = 0, max_force_token: int = 0) -> None:
                """Neither reseed every random generator nor add a hundred untrained tokens."""

        try:
            return Loaded(
                model_name=str(folder),
                device_map="cpu",
                use_llmlingua2=True,
                model_config={"trust_remote_code": False, "local_files_only": True},
            )
        except Exception as error:  # safetensors and tokenizers raise classes with no other base
            raise ModelLoadError(f"{type(error).__name__}: {error}") from error


@contextmanager
def _silence() -> Generator[None]:
    """Loading, without progress bars and advice on the error stream."""
    logging: Any = importlib.import_module("transformers.utils.logging")
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def _device(torch: Any) -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _batches(chunks: Iterable[_Chunk], most: int) -> Iterator[list[_Chunk]]:
    """Longest first, so that a batch is padded little and the memory that it needs is known at once."""
    batch: list[_Chunk] = []
    for chunk in sorted(chunks, key=lambda chunk: -chunk.length):
        if batch and (len(batch) + 1) * (batch[0].length + _SPECIAL) > most:
            yield batch
            batch = []
        batch.append(chunk)
    if batch:
        yield batch


def _known(backend: Any, stops: Iterable[str]) -> frozenset[int]:
    return frozenset(number for stop in stops if (number := backend.token_to_id(stop)) is not None)


def _encodable(text: str) -> str:
    """The text with a question mark for each surrogate that has lost its other half."""
    return text.encode("utf-8", "replace").decode("utf-8")
