"""Times the first call of a cold replica, with the store that the others have filled and without one.

    python -m benchmarks.fleet.cold --repos DIR --repository tokio --repository flask

Each replica is a server over HTTP with an empty cache of its own. Two of them answer the same calls behind one another,
which fills the store. Then a third that says it is ready answers its first call, the overview of the repository, or a
query: once with the store, once with none, in turns. The texts must be the same. The median of the rounds is told, and
what the store holds then.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

import httpx2

from benchmarks.fleet.serving import SECONDS, call, serving, store_bytes, store_server

BUDGET = 8000
QUERY = "where a time-out ends a connection"
CALLS: dict[str, dict[str, object]] = {"overview": {}, "query": {"query": QUERY}}


def first_call(root: Path, cache: Path, arguments: dict[str, object], store: str) -> tuple[float, str]:
    """Starts a server with an empty cache and returns the seconds and the text of its first call."""
    with serving([root], cache, store=store) as server, httpx2.Client(timeout=SECONDS) as client:
        answer = call(client, server.url, "get_context", token_budget=BUDGET, **arguments)
    if answer.is_error:
        raise SystemExit(f"{root}: {answer.text}")
    return answer.seconds, answer.text


def main() -> None:
    asking = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asking.add_argument("--repos", type=Path, required=True)
    asking.add_argument("--repository", action="append", required=True)
    asking.add_argument("--rounds", type=int, default=5)
    asked = asking.parse_args()
    print("| repository | first call | without the store | with it | ratio | the store then |")
    print("|---|---|---:|---:|---:|---:|")
    for name in asked.repository:
        root: Path = (asked.repos / name).absolute()
        for kind, arguments in CALLS.items():
            with tempfile.TemporaryDirectory() as folder, store_server() as store:
                empty = store_bytes(store)
                for number in range(2):
                    first_call(root, Path(folder, f"filling{number}"), arguments, store)
                alone: list[tuple[float, str]] = []
                joined: list[tuple[float, str]] = []
                for one in range(asked.rounds):
                    alone.append(first_call(root, Path(folder, f"alone{one}"), arguments, ""))
                    joined.append(first_call(root, Path(folder, f"joined{one}"), arguments, store))
                held = store_bytes(store) - empty
            if len({text for _, text in (*alone, *joined)}) != 1:
                raise SystemExit(f"{name}: the answers differ.")
            without, with_store = (statistics.median(s for s, _ in times) for times in (alone, joined))
            print(
                f"| {name} | {kind} | {without * 1e3:,.0f} ms | {with_store * 1e3:,.0f} ms"
                f" | {without / with_store:.1f} | {held / 1e6:.1f} MB |",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main())
