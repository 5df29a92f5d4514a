"""Compares detectors of secrets, by finds, errors and speed: `python -m benchmarks.secrets.compare --files DIR`.

The planted set and the look-alikes are those of the tests (`tests/workspace/planted.py`), each in a file of its own; real
files come from `--files`, a folder of repositories, of which at most `--megabytes` are read. Peers are measured where they
are installed: `kingfisher-secret-scanner` (Rust, in process) and `detect-secrets` (Python). A secret counts as found when
its last characters do not survive the removal of what a detector points at; a look-alike as kept when it survives whole.
Start is the time from the first import to the first result, in a process that has nothing cached.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from tests.workspace.planted import CONTAINERS, look_alikes, named_values, private_keys, vendor_tokens

Detector: TypeAlias = Callable[[bytes, str], list[bytes]]
"""Takes a file's bytes and name, gives the secrets that it points at."""

SAMPLE = b'token = "nothing"\n'


def ours() -> Detector:
    from workspace.secrets.redaction import redactions

    return lambda source, path: [source[one.start : one.end] for one in redactions(source, path)]


def kingfisher(confidence: str) -> Detector:
    rules: Any = importlib.import_module("kingfisher_sdk")
    scanner = rules.Scanner(rules.Rules(confidence=confidence, cache=False))

    def found(source: bytes, path: str) -> list[bytes]:
        del path
        return [one.secret.encode() for one in scanner.scan(source) if one.visible]

    return found


def detect_secrets() -> Detector:
    scan: Any = importlib.import_module("detect_secrets.core.scan")
    settings: Any = importlib.import_module("detect_secrets.settings")

    def found(source: bytes, path: str) -> list[bytes]:
        lines = list(enumerate(source.decode("utf-8", "replace").splitlines(), 1))
        with settings.default_settings():
            every = scan._process_line_based_plugins(lines, filename=path)  # noqa: SLF001 - what its command calls
            return [one.secret_value.encode() for one in every if one.secret_value]

    return found


DETECTORS: dict[str, tuple[str, Callable[[], Detector]]] = {
    "fractal-context": ("workspace", ours),
    "kingfisher, medium": ("kingfisher_sdk", lambda: kingfisher("medium")),
    "kingfisher, low": ("kingfisher_sdk", lambda: kingfisher("low")),
    "detect-secrets": ("detect_secrets", detect_secrets),
}


def planted() -> list[tuple[str, str, str]]:
    """Every planted secret: path, text, value; tokens of vendors in each container."""
    cases = [(*container(token), token) for token in vendor_tokens().values() for container in CONTAINERS]
    return cases + [(case.path, case.text, case.value) for case in (*private_keys(), *named_values())]


def without(text: str, secrets: list[bytes]) -> str:
    for secret in secrets:
        text = text.replace(secret.decode("utf-8", "replace"), "")
    return text


def real_files(folder: Path, megabytes: int) -> Iterator[tuple[str, bytes]]:
    left = megabytes * 1_000_000
    for place, folders, names in os.walk(folder, followlinks=True):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(names):
            path = Path(place, name)
            if path.is_symlink() or not path.is_file() or path.stat().st_size > 1 << 20:
                continue
            source = path.read_bytes()
            if b"\0" in source[:8192]:
                continue
            left -= len(source)
            if left < 0:
                return
            yield str(path), source


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=Path, help="folder of real repositories")
    parser.add_argument("--megabytes", type=int, default=20)
    asked = parser.parse_args()
    cases, alike = planted(), look_alikes()
    files = list(real_files(asked.files, asked.megabytes)) if asked.files else []
    size = sum(len(source) for _, source in files) / 1e6
    print(f"{len(cases)} planted, {len(alike)} look-alikes, {len(files)} real files of {size:.1f} MB")
    print("| detector | planted found | look-alikes kept | real files with findings | MB/s | start |")
    print("|---|---|---|---|---|---|")
    for name, (module, make) in DETECTORS.items():
        if importlib.util.find_spec(module) is None:
            print(f"| {name} | not installed | | | | |")
            continue
        start = time.process_time()
        detector = make()
        detector(SAMPLE, "a.py")
        started = time.process_time() - start
        found = sum(value[-6:] not in without(text, detector(text.encode(), path)) for path, text, value in cases)
        kept = sum(case.value in without(case.text, detector(case.text.encode(), case.path)) for case in alike)
        start = time.process_time()
        hits = sum(bool(detector(source, path)) for path, source in files)
        seconds = time.process_time() - start
        speed = f"{size / seconds:.1f}" if files else "–"
        print(
            f"| {name} | {found}/{len(cases)} | {kept}/{len(alike)} | {hits} | {speed} | {started:.2f} s |", flush=True
        )


if __name__ == "__main__":
    main()
