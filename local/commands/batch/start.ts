import { randomUUID } from "node:crypto";
import type { Batch } from "../../../functions/contract/batches/batch.ts";
import type { Api } from "../../client/api.ts";
import { note, print, printJson, suggest } from "../../terminal/print.ts";
import { counted } from "../run/progress.ts";
import { type Inputs, readInputs } from "./inputs-file.ts";
import { watchBatch } from "./watch.ts";

export interface StartBatch {
  /** The file, the address or `-`. */
  inputs: string;
  settings: {
    scraper_id: string;
    rows_limit?: number | undefined;
    webhook_url?: string | undefined;
    concurrency?: number | undefined;
  };
  watch?: boolean | undefined;
  output?: string | undefined;
  json?: boolean | undefined;
}

/** Starts a batch. With `watch`, or with `output` for a file of its rows, waits until it has finished. */
export async function startBatch(api: Api, { inputs, settings, ...show }: StartBatch): Promise<void> {
  await showStarted(api, await create(api, settings, await readInputs(inputs)), show);
}

async function create(api: Api, settings: StartBatch["settings"], inputs: Inputs): Promise<Batch> {
  const headers = { "idempotency-key": randomUUID() };
  const request =
    "file" in inputs
      ? { query: settings, file: inputs.file, headers }
      : { body: { ...settings, ...inputs }, headers };
  return (await api.json<Batch>("/v1/batches", { method: "POST", ...request })).body;
}

/** Starts a batch of the failed inputs of another one, with its settings. */
export async function retryBatch(
  api: Api,
  { id, scraper_id, rows_limit, concurrency, webhook_url }: Batch,
  show: Pick<StartBatch, "watch" | "output" | "json">,
): Promise<void> {
  const headers = { "idempotency-key": randomUUID() };
  const body = {
    scraper_id,
    rows_limit,
    concurrency,
    ...(webhook_url !== null && { webhook_url }),
    inputs_from: { failed_of: id },
  };
  await showStarted(
    api,
    (await api.json<Batch>("/v1/batches", { method: "POST", body, headers })).body,
    show,
  );
}

async function showStarted(
  api: Api,
  batch: Batch,
  { watch, output, json }: Pick<StartBatch, "watch" | "output" | "json">,
): Promise<void> {
  const isWatched = watch || output !== undefined;
  if (json && !isWatched) return printJson(batch);
  const started = `Started the batch ${batch.id} with ${counted(batch.total, "input")}`;
  if (!json) (isWatched ? note : print)(started);
  if (isWatched) await watchBatch(api, batch.id, { output, json });
  else suggest(`batch watch ${batch.id}`);
}
