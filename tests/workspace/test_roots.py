from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.trees import write_tree
from workspace import FractalContextError, InvalidArgumentError, OutsideRootsError, PathNotFoundError, Roots
from workspace.paths import shown
from workspace.roots import UnnamedRoots


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_tree(tmp_path / "secret", {"key": "k", "folder/inner": "i"})
    write_tree(tmp_path / "repo-old", {"b.py": "b"})
    return write_tree(tmp_path / "repo", {"a.py": "a", "src/b.py": "b"}).resolve()


def test_a_relative_path_is_found_below_the_root(root: Path) -> None:
    assert Roots([root]).resolve("src/../src/b.py") == root / "src/b.py"


def test_an_absolute_path_inside_is_taken_as_it_is(root: Path) -> None:
    assert Roots([root]).resolve(str(root / "a.py")) == root / "a.py"
    assert Roots([root]).resolve(str(root)) == root


def test_an_address_of_a_file_is_the_path_in_it(root: Path) -> None:
    (root / "a b.py").touch()
    for address in (f"file://{root}/a%20b.py", f"FILE://localhost{root}/a%20b.py", f"file:{root}/a%20b.py"):
        assert Roots([root]).resolve(address) == root / "a b.py"
    for outside in (f"file://{root.parent}/secret/key", "file://elsewhere/a b.py", f"file://{root}/%2e%2e/secret/key"):
        with pytest.raises((OutsideRootsError, PathNotFoundError)):
            Roots([root]).resolve(outside)


def test_a_relative_path_is_tried_against_the_base_and_then_against_every_root(root: Path, tmp_path: Path) -> None:
    other = write_tree(tmp_path / "other", {"c.py": "c", "a.py": "other"}).resolve()
    roots = Roots([root, str(other)])
    assert roots.resolve("c.py") == other / "c.py"
    assert roots.resolve("a.py") == root / "a.py"
    assert roots.resolve("a.py", base=other) == other / "a.py"
    assert roots.resolve("b.py", base=root / "src") == root / "src/b.py"


def test_a_base_outside_the_roots_opens_nothing(root: Path, tmp_path: Path) -> None:
    with pytest.raises(OutsideRootsError):
        Roots([root]).resolve("../secret/key", base=root)
    with pytest.raises(PathNotFoundError):
        Roots([root]).resolve("key", base=tmp_path / "secret")


def test_a_folder_whose_name_begins_like_the_root_is_outside(root: Path, tmp_path: Path) -> None:
    with pytest.raises(OutsideRootsError):
        Roots([root]).resolve(str(tmp_path / "repo-old/b.py"))


@pytest.mark.parametrize(
    "escape", ["../secret/key", "src/../../secret/key", "missing/../../secret/key", "a.py/../../secret"]
)
def test_dots_do_not_lead_out(root: Path, escape: str) -> None:
    with pytest.raises(OutsideRootsError):
        Roots([root]).resolve(escape)


def test_a_link_that_leads_out_of_the_root_is_refused(root: Path, tmp_path: Path) -> None:
    (root / "out").symlink_to(tmp_path / "secret")
    (root / "gone").symlink_to(tmp_path / "nothing")
    roots = Roots([root])
    for path in ("out/key", "out", "out/missing", "gone", "out/folder/../key"):
        with pytest.raises(OutsideRootsError):
            roots.resolve(path)


def test_a_link_that_stays_inside_is_followed(root: Path) -> None:
    (root / "link").symlink_to("src/b.py")
    assert Roots([root]).resolve("link") == root / "src/b.py"


def test_the_root_may_be_named_through_a_link(root: Path, tmp_path: Path) -> None:
    alias = tmp_path / "alias"
    alias.symlink_to(root)
    roots = Roots([alias, root])
    assert roots.paths == (root,)
    assert roots.resolve(str(alias / "a.py")) == root / "a.py"


def test_links_in_a_circle_are_not_found(root: Path) -> None:
    (root / "x").symlink_to("y")
    (root / "y").symlink_to("x")
    with pytest.raises(PathNotFoundError):
        Roots([root]).resolve("x")


def test_the_refusal_is_the_same_whether_or_not_the_outside_path_exists(root: Path, tmp_path: Path) -> None:
    roots = Roots([root])
    messages: list[str] = []
    for name in ("key", "nil"):
        with pytest.raises(OutsideRootsError) as refused:
            roots.resolve(str(tmp_path / "secret" / name))
        messages.append(str(refused.value).replace(name, "…"))
    assert messages[0] == messages[1]
    assert "--root" in messages[0]


def test_a_missing_path_inside_is_said_to_be_missing(root: Path) -> None:
    for path in ("nothing.py", str(root / "src/nothing/deep"), "a.py/below"):
        with pytest.raises(PathNotFoundError, match="does not exist"):
            Roots([root]).resolve(path)


@pytest.mark.parametrize("path", ["", "a\0b", "x" * 5000, "\ud800", "~", "~/a.py", "~root/x"])
def test_what_can_be_no_path_is_refused(root: Path, path: str) -> None:
    with pytest.raises(InvalidArgumentError):
        Roots([root]).resolve(path)


def test_a_name_that_begins_with_a_tilde_can_still_be_reached(root: Path) -> None:
    (root / "~x").write_text("x", encoding="utf-8")
    assert Roots([root]).resolve("./~x") == root / "~x"


def test_a_long_path_is_cut_in_the_message_and_control_characters_are_escaped(root: Path) -> None:
    with pytest.raises(PathNotFoundError) as missing:
        Roots([root]).resolve("a\n" + "x" * 4000)
    assert len(str(missing.value)) < 400
    assert "\n" not in str(missing.value)


def test_a_name_that_is_not_utf8_is_reached_by_its_shown_form(root: Path) -> None:
    name = os.fsdecode(b"caf\xe9\n.py")
    (root / name).write_bytes(b"1")
    assert Roots([root]).resolve(shown(name)) == root / name
    assert Roots([root]).resolve(name) == root / name


def test_a_root_must_be_a_folder(root: Path) -> None:
    for wrong in (root / "a.py", root / "missing", "", "~"):
        with pytest.raises(InvalidArgumentError):
            Roots([wrong])
    with pytest.raises(InvalidArgumentError, match="--root"):
        Roots([])


def test_holding_goes_by_components_and_trusts_no_dots(root: Path) -> None:
    roots = Roots([root])
    assert roots.holds(root)
    assert roots.holds(root / "anything")
    assert not roots.holds(root.parent)
    assert not roots.holds(root / ".." / "secret")
    assert not roots.holds(Path(f"{root}-old"))


@given(
    names=st.lists(st.sampled_from(["repo", "repo-old", "src", "..", "a.py", "...", "a..", "b (deleted)"]), max_size=5)
)
def test_a_place_as_the_system_writes_it_is_held_when_its_path_is(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    top = tmp_path_factory.getbasetemp()
    write_tree(top / "repo", {"src/b.py": "b"})
    for roots in (Roots([top / "repo"]), Roots([top / "repo/src", top / "repo"]), Roots(["/"])):
        for place in ("/".join([str(top), *names]), "/" + "/".join(names)):
            assert roots.holds_place(place) == roots.holds(Path(place))


def test_the_outermost_root_is_the_one_with_the_shortest_path(root: Path) -> None:
    roots = Roots([root / "src", root])
    assert roots.outermost(root / "src/b.py") == root
    with pytest.raises(OutsideRootsError):
        roots.outermost(root.parent)


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("src/b.pyy", "src/b.py"),
        ("scr/b.py", "src/b.py"),
        ("srcs", "src"),
        ("scr/gone/b.py", "src"),
        (".gitignor", ".gitignore"),
        ("gitignore", ""),
        ("src/nothing/like.it", ""),
        ("nowhere/at/all", ""),
        ("SRC", "src"),
        ("src/B.PY", "src/b.py"),
        ("repo/src/b.py", "src/b.py"),
        ("./repo/src", "src"),
        ("repo//src", "src"),
        ("repo/other", ""),
        ("src/c.py", ""),
    ],
)
def test_a_path_with_a_slip_is_answered_with_the_nearest_that_is_there(tmp_path: Path, path: str, meant: str) -> None:
    folder = write_tree(tmp_path / "repo", {"src/b.py": "b", ".gitignore": ""})
    with pytest.raises(PathNotFoundError) as caught:
        Roots([folder]).resolve(path)
    hint = f"Did you mean '{meant}'?" if meant else "Check the spelling."
    assert str(caught.value) == f"'{path}' does not exist inside the allowed roots. {hint}"


def test_backslashes_are_answered_with_the_path_that_is_meant(tmp_path: Path) -> None:
    folder = write_tree(tmp_path / "repo", {"src/b.py": "b"})
    for path in ("src\\b.py", ".\\src\\b.py"):
        with pytest.raises(PathNotFoundError, match=r"Did you mean 'src/b\.py'\?$"):
            Roots([folder]).resolve(path)


@pytest.mark.parametrize(
    ("path", "advice"),
    [
        ("src/*.py", "A path is no pattern; give that as `include`."),
        ("Config.load", "Check the spelling; if it is a definition, name it in `focus`, or zoom it."),
        ("session.jsonl", "Check the spelling."),
        ("src/b.py::Config", "Check the spelling; if it is a definition, name it in `focus`, or zoom it."),
    ],
)
def test_what_is_no_path_is_answered_with_where_it_belongs(tmp_path: Path, path: str, advice: str) -> None:
    folder = write_tree(tmp_path / "repo", {"src/b.py": "b"})
    with pytest.raises(PathNotFoundError) as caught:
        Roots([folder]).resolve(path)
    assert str(caught.value) == f"'{path}' does not exist inside the allowed roots. {advice}"


def test_a_slip_tells_nothing_of_what_lies_outside(tmp_path: Path) -> None:
    folder = write_tree(tmp_path / "repo", {"src/b.py": "b"})
    write_tree(tmp_path, {"secret/key.txt": "k", "repos/a.py": "a"})
    (folder / "out").symlink_to("../secret")
    for path in ("out/key.tx", "../secre", "../repo/../repost", str(tmp_path / "secrets")):
        with pytest.raises(OutsideRootsError) as caught:
            Roots([folder]).resolve(path)
        assert "Did you mean" not in str(caught.value)


def test_the_name_of_a_root_before_a_path_tells_nothing_of_what_lies_outside(tmp_path: Path) -> None:
    folder = write_tree(tmp_path / "repo", {"src/b.py": "b"})
    write_tree(tmp_path, {"secret/key.txt": "k"})
    (folder / "out").symlink_to("../secret")
    for path in ("repo/out/key.txt", "repo/out/../../secret", f"repo/{tmp_path}/secret", "repo/../secret/key.txt"):
        with pytest.raises(PathNotFoundError, match=r"roots\. Check the spelling\.$"):
            Roots([folder]).resolve(path)


def test_what_is_nowhere_is_answered_with_all_of_several_roots(tmp_path: Path) -> None:
    first, second = write_tree(tmp_path / "a", {"x.py": "x"}), write_tree(tmp_path / "bank", {"lib/y.py": "y"})
    roots = Roots([first, second])
    for path, hint in (("bank", f"Did you mean '{second}'?"), ("zzz", "Check the spelling."), ("libs", "mean 'lib'?")):
        with pytest.raises(PathNotFoundError) as caught:
            roots.resolve(path)
        assert f"({first}, {second}). " in str(caught.value)
        assert hint in str(caught.value)


def test_a_root_that_is_gone_is_named(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    roots = Roots([root])
    root.rmdir()
    for path in (".", "src", str(root)):
        with pytest.raises(PathNotFoundError, match=f"{root} is not there any more"):
            roots.resolve(path)


def test_the_root_of_the_file_system_holds_everything(tmp_path: Path) -> None:
    assert Roots(["/"]).resolve(str(tmp_path)) == tmp_path.resolve()


parts = st.sampled_from(
    ["..", ".", "src", "a.py", "out", "up", "loop", "hop", "", "missing", "secret", "key", "repo", "~", "x\\n"]
)
any_path = st.lists(parts, min_size=1, max_size=7).map("/".join) | st.text(max_size=20)


@given(path=any_path, absolute=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=300)
def test_no_path_resolves_outside_the_roots(root: Path, tmp_path: Path, path: str, absolute: bool) -> None:
    for name, target in {"out": "../secret", "up": "..", "loop": "loop", "hop": "src"}.items():
        if not (root / name).is_symlink():
            (root / name).symlink_to(target)
    roots = Roots([root])
    try:
        real = roots.resolve(f"{root}/{path}" if absolute else path)
    except FractalContextError:
        return
    assert real == Path(os.path.realpath(real))
    assert real.is_relative_to(root)
    assert real.exists()


@pytest.mark.parametrize("then", [[], ["/there/is/none"]])
def test_folders_that_a_client_withdraws_are_not_read_any_more(tmp_path: Path, then: list[str]) -> None:
    own, declared = tmp_path / "own", tmp_path / "declared"
    own.mkdir()
    declared.mkdir()
    roots = UnnamedRoots(own)
    roots.declare([str(declared)])
    assert roots.paths == (declared.resolve(),)
    roots.declare(then)
    assert roots.paths == (own.resolve(),)
