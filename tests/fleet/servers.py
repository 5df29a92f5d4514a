"""Real Redis or Valkey servers on a socket or a port of their own, and a relay that makes the network behave badly."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Self

import pytest

PROGRAM = next(filter(None, map(shutil.which, ("valkey-server", "redis-server"))), None)
NEEDED = "FRACTAL_CONTEXT_TESTS_NEED_STORE"
"""Set where a missing server is a failure and no reason to skip (`.ci/run`)."""

MISSING = "Neither valkey-server nor redis-server is installed: apt-get install redis-server"
_START_SECONDS = 30


def require_program() -> str:
    """Returns the server's program; skips the test, or fails it, where there is none."""
    if PROGRAM is None:
        if os.environ.get(NEEDED):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    return PROGRAM


class StoreServer:
    """A server that keeps nothing on disk, on a free port of loopback and on a socket.

    Args:
        flags: more of its options.
    """

    def __init__(self, *flags: str) -> None:
        self._program = require_program()
        self._flags = flags
        self._folder = Path(tempfile.mkdtemp(prefix="store-"))
        self.socket = self._folder / "store.sock"
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    @property
    def tcp_url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts it, empty, and returns when it answers."""
        self._process = subprocess.Popen(
            [
                *(self._program, "--port", str(self.port), "--bind", "127.0.0.1", "--unixsocket", str(self.socket)),
                *("--save", "", "--appendonly", "no", "--dir", str(self._folder), *self._flags),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert self._process.stdout is not None
        seen = b""
        for line in self._process.stdout:
            seen += line
            if b"eady to accept connections unix" in line or b"now ready to accept connections at" in line:
                break
        else:
            raise AssertionError(seen.decode())
        self._reader = threading.Thread(target=self._process.stdout.read, daemon=True)
        self._reader.start()

    def stop(self) -> None:
        """Ends it at once; what it held is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._reader.join()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None
            self.socket.unlink(missing_ok=True)

    def ask(self, *words: str | bytes) -> bytes:
        """Sends a command over the socket and returns the whole answer as it comes."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_START_SECONDS)
            connection.connect(str(self.socket))
            parts = [word.encode() if isinstance(word, str) else word for word in (*words,)]
            connection.sendall(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(one), one) for one in parts))
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := connection.recv(1 << 16):
                answer += piece
            return answer

    def names(self) -> list[bytes]:
        """Returns the names of all values."""
        answer, found = self.ask("KEYS", "*"), list[bytes]()
        at = answer.index(b"\r\n") + 2
        while at < len(answer):  # a length, and so many bytes, of which any may be an end of line
            start = answer.index(b"\r\n", at) + 2
            end = start + int(answer[at + 1 : start - 2])
            found.append(answer[start:end])
            at = end + 2
        return found


class Relay:
    """A port of loopback that leads to another one, as well or as badly as it is told.

    Attributes:
        seconds: that every answer is held back.
        left: bytes of answers that are let through before both sides are cut off; None for all.
    """

    def __init__(self, port: int) -> None:
        self.seconds = 0.0
        self.left: int | None = None
        self._to = port
        self._ended = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._ended.set()
        self._listener.close()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                with suppress(OSError):
                    server = socket.create_connection(("127.0.0.1", self._to))
                    threading.Thread(target=self._forward, args=(client, server), daemon=True).start()
                    threading.Thread(target=self._answer, args=(server, client), daemon=True).start()
                    continue
                client.close()

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while piece := client.recv(1 << 16):
                server.sendall(piece)
        _cut(client, server)

    def _answer(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while piece := server.recv(1 << 16):
                self._ended.wait(self.seconds)
                if self.left is not None:
                    piece, self.left = piece[: self.left], max(0, self.left - len(piece))
                client.sendall(piece)
                if self.left == 0:
                    break
        _cut(client, server)


def free_port() -> int:
    """Returns a port of loopback that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def _cut(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
