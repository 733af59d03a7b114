import { statusWord } from "../../../functions/contract/runs/status-words.ts";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { targetOf } from "../../../functions/deliveries/target.ts";
import { connect, pathOf } from "../../client/api.ts";
import { findId } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { UsageError } from "../../data/data-folder.ts";
import { tableOf } from "../../table-of.ts";
import { note, print, printJson, suggest } from "../../terminal/print.ts";
import { nameOfStep } from "../step-name.ts";

interface Options extends Where {
  json?: boolean;
}

export async function list({ json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  const scrapers = await Array.fromAsync(api.list<Scraper>("/v1/scrapers"));
  if (json) return printJson(scrapers);
  if (scrapers.length === 0) {
    note("The account has no scrapers yet. Make one with `npx gleaner scraper new URL`.");
    return;
  }
  const rows = scrapers.map(({ id, name, version, last_run, schedule }) => [
    id,
    name,
    version,
    last_run === null ? "never" : `${statusWord(last_run).word}, ${last_run.row_count} rows`,
    schedule?.paused ? "paused" : (schedule?.next_run ?? ""),
  ]);
  print(tableOf(["id", "name", "version", "last run", "next run"], rows));
}

export async function show(named: string, { json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  const id = await findId(api, "scrapers", named);
  const scraper = await api.get<Scraper>(pathOf("scrapers", id));
  if (json) return printJson(scraper);
  const { name, version, updated_at, steps, pagination, rows_limit, schedule, last_run } = scraper;
  print(`${name}\n${id}, version ${version}, changed ${updated_at}\n`);
  for (const [index, step] of steps.entries()) print(`  ${index + 1}. ${nameOfStep(step)}${columnsOf(step)}`);
  print("");
  const control = Object.values(pagination).slice(1).join(" ");
  print(`Pagination: ${pagination.type}${control && ` (${control})`}; at most ${rows_limit} rows`);
  if (schedule !== null)
    print(
      `Schedule: every ${schedule.interval.replace(/^1 /, "")}, ${schedule.paused ? "paused" : `next at ${schedule.next_run}`}`,
    );
  if (scraper.webhook_url !== null) print(`Webhook: ${scraper.webhook_url}`);
  for (const delivery of scraper.deliveries ?? [])
    print(`Destination: ${targetOf(delivery)} (${delivery.mode})`);
  if (last_run !== null) {
    print(
      `Last run: ${last_run.id}, ${statusWord(last_run).word}, ${last_run.row_count} rows, ${last_run.created_at}`,
    );
  }
  suggest(`run start ${id} --watch`);
}

const columnsOf = (step: Step) =>
  step.type === "get_list" ? `: ${step.fields.map((field) => field.name).join(", ")}` : "";

/** Pauses or resumes the schedule of a scraper. Runs in progress are not affected. */
export async function setPaused(named: string, paused: boolean, { json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  const path = pathOf("scrapers", await findId(api, "scrapers", named));
  const { body: stored, headers } = await api.json<Scraper>(path);
  const { name, schedule } = stored;
  if (schedule === null) throw new UsageError(`The scraper "${name}" has no schedule.`);
  const { next_run: _, ...kept } = schedule;
  const isSo = (schedule.paused ?? false) === paused;
  const request = {
    method: "PUT",
    body: { ...stored, schedule: { ...kept, paused } },
    headers: { "if-match": headers.get("etag") ?? "*" },
  } as const;
  const scraper = isSo ? stored : (await api.json<Scraper>(path, request)).body;
  if (json) return printJson(scraper);
  const already = isSo ? " already" : "";
  if (paused) print(`The schedule of "${name}" is${already} paused.`);
  else print(`The schedule of "${name}" is${already} running. Next run: ${scraper.schedule?.next_run}`);
}
