"""The README as a new user follows it: each of its commands is run from another folder, where only the package is.

The commands are read out of the README, so a new one is tried as well. What cannot be run here is named, with its reason.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.face.test_wheel import programs_of, ran, wheel
from tests.server.pipes import EXIT_TIMEOUT, REPOSITORY
from tests.server.test_docs import RUN, add_what_is_read, variables
from tests.trees import git

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["wheel"]

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
COMMANDS = [line.split(" #")[0].strip() for block in RUN.finditer(README) for line in block["script"].splitlines()]
SPOKEN = list(dict.fromkeys(re.findall(r"`(fractal-context [^`\n]+)`", README)))
"""Commands inside sentences."""
SNIPPETS = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
INSTALLERS = ("uvx", "uv", "pipx", "python3")

NOT_HERE = {
    "make context": "makes an environment of a clone",
    "make test": "runs these very tests",
    "make dist": "the same, with what checks a package",
    "fractal-context pack github:owner/name@rev": "fetches from the internet; tests/workspace/test_cloning.py clones",
}
"""The reasons why commands are not run by the tests of an installed package."""

OPEN_ENDED = frozenset({"fractal-context view"})
"""Commands that serve until they are stopped."""

INSTALLED_IN = 600
"""Seconds that installing everything may take, where it is fetched."""


def test_every_command_of_the_readme_is_run_or_named_with_its_reason() -> None:
    run = {
        line
        for line in (*COMMANDS, *SPOKEN)
        if line.startswith(("fractal-context ", *(f"{one} " for one in INSTALLERS)))
    }
    assert {*COMMANDS, *SPOKEN} == run | {line for line in NOT_HERE if line in COMMANDS}
    assert NOT_HERE.keys() <= {*COMMANDS, *SPOKEN}
    assert {*SPOKEN} >= OPEN_ENDED


@pytest.mark.long
@pytest.mark.timeout(2 * INSTALLED_IN)
@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_every_command_of_the_readme_runs_where_only_the_package_is(
    installer: str,
    wheel: Path,
    tmp_path: Path,
) -> None:
    programs = installed_by(installer, wheel, tmp_path)
    shop = shop_in(tmp_path)
    program = tmp_path / "bin" / "fractal-context"
    program.parent.mkdir()
    command = shlex.quote(str(programs / "fractal-context"))
    program.write_text(f'#!/bin/sh\nunset PYTHONPATH\nexec {command} "$@"\n', encoding="utf-8")
    program.chmod(0o755)

    own = [line for line in (*COMMANDS, *SPOKEN) if line.startswith("fractal-context ") and line not in NOT_HERE]
    for line in own:
        if line in OPEN_ENDED:
            assert "is shown at http://" in begun(line, shop)
        else:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", line],
                cwd=shop,
                env=variables(shop),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=EXIT_TIMEOUT,
                check=False,
            )
            assert done.returncode == 0, (line, done.stderr)
            assert done.stdout or done.stderr, line
    for block in SNIPPETS:
        assert "shop/cart.py" in ran([programs / "python", "-c", block], shop)
    assert len(own) > 9
    assert SNIPPETS


def installed_by(installer: str, package: Path, folder: Path) -> Path:
    """Installs the package with all that it needs into an environment, and returns the folder of its programs."""
    place = folder / "environment"
    if installer == "pip":
        ran([sys.executable, "-m", "venv", place], folder)
        ran([programs_of(place) / "pip", "install", "--quiet", package], folder, seconds=INSTALLED_IN)
        return programs_of(place)
    uv = shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not installed")
    ran([uv, "venv", "--python", sys.executable, place], folder)
    ran([uv, "pip", "install", "--python", place, package], folder, seconds=INSTALLED_IN)
    return programs_of(place)


def shop_in(folder: Path) -> Path:
    """A project that holds what the commands read."""
    shop = folder / "shop"
    shutil.copytree(REPOSITORY / "examples" / "shop", shop, ignore=shutil.ignore_patterns("__pycache__"))
    add_what_is_read(shop)
    git(shop, "tag", "v1")
    return shop


def begun(line: str, shop: Path) -> str:
    """Starts what serves until it is stopped, and returns the first line that it says."""
    words = ["bash", "-c", f"exec {line} --no-open --port 0"]
    with subprocess.Popen(words, cwd=shop, env=variables(shop), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        process.terminate()
    return said


@pytest.mark.long
@pytest.mark.timeout(2 * INSTALLED_IN)
@pytest.mark.parametrize("line", [line for line in COMMANDS if line.split()[0] in INSTALLERS])
def test_every_installer_of_the_readme_installs_it(line: str, tmp_path: Path) -> None:
    program = line.split()[0]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    clone = tmp_path / "clone"
    ran(["git", "clone", "--quiet", REPOSITORY, clone], tmp_path)
    names = ("UV_TOOL_DIR", "UV_TOOL_BIN_DIR", "PIPX_HOME", "PIPX_BIN_DIR", "HOME")
    places = {name: str(tmp_path / name.lower()) for name in names}

    told = ran(["bash", "-euc", line], clone, seconds=INSTALLED_IN, **places)

    if program != "uvx":
        (command,) = (*tmp_path.glob("*_bin_dir/fractal-context"), *tmp_path.glob("home/.*/bin/fractal-context"))
        told = ran([command, "pack", ".", "--budget", "8k"], clone, HOME=places["HOME"])
    assert "[OVERVIEW]" in told
