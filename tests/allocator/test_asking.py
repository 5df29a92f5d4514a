"""Focus and changed, over real folders and repositories, and all that can be asked at once."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from allocator import ContextEngine
from skeleton.zoom.zoomer import zoom
from tests.allocator.config_tree import CONFIG, MAIN, TREE, block, engine, filler, git, served
from tests.trees import write_tree
from workspace.errors import InvalidArgumentError, SymbolNotFoundError
from workspace.roots import Roots

# names that a reader expects


def test_what_a_reader_expects_is_shown_with_what_the_query_is_about(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    query = "why is the second value of helper_7_c multiplied?"
    assert "unused_k" not in served(tmp_path, token_budget=700, query=query).context
    result = served(tmp_path, token_budget=700, query=query, names=["unused_k"])
    assert "def unused_k(first: int, second: int)" in block(result, "src/config.py")
    assert "def helper_7_c" in result.context
    assert result.tokens_used <= 700


@pytest.mark.parametrize("names", [["parse_it"], ["parse_items", "pars_it"], "parse_it", ["config parse `it`\n", " "]])
def test_names_that_are_expected_need_no_query_and_not_be_exact(tmp_path: Path, names: list[str] | str) -> None:
    write_tree(tmp_path, TREE)
    assert "def parse_it(text: str)" in block(served(tmp_path, token_budget=500, names=names), "src/config.py")


def test_names_that_nothing_has_are_told_and_refuse_no_call(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    result = served(tmp_path, token_budget=600, query="parse the settings", names=["Zyxwvut.quorx"])
    assert "Nothing here says Zyxwvut, quorx" in result.context
    assert "parse_it" in result.context
    with pytest.raises(InvalidArgumentError, match="names holds 101 symbols"):
        served(tmp_path, names=["a"] * 101)


def test_the_next_page_goes_on_with_the_names_that_were_expected(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    ask = partial(engine(tmp_path).get_context, str(tmp_path), token_budget=500)
    first = ask(names=["helper_3_b"])
    assert "src/filler_03.py" in first.context
    cursor = first.metadata.next_cursor
    others, same, left_out = (ask(cursor=cursor, names=names).context for names in (["unused_k"], ["helper_3_b"], None))
    assert left_out == same != others


# focus


@pytest.mark.no_cover
def test_a_symbol_in_focus_is_shown_first_and_in_full(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    for name in ("Config.load", "src/config.py::Config.load", "config.py::load", "symbol=Config.load"):
        shown = block(served(tmp_path, token_budget=200, focus=[name]), "src/config.py")
        assert "        text = open_it(path)\n        return parse_it(text)\n" in shown
        assert "[FULL:Config" in shown.partition("\n")[0]


@pytest.mark.no_cover
@pytest.mark.parametrize("name", ["src/config.py", "./src/config.py", "config.py", "src/conf*", "**/config.py"])
def test_a_file_in_focus_is_shown_in_full(tmp_path: Path, name: str) -> None:
    write_tree(tmp_path, TREE)
    result = served(tmp_path, token_budget=4000, focus=[name])
    assert block(result, "src/config.py") == f"+++ src/config.py\n{CONFIG}"
    assert result.tokens_used <= 4000


def test_a_folder_in_focus_comes_before_the_rest(tmp_path: Path) -> None:
    write_tree(tmp_path, {**TREE, "lib/deep/a.py": filler(77)})
    result = served(tmp_path, token_budget=1000, focus=["lib/"])
    assert block(result, "lib/deep/a.py").partition("\n⋮ ")[0].strip() == f"+++ lib/deep/a.py\n{filler(77)}".strip()


def test_what_uses_a_definition_in_focus_is_shown_as_a_signature(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    result = served(tmp_path, token_budget=400, focus=["parse_it"])
    assert "def again() -> None:" in block(result, "src/main.py")
    assert "def load(self, path: str)" in block(result, "src/config.py")


def test_a_focus_larger_than_the_budget_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    write_tree(tmp_path, {**TREE, "src/large.py": "".join(filler(n) for n in range(40, 60))})
    result = served(tmp_path, token_budget=1500, focus=["src/large.py", "src/main.py"])
    header = block(result, "src/large.py").partition("\n")[0]
    assert "[SHOWN:" in header or "[FULL:1-" in header
    assert 0.95 * 1500 <= result.tokens_used <= 1500


def test_a_focus_that_names_nothing_is_refused_with_names_that_exist(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    with pytest.raises(SymbolNotFoundError, match=r"src/config\.py::Config\.load") as refusal:
        served(tmp_path, token_budget=900, focus=["Config.laod"])
    for name in refusal.value.suggestions:
        assert served(tmp_path, token_budget=900, focus=[name]).tokens_used <= 900
    with pytest.raises(SymbolNotFoundError, match="without focus"):
        served(tmp_path, token_budget=900, focus=["qqqqqqqq::zzzzzzzz"])
    with pytest.raises(InvalidArgumentError, match="at most 100"):
        served(tmp_path, focus=["a"] * 101)


def test_every_name_that_is_shown_in_full_can_be_zoomed(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    result = served(tmp_path, token_budget=1500, focus=["Config.load", "parse_it", "main"])
    names = re.findall(r"^\+\+\+ (\S+) .*\[FULL:([^\]]+)\]", result.context, re.MULTILINE)
    assert {name for _, listed in names for name in listed.split(",")} >= {"Config", "parse_it"}
    for path, listed in names:
        for name in listed.split(","):
            found = zoom(f"{path}::{name}", str(tmp_path), roots=Roots([tmp_path]))
            assert found.matches[0].path == path


# changed


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    write_tree(tmp_path, TREE | {"src/old.py": filler(90), "src/gone.py": "def gone():\n    return 1\n"})
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path.resolve()


def test_the_definitions_that_a_diff_touches_are_shown_in_full_with_their_callers(repository: Path) -> None:
    write_tree(
        repository,
        {"src/config.py": CONFIG.replace("def parse_it(text: str)", "def parse_it(text: str, strict: bool = False)")},
    )
    result = served(repository, token_budget=360, changed="worktree")
    shown = block(result, "src/config.py")
    assert "[CHANGED] [+1 -1] " in shown
    assert "⋮- def parse_it(text: str) -> dict[str, int]:\ndef parse_it(text: str, strict: bool = False)" in shown
    assert "        values[name] = int(value)\n    return values\n" in shown
    assert "def load(self, path: str)" in shown
    assert "def again() -> None:" in block(result, "src/main.py")


def test_staged_unstaged_new_renamed_and_deleted_files_are_each_shown_rightly(repository: Path) -> None:
    write_tree(repository, {"src/config.py": CONFIG.replace("write_it(self, path)", "write_it(self, path, 1)")})
    git(repository, "add", "src/config.py")
    write_tree(
        repository,
        {"src/main.py": MAIN.replace('"settings.ini"', '"other.ini"'), "src/fresh.py": "def fresh():\n    return 2\n"},
    )
    git(repository, "mv", "src/old.py", "src/moved.py")
    write_tree(repository, {"src/moved.py": filler(90).replace("first * 7", "first * 77")})
    (repository / "src/gone.py").unlink()
    result = served(repository, token_budget=2500, changed="worktree")
    assert "write_it(self, path, 1)" in block(result, "src/config.py")
    assert 'config.load("other.ini")' in block(result, "src/main.py")
    assert block(result, "src/fresh.py") == "+++ src/fresh.py [NEW]\ndef fresh():\n    return 2\n"
    assert block(result, "src/moved.py").startswith("+++ src/moved.py [RENAMED:src/old.py]")
    assert "first * 77" in block(result, "src/moved.py")
    assert block(result, "src/gone.py") == "+++ src/gone.py [DELETED] [REMOVED:gone]\n"
    assert result.metadata.as_json()["changes"] == {
        "new": ("src/fresh.py",),
        "changed": ("src/config.py", "src/main.py"),
        "renamed": ("src/moved.py",),
        "deleted": ("src/gone.py",),
    }


def test_a_range_shows_what_its_commits_touched(repository: Path) -> None:
    write_tree(repository, {"src/main.py": MAIN.replace('"settings.ini"', '"other.ini"')})
    git(repository, "commit", "-q", "-a", "-m", "second")
    for changed in ("HEAD~1", "HEAD~1..HEAD"):
        assert 'config.load("other.ini")' in block(served(repository, token_budget=500, changed=changed), "src/main.py")


def test_a_range_says_where_the_files_on_disk_are_not_those_at_its_end(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "topic")
    write_tree(repository, {"src/main.py": MAIN.replace('"settings.ini"', '"other.ini"')})
    git(repository, "commit", "-q", "-am", "topic")
    assert "NOT-AS-IN-RANGE" not in served(repository, token_budget=2000, changed="HEAD~1..topic").context
    git(repository, "checkout", "-q", "HEAD~1")
    result = served(repository, token_budget=2000, changed="HEAD..topic")
    assert result.context.startswith("⋮ 1 file of HEAD..topic read otherwise on disk, and the disk is what is shown")
    assert "[NOT-AS-IN-RANGE]" in block(result, "src/main.py").partition("\n")[0]
    assert [problem.kind.value for problem in result.metadata.problems] == ["not as in the range"]
    assert "not as in the range" in result.summary


def test_the_definitions_that_changed_inside_of_a_submodule_are_shown(repository: Path, tmp_path: Path) -> None:
    library = write_tree(tmp_path / "library", {"lib.py": "def lib():\n    return 1\n\n\ndef more():\n    return 2\n"})
    git(library, "init", "-q")
    git(library, "add", "-A")
    git(library, "commit", "-q", "-m", "one")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "sub")
    git(repository, "commit", "-q", "-m", "sub")
    write_tree(repository, {"sub/lib.py": "def lib():\n    return 3\n"})
    shown = block(served(repository, token_budget=2000, changed="worktree"), "sub/lib.py")
    assert shown.startswith("+++ sub/lib.py [CHANGED] [+1 -5] [REMOVED:more]\ndef lib():\n⋮-     return 1\n")


def test_only_deleted_files_of_the_narrowed_set_are_told(repository: Path) -> None:
    (repository / "src/gone.py").unlink()
    assert "gone.py" not in served(repository, changed="worktree", exclude=["gone.py"]).context
    assert "gone.py" not in engine(repository).get_context(str(repository / "src/main.py"), changed="worktree").context


def test_changed_without_a_repository_is_refused(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    with pytest.raises(InvalidArgumentError, match="changed needs a work tree of git"):
        served(tmp_path, changed="worktree")


# all of them


@pytest.mark.parametrize("argument", ["focus", "since", "cursor"])
def test_a_name_longer_than_any_is_refused_and_not_said_again(tmp_path: Path, argument: str) -> None:
    write_tree(tmp_path, TREE)
    given = {argument: ["a" * 1_000_000] if argument == "focus" else "a" * 1_000_000}
    with pytest.raises(InvalidArgumentError) as caught:
        engine(tmp_path).get_context(str(tmp_path), token_budget=1500, **given)  # pyright: ignore[reportArgumentType] - one of the three
    assert len(str(caught.value)) < 200


def test_a_focus_means_what_is_left_of_the_files_of_a_call(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "def load():\n    return 1\n", "b.py": "def load():\n    return 2\n"})
    engine = ContextEngine(Roots([tmp_path]))
    first = engine.get_context(str(tmp_path), token_budget=2000)
    write_tree(tmp_path, {"a.py": "def load():\n    return 3\n"})
    after = engine.get_context(str(tmp_path), token_budget=2000, focus=["load"], since=first.metadata.snapshot)
    assert "return 3" in after.context
    assert "return 2" not in after.context


def test_none_is_as_if_it_were_left_out_and_a_plain_text_is_a_list_of_one(tmp_path: Path) -> None:
    write_tree(tmp_path, {f"src/part_{number}.py": f"def part_{number}():\n    pass\n" for number in range(14)})
    engine = ContextEngine(Roots([tmp_path]))
    none = dict.fromkeys(("query", "focus", "changed", "since", "cursor", "include", "exclude"))

    def context(**given: Any) -> str:
        return engine.get_context(str(tmp_path), token_budget=300, format="compact", **given).context

    assert context(**none) == context()
    assert context(exclude="part_3.py", include=None) == context(exclude=["part_3.py"])
    assert context(focus="src/part_9.py") == context(focus=["src/part_9.py"]) != context()
    assert engine.profile(str(tmp_path), token_budget=300, **none).purchases


def test_a_query_that_is_only_the_name_of_a_long_function_shows_all_of_it_before_others_of_its_class(
    tmp_path: Path,
) -> None:
    steps = "".join(f"        value = value * {number} + self.table_{number}\n" for number in range(60))
    small = "".join(f"    def table_{number}(self):\n        return {number}\n\n" for number in range(60))
    source = f"class Table:\n{small}    def add(self, value):\n{steps}        return value\n"
    engine = ContextEngine(Roots([write_tree(tmp_path, {"table.py": source})]))
    found = engine.get_context(str(tmp_path), token_budget=1500, query="Table.add", format="compact").context
    assert steps in found


def test_an_example_is_shown_with_what_it_does_or_not_at_all(tmp_path: Path) -> None:
    steps = "".join(f'    check("step {number} of it", {number});\n' for number in range(40))
    main = f'int main(void)\n{{\n    invoice_send("me");\n{steps}    return 0;\n}}\n'
    write_tree(tmp_path, {f"examples/invoice_{number}.c": main for number in range(20)})
    ways = {
        f"src/way_{number}.c": f"int way_{number}(invoice *one)\n{{\n{steps}    return invoice_send(one);\n}}\n"
        for number in range(60)
    }
    write_tree(tmp_path, {"src/invoice.c": "void invoice_send(const char *to)\n{\n    post(to);\n}\n", **ways})
    shown = served(tmp_path, token_budget=500, query="how an invoice is sent").context
    assert "invoice_send(const char *to)" in shown
    assert "int way_" in shown
    assert "int main(" not in shown


def test_what_is_built_comes_behind_what_it_is_built_of(tmp_path: Path) -> None:
    functions = [
        f"function merge{number}(defaults, headers) {{\n  return {{...defaults, ...headers}};\n}}\n"
        for number in range(60)
    ]
    source = {f"lib/merge{number}.js": f"export {text}" for number, text in enumerate(functions)}
    bundle = "\n".join(functions).replace("merge3(", "merge3$1(")
    write_tree(tmp_path, {**source, "dist/shop.cjs": bundle})
    shown = served(tmp_path, token_budget=600, query="how are headers merged with defaults").context
    assert "+++ lib/" in shown
    assert "+++ dist/" not in shown
