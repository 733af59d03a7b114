import { setTimeout as sleep } from "node:timers/promises";
import type { Batch } from "../../../functions/contract/batch.ts";
import { type Api, connect, pathOf } from "../../client/api.ts";
import { NotAnswered } from "../../client/api-error.ts";
import type { Where } from "../../client/target.ts";
import { EXIT } from "../../command-error.ts";
import { note, print, printJsonLine, suggest } from "../../terminal/print.ts";
import { StatusLine } from "../../terminal/status-line.ts";
import { duration } from "../run/progress.ts";
import { assertOutput, saveRows } from "../run/rows.ts";
import { PATIENCE_MS, pauseAfter } from "../run/watch.ts";
import { describeBatch, describeFinished } from "./describe.ts";

interface Show {
  output?: string | undefined;
  json?: boolean | undefined;
}

export async function watch(id: string, { output, json, ...where }: Show & Where): Promise<void> {
  await assertOutput(output);
  await watchBatch(await connect(where), id, { output, json });
}

/** Shows the progress of a batch until it has finished. The exit code is 1 if inputs failed; the rows are saved anyway. */
export async function watchBatch(api: Api, id: string, { output, json }: Show): Promise<void> {
  const batch = await follow(api, id, json);
  if (!json) print(describeFinished(batch));
  if (output !== undefined) await saveRows(api, id, { kind: "batches", output, quiet: json });
  if (batch.failed > 0) process.exitCode = EXIT.failed;
  if (json) return;
  if (batch.failed > 0) {
    suggest(`batch show ${id} --failed`, "why inputs failed");
    suggest(`batch retry ${id}`, "to run them again");
  }
  if (output === undefined && batch.row_count > 0) suggest(`batch rows ${id} -o rows.xlsx`);
}

async function follow(api: Api, id: string, json: boolean | undefined): Promise<Batch> {
  const line = new StatusLine();
  const begun = Date.now();
  let last = "";
  let answeredAt = begun;
  const onInterrupt = () => {
    line.clear();
    note(
      `The batch continues. Watch it with \`npx gleaner batch watch ${id}\`, or stop it with \`npx gleaner batch stop ${id}\`.`,
    );
    process.exit(EXIT.interrupted);
  };
  process.once("SIGINT", onInterrupt);
  try {
    for (;;) {
      const clock = duration((Date.now() - begun) / 1000);
      try {
        const batch = await api.get<Batch>(pathOf("batches", id));
        answeredAt = Date.now();
        const state = JSON.stringify(batch);
        if (json && state !== last) printJsonLine(batch);
        last = state;
        if (batch.status === "finished") return batch;
        line.show(describeBatch(batch), clock);
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
