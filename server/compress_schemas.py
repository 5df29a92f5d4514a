"""The arguments and the result of `compress` as models and clients see them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from server.choices import EngineChoice
from server.schemas import OneOrMore

Text = Annotated[str | None, Field(description="All of it, or its <compress> blocks")]
MarkedMessages = Annotated[list[Any] | None, Field(description="Instead: only their <compress> blocks")]
Rate = Annotated[float, Field(description="Part of the prose that stays")]
TargetTokens = Annotated[int | None, Field(description="Instead of rate")]
Engine = Annotated[EngineChoice, Field(description="auto: unchanged without a model; extractive needs none")]
PreserveCode = bool
AdapterNames = Annotated[list[str] | None, OneOrMore, Field(description='e.g. ["yaml"]')]

COMPRESS_DESCRIPTION = "Shortens the prose of a prompt; code and structure stay."


def _bare(schema: dict[str, Any]) -> None:
    """Drops what a model pays tokens for and learns nothing from."""
    for described in schema["properties"].values():
        for key in ("title", "description", "additionalProperties", "default", "items", "type"):
            described.pop(key, None)
    for key in ("title", "description", "required"):
        schema.pop(key, None)


class CompressedPrompt(BaseModel):
    """The result of `compress`; `text` or `messages` is there, as it was asked."""

    model_config = ConfigDict(json_schema_extra=_bare)

    text: str = ""
    messages: list[Any] = []
    metrics: dict[str, Any]
    warnings: list[str]
    trace: list[str]
