import { randomUUID } from "node:crypto";
import type { Run } from "../../../functions/contract/runs/run.ts";
import type { Scraper, StoredStep } from "../../../functions/contract/scrapers/scraper.ts";
import { overridable } from "../../../functions/contract/steps/steps.ts";
import { connect, pathOf } from "../../client/api.ts";
import { findId } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { wrongUse } from "../../command-error.ts";
import { note, print, printJson, suggest } from "../../terminal/print.ts";
import { startBatch } from "../batch/start.ts";
import { assertOutput } from "./rows.ts";
import { watchRun } from "./watch.ts";

interface Options extends Where {
  set?: string[];
  inputs?: string;
  concurrency?: number;
  limit?: number;
  onlyNew?: boolean;
  webhook?: string;
  watch?: boolean;
  output?: string;
  json?: boolean;
}

/** Starts a run, or a batch if there are `inputs`. With `watch`, or with `output` for a file of its rows, waits until the run ends. */
export async function start(named: string, options: Options): Promise<void> {
  const { set = [], inputs, concurrency, limit, onlyNew, webhook, watch, output, json, ...where } = options;
  if (inputs !== undefined && set.length > 0)
    throw wrongUse("Use only one of --set and --inputs. Each column of the inputs sets a step.");
  if (inputs !== undefined && onlyNew)
    throw wrongUse("Use only one of --only-new and --inputs. Runs of batches leave out no rows.");
  if (inputs === undefined && concurrency !== undefined) throw wrongUse("--concurrency needs --inputs.");
  await assertOutput(output);
  const api = await connect(where);
  const id = await findId(api, "scrapers", named);
  if (inputs !== undefined) {
    const settings = { scraper_id: id, rows_limit: limit, webhook_url: webhook, concurrency };
    return startBatch(api, { inputs, settings, watch, output, json });
  }
  const scraper = await api.get<Scraper>(pathOf("scrapers", id));
  const body = {
    scraper_id: id,
    steps: set.map((text) => overrideOf(text, scraper.steps)),
    rows_limit: limit,
    only_new: onlyNew,
    webhook_url: webhook,
  };
  const headers = { "idempotency-key": randomUUID() };
  const { body: run } = await api.json<Run>("/v1/runs", { method: "POST", body, headers });
  const isWatched = watch || output !== undefined;
  if (json && !isWatched) return printJson(run);
  if (!json) {
    const started = `Started the run ${run.id} of "${scraper.name}"`;
    if (isWatched) note(started);
    else print(started);
  }
  if (isWatched) await watchRun(api, run.id, { output, json });
  else suggest(`run watch ${run.id}`);
}

/** Parses the override `step=value` of a step's URL or value. `step` is the id of the step. */
function overrideOf(
  text: string,
  steps: readonly StoredStep[],
): { id: string; url?: string; value?: string } {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw wrongUse(`--set ${text} must be step=value, such as search=paperback.`);
  const fields: Record<string, { field: "url" | "value" }> = overridable;
  const known = steps.filter(({ type }) => type in fields);
  const step = known.find((one) => one.id === name);
  if (step !== undefined) return { id: name, [fields[step.type]?.field ?? "value"]: value };
  const names = known.map((one) => one.id).join(", ");
  throw wrongUse(
    `The scraper has no step "${name}" whose value can be set. ${names === "" ? "It has none at all." : `These can: ${names}.`}`,
  );
}
