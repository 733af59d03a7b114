import type { Batch } from "../../../functions/contract/batches/batch.ts";
import { type Api, connect } from "../../client/api.ts";
import { findId } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { EXIT } from "../../command-error.ts";
import { print, suggest } from "../../terminal/print.ts";
import { follow } from "../follow.ts";
import { assertOutput, saveRows } from "../run/rows.ts";
import { describeBatch, describeFinished } from "./describe.ts";

interface Show {
  output?: string | undefined;
  json?: boolean | undefined;
}

export async function watch(named: string, { output, json, ...where }: Show & Where): Promise<void> {
  await assertOutput(output);
  const api = await connect(where);
  await watchBatch(api, await findId(api, "batches", named), { output, json });
}

/** Shows the progress of a batch until it has finished. The exit code is 1 if inputs failed; the rows are saved anyway. */
export async function watchBatch(api: Api, id: string, { output, json }: Show): Promise<void> {
  const batch = await follow<Batch>(api, { kind: "batches", id, json, describe: describeBatch });
  if (!json) print(describeFinished(batch));
  if (output !== undefined) await saveRows(api, id, { kind: "batches", output, quiet: json });
  if (batch.failed > 0) process.exitCode = EXIT.failed;
  if (json) return;
  if (batch.failed > 0) {
    suggest(`batch show ${id} --failed`, "why inputs failed");
    suggest(`batch retry ${id}`, "to run them again");
  }
  if (batch.warned > 0) suggest(`batch show ${id} --warned`, "which inputs have warnings");
  if (output === undefined && batch.row_count > 0) suggest(`batch rows ${id} -o rows.xlsx`);
}
