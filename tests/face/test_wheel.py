"""The package as people get it: a wheel is built from this tree, installed elsewhere, and used from another folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fractal_context.own import PACKAGES
from tests.face.traps import imported, trapped_project
from tests.server.pipes import EXIT_TIMEOUT, REPOSITORY, as_message

if TYPE_CHECKING:
    from collections.abc import Sequence

LIBRARY = ("ContextEngine", "Skeletonizer", "zoom", "CompactionEngine", "CompressionEngine")


def plain() -> dict[str, str]:
    """Returns the environment of someone who has nothing of this tree on a search path, nor a measuring of coverage."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "COV_", "COVERAGE_", "VIRTUAL_ENV"))
    }


def ran(words: Sequence[str | Path], cwd: Path, *, seconds: int = EXIT_TIMEOUT, **variables: str) -> str:
    done = subprocess.run(
        words,
        cwd=cwd,
        env=plain() | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, (words, done.stderr.decode())
    return done.stdout.decode()


def built(folder: Path, kind: str = "wheel") -> Path:
    """Builds the wheel, or the source archive, into a folder and returns it."""
    ran(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder],
        REPOSITORY,
        SOURCE_DATE_EPOCH="1700000000",
    )
    (found,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return found


def programs_of(place: Path) -> Path:
    """Returns the folder in which an environment keeps its programs."""
    return place / ("Scripts" if os.name == "nt" else "bin")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel; what it needs is that of this process, as nothing is fetched."""
    place = tmp_path_factory.mktemp("environment")
    ran([sys.executable, "-m", "venv", "--without-pip", place], place)
    pip = [sys.executable, "-m", "pip", "--python", place, "install", "--no-deps", "--no-index", "--no-compile", wheel]
    ran(pip, place)
    (packages,) = place.rglob("site-packages")
    found = [entry for entry in sys.path if Path(entry).name == "site-packages"]
    (packages / "what_it_needs.pth").write_text("\n".join(found), encoding="utf-8")
    return programs_of(place)


def test_the_wheel_holds_every_file_of_our_packages_and_nothing_else(wheel: Path) -> None:
    kept = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *sorted(PACKAGES)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]

    assert sorted(names) == sorted(name for name in set(kept.stdout.splitlines()) if (REPOSITORY / name).exists())
    for needed in ("skeleton/languages/zig.scm", "workspace/vocabularies/o200k_base.msgpack", "server/py.typed"):
        assert needed in names


def test_the_same_tree_gives_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    assert built(tmp_path).read_bytes() == wheel.read_bytes()


def test_what_is_installed_works_in_a_project_that_has_our_names(installed: Path, tmp_path: Path) -> None:
    project = trapped_project(tmp_path / "project")
    command = installed / "fractal-context"

    packed = ran([command, "pack", ".", "--budget", "4k"], project, PYTHONPATH=".")
    zoomed = ran([command, "zoom", "step_7"], project, PYTHONPATH=".")

    assert "steps_0.py" in packed
    assert "return value + 7" in zoomed
    assert imported(project) == []


@pytest.mark.long
def test_an_installed_server_its_workers_and_a_mirror_are_ours_there(installed: Path, tmp_path: Path) -> None:
    project = trapped_project(tmp_path / "project")

    served = served_in(project, installed / "fractal-context")
    ran([installed / "fractal-context", "mirror", ".", tmp_path / "mirror"], project, PYTHONPATH=".")

    assert "return value + 99" in served
    assert (tmp_path / "mirror" / "steps_0.py").exists()
    assert imported(project) == []


@pytest.mark.long
def test_the_example_programs_find_what_is_installed_there(installed: Path, tmp_path: Path) -> None:
    project = trapped_project(tmp_path / "project")
    for theirs in ("mcp", "msgspec", "logging", "multiprocessing"):  # an example is a program of its user's
        shutil.rmtree(project / theirs)

    told = ran(
        [installed / "python", REPOSITORY / "examples" / "sdk_client.py", ".", "step_7"], project, PYTHONPATH="."
    )

    assert "return value + 7" in told
    assert imported(project) == []


def served_in(project: Path, command: Path) -> str:
    """Asks a server for a context, which takes its workers, and for a definition; returns what it writes."""
    with subprocess.Popen(
        [command, "serve"],
        cwd=project,
        env=plain() | {"PYTHONPATH": "."},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        answers = ""
        for number, (method, params) in enumerate(
            (
                ("initialize", hello),
                ("tools/call", {"name": "get_context", "arguments": {"path": ".", "query": "step 77"}}),
                ("tools/call", {"name": "zoom", "arguments": {"target": "step_99", "path": "."}}),
            )
        ):
            asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            server.stdin.write(json.dumps(asked).encode() + b"\n")
            server.stdin.flush()
            while (message := as_message(server.stdout.readline())).get("id") != number:
                pass
            answers += json.dumps(message)
        server.communicate(timeout=EXIT_TIMEOUT)
    return answers


def test_the_installed_library_offers_its_engines_and_loads_them_when_they_are_asked_for(
    installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "shop.py").write_text("def price(cents: int) -> int:\n    return cents + 1\n", encoding="utf-8")
    program = (
        f"import sys, fractal_context; assert not {{'allocator', 'skeleton', 'compaction'}} & set(sys.modules)\n"
        f"from fractal_context import {', '.join(LIBRARY)}, CompressionLevel, Roots\n"
        "print(fractal_context.__file__)\n"
        "print(ContextEngine(Roots(['.'])).get_context('.', token_budget='1k').context)\n"
        "print(zoom('price', '.', roots=Roots(['.'])).text)\n"
        "print(Skeletonizer(CompressionLevel.SKELETON).skeletonize('def f(x):\\n    return x\\n', 'python').content)\n"
        "print(CompressionEngine, CompactionEngine)\n"
    )

    told = ran([installed / "python", "-c", program], tmp_path)

    assert str(REPOSITORY) not in told.splitlines()[0]
    assert "site-packages" in told.splitlines()[0]
    assert "+++ shop.py" in told
    assert "function price" in told
    assert "def f(x)" in told


@pytest.mark.long
def test_the_source_archive_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    source = built(tmp_path, "sdist")
    ran(["tar", "xf", source], tmp_path)
    (folder,) = tmp_path.glob("fractal_context-*/")
    again = tmp_path / "again"
    ran(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", again], folder, SOURCE_DATE_EPOCH="1700000000"
    )

    assert next(again.glob("*.whl")).read_bytes() == wheel.read_bytes()
