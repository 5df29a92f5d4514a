"""Asks what compaction keeps of real sessions: `python -m benchmarks.compaction.real CLONES [--missing] [--part tune]`.

The sessions and the questions are named in `questions.toml`. `CLONES` is a folder of git clones, one for each repository
that is named there, as `OWNER+NAME/repo`, `OWNER+NAME` or `OWNER/NAME` (bare or not); `benchmarks.compaction.fetch` makes
them. Nothing of the sessions is kept here: they belong to others.

Each session is compacted without a model, at the default size and at three targets. A question counts as answered when its
words stand in the text of the new history; a statement that is false counts where a sentence of ours says it. `twice` are the
lines that stand in it before, and a target that is not used is named, both as `repeats` says. Beside it
stand four simple contenders at the same number of tokens: the raw tail, the first message and the tail, all messages of
the user and the tail, and the composer: for each turn the user's words, a line for each call, the closing answer, and a tail.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.compaction.repeats import duplicates, plain_text, wasted
from compaction.history import CompactionEngine, CompactionOptions, FormatName, Mode, Section, Status
from compaction.history.messages import Side, Text, ToolCall, ToolResult, turns
from compaction.history.origins import Origin, passages
from compaction.history.transcript import from_bytes, parse
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from compaction.history.messages import Message
    from compaction.values import Json, JsonObject

count = token_counter().count
TARGETS = (None, 8_000, 3_000, 2_000)
_LATE = (Section.PENDING, Section.NEXT)


@dataclass(frozen=True, kw_only=True)
class Session:
    """One session with its questions and the statements that would be false."""

    name: str
    shape: str
    part: str
    raw: bytes
    asked: tuple[str, ...]
    false: tuple[str, ...]


def sessions(clones: Path, part: str = "") -> list[Session]:
    """Return the sessions that the clones hold; one whose repository is missing is named on the way."""
    listed = tomllib.loads((Path(__file__).parent / "questions.toml").read_text("utf-8"))["session"]
    found: list[Session] = []
    for entry in listed:
        if part and entry["part"] != part:
            continue
        raw = _content(clones, entry["from"], entry["ref"], entry["path"])
        if raw is None:
            print(f"  {entry['name']}: {entry['from']} is not in {clones}")
            continue
        if "pick" in entry:
            task, trial = map(int, entry["pick"].split("/"))
            runs: Any = json.loads(raw)
            raw = json.dumps(
                next(run["traj"] for run in runs if (run["task_id"], run["trial"]) == (task, trial))
            ).encode()
        found.append(
            Session(
                name=entry["name"],
                shape=entry["shape"],
                part=entry["part"],
                raw=raw,
                asked=tuple(entry["ask"]),
                false=tuple(entry["false"]),
            )
        )
    return found


def _content(clones: Path, repository: str, ref: str, path: str) -> bytes | None:
    joined = repository.replace("/", "+")
    for place in (clones / joined / "repo", clones / joined, clones / repository, clones / f"{repository}.git"):
        if place.is_dir():
            done = subprocess.run(
                ["git", "-C", str(place), "cat-file", "blob", f"{ref}:{path}"], capture_output=True, check=False
            )
            return done.stdout if done.returncode == 0 else None
    return None


def answered(question: str, text: str) -> bool:
    """Return whether a text holds the words that answer a question."""
    shown = _flat(text)
    _, _, answer = question.partition(" :: ")
    return all(any(_flat(words) in shown for words in group.split(" | ")) for group in answer.split(" && "))


def _flat(text: str) -> str:
    return " ".join(re.sub(r"[`*\"\\]", "", text).lower().split())


def shown_text(messages: Sequence[JsonObject]) -> str:
    """Return all words of messages, whatever their format."""
    return "\n".join(word for message in messages for word in _strings(message))


def _strings(value: Json) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [word for key, item in value.items() if key not in {"role", "type", "id"} for word in _strings(item)]
        case list():
            return [word for item in value for word in _strings(item)]
        case _:
            return []


def told_falsely(statement: str, sections: dict[Section, str]) -> bool:
    """Return whether the sections say what is false; the user's own words and the agent's quoted answers are not ours."""
    where, _, pattern = statement.partition(": ")
    if where == "6":
        return re.search(pattern, sections[Section.USER_MESSAGES]) is not None
    chosen = _LATE if where == "7-9" else [section for section in Section if section is not Section.USER_MESSAGES]
    pattern = pattern if where == "7-9" else statement
    ours = "\n".join(_without_quotes(sections[section]) for section in chosen)
    return re.search(pattern, ours) is not None


def _without_quotes(text: str) -> str:
    """Our own lines: what the agent said is quoted under `Answer:` and `Said:`, what a call answered under `From`."""
    kept: list[str] = []
    quoting = False
    for line in text.split("\n"):
        if line.startswith(("Answer: ", "- From ")):
            quoting = True
        elif line.startswith(("### ", "- ")):
            quoting = False
        if not quoting and not line.startswith("- Said: "):
            kept.append(line)
    return "\n".join(kept)


def raw_tail(messages: Sequence[Message], limit: int) -> str:
    """Return the end of the conversation as it is."""
    return _last(plain_text(messages), limit)


def first_and_tail(messages: Sequence[Message], limit: int) -> str:
    """Return the user's first message, and the end."""
    first = next((passage.text for message in messages for passage in passages(message)), "")
    first = _first(first, limit // 2)
    return f"{first}\n{raw_tail(messages, limit - count(first))}"


def users_and_tail(messages: Sequence[Message], limit: int) -> str:
    """Return every message of the user, the newest first to stay, and the end."""
    said = [p.text for message in messages for p in passages(message) if p.origin is Origin.USER]
    words = _last("\n\n".join(said), limit * 2 // 3)
    return f"{words}\n{raw_tail(messages, limit - count(words))}"


def composer(messages: Sequence[Message], limit: int) -> str:
    """Return for each turn the user's words, a line for each call with its outcome, and the closing answer; then a tail."""
    results = {
        block.call_id: block for message in messages for block in message.blocks if isinstance(block, ToolResult)
    }
    told: list[str] = []
    for turn in turns(messages):
        if turn[0].side is Side.USER:
            told += [f"User: {p.text}" for message in turn for p in passages(message) if p.origin is Origin.USER]
            continue
        texts = [block.text for message in turn for block in message.blocks if isinstance(block, Text)]
        for message in turn:
            for block in message.blocks:
                if isinstance(block, ToolCall):
                    result = results.get(block.call_id)
                    said = " ".join(result.text.split())[-120:] if result else "no answer"
                    about = " ".join(json.dumps(block.arguments, ensure_ascii=False).split())[:120]
                    told.append(f"- {block.name} {about}: {said}")
        if texts:
            told.append(f"Agent: {texts[-1]}")
    text = _last("\n".join(told), limit * 4 // 5)
    return f"{text}\n{raw_tail(messages, limit - count(text))}"


def _last(text: str, limit: int) -> str:
    low = max(0, len(text) - limit * 6)
    piece = text[low:]
    while piece and count(piece) > limit:
        piece = piece[max(1, len(piece) // 40) :]
    return piece


def _first(text: str, limit: int) -> str:
    piece = text[: limit * 6]
    while piece and count(piece) > limit:
        piece = piece[: -max(1, len(piece) // 40)]
    return piece


CONTENDERS: dict[str, Callable[[Sequence[Message], int], str]] = {
    "raw tail": raw_tail,
    "first + tail": first_and_tail,
    "users + tail": users_and_tail,
    "composer": composer,
}


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("clones", type=Path)
    options.add_argument(
        "--missing", action="store_true", help="name what is not answered, of the part that is tuned on"
    )
    options.add_argument("--part", default="", choices=("", "tune", "held"))
    options.add_argument("--rounds", action="store_true", help="compact five times at 8000, a short turn between each")
    given = options.parse_args()
    found = sessions(given.clones, given.part)
    if given.rounds:
        _rounds(found)
        return
    for part in ("tune", "held"):
        chosen = [session for session in found if session.part == part]
        if chosen:
            _table(part, chosen, missing=given.missing and part == "tune")


def _table(part: str, chosen: Sequence[Session], *, missing: bool) -> None:
    asked = sum(len(session.asked) for session in chosen)
    print(f"\n{part}: {len(chosen)} sessions, {asked} questions, {sum(len(s.false) for s in chosen)} false statements")
    print(
        f"{'size':10}{'ours':>8}{''.join(f'{name:>14}' for name in CONTENDERS)}{'false':>8}{'twice':>8}{'used':>8}{'tokens':>10}"
    )
    for target in TARGETS:
        points: Counter[str] = Counter()
        false = twice = used = tokens = fair = 0
        for session in chosen:
            transcript = parse(from_bytes(session.raw), None)
            result = CompactionEngine().compact(session.raw, CompactionOptions(mode=Mode.EXTRACT, target_tokens=target))
            if result.status is not Status.COMPACTED:
                text, size = plain_text(transcript.messages), result.tokens_before
                if size > (target or 0):
                    print(f"  {session.name}: {result.status.value} {result.detail}")
            else:
                text, size = shown_text(result.messages or []), result.tokens_after
                twice += len(duplicates(result))
                if wasted(result, target, plain_text(transcript.messages), count):
                    print(f"  {session.name} uses {size} of {target}")
                for statement in session.false:
                    if told_falsely(statement, result.sections):
                        false += 1
                        print(f"  {session.name} at {target or 'default'} says: {statement}")
            if target is not None and result.tokens_before > target * 2:
                used += size
                fair += target
            tokens += size
            for question in session.asked:
                points["ours"] += answered(question, text)
                if missing and not answered(question, text):
                    known = "" if answered(question, plain_text(transcript.messages)) else " (nor does the session)"
                    print(f"  {session.name} at {target or 'default'}: {question}{known}")
            for name, contender in CONTENDERS.items():
                other = contender(transcript.messages, size)
                points[name] += sum(answered(question, other) for question in session.asked)
        shares = "".join(
            f"{100 * points[name] / asked:>{8 if name == 'ours' else 14}.1f}" for name in ("ours", *CONTENDERS)
        )
        share = f"{100 * used / fair:.0f} %" if fair else "-"
        print(f"{target or 'default':<10}{shares}{false:>8}{twice:>8}{share:>8}{tokens:>10}")


def _rounds(chosen: Sequence[Session]) -> None:
    """Prints how many of the answers of the first compaction the fifth still gives."""
    first = last = 0
    for session in chosen:
        history: object = session.raw
        text = ""
        kept: list[bool] = []
        for turn in range(5):
            result = CompactionEngine().compact(
                history, CompactionOptions(mode=Mode.EXTRACT, target_tokens=8_000, output_format=FormatName.ANTHROPIC)
            )
            if result.messages is None:
                break
            text = shown_text(result.messages)
            if turn == 0:
                kept = [answered(question, text) for question in session.asked]
            history = [
                *result.messages,
                {"role": "user", "content": f"And what about point {turn + 1}? Only say it in a word."},
                {"role": "assistant", "content": f"Point {turn + 1} is fine."},
            ]
        else:
            still = [answered(question, text) for question in session.asked]
            first += sum(kept)
            last += sum(known and again for known, again in zip(kept, still, strict=True))
            if sum(kept) != sum(known and again for known, again in zip(kept, still, strict=True)):
                print(f"  {session.name}: {sum(kept)} -> {sum(still)}")
    lost = 100 * (first - last) / max(1, first)
    print(f"five rounds at 8000: {first} answers after the first, {last} of them after the fifth ({lost:.1f} % lost)")


if __name__ == "__main__":
    main()
