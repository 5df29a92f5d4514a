"""The state of the world: a line is what a call ran and answered, and goes when a later call ends what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compaction.history import CompactionEngine, CompactionOptions, Mode, Section
from compaction.history.messages import pair_calls
from compaction.history.transcript import from_messages, parse
from compaction.history.world import world
from tests.compaction.history.sessions import called, compacted, said, session

if TYPE_CHECKING:
    from pathlib import Path

    from compaction.values import JsonObject

_FAILING = ("pytest -q", "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 3 passed in 0.41s")


def _messages(*calls: tuple[str | dict[str, str], str]) -> list[JsonObject]:
    """A session of commands, or of edits by their arguments, with what each answered."""
    made: list[JsonObject] = []
    for number, (what, answer) in enumerate(calls):
        name, arguments = ("Bash", {"command": what}) if isinstance(what, str) else ("Write", what)
        made += called(number, name, {**arguments}, answer)
    return session(*made)


def _state(*calls: tuple[str | dict[str, str], str], earlier: str = "") -> dict[str, str]:
    messages = parse(from_messages(_messages(*calls)), None).messages
    return world(pair_calls(messages).calls, earlier).lines


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m 'run pytest in CI'",
        "pip install pytest",
        "grep -n pytest setup.cfg",
        "cat tox.ini",
        "which pytest",
    ],
)
def test_a_command_that_names_a_test_runner_hides_no_failing_tests(command: str) -> None:
    assert "1 failed, 3 passed" in _state(_FAILING, (command, "pytest-8.3 of tox"))["Last tests"]


def test_of_a_line_that_prints_a_heading_before_it_runs_tests_they_are_told_by_what_stands_below() -> None:
    line = "echo '== callers' && grep -rn run src; echo '== tests'; go test ./... | grep -v ^ok; echo ALL_DONE"
    answer = "== callers\nsrc/a.go:3: run(err, failed)\nsrc/b.go:4: run(nil)\n== tests\nALL_DONE"
    assert _state((line, answer))["Last tests"].endswith("`: ALL_DONE")


def test_tests_that_the_user_did_not_let_run_are_not_the_last() -> None:
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    assert "1 failed, 3 passed" in _state(_FAILING, ("pytest tests/b", refused))["Last tests"]


def test_windows_commands_in_a_row_are_not_running() -> None:
    state = _state(("taskkill /F /IM proxy.exe & rmdir /s /q .next & echo ok", "ok"))
    assert "Running" not in state
    assert state["Deleted"] == ".next"


def test_words_in_messages_delete_nothing(tmp_path: Path) -> None:
    history = _messages(
        ('git commit -am "cleanup; rm old helper files"', "[fix/login 1a2b3c4] cleanup; rm old helper files"),
        ('echo "to clean up: cd x && rm src/app.py"', "to clean up: cd x && rm src/app.py"),
        ("git commit -qF - <<'EOF'\nTidy\n\nrm notes.md\nEOF", ""),
    )
    result = CompactionEngine().compact(history, CompactionOptions(mode=Mode.EXTRACT, workspace=tmp_path))
    assert "deleted" not in result.sections[Section.FILES]
    assert "Deleted" not in result.sections[Section.CURRENT]
    assert "- Commits: 1a2b3c4 cleanup; rm old helper files" in result.sections[Section.CURRENT]
    assert result.files == ()


def test_what_was_deleted_is_told_from_the_folder_it_lay_in_until_it_is_there_again() -> None:
    removes = "cd web && rm -rf dist old.js && git rm -q ../a.py && rm -f config.yml /tmp/x"
    assert _state((removes, ""))["Deleted"] == "web/dist; web/old.js; a.py; web/config.yml"
    back = ({"file_path": "/w/web/config.yml", "content": "a: 1"}, "written")
    assert _state((removes, ""), back)["Deleted"] == "web/dist; web/old.js; a.py"
    assert _state((removes, ""), back, ("mkdir web/dist", ""))["Deleted"] == "web/old.js; a.py"
    assert not _state(("rm -rf build && mkdir build", ""), ("rm b.md; cat > b.md <<E\nx\nE", "")).get("Deleted")
    assert "web/old.js: deleted" in compacted(_messages((removes, ""))).sections[Section.FILES].replace("`", "")


def test_packages_are_those_that_a_command_installed_and_none_took_away() -> None:
    assert "Installed" not in _state(("grep -rn 'npm install left-pad' .", "README.md:3: npm install left-pad"))
    newest = "llvm-14-dev is already the newest version (1:14.0.0).\n0 upgraded, 0 newly installed, 0 to remove"
    assert "Installed" not in _state(("apt-get install -y llvm-14-dev", newest))
    installs = (
        "pip install -q 'rich>=13' httpx -r requirements.txt && npm i -D @types/node@22",
        "Successfully installed",
    )
    state = _state(installs)
    assert state["Installed"] == "rich>=13; httpx; -r requirements.txt; @types/node@22"
    taken = _state(installs, ("pip uninstall -y rich && npm rm @types/node", ""))
    assert taken["Installed"] == "httpx; -r requirements.txt"


def test_what_runs_is_what_was_started_and_not_ended() -> None:
    dev, database = ("cd web; npm run dev > log 2>&1 &", "[1] 4242"), ("docker compose up -d db", "Started")
    both = "`npm run dev` was started; `docker compose up -d db` was started"
    assert _state(dev, database)["Running"] == both
    assert _state(dev, database, ("kill -0 4242", ""))["Running"] == both
    assert _state(dev, database, ("docker compose down", ""))["Running"] == "`npm run dev` was started"
    assert _state(dev, database, ("pkill -f 'npm run'", ""))["Running"] == "`docker compose up -d db` was started"
    assert not _state(dev, ("kill 4242", "")).get("Running")
    assert not _state(dev, ("lsof -ti:3000 | xargs kill -9", "")).get("Running")


def test_a_clean_tree_is_clean_until_something_may_have_changed_it() -> None:
    clean = ("git status", "On branch fix/login\nnothing to commit, working tree clean")
    assert (
        _state(clean, ("git push && pytest -q | tail -3; grep -rn x . > /tmp/found", "done"))["Working tree"] == "clean"
    )
    changes = [
        "sed -i s/a/b/ a.py",
        "make fmt",
        "echo x >> a.py",
        "git stash pop",
        "rm a.py",
        "rm $T",
        "make > /tmp/log",
    ]
    for change in changes:
        assert "Working tree" not in _state(clean, (change, ""))
        assert _state(clean, (f"{change} && git status", clean[1]))["Working tree"] == "clean"
    assert "Working tree" not in _state(clean, ({"file_path": "/w/a.py", "content": "x"}, "written"))
    assert "Working tree" not in _state(clean, ("git status && make fmt", clean[1]))


def test_a_branch_is_that_of_the_repository_that_is_worked_in() -> None:
    here = ("git status", "On branch fix/login")
    edit = ({"file_path": "/w/shop/src/a.py", "content": "x"}, "written")
    for other in ["cd ../other && git status", "git -C /home/me/other status", "cd /tmp/x && git status"]:
        assert _state(here, edit, ("rm b.py", ""), (other, "On branch master"))["Branch"] == "fix/login"
    for same in ["cd /w/shop && git status", "cd src && git status", "(cd ../x; ls); git status"]:
        assert _state(here, edit, (same, "On branch next"))["Branch"] == "next"
    assert _state(here, ("cd /w/shop && git status", "On branch next"))["Branch"] == "next"
    assert _state(here, ("git switch -q -c topic", ""))["Branch"] == "topic"
    assert _state(here, ("git checkout -q -b topic/x", ""))["Branch"] == "topic/x"


def test_the_lines_of_an_earlier_summary_are_ended_as_well() -> None:
    earlier = (
        "- Working tree: clean\n- Running: `npm run dev` was started\n- Deleted: build; a.py\n- Installed: rich; httpx"
    )
    state = _state(("kill %1", ""), ("mkdir build", ""), ("pip uninstall rich", ""), earlier=earlier)
    assert {key: value for key, value in state.items() if value and key != "Commands used"} == {
        "Deleted": "a.py", "Installed": "httpx",
    }  # fmt: skip


def test_what_a_call_asked_for_ends_what_another_started() -> None:
    start = called(1, "Bash", {"command": "npm run dev &"}, "[1] 4242")
    end = called(2, "KillShell", {"shell_id": "1"}, "Successfully killed shell: 1")
    assert "- Running: `npm run dev`" in compacted(session(*start, said("assistant", "Up."))).summary
    assert "- Running" not in compacted(session(*start, *end, said("assistant", "Down."))).summary


def test_what_was_fetched_was_not_pushed() -> None:
    fetched = (
        "From github.com:a/b\n   82226fd..7a23400  main       -> origin/main\n * [new branch]      bot -> origin/bot"
    )
    assert "Pushed" not in _state(("git fetch origin", fetched), ("git pull", f"Updating\n{fetched}"))
    pushed = "To github.com:a/b\n   82226fd..7a23400  main -> main"
    assert _state(("git pull && git push", f"{fetched}\n{pushed}"))["Pushed"] == "82226fd..7a23400 main -> main"
    assert (
        _state(("git push 2>&1 | tail -1", " * [new branch]      topic -> topic"))["Pushed"]
        == "[new branch] topic -> topic"
    )
    assert _state(("git fetch --tags", "From x\n * [new tag]         v1 -> v1")).get("Pushed") is None


def test_a_merge_that_was_begun_is_told_until_it_is_ended() -> None:
    apart = (
        "git status",
        "On branch main\nYour branch and 'origin/main' have diverged,\nand have 1 and 7 different commits each, respectively.",
    )
    stopped = (
        "git pull",
        "Exit code 128\nerror: You have not concluded your merge (MERGE_HEAD exists).\nfatal: Exiting",
    )
    state = _state(apart, stopped)
    assert state["Unfinished"] == "a merge"
    assert state["Upstream"] == "diverged from origin/main: 1 commits here, 7 there"
    assert _state(apart, stopped, ("git log --oneline -3", "7a23400 x"))["Unfinished"] == "a merge"
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    assert _state(stopped, ("git merge --abort", refused))["Unfinished"] == "a merge"
    for end in [("git merge --abort", ""), ("git commit -m x", "[main 7a23400] x"), ("git status", "On branch main")]:
        assert not _state(stopped, end).get("Unfinished")
    assert "Upstream" not in _state(apart, ("git pull --rebase", "Successfully rebased and updated refs/heads/main."))


def test_changes_of_services_and_settings_are_told() -> None:
    def powershell(line: str) -> str:
        return f'powershell.exe -NoProfile -Command "{line}"'

    state = _state(
        (powershell("Set-Service -Name 'TermService' -StartupType Disabled"), ""),
        (powershell("Get-Service | Where-Object {\\$_.Status -eq 'Running'}"), "TermService"),
        ("sudo systemctl disable --now sshd && sudo ufw status", ""),
        ("ufw allow 22/tcp", ""),
        ("git config --local commit.gpgsign false && git config user.name", ""),
        (powershell("cd 'C:\\w\\shop'; git commit -m x"), "[main 5fa2423] Add reports"),
        (powershell("cd 'C:\\w\\shop'; Remove-Item 'a.txt','b.ps1' -Force -ErrorAction SilentlyContinue"), ""),
    )
    assert state["Settings changed"] == (
        "`Set-Service -Name 'TermService' -StartupType Disabled`; `sudo systemctl disable --now sshd`; `ufw allow 22/tcp`; "
        "`git config --local commit.gpgsign false`"
    )
    assert state["Commits"] == "5fa2423 Add reports"
    assert state["Deleted"] == "C:\\w\\shop\\a.txt; C:\\w\\shop\\b.ps1"


@pytest.mark.parametrize(
    "line",
    [
        "gcloud run deploy shop --image gcr.io/p/shop", "gcloud projects add-iam-policy-binding p --member=u --role=r",
        "aws --profile prod s3 rm s3://b/k", "aws ec2 terminate-instances --instance-ids i-1", "aws s3 sync dist s3://b",
        "kubectl -n shop rollout restart deploy/api", "kubectl apply -f k8s/", "helm upgrade --install shop ./chart --version 1.2",
        "cd infra && terraform apply -auto-approve", "gh repo create shop --public --source=. --push", "gh api -X POST repos/o/r/issues",
        "npx prisma migrate deploy", "pnpm prisma db push", "python manage.py migrate", "alembic upgrade head", "php artisan migrate --force",
        "psql -h db -c \"UPDATE users SET admin = true WHERE id = 3\"", "redis-cli -h cache FLUSHALL", "rsync -av dist/ web@host:/srv/www",
        "npm publish --access public", "npm run deploy", "make deploy-prod", "./scripts/deploy.sh production", "docker push ghcr.io/o/shop:1",
        "vercel --prod", "wrangler d1 execute shop --remote --file=schema.sql", "firebase deploy --only hosting",
    ],
)  # fmt: skip
def test_what_a_command_changes_elsewhere_is_told(line: str) -> None:
    told = _state((line, "done"))
    assert line.rpartition("&& ")[2] in told["Changed elsewhere"]
    assert "Changed elsewhere" not in _state((line, "Exit code 1\npermission denied"))


@pytest.mark.parametrize(
    "line",
    [
        "gcloud run services list", "gcloud config set project p", "aws s3 ls s3://b", "aws s3 cp s3://b/k .", "aws ec2 describe-instances",
        "kubectl get deploy -A", "kubectl apply -f k8s/ --dry-run=client", "terraform plan -out set.plan", "gh run view 3 --log", "gh pr list",
        "npx prisma generate", "psql -c 'SELECT updated FROM users'", "npm publish --dry-run", "npm install deploy-tools", "npm run build",
        "cat scripts/deploy.sh", "rsync -av web@host:/srv/www/ dist/", "python manage.py showmigrations", "docker compose up -d",
        "echo 'terraform apply'", "git commit -m 'kubectl apply'", "vercel ls", "redis-cli get set",
    ],
)  # fmt: skip
def test_what_only_asks_or_tries_changes_nothing_elsewhere(line: str) -> None:
    assert "Changed elsewhere" not in _state((line, "done"))


def _files(*calls: tuple[str | dict[str, str], str]) -> str:
    return compacted(_messages(*calls)).sections[Section.FILES].replace("`", "")


def test_what_is_there_again_is_not_told_as_deleted() -> None:
    assert "deleted" not in _files(("rm src/old.py && git checkout -- src/old.py", ""))
    assert "deleted" not in _files(("rm -rf dist && mkdir dist && cp a dist/", ""))
    assert "deleted" not in _files(
        ("cd web && rm -f package-lock.json", ""), ("cd web && npm install", "added 3 packages")
    )
    assert "deleted" not in _files(("rm -rf dist", ""), ("npm run build", "built"))
    assert "deleted" in _files(("npm run build", "built"), ("rm -rf dist", ""))
    again = ({"file_path": "/w/README.md", "content": "x"}, "written")
    assert "README.md: written\n" in f"{_files(('rm /w/README.md', ''), again)}\n"
    assert _files(again, ("rm /w/README.md", ""), ("rm -f /w/README.md", "")) == "- /w/README.md: deleted, written"
    state = _state(("rm -f package-lock.json; npm install", "added 1 package"))
    assert not state.get("Deleted")


def test_what_was_deleted_is_not_offered_to_be_read() -> None:
    written = ({"file_path": "/w/note.txt", "content": "x"}, "written")
    kept = ({"file_path": "/w/kept.txt", "content": "x"}, "written")
    files = compacted(_messages(written, kept, ("rm /w/note.txt", ""))).files
    assert [file.path for file in files] == ["/w/kept.txt"]


def test_changes_by_tools_that_are_no_files_are_told_and_stay_told() -> None:
    calls: list[tuple[str, JsonObject, str]] = [
        ("get_user_details", {"user_id": "sofia_7"}, '{"name": "Sofia"}'),
        (
            "update_reservation_flights",
            {"reservation_id": "OB9", "payment_id": "gift_1"},
            "Error: balance is not enough",
        ),
        ("update_reservation_flights", {"reservation_id": "OB9", "payment_id": "card_2"}, '{"reservation_id": "OB9"}'),
        ("mcp__tracker__createIssue", {"title": "Crash on empty cart"}, '{"number": 12}'),
        ("update_plan", {"plan": [{"step": "Book", "status": "completed"}]}, "ok"),
    ]
    made = [message for number, call in enumerate(calls) for message in called(number, *call)]
    result = compacted(session(*made, said("assistant", "The flight is changed."), said("user", "Thank you.")))
    again = compacted([*(result.messages or []), said("user", "And now?"), said("assistant", "Nothing more.")])

    changed = (
        "- Changed by calls: update_reservation_flights(reservation_id=OB9, payment_id=card_2); "
        "mcp__tracker__createIssue(title=Crash on empty cart)"
    )
    for state in (result.sections[Section.CURRENT], again.sections[Section.CURRENT]):
        assert changed in state.split("\n")
    assert "payment_id=gift_1): Error: balance is not enough" in result.sections[Section.ERRORS]


def test_a_pull_is_told_by_what_it_changed_here() -> None:
    forward = "Updating 82226fd..7a23400\nFast-forward\n a.py | 2 +-\n"
    assert _state(("git pull", forward))["Pulled"] == "82226fd..7a23400, a fast-forward"
    both = "Successfully rebased and updated refs/heads/main.\nTo github.com:o/r.git\n   7a23400..9c1d2e3  main -> main"
    told = _state(("git pull --rebase && git push", both))
    assert told["Pulled"] == "main, its own commits rebased onto what came"
    assert told["Pushed"] == "7a23400..9c1d2e3 main -> main"
    assert "Pulled" not in _state(("git pull", "Already up to date."), ("git merge topic", forward))


def test_a_package_is_installed_in_one_version() -> None:
    told = _state(("pip install mcp==1.9.2", "ok"), ("pip install 'mcp>=1.27'", "ok"), ("pip install rich", "ok"))
    assert told["Installed"] == "mcp>=1.27; rich"


def test_a_request_in_the_background_is_not_running() -> None:
    assert "Running" not in _state(("curl -s http://localhost:1/x > /dev/null &", ""), ("make", "ok"))


def test_where_no_answer_is_kept_the_state_says_that_it_is_not_known() -> None:
    silent = [(f"pip install a{number}", "") for number in range(5)]
    assert "no answers are kept" in _state(*silent)["Not known"]
    assert "Not known" not in _state(*silent, ("make", "ok"))
