"""Commands without their start: a process that has loaded what they need forks for each of them.

A command takes half a second to load what it works with, `doctor` ten times that, and the tests run a hundred. Here each
costs a fork: the client hands its arguments, folder, environment and standard streams over a socket, and ends with the
exit code that comes back. What runs is the same (`server.cli.run`), in a process of its own, on the caller's streams.

    python -S commands.py SOCKET ARGUMENTS…    runs one command
    python -m tests.server.commands SOCKET     runs them for others, until its input ends
"""

import importlib
import json
import os
import socket
import sys

LOADED = (
    *("server.indexing", "server.doctor", "server.compress_command", "allocator.mirror", "skeleton.zoom.zoomer"),
    *("compaction.history", "compaction.prompt.messages"),
)
"""What commands load when they run."""


def ask(place: str, arguments: list[str]) -> int:
    """Has a command run and returns its exit code."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(place)
        asked = json.dumps([arguments, os.path.realpath("."), dict(os.environ)]).encode()
        socket.send_fds(connection, [len(asked).to_bytes(8, "big")], [0, 1, 2])
        connection.sendall(asked)
        answer = connection.recv(1)
    return answer[0] if answer else 1


def run_for_others(place: str) -> None:
    """Forks for each command that is asked for, until the standard input ends."""
    import select
    import signal

    from server.cli import run
    from skeleton.languages.headers import language_names
    from skeleton.languages.queries import Language
    from workspace.tokens import token_counter

    for name in LOADED:
        importlib.import_module(name)
    token_counter().count("Its vocabulary too.")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
        os.write(1, b"ready\n")
        while listener in select.select([listener, 0], [], [])[0]:
            connection, _ = listener.accept()
            size, streams, _, _ = socket.recv_fds(connection, 8, 3)
            asked = b""
            while len(asked) < int.from_bytes(size, "big"):
                asked += connection.recv(1 << 16)
            arguments, folder, variables = json.loads(asked)
            if arguments[:1] == ["doctor"]:
                for name in language_names():
                    Language.named(name)  # takes seconds, once
            if os.fork() == 0:
                listener.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for number, stream in enumerate(streams):
                    os.dup2(stream, number)
                os.chdir(folder)
                os.environ.clear()
                os.environ.update(variables)
                try:
                    code = run(arguments)
                except SystemExit as ended:
                    code = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
                sys.stdout.flush()
                sys.stderr.flush()
                connection.send(bytes([code]))
                sys.exit()
            for stream in streams:
                os.close(stream)
            connection.close()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(ask(sys.argv[1], sys.argv[2:]))
    run_for_others(sys.argv[1])
