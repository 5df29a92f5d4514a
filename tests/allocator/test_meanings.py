"""Whose a name is: votes for what is seen in a folder or a file alone come from there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.allocator.shop import overview
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path


def test_a_private_name_has_no_votes_of_other_packages(tmp_path: Path) -> None:
    body = "".join(f"\tsize_{number} := {number}\n" for number in range(30))
    tree = {
        f"part{number}/part.go": f"package part{number}\n\nfunc Part{number}(clientPool int) {{\n{body}}}\n"
        for number in range(20)
    }
    tree["part0/part.go"] += "\nfunc All() {\n\tnet.OpenAll()\n}\n"
    tree["go.mod"] = "module example.com/x\n"
    tree["net/net.go"] = f"package net\n\nfunc clientPool() int {{\n{body}}}\n\nfunc OpenAll() int {{\n{body}}}\n"
    told = re.search(r"^ *net\.go: (.*)$", overview(write_tree(tmp_path / "x", tree), 1000).context, re.MULTILINE)
    assert told is not None
    assert told[1] == "OpenAll, clientPool"
