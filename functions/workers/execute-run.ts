import type { Upstream } from "../egress/upstream-route.ts";
import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import { PATIENCE, type Patience } from "../patience.ts";
import type { Queues } from "../queues.ts";
import { creditMultipliers } from "../runs/credits.ts";
import { aftermathOf, endingOf } from "../runs/ending.ts";
import { type FailureCode, RunFailure } from "../runs/failure.ts";
import { hopeless, outOfTime, timeLimitOf } from "../runs/hopeless.ts";
import type { Outcome, Scrape } from "../scraping/job.ts";
import type { SecretReader } from "../secrets/secret.ts";
import { withSecrets } from "../secrets/with-secrets.ts";
import { getAccount } from "../store/accounts.ts";
import { creditsUsed, monthOf } from "../store/credits.ts";
import { putEvidence } from "../store/evidence.ts";
import { hostTurns } from "../store/host-turns.ts";
import { claimRun, type RunRef, type StoredRun } from "../store/runs.ts";
import type { Table } from "../store/table.ts";
import { afterRun } from "./after-run.ts";
import { LeaseLost, RunRecorder } from "./run-recorder.ts";

export interface ExecuteRunDeps {
  table: Table;
  queues: Queues;
  scrape: Scrape;
  readSecrets: SecretReader;
  /** The proxy that a run asks for; absent: none. */
  upstreamFor: (run: StoredRun) => Promise<Upstream | undefined>;
  now: () => Date;
  log: Log;
  meter?: Meter;
  patience?: Patience;
  /** Raised when this process has to stop before its runs are done. */
  stop?: AbortSignal;
}

/** SQS's limit. */
const MAX_DELAY_SECONDS = 900;

/** The process is asked to stop: the run is let go, to be gone on with by the next one. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

/**
 * Executes a run, or goes on with it, until it has finished or `deadline` (ms since the epoch) is near. A run that
 * has finished or that another executor holds is left alone, so a message may come twice or late.
 */
export async function executeRun(deps: ExecuteRunDeps, ref: RunRef, deadline: number): Promise<void> {
  const { table, queues, log, now, patience = PATIENCE } = deps;
  const claimedAt = now();
  const run = await claimRun(table, ref, claimedAt, new Date(claimedAt.getTime() + patience.leaseMs));
  if (run === undefined) return;

  const recorder = await RunRecorder.open(table, run, now, patience);
  try {
    const { outcome, failure } = await attempt(deps, run, recorder, deadline);
    if (outcome === "handover") {
      await recorder.release();
      await queues.sendRun(ref);
      return;
    }
    if (typeof outcome === "object") {
      await recorder.release(new Date(outcome.notBefore));
      await queues.sendRun(ref, secondsUntil(outcome.notBefore, now()));
      return;
    }
    await finish(deps, run, recorder, failure);
  } catch (error) {
    if (error instanceof Stopped) await recorder.release();
    else if (error instanceof LeaseLost) log.info("The run went to another executor", { runId: run.id });
    else throw error;
  } finally {
    recorder.close();
  }
}

async function attempt(
  deps: ExecuteRunDeps,
  run: StoredRun,
  recorder: RunRecorder,
  deadline: number,
): Promise<{ outcome: Outcome; failure?: RunFailure }> {
  const limit = timeLimitOf(run);
  // This claim is not dead yet.
  const failure = hopeless(run, deps.now(), run.claims - 1);
  if (failure !== undefined) return { outcome: "done", failure };
  try {
    const outcome = await scrapeInto(deps, run, recorder, Math.min(deadline, limit));
    if (outcome === "done") return { outcome };
    if (outcome !== "handover" && outcome.notBefore >= limit) {
      return { outcome: "done", failure: outcome.failure };
    }
    return deps.now().getTime() >= limit ? { outcome: "done", failure: outOfTime() } : { outcome };
  } catch (error) {
    if (error instanceof RunFailure) return { outcome: "done", failure: error };
    throw error;
  }
}

async function scrapeInto(
  { table, scrape, readSecrets, upstreamFor, now, stop }: ExecuteRunDeps,
  run: StoredRun,
  recorder: RunRecorder,
  deadline: number,
): Promise<Outcome> {
  const affordable = await affordableCredits(table, run, now());
  const credits = creditMultipliers[run.proxy.type];
  const job = {
    steps: run.steps,
    pagination: run.pagination,
    rowsLimit: run.rows_limit,
    loadImages: run.load_images,
    userAgent: run.user_agent,
    respectRobots: run.respect_robots,
    ...(run.place && {
      from: { checkpoint: run.place, taken: run.row_count, warnings: run.warnings },
    }),
  };
  const onPageLoad = () => {
    if (recorder.creditsUsed + credits > affordable) throw outOfCredits();
    recorder.addCredits(credits);
  };
  const upstream = await upstreamFor(run);
  const turns = hostTurns(table, run.account, now);
  const engine = withSecrets(scrape, readSecrets, run.account);
  const batches = engine(job, { upstream, turns, deadline, onPageLoad });
  const stopped = rejectOn(stop);
  // Not `for await`: the generator's return value says how it ended.
  for (;;) {
    const next = await Promise.race([stopped, batches.next()]);
    if (next.done) return next.value;
    try {
      await recorder.add(next.value);
    } catch (error) {
      await batches.return("handover");
      throw error;
    }
  }
}

/** As a queue takes it: one that comes too early looks again. */
const secondsUntil = (time: number, now: Date) =>
  Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.ceil((time - now.getTime()) / 1_000)));

/** Rejects when the signal is raised; without one, never settles. */
function rejectOn(signal: AbortSignal | undefined): Promise<never> {
  const rejected = new Promise<never>((_, reject) => {
    if (signal?.aborted) reject(new Stopped());
    signal?.addEventListener("abort", () => reject(new Stopped()), { once: true });
  });
  // It may come while nobody waits for it.
  rejected.catch(() => undefined);
  return rejected;
}

/** What this run may use of the account's credits of this month. */
async function affordableCredits(table: Table, run: StoredRun, now: Date): Promise<number> {
  const limit = (await getAccount(table, run.account))?.credit_limit ?? null;
  return limit === null
    ? Number.POSITIVE_INFINITY
    : limit - (await creditsUsed(table, run.account, monthOf(now)));
}

const outOfCredits = () =>
  new RunFailure(
    "credits_exhausted",
    "The account has used up its credits of this month. The rows extracted so far are kept; raise the limit or wait for the next month.",
  );

const OPERATORS = new Set<FailureCode>(["browser_failed", "internal_error"]);

async function finish(
  deps: ExecuteRunDeps,
  run: StoredRun,
  recorder: RunRecorder,
  failure: RunFailure | undefined,
): Promise<void> {
  const ending = endingOf(failure, deps.now());
  // Before the end is stored: after it, nobody would come back for what is missing.
  if (failure?.evidence) await putEvidence(deps.table, run, failure.evidence);
  await recorder.finish(ending, aftermathOf(run, recorder.creditsUsed));
  deps.log.info("Run finished", {
    runId: run.id,
    account: run.account,
    status: ending.status,
    code: failure?.code,
    rows: recorder.rowCount,
    credits: recorder.creditsUsed,
    attempt: run.attempt,
  });
  // What the scraper's owner can do nothing about is the operator's to understand.
  if (failure && OPERATORS.has(failure.code))
    deps.log.error("The run failed for a reason of the service's own", { runId: run.id, error: failure });
  deps.meter?.runFinished({
    code: failure?.code,
    durationMs: deps.now().getTime() - Date.parse(run.started_at ?? run.created_at),
    rows: recorder.rowCount,
    pages: recorder.creditsUsed / creditMultipliers[run.proxy.type],
    credits: recorder.creditsUsed,
  });
  await afterRun(deps, run);
}
