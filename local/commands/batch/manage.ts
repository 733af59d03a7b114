import type { Batch, BatchInput } from "../../../functions/contract/batches/batch.ts";
import { statusWord } from "../../../functions/contract/runs/status-words.ts";
import { connect, pathOf } from "../../client/api.ts";
import { findId, scraperNames } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { tableOf } from "../../table-of.ts";
import { note, print, printJson, suggest } from "../../terminal/print.ts";
import { assertOutput } from "../run/rows.ts";
import { describeBatch, describeFinished } from "./describe.ts";
import { retryBatch } from "./start.ts";

interface Options extends Where {
  json?: boolean;
}

export async function list({ limit, json, ...where }: Options & { limit: number }): Promise<void> {
  const api = await connect(where);
  const batches: Batch[] = [];
  for await (const batch of api.list<Batch>("/v1/batches")) if (batches.push(batch) === limit) break;
  if (json) return printJson(batches);
  if (batches.length === 0)
    return note("There are no batches yet. Start one with `npx gleaner run start ID --inputs FILE`.");
  const names = await scraperNames(
    api,
    batches.map((batch) => batch.scraper_id),
  );
  const rows = batches.map(
    ({ id, scraper_id, status, stopping, total, failed, row_count, credits_used, created_at }) => [
      id,
      names.get(scraper_id) ?? scraper_id,
      statusWord({ status, stopping }).word,
      total,
      failed,
      row_count,
      credits_used,
      created_at,
    ],
  );
  print(tableOf(["id", "scraper", "status", "inputs", "failed", "rows", "credits", "created"], rows));
}

/** The most failed inputs that are printed. */
const FAILED_SHOWN = 50;

/** Shows the progress of a batch, or its outcome. With `failed`, also why inputs failed. */
export async function show(
  named: string,
  { json, failed, ...where }: Options & { failed?: boolean },
): Promise<void> {
  const api = await connect(where);
  const id = await findId(api, "batches", named);
  const batch = await api.get<Batch>(pathOf("batches", id));
  const inputs: BatchInput[] = [];
  if (failed) {
    const all = api.list<BatchInput>(pathOf("batches", id, "/inputs"), { status: "failed" });
    for await (const input of all) if (inputs.push(input) === FAILED_SHOWN) break;
  }
  if (json) return printJson(failed ? { ...batch, failed_inputs: inputs } : batch);
  print(
    batch.status === "running"
      ? `${statusWord(batch).word}: ${describeBatch(batch)}`
      : describeFinished(batch),
  );
  print(`Created ${batch.created_at} from the scraper ${batch.scraper_id}`);
  for (const { index, values, error } of inputs)
    print(`Input ${index} ${JSON.stringify(values)}: ${error?.code}: ${error?.message}`);
  if (batch.failed > inputs.length && failed) note(`… and ${batch.failed - inputs.length} more`);
  if (batch.status === "finished" && batch.failed > 0 && !failed)
    suggest(`batch show ${id} --failed`, "why inputs failed");
}

export async function stop(named: string, { json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  const id = await findId(api, "batches", named);
  const { body: batch } = await api.json<Batch>(pathOf("batches", id, "/stop"), { method: "POST" });
  if (json) return printJson(batch);
  if (batch.status === "running") {
    print(`The batch ${id} ends within 15 seconds. It keeps its rows.`);
    suggest(`batch watch ${id}`);
  } else print(`The batch ${id} had already ended. ${describeFinished(batch)}`);
}

interface Retry extends Options {
  watch?: boolean;
  output?: string;
}

/** Starts a batch of the inputs that failed. */
export async function retry(named: string, { watch, output, json, ...where }: Retry): Promise<void> {
  await assertOutput(output);
  const api = await connect(where);
  const id = await findId(api, "batches", named);
  await retryBatch(api, await api.get<Batch>(pathOf("batches", id)), { watch, output, json });
}
