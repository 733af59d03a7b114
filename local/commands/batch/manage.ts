import type { Batch, BatchInput } from "../../../functions/contract/batches/batch.ts";
import { statusWord } from "../../../functions/contract/runs/status-words.ts";
import { type Api, connect, pathOf } from "../../client/api.ts";
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
    ({ id, scraper_id, status, stopping, total, warned, failed, row_count, credits_used, created_at }) => [
      id,
      names.get(scraper_id) ?? scraper_id,
      statusWord({ status, stopping }).word,
      total,
      warned,
      failed,
      row_count,
      credits_used,
      created_at,
    ],
  );
  print(
    tableOf(["id", "scraper", "status", "inputs", "warned", "failed", "rows", "credits", "created"], rows),
  );
}

/** The most failed inputs that are printed, and the most with warnings. */
const INPUTS_SHOWN = 50;

/** Shows the progress of a batch, or its outcome. With `failed`, also why inputs failed; with `warned`, also their warnings. */
export async function show(
  named: string,
  { json, failed, warned, ...where }: Options & { failed?: boolean; warned?: boolean },
): Promise<void> {
  const api = await connect(where);
  const id = await findId(api, "batches", named);
  const batch = await api.get<Batch>(pathOf("batches", id));
  const failures = failed ? await inputsWith(api, id, "failed") : [];
  const doubts = warned ? await inputsWith(api, id, "warned") : [];
  if (json)
    return printJson({
      ...batch,
      ...(failed && { failed_inputs: failures }),
      ...(warned && { warned_inputs: doubts }),
    });
  print(
    batch.status === "running"
      ? `${statusWord(batch).word}: ${describeBatch(batch)}`
      : describeFinished(batch),
  );
  print(`Created ${batch.created_at} from the scraper ${batch.scraper_id}`);
  for (const { index, values, error, warnings } of [...failures, ...doubts])
    for (const { code, message } of error ? [error] : warnings)
      print(`Input ${index} ${JSON.stringify(values)}: ${code}: ${message}`);
  const left = (failed ? batch.failed - failures.length : 0) + (warned ? batch.warned - doubts.length : 0);
  if (left > 0) note(`… and ${left} more`);
  if (batch.status !== "finished") return;
  if (batch.failed > 0 && !failed) suggest(`batch show ${id} --failed`, "why inputs failed");
  if (batch.warned > 0 && !warned) suggest(`batch show ${id} --warned`, "which inputs have warnings");
}

async function inputsWith(api: Api, id: string, status: "failed" | "warned"): Promise<BatchInput[]> {
  const inputs: BatchInput[] = [];
  for await (const input of api.list<BatchInput>(pathOf("batches", id, "/inputs"), { status }))
    if (inputs.push(input) === INPUTS_SHOWN) break;
  return inputs;
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
