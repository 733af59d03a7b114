import { expect, test } from "@jest/globals";
import { EgressError } from "../../../functions/egress/egress-error.ts";
import type { Post } from "../../../functions/egress/requests/post-json.ts";
import type { RunRef, StoredRun } from "../../../functions/runs/run.ts";
import { webhookJson } from "../../../functions/runs/webhook-json.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { resendWebhook } from "../../../functions/store/runs/run-follow-up.ts";
import { claimRun, finishRun } from "../../../functions/store/runs/run-state.ts";
import { getRun } from "../../../functions/store/runs/runs.ts";
import { deliverWebhook } from "../../../functions/workers/deliver-webhook.ts";
import { sweep } from "../../../functions/workers/sweep.ts";
import { startTable } from "../store/local-table.ts";
import { definition, storeRun, storeScraper } from "../store/samples.ts";

/* The retry schedule takes a day, so here time is what the test says; storage is real. */

const table = await startTable();
let accounts = 0;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A finished run with a webhook, a receiver that answers as it is told, and a clock. */
async function scene(
  answer: () => { status: number; body?: string } | Error,
  {
    isBacklogged = false,
    onPost = async () => {},
  }: { isBacklogged?: boolean; onPost?: () => Promise<void> } = {},
) {
  accounts += 1;
  const account = `account-${accounts}`;
  let time = Date.parse("2026-11-21T00:00:00.000Z");
  const now = () => new Date(time);
  await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
  const scraper = await storeScraper(table, account, definition, now());
  const stored = await storeRun(table, account, scraper, {
    now: now(),
    webhookUrl: "https://example.org/hook",
  });
  const run = await claimRun(table, stored, now(), MINUTE);
  if (run === undefined) throw new Error("not claimed");
  const ending = { status: "successful", error: null, finished_at: now().toISOString() } as const;
  const rows = { row_count: 0, row_bytes: 0, segments: [] };
  const progress = { ...rows, credits_used: 0, warnings: [], elapsed_ms: 0 };
  await finishRun(table, run, progress, ending, new Date(time + MINUTE));

  const posted: { at: number; id: string | undefined }[] = [];
  const post: Post = async (_url, { headers }) => {
    posted.push({ at: time, id: headers["webhook-id"] });
    await onPost();
    const given = answer();
    if (given instanceof Error) throw given;
    return { durationMs: 3, body: "", ...given };
  };
  /** Messages of the webhook queue, each with the time from which it can be received. */
  let messages = [{ ref: { account, id: run.id } as RunRef, from: time }];
  const queues = {
    sendRun: async () => {},
    sendBatch: async () => {},
    sendWebhook: async (ref: RunRef, delaySeconds = 0) => {
      // A sweep handles the runs of other tests, too.
      if (ref.account === account) messages.push({ ref, from: time + delaySeconds * 1000 });
    },
  };
  const log = { info() {}, error() {} };
  const deps = { table, queues, post, now, log };
  return {
    run,
    posted,
    queued: () => messages.length,
    read: async () => (await getRun(table, run)) as StoredRun,
    attempts: async () => (await getRun(table, run))?.webhook_log ?? [],
    /**
     * Lets time go by in steps, delivering what is queued and sweeping each minute. Of the time in which nothing is
     * queued or due, only the last minutes are played.
     */
    async pass(ms: number, step = MINUTE / 2) {
      for (const end = time + ms; time < end; time += step) {
        const due = isBacklogged ? [] : messages.filter(({ from }) => from <= time);
        messages = messages.filter((message) => !due.includes(message));
        // What kills a worker, is not told to anybody.
        for (const { ref } of due) await deliverWebhook(deps, ref).catch(() => undefined);
        if (time % MINUTE !== 0) continue;
        await sweep(deps);
        const next = Math.min(
          end,
          Date.parse((await getRun(table, run))?.due_at ?? new Date(end).toISOString()),
        );
        if (messages.length === 0) time = Math.max(time, Math.floor(next / MINUTE - 3) * MINUTE);
      }
    },
    deliver: () => deliverWebhook(deps, run),
    resend: (seen: StoredRun) => resendWebhook(table, seen, now()),
    now,
    setClock(ms: number) {
      time += ms;
    },
  };
}

test("a receiver that is down for a day gets nine attempts on the schedule, all with one id; then it is given up", async () => {
  const { run, posted, pass, read, attempts } = await scene(() => ({ status: 503, body: "down" }));
  await pass(32 * HOUR, 5_000);
  const start = posted[0]?.at ?? 0;
  const waits = posted.slice(1).map(({ at }, index) => at - (posted[index]?.at ?? start));
  const schedule = [5_000, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 12 * HOUR];
  expect(waits).toHaveLength(schedule.length);
  // Never early, and late by no more than a sweep.
  waits.forEach((wait, index) => {
    expect(wait - (schedule[index] ?? 0)).toBeGreaterThanOrEqual(0);
    expect(wait - (schedule[index] ?? 0)).toBeLessThanOrEqual(MINUTE);
  });
  expect(new Set(posted.map(({ id }) => id))).toEqual(new Set([run.id]));
  expect(await attempts()).toHaveLength(9);
  expect((await attempts())[0]).toEqual({
    at: "2026-11-21T00:00:00.000Z",
    status: 503,
    duration_ms: 3,
    answer: "down",
  });
  expect(await read()).toMatchObject({ webhook_outcome: "failed" });
  expect(await read()).not.toHaveProperty("due");
}, 120_000);

test("410 stops at once", async () => {
  const { posted, pass, read } = await scene(() => ({ status: 410 }));
  await pass(HOUR);
  expect(posted).toHaveLength(1);
  expect(await read()).toMatchObject({ webhook_outcome: "failed" });
});

test("a refused address stops at once", async () => {
  const { posted, pass, read, attempts } = await scene(
    () => new EgressError("blocked_address", "10.0.0.1:80 can't be reached: it is not a public address"),
  );
  await pass(HOUR);
  expect(posted).toHaveLength(1);
  expect(await read()).toMatchObject({ webhook_outcome: "failed" });
  expect(await attempts()).toMatchObject([{ status: null, answer: expect.stringContaining("10.0.0.1") }]);
});

test("an attempt that kills its worker counts: such a delivery ends after nine of them", async () => {
  const { posted, pass, read, attempts } = await scene(() => new Error("killed"));
  await pass(34 * HOUR, 2 * MINUTE);
  expect(posted).toHaveLength(9);
  expect(await read()).toMatchObject({ webhook_outcome: "failed", webhook_attempts: 9 });
  expect(await attempts()).toHaveLength(9);
});

test("two copies of a message make one attempt, at every attempt", async () => {
  const { posted, pass, deliver } = await scene(() => ({ status: 500 }));
  const copies = async () => {
    await Promise.all([deliver(), deliver(), deliver()]);
    return posted.length;
  };
  expect(await copies()).toBe(1);
  await pass(5_000, 5_000);
  expect(await copies()).toBe(2);
  await pass(MINUTE, 5_000);
  expect(await copies()).toBe(3);
});

test("a backlog does not fill the queue with copies", async () => {
  const { pass, queued } = await scene(() => ({ status: 200 }), { isBacklogged: true });
  await pass(6 * HOUR);
  expect(queued()).toBeGreaterThan(20);
  expect(queued()).toBeLessThan(100);
});

test.each([301, 404, 500, 199])("%i is tried again", async (status) => {
  const { posted, pass } = await scene(() => ({ status }));
  await pass(2 * MINUTE, 5_000);
  expect(posted).toHaveLength(3);
});

test("no answer is tried again, and recorded with its reason", async () => {
  let down = true;
  const { pass, read, attempts } = await scene(() =>
    down ? new EgressError("timeout", "hook did not answer") : { status: 204 },
  );
  await pass(1_000, 1_000);
  down = false;
  await pass(2 * MINUTE);
  expect(await attempts()).toMatchObject([{ status: null, answer: "hook did not answer" }, { status: 204 }]);
  expect(await read()).toMatchObject({ webhook_outcome: "delivered" });
});

test("a message that comes twice or late does nothing more", async () => {
  let status = 500;
  const { posted, pass, deliver } = await scene(() => ({ status }));
  await pass(1_000, 1_000);
  await deliver();
  expect(posted).toHaveLength(1);
  status = 200;
  await pass(MINUTE);
  await deliver();
  expect(posted).toHaveLength(2);
});

test.each([41 * 24, 1])(
  "a retry that a clock ahead by %i hours has planned is made at once when the clock is right again",
  async (hours) => {
    const { posted, deliver, setClock, read } = await scene(() => ({
      status: posted.length < 2 ? 503 : 204,
    }));
    setClock(hours * HOUR);
    await deliver();
    await deliver();
    expect(posted).toHaveLength(1);
    setClock(-hours * HOUR);
    await deliver();
    expect(posted).toHaveLength(2);
    expect(await read()).toMatchObject({ webhook_outcome: "delivered" });
  },
);

test("an attempt is reported as in progress until it ends, or until its process must have ended", async () => {
  const answers: string[] = [];
  const { read, deliver, now, setClock } = await scene(
    () => {
      throw new Error("The process dies.");
    },
    {
      onPost: async () => void answers.push(await answerOf()),
    },
  );
  const answerOf = async () => webhookJson(await read(), [], now()).attempts.at(-1)?.answer ?? "none";
  await expect(deliver()).rejects.toThrow("The process dies.");
  setClock(59_000);
  answers.push(await answerOf());
  setClock(1_000);
  answers.push(await answerOf());
  const inProgress = "The attempt is in progress.";
  expect(answers).toEqual([
    inProgress,
    inProgress,
    "The attempt did not end: the process that made it stopped.",
  ]);
});

test("20 resends at the same time make one delivery; a later one makes another", async () => {
  const { posted, read, resend, deliver } = await scene(() => ({ status: 204 }));
  await deliver();
  expect(posted).toHaveLength(1);
  for (const deliveries of [2, 3]) {
    const before = await read();
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        expect(await resend(before)).toBe(true);
        await deliver();
      }),
    );
    expect(posted).toHaveLength(deliveries);
    expect(await read()).toMatchObject({ webhook_outcome: "delivered" });
  }
});

test("a resend during an attempt or before the first one changes nothing; one between attempts starts again", async () => {
  const during: (number | undefined)[] = [];
  const { posted, read, resend, deliver } = await scene(() => ({ status: 503 }), {
    onPost: async () => {
      await resend(await read());
      during.push((await read()).webhook_attempts);
    },
  });
  await resend(await read());
  await deliver();
  await resend(await read());
  expect(await read()).toMatchObject({ webhook_attempts: 0 });
  await deliver();
  expect(during).toEqual([1, 1]);
  expect(posted).toHaveLength(2);
});
