"""The command `view`: its arguments, and the server that it starts."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from server.places import place_of, query_of
from workspace.tokens import parse_budget

if TYPE_CHECKING:
    from collections.abc import Sequence

HOST = "127.0.0.1"
KEY_BYTES = 32
ONCE = "!"
"""Before a code that stands in the place of the key."""

MOST_PORT = 65535


def add_view_command(commands: Any, parents: Sequence[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Adds the command to a parser's commands and returns its own parser, without a function to call."""
    view: argparse.ArgumentParser = commands.add_parser(
        "view",
        parents=parents,
        help="open a page that shows what a budget buys, and follows edits",
        description="Serves the page of `pack --report` on loopback, for this user's browser alone, and opens it: the"
        " budget, the query, the focus and a zoom are asked of the running engines, and an edit shows by itself. It"
        " only reads. Ctrl-C ends it.",
    )
    view.add_argument("path", metavar="PATH", nargs="?", help="folder or file (the first root)")
    view.add_argument(
        "--budget", metavar="TOKENS", help="tokens to begin with: 8000, 8k, unlimited (the default budget)"
    )
    asking = view.add_mutually_exclusive_group()
    asking.add_argument(
        "--query", default="", metavar="TEXT", help="what to ask to begin with; - reads it from standard input"
    )
    asking.add_argument("--query-file", type=Path, metavar="FILE", help="a file that holds the query")
    view.add_argument(
        "--focus", action="append", default=[], metavar="NAME", help="a path, glob or symbol to begin with; repeatable"
    )
    view.add_argument(
        "--port", type=_port, default=0, metavar="N", help="the port; 0 takes any that is free (%(default)s)"
    )
    view.add_argument("--no-open", action="store_true", help="print the address, and open no browser")
    return view


def run_view(asked: argparse.Namespace) -> None:
    """Serves the page for parsed arguments until SIGTERM or SIGINT.

    Raises:
        FractalContextError: the path is not there, an argument is wrong, or the port cannot be listened on.
    """
    settings, place = place_of(asked)
    base = settings.roots.resolve(place)
    parse_budget(asked.budget)
    import secrets  # what follows is for this command alone
    import threading

    import uvicorn

    from server.http import ending_hard, listening, run_here, serving_config
    from server.indexing import Engines, open_index, open_records
    from server.view.answers import Answers, Question
    from server.view.app import view_app
    from server.view.following import Following

    first = Question(budget=asked.budget or "", query=query_of(asked), focus=asked.focus)
    key, code = secrets.token_urlsafe(KEY_BYTES), secrets.token_urlsafe(KEY_BYTES)
    settings = replace(settings, host=HOST, port=asked.port, token=key, allowed_hosts=(), allowed_origins=(), workers=1)
    listener = listening(settings.host, settings.port)
    with closing(open_index(settings, isolated=True)) as index, listener:
        answers = Answers(Engines(index, open_records(settings)), str(base), settings.default_budget)
        following = Following(settings.roots, base, lambda: server.should_exit)
        server = uvicorn.Server(
            serving_config(lambda: ending_hard(view_app(answers, following, first, settings, code=code)), settings)
        )
        run = run_here(server, listener)
        # Whoever reads this may send a signal at once: it is heard from here on.
        address = f"http://{HOST}:{listener.getsockname()[1]}/"
        sys.stderr.write(f"fractal-context: {base} is shown at {address}#{key}\nCtrl-C ends it.\n")
        sys.stderr.flush()
        if not asked.no_open:
            # Some browsers run in the terminal, and as long as somebody looks.
            threading.Thread(target=_opened, args=(f"{address}#{ONCE}{code}",), name="browser", daemon=True).start()
        run()


def _opened(address: str) -> None:
    import webbrowser  # seldom needed

    if not webbrowser.open(address):
        sys.stderr.write("fractal-context: no browser could be opened; open the address above in one.\n")


def _port(text: str) -> int:
    if text.isdecimal() and int(text) <= MOST_PORT:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is a number from 0 to {MOST_PORT}, not {text!r}")
