"""Texts for the tests of the engines."""

from __future__ import annotations

import random
import re

PLAN = """# Plan of the importer

We build the importer in three steps, and every step is reviewed before the next one begins, because the last attempt was not.

## Steps

1. Read the file once and keep the spans of what was found, so that nothing has to be read a second time later on.
   - The reader lives in `src/importer/reader.py` and is called by the scheduler, which nobody should have to change.
     - It gives back definitions with their spans, and a problem for each file that cannot be read at all.
2. Write the definitions to the index in one transaction, and tell the listeners when that is done and not earlier.
3. Remove the old importer and its tests, but only when the new one has run for two weeks without any complaint.

> Remember what the review said: never run the migration on production, and keep port 5433 free for the replica.

The rest is described in the ticket, which everybody has read by now, and we will come back to it when there is time.
"""

CODE = """```python
def load(path: str) -> Config:
    return Config(path, strict=True)  # keeps   its spaces
```"""

_WORDS = tuple(
    re.findall(
        r"\w+",
        "the parser reads a file once and gives back definitions that it found with their spans we decided to keep old "
        "behaviour because client depends on it never run migration on production do not touch port and keep cache small",
    )
)


def prose(words: int, seed: int = 3) -> str:
    """So many words in sentences, a few of them to a line, lines of a paragraph wrapped."""
    dice = random.Random(seed)
    made: list[str] = []
    while words > 0:
        length = min(words, dice.randrange(6, 18))
        sentence = " ".join(dice.choice(_WORDS) for _ in range(length)).capitalize()
        made.append(f"{sentence}.{dice.choice(['', '', chr(10), chr(10) * 2])}")
        words -= length
    return "".join(piece if piece.endswith("\n") else f"{piece} " for piece in made)


ODD_TEXTS = {
    "empty": "",
    "blank": " \n\t\n  ",
    "chinese": "文件只读取一次，然后返回定义。永远不要在生产环境中运行迁移。" * 20,
    "japanese": "ファイルは一度だけ読まれます。本番環境で移行を実行しないでください。" * 20,
    "thai": "ไฟล์ถูกอ่านเพียงครั้งเดียว และคืนค่าคำจำกัดความ " * 20,
    "arabic": "يُقرأ الملف مرة واحدة فقط، ثم تُعاد التعريفات. لا تشغّل الترحيل في الإنتاج. " * 20,
    "hindi": "फ़ाइल एक बार पढ़ी जाती है। उत्पादन में माइग्रेशन कभी न चलाएँ। " * 20,
    "russian": "Файл читается один раз. Никогда не запускайте миграцию на рабочем сервере. " * 20,
    "no known token": "☃❄★♜ ☃❄ ♜♞★ " * 60,
    "one long word": "x" * 700,
    "a long word among others": f"before {'x' * 700} after it some more words follow here " * 5,
    "special tokens": "[SEP] stays a word and so does [CLS] in a text about [PAD] and </s> tokens. " * 12,
    "lone surrogates": "a half \ud800 of a pair stands here and another \udfff there, in the middle of words. " * 12,
    "control characters": "a\x00b \x07 bell \x1b[31mred\x1b[0m and a byte order mark \ufeff in between words. " * 12,
    "only punctuation": "... !!! ??? ;;; ,,, ::: … " * 60,
    "old line ends": "first line of the text\rsecond line of the text\rthird line of the text\r" * 12,
    "windows line ends": "first line of the text\r\n  second line of the text\r\n" * 12,
    "no spaces at all": "/".join(_WORDS) * 8,
}
