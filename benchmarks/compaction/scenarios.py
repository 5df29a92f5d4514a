"""Histories written for the purpose, each with questions whose answers must survive compaction.

A scenario is a short piece of real-shaped work: requests, reasoning, files read, commands run, errors, a plan. The facts
that the questions ask for stand where they stand in life: in a sentence between others, in the last line of a log, in
an argument. `FILE` and `LOG` stand for the long tool output around them. The scenarios marked `held_out` took no part in
tuning the extractive summary.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from compaction.values import Json, JsonObject

_NOUNS = ["request", "session", "token", "buffer", "handler", "queue", "index", "record", "client", "payload", "frame"]


def code(seed: int, lines: int = 140) -> str:
    """A made-up source file."""
    dice = random.Random(seed)
    made: list[str] = []
    for number in range(lines):
        noun, other = dice.choice(_NOUNS), dice.choice(_NOUNS)
        if number % 12 == 0:
            made.append(f"\ndef {noun}_{number}({other}: int, {noun}: str) -> bool:")
        else:
            made.append(f"    {noun}_{dice.randrange(90)} = {other}.{noun}({dice.randrange(400)}) or {noun}")
    return "\n".join(made)


def log(seed: int, lines: int = 110) -> str:
    """A made-up build log without anything telling."""
    dice = random.Random(seed)
    return "\n".join(
        f"[{dice.randrange(24):02}:{dice.randrange(60):02}:{dice.randrange(60):02}] compiling {dice.choice(_NOUNS)} module "
        f"{number} of {lines} ({dice.choice(_NOUNS)}.{dice.choice(_NOUNS)})"
        for number in range(lines)
    )


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """One history with its questions: what is asked, and the words that answer it."""

    name: str
    messages: list[JsonObject]
    asked: tuple[tuple[str, str], ...]
    held_out: bool


class _Writer:
    """Writes one scenario in the Messages format, step by step."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.messages: list[JsonObject] = []
        self._calls = 0

    def _add(self, role: str, block: JsonObject) -> None:
        last = self.messages[-1] if self.messages else None
        if last is not None and last["role"] == role and isinstance(last["content"], list):
            last["content"].append(block)
        else:
            content: list[Json] = [block]
            self.messages.append({"role": role, "content": content})

    def play(self, line: str) -> None:
        """`U: words`, `A: words`, or `tool {argument=value} -> answer`."""
        kind, _, rest = line.partition(": ")
        if kind in {"U", "A"}:
            self._add("user" if kind == "U" else "assistant", {"type": "text", "text": rest})
            return
        head, _, answer = line.partition(" -> ")
        tool, _, given = head.partition(" ")
        arguments: JsonObject = {}
        for part in given.split(" ;; "):
            key, _, value = part.partition("=")
            arguments[key] = value
        if tool == "TodoWrite":
            todos: list[Json] = []
            for item in given.split(" ;; "):
                status, _, text = item.partition("=")
                todos.append({"content": text, "status": status})
            arguments = {"todos": todos}
        self._calls += 1
        call_id = f"toolu_{self.seed}_{self._calls}"
        answer = answer.replace("FILE", code(self.seed * 100 + self._calls)).replace(
            "LOG", log(self.seed * 100 + self._calls)
        )
        self._add("assistant", {"type": "tool_use", "id": call_id, "name": tool, "input": arguments})
        self._add("user", {"type": "tool_result", "tool_use_id": call_id, "content": answer.replace(" // ", "\n")})


def _scenario(seed: int, name: str, script: str, asked: dict[str, str], *, held_out: bool = False) -> Scenario:
    writer = _Writer(seed)
    for line in script.strip().splitlines():
        writer.play(line.strip())
    return Scenario(name=name, messages=writer.messages, asked=tuple(asked.items()), held_out=held_out)


SCENARIOS = (
    _scenario(1, "login rate limit", """
U: Add rate limiting to the login endpoint. Do not add a new dependency and keep the public API of `AuthService` as it is.
A: I'll start by reading the service.
Read file_path=src/auth/service.py -> FILE
Grep pattern=login -> src/auth/routes.py:41: def login // src/auth/routes.py:88: def logout // LOG
Read file_path=src/auth/routes.py -> FILE
A: The login route has no throttle at all. I decided on a sliding window of 5 attempts per 60 seconds, kept in Redis, because the in-process dict would not work with 4 workers.
U: ok, but lock out per account, not per IP.
Edit file_path=src/auth/routes.py ;; old_string=def login ;; new_string=def login_limited -> The file has been updated. // FILE
Bash command=pytest tests/auth -> LOG // FAILED tests/auth/test_login.py::test_lockout - AssertionError: 429 != 401 // 1 failed, 37 passed in 4.21s
A: The lockout test fails because the limiter runs after the password check. I'll move it before the check.
Edit file_path=src/auth/routes.py ;; old_string=a ;; new_string=b -> The file has been updated. // FILE
Bash command=pytest tests/auth -> LOG // 38 passed in 4.02s
TodoWrite completed=throttle login ;; in_progress=document the 429 answer in docs/api.md ;; pending=add a metric login_throttled_total -> ok
A: All 38 tests pass. Next I will document the 429 answer in docs/api.md.
""", {"window": "5 attempts per 60 seconds", "why redis": "4 workers", "scope": "per account, not per IP", "constraint": "Do not add a new dependency",
      "changed": "src/auth/routes.py", "failed": "429 != 401", "cause": "after the password check", "pending": "login_throttled_total", "now": "docs/api.md"}),
    _scenario(2, "slow report query", """
U: The monthly report takes over a minute. Make it faster, but never run migrations on production and don't touch the `billing` schema.
Bash command=psql -c 'explain analyze select ...' -> LOG // Seq Scan on invoices (cost=0.00..188201.00 rows=5400123) // Execution Time: 71234.551 ms
A: The cause is a sequential scan over 5.4 million rows of `invoices`. There is no index on (account_id, issued_at).
Read file_path=reports/monthly.sql -> FILE
Read file_path=reports/runner.py -> FILE
A: I considered a materialized view and rejected it, since it would be stale for up to 24 hours. A partial index is the better choice.
Write file_path=db/indexes/0042_invoices_issued.sql ;; content=create index -> File created. // FILE
Bash command=psql -h staging -f db/indexes/0042_invoices_issued.sql -> LOG // CREATE INDEX // Time: 48213.002 ms
Bash command=psql -h staging -c 'explain analyze' -> LOG // Execution Time: 812.440 ms
A: On staging the report now takes 812 ms instead of 71 s.
U: great, who can apply it to prod?
A: Only the DBA team (contact: Maren) may apply it, in the maintenance window on Sunday 03:00 UTC. It remains to write the change request CR-7781.
""", {"cause": "sequential scan", "rows": "5.4 million", "rejected": "materialized view", "why": "24 hours", "index file": "db/indexes/0042_invoices_issued.sql",
      "result": "812 ms", "constraint": "never run migrations on production", "owner": "Maren", "window": "Sunday 03:00 UTC", "pending": "CR-7781"}),
    _scenario(3, "flaky upload test", """
U: test_upload_resume is flaky on CI. Find out why.
Bash command=pytest tests/test_upload.py -x --count 50 -> LOG // FAILED tests/test_upload.py::test_upload_resume - TimeoutError: no chunk after 2.0 s // 3 failed, 47 passed in 190.22s
Read file_path=tests/test_upload.py -> FILE
Read file_path=lib/upload/chunks.py -> FILE
A: Sure, let me look at the chunk logic.
Grep pattern=asyncio.sleep -> LOG // lib/upload/chunks.py:214: await asyncio.sleep(0)
A: Root cause: `ChunkWriter.flush` releases its lock before the offset is written, so a resumed upload can read the old offset. It is a race in the product, not in the test.
U: don't just raise the timeout!
Edit file_path=lib/upload/chunks.py ;; old_string=x ;; new_string=y -> Error: old_string was not found in lib/upload/chunks.py
Edit file_path=lib/upload/chunks.py ;; old_string=x2 ;; new_string=y -> Updated. // FILE
Bash command=pytest tests/test_upload.py -x --count 200 -> LOG // 200 passed in 401.90s
A: With the lock held until the offset is on disk, 200 of 200 runs pass. I still have to backport it to the release/2.8 branch.
""", {"cause": "releases its lock before the offset is written", "class": "ChunkWriter.flush", "error": "no chunk after 2.0 s", "file": "lib/upload/chunks.py",
      "constraint": "don't just raise the timeout", "failed edit": "old_string was not found", "proof": "200 of 200 runs pass", "pending": "release/2.8"}),
    _scenario(4, "kubernetes rollout", """
U: Deploy the new image to the staging cluster. Keep port 5433 free, the analytics tunnel uses it.
Bash command=kubectl get pods -n staging -> LOG // api-7c9 0/1 CrashLoopBackOff 14 restarts
Bash command=kubectl logs api-7c9 -n staging -> LOG // Error: cannot find module '/app/dist/main.js'
A: The pods crash because the Dockerfile copies `build/` while the bundler writes to `dist/`.
Read file_path=deploy/Dockerfile -> FILE
Edit file_path=deploy/Dockerfile ;; old_string=build ;; new_string=dist -> Updated. // FILE
Bash command=docker build -t registry.local/api:1.14.2 . -> LOG // Successfully tagged registry.local/api:1.14.2
A: I built registry.local/api:1.14.2 and will roll it out with maxUnavailable set to 1 so that one replica always answers.
U: use the blue-green script instead, the rolling update broke sessions last time
A: Understood: we use scripts/blue_green.sh rather than a rolling update, because sessions are kept in memory.
Bash command=scripts/blue_green.sh staging 1.14.2 -> LOG // switched traffic to green // health 200 OK
A: Green is live on staging with version 1.14.2. Blue is kept until tomorrow 12:00 for rollback with `scripts/blue_green.sh staging --back`.
TodoWrite completed=staging ;; pending=production rollout after approval by Ines -> ok
""", {"port": "5433", "crash": "cannot find module '/app/dist/main.js'", "cause": "the bundler writes to `dist/`", "version": "1.14.2", "script": "scripts/blue_green.sh",
      "why": "sessions are kept in memory", "rollback": "staging --back", "until": "tomorrow 12:00", "pending": "approval by Ines"}),
    _scenario(5, "parser rewrite", """
U: Rewrite the config parser so that it reports line numbers. It must stay compatible with Python 3.8 and no regex please.
Read file_path=conf/parser.py -> FILE
A: Perfect, thanks! Let me think about the design.
A: I chose a hand-written recursive descent parser instead of `lark`, because a third-party grammar would break the single-file distribution.
Write file_path=conf/scanner.py ;; content=class Scanner -> Created. // FILE
Write file_path=conf/errors.py ;; content=class ConfigError -> Created. // FILE
Bash command=python3.8 -m pytest -> LOG // E   SyntaxError: invalid syntax (scanner.py, line 77) // 1 error in 0.31s
A: The match statement does not exist in Python 3.8, so I replaced it with a dispatch table in `Scanner.next_token`.
Edit file_path=conf/scanner.py ;; old_string=match ;; new_string=table -> Updated. // FILE
Bash command=python3.8 -m pytest -> LOG // 112 passed, 2 skipped in 3.77s
A: Parsing the 2.3 MB sample takes 410 ms now, it was 390 ms before. The remaining gap is nested includes: they still report the line of the parent file.
""", {"compat": "Python 3.8", "no regex": "no regex", "choice": "recursive descent", "why": "single-file distribution", "error": "SyntaxError: invalid syntax (scanner.py, line 77)",
      "fix": "dispatch table", "speed": "410 ms", "open": "nested includes", "files": "conf/errors.py"}),
    _scenario(6, "frontend cart", """
U: The cart total is wrong when a coupon is removed. Fix it; leave the styling untouched.
Read file_path=web/src/cart/useCart.ts -> FILE
Read file_path=web/src/cart/Total.tsx -> FILE
A: The selector memoizes on `items.length`, which does not change when a coupon is removed. So the total is stale.
Bash command=npm test -- cart -> LOG // ● cart › removes coupon // Expected: 80.00 Received: 72.00
Edit file_path=web/src/cart/useCart.ts ;; old_string=length ;; new_string=version -> Updated. // FILE
Bash command=npm test -- cart -> LOG // Tests: 64 passed, 64 total
A: Fixed by keying the memo on `cart.version`. I found a second bug: rounding uses toFixed before tax, which loses 1 cent on totals above 999.99. I have not fixed it, since it needs a decision by accounting.
U: file a ticket for the second one
mcp__jira__create_issue summary=Cart rounding loses a cent -> created SHOP-2290
A: I filed SHOP-2290 for the rounding bug. Next: check the Safari snapshot that was quarantined in web/e2e/quarantine.json.
""", {"cause": "memoizes on `items.length`", "numbers": "Received: 72.00", "fix": "cart.version", "second bug": "toFixed before tax", "limit": "999.99", "ticket": "SHOP-2290",
      "constraint": "leave the styling untouched", "next": "web/e2e/quarantine.json"}),
    _scenario(7, "data pipeline", """
U: Nightly import has dropped rows since Tuesday. Investigate; read-only access to the warehouse, please.
Bash command=airflow dags list-runs -d nightly_import -> LOG // 2026-11-17 success // 2026-11-18 success
Bash command=bq query 'select count(*) ...' -> LOG // expected 1204331 // loaded 1187002
A: 17329 rows are missing per night. All of them have an empty `country` column.
Read file_path=pipelines/nightly/transform.py -> FILE
Bash command=git log --oneline -5 pipelines/nightly -> LOG // 9f31c2e drop null countries (#881)
A: It turns out commit 9f31c2e (#881) added `dropna(subset=["country"])`. That was meant for the EU export only.
U: who wrote it? and can we backfill?
A: It was written by Tomasz. A backfill is possible because the raw files are kept for 30 days in gs://raw-import/2026/; after December 17 the first ones are gone.
Edit file_path=pipelines/nightly/transform.py ;; old_string=dropna ;; new_string=fillna -> Updated. // FILE
Bash command=pytest pipelines -> LOG // 58 passed in 12.80s
A: The filter now applies only where region == "EU". Pending: backfill from 2026-11-17 with `make backfill FROM=2026-11-17`, blocked until the warehouse quota is raised to 2 TB.
""", {"missing": "17329", "pattern": "empty `country` column", "commit": "9f31c2e", "author": "Tomasz", "kept": "30 days", "where": "gs://raw-import/2026/",
      "command": "make backfill FROM=2026-11-17", "blocked": "2 TB", "constraint": "read-only access"}),
    _scenario(8, "rust cli", """
U: Port the `stat` subcommand to async. The binary must stay below 4 MB and MSRV is 1.74.
Read file_path=src/cmd/stat.rs -> FILE
Bash command=cargo build --release -> LOG // error[E0277]: `Rc<Cache>` cannot be sent between threads safely // error: could not compile `tool` due to 1 previous error
A: The cache uses Rc. I switched it to Arc<Mutex<Cache>> because tokio tasks must be Send.
Edit file_path=src/cache.rs ;; old_string=Rc ;; new_string=Arc -> Updated. // FILE
Bash command=cargo build --release -> LOG // Finished release [optimized] target(s) in 48.12s
Bash command=ls -l target/release/tool -> LOG // -rwxr-xr-x 1 dev dev 5242880 tool
A: The binary grew to 5.0 MB, which breaks the 4 MB limit. Dropping tokio's "full" feature for "rt,fs,macros" and turning on lto = "fat" should fix that.
Edit file_path=Cargo.toml ;; old_string=full ;; new_string=rt -> Updated. // FILE
Bash command=cargo build --release && ls -l target/release/tool -> LOG // -rwxr-xr-x 1 dev dev 3670016 tool
A: Now it is 3.5 MB. I did not touch `src/cmd/watch.rs`; it still blocks the runtime and is the next step.
""", {"limit": "4 MB", "msrv": "1.74", "error": "cannot be sent between threads safely", "choice": "Arc<Mutex<Cache>>", "why": "must be Send", "lto": "lto = \"fat\"",
      "size": "3.5 MB", "next": "src/cmd/watch.rs", "files": "Cargo.toml"}),
    _scenario(9, "docs only", """
U: Write the migration guide from v3 to v4. Address plugin authors, at most two pages, British spelling.
Read file_path=CHANGELOG.md -> FILE
Read file_path=docs/plugins.md -> FILE
A: Of course! The breaking changes for plugin authors are three: `register()` is now async, `ctx.bus` was removed, and hooks get a frozen copy of the settings.
U: also mention that the old names work until 4.2
Write file_path=docs/migrating-to-v4.md ;; content=guide -> Created. // FILE
A: I wrote docs/migrating-to-v4.md with 840 words. Deprecated names keep working until 4.2 and log PLUGIN_DEPRECATED once per process.
Bash command=make linkcheck -> LOG // broken link: docs/hooks.md#settings // 1 error
A: One link is broken: docs/hooks.md#settings does not exist, it was renamed to #configuration. I fixed it in the guide but docs/faq.md still points to the old anchor.
""", {"audience": "plugin authors", "length": "at most two pages", "spelling": "British spelling", "async": "`register()` is now async", "removed": "ctx.bus", "until": "4.2",
      "log": "PLUGIN_DEPRECATED", "broken": "docs/hooks.md#settings", "open": "docs/faq.md"}),
    _scenario(10, "memory leak", """
U: The worker leaks memory, it gets OOM-killed after about 6 hours. Don't restart the production worker, it holds open trades.
Bash command=py-spy dump --pid 811 -> LOG
Read file_path=worker/feed.py -> FILE
Bash command=python tools/heap.py --top 5 -> LOG // 1. list 1.9 GB feed.Subscriber._backlog // 2. dict 88 MB
A: The backlog of `Subscriber` is never trimmed when a client disconnects without close. It holds 1.9 GB after five hours.
A: My first idea, a WeakSet, does not work: the callbacks are bound methods and would die at once.
Edit file_path=worker/feed.py ;; old_string=append ;; new_string=bounded -> Updated. // FILE
Bash command=pytest worker -> LOG // E   RuntimeError: deque mutated during iteration // 2 failed, 91 passed
A: The two failures come from iterating while the writer appends; I take a snapshot with tuple() first.
Edit file_path=worker/feed.py ;; old_string=for ;; new_string=snapshot -> Updated. // FILE
Bash command=pytest worker -> LOG // 93 passed in 22.10s
A: The backlog is now a deque with maxlen 10000, and drops are counted in feed_dropped_total. A soak test of 8 hours is running as job soak-1183; its result is due tomorrow morning.
""", {"constraint": "Don't restart the production worker", "leak": "Subscriber", "size": "1.9 GB", "rejected": "WeakSet", "error": "deque mutated during iteration", "bound": "maxlen 10000",
      "metric": "feed_dropped_total", "job": "soak-1183", "when": "tomorrow morning"}),
    _scenario(11, "terraform", """
U: Move the state of the network module to the new account. Never apply without showing me the plan first.
Bash command=terraform plan -> LOG // Plan: 0 to add, 3 to change, 41 to destroy.
A: The plan would destroy 41 resources, so I stopped. The provider alias is missing: `aws.core` has to be passed to module.network.
Read file_path=infra/network/main.tf -> FILE
Edit file_path=infra/network/providers.tf ;; old_string=a ;; new_string=b -> Updated. // FILE
Bash command=terraform plan -> LOG // Plan: 0 to add, 3 to change, 0 to destroy.
A: Now the plan changes three tags and destroys nothing. The state lives in s3://tfstate-core/network.tfstate with the lock table tf-locks-core.
U: good. apply only after Thursday's freeze ends
A: I will wait: the freeze ends on Thursday at 18:00 CET. After that the command is `terraform apply plan-0042.out`.
Bash command=terraform plan -out plan-0042.out -> LOG // Saved the plan to: plan-0042.out
""", {"constraint": "Never apply without showing me the plan first", "danger": "41", "cause": "provider alias is missing", "alias": "aws.core", "state": "s3://tfstate-core/network.tfstate",
      "lock": "tf-locks-core", "when": "Thursday at 18:00 CET", "command": "terraform apply plan-0042.out"}),
    _scenario(12, "translation", """
U: Add Portuguese (pt-BR) to the app. Keep placeholders like {name} untouched and use the informal form.
Bash command=python tools/missing.py pt-BR -> LOG // 318 strings missing
Read file_path=locales/en.json -> FILE
Write file_path=locales/pt-BR.json ;; content=strings -> Created. // FILE
Bash command=python tools/check_placeholders.py -> LOG // ERROR pt-BR checkout.pay: placeholder {amount} missing // 1 problem
A: The string checkout.pay had lost {amount}; I restored it. Eleven strings have no good translation yet; they are listed in locales/pt-BR.todo.
U: dates should be dd/mm/yyyy
A: Dates use dd/mm/yyyy through `formatDate(locale)`. I decided against moment.js because Intl.DateTimeFormat is enough and saves 67 kB.
Bash command=npm run build -> LOG // bundle 412 kB
A: The build is 412 kB. What remains are the eleven strings and a review by Beatriz.
""", {"placeholders": "Keep placeholders", "missing": "318", "problem": "{amount}", "todo list": "locales/pt-BR.todo", "dates": "dd/mm/yyyy", "choice": "Intl.DateTimeFormat", "saves": "67 kB",
      "bundle": "412 kB", "review": "Beatriz"}),
    _scenario(13, "api client generation", """
U: Generate the TypeScript client from openapi.yaml and wire it in. Only use fetch, no axios.
Bash command=npx openapi-typescript openapi.yaml -> LOG // Error: can't resolve $ref at #/components/schemas/Invoice_v2
A: The schema Invoice_v2 is referenced but was renamed to InvoiceDetail in May. I changed the reference in three places.
Edit file_path=openapi.yaml ;; old_string=Invoice_v2 ;; new_string=InvoiceDetail -> Updated. // FILE
Bash command=npx openapi-typescript openapi.yaml -o src/gen/api.ts -> LOG // openapi.yaml -> src/gen/api.ts [1.2s]
Write file_path=src/http/client.ts ;; content=client -> Created. // FILE
A: Requests time out after 15 seconds and are retried twice, but only GET and PUT: POST must not be repeated because payments are not idempotent.
Bash command=npx vitest run -> LOG // FAIL src/http/client.test.ts > retries > aborts // AbortError: signal is aborted without reason // Tests 1 failed | 47 passed
A: The abort test fails under Node 18 only; Node 20 passes. CI uses 18.19, so I pass an explicit reason to abort().
Edit file_path=src/http/client.ts ;; old_string=abort() ;; new_string=abort(reason) -> Updated. // FILE
Bash command=npx vitest run -> LOG // Tests 48 passed
A: 48 tests pass. Still open: the old src/legacy/axios.ts can be deleted once the admin page stops importing it.
""", {"constraint": "no axios", "error": "#/components/schemas/Invoice_v2", "renamed": "InvoiceDetail", "output": "src/gen/api.ts", "timeout": "15 seconds", "why": "not idempotent",
      "node": "18.19", "open": "src/legacy/axios.ts", "tests": "48 tests pass"}),
    _scenario(14, "graph algorithm", """
U: Implement incremental PageRank for the index. It has to converge below 1e-6 and must not use more than 200 MB for 1M nodes.
Read file_path=rank/graph.py -> FILE
A: I compared three approaches: power iteration from scratch takes 9.4 s, the push method 0.8 s, and Monte Carlo is too noisy. I went with the push method.
Write file_path=rank/push.py ;; content=push -> Created. // FILE
Bash command=python bench/rank.py -> LOG // peak memory 312 MB // residual 3.1e-7
A: Memory is 312 MB, over the limit of 200 MB. The reason is the float64 residual vector plus Python ints in the queue; array('I') and float32 halve it.
Edit file_path=rank/push.py ;; old_string=list ;; new_string=array -> Updated. // FILE
Bash command=python bench/rank.py -> LOG // peak memory 148 MB // residual 8.8e-7
A: Peak memory is now 148 MB with a residual of 8.8e-7. Dangling nodes are not handled yet: their mass is lost, about 0.4 % on the test graph.
U: handle them by restarting uniformly
A: I will redistribute dangling mass uniformly, in `push_dangling`, after the queue is empty.
""", {"converge": "1e-6", "limit": "200 MB", "chosen": "push method", "rejected": "Monte Carlo", "first memory": "312 MB", "final memory": "148 MB", "lost": "0.4 %", "next": "push_dangling",
      "user": "restarting uniformly"}),
    _scenario(15, "mobile crash", """
U: The Android app crashes on rotation in the camera screen. Fix without raising minSdk (it is 24).
Bash command=adb logcat -d -> LOG // E AndroidRuntime: java.lang.IllegalStateException: CameraX is already bound
A: The provider is bound again in onCreate after rotation, while the old lifecycle owner is still active.
Read file_path=app/src/main/java/CameraFragment.kt -> FILE
Edit file_path=app/src/main/java/CameraFragment.kt ;; old_string=bind ;; new_string=rebind -> Updated. // FILE
Bash command=./gradlew connectedCheck -> LOG // FAILURE: Build failed with an exception. // Could not resolve androidx.camera:camera-core:1.5.0
A: Version 1.5.0 needs minSdk 26, therefore I pinned CameraX to 1.3.4, the last one that supports 24.
Bash command=./gradlew connectedCheck -> LOG // BUILD SUCCESSFUL in 3m 12s
A: Rotation works on the Pixel 4a emulator. A Samsung A12 was not tested, because no device is attached; ask Linh for one.
""", {"minsdk": "it is 24", "exception": "CameraX is already bound", "cause": "onCreate after rotation", "pinned": "1.3.4", "why": "minSdk 26", "untested": "Samsung A12", "ask": "Linh",
      "file": "CameraFragment.kt"}, held_out=True),
    _scenario(16, "email deliverability", """
U: Our password mails land in spam. Find out why, and do not change the DNS records yourself.
Bash command=dig txt example.org -> LOG // "v=spf1 include:_spf.oldmail.net -all"
A: SPF still names the old provider, oldmail.net, while we have sent through Postbridge since October. So every message fails SPF with a hard fail.
Bash command=python tools/check_dkim.py -> LOG // selector pb1: no key found
A: The DKIM selector pb1 has no key either. DMARC is p=quarantine, which explains the spam folder.
U: write the exact records for the ops team
Write file_path=ops/dns-request.md ;; content=records -> Created. // FILE
A: ops/dns-request.md holds the two records. The TTL is 3600, so expect an hour until it works. Until then password mails go through the fallback `smtp2.internal:2525`.
Bash command=python tools/send_probe.py --via smtp2.internal:2525 -> LOG // 250 queued as 4F1A // delivered to inbox in 41 s
A: The probe via the fallback arrived in the inbox after 41 s. Waiting for the ops team, ticket OPS-519.
""", {"constraint": "do not change the DNS records yourself", "old provider": "oldmail.net", "since": "Postbridge since October", "selector": "pb1", "policy": "p=quarantine",
      "file": "ops/dns-request.md", "ttl": "3600", "fallback": "smtp2.internal:2525", "ticket": "OPS-519"}, held_out=True),
    _scenario(17, "search relevance", """
U: Search ranks archived items first. Boost fresh ones, keep latency under 120 ms p95.
Bash command=curl localhost:9200/items/_explain -> LOG // score 14.2 boost 3.0 field archived_title
A: Archived titles are indexed twice: once in `title` and once in `archived_title` with boost 3.0. This is why they win.
Read file_path=search/mapping.json -> FILE
Edit file_path=search/query.py ;; old_string=archived_title^3 ;; new_string=title -> Updated. // FILE
Bash command=python eval/ndcg.py -> LOG // ndcg@10 0.61 -> 0.74
A: nDCG@10 rises from 0.61 to 0.74. A gaussian decay on updated_at with scale 30d gave only 0.70, so I left it out.
Bash command=python eval/latency.py -> LOG // p50 44 ms // p95 131 ms
A: p95 is 131 ms, above the 120 ms target. The cause is the `has_child` clause for permissions; caching the filter brings it down.
Edit file_path=search/query.py ;; old_string=has_child ;; new_string=cached -> Updated. // FILE
Bash command=python eval/latency.py -> LOG // p50 39 ms // p95 97 ms
A: p95 is 97 ms now. Remaining: reindex the 12 million items, which takes about 3 hours and has to happen at night.
""", {"target": "120 ms", "cause": "archived_title", "gain": "0.74", "left out": "gaussian decay", "slow clause": "has_child", "now": "97 ms", "pending": "12 million", "how long": "3 hours"}, held_out=True),
    _scenario(18, "csv import", """
U: Users report that umlauts break in the CSV import. Support Excel exports. Files can be up to 500 MB so don't read them whole.
Read file_path=importer/csv_reader.py -> FILE
Bash command=file samples/kunden.csv -> LOG // samples/kunden.csv: ISO-8859 text, with CRLF line terminators
A: Excel on Windows writes cp1252 with semicolons. We assumed UTF-8 and commas.
A: I detect the delimiter from the first 64 KiB and try utf-8-sig, then cp1252. chardet was tempting but needs 9 s for 100 MB, so no.
Edit file_path=importer/csv_reader.py ;; old_string=utf-8 ;; new_string=detect -> Updated. // FILE
Bash command=pytest importer -> LOG // E   UnicodeDecodeError: 'utf-8' codec can't decode byte 0xfc in position 65535 // 1 failed, 29 passed
A: The sample ended in the middle of a character. I use an incremental decoder for the probe now.
Edit file_path=importer/csv_reader.py ;; old_string=decode ;; new_string=incremental -> Updated. // FILE
Bash command=pytest importer -> LOG // 30 passed in 2.04s
A: 30 tests pass and 500 MB import in 74 s with 60 MB of memory. Not done: UTF-16 files from older Excel versions for Mac.
""", {"limit": "500 MB", "encoding": "cp1252 with semicolons", "probe": "64 KiB", "rejected": "chardet", "error": "can't decode byte 0xfc", "fix": "incremental decoder", "time": "74 s", "open": "UTF-16"}, held_out=True),
    _scenario(19, "license audit", """
U: Check our dependencies for licenses that we may not ship. GPL is forbidden, LGPL only dynamically linked.
Bash command=pip-licenses -> LOG // pystray 0.19 LGPLv3 // unidecode 1.3 GPLv2 // requests 2.32 Apache-2.0
A: Two packages need attention: `unidecode` is GPLv2 and must go, `pystray` is LGPLv3 and is fine because we import it dynamically.
Grep pattern=unidecode -> LOG // core/slug.py:3: from unidecode import unidecode
Edit file_path=core/slug.py ;; old_string=unidecode ;; new_string=anyascii -> Updated. // FILE
A: I replaced unidecode by anyascii (ISC). Slugs differ for 14 of 20000 sample titles, mostly Japanese names.
U: are old URLs still valid?
A: Yes: old slugs are kept in the table slug_aliases, so existing URLs redirect with 308.
Bash command=pytest core -> LOG // 301 passed, 3 warnings in 9.55s
TodoWrite completed=replace unidecode ;; pending=add the license check to .github/workflows/ci.yml ;; pending=tell legal (Mr. Okafor) about pystray -> ok
""", {"forbidden": "GPL is forbidden", "bad": "unidecode", "replacement": "anyascii", "differences": "14 of 20000", "aliases": "slug_aliases", "redirect": "308", "pending ci": ".github/workflows/ci.yml",
      "legal": "Okafor", "file": "core/slug.py"}, held_out=True),
    _scenario(20, "game physics", """
U: Players clip through thin walls at high speed. Fix it for the 60 Hz server tick; never change the replay format.
Read file_path=sim/collide.cpp -> FILE
A: The integrator moves up to 3.2 m per tick, but the walls are 0.5 m thick. Sub-stepping or a swept test would work; I prefer the swept AABB test, since sub-stepping would change replays.
Edit file_path=sim/collide.cpp ;; old_string=step ;; new_string=sweep -> Updated. // FILE
Bash command=cmake --build build && ctest -> LOG // 17/18 Test #12: replay_golden ........ FAILED // tick 4410: pos.x 12.5000 != 12.4998
A: The golden replay differs at tick 4410 by 0.0002 because of the order of operations. I kept the old code path for speeds below 30 m/s.
Edit file_path=sim/collide.cpp ;; old_string=sweep ;; new_string=gated -> Updated. // FILE
Bash command=ctest -> LOG // 100% tests passed, 0 tests failed out of 18
A: All 18 tests pass. The tick costs 0.11 ms more with 64 players. Moving platforms are still wrong, because their velocity is applied after the sweep.
""", {"constraint": "never change the replay format", "speed": "3.2 m per tick", "choice": "swept AABB", "why": "would change replays", "failed": "replay_golden", "tick": "4410", "gate": "30 m/s",
      "cost": "0.11 ms", "open": "Moving platforms"}, held_out=True),
    _scenario(21, "backup restore", """
U: Practise a restore of the customer database and tell me how long it takes. Work on host dr-02 only.
Bash command=ssh dr-02 df -h -> LOG // /data 1.1T 240G free
Bash command=ssh dr-02 restic snapshots -> LOG // a81f33c2 2026-11-20 02:00 db-main
A: The newest snapshot is a81f33c2 from November 20. It needs 610 GB but only 240 GB are free on /data.
U: you may delete /data/old-staging
Bash command=ssh dr-02 rm -rf /data/old-staging -> LOG
Bash command=ssh dr-02 restic restore a81f33c2 -> LOG // Fatal: wrong password or no key found
A: The restore failed: the key in vault path kv/restic/dr expired. The valid one is kv/restic/dr-2026.
Bash command=ssh dr-02 restic restore a81f33c2 --password-command vault -> LOG // restored 610.233 GiB in 2h41m
A: The restore took 2 h 41 min, the replay of the WAL another 22 min. So the real RTO is 3 h 03 min, not the 2 h the contract promises.
Bash command=ssh dr-02 psql -c 'select max(created_at) from orders' -> LOG // 2026-11-20 01:59:12
A: The newest order is from 01:59:12, so the RPO holds. To do: rewrite section 4 of runbooks/restore.md and raise the RTO gap with the account manager.
""", {"host": "dr-02", "snapshot": "a81f33c2", "needs": "610 GB", "failure": "wrong password or no key found", "valid key": "kv/restic/dr-2026", "duration": "2 h 41 min", "rto": "3 h 03 min",
      "pending": "runbooks/restore.md", "newest": "01:59:12"}, held_out=True),
)  # fmt: skip
