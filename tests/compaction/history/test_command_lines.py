"""Command lines of shells: what runs stands at the beginning of a simple command, and nowhere else."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction.history.programs import answers_no, masks, only_looks, removed, runs_tests, starts, written
from compaction.history.shell import command_text, simple_commands


def _programs(line: str) -> list[str]:
    return [command.program for command in simple_commands(line)]


@pytest.mark.parametrize(
    ("line", "programs"),
    [
        ("git commit -am 'cleanup; rm old helper files'", ["git"]),
        ('echo "to clean up: cd x && rm src/app.py"', ["echo"]),
        ('git commit -m "$(cat <<\'EOF\'\nSay "no"; rm x\nrm y\nEOF\n)" && git push', ["cat", "git", "git"]),
        ("cat > a.sh <<EOF && make\nrm x\nEOF\nls # rm y", ["cat", "make", "ls"]),
        ("cat <<-A; cat <<B\n\trm x\n\tA\nrm y\nB\nls", ["cat", "cat", "ls"]),
        ("FOO=1 sudo -u bob timeout -k 5 60 .venv/bin/pytest -q", ["pytest"]),
        ("bash -lc 'cd a && python -X dev -m pytest -q | tail'", ["cd", "pytest", "tail"]),
        ("uv run --with x python -m pip install y", ["pip"]),
        ("for f in *.py; do rm $f; done", ["rm"]),
        ("if ! grep -q x a; then (cd b; ls) & fi", ["grep", "cd", "ls"]),
        ("a=(rm x) b=$((1 << 2)) c=$(date) make `pwd`", ["date", "pwd", "make"]),
        ("case $x in a) ls;; esac", ["ls"]),
        ("ls | xargs -n 1 rm", ["ls", "rm"]),
        ("pytest 2>&1 >log <in | tail", ["pytest", "tail"]),
        ("echo it's rm x", ["echo"]),
        ("nix-shell -p git --run 'cd a && pytest -q'", ["cd", "pytest"]),
        ("nix-shell -p git", ["nix-shell"]),
        ("nix develop .#dev --command bash -c 'go test ./...' && mise x -- npm ci", ["go", "npm"]),
        ("", []),
    ],
)
def test_a_line_runs_its_simple_commands(line: str, programs: list[str]) -> None:
    assert _programs(line) == programs


_OPERATORS = st.sampled_from([" && ", " || ", "; ", " | ", " & ", "\n"])
_WORDS = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1), min_size=1)


@given(st.lists(st.tuples(_WORDS, _OPERATORS), min_size=1, max_size=5))
def test_quoted_words_come_back_whatever_is_in_them(commands: list[tuple[list[str], str]]) -> None:
    line = "".join(f"./run {shlex.join(words)}{operator}" for words, operator in commands)
    found = simple_commands(line)
    assert [command.words for command in found] == [("./run", *words) for words, _ in commands]
    assert [command.then for command in found] == [operator.strip(" ") for _, operator in commands]


@given(st.text(alphabet="ab $(){}`'\"\\;|&<>\n#=-", max_size=200))
def test_any_text_is_read_to_its_end(line: str) -> None:
    assert len(simple_commands(line)) <= len(line)


@pytest.mark.parametrize("nested", ["$(", '"$(', "(", "((", "`", "<<a\n", "$((", "a=("])
def test_what_is_never_closed_is_read_in_one_pass(nested: str) -> None:
    simple_commands(nested * (40_000 // len(nested)))


@pytest.mark.parametrize(
    ("line", "tests"),
    [
        ("pytest -q", True),
        ("cd x && .venv/bin/pytest tests 2>&1 | tail -3", True),
        ("python -m unittest", True),
        ("python3 tests/runtests.py db", True),
        ("python manage.py test shop", True),
        ("bin/test sympy/core", True),
        ("npm run test:unit -- --watch", True),
        ("go test ./...", True),
        ("make -C sub -j8 check", True),
        ("docker compose exec web pytest -q", True),
        ("git commit -m 'run pytest in CI'", False),
        ("pip install pytest", False),
        ("grep -n pytest setup.cfg", False),
        ("ls tests/jest.config.js", False),
        ("cat tox.ini", False),
        ("which pytest", False),
        ("git log --grep=pytest", False),
        ("pytest --version", False),
        ("cargo check", False),
        ("test -f pytest", False),
        ("./test", False),
    ],
)
def test_tests_are_what_a_runner_of_tests_is_told_to_run(line: str, tests: bool) -> None:
    assert any(map(runs_tests, simple_commands(line))) is tests


@pytest.mark.parametrize(
    ("line", "looks", "asks", "hides"),
    [
        ("grep -rn x src | head -3", True, False, False),
        ("cd src && rg x", True, True, False),
        ("git diff --exit-code", True, True, False),
        ("git check-ignore -v a", True, True, False),
        ("cat a.md && git status -sb", True, False, False),
        ("find . -name '*.py' -exec grep x {} +", True, False, False),
        ("find . -name '*.pyc' -exec rm {} +", False, False, False),
        ("sed -n 1,20p a.py", True, False, False),
        ("sed -i s/a/b/ a.py", False, False, False),
        ("echo x > a.py", False, False, False),
        ("echo x > /dev/null", True, False, False),
        ("cat a.py | python b.py", False, False, False),
        ("make; echo done", False, False, True),
        ("pytest | tail -3", False, False, True),
        ("pytest | grep passed", False, False, True),
        ("cd x && npx tsc --noEmit 2>&1 | findstr /i error", False, True, True),
        ("make && ls | grep x", False, False, False),
        ("cd x; pytest", False, False, False),
        ("make && pytest", False, False, False),
        ("make || true", False, False, True),
        ("make &", False, False, True),
        ("make\n", False, False, False),
    ],
)
def test_lines_that_only_look_and_lines_that_hide_what_failed(line: str, looks: bool, asks: bool, hides: bool) -> None:
    assert (only_looks(line), answers_no(line), masks(line)) == (looks, asks, hides)


def test_paths_are_told_from_the_folder_that_the_line_begins_in() -> None:
    line = "cd src && rm -f a.py ../b.py; cd - && git rm -q c.py && git rm --cached d.py && rm -i x <<< n; rm $T; docker rm web"
    assert [path for command in simple_commands(line) for path in removed(command)] == [
        "src/a.py", "b.py", "c.py", "x",
    ]  # fmt: skip
    line = "cd src && mkdir -p out && make > log 2>/dev/null; (cd /tmp; touch t) && cp a.py b.py lib/"
    assert [path for command in simple_commands(line) for path in written(command)] == [
        "src/out", "src/log", "/tmp/t", "src/lib", "src/lib/a.py", "src/lib/b.py",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        (r"del c:\w\iam.tf C:\w\secrets.tf 2>nul", [r"c:\w\iam.tf", r"C:\w\secrets.tf"]),
        (r"cd c:\w\infra && rmdir /s /q .terraform", [r"c:\w\infra\.terraform"]),
        (r'cd /d "C:\Program Files\x" && del /f a\b.txt', [r"C:\Program Files\x\a\b.txt"]),
        (r"Remove-Item src\a.ts -Force", [r"src\a.ts"]),
        ("rm a\\ b 'c\\d' \"e\\\\f\"", ["a b", r"c\d", r"e\f"]),
    ],
)
def test_a_backslash_parts_the_names_of_a_path_in_shells_of_windows_alone(line: str, paths: list[str]) -> None:
    assert [path for command in simple_commands(line) for path in removed(command)] == paths


def test_lines_of_windows_name_their_programs_and_start_nothing_with_an_ampersand() -> None:
    line = r"ping -n 10 127.0.0.1 >nul & c:\w\.venv\Scripts\python.exe -m pytest -q & .\gradlew test"
    assert _programs(line) == ["ping", "pytest", "gradlew"]
    assert not any(starts(command) or command.writes for command in simple_commands(line))


@pytest.mark.parametrize(
    ("line", "programs", "looks"),
    [
        ("@'\n$i=1; Get-Content a.py | ForEach-Object { '{0}: {1}' -f $i, $_; $i++ }\n'@ | powershell -NoProfile -Command -",
         ["Get-Content", "ForEach-Object"], True),
        ("$t = Get-Content a.py\nfor($i=2; $i -le 5; $i++){ '{0}' -f $t[$i] }", ["Get-Content"], True),
        ("$p='C:\\a.sh'; if (Test-Path $p) { Get-Content $p } else { 'NO' }", ["Test-Path", "Get-Content"], True),
        ("Get-ChildItem | ForEach-Object { Remove-Item $_ }", ["Get-ChildItem", "ForEach-Object", "Remove-Item"], False),
        (r"& 'C:\Program Files\x.exe'; node_modules\.bin\vitest.cmd run", ["x", "vitest"], False),
        (r"..\..\.venv\Scripts\python.exe -m pytest", ["pytest"], False),
        ("@'\nx", [], False),
    ],
)  # fmt: skip
def test_lines_of_powershell_run_what_stands_in_their_blocks_and_no_values(
    line: str, programs: list[str], looks: bool
) -> None:
    assert _programs(line) == programs
    assert only_looks(line) is looks


def test_what_goes_on_when_a_line_has_ended() -> None:
    starting = ["npm run dev", "make serve &", "python -m http.server", "docker compose up -d", "docker run -d img"]
    assert all(any(map(starts, simple_commands(line))) for line in starting)
    ending = ["timeout 9 npm start", "make 2>&1", "docker run img", "echo 'npm start &'", "npm run build"]
    assert not any(any(map(starts, simple_commands(line))) for line in ending)


def test_a_command_is_a_line_or_words_and_of_a_shell_that_is_started_the_line_it_is_given() -> None:
    assert command_text({"command": ["bash", "-lc", "make check"]}) == "make check"
    assert command_text({"command": ["git", "commit", "-m", "a b"]}) == "git commit -m 'a b'"
    assert command_text({"command": ["make check"]}) == "make check"
    assert command_text({"cmd": " ls ", "code": "x"}) == "ls"
    assert command_text({"cmd": "ls", "code": "x"}, "code") == "x"
    assert command_text({"command": 3}) == ""
