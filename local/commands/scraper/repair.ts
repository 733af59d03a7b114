import type { Row, Run } from "../../../functions/contract/runs/run.ts";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import {
  type Change,
  changesOf,
  pairRows,
  repaired,
  type Suggested,
  suggestionsOf,
  tryRepair,
} from "../../../functions/inspections/repair.ts";
import { type Api, connect, pathOf } from "../../client/api.ts";
import { findId } from "../../client/find-id.ts";
import { inspect } from "../../client/inspections.ts";
import type { Where } from "../../client/target.ts";
import { CommandError, EXIT } from "../../command-error.ts";
import { tableOf } from "../../table-of.ts";
import { confirm } from "../../terminal/confirm.ts";
import { shortened } from "../../terminal/preview-table.ts";
import { note, print, printJson, suggest } from "../../terminal/print.ts";
import { working } from "../../terminal/working.ts";

interface Options extends Where {
  yes?: boolean;
  json?: boolean;
}

/** How many rows are shown, and how many of the last good run they are looked for in. */
const SHOWN = 3;
const COMPARED = 100;

/** Tries what the last run suggests, shows old and new rows side by side, and stores the new version after a question. */
export async function repair(named: string, { yes, json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  const id = await findId(api, "scrapers", named);
  const { body: scraper, headers } = await api.json<Scraper>(pathOf("scrapers", id));
  const suggested = await suggestionsFor(api, scraper);
  const definition = repaired(scraper, suggested);
  const changes = changesOf(scraper, definition);
  const before = await lastGoodRows(api, id);
  const now = await tried(api, definition, suggested);
  if (!json) tell(changes, before, now);
  await confirm(`Store this as version ${scraper.version + 1} of "${scraper.name}"?`, yes);
  const request = {
    method: "PUT",
    body: definition,
    headers: { "if-match": headers.get("etag") ?? "*" },
  } as const;
  const { body: stored } = await api.json<Scraper>(pathOf("scrapers", id), request);
  if (json)
    return printJson({ changes, before: before.slice(0, SHOWN), now: now.slice(0, SHOWN), scraper: stored });
  print(`Repaired the scraper "${stored.name}" ${id}: it is now version ${stored.version}`);
  suggest(`run start ${id} --watch`);
}

/** @throws CommandError if the scraper's newest run suggests nothing, or is one of another version */
async function suggestionsFor(api: Api, { id, name, version, last_run }: Scraper): Promise<Suggested[]> {
  const suggested = last_run === null ? [] : suggestionsOf(last_run);
  if (last_run === null || suggested.length === 0)
    throw nothing(
      last_run === null
        ? `The scraper "${name}" has not run yet.`
        : `The last run of "${name}" suggests no other selectors. Suggestions need a run whose selectors find nothing, and a page that still has values of the last good run. \`npx gleaner run show ${last_run.id}\` says what happened; \`npx gleaner scraper edit ${id}\` changes the selectors.`,
    );
  const run = await api.get<Run>(pathOf("runs", last_run.id), { rows: false });
  if (run.scraper_version === version) return suggested;
  throw nothing(
    `The scraper "${name}" has changed since its last run: that was version ${run.scraper_version}, and now it is version ${version}. Run it again first.`,
  );
}

const nothing = (message: string) => new CommandError(EXIT.failed, `Nothing was changed. ${message}`);

async function lastGoodRows(api: Api, id: string): Promise<Row[]> {
  for await (const run of api.list<Run>("/v1/runs", { scraper_id: id, status: "successful", rows: false }))
    if (run.row_count > 0 && suggestionsOf(run).length === 0)
      return api.get<Row[]>(pathOf("runs", run.id, "/rows"), { limit: COMPARED });
  return [];
}

/** @throws CommandError if the repair does not help */
async function tried(api: Api, definition: Scraper, suggested: readonly Suggested[]): Promise<Row[]> {
  const { rows, problem, doubt } = await working(
    "Trying the suggestion",
    tryRepair(suggested, (options) => inspect(api, { definition, want: ["rows"], ...options })),
  );
  if (problem !== undefined) throw nothing(`The suggestion does not help: ${problem}`);
  if (doubt !== undefined) note(`The repaired scraper could not be tried to its end: ${doubt}`);
  return rows;
}

function tell(changes: readonly Change[], before: readonly Row[], now: readonly Row[]): void {
  print(
    tableOf(
      ["step", "what", "before", "suggested"],
      changes.map(({ step, what, before: was, after }) => [
        step + 1,
        what.part === "field" ? `field ${what.name}` : what.part,
        shortened(was, 40),
        shortened(after, 40),
      ]),
    ),
  );
  const pairs = pairRows(before, now).filter(([, row]) => row !== undefined);
  const lines = pairs
    .slice(0, SHOWN)
    .flatMap(([old = {}, row = {}], index) =>
      [...new Set([...Object.keys(old), ...Object.keys(row)])].map((name) => [
        index + 1,
        shortened(name),
        shortened(old[name] ?? "", 40),
        shortened(row[name] ?? "", 40),
      ]),
    );
  if (lines.length > 0) print(tableOf(["row", "field", "last good run", "now"], lines));
}
