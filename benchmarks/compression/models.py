"""Token classifiers made on the spot: real architectures and real tokenizers with random weights, from a seed.

What such a model keeps means nothing, but everything else about it is real: its files, its loading, its tokens and their
offsets, its shapes and so its speed. The tests use small ones, the benchmark of speed one of the size of
`llmlingua-2-bert-base-multilingual-cased-meetingbank` (177 million parameters).
"""

from __future__ import annotations

import importlib
import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TEXTS = (
    "The parser reads a file once and gives back the definitions that it found, with their spans.",
    "We decided to keep the old behaviour because a client depends on it; the fix goes into the next release.",
    "Never run the migration on production. Do not touch port 5433, and keep the cache under 200 MB.",
    "def load(path: str) -> Config: return Config(path, strict=True)  # src/config.py",
    "Die Datei wird einmal gelesen. Le fichier est lu une seule fois. El archivo se lee una vez.",
    "Файл читается один раз. 文件只读取一次。ファイルは一度だけ読まれます。",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The size of a model; the vocabulary is filled up to `vocabulary` entries."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int


_SPREAD = 230.0
"""Random weights hardly tell one token from another; a last layer that is louder by this, over the square root of its width,
gives probabilities of every size."""

SMALL = Shape(hidden=32, layers=2, heads=2, inner=64, vocabulary=600)
REAL = Shape(hidden=768, layers=12, heads=12, inner=3072, vocabulary=119_547)
"""That of `bert-base-multilingual-cased`."""


_OF_A_SIGN = -10.0
"""The logarithm of how likely a single character is a piece of its own, in a tokenizer of pieces with probabilities."""


def build_bert(folder: Path, *, shape: Shape = SMALL, texts: Iterable[str] = TEXTS, seed: int = 7) -> Path:
    """Write a BERT token classifier with a WordPiece tokenizer to a folder, and return it.

    The random generators of the process are as they were before.
    """
    torch: Any = importlib.import_module("torch")
    transformers: Any = importlib.import_module("transformers")
    parts: Any = importlib.import_module("tokenizers")
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = _words(texts, parts.pre_tokenizers.BertPreTokenizer())
    signs = sorted({sign for word in words for sign in word})
    pieces = [*special, *signs, *(f"##{sign}" for sign in signs), *(word for word in words if len(word) > 1)]
    vocabulary = {piece: number for number, piece in enumerate(pieces[: shape.vocabulary])}
    vocabulary |= {f"[unused{number}]": number for number in range(len(vocabulary), shape.vocabulary)}
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.inner,
        num_labels=2,
    )
    folder.mkdir(parents=True, exist_ok=True)
    transformers.BertTokenizer(vocab=vocabulary, do_lower_case=False, strip_accents=False).save_pretrained(folder)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = transformers.BertForTokenClassification(config)
        model.classifier.weight.data.mul_(_SPREAD * config.hidden_size**-0.5)
        model.save_pretrained(folder)
    return folder


def build_roberta(folder: Path, *, texts: Iterable[str] = TEXTS, seed: int = 7) -> Path:
    """Write a small XLM-RoBERTa token classifier with a SentencePiece-like tokenizer to a folder, and return it."""
    torch: Any = importlib.import_module("torch")
    transformers: Any = importlib.import_module("transformers")
    parts: Any = importlib.import_module("tokenizers")
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    spaces = parts.pre_tokenizers.Metaspace()
    words = _words(texts, spaces)
    signs = sorted({sign for word in words for sign in word})
    pieces = [(word, -math.log(place + 1.0)) for place, word in enumerate(words) if len(word) > 1]
    pieces = [*((one, 0.0) for one in special), *pieces, *((sign, _OF_A_SIGN) for sign in signs)]
    tokenizer = parts.Tokenizer(parts.models.Unigram(pieces, unk_id=special.index("<unk>")))
    tokenizer.pre_tokenizer = spaces
    tokenizer.decoder = parts.decoders.Metaspace()
    names = dict(zip(("cls_token", "pad_token", "sep_token", "unk_token", "mask_token"), special, strict=True))
    config = transformers.XLMRobertaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=514,
        num_labels=2,
    )
    folder.mkdir(parents=True, exist_ok=True)
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = transformers.XLMRobertaForTokenClassification(config)
        model.classifier.weight.data.mul_(_SPREAD * config.hidden_size**-0.5)
        model.save_pretrained(folder)
    return folder


def _words(texts: Iterable[str], pieces: Any) -> list[str]:
    """The words of texts, the most frequent first, those as frequent in the order of their characters.

    The trainers of tokenizers break such ties anew in each process, and would make another model each time.
    """
    counts = Counter(word for text in texts for word, _ in pieces.pre_tokenize_str(text))
    return sorted(counts, key=lambda word: (-counts[word], word))
