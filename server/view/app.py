"""The application behind the page of `view`: one page that anybody may load, and answers for who holds the key.

A page of somebody else, in the same browser, can reach this port. It is kept from reading and from steering by five
things, each of which would do: the Host header must name loopback, so no name of theirs leads here; a request that a
browser says comes from elsewhere (Origin, Sec-Fetch-Site) is refused; every answer needs the key, 256 random bits that
stand behind the # of the address, which browsers send to nobody; the key travels in a header that browsers let no page
send to another origin without asking first, and that question is not answered; and nothing is said here that would let
another origin read, frame or open the page and keep hold of it. The page itself holds nothing of the folder. What is
asked only reads.
"""

from __future__ import annotations

import hmac
import logging
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import anyio
import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from server.calls import Slots, run_call
from server.gate import guarded
from server.report.shell import as_json, live_page
from server.view.answers import Question, Target, TextsOf
from server.wording import told
from workspace.errors import FractalContextError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from allocator.progress import Progress
    from server.settings import Settings
    from server.view.answers import Answers
    from server.view.following import Following

PAGE_PATH = "/"
KEY_PATH = "/key"

HEADERS = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"frame-ancestors 'none'"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)

_Asked = TypeVar("_Asked")
_Say: TypeAlias = "Callable[[dict[str, Any]], Awaitable[None]]"


def view_app(answers: Answers, following: Following, first: Question, settings: Settings, *, code: str) -> ASGIApp:
    """Returns the whole application.

    Args:
        answers: what is asked.
        following: tells when the folder has changed.
        first: what is asked for what a question leaves out.
        settings: its token is the key, and its limits are those of every request.
        code: is exchanged for the key, once. A browser is told an address on its command line, where other users see
            it.
    """
    codes = [code.encode()]
    page = live_page()
    slots = Slots()

    async def shell(_: Request) -> Response:
        return Response(page, media_type="text/html; charset=utf-8")

    def answering(
        kind: type[_Asked], work: Callable[[_Asked, Progress], dict[str, Any]], default: _Asked | None = None
    ) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            body = await request.body()
            try:
                asked = _asked(body, kind, default)
            except msgspec.DecodeError as error:
                return PlainTextResponse(f"The question is not of its form: {error}.", status_code=400)
            return _Lines(lambda say: _answer(lambda pulse: work(asked, pulse), slots, settings.time_limit, say))

        return answer

    async def record(request: Request) -> Response:
        version = await following.version()  # before the folder is read: what changes meanwhile is told of later

        def work(asked: Question, progress: Progress) -> dict[str, Any]:
            return {"version": version, **answers.record(asked, progress)}

        return await answering(Question, work, first)(request)

    async def exchange(request: Request) -> Response:
        given = await request.body()
        if not codes or not hmac.compare_digest(given, codes[0]):
            return PlainTextResponse(
                "This address opens the page once. Open the one that `fractal-context view` printed.", status_code=403
            )
        codes.clear()
        return PlainTextResponse(settings.token)

    async def changes(_: Request) -> Response:
        return _Lines(lambda say: following.tell(lambda version: say({"version": version})))

    routes = [
        Route(PAGE_PATH, shell, methods=["GET"]),
        Route(KEY_PATH, exchange, methods=["POST"]),
        Route("/record", record, methods=["POST"]),
        Route("/texts", answering(TextsOf, answers.texts), methods=["POST"]),
        Route("/zoom", answering(Target, answers.zoom), methods=["POST"]),
        Route("/changes", changes, methods=["POST"]),
    ]
    return _Closed(guarded(_FromItself(Starlette(routes=routes)), settings, open_paths=(PAGE_PATH, KEY_PATH)))


def _asked(body: bytes, kind: type[_Asked], default: _Asked | None) -> _Asked:
    given = msgspec.json.decode(body, type=dict[str, Any])
    before: dict[str, Any] = {} if default is None else msgspec.to_builtins(default)
    return msgspec.convert(before | given, kind)


async def _answer(work: Callable[[Progress], dict[str, Any]], slots: Slots, seconds: float, say: _Say) -> None:
    """Says how far a call is, and then its answer, or why there is none."""

    async def report(done: float, total: float, stage: str) -> None:
        await say({"progress": [done, total, stage]})

    try:
        answer = await run_call(work, report=report, slots=slots, seconds=seconds)
    except FractalContextError as error:
        answer = {"error": told(error)}
    except Exception as error:
        # The top of this program: a fault of ours ends no other call.
        logging.getLogger(__name__).exception("A question of the page failed.", exc_info=error)
        answer = {"error": f"This failed inside fractal-context ({type(error).__name__}); its log holds more."}
    await say(answer)


class _Lines(Response):
    """An answer in lines of JSON, each sent as soon as it is said; it is given up when the browser is gone."""

    def __init__(self, tell: Callable[[_Say], Awaitable[None]]) -> None:
        super().__init__()
        self._tell = tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - as every response
        headers = [(b"content-type", b"application/x-ndjson")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

        async def say(line: dict[str, Any]) -> None:
            body = as_json(line).encode() + b"\n"
            await send({"type": "http.response.body", "body": body, "more_body": True})

        async with anyio.create_task_group() as tasks:

            async def until_gone() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                tasks.cancel_scope.cancel()

            tasks.start_soon(until_gone)
            await self._tell(say)
            await send({"type": "http.response.body", "body": b""})
            tasks.cancel_scope.cancel()


class _FromItself:
    """Refuses a request that a browser makes for a page of somebody else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Request(scope).headers
            origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
            opened_by_hand = site == "none" and scope["path"] == PAGE_PATH
            if (site != "same-origin" and not opened_by_hand) or origin not in (None, f"http://{headers['host']}"):
                refusal = PlainTextResponse(
                    "Another page asked for this one. Open it by its address, as `fractal-context view` printed it.",
                    status_code=403,
                )
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


class _Closed:
    """Tells the browser, with every answer, that no other page may have it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_closed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        await self._app(scope, receive, send_closed)
