"""Code run without the superuser's rights, whoever runs the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
NOBODY = 65_534

_SCRIPT = """
import os, sys
{code}
work(sys.argv[1])  # everything is loaded while it can be
if os.geteuid() == 0:
    os.setgroups([]); os.setgid({nobody}); os.setuid({nobody})
sys.stdout.write(work(sys.argv[1]))
sys.stdout.flush()
os._exit(0)
"""


def without_rights(code: str, argument: str) -> str:
    """Returns what a function `work(argument)` gives as text in a process that permissions do stop.

    Args:
        code: defines the function.
        argument: what it is called with; folders must be open to everybody.
    """
    search = os.pathsep.join(filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT.format(code=code, nobody=NOBODY), argument],
        env={**os.environ, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def open_to_everybody(folder: Path) -> Path:
    """Lets every user enter a folder of the test's own, and those above it that the test run has made."""
    for place in (folder, *folder.parents):
        if place.stat().st_uid == os.geteuid() and place != place.parent and not place.stat().st_mode & 0o001:
            place.chmod(0o755)
    return folder
