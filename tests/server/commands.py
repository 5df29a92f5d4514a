"""Commands without their start: a process that has loaded what they need forks for each of them.

A command takes half a second to load what it works with, a server two seconds and `doctor` five, and the tests run a
few hundred of them. Here each costs a fork: the client hands its arguments, folder, environment and standard streams
over a socket, passes on the signals that it gets, and ends as the command ended. What runs is the same
(`server.__main__.main`), in a process of its own, on the caller's streams.

    python -S commands.py SOCKET ARGUMENTS…    runs one command
    python -m tests.server.commands SOCKET     runs them for others, until its input ends
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import socket
import sys

LOADED = (
    *("server.indexing", "server.doctor", "server.compress_command", "allocator.mirror", "skeleton.zoom.zoomer"),
    *("compaction.history", "compaction.prompt.messages"),
)
"""Modules that commands load when they run."""

SERVED = ("server.app", "server.http", "rich.console", "rich.logging", "anyio._backends._asyncio")
"""Modules that a server loads besides; loaded when the first one is asked for."""

SPOKEN = "python"
"""The language of nearly all that commands read: it takes a moment to load."""

MEASURING = "COVERAGE_PROCESS_CONFIG"
"""The variable that has a process measure its coverage."""

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_NUMBER = 4
"""Bytes in which a process's number, and then the way it ended, is told."""


def ask(place: str, arguments: list[str]) -> int:
    """Has a command run and returns its exit code; where a signal ended it, the same ends this process."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(place)
        asked = json.dumps([arguments, os.path.realpath("."), dict(os.environ)]).encode()
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        socket.send_fds(connection, [len(asked).to_bytes(8, "big")], [0, 1, 2])
        for stream in (0, 1, 2):
            os.close(stream)  # the command alone holds them, so that whoever reads them hears of their end
        connection.sendall(asked)
        number = _number_from(connection)

        def pass_on(given: int, _: object) -> None:
            os.kill(number, given)

        for one in _SIGNALS:
            signal.signal(one, pass_on)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        code = _number_from(connection)
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


def _number_from(connection: socket.socket) -> int:
    told = connection.recv(_NUMBER, socket.MSG_WAITALL)
    if not told:
        sys.exit(1)  # the process that forks is gone
    return int.from_bytes(told, "big", signed=True)


def _tell(connection: socket.socket, number: int) -> None:
    connection.sendall(number.to_bytes(_NUMBER, "big", signed=True))


def run_for_others(place: str) -> None:
    """Forks for each command that is asked for, until the standard input ends; what still runs then is ended."""
    import select

    from skeleton.languages.headers import language_names
    from skeleton.languages.queries import Language
    from workspace.tokens import token_counter

    for name in LOADED:
        importlib.import_module(name)
    Language.named(SPOKEN)
    token_counter().count("Its vocabulary too.")
    running: dict[int, socket.socket] = {}
    ended, bell = os.pipe()
    for end in (ended, bell):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, _hear)
    signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen()
        os.write(1, b"ready\n")
        while 0 not in (ready := select.select([listener, ended, 0], [], [])[0]):
            if ended in ready:
                os.read(ended, 4096)
                _tell_of_the_ended(running)
            if listener not in ready:
                continue
            connection, _ = listener.accept()
            size, streams, _, _ = socket.recv_fds(connection, 8, 3)
            asked = b""
            while len(asked) < int.from_bytes(size, "big"):
                asked += connection.recv(1 << 16)
            arguments, folder, variables = json.loads(asked)
            if arguments[:1] == ["doctor"]:
                for name in language_names():
                    Language.named(name)  # takes seconds, once
            if arguments[:1] in (["serve"], ["misbehave"]):
                for name in SERVED:
                    importlib.import_module(name)
            gc.freeze()  # a fork need not look at, and so copy, what it has from here
            if (number := os.fork()) == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background has it ignored
                for inherited in (listener, connection, *running.values()):
                    inherited.close()
                for stream, given in enumerate(streams):
                    os.dup2(given, stream)
                for inherited in (ended, bell, *streams):
                    os.close(inherited)
                _run_here(arguments, folder, variables)
            for stream in streams:
                os.close(stream)
            running[number] = connection
            _tell(connection, number)
    for number in running:  # not waited for yet: no other process has its number
        os.kill(number, signal.SIGKILL)


def _hear(number: int, frame: object) -> None:
    """Does nothing, so that the bell of `set_wakeup_fd` is rung."""


def _tell_of_the_ended(running: dict[int, socket.socket]) -> None:
    """Tells each client whose command has ended how it did."""
    while running:
        number, status = os.waitpid(-1, os.WNOHANG)
        if not number:
            return
        with running.pop(number) as connection:
            try:
                _tell(connection, os.waitstatus_to_exitcode(status))
            except OSError:
                continue  # the client ended first


def _run_here(arguments: list[str], folder: str, variables: dict[str, str]) -> None:
    """Becomes the command, and ends with it. Its coverage is measured where the client's environment asks for that."""
    from server.__main__ import main

    if MEASURING in os.environ and MEASURING not in variables:
        import coverage

        measuring = coverage.Coverage.current()
        if measuring is not None:
            measuring.stop()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    if arguments[:1] == ["misbehave"]:
        from tests.server.misbehaving import serve

        serve(arguments[1:])
    sys.argv[1:] = arguments
    main()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(ask(sys.argv[1], sys.argv[2:]))
    run_for_others(sys.argv[1])
