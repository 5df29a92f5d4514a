"""Times what works files out, as it is and compiled, taken in turns over the same files.

    python -m benchmarks.speed.compiled --repos DIR --repository tokio --compiler cython --compiler mypyc

The modules that read, render and prove sources, and cut words out of them (`MODULES`), are copied and compiled there as they
stand, each into an extension of its own; the compilers are installed beforehand (`pip install cython mypy setuptools`), and one
for C. A module that a compiler refuses stays as it is, and is named. Ratios are of the processor's seconds of the best of some
rounds; that both give the same bytes is asked.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parents[2]
PACKAGES = ("skeleton", "workspace")
MODULES = ("skeleton/outline/*.py", "skeleton/render/*.py", "skeleton/proof/*.py", "skeleton/index/terms.py")
COMPILERS = ("cython", "mypyc")

_BUILD = """
import sys
from setuptools import Extension, setup
compiler, module = sys.argv[1:]
sys.argv = [sys.argv[0], "build_ext", "--inplace"]
if compiler == "mypyc":
    from mypyc.build import mypycify
    built = mypycify(["--ignore-missing-imports", "--follow-imports=silent", module])
else:
    from Cython.Build import cythonize
    named = Extension(module[:-3].replace("/", "."), [module])
    built = cythonize([named], compiler_directives={"language_level": 3, "annotation_typing": False}, quiet=True)
setup(name="compiled", packages=[], ext_modules=built)
"""

_WORK = """
import hashlib, json, sys, time
from pathlib import Path
from skeleton.index import terms
from skeleton.languages.queries import Language
import skeleton.proof.likeness, skeleton.render.docs
from skeleton.recognition import language_of
from skeleton.skeletonizer import definitions_of, skeletons
from workspace.files.reading import read_file
from workspace.files.scan import scan
from workspace.model import Problem
from workspace.roots import Roots
roots = Roots([Path(sys.argv[1])])
read = [read_file(file, roots=roots) for file in scan(Path(sys.argv[1]), roots=roots).files]
sources = [(one.source, language_of(one.path, one.source)) for one in read if not isinstance(one, Problem)]
sources = [(source, language) for source, language in sources if isinstance(language, Language)]
for language in {language.name: language for _, language in sources}.values():
    definitions_of(b"", language)
digest, seconds = hashlib.sha256(), {"outline": 0.0, "words": 0.0, "skeletons": 0.0}
for source, language in sources:
    began = time.process_time()
    outline = definitions_of(source, language)
    seconds["outline"] += time.process_time() - began
    began = time.process_time()
    words = terms.terms_of(source, outline)
    seconds["words"] += time.process_time() - began
    began = time.process_time()
    levels = skeletons(source, language)
    seconds["skeletons"] += time.process_time() - began
    digest.update(repr((outline, words, levels.plus.text, levels.skeleton.text)).encode())
compiled = [not sys.modules[one].__file__.endswith(".py") for one in sys.argv[2:]]
print(json.dumps([seconds, digest.hexdigest(), len(sources), compiled]))
"""


def compiled(compiler: str, patterns: Sequence[str], place: Path) -> list[str]:
    """Copies our packages and compiles modules of them there.

    Args:
        compiler: one of `COMPILERS`.
        patterns: of the modules.
        place: an empty folder.

    Returns:
        The modules that the compiler refused.
    """
    for package in PACKAGES:
        shutil.copytree(HERE / package, place / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    modules = [str(file.relative_to(place)) for pattern in patterns for file in sorted(place.glob(pattern))]
    return [module for module in modules if not module.endswith("__init__.py") and not _build(compiler, module, place)]


def _build(compiler: str, module: str, place: Path) -> bool:
    """Compiles a module; tells whether that went well."""
    ran = subprocess.run([sys.executable, "-c", _BUILD, compiler, module], cwd=place, capture_output=True, check=False)
    return not ran.returncode


def worked(place: Path, folder: Path, modules: Sequence[str]) -> tuple[dict[str, float], str, int, list[bool]]:
    """Works out all files of a folder with the packages of a place, in a process of its own.

    Args:
        place: where our packages lie.
        folder: whose files are worked out.
        modules: of ours, by their names.

    Returns:
        Seconds of the processor for each part, the digest of what came out, the number of files, and for each module
        whether it is compiled.
    """
    ran = subprocess.run(
        [sys.executable, "-P", "-c", _WORK, str(folder), *modules],
        env={**os.environ, "PYTHONPATH": str(place)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    seconds, digest, files, is_compiled = json.loads(ran.stdout)
    return seconds, digest, files, is_compiled


def main() -> int:
    """Prints a row for each repository and compiler."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="folder of repositories")
    parser.add_argument("--repository", action="append", required=True, help="one of them; repeatable")
    parser.add_argument("--compiler", action="append", choices=COMPILERS, required=True, help="repeatable")
    parser.add_argument("--module", action="append", default=[], help="pattern of modules (repeatable; MODULES)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each; the best counts (%(default)s)")
    asked = parser.parse_args()
    print("| compiler | modules | repository | files | outline | words | skeletons |\n|---|--:|---|--:|--:|--:|--:|")
    for compiler in asked.compiler:
        with tempfile.TemporaryDirectory() as held:
            place = Path(held)
            refused = compiled(compiler, asked.module or MODULES, place)
            shutil.rmtree(place / "build", ignore_errors=True)
            built = [str(file.relative_to(place)).partition(".")[0] for file in sorted(place.rglob("*.so"))]
            modules = [file.replace(os.sep, ".") for file in built if "__mypyc" not in file]
            for name in asked.repository:
                print(_row(compiler, place, asked.repos / name, modules, asked.rounds), flush=True)
            if refused:
                print(f"\n{compiler} refuses {', '.join(refused)}.")
    return 0


def _row(compiler: str, place: Path, folder: Path, modules: Sequence[str], rounds: int) -> str:
    best: list[dict[str, float]] = [{}, {}]
    digests: set[str] = set()
    files = 0
    for _ in range(rounds):
        for number, where in enumerate((HERE, place)):
            seconds, digest, files, is_compiled = worked(where, folder, modules)
            assert is_compiled == [bool(number)] * len(modules), (
                "the modules that are timed are not those that were compiled"
            )
            digests.add(digest)
            best[number] = {part: min(taken, best[number].get(part, taken)) for part, taken in seconds.items()}
    assert len(digests) == 1, "what was compiled gives other bytes"
    plain, after = best
    cells = " | ".join(f"{plain[part]:.2f} -> {after[part]:.2f} s ({after[part] / plain[part]:.2f})" for part in plain)
    return f"| {compiler} | {len(modules)} | {folder.name} | {files} | {cells} |"


if __name__ == "__main__":
    sys.exit(main())
