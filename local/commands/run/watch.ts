import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "../../../functions/contract/run.ts";
import type { LogEvent } from "../../../functions/contract/run-log.ts";
import { type Api, connect, pathOf } from "../../client/api.ts";
import { NotAnswered } from "../../client/api-error.ts";
import type { Where } from "../../client/target.ts";
import { EXIT } from "../../command-error.ts";
import { note, print, printJsonLine, suggest } from "../../terminal/print.ts";
import { StatusLine } from "../../terminal/status-line.ts";
import { readLog } from "./log.ts";
import { preview } from "./preview.ts";
import { describeOutcome, describeProblems, describeProgress, duration } from "./progress.ts";
import { assertOutput, saveRows } from "./rows.ts";

/** How long to wait for a service that does not respond, in ms. A restart takes less time. */
export const PATIENCE_MS = 120_000;

/** The pause between two requests, in ms, after watching for `ms`. */
export const pauseAfter = (ms: number) => (ms < 30_000 ? 1_000 : ms < 300_000 ? 2_000 : 5_000);

interface Options extends Where {
  output?: string;
  json?: boolean;
}

export async function watch(id: string, { output, json, ...where }: Options): Promise<void> {
  await assertOutput(output);
  await watchRun(await connect(where), id, { output, json });
}

/** Shows the progress of a run until it ends, and then its outcome. The exit code is 1 if the run fails. */
export async function watchRun(
  api: Api,
  id: string,
  { output, json }: { output?: string | undefined; json?: boolean | undefined },
): Promise<void> {
  const run = await follow(api, id, json);
  if (!json) tell(run);
  if (run.status !== "successful") {
    process.exitCode = EXIT.failed;
    if (output !== undefined) note(`${output} was not written, because the run did not succeed.`);
  } else if (output !== undefined) {
    await saveRows(api, id, { output, quiet: json });
  }
  const { isTTY, columns } = process.stdout;
  if (!json && isTTY && output === undefined && run.row_count > 0) {
    await preview(api, id, run.row_count, columns);
  }
  if (!json) advise(run, output);
}

async function follow(api: Api, id: string, json: boolean | undefined): Promise<Run> {
  const line = new StatusLine();
  const begun = Date.now();
  let last = "";
  let answeredAt = begun;
  let after = 0;
  let newest: LogEvent | undefined;
  const onInterrupt = () => {
    line.clear();
    note(
      `The run continues. Watch it with \`npx gleaner run watch ${id}\`, or stop it with \`npx gleaner run stop ${id}\`.`,
    );
    process.exit(EXIT.interrupted);
  };
  process.once("SIGINT", onInterrupt);
  try {
    for (;;) {
      const clock = duration((Date.now() - begun) / 1000);
      try {
        const run = await api.get<Run>(pathOf("runs", id), { rows: false });
        answeredAt = Date.now();
        const state = JSON.stringify({ ...run, progress: run.progress && { ...run.progress, at: null } });
        if (json && state !== last) printJsonLine(run);
        last = state;
        if (run.status !== "running") return run;
        // Reading the log also makes the service store the progress of the run more often.
        const events = await readLog(api, id, after);
        after = events.next;
        newest = events.data.at(-1) ?? newest;
        line.show(describeProgress(run, newest), clock);
      } catch (error) {
        const isGone = Date.now() - answeredAt > PATIENCE_MS;
        if (!(error instanceof NotAnswered) || last === "" || isGone) throw error;
        line.show("waiting for the service, which does not answer", clock);
      }
      await sleep(pauseAfter(Date.now() - begun));
    }
  } finally {
    line.clear();
    process.removeListener("SIGINT", onInterrupt);
  }
}

function tell(run: Run): void {
  print(describeOutcome(run));
  for (const problem of describeProblems(run)) note(problem);
}

function advise({ id, status, error, row_count }: Run, output: string | undefined): void {
  if (status === "successful" && output === undefined) suggest(`run rows ${id} -o rows.xlsx`);
  if (status === "successful") return;
  if (error?.code !== "stopped") suggest(`run show ${id} --screenshot page.jpg`, "what the page looked like");
  if (row_count > 0) suggest(`run rows ${id} -o rows.xlsx`, "the rows that it got");
}
