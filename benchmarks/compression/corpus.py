"""Prose of the kinds that are put before a model, each with what must not be lost from it.

The texts were written for this purpose. `must` names, word for word, what has to be found in a compressed text: figures with
what they measure, identifiers, paths, flags, names of things and the heart of each constraint. It is written by hand, so
that no rule of an engine decides what counts. The samples that are `held_out` were written after the extractive engine was
finished and have changed nothing about it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A text and the facts that must survive its compression."""

    name: str
    text: str
    must: tuple[str, ...]
    held_out: bool = False


def retained(sample: Sample, compressed: str) -> list[str]:
    """Return what is still to be found of what must not be lost; white space and the light words between do not count."""
    flat = _flat(compressed)
    return [fact for fact in sample.must if _flat(fact) in flat]


_ARTICLES = re.compile(r"\b(?:the|a|an)\s+", re.IGNORECASE)


def _flat(text: str) -> str:
    return " ".join(_ARTICLES.sub("", text).split())


SAMPLES = (
    Sample(
        name="plan",
        text="""The new importer replaces the one that was written in a hurry two summers ago. Everybody has suffered from it, and there is broad agreement that it has to go. We will work in small steps so that each of them can be reviewed by somebody who was not involved.

The reader moves to `src/importer/reader.py` and becomes a generator. It must not load a file into memory as a whole, because exports reach 4.2 GB. The buffer is 64 KiB, which was measured to be the best size on the build machines. It is hoped that this will make the whole thing a little nicer to work with.

Writing goes through `IndexWriter.commit`, once for each batch of 500 rows. We talked for a long time about whether batches are a good idea at all, and in the end most people were convinced. Never call `IndexWriter.commit` while the replica is in recovery. The timeout stays at 30 s.

The old importer is removed in version 3.4.0 and not earlier. There may be some grumbling about that, but the calendar leaves no room. Its flag --legacy-import is kept for one release and then ignored.""",
        must=(
            "`src/importer/reader.py`",
            "must not load file into memory as whole",
            "4.2 GB",
            "64 KiB",
            "`IndexWriter.commit`",
            "500 rows",
            "Never call `IndexWriter.commit` while replica is in recovery",
            "30 s",
            "3.4.0",
            "not earlier",
            "--legacy-import",
        ),
    ),
    Sample(
        name="review",
        text="""Thanks a lot for the patch, it reads very well and the tests are a pleasure. I have gone through all of it twice, once on the train and once at my desk, and there are only a few things I would like to see changed before it goes in.

In `server/session.py` the lock is taken after the lookup, so two calls with the same token can both create a session. I could reproduce it with 8 threads in about 20 seconds. Please take the lock first. The variable names there are charming, by the way.

`SessionStore.expire` compares naive and aware datetimes and raises TypeError on the 29th of a month in leap years. Do not catch the TypeError; make both sides aware. I remember that we had something similar in the billing service a long while ago, which was fun to debug at the time.

The cookie is still sent without SameSite. It has to be SameSite=Lax, and the max age must stay below 86400. I am aware that this was not introduced by you.

Apart from that I am happy. The documentation is better than it ever was, and I particularly liked the drawing. Let me know when you have pushed, and I will have another look on Thursday.""",
        must=(
            "`server/session.py`",
            "8 threads",
            "20 seconds",
            "`SessionStore.expire`",
            "TypeError",
            "29th",
            "Do not catch TypeError",
            "SameSite=Lax",
            "must stay below 86400",
        ),
    ),
    Sample(
        name="incident",
        text="""At the beginning of the week nobody noticed anything unusual. On Tuesday at 14:32 UTC the first alert came in: the queue `orders.retry` held 18,204 messages, where 40 are normal. The person on call looked at the dashboards, had a coffee and looked again, and the number had grown.

The cause was the deployment of build 7781, which had set MAX_INFLIGHT to 1. It is easy to say so now, but at the time all kinds of explanations were discussed, including the weather. The setting comes from `deploy/values-eu.yaml`, line 112, and was meant for the staging cluster only.

Rolling back took 11 minutes because the image had been deleted by the nightly cleanup. From now on the cleanup must keep the last 5 images. Nobody may change `deploy/values-eu.yaml` without a review by the platform team.

No orders were lost. 312 customers received their confirmation late, and support has written to all of them. The mood in the room was calm throughout, for which everybody deserves to be thanked.""",
        must=(
            "14:32",
            "`orders.retry`",
            "18,204 messages",
            "7781",
            "MAX_INFLIGHT",
            "`deploy/values-eu.yaml`",
            "112",
            "11 minutes",
            "must keep last 5 images",
            "without review by platform team",
            "312 customers",
        ),
    ),
    Sample(
        name="requirements",
        text="""The portal is for people who visit it once a year and do not want to learn anything. It should feel friendly, and it should be possible to use it on a phone while standing in a queue. We have seen many portals that tried to be clever, and we would like this one to be kind instead.

Uploads are limited to 25 MB per file and 10 files per request. Only PDF and PNG are accepted. Larger files must be refused before they are read, with status 413. It would be nice if the message were polite.

All times are shown in Europe/Lisbon and stored in UTC. Personal data must never leave the region eu-south-2. The retention period is 18 months, after which the job `purge_expired` deletes everything but the invoice number.

The colours are up to the designers, who have a good hand for it. Contrast must be at least 4.5:1. The logo is at `assets/brand/logo.svg` and must not be altered. Whatever else there is to say will be said in the workshop, to which everybody is warmly invited.""",
        must=(
            "25 MB",
            "10 files",
            "Only PDF and PNG",
            "must be refused before they are read",
            "413",
            "Europe/Lisbon",
            "UTC",
            "must never leave region eu-south-2",
            "18 months",
            "`purge_expired`",
            "at least 4.5:1",
            "`assets/brand/logo.svg`",
            "must not be altered",
        ),
    ),
    Sample(
        name="verification",
        text="""The build went through without any difficulty, and the machine was pleasantly quiet. All of the tests that existed before still pass. There was a moment of doubt when the screen went dark, but that was only the energy saver.

Two of the new tests fail. `test_resume_after_crash` expects 3 rows and finds 2, because Journal.replay skips the last entry when its checksum is 0. `test_large_offsets` overflows at 2147483648 in `storage/offsets.c`. Both can be reproduced with make check SEED=91.

Coverage of `storage/` fell from 93.1 % to 88.7 %. It must not fall below 90 %. Somebody remarked that numbers are not everything, and that is certainly true as well.

The new option --fsync=batch is not documented. Apart from that the code is clean and follows the conventions that we agreed upon, and reading it was no effort at all.""",
        must=(
            "`test_resume_after_crash`",
            "3 rows",
            "2",
            "Journal.replay",
            "`test_large_offsets`",
            "2147483648",
            "`storage/offsets.c`",
            "SEED=91",
            "93.1 %",
            "88.7 %",
            "must not fall below 90 %",
            "--fsync=batch",
        ),
    ),
    Sample(
        name="runbook",
        text="""Moving the database is less exciting than it sounds, and it has been done many times by now. Take your time, and do it when the office is quiet. It helps to have somebody beside you, if only for company.

Announce the window in the channel #ops-changes at least 48 hours before. Set `read_only=1` on db-primary-2 and wait until the lag is 0. Never promote a replica whose lag is above 0. You will see the lag in the dashboard, which has become rather pretty since the last redesign.

Run scripts/promote.sh --target db-replica-5 --confirm and watch `/var/log/promote.log`. It takes between 90 and 140 seconds. Do not interrupt it. It is normal that the fans get louder.

Afterwards point PGHOST at 10.20.4.17 and restart the workers, at most 3 at a time. The old primary must be kept for 7 days. When all is done, write a line or two into the diary, so that the next person knows how it went.""",
        must=(
            "#ops-changes",
            "at least 48 hours",
            "`read_only=1`",
            "db-primary-2",
            "Never promote replica whose lag is above 0",
            "scripts/promote.sh",
            "--target",
            "db-replica-5",
            "--confirm",
            "`/var/log/promote.log`",
            "90",
            "140 seconds",
            "Do not interrupt it",
            "PGHOST",
            "10.20.4.17",
            "at most 3 at time",
            "must be kept for 7 days",
        ),
    ),
    Sample(
        name="minutes",
        text="""Present were the usual people, and one guest from the design group, who had come out of curiosity. We began with a look back at the last fortnight, which had been quiet, and then went through the list.

Search: we decided to use trigram indexes instead of a separate engine, because the corpus is only 1.3 million documents. The prototype answers in 45 ms at the 99th percentile. People were visibly pleased. The branch is feature/trigram-search and nobody else works on it.

Billing: the rounding error of 0.01 EUR in InvoiceLine.total comes from float arithmetic. It has to become Decimal. Amounts that were already invoiced must not change. There followed a long and friendly digression about the history of money.

Hiring: two conversations are planned, and the room has been booked. Next meeting on 2026-03-12. The guest thanked everybody for the biscuits, and we closed a little early.""",
        must=(
            "trigram indexes instead of separate engine",
            "1.3 million",
            "45 ms",
            "99th",
            "feature/trigram-search",
            "0.01 EUR",
            "InvoiceLine.total",
            "has to become Decimal",
            "must not change",
            "2026-03-12",
        ),
    ),
    Sample(
        name="list",
        text="""# Release checklist

Nothing here is difficult, but forgetting one of the points has been embarrassing in the past, and so the list exists.

- Bump the version in `pyproject.toml` to 2.8.0, and nowhere else, since everything reads it from there nowadays.
- Run the migrations on a copy first; never on the live database.
- The changelog should be pleasant to read, and it should thank people by name where they have agreed to that.
  - Keep the section "Removed" even when it is empty.
- Build with python -m build --no-isolation and upload from the machine ci-runner-03 only.
- Wait for 2 approvals. It may take a while, and that is fine, because there is always something else to do.
- Tag as v2.8.0 and push the tag to origin, not to the mirror.

Celebrate a little. It is customary to bring cake, although nobody keeps a record of that.""",
        must=(
            "`pyproject.toml`",
            "2.8.0",
            "never on live database",
            'Keep section "Removed"',
            "--no-isolation",
            "ci-runner-03 only",
            "2 approvals",
            "v2.8.0",
            "not to mirror",
        ),
    ),
    Sample(
        name="migration guide",
        held_out=True,
        text="""Upgrading is usually painless, and most projects are through with it before lunch. This guide lists what has changed, in no particular order, so that you can see at a glance whether any of it concerns you.

The function `connect` no longer takes a string; pass a `Dsn` object. It used to accept both for historical reasons, and the code was hard to follow. If you need the old behaviour, call `Dsn.parse` first.

Retries are off by default. Turn them on with retries=5 and a backoff of 250 ms. We are aware that opinions differ on this, and have tried to find a middle ground that works for the majority of people who wrote to us.

Pools larger than 64 connections are rejected. Sessions may not be shared between threads any more. In practice hardly anybody did that, and those who did had strange bugs which they then reported to us.

Python 3.9 is not supported; the oldest version that we test is 3.11. The package `dbkit-legacy` will disappear on 1 June 2027.""",
        must=(
            "`connect` no longer takes string",
            "`Dsn` object",
            "`Dsn.parse`",
            "Retries are off",
            "retries=5",
            "250 ms",
            "64 connections",
            "may not be shared between threads",
            "3.9 is not supported",
            "3.11",
            "`dbkit-legacy`",
            "1 June 2027",
        ),
    ),
    Sample(
        name="feedback",
        held_out=True,
        text="""I have used the assistant for a week now, and on the whole I like it more than I had expected. It is patient, it writes in a pleasant tone, and it has saved me a good deal of typing, for which I am grateful.

What I would ask for is this. Stop renaming variables that I did not mention. When you edit `billing/tax_rules.py`, leave the table RATES_2025 alone, because it was signed off by the auditors. Use tabs in the Makefile.

On Monday it ran pytest with -n 8 and the laptop with its 16 GB of memory became unusable, so two workers are the maximum. It also pushed to main once. All work belongs on a branch that starts with wip/ and goes through review by Ines.

I have nothing else to complain about. The summaries in the morning are a delight, and my colleagues have begun to ask me how I do it.""",
        must=(
            "Stop renaming variables",
            "did not mention",
            "`billing/tax_rules.py`",
            "RATES_2025 alone",
            "Use tabs in Makefile",
            "-n 8",
            "16 GB",
            "two workers are maximum",
            "belongs on branch that starts with wip/",
            "review by Ines",
        ),
    ),
)
