"""Searching a long text step by step: the same is found, and a call can be given up between the steps."""

from __future__ import annotations

import random
import re

import pytest

from workspace import stepping
from workspace.cancellation import CallCancelledError, CancelToken, cancellable
from workspace.secrets import searching
from workspace.secrets.redaction import redactions
from workspace.secrets.searching import FixedTexts
from workspace.stepping import STEP, matches

PATTERNS = (
    rb"key=(?P<secret>[a-c]{2,})(?![xy])",
    rb"\bkey[=:][a-c]{1,4}(?=\s|\Z)",
    rb"(?<=x)y{1,3}",
    rb"[a-c]{3,}+",
    rb"\n[a-c]{0,4}:",
)

HOSTILE = (
    b"errors\nerror of config\n",
    b"The server reads the config. Do not delete it. ",
    b"key: value, token = 'x', password is ",
    b"eyJhbGciOiJIUzI1NiJ9_sk-ant-ghp_",
    b"https://user:pass@host/ bearer basic login x -p ",
    b"kind: Secret\n  password: \n",
    b"-----BEGIN PRIVATE KEY-----\n",
    b"| token | a |\n|---|---|\n",
)


class Counting(CancelToken):
    """A token that counts how often it is looked at, and is given up at one of the looks."""

    __slots__ = ("last", "looks")

    def __init__(self, last: int | None = None) -> None:
        super().__init__()
        self.looks = 0
        self.last = last

    def look(self) -> None:
        self.looks += 1
        if self.looks == self.last:
            self.give_up()
        super().look()


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of a few bytes, so that every kind of match stands across the end of one."""
    monkeypatch.setattr(searching, "STEP", 7)
    monkeypatch.setattr(stepping, "STEP", 7)
    monkeypatch.setattr(stepping, "REACH", 24)
    monkeypatch.setattr(stepping, "_AHEAD", 4)


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_steps_find_what_one_search_finds(pattern: bytes) -> None:
    chance = random.Random(pattern)
    expression = re.compile(pattern)
    found = 0
    for _ in range(300):
        source = b"".join(
            chance.choices(
                [b"key=", b"key:", b" key=", b":", b"a", b"b", b"ccc", b"x", b"y ", b"\n"], k=chance.randint(0, 60)
            )
        )
        start, end = sorted(chance.choices(range(len(source) + 1), k=2)) if chance.random() < 0.5 else (0, len(source))
        whole = [match.span() for match in expression.finditer(source, start, end)]
        assert [match.span() for match in matches(expression, source, start, end)] == whole
        found += len(whole)
    assert found > 20


@pytest.mark.usefixtures("small_steps")
def test_fixed_texts_are_found_across_the_ends_of_steps() -> None:
    chance = random.Random(6)
    texts = [b"a", b"ab", b"bab", b"password", b"pass", b"sword: "]
    for _ in range(300):
        source = b"".join(chance.choices([*texts, b"pa", b"ss", b"w", b"ord"], k=chance.randint(0, 9)))
        assert FixedTexts(texts).held_by(source) == {text for text in texts if text in source}


@pytest.mark.parametrize("piece", HOSTILE)
def test_looking_for_secrets_looks_at_the_token_in_every_step(piece: bytes) -> None:
    steps = 2
    source = piece * (steps * STEP // len(piece))
    whole = Counting()
    with cancellable(whole):
        redactions(source)
    assert whole.looks >= steps
    for last in {1, whole.looks // 2, whole.looks}:
        token = Counting(last)
        with cancellable(token), pytest.raises(CallCancelledError):
            redactions(source)
        assert token.looks == last


def test_every_search_of_a_long_text_looks_once_in_a_step() -> None:
    source = b"://a:b " * STEP
    token = Counting()
    with cancellable(token):
        assert next(matches(re.compile(rb"://[a-z]:[0-9]"), source), None) is None
    assert token.looks >= len(source) // STEP - 1
    before = token.looks
    with cancellable(token):
        FixedTexts([b"nothing"]).held_by(source)
    assert token.looks - before >= len(source) // STEP
