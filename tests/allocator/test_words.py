"""Words that occur nowhere, slips of the keys, sentences of other languages, and what questions are made of."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from allocator.question.asking import WORDLESS
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

    from allocator import ContextResult

SITE = {
    "site/sessions.py": "class Sessions:\n    def save_session(self, cookie):\n        return cookie\n",
    "site/routes.py": "def add_route(path):\n    return path\n\n\ndef dispatch_request(request):\n    return request\n",
    "site/binding.py": "".join(
        f'def bind_{kind}(obj):\n    """Works like bind, which works like this works."""\n    return obj\n\n\n'
        for kind in ("xml", "yaml", "toml", "query")
    ),
    "site/config.py": "def load_settings(path):\n    return open(path)\n",
    **{
        f"site/part{number}.py": f"def part{number}(value):\n" + "    value = value + number * 17\n" * 60
        for number in range(12)
    },
}


@pytest.fixture
def engine(tmp_path: Path) -> ContextEngine:
    return ContextEngine(Roots([write_tree(tmp_path, SITE)]))


def _asked(engine: ContextEngine, query: str, budget: int = 600) -> ContextResult:
    (root,) = engine.roots.paths
    return engine.get_context(str(root), token_budget=budget, query=query, format="compact")


def _first(result: ContextResult) -> str:
    return next(line for line in result.context.splitlines() if line.startswith("+++ "))


BODIES = {"sessions": "return cookie", "routes": "return request", "config": "return open(path)"}


def _whole(result: ContextResult) -> list[str]:
    """The files of the site of which a body is shown."""
    return [name for name, body in BODIES.items() if body in result.context]


def test_slips_are_read_as_the_nearest_words_of_the_repository_and_said(engine: ContextEngine) -> None:
    found = _asked(engine, "sesion cokie not savd")
    note, *_ = found.context.splitlines()
    assert note == "⋮ Nothing here says sesion, cokie, savd; read as: session, cookie, save."
    assert "sessions" in _whole(found)
    assert found.metadata.unmatched == {"sesion": "session", "cokie": "cookie", "savd": "save"}


def test_a_word_that_begins_with_another_letter_is_no_slip(engine: ContextEngine) -> None:
    assert _asked(engine, "mookie save_session").context.splitlines()[0] == "⋮ Nothing here says mookie."
    found = _asked(engine, "ookie osession save_session")
    assert found.context.splitlines()[0] == "⋮ Nothing here says ookie, osession; read as: cookie, session."


def test_a_slip_inside_an_identifier_finds_it(engine: ContextEngine) -> None:
    found = _asked(engine, "dispach_request")
    assert "read as: dispatch_request" in found.context
    assert "routes" in _whole(found)


def test_no_slip_is_read_as_letters_of_a_digest_that_nobody_wrote(tmp_path: Path) -> None:
    lock = '{"left-pad": ["left-pad@1.3.0", "", {}, "sha512-1FfSbLoU0+btTicjsQSWQlh/hZy=="]}\n'
    found = _asked(ContextEngine(Roots([write_tree(tmp_path, SITE | {"bun.lock": lock})])), "save_session ticks")
    assert found.context.splitlines()[0] == "⋮ Nothing here says ticks."
    assert "sessions" in _whole(found)


def test_numbers_of_a_trace_are_not_told_to_be_unknown_and_keep_no_slip_from_being_read(engine: ContextEngine) -> None:
    found = _asked(engine, "dispatch_request at bundle.js:3456:5 (5242880)")
    assert found.context.splitlines()[0] == "⋮ Nothing here says bundle, js."
    assert set(found.metadata.unmatched) == {"bundle", "js"}
    assert "Nothing here says sesion; read as: session." in _asked(engine, "sesion 3456 5242880").context
    assert "Nothing here says sesion; read as: session." in _asked(engine, "sesion 0x00007f1 0xC000120000").context
    for wordless in ("???", "what is this?", "\0"):
        assert _asked(engine, wordless).context.startswith(f"⋮ {WORDLESS}\n")
    assert "Nothing here says 5242880; this is the overview." in _asked(engine, "5242880").context


def test_no_slip_is_looked_for_in_a_log(engine: ContextEngine) -> None:
    log = "KeyError: 'x'\n" + "".join(f"\tat com.acm.binding.Cokie.load(Cokie.java:{line})\n" for line in range(20))
    found = _asked(engine, log)
    assert "Nothing here says" not in found.context
    assert not any(found.metadata.unmatched.values())


def test_a_word_for_what_is_to_be_added_is_not_read_as_another(engine: ContextEngine) -> None:
    found = _asked(engine, "add cokie to the config")
    assert found.context.splitlines()[0] == "⋮ Nothing here says cokie. Did you mean: cookie?"


def test_parts_of_an_identifier_are_not_corrected_to_one_that_occurs_nowhere(engine: ContextEngine) -> None:
    assert "configsession" not in _asked(engine, "where is ConfigSesion kept").context


def test_a_word_that_occurs_nowhere_is_named_and_the_others_are_looked_up(engine: ContextEngine) -> None:
    found = _asked(engine, "load settings for the frobnicator")
    assert found.context.startswith("⋮ Nothing here says frobnicator.\n")
    assert "config" in _whole(found)


@pytest.mark.parametrize(
    "query",
    [
        "Wo werden die Einstellungen geladen und wer ändert sie?",
        "如何保存会话",
        "qwzx blorf nargl",
        "how does frobnication work?",
    ],
)
def test_a_sentence_without_one_known_word_gives_the_overview_and_says_so(engine: ContextEngine, query: str) -> None:
    found = _asked(engine, query)
    assert "; this is the overview" in found.context.splitlines()[0]
    assert _first(found) == "+++ [OVERVIEW]"
    assert found.tokens_used <= 600


def test_a_known_word_in_a_sentence_of_another_language_is_looked_up(engine: ContextEngine) -> None:
    assert "sessions" in _whole(_asked(engine, "Où est enregistré le cookie de session ?"))


def test_what_names_a_focus_beside_words_that_occur_nowhere_is_shown(tmp_path: Path) -> None:
    engine = ContextEngine(Roots([write_tree(tmp_path, SITE)]))
    found = engine.get_context(
        str(tmp_path), token_budget=700, query="qwzx blorf", focus=["add_route"], format="compact"
    )
    assert "return path" in found.context


def test_a_small_budget_is_not_spent_on_what_was_not_found(engine: ContextEngine) -> None:
    assert not _asked(engine, "sesion cokie", 120).context.startswith("⋮ Nothing")


def test_what_occurs_nowhere_is_told_in_every_format(engine: ContextEngine) -> None:
    (root,) = engine.roots.paths
    for name in ("plus", "compact", "xml", "markdown", "json"):
        found = engine.get_context(str(root), token_budget=1000, query="sesion cokie", format=name)
        assert "Nothing here says sesion, cokie; read as: session, cookie." in found.context
        assert found.tokens_used <= 1000
        if name == "json":
            assert json.loads(found.context)


def test_what_is_put_together_of_other_files_comes_after_them(tmp_path: Path) -> None:
    parts = {
        f"parts/part{number}.py": "".join(
            f"def parse_{number}_{each}(text):\n    return text.strip().parse()\n\n\n" for each in range(12)
        )
        for number in range(6)
    }
    write_tree(tmp_path, {**parts, "all/single.py": "".join(parts.values())})
    found = ContextEngine(Roots([tmp_path])).get_context(
        str(tmp_path), token_budget=500, query="how does parse work?", format="compact"
    )
    assert "all/single.py" not in found.context
    assert _first(found).startswith("+++ parts/")


@pytest.mark.no_cover
@pytest.mark.parametrize("unit", ["aB", "ab ", "aB_", "é", "a/b.c "])
def test_a_query_of_a_megabyte_takes_time_in_proportion_to_its_length(engine: ContextEngine, unit: str) -> None:
    _asked(engine, "warm")
    took: list[float] = []
    for size in (125_000, 1_000_000):
        start = time.thread_time()
        _asked(engine, unit * (size // len(unit)))
        took.append(time.thread_time() - start)
    assert took[1] < 20 * took[0] + 0.5
