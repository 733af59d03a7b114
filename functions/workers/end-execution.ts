import { endingOf } from "../runs/ending.ts";
import type { RunFailure } from "../runs/failure.ts";
import type { StoredRun } from "../runs/run.ts";
import { deletePieces } from "../store/pieces.ts";
import { putEvidence } from "../store/runs/evidence.ts";
import { memoryPartition } from "../store/scraper-memory.ts";
import { compareRun, type Findings } from "./compare-run.ts";
import type { EndRunDeps } from "./end-run.ts";
import { openEnd, queueFollowUp } from "./follow-up.ts";
import { lastEvent } from "./last-event.ts";
import { reportFinished } from "./report-finished.ts";
import { LeaseLost, type RunRecorder } from "./run-recorder.ts";

type EndDeps = Omit<EndRunDeps, "timing">;

/** Logs the time of each stage, if it is measured. The write that stores this event is not included. */
export function logStages({ stages, log }: RunRecorder): void {
  const { text } = stages;
  if (text !== undefined) log.add({ code: "stages", step: null, message: `Time by stage: ${text}.` });
}

/** How often a run is compared, if faults end the comparison, or other runs end in the meantime. */
const COMPARED_MAX = 3;

/** Compares the run with earlier ones. If that is not possible, the run ends without a comparison, and its log says so. */
async function compareOrLog(
  { table, now, log }: EndDeps,
  run: StoredRun,
  recorder: RunRecorder,
  end: { failure: RunFailure | undefined; deadline: number },
): Promise<Findings | undefined> {
  const { rowCount, warnings } = recorder;
  const compare = async () =>
    compareRun({ table, run, now: now(), rowCount, warnings, read: await recorder.rowReader(), ...end });
  try {
    return await repeated(compare);
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    log.error("The run could not be compared with earlier ones", {
      runId: run.id,
      account: run.account,
      error,
    });
    const message =
      "The run could not be compared with earlier ones, so it has no changes. Its rows are complete.";
    recorder.log.add({ code: "warning", step: null, message });
    return undefined;
  }
}

/** Calls `compare` again after a fault. @throws the last fault, or LeaseLost at once */
async function repeated<T>(compare: () => Promise<T>): Promise<T> {
  for (let left = COMPARED_MAX - 1; left > 0; left -= 1) {
    try {
      return await compare();
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
    }
  }
  return compare();
}

/** Compares the run with earlier ones, stores its end, logs it, and queues what is left to do. */
export async function endExecution(
  deps: EndDeps,
  run: StoredRun,
  recorder: RunRecorder,
  cause: RunFailure | undefined,
  deadline: number,
): Promise<void> {
  logStages(recorder);
  // Stored before the end of the run, because nothing is added to a finished run.
  if (cause?.evidence) recorder.addBytes(await putEvidence(deps.table, run, cause.evidence));
  const open = await openEnd(deps.table, run);
  let failure = cause;
  for (let compared = 0; ; compared += 1) {
    const found =
      compared < COMPARED_MAX
        ? await compareOrLog(deps, run, recorder, { failure: cause, deadline })
        : undefined;
    failure = cause ?? found?.failure;
    recorder.log.addWarnings(found?.warnings ?? [], recorder.warnings);
    const event = lastEvent(failure, recorder.rowCount);
    if (!(await recorder.finish(endingOf(failure, deps.now()), event, open, found ?? {}))) continue;
    for (const pieces of found?.superseded ?? [])
      await deletePieces(deps.table, memoryPartition(run), pieces).catch((error) =>
        deps.log.error("Old keys could not be deleted. They expire", { runId: run.id, error }),
      );
    break;
  }
  const { rowCount: rows, creditsUsed: credits, stages } = recorder;
  reportFinished(deps, run, failure, { rows, credits, stages: stages.ms });
  await queueFollowUp(deps, run, open);
}
