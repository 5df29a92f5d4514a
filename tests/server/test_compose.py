"""The fleet of `examples/fleet`: it says what its tools take, its replicas start so, and its balancer loses no call."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import tomllib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
import yaml

from server.cli import command_line
from server.options import asked_settings
from tests.server.pipes import EXIT_TIMEOUT
from tests.server.web import Served, get, listening

if TYPE_CHECKING:
    from collections.abc import Generator

REPOSITORY = Path(__file__).parents[2]
FLEET = REPOSITORY / "examples" / "fleet"
COMPOSE: dict[str, Any] = yaml.safe_load((FLEET / "compose.yaml").read_text(encoding="utf-8"))
REPLICAS = ("replica-1", "replica-2")
NEEDED = re.compile(r"\$\{(\w+):\?[^}]+\}")
SAID = {"FRACTAL_CONTEXT_STORE_KEY": "a-key-for-tests-only", "FRACTAL_CONTEXT_TOKEN": "a-token-for-tests-only"}
SERVE = ("-m", "server", "serve")
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "zoom", "arguments": {"target": "a.py"}}}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def test_the_file_is_of_the_schema_of_compose() -> None:
    pytest.importorskip("check_jsonschema", reason="check-jsonschema, of the extra `dev`, is not installed")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, str(FLEET / "compose.yaml")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", REPLICAS)
def test_the_replicas_start_with_what_the_file_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = COMPOSE["services"][name]
    variables = {key: NEEDED.sub(lambda found: SAID[found[1]], value) for key, value in service["environment"].items()}
    for key, value in variables.items():
        monkeypatch.setenv(key, value)
    words = [word.replace("/code", str(tmp_path)) for word in service["command"]]
    settings = asked_settings(command_line().parse_args(words))
    (port,) = COMPOSE["services"]["balancer"]["ports"]
    assert settings.port == int(port.rpartition(":")[2])
    assert settings.store is not None
    assert settings.token == SAID["FRACTAL_CONTEXT_TOKEN"]
    assert settings.workers == 1
    assert 0 < settings.drain < int(service["stop_grace_period"].removesuffix("s"))


def test_what_the_file_names_is_there() -> None:
    services = COMPOSE["services"]
    build = services["replica-1"]["build"]
    dockerfile = (FLEET / build["context"] / build["dockerfile"]).read_text(encoding="utf-8")
    assert all(f"ARG {name}=" in dockerfile for name in build["args"])
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    assert {*build["args"]["EXTRA"].strip("[]").split(",")} <= {*extras}
    balanced = (FLEET / "haproxy.cfg").read_text(encoding="utf-8")
    assert re.findall(r"^\s+server \S+ (\S+)$", balanced, re.MULTILINE) == [f"{name}:8808" for name in REPLICAS]
    for service in services.values():
        assert {*service.get("depends_on", ())} <= {*services}
        for volume in service.get("volumes", ()):
            assert volume.startswith("${") or (FLEET / volume.partition(":")[0]).exists()


def ready(served: Served) -> Served:
    """Waits until new clients may come."""
    while get(f"{served.origin}/ready").status_code != 200:
        pass
    return served


@contextmanager
def haproxy(folder: Path, *replicas: Served) -> Generator[str]:
    """Gives the address of the balancer of the example, over servers of this machine."""
    place = folder / "balancer.sock"
    text = (FLEET / "haproxy.cfg").read_text(encoding="utf-8")
    text = text.replace("bind :8808", f"bind unix@{place}").replace("resolvers docker init-addr libc,none", "")
    text = re.sub(r"^resolvers docker\n.*\n", "", text, flags=re.MULTILINE)
    for name, replica in zip(REPLICAS, replicas, strict=True):
        text = text.replace(f"{name}:8808", f"127.0.0.1:{replica.port}")
    (folder / "haproxy.cfg").write_text(text, encoding="utf-8")
    with subprocess.Popen(["haproxy", "-db", "-f", str(folder / "haproxy.cfg")], stderr=subprocess.DEVNULL) as process:
        try:
            while not place.exists():
                assert process.poll() is None
            yield str(place)
        finally:
            process.terminate()
            process.wait(timeout=EXIT_TIMEOUT)


@pytest.mark.no_cover
@pytest.mark.skipif(shutil.which("haproxy") is None, reason="HAProxy is not installed: apt-get install haproxy")
def test_the_balancer_of_the_fleet_loses_no_call_while_a_replica_goes(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a = 1\n", encoding="utf-8")
    flags = ["--drain", "3"]
    with (
        listening(tmp_path, program=SERVE, flags=flags) as first,
        listening(tmp_path, program=SERVE, flags=flags) as second,
        haproxy(tmp_path, ready(first), ready(second)) as place,
        httpx2.Client(transport=httpx2.HTTPTransport(uds=place), timeout=EXIT_TIMEOUT) as client,
    ):

        def answered() -> int:
            return client.post("http://localhost/mcp", json=CALL, headers=HEADERS).status_code

        assert answered() == 200
        first.process.send_signal(signal.SIGTERM)
        seen: set[int] = set()
        while first.process.poll() is None:
            seen.add(answered())
        seen.add(answered())
        assert seen == {200}
        second.process.kill()
        second.process.wait(timeout=EXIT_TIMEOUT)
        assert answered() == 503
