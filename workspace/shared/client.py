"""The few commands of a Redis or Valkey server that are used here, on connections with short timeouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SOCKET_SECONDS: Final = 1.0
"""After which a thread gives up a server that says nothing."""

CONNECTIONS: Final = 8


class Client:
    """The client of one server; its library is loaded here. Threads share it. Its methods raise what the library raises.

    Args:
        url: where the server is.
    """

    def __init__(self, url: str) -> None:
        from redis import Redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        make = cast("Any", Redis.from_url)  # pyright: ignore[reportUnknownMemberType] - its options are not typed
        self._redis: Any = make(
            url,
            socket_timeout=SOCKET_SECONDS,
            socket_connect_timeout=SOCKET_SECONDS,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
            max_connections=CONNECTIONS,
        )

    def ping(self) -> None:
        """Asks whether the server is there."""
        self._redis.ping()

    def get_all(self, names: Sequence[bytes]) -> list[bytes | None]:
        """Returns the values of names, in their order."""
        return self._redis.mget(names)

    def set_all(self, values: Iterable[tuple[bytes, bytes, int]]) -> list[object]:
        """Sets names to values, each for some seconds, in one round trip; returns an exception for what is refused."""
        with self._redis.pipeline(transaction=False) as batch:
            for name, value, seconds in values:
                batch.set(name, value, ex=seconds)
            return batch.execute(raise_on_error=False)

    def memory(self) -> dict[str, object]:
        """Returns what the server says of its memory."""
        return self._redis.info("memory")

    def disconnect(self) -> None:
        """Ends all connections; the next command opens one."""
        self._redis.connection_pool.disconnect()
