"""The wire of a stdio server: the process's own standard streams, taken away from everything else.

In stdio mode standard output is the protocol, and one stray byte ends the conversation. So before anything is served
the real descriptors are moved to private ones: descriptor 1 becomes a second standard error, for Python and native code
alike, until the process ends, and descriptor 0 becomes the null device, so that no child reads the client's messages.

Input runs through a socket pair, filled by a thread. A read from a pipe cannot be interrupted, a socket can be shut
down: so a signal ends the input, and the server stops the way it does when the client hangs up.
"""

from __future__ import annotations

import io
import os
import signal
import socket
import sys
import threading
import time
from typing import TYPE_CHECKING

import anyio
import msgspec

from server import ending

if TYPE_CHECKING:
    from types import FrameType

    from anyio import AsyncFile

_CHUNK = 65_536


class Wire(msgspec.Struct, frozen=True, kw_only=True):
    """The source of a client's messages, and the way of the answers.

    Attributes:
        reader: lines of UTF-8 text; ends when the client hangs up or `hang_up` is called.
        writer: the real standard output.
        real_input: the descriptor of the real standard input.
        source: the end of the socket pair that feeds the reader.
        bell: a byte sent here ends the service.
        waiting: where that byte arrives.
    """

    reader: AsyncFile[str]
    writer: AsyncFile[str]
    real_input: int
    source: socket.socket
    bell: socket.socket
    waiting: socket.socket

    def listen(self) -> None:
        """Starts to take in messages, and makes SIGTERM and SIGINT hang up. Called from the main thread."""

        def stop(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the form of a signal handler
            self.hang_up()

        # Python runs handlers in the main thread, which may be on its way to sleep in the event loop when the signal
        # comes. The bell is rung before that, by the interpreter's own handler.
        signal.set_wakeup_fd(self.bell.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        for work, name in ((self._pump, "standard input"), (self._see_to_the_end, "end of service")):
            threading.Thread(target=work, name=name, daemon=True).start()

    def hang_up(self) -> None:
        """Ends the input as if the client had done it, and the process soon after, whatever is still at work.

        Safe in a signal handler, which may interrupt code that holds any lock: it takes none.
        """
        self.bell.send(b"\0")

    def _see_to_the_end(self) -> None:
        """Ends the input when the bell rings, and the process where an engine or the client keeps it from ending."""
        self.waiting.recv(1)
        self.source.shutdown(socket.SHUT_WR)
        time.sleep(ending.GRACE)  # this thread is there for it; `end_after` begins another, which the system may refuse
        ending.end_now()

    def _pump(self) -> None:
        """Copies the real input to the server until either side ends."""
        try:
            while chunk := os.read(self.real_input, _CHUNK):
                self.source.sendall(chunk)
        except OSError:
            pass  # the server hung up first
        self.hang_up()


def take_standard_streams() -> Wire:
    """Takes the standard streams for the protocol and returns them as a wire. Called once in a process.

    A stream that the process was started without is the null device: no input is a client that hung up.
    """
    _occupy_standard_descriptors()
    source, sink = socket.socketpair()
    bell, waiting = socket.socketpair()
    bell.setblocking(False)
    real_input = os.dup(0)
    real_output = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison] - it is None where descriptor 1 was closed
        sys.stdout.flush()  # what was printed before goes the same way
    sys.stdout = sys.stderr
    return Wire(
        reader=anyio.wrap_file(io.TextIOWrapper(sink.makefile("rb"), encoding="utf-8", errors="replace")),
        writer=anyio.wrap_file(os.fdopen(real_output, "w", encoding="utf-8", newline="\n")),
        real_input=real_input,
        source=source,
        bell=bell,
        waiting=waiting,
    )


def _occupy_standard_descriptors() -> None:
    """Opens what is closed of 0, 1 and 2, so that no private descriptor can land on one of them."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest that is free
