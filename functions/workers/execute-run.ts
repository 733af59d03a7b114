import { abortable } from "../abortable.ts";
import { keyDigest } from "../changes/keys.ts";
import { RowIndex } from "../changes/row-index.ts";
import type { Upstream } from "../egress/connect/upstream-route.ts";
import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import { type Queues, queueRun } from "../queues.ts";
import { RUN_TIMING, type RunTiming } from "../run-timing.ts";
import { UnknownCheckpoint } from "../runs/checkpoint.ts";
import { creditMultipliers } from "../runs/credits.ts";
import { RunFailure } from "../runs/failure.ts";
import type { RunRef, StoredRun } from "../runs/run.ts";
import { exceededLimit, faultDelay, stopped, timedOut } from "../runs/run-limits.ts";
import { jobOf, type Outcome, type Scrape, type ScrapeContext } from "../scraping/job.ts";
import type { CaptureRequest } from "../scraping/page/pictures/capture.ts";
import type { SecretReader } from "../secrets/secret.ts";
import { withSecrets } from "../secrets/with-secrets.ts";
import { withSession } from "../sessions/with-session.ts";
import { during, type OnStage, StageTimes } from "../stages.ts";
import { mayHaveFiles } from "../store/files.ts";
import { hostTurns } from "../store/host-turns.ts";
import { PiecesMissing } from "../store/pieces.ts";
import { deleteLateWrites } from "../store/runs/delete-run.ts";
import { type Claim, claimRun, releaseRun } from "../store/runs/run-state.ts";
import { readRequests } from "../store/runs/run-stop.ts";
import { isWatched } from "../store/runs/run-watch.ts";
import { type MemoryRef, readKeys, readMemory } from "../store/scraper-memory.ts";
import type { Table } from "../store/table.ts";
import { withTransforms } from "../values/with-transforms.ts";
import { leavesOutKnown } from "./compare-run.ts";
import { CreditReserve } from "./credit-reserve.ts";
import { endExecution, logStages } from "./end-execution.ts";
import { RepairSuggestions } from "./repair-suggestions.ts";
import { RunFiles } from "./run-files.ts";
import { LeaseLost, RunRecorder } from "./run-recorder.ts";
import { StorageQuota } from "./storage-quota.ts";

export interface ExecuteRunDeps {
  table: Table;
  queues: Queues;
  scrape: Scrape;
  readSecrets: SecretReader;
  /** The upstream proxy that a run uses; undefined if it uses none. */
  upstreamFor: (run: StoredRun) => Promise<Upstream | undefined>;
  now: () => Date;
  log: Log;
  meter?: Meter;
  timing?: RunTiming;
  /** Gets the time of each stage; absent if stages are not measured. */
  onStage?: OnStage | undefined;
  /** Aborts when this process has to stop before its runs have finished. */
  stop?: AbortSignal;
}

type Deps = ExecuteRunDeps & { timing: RunTiming };

/** A run with less time left than this ends, because that is too short for another execution. */
const LEAST_TIME_MS = 5_000;

/**
 * Executes or resumes a run until it has finished or `deadline` (ms since the epoch) is near. Does nothing if the run
 * has finished or another executor holds it, so messages may arrive twice or late.
 */
export async function executeRun(
  { timing = RUN_TIMING, ...rest }: ExecuteRunDeps,
  ref: RunRef,
  deadline: number,
): Promise<void> {
  const deps = { ...rest, timing };
  const { table, now } = deps;
  const stages = new StageTimes(deps.onStage);
  const run = await during(stages.add, "claim", () => claimRun(table, ref, now(), timing.leaseMs));
  if (run === undefined) return;
  if (run.attempt === 1) stages.add?.("queued", now().getTime() - Date.parse(run.created_at));
  const recorder = await openRecorder(deps, run, stages);
  if (recorder === undefined) return;
  const requests = watchRequests(table, run, { now, timing, onWatched: () => recorder.storeForWatcher() });
  const suggestions = new RepairSuggestions(deps, run);
  const isFirst = recorder.checkpoint === undefined;
  recorder.log.add({ code: isFirst ? "started" : "resumed", step: null });
  try {
    const stopped = AbortSignal.any([requests.stopped, ...(deps.stop ? [deps.stop] : [])]);
    const { capture } = suggestions;
    const { outcome, failure } = await attempt(deps, run, recorder, { deadline, stopped, capture });
    if (outcome === "done") {
      recorder.warnings = await suggestions.addTo(failure, recorder.warnings);
      await endExecution(deps, run, recorder, failure, deadline);
    } else await handOver(deps, run, recorder, outcome === "handover" ? undefined : outcome.notBefore);
  } catch (error) {
    if (deps.stop?.aborted && error === deps.stop.reason) await recorder.release(now());
    else if (error instanceof LeaseLost) await leave(deps, run);
    else await retryLater(deps, run, recorder, error);
  } finally {
    requests.close();
    recorder.close();
  }
}

/** Opens a recorder. If this version of the service can't resume the run, releases the run and returns undefined. */
async function openRecorder(
  { table, now, log, timing }: Deps,
  run: StoredRun,
  stages: StageTimes,
): Promise<RunRecorder | undefined> {
  try {
    return new RunRecorder(table, run, { now, timing, stages });
  } catch (error) {
    if (!(error instanceof UnknownCheckpoint)) throw error;
    log.error("The run waits for the version of the service that began it", { runId: run.id, error });
    const due = new Date(now().getTime() + timing.overdueMs);
    await releaseRun(table, run, undefined, { now: now(), due, faults: run.faults });
    return undefined;
  }
}

/**
 * Releases and queues the run, so that another execution resumes it at `notBefore` (ms since the epoch), or at once.
 */
async function handOver(
  { queues, now, log, timing }: Deps,
  run: StoredRun,
  recorder: RunRecorder,
  notBefore: number | undefined,
): Promise<void> {
  const from = notBefore ?? now().getTime();
  if (notBefore !== undefined) {
    const until = new Date(notBefore).toISOString();
    recorder.log.add({ code: "waiting", step: null, message: `The run waits for its host until ${until}.` });
  }
  logStages(recorder);
  await recorder.release(new Date(from + timing.overdueMs));
  await queueRun(queues, log, run, from - now().getTime());
}

/**
 * Called when this executor has lost the run: another one has claimed it, or it has ended. If it was also deleted, this
 * makes the sweep delete the late writes of this executor.
 */
async function leave({ table, now, log }: Deps, run: StoredRun): Promise<void> {
  log.info("Another executor has taken over the run, or it has ended", { runId: run.id });
  await deleteLateWrites(table, run, now());
}

/** Called after a fault of the service. Releases the run and queues it with a delay. */
async function retryLater(deps: Deps, run: StoredRun, recorder: RunRecorder, error: unknown): Promise<void> {
  const { queues, now, log, timing } = deps;
  const faults = (recorder.isAdvanced ? 0 : run.faults) + 1;
  const delay = faultDelay(faults);
  log.error("A fault of the service stopped the run, which is resumed later", {
    runId: run.id,
    account: run.account,
    faults,
    inSeconds: delay / 1000,
    error,
  });
  try {
    await recorder.release(new Date(now().getTime() + delay + timing.overdueMs), faults);
  } catch (cause) {
    if (cause instanceof LeaseLost) return leave(deps, run);
    throw cause;
  }
  await queueRun(queues, log, run, delay);
}

/** How an attempt may end. */
interface Ends {
  /** When the attempt has to hand over the run, in ms since the epoch. */
  deadline: number;
  /** Aborts when a client has asked to stop the run. */
  stopped: AbortSignal;
  /** Asks for the page at the end. */
  capture: CaptureRequest | undefined;
}

/** Runs the steps, unless the run exceeds a limit. Failures of the run are part of the result. */
async function attempt(
  deps: Deps,
  run: StoredRun,
  recorder: RunRecorder,
  ends: Ends,
): Promise<{ outcome: Outcome; failure?: RunFailure }> {
  // Without the claim of this attempt, whose executor is alive.
  const failure = exceededLimit(run, run.claims - 1);
  if (failure !== undefined) return { outcome: "done", failure };
  try {
    const outcome = await scrapeInto(deps, run, recorder, ends);
    if (outcome === "done") return { outcome };
    const wait = outcome === "handover" ? 0 : outcome.notBefore - deps.now().getTime();
    if (outcome !== "handover" && wait >= recorder.timeLeft) {
      return { outcome: "done", failure: outcome.failure };
    }
    return recorder.timeLeft < LEAST_TIME_MS ? { outcome: "done", failure: timedOut() } : { outcome };
  } catch (error) {
    if (error instanceof RunFailure) return { outcome: "done", failure: error };
    throw error;
  }
}

/** Runs the steps from the checkpoint on, and records all batches. @throws RunFailure if the run fails */
async function scrapeInto(
  { table, scrape, readSecrets, upstreamFor, now, stop }: Deps,
  run: StoredRun,
  recorder: RunRecorder,
  { deadline, stopped, capture }: Ends,
): Promise<Outcome> {
  const quota = await StorageQuota.open(table, run, recorder);
  await quota.check();
  const reserve = await CreditReserve.open(table, run, recorder, creditMultipliers[run.proxy.type]);
  const { checkpoint } = recorder;
  if (mayHaveFiles(run)) recorder.files = await RunFiles.open(table, run);
  const job = {
    ...jobOf(run),
    isFirstRun: run.scraper_number === 1 || run.is_first === true,
    ...(checkpoint && { from: { checkpoint, rowCount: run.row_count, warnings: run.warnings } }),
  };
  // Secrets are hidden before a transform could take a part of one.
  const scrapeSignedIn = withSession(scrape, { table, readSecrets, now }, run.account, run.id);
  const batches = withTransforms(withSecrets(scrapeSignedIn, readSecrets, run.account))(job, {
    account: run.account,
    upstream: await upstreamFor(run),
    turns: hostTurns(table, run.account, now),
    files: recorder.files,
    isKnown: leavesOutKnown(run) ? await knownRows(table, run, now()) : undefined,
    deadline: Math.min(deadline, now().getTime() + recorder.timeLeft),
    onPageLoad: () => reserve.spendPage(),
    pagesAccepted: () => reserve.waitUntilGranted(),
    onStep: (index) => recorder.log.add({ code: "step", step: index }),
    onStage: recorder.stages.add,
    stopped,
    ...(capture && { capture }),
  });
  // `for await` would drop the generator's return value, which is the outcome.
  for (;;) {
    const next = await abortable(batches.next(), stop).catch(async (error) => {
      if (error instanceof RunFailure) await reserve.waitUntilGranted();
      throw error;
    });
    if (next.done) {
      await reserve.waitUntilGranted();
      return next.value;
    }
    try {
      await reserve.waitUntilGranted();
      await recorder.add(next.value);
      await quota.check();
    } catch (error) {
      await batches.return("handover");
      throw error;
    }
    // Checked here too, because the engine uses the clock of the machine, which may have been set back.
    if (recorder.timeLeft <= 0) {
      await batches.return("handover");
      return "handover";
    }
  }
}

/** How often the keys are read, because another run has replaced them meanwhile. */
const READ_MAX = 3;

/** Tells whether an earlier good run of a scraper had a row. @throws PiecesMissing if its keys are not stored as a whole */
async function knownRows(
  table: Table,
  ref: MemoryRef,
  now: Date,
): Promise<NonNullable<ScrapeContext["isKnown"]>> {
  const index = await readIndex(table, ref, now);
  return (row, key) => {
    const digest = keyDigest(row, key);
    return digest !== undefined && index.find(digest) !== undefined;
  };
}

async function readIndex(table: Table, ref: MemoryRef, now: Date): Promise<RowIndex> {
  for (let read = 1; ; read += 1) {
    const index = new RowIndex();
    const memory = await readMemory(table, ref, now);
    try {
      if (memory) for await (const entries of readKeys(table, ref, memory)) index.add(entries);
      return index;
    } catch (error) {
      if (!(error instanceof PiecesMissing) || read === READ_MAX) throw error;
    }
  }
}

interface RequestWatch {
  /** Aborts when a client has asked to stop the run. The reason is a RunFailure. */
  stopped: AbortSignal;
  /** Ends the checks. */
  close(): void;
}

/** Checks repeatedly whether a run has to stop. While a client reads the log, each check calls `onWatched`. */
function watchRequests(
  table: Table,
  claim: Claim,
  { now, timing, onWatched }: Pick<Deps, "now" | "timing"> & { onWatched: () => void },
): RequestWatch {
  const stopping = new AbortController();
  const check = setInterval(async () => {
    // Errors are ignored: the next check reads the same requests.
    const requests = await readRequests(table, claim).catch(() => undefined);
    if (requests === undefined) return;
    if (requests.stop_requested_at !== undefined) stopping.abort(stopped());
    else if (isWatched(requests, now())) onWatched();
  }, timing.checkMs);
  check.unref();
  return { stopped: stopping.signal, close: () => clearInterval(check) };
}
