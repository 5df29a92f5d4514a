"""Our own packages are found wherever the command runs, and nothing of the project that it looks at is imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import fractal_context
from fractal_context import CompressionLevel, ContextEngine, Roots, Skeletonizer, zoom
from fractal_context.own import HOME
from tests.face.traps import TRAP, imported, trapped_project
from tests.server.pipes import EXIT_TIMEOUT, RawServer


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return trapped_project(tmp_path / "project")


@pytest.fixture(autouse=True)
def without_measuring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps the measuring of coverage out of the processes: it imports modules before the application's first line."""
    for name in [name for name in os.environ if name.startswith(("COV_", "COVERAGE_"))]:
        monkeypatch.delenv(name)


def ran(project: Path, *words: str, search: str = ".", cwd: Path | None = None) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=cwd or project,
        env={**os.environ, "PYTHONPATH": search},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=EXIT_TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_the_trap_closes_on_whoever_imports_from_there(project: Path) -> None:
    for name in ("server", "tiktoken"):
        with pytest.raises(AssertionError, match="RuntimeError"):
            ran(project, "-c", f"import {name}")
    assert sorted(imported(project)) == ["server/was-imported", "tiktoken/was-imported"]


@pytest.mark.parametrize("search", [".", "", "{project}", "{project}/server:."])
def test_a_command_runs_ours_and_imports_nothing_of_the_project(project: Path, search: str) -> None:
    search = search.format(project=project)

    packed = ran(
        project, "-m", "fractal_context", "pack", ".", "--budget", "4k", "--skeleton", "enabled", search=search
    )
    zoomed = ran(project, "-m", "fractal_context", "zoom", "step_7", search=search)

    assert "steps_0.py" in packed
    assert "return value + 7" in zoomed
    assert imported(project) == []


def test_a_script_as_installers_write_it_runs_ours(project: Path, tmp_path: Path) -> None:
    script = tmp_path / "bin" / "fractal-context"
    script.parent.mkdir()
    script.write_text("import sys\nfrom fractal_context.__main__ import main\nsys.exit(main())\n")

    assert "steps_0.py" in ran(project, str(script), "pack", ".", "--budget", "4k")
    assert "steps_0.py" in ran(project, str(script), "pack", str(project), search=str(project), cwd=tmp_path)
    assert imported(project) == []


def test_a_server_over_a_pipe_and_its_workers_run_ours(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f".{os.pathsep}{project}")
    with RawServer(project, program=("-m", "fractal_context", "serve")) as server:
        server.initialize()
        shown = json.dumps(server.answer_to(server.call("get_context", path=".", token_budget=4000, query="step 77")))
        found = json.dumps(server.answer_to(server.call("zoom", target="step_99", path=".")))
        server.rest()

    assert "steps_0.py" in shown
    assert "return value + 99" in found
    assert imported(project) == []


def test_what_else_is_on_the_search_path_comes_behind_what_is_installed(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "tiktoken").mkdir(parents=True)
    (other / "tiktoken" / "__init__.py").write_text(TRAP)
    (other / "only_there.py").write_text("")
    program = (
        "from fractal_context.own import find_own_packages_first as find; find(); find()\n"
        "import only_there, tiktoken, server.cli, sys, os\n"
        "print(server.cli.__file__, sys.path[-1], os.environ['PYTHONPATH'])"
    )

    told = ran(project, "-c", program, search=f".{os.pathsep}{other}").split()

    assert told == [str(Path(HOME, "server", "cli.py")), str(other), str(other)]
    assert imported(tmp_path) == []


def test_the_library_changes_nothing_of_the_program_that_imports_it(project: Path) -> None:
    program = (
        "import sys; path, finders = list(sys.path), list(sys.meta_path)\n"
        "from fractal_context import ContextEngine, Skeletonizer\n"
        "assert sys.path == path and sys.meta_path == finders"
    )

    assert ran(project, "-P", "-c", program, search="") == ""


def test_a_package_that_hides_one_of_ours_is_named(project: Path) -> None:
    program = (
        "import sys, types; taken = types.ModuleType('skeleton'); taken.__file__ = '/elsewhere/skeleton.py'\n"
        "sys.modules['skeleton'] = taken\n"
        "try:\n    from fractal_context import Skeletonizer\n"
        "except ImportError as error:\n    print(error)"
    )

    told = ran(project, "-P", "-c", program, search="")

    assert "'skeleton'" in told
    assert "/elsewhere/skeleton.py" in told


def test_every_public_name_is_there() -> None:
    assert dir(fractal_context) == sorted(fractal_context.__all__)
    assert all(getattr(fractal_context, name) is not None for name in fractal_context.__all__)
    assert callable(zoom)
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = fractal_context.nothing_like_it  # pyright: ignore[reportAttributeAccessIssue]


def test_the_engines_work_through_the_face(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(x: int) -> int:\n    return x\n")

    assert "def f" in ContextEngine(Roots([tmp_path])).get_context(str(tmp_path), token_budget="1k").context
    assert "return x" in zoom("f", str(tmp_path), roots=Roots([tmp_path])).text
    assert (
        "return"
        not in Skeletonizer(CompressionLevel.SKELETON)
        .skeletonize("def f(x: int) -> int:\n    return x\n", "python")
        .content
    )
