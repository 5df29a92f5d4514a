r"""Reads a file on disk as text that can be parsed, counted and shown.

The bytes on disk stay as they are in `raw`; `source` is the same text as UTF-8 without a byte order mark, newlines
untouched. What the text was written in is found in this order:

1. a byte order mark (UTF-8, UTF-16, UTF-32);
2. the first bytes of a format that is no text (`_MAGIC`): binary;
3. a NUL in the first 8 KiB: UTF-16 without a mark if the NULs lie the way they do in mostly Latin text, else binary;
4. valid UTF-8;
5. UTF-8 with a few damaged places: at least four whole characters beyond ASCII for each damaged one, which becomes
   U+FFFD;
6. many control characters: binary;
7. Windows-1252, which is what old one-byte files on any system mostly are; where a byte has no meaning in it, Latin-1,
   in which every byte has one.

So nothing raises: a file is a `SourceFile` or a `Problem`.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from typing import TYPE_CHECKING

import msgspec

from workspace.files.opening import Refusal, read_regular, read_stretch
from workspace.files.scan import ScannedFile, Stamp, stamp_of
from workspace.model import Problem, ProblemKind
from workspace.names.sensitive import is_sensitive

if TYPE_CHECKING:
    from workspace.roots import Roots

MAX_FILE_BYTES = 4 << 20  # the largest hand-written source files are near 3 MB
_SAMPLE_BYTES = 8 << 10

_MARKS = (  # the longer ones first: the mark of UTF-32 little endian begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC = re.compile(
    rb"%PDF-|\x89PNG|GIF8[79]a|\xff\xd8\xff|PK\x03\x04|PK\x05\x06|\x1f\x8b|\x7fELF|BZh[1-9]1AY|\xfd7zXZ|7z\xbc\xaf"
    rb"|Rar!\x1a|\x28\xb5\x2f\xfd|OggS|fLaC|ID3[\x02-\x04]|\xca\xfe\xba\xbe|\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe"
    rb"|wOF[F2]|\xd0\xcf\x11\xe0|MSCF|\x00asm|LZIP|\x04\x22\x4d\x18"
)
_CONTROL = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROL_SHARE = 0.05
_DAMAGED_SHARE = 4
_NUL_SHARE = 0.4


class SourceFile(msgspec.Struct, frozen=True, kw_only=True):
    """A text file as it was read.

    Attributes:
        path: as in the scan.
        raw: exactly what is on disk.
        source: the text as UTF-8 without a byte order mark, newlines as in the file.
        encoding: what `raw` is written in: utf-8, utf-8-sig (with a mark), utf-8-damaged, utf-16-le, utf-16-be,
            utf-32-le, utf-32-be, cp1252 or latin-1.
        stamp: the stamp from before the first byte was read.
    """

    path: str
    raw: bytes
    source: bytes
    encoding: str
    stamp: Stamp

    @property
    def md5(self) -> str:
        """The MD5 of `raw`, in hexadecimal; computed at each call."""
        return hashlib.md5(self.raw, usedforsecurity=False).hexdigest()


def sensitive_name(file: ScannedFile, called: str = "") -> Problem | None:
    """Return the problem of a file whose name says that it holds credentials; None for any other.

    Args:
        file: asked are its path, and where that really leads.
        called: another path that it was reached by.
    """
    if any(is_sensitive(name) for name in (file.path, file.absolute.as_posix(), called)):
        return Problem(path=file.address, kind=ProblemKind.SENSITIVE, detail="its name says that it holds credentials")
    return None


def read_file(
    file: ScannedFile, *, roots: Roots, max_bytes: int = MAX_FILE_BYTES, hide_sensitive: bool = True
) -> SourceFile | Problem:
    """Read a scanned file as text.

    Args:
        file: what the scan found.
        roots: where it must still lie.
        max_bytes: a larger file is a problem and is not read.
        hide_sensitive: whether a file whose name says that it holds credentials is a problem and is not read.

    Returns:
        The file, or the problem: sensitive, too large, binary, unreadable, no regular file any more, or no longer in its place.
    """
    if hide_sensitive and (hidden := sensitive_name(file)) is not None:
        return hidden
    opened = read_regular(os.fspath(file.absolute), roots=roots, max_bytes=max_bytes)
    if isinstance(opened, Refusal):
        return Problem(path=file.address, kind=opened.kind, detail=opened.detail)
    text = decode(opened.raw)
    if text is None:
        return Problem(path=file.address, kind=ProblemKind.BINARY, detail=f"{len(opened.raw)} bytes")
    source, encoding = text
    return SourceFile(path=file.path, raw=opened.raw, source=source, encoding=encoding, stamp=stamp_of(opened.status))


class SourceLines(msgspec.Struct, frozen=True, kw_only=True):
    """Some lines of a text file.

    Attributes:
        file: a text that holds the lines, with some around them and of the beginning of the file.
        first: the line of that text that the first of them is, counted from 0.
        count: how many there are; none where the file has less, or the first alone is too much.
        number: as that of a stretch.
    """

    file: SourceFile
    first: int
    count: int
    number: int


def read_lines(
    file: ScannedFile, first: int, last: int, *, roots: Roots, max_bytes: int = MAX_FILE_BYTES
) -> SourceLines | Problem:
    """Read some lines of a scanned file, which may be larger than what is read whole.

    Args:
        file: what the scan found.
        first: the line to begin with, counted from 1.
        last: the line to end with.
        roots: where it must still lie.
        max_bytes: of the lines; what goes beyond is left out, by whole lines.
    """
    if (hidden := sensitive_name(file)) is not None:
        return hidden
    found = read_stretch(os.fspath(file.absolute), roots=roots, first=first, last=last, max_bytes=max_bytes)
    if isinstance(found, Refusal):
        return Problem(path=file.address, kind=found.kind, detail=found.detail)
    raw = found.above + found.lines + found.below
    text = decode(raw)
    if text is None or text[1].startswith(("utf-16", "utf-32")):
        return Problem(path=file.address, kind=ProblemKind.BINARY, detail="")
    source, encoding = text
    stamp = Stamp(mtime_ns=0, size=len(raw), inode=0, ctime_ns=0)
    count = found.lines.count(b"\n") + (found.lines != b"" and not found.lines.endswith(b"\n"))
    return SourceLines(
        file=SourceFile(path=file.path, raw=raw, source=source, encoding=encoding, stamp=stamp),
        first=found.above.count(b"\n"),
        count=count,
        number=found.number,
    )


def decode(raw: bytes) -> tuple[bytes, str] | None:
    """Return the text of a file's bytes as UTF-8, and the name of its encoding; None when it is no text."""
    is_ascii = raw.isascii()  # as most texts are: those have no mark, and need not be decoded to be known as UTF-8
    for mark, encoding in () if is_ascii else _MARKS:
        if raw.startswith(mark):
            return _marked(raw[len(mark) :], encoding)
    sample = raw[:_SAMPLE_BYTES]
    if _MAGIC.match(sample):
        return None
    if b"\0" in sample:
        return _wide(raw, sample)
    if not is_ascii:
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError:
            return _damaged(raw) or _one_byte(raw, sample)
    return raw, "utf-8"


def _marked(body: bytes, encoding: str) -> tuple[bytes, str] | None:
    text = body.decode(encoding, "replace")
    if "\0" in text[:_SAMPLE_BYTES] or text.count("\ufffd") * _DAMAGED_SHARE > len(text):
        return None
    if encoding == "utf-8":
        return (body, "utf-8-sig") if "\ufffd" not in text else (text.encode(), "utf-8-damaged")
    return text.encode(), encoding


def _wide(raw: bytes, sample: bytes) -> tuple[bytes, str] | None:
    """Text in UTF-16 without a mark: NULs in every second place, and hardly any in the other."""
    pairs = len(sample) // 2
    for encoding, high, low in (("utf-16-le", sample[1::2], sample[::2]), ("utf-16-be", sample[::2], sample[1::2])):
        if high.count(0) >= _NUL_SHARE * pairs and not low.count(0) and pairs:
            try:
                text = raw.decode(encoding)
            except UnicodeDecodeError:
                return None
            return (text.encode(), encoding) if "\0" not in text else None
    return None


def _damaged(raw: bytes) -> tuple[bytes, str] | None:
    text = raw.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    beyond_ascii = sum(character > "\x7f" for character in text) - damaged
    return (text.encode(), "utf-8-damaged") if beyond_ascii >= _DAMAGED_SHARE * damaged else None


def _one_byte(raw: bytes, sample: bytes) -> tuple[bytes, str] | None:
    if len(_CONTROL.findall(sample)) > _CONTROL_SHARE * len(sample):
        return None
    try:
        return raw.decode("cp1252").encode(), "cp1252"
    except UnicodeDecodeError:
        return raw.decode("latin-1").encode(), "latin-1"
