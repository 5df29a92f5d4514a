"""Workers that are forks of a process with one thread, each test in a process of its own: that of the tests has more."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process is forked")

REPOSITORY = Path(__file__).parents[2]
BEGINNING = """
import contextlib, os, signal, sys, threading, time
from pathlib import Path
from skeleton.index.records import OF_LEVELS, OF_SKETCH
from skeleton.index.worker import Batch, Task, perform
from skeleton.index.workers import WORTH_STARTING_BYTES, Workers
from workspace.cancellation import CallCancelledError, CancelToken, cancellable
from workspace.tokens import DEFAULT_ENCODING

ASPECTS = tuple(sorted(map(int, OF_LEVELS | OF_SKETCH)))
LINES = "".join(f"def f{one}(x):\\n    return {one}\\n\\n" for one in range(20))
TASKS = [Task(f"m{number}.py", (LINES + f"N = {number}\\n").encode(), None, ASPECTS) for number in range(40)]

def command(pid):
    return Path(f"/proc/{pid}/cmdline").read_bytes()

def is_fork(pid):
    return command(pid) == command(os.getpid())

def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

def runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

def performed(workers, tasks=TASKS, died=lambda index, death: None):
    found = {}
    workers.perform(tasks, DEFAULT_ENCODING, done=found.__setitem__, died=died, tick=lambda: None)
    return [found.get(index) for index in range(len(tasks))]

def started(**options):
    workers = Workers(1, forks=True, **options)
    workers.prepare(WORTH_STARTING_BYTES, DEFAULT_ENCODING)
    return workers, *workers.processes()
"""


def alone(code: str) -> subprocess.CompletedProcess[str]:
    """Runs code in a process of its own, which must end well."""
    return subprocess.run(
        [sys.executable, "-c", BEGINNING + textwrap.dedent(code)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=250,
        check=True,
    )


def test_a_fork_finds_what_this_process_finds() -> None:
    alone("""
        workers, pid = started()
        assert is_fork(pid)
        assert performed(workers) == perform(Batch(DEFAULT_ENCODING, tuple(TASKS)))
        assert performed(Workers(1, isolated=True, forks=True)) == performed(Workers(0))
    """)


@pytest.mark.parametrize(
    "before", ["threading.Thread(target=time.sleep, args=(60,), daemon=True).start()", "import numpy, time"]
)
def test_a_process_with_threads_is_not_forked(before: str) -> None:
    ran = alone(f"""
        import os
        {before}
        threads = len(os.listdir("/proc/self/task"))
        workers, pid = started()
        print(is_fork(pid), threads)
    """)
    is_fork, threads = ran.stdout.split()
    assert (is_fork == "True") == (threads == "1")


def test_no_process_is_forked_where_that_was_not_asked_for() -> None:
    alone("""
        workers = Workers(1)
        workers.prepare(WORTH_STARTING_BYTES, DEFAULT_ENCODING)
        (pid,) = workers.processes()
        assert not is_fork(pid)
    """)


def test_a_fork_that_has_loaded_a_language_has_a_twin_and_this_process_loads_nothing() -> None:
    alone("""
        workers, pid = started()
        (worker,) = workers._idle
        worker.load(["python"])
        found = performed(workers)
        twin = worker.twin.process.pid
        assert is_fork(twin) and parent(twin) == pid
        assert "skeleton.index.facts" not in sys.modules
        assert workers.processes() == [pid]
        assert found == perform(Batch(DEFAULT_ENCODING, tuple(TASKS)))
    """)


@pytest.mark.parametrize("killed", ["pid", "twin"])
def test_a_fork_or_a_twin_that_is_killed_costs_nothing_but_time(killed: str) -> None:
    alone(f"""
        workers, pid = started()
        (worker,) = workers._idle
        worker.load(["python"])
        worker.wait_until_ready()
        twin = worker.twin.process.pid
        os.kill({killed}, signal.SIGKILL)
        assert performed(workers) == performed(Workers(0))
        assert performed(workers) == performed(Workers(0))
        workers.close()
        assert not any(map(runs, (pid, twin)))
    """)


def test_a_twin_that_dies_at_work_costs_no_file() -> None:
    alone("""
        workers, pid = started()
        (worker,) = workers._idle
        worker.load(["python"])
        worker.wait_until_ready()
        twin = worker.twin.process.pid
        threading.Timer(0.05, os.kill, (twin, signal.SIGKILL)).start()
        died = []
        found = performed(workers, TASKS * 5, died=lambda *of: died.append(of))
        assert not died
        assert found == performed(Workers(0), TASKS) * 5
    """)


def test_of_several_workers_one_has_a_twin() -> None:
    alone("""
        workers = Workers(3, forks=True)
        workers.prepare(3 * WORTH_STARTING_BYTES, DEFAULT_ENCODING)
        assert all(map(is_fork, workers.processes()))
        everyone = workers._idle[:]
        assert len(everyone) == 3
        for worker in everyone:
            worker.load(["python"])
        found = performed(workers, TASKS * 10)
        assert [worker.twin is not None for worker in everyone].count(True) == 1
        assert len(workers.processes()) == 3
        assert found == performed(Workers(0), TASKS) * 10
        pids = workers.processes()
        os.kill(pids[0], signal.SIGKILL)
        workers.close()
        assert not any(map(runs, pids))
    """)


def test_a_worker_that_the_system_lets_not_fork_works_without_a_twin() -> None:
    alone("""
        workers, pid = started()
        (worker,) = workers._idle
        fork = os.fork

        def refused():
            raise OSError("no process is to be had")

        workers.close()
        pool = Workers(1, forks=True)
        os.fork = lambda: fork() or setattr(os, "fork", refused) or 0
        pool.prepare(WORTH_STARTING_BYTES, DEFAULT_ENCODING)
        (worker,) = pool._idle
        worker.load(["python"])
        worker.wait_until_ready()
        assert worker.twin is None and worker.process.poll() is None
        assert performed(pool) == performed(Workers(0))
    """)


def test_what_is_foreseen_is_loaded_by_a_fork_and_its_twin_and_not_here() -> None:
    alone("""
        workers = Workers(1, forks=True)
        workers.foresee(DEFAULT_ENCODING, ["python"])
        (pid,) = workers.processes()
        (worker,) = workers._idle
        workers.foresee(DEFAULT_ENCODING, ["python"])
        assert workers.processes() == [pid]
        assert is_fork(pid) and worker.has_twin
        found = performed(workers, TASKS[:3])
        assert worker.twin is not None and "skeleton.index.facts" not in sys.modules
        assert found == performed(Workers(0), TASKS[:3])
        workers.close()
        assert not any(map(runs, (pid, worker.twin.process.pid)))
    """)


@pytest.mark.parametrize(("lines", "forks"), [(3000, 1), (30, 0)])
def test_a_first_look_at_little_source_forks_a_worker_as_well(lines: int, forks: int, tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"m{number}.py").write_text(f"A = {number}\n" * (lines // 10), encoding="utf-8")
    alone(f"""
        from skeleton.index.code_index import CodeIndex
        from skeleton.index.records import Aspect
        from workspace.files.scan import scan
        from workspace.roots import Roots

        roots, workers = Roots([Path({str(tmp_path)!r})]), Workers(1, forks=True)
        index = CodeIndex(roots, workers=workers)
        wanted = frozenset((Aspect.SURVEY, Aspect.WEIGHTS))
        index.files(scan(Path({str(tmp_path)!r}), roots=roots), wanted=wanted, first=frozenset((Aspect.SURVEY,)))
        assert len(workers.processes()) == {forks}
        assert all(worker.has_twin for worker in workers._idle)
        assert "skeleton.index.facts" not in sys.modules
    """)


@pytest.mark.parametrize(
    "made", ["Workers(1)", "Workers(0, forks=True)", "threading.Thread(target=time.sleep, args=(60,), daemon=True)"]
)
def test_nothing_is_foreseen_where_no_process_can_be_forked(made: str) -> None:
    alone(f"""
        made = {made}
        if isinstance(made, threading.Thread):
            made.start()
            made = Workers(1, forks=True)
        made.foresee(DEFAULT_ENCODING, ["python"])
        assert made.processes() == [] and made.started == 0
    """)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_command_without_standard_streams_has_forks_as_well(closed: str, tmp_path: Path) -> None:
    environment = {**os.environ, "FRACTAL_CONTEXT_CACHE": str(tmp_path / "cache")}
    command = f"{sys.executable} -m server pack skeleton/index --budget 3000 -o {tmp_path}/out.txt"
    subprocess.run(["sh", "-c", f"{command} {closed}"], cwd=REPOSITORY, env=environment, check=True, timeout=250)
    assert "workers.py" in (tmp_path / "out.txt").read_text(encoding="utf-8")


def test_a_language_that_is_broken_is_told_of_when_a_file_of_it_comes() -> None:
    alone("""
        import skeleton.languages.queries as queries

        def broken(name, text):
            raise queries.QueryFileError("broken")

        queries.compile_language = broken
        workers, pid = started()
        (worker,) = workers._idle
        worker.load(["python"])
        worker.wait_until_ready()
        assert worker.twin is not None
        assert worker.process.poll() is None
    """)


def test_a_worker_that_is_gone_when_it_should_load_has_no_twin() -> None:
    alone("""
        workers, pid = started()
        (worker,) = workers._idle
        os.kill(pid, signal.SIGKILL)
        worker.load(["python"])
        worker.wait_until_ready()
        assert worker.twin is None
        assert performed(workers) == performed(Workers(0))
    """)


def test_a_command_prints_the_same_with_forks_and_without(tmp_path: Path) -> None:
    def packed(*options: str) -> bytes:
        command = [
            sys.executable,
            "-m",
            "server",
            "pack",
            str(REPOSITORY / "skeleton" / "index"),
            "--budget",
            "3000",
            *options,
        ]
        environment = {**os.environ, "FRACTAL_CONTEXT_CACHE": str(tmp_path / str(len(options)) / str(options))}
        return subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, check=True).stdout

    for question in ([], ["--query", "how workers are started"]):
        assert packed(*question) == packed(*question, "--parsers", "0")


def test_a_fork_holds_none_of_the_files_of_the_process_and_ends_with_it() -> None:
    ran = alone("""
        read, write = os.pipe()
        kept = open(os.devnull, "w")
        workers, pid = started()
        workers._idle[0].wait_until_ready()
        held = sorted(os.readlink(f"/proc/{pid}/fd/{one}") for one in os.listdir(f"/proc/{pid}/fd"))
        assert all(one.startswith("pipe:") for one in held), held
        os.close(write)
        assert os.read(read, 1) == b""
        print(pid, flush=True)
        os._exit(0)
    """)
    pid = Path("/proc", ran.stdout.strip())
    for _ in range(6000):
        try:
            if pid.joinpath("stat").read_text().rpartition(")")[2].split()[0] == "Z":
                break
        except OSError:
            break
        time.sleep(0.01)  # until it has read the end of its input
    else:
        pytest.fail("the worker outlives the process that started it")


def test_nothing_that_the_process_has_still_to_say_is_said_twice() -> None:
    ran = alone("""
        sys.stdout.write("once")
        workers, pid = started()
        assert is_fork(pid)
        performed(workers)
        workers.close()
        for _ in range(6000):
            if not Path(f"/proc/{pid}").exists():
                break
            time.sleep(0.01)  # until the system has ended it
        else:
            raise AssertionError("it was not ended and waited for")
    """)
    assert (ran.stdout, ran.stderr) == ("once", "")


def test_a_fork_that_is_killed_costs_nothing_but_time_and_a_program_takes_its_place() -> None:
    alone("""
        workers, pid = started()
        assert is_fork(pid)
        os.kill(pid, signal.SIGKILL)
        while runs(pid):
            time.sleep(0.01)  # until it has heard of it
        assert performed(workers) == performed(Workers(0))
    """)


def test_the_time_that_a_call_has_is_not_that_of_the_forks_it_leaves_behind() -> None:
    alone("""
        seconds, pid = 0.25, None
        while pid is None:  # a machine that does much else may take all of the time to begin
            seconds *= 2
            with contextlib.suppress(CallCancelledError), cancellable(token := CancelToken(seconds)):
                workers, pid = started(isolated=True)
        assert is_fork(pid)
        while not token.is_late:
            time.sleep(0.01)  # until the limit has passed; the call that it was for is over, so nothing tells of it
        died = []
        assert None not in performed(workers, died=lambda *of: died.append(of))
        assert workers.processes() == [pid]
        assert not died
    """)
