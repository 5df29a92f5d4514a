"""The newest pictures of the conversation, each with a line that says what it shows.

A screenshot says nothing without the call that took it, so every picture is kept with its own turn, tool and arguments,
also through further compactions: the line before a restored picture is read back. Two pictures with the same content
are one, and the newer place counts.

Where an API holds no picture in a result, hosts show it in a message of the user's side behind the result. A message of
pictures alone that stands there belongs to that call: no user writes one before the assistant has spoken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction.history.envelope import Envelope, Tag, escape, unseal
from compaction.history.formats.base import compact_json
from compaction.history.messages import Block, CallRecord, Image, Message, Pairing, Text, ToolResult
from compaction.history.origins import IMAGE_LABEL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from compaction.history.redaction import Redactor

_ARGUMENTS = 300
_USERS = "user-provided image"
_BY_USER = f"turn {{}}: {_USERS}"
_LEFT_OUT = " (the picture itself is left out: "


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageLimits:
    """The limits of restored pictures: their number, and the bytes of each."""

    images: int = 3
    bytes_each: int = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A picture with what it shows.

    Attributes:
        label: turn, tool and arguments, or `user-provided image`.
        left_out: why the picture itself does not come along, "" when it does.
    """

    image: Image
    label: str
    left_out: str = ""

    def as_json(self) -> dict[str, str | int]:
        """The picture without its data."""
        shown: dict[str, str | int] = {
            "source": self.label,
            "media_type": self.image.media_type,
            "bytes": self.image.byte_size,
            "sha256": self.image.digest,
        }
        return shown | {"left_out": self.left_out} if self.left_out else shown

    def blocks(self) -> list[Block]:
        """The header line, and the picture."""
        if self.left_out:
            return [Text(text=f"{IMAGE_LABEL}{self.label}{_LEFT_OUT}{self.left_out})")]
        return [Text(text=f"{IMAGE_LABEL}{self.label}"), self.image]


def newest_snapshots(
    messages: Sequence[Message],
    pairing: Pairing,
    *,
    limits: ImageLimits,
    redactor: Redactor,
    can_show: Callable[[Image], bool],
) -> tuple[Snapshot, ...]:
    """The newest distinct pictures, the user's own before those of calls, in the order they came.

    Args:
        messages: where pictures are looked for.
        pairing: tells which call a result belongs to.
        limits: 0 images restore none.
        redactor: takes secrets out of the arguments shown.
        can_show: whether the format written can hold the picture.
    """
    if limits.images <= 0:
        return ()
    calls = {id(record.result): record for record in pairing.calls if record.result is not None}
    shown = _shown_behind(messages, calls)
    newest: dict[str, Snapshot] = {}
    for message in messages:
        for snapshot in _snapshots(message, calls, redactor, shown.get(message.index)):
            newest.pop(snapshot.image.digest, None)
            newest[snapshot.image.digest] = snapshot
    chosen = _chosen(list(newest.values()), limits.images)
    return tuple(_checked(snapshot, limits, can_show) for snapshot in chosen)


def _chosen(found: Sequence[Snapshot], most: int) -> list[Snapshot]:
    """The newest, and the user's own before the others: of these one, so that the last thing seen is there too."""
    own = [snapshot for snapshot in found if snapshot.label.endswith(_USERS)]
    others = [snapshot for snapshot in found if not snapshot.label.endswith(_USERS)]
    room = most - min(len(others), max(1, most - len(own)))
    shown = (*own[max(0, len(own) - room) :], *others[max(0, len(others) - most + room) :])
    kept = {snapshot.image.digest for snapshot in shown}
    return [snapshot for snapshot in found if snapshot.image.digest in kept]


def _checked(snapshot: Snapshot, limits: ImageLimits, can_show: Callable[[Image], bool]) -> Snapshot:
    size = snapshot.image.byte_size
    if size > limits.bytes_each:
        return Snapshot(image=snapshot.image, label=snapshot.label, left_out=f"{size} bytes are too many")
    if not can_show(snapshot.image):
        return Snapshot(image=snapshot.image, label=snapshot.label, left_out="the format written cannot hold it")
    return snapshot


def _shown_behind(messages: Sequence[Message], calls: dict[int, CallRecord]) -> dict[int, CallRecord]:
    """The calls of messages of pictures alone: one after another where there are as many as results, else the last."""
    shown: dict[int, CallRecord] = {}
    results: list[CallRecord] = []
    pictures: list[int] = []

    def settle() -> None:
        matched = results if len(results) == len(pictures) else results[-1:] * len(pictures)
        shown.update(zip(pictures, matched, strict=False))
        results.clear()
        pictures.clear()

    for message in messages:
        answered = [calls[id(block)] for block in message.blocks if id(block) in calls]
        if answered:
            if pictures:
                settle()
            results += answered
        elif results and message.blocks and all(isinstance(block, Image) for block in message.blocks):
            pictures.append(message.index)
        else:
            settle()
    settle()
    return shown


def _snapshots(
    message: Message, calls: dict[int, CallRecord], redactor: Redactor, shown_by: CallRecord | None
) -> list[Snapshot]:
    found: list[Snapshot] = []
    restored = False
    label = ""
    for block in message.blocks:
        match block:
            case Text(text=text):
                restored |= any(isinstance(piece, Envelope) and piece.tag is Tag.ATTACHMENTS for piece in unseal(text))
                label = text.removeprefix(IMAGE_LABEL) if restored and text.startswith(IMAGE_LABEL) else ""
            case Image():
                by = _label(message.index, shown_by, redactor) if shown_by else _BY_USER.format(message.index)
                found.append(Snapshot(image=block, label=label or by))
                label = ""
            case ToolResult():
                record = calls.get(id(block))
                found += [
                    Snapshot(image=image, label=_label(message.index, record, redactor)) for image in block.images
                ]
            case _:
                pass
    return found


def _label(turn: int, record: CallRecord | None, redactor: Redactor) -> str:
    if record is None:
        return f"turn {turn}: result of a call that is not in the history"
    arguments, _ = redactor(compact_json(record.call.arguments))
    if len(arguments) > _ARGUMENTS:
        arguments = f"{arguments[:_ARGUMENTS]}…"
    return escape(f"turn {record.turn}: {record.call.name} {arguments}")
