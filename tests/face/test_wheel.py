"""The package as people get it: a wheel is built from this tree, installed elsewhere, and used from another folder."""

from __future__ import annotations

import json
import os
import re
import shlex
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
from tests.server.test_docs import RUN, add_what_is_read, printed

if TYPE_CHECKING:
    from collections.abc import Sequence

LIBRARY = ("ContextEngine", "Skeletonizer", "zoom", "CompactionEngine", "CompressionEngine")
INSTALLING = re.compile(r"^(?:uvx|uv|pipx) .*", re.MULTILINE)
INSTALLED_IN = 600
"""Seconds that installing everything may take, where it is fetched."""


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
@pytest.mark.timeout(2 * INSTALLED_IN)
@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_every_command_of_the_readme_runs_where_only_the_package_is(
    installer: str, wheel: Path, tmp_path: Path
) -> None:
    place = tmp_path / "environment"
    if installer == "uv":
        uv = shutil.which("uv")
        if uv is None:
            pytest.skip("uv is not installed")
        ran([uv, "venv", "--python", sys.executable, place], tmp_path)
        ran([uv, "pip", "install", "--python", place, wheel], tmp_path, seconds=INSTALLED_IN)
    else:
        ran([sys.executable, "-m", "venv", place], tmp_path)
        ran([programs_of(place) / "pip", "install", "--quiet", wheel], tmp_path, seconds=INSTALLED_IN)
    shop = tmp_path / "shop"
    shutil.copytree(REPOSITORY / "examples" / "shop", shop, ignore=shutil.ignore_patterns("__pycache__"))
    add_what_is_read(shop)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "fractal-context"
    command = shlex.quote(str(programs_of(place) / "fractal-context"))
    program.write_text(f'#!/bin/sh\nunset PYTHONPATH\nexec {command} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")

    for block in RUN.finditer(readme):
        printed(block["script"], shop)
    for block in re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL):
        assert "shop/cart.py" in ran([programs_of(place) / "python", "-c", block], shop)


@pytest.mark.long
@pytest.mark.timeout(2 * INSTALLED_IN)
@pytest.mark.parametrize("line", INSTALLING.findall((REPOSITORY / "README.md").read_text(encoding="utf-8")))
def test_every_installer_of_the_readme_installs_it(line: str, tmp_path: Path) -> None:
    program, *words = shlex.split(line)
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    clone = tmp_path / "clone"
    ran(["git", "clone", "--quiet", REPOSITORY, clone], tmp_path)
    places = {
        name: str(tmp_path / name.lower())
        for name in ("UV_TOOL_DIR", "UV_TOOL_BIN_DIR", "PIPX_HOME", "PIPX_BIN_DIR", "HOME")
    }

    told = ran([found, *words], clone, seconds=INSTALLED_IN, **places)

    if program != "uvx":
        (command,) = (
            Path(places[name], "fractal-context")
            for name in places
            if name.endswith("BIN_DIR") and Path(places[name]).exists()
        )
        told = ran([command, "pack", ".", "--budget", "8k"], clone, HOME=places["HOME"])
    assert "[OVERVIEW]" in told


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
