"""The parts that a diff touches: changed definitions whole and first, those gone, those concerned, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from allocator import ContextEngine, ContextResult
from tests.allocator.config_tree import git
from tests.trees import write_tree
from workspace.roots import Roots


def function(name: str, lines: int, signature: str = "value", step: int = 1) -> str:
    return (
        f"def {name}({signature}):\n"
        + "".join(f"    value = value + {step} * {line}  # line {line} of {name}\n" for line in range(lines))
        + "    return value\n\n\n"
    )


STOCK = "import os\nimport sys\n\nLIMITS = {\n    'a': 1,\n    'b': 2,\n}\n\n\n" + "".join(
    function(name, 8) for name in ("counted", "moved", "dropped", "kept")
)
TREE = {
    "shop/stock.py": STOCK,
    "shop/prices.py": "".join(function(name, 8) for name in ("price_of", "reduced", "taxed")),
    "shop/desk.py": "from shop.stock import counted\n\n\ndef sell(value):\n    return counted(value)\n",
    "shop/show.py": "from shop.stock import moved\n\n\ndef show(value):\n    return moved(value)\n",
    "shop/large.py": function("large", 200) + function("small", 3),
    "tests/test_stock.py": "from shop.stock import counted\n\n\ndef test_all_are_counted():\n    assert counted(1)\n",
    "Cargo.lock": "".join(f"[[package]]\nname = 'one-{n}'\nversion = '1.{n}'\n\n" for n in range(200)),
    "vendor/theirs.py": function("theirs", 30),
    "README.md": "# Shop\n\n" + "".join(f"Sentence {n} of the text.\n\n" for n in range(60)),
} | {f"shop/part_{number:02}.py": function(f"part_{number}", 9) for number in range(14)}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    write_tree(tmp_path, TREE)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path.resolve()


def shown(folder: Path, budget: int | None = 4000, changed: str = "worktree", **arguments: Any) -> ContextResult:
    return ContextEngine(Roots([folder])).get_context(
        str(folder), token_budget=budget, changed=changed, format="compact", **arguments
    )


def paths(result: ContextResult) -> list[str]:
    return re.findall(r"^\+\+\+ (\S+)", result.context, re.MULTILINE)


def test_changed_definitions_come_whole_and_what_no_person_writes_by_name(shop: Path) -> None:
    write_tree(
        shop,
        {
            "shop/stock.py": STOCK.replace("value + 1 * 3  # line 3 of moved", "value - 3"),
            "shop/prices.py": TREE["shop/prices.py"].replace("value + 1 * 4  # line 4 of taxed", "value - 4"),
            "Cargo.lock": TREE["Cargo.lock"].replace("version = '1.", "version = '2."),
            "vendor/theirs.py": function("theirs", 31),
            "logo.png": b"\x89PNG\r\n\x1a\n\0\0",
        },
    )
    for budget in (700, 4000, None):
        result = shown(shop, budget)
        assert paths(result) == ["shop/prices.py", "shop/stock.py", "[ALSO-CHANGED]"]
        assert "[FULL:moved]" in result.context
        assert "[FULL:taxed]" in result.context
        assert result.context.endswith(
            "+++ [ALSO-CHANGED]\nCargo.lock [CHANGED] [+200 -200]\nlogo.png [NEW]\nvendor/theirs.py [CHANGED] [+1 -0]\n"
        )
        assert "part_" not in result.context, "nothing else is shown, however much room there is"
        assert result.metadata.next_cursor is None


def test_lines_that_went_stand_where_they_stood(shop: Path) -> None:
    text = STOCK.replace("value + 1 * 3  # line 3 of moved", "value - 3").replace("    'b': 2,\n", "")
    text = text.replace(function("dropped", 8), "")
    write_tree(shop, {"shop/stock.py": text})
    context = shown(shop).context
    assert context.startswith("+++ shop/stock.py [SKELETON:L2] [CHANGED] [+1 -14] [REMOVED:dropped] [FULL:moved]\n")
    assert "⋮-     value = value + 1 * 3  # line 3 of moved\n    value = value - 3\n" in context
    assert "LIMITS = {\n    'a': 1,\n⋮-     'b': 2,\n}\n" in context
    assert "⋮- def dropped(value):\n⋮-     value = value + 1 * 0  # line 0 of dropped\n" in context


def test_the_most_changed_comes_first_and_code_before_tests(shop: Path) -> None:
    write_tree(
        shop,
        {
            "shop/stock.py": STOCK.replace("# line 3 of moved", "# another"),
            "shop/prices.py": TREE["shop/prices.py"].replace("of reduced", "of what is reduced"),
            "tests/test_stock.py": TREE["tests/test_stock.py"] + "".join(function(f"test_{n}", 9) for n in range(4)),
            "README.md": TREE["README.md"].replace("Sentence 4 ", "Words "),
        },
    )
    result = shown(shop)
    assert paths(result) == ["shop/prices.py", "shop/stock.py", "tests/test_stock.py", "README.md"]
    assert "⋮- Sentence 4 of the text.\nWords of the text.\n" in result.context
    assert "Sentence 40 " not in result.context
    tight = shown(shop, 400, summary=False)
    assert "[FULL:reduced]" in tight.context
    assert "of moved" not in tight.context


def test_callers_of_a_changed_signature_and_tests_of_what_changed_follow(shop: Path) -> None:
    changed = STOCK.replace("def counted(value)", "def counted(value, by=1)").replace("# line 3 of moved", "# another")
    write_tree(shop, {"shop/stock.py": changed})
    result = shown(shop)
    assert paths(result) == ["shop/stock.py", "shop/desk.py", "tests/test_stock.py"]
    assert "⋮- def counted(value):\ndef counted(value, by=1):\n" in result.context
    assert "def sell(value):" in result.context
    assert "def show" not in result.context  # the signature of what it calls is as it was
    assert "def test_all_are_counted():" in result.context


def test_of_what_is_larger_than_most_the_lines_that_changed_come_first(shop: Path) -> None:
    write_tree(
        shop,
        {
            "shop/large.py": TREE["shop/large.py"].replace("# line 150 of large", "# another"),
            "shop/stock.py": STOCK.replace("# line 3 of moved", "# another"),
        },
    )
    tight = shown(shop, 700).context
    assert "⋮-     value = value + 1 * 150  # line 150 of large\n    value = value + 1 * 150  # another\n" in tight
    assert "[FULL:moved]" in tight
    assert "# line 20 of large" not in tight
    whole = shown(shop, 6000).context
    assert whole.count(" of large\n") == 200
    assert "line 1 of small" not in whole


def test_that_nothing_changed_is_said_so(shop: Path) -> None:
    assert shown(shop).context == "⋮ Nothing changed: the work tree is as the last commit left it.\n"
    assert shown(shop, changed="HEAD").context == "⋮ Nothing changed here in 'HEAD'.\n"
    beside = shown(shop, query="counted")
    assert beside.context.startswith("⋮ Nothing changed: the work tree is as the last commit left it.\n+++ ")


def test_a_deleted_file_is_told_with_what_it_defined(shop: Path) -> None:
    (shop / "shop/prices.py").unlink()
    assert shown(shop).context == "+++ shop/prices.py [DELETED] [REMOVED:price_of,reduced,taxed]\n"


@pytest.mark.parametrize("others", [1, 60])
def test_a_member_of_a_type_inside_another_is_named_where_the_other_is(tmp_path: Path, others: int) -> None:
    def java(name: str, body: str) -> str:
        return f"package shop;\n\npublic class {name} {{\n{body}}}\n"

    used = "  Object made(Retry.Builder builder) {\n    return builder.build();\n  }\n"
    tree = {
        "shop/Use.java": java("Use", used),
        "shop/Till.java": java("Till", "  static class Builder {\n    Till build() { return null; }\n  }\n"),
        "shop/Day.java": java("Day", used.replace("Retry", "Till")),
    } | {f"shop/M{n:02}.java": java(f"M{n:02}", "  Object build() { return 1; }\n") for n in range(others)}
    git(tmp_path, "init", "-q", "-b", "main")
    write_tree(tmp_path, tree)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    write_tree(tmp_path, {"shop/Till.java": java("Till", "  static class Builder {\n  }\n")})
    context = shown(tmp_path.resolve()).context
    assert "[REMOVED:Till.Builder.build]" in context
    assert ("shop/Day.java" in context) == (others == 1)  # of too many to compare nothing is said
    assert "shop/Use.java" not in context


def test_what_still_names_what_went_is_shown_line_by_line(tmp_path: Path) -> None:
    tree = {
        "shop/__init__.py": "from shop.stock import dropped\nfrom shop.stock import kept\n",
        "shop/stock.py": function("dropped", 3)
        + function("kept", 3)
        + "class Till:\n    def close_up(self):\n        return 1\n\n    def get(self):\n        return 2\n",
        "shop/old.py": "class Ledger:\n    def book(self):\n        return 3\n",
        "shop/use.py": "from shop import stock\n\n\ndef sell(value):\n    value += 1\n    return stock.dropped(value)\n",
        "shop/day.py": "from shop.old import Ledger\nfrom shop.stock import Till, kept\n\n\ndef day(till: Till):\n"
        "    # dropped(1) is prose\n    Ledger().book()\n    till.close_up()\n    till.get()\n"
        + "    value = till\n" * 20
        + "    return kept(1)\n",
        "shop/own.py": "def dropped(value):\n    return value\n\n\ndef mine():\n    return dropped({}.get(1))\n",
    }
    git(tmp_path, "init", "-q", "-b", "main")
    write_tree(tmp_path, tree)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    (tmp_path / "shop/old.py").unlink()
    write_tree(
        tmp_path, {"shop/stock.py": function("kept", 3) + "class Till:\n    def open(self):\n        return 1\n"}
    )
    context = shown(tmp_path.resolve()).context
    blocks = {block.partition(" ")[0]: block for block in context.split("+++ ")[1:]}
    assert {*blocks} == {"shop/stock.py", "shop/__init__.py", "shop/day.py", "shop/use.py", "shop/old.py"}
    assert "[STILL-NAMES:dropped]" in blocks["shop/__init__.py"]
    assert "from shop.stock import dropped\n" in blocks["shop/__init__.py"]
    assert "[STILL-NAMES:dropped]" in blocks["shop/use.py"]
    assert "def sell(value):" in blocks["shop/use.py"]
    assert "    return stock.dropped(value)\n" in blocks["shop/use.py"]
    assert "[STILL-NAMES:Ledger,Till.close_up,Till.get]" in blocks["shop/day.py"]
    assert "    Ledger().book()\n    till.close_up()\n    till.get()\n" in blocks["shop/day.py"]
    assert "kept(1)" not in blocks["shop/day.py"]


def test_secrets_in_lines_that_went_are_not_shown(shop: Path) -> None:
    key = "AKIA" + "Z3MTFRQ7WPLN5XKD"
    write_tree(shop, {"shop/desk.py": f"KEY = '{key}'\n" + TREE["shop/desk.py"], ".env": "TOKEN=abc\n"})
    git(shop, "add", "-f", "-A")
    git(shop, "commit", "-q", "-m", "second")
    write_tree(shop, {"shop/desk.py": TREE["shop/desk.py"], ".env": "TOKEN=def\n"})
    context = shown(shop).context
    assert "⋮- KEY = " in context
    assert key not in context
    assert "abc" not in context


def test_what_did_not_fit_is_counted_and_comes_on_the_next_page(shop: Path) -> None:
    write_tree(shop, {f"shop/part_{number:02}.py": function(f"part_{number}", 9, step=2) for number in range(14)})
    engine = ContextEngine(Roots([shop]))
    seen: list[str] = []
    cursor = ""
    for _ in range(9):
        result = engine.get_context(str(shop), token_budget=900, changed="worktree", format="compact", cursor=cursor)
        seen += paths(result)
        cursor = result.metadata.next_cursor or ""
        if not cursor:
            break
        assert re.search(r"^⋮ \d+ more files$", result.context, re.MULTILINE)
    assert sorted(seen) == sorted(f"shop/part_{number:02}.py" for number in range(14))


DOC = "".join(f"// Sentence {number} of what it is good for, and of what it costs.\n" for number in range(25))


def test_of_what_has_another_doc_alone_the_doc_comes_and_what_changed_besides_whole(tmp_path: Path) -> None:
    def written(says: str, gives: str) -> str:
        documented = (
            f"{DOC}// {says} {n}.\nfunc Told{n}() int {{\n\tlog()\n\tlog()\n\tlog()\n\treturn 7 + {n}\n}}\n\n"
            for n in range(12)
        )
        computed = (f"func Count{n}() int {{\n\treturn {gives} + {n}\n}}\n\n" for n in range(12))
        return "package shop\n\n" + "".join((*documented, *computed))

    git(tmp_path, "init", "-q", "-b", "main")
    write_tree(tmp_path, {"shop.go": written("Tells", "1")})
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    write_tree(tmp_path, {"shop.go": written("Says", "2")})
    folder = tmp_path.resolve()
    context = shown(folder, 3000).context
    for number in range(12):
        assert f"\n// Says {number}.\nfunc Told{number}() int " in context
        assert f"⋮- // Tells {number}.\n" in context
        assert f"func Count{number}() int {{\n⋮- \treturn 1 + {number}\n\treturn 2 + {number}\n}}\n" in context
    assert "return 7 + 11" not in context
    assert "return 7 + 11" in shown(folder, 8000).context, "with room for it, it comes whole"


def test_a_docstring_is_a_doc(shop: Path) -> None:
    doc = "".join(f"    Sentence {number} of what it is good for, and of what it costs.\n" for number in range(40))
    text = f'def told(value):\n    """Tells.\n\n{doc}    """\n    return value\n\n\n' + function("counted", 4)
    write_tree(shop, {"shop/told.py": text})
    git(shop, "add", "-A")
    git(shop, "commit", "-q", "-m", "second")
    later = text.replace("Tells", "Says").replace("value + 1 * 2", "value + 3")
    write_tree(shop, {"shop/told.py": later})
    context = shown(shop, 400).context
    assert '"""Says.' in context
    assert '⋮-     """Tells.' in context
    assert "[FULL:counted]" in context


def test_of_what_has_other_comments_alone_these_come_and_the_smaller_are_whole_first(tmp_path: Path) -> None:
    def written(says: str) -> str:
        return "package shop\n\n" + "".join(
            f"func Count{n}() int {{\n\tfirst()\n\t// {says} {n}.\n"
            + "".join(f"\tcount{n}({line})\n" for line in range(5 if n == 11 else 40))
            + "\treturn 1\n}\n\n"
            for n in range(12)
        )

    git(tmp_path, "init", "-q", "-b", "main")
    write_tree(tmp_path, {"shop.go": written("Tells")})
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    write_tree(tmp_path, {"shop.go": written("Says")})
    context = shown(tmp_path.resolve(), 1000).context
    for number in range(12):
        assert f"⋮- \t// Tells {number}.\n\t// Says {number}.\n" in context
    assert "\tcount11(4)\n\treturn 1\n" in context
    assert "\tcount9(20)\n" not in context


def test_code_that_gives_way_to_a_comment_is_no_comment(tmp_path: Path) -> None:
    def written(says: str, guard: str) -> str:
        counted = "".join(f"\tcount({line})\n" for line in range(60))
        others = (f"func Other{n}() {{\n\t// {says}.\n" + "\tlog()\n" * 30 + "}\n\n" for n in range(8))
        return f"package shop\n\nfunc Count() int {{\n\tlog()\n\t{guard}\n{counted}\treturn 1\n}}\n\n" + "".join(others)

    git(tmp_path, "init", "-q", "-b", "main")
    write_tree(tmp_path, {"shop.go": written("Tells", "guard()")})
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    write_tree(tmp_path, {"shop.go": written("Says", "// Gone.")})
    context = shown(tmp_path.resolve(), 900).context
    assert "\tcount(59)\n\treturn 1\n" in context


def test_a_variable_that_is_called_as_what_went_is_no_use_of_it(tmp_path: Path) -> None:
    kept = "def kept(value):\n    all_dropped = value\n    return all_dropped\n\n\n"
    git(tmp_path, "init", "-q", "-b", "main")
    write_tree(tmp_path, {"shop.py": f"{kept}def all_dropped(value):\n    return value\n"})
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    write_tree(tmp_path, {"shop.py": kept})
    context = shown(tmp_path.resolve()).context
    assert "[REMOVED:all_dropped]" in context
    assert "STILL-NAMES" not in context


def test_the_lines_nearest_to_a_change_come_first_of_a_large_function(shop: Path) -> None:
    write_tree(
        shop, {"shop/large.py": TREE["shop/large.py"].replace("value + 1 * 150  # line 150 of large", "value - 3")}
    )
    context = shown(shop, 1200).context
    for line in (140, 160):
        assert f"# line {line} of large" in context
    for line in (1, 60):
        assert f"# line {line} of large" not in context


def test_callers_come_before_the_texts_of_a_new_file_of_tests(shop: Path) -> None:
    tests = "".join(function(f"test_{number}", 12, signature="") for number in range(30))
    write_tree(
        shop,
        {
            "shop/stock.py": STOCK.replace("def counted(value)", "def counted(value, other=1)"),
            "tests/test_new.py": tests,
        },
    )
    context = shown(shop, 2500).context
    assert "def sell(value):" in context
    assert "def test_29():" in context
    assert "[FULL:counted]" in context


_RUST = (
    "pub fn load(path: u32) -> u32 {\n    path + 1\n}\n\npub fn store(path: u32) -> u32 {\n    path - 1\n}\n\n"
    "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn loads() {\n"
    + "        assert_eq!(load(1), 2);\n" * 9
    + "    }\n}\n"
)


def test_what_a_query_is_about_comes_first_and_tests_beside_code_after_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    write_tree(tmp_path, {"store.rs": _RUST, "taxes.rs": "pub fn taxed(sum: u32) -> u32 {\n    sum * 2\n}\n"})
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    changed = _RUST.replace("path + 1", "path + 2").replace("(1), 2", "(1), 3").replace("path - 1", "path - 1 - 1")
    write_tree(tmp_path, {"store.rs": changed, "taxes.rs": "pub fn taxed(sum: u32) -> u32 {\n    sum * 3\n}\n"})
    assert "[FULL:load,store]" in shown(tmp_path, 180, summary=False).context
    assert paths(shown(tmp_path, query="taxed sum"))[0] == "taxes.rs"
