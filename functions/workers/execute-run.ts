import { abortable } from "../abortable.ts";
import type { Upstream } from "../egress/upstream-route.ts";
import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import type { Queues } from "../queues.ts";
import { RUN_TIMING, type RunTiming } from "../run-timing.ts";
import { creditMultipliers } from "../runs/credits.ts";
import { endingOf, followUpOf } from "../runs/ending.ts";
import { type FailureCode, RunFailure } from "../runs/failure.ts";
import type { RunRef, StoredRun } from "../runs/run.ts";
import { exceededLimit, timedOut, timeLimitOf } from "../runs/run-limits.ts";
import type { Outcome, Scrape } from "../scraping/job.ts";
import type { SecretReader } from "../secrets/secret.ts";
import { withSecrets } from "../secrets/with-secrets.ts";
import { getAccount } from "../store/accounts.ts";
import { creditsUsed, monthOf } from "../store/credits.ts";
import { putEvidence } from "../store/evidence.ts";
import { hostTurns } from "../store/host-turns.ts";
import { claimRun } from "../store/runs.ts";
import type { Table } from "../store/table.ts";
import { followUp } from "./follow-up.ts";
import { LeaseLost, RunRecorder } from "./run-recorder.ts";

export interface ExecuteRunDeps {
  table: Table;
  queues: Queues;
  scrape: Scrape;
  readSecrets: SecretReader;
  /** The upstream proxy that a run uses; undefined: none. */
  upstreamFor: (run: StoredRun) => Promise<Upstream | undefined>;
  now: () => Date;
  log: Log;
  meter?: Meter;
  timing?: RunTiming;
  /** Fires when this process has to stop before its runs have finished. */
  stop?: AbortSignal;
}

/** The longest delay of an SQS message. */
const MAX_DELAY_SECONDS = 900;

/**
 * Executes or resumes a run until it has finished or `deadline` (ms since the epoch) is near. Does nothing for a run that
 * has finished or that another executor holds, so a message may arrive twice or late.
 */
export async function executeRun(deps: ExecuteRunDeps, ref: RunRef, deadline: number): Promise<void> {
  const { table, queues, log, now, timing = RUN_TIMING } = deps;
  const claimedAt = now();
  const run = await claimRun(table, ref, claimedAt, new Date(claimedAt.getTime() + timing.leaseMs));
  if (run === undefined) return;

  const recorder = await RunRecorder.open(table, run, now, timing);
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
    if (deps.stop?.aborted && error === deps.stop.reason) await recorder.release();
    else if (error instanceof LeaseLost)
      log.info("Another executor has taken over the run", { runId: run.id });
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
  // The claim of this attempt is alive.
  const failure = exceededLimit(run, deps.now(), run.claims - 1);
  if (failure !== undefined) return { outcome: "done", failure };
  try {
    const outcome = await scrapeInto(deps, run, recorder, Math.min(deadline, limit));
    if (outcome === "done") return { outcome };
    if (outcome !== "handover" && outcome.notBefore >= limit) {
      return { outcome: "done", failure: outcome.failure };
    }
    return deps.now().getTime() >= limit ? { outcome: "done", failure: timedOut() } : { outcome };
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
    clock: run.clock,
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
  // `for await` would drop the generator's return value, which is the outcome.
  for (;;) {
    const next = await abortable(batches.next(), stop);
    if (next.done) return next.value;
    try {
      await recorder.add(next.value);
    } catch (error) {
      await batches.return("handover");
      throw error;
    }
  }
}

/** The delay of a message, as long as SQS allows. A message that arrives too early is queued again. */
const secondsUntil = (time: number, now: Date) =>
  Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.ceil((time - now.getTime()) / 1_000)));

/** How many credits this run may use before the account reaches its limit for this month. */
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

/** Failures that only the service's operator can do something about. */
const SERVICE_FAILURES = new Set<FailureCode>(["browser_failed", "internal_error"]);

async function finish(
  deps: ExecuteRunDeps,
  run: StoredRun,
  recorder: RunRecorder,
  failure: RunFailure | undefined,
): Promise<void> {
  const ending = endingOf(failure, deps.now());
  // Before the ending: nobody returns to a finished run to add what is missing.
  if (failure?.evidence) await putEvidence(deps.table, run, failure.evidence);
  await recorder.finish(ending, followUpOf(run, recorder.creditsUsed));
  deps.log.info("Run finished", {
    runId: run.id,
    account: run.account,
    status: ending.status,
    code: failure?.code,
    rows: recorder.rowCount,
    credits: recorder.creditsUsed,
    attempt: run.attempt,
  });
  if (failure && SERVICE_FAILURES.has(failure.code))
    deps.log.error("The run failed because of a fault in the service", { runId: run.id, error: failure });
  deps.meter?.runFinished({
    code: failure?.code,
    durationMs: deps.now().getTime() - Date.parse(run.started_at ?? run.created_at),
    rows: recorder.rowCount,
    pages: recorder.creditsUsed / creditMultipliers[run.proxy.type],
    credits: recorder.creditsUsed,
  });
  await followUp(deps, run);
}
