import type { Run } from "../../../functions/contract/runs/run.ts";
import { statusWord } from "../../../functions/contract/runs/status-words.ts";
import { suggestionsOf } from "../../../functions/inspections/repair.ts";
import { connect, pathOf } from "../../client/api.ts";
import { findId, scraperNames } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { tableOf } from "../../table-of.ts";
import { note, print, printJson, suggest } from "../../terminal/print.ts";
import { assertWritable, writeWhole } from "../output-file.ts";
import { describeOutcome, describeProblems, describeProgress } from "./progress.ts";

interface Options extends Where {
  json?: boolean;
}

interface ListOptions extends Options {
  scraper?: string;
  status?: Run["status"];
  limit: number;
}

export async function list({ scraper, status, limit, json, ...where }: ListOptions): Promise<void> {
  const api = await connect(where);
  const scraperId = scraper === undefined ? undefined : await findId(api, "scrapers", scraper);
  const runs: Run[] = [];
  for await (const run of api.list<Run>("/v1/runs", { rows: false, scraper_id: scraperId, status })) {
    if (runs.push(run) === limit) break;
  }
  if (json) return printJson(runs);
  if (runs.length === 0) {
    const what = scraper === undefined && status === undefined ? "runs yet" : "runs that match";
    return note(`There are no ${what}. Start a run with \`npx gleaner run start ID\`.`);
  }
  const names = await scraperNames(
    api,
    runs.map((run) => run.scraper_id),
  );
  const rows = runs.map((run) => [
    run.id,
    names.get(run.scraper_id) ?? run.scraper_id,
    withCode(run),
    run.row_count,
    run.credits_used,
    run.created_at,
  ]);
  print(tableOf(["id", "scraper", "status", "rows", "credits", "created"], rows));
}

/** The status of a run, with the code of its error or of its first warning if the word does not say it. */
function withCode(run: Run): string {
  const { word } = statusWord(run);
  const code = run.error?.code ?? run.warnings[0]?.code;
  return code === undefined || word.toLowerCase() === code ? word : `${word}: ${code}`;
}

export async function stop(named: string, { json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  const id = await findId(api, "runs", named);
  const { body: run } = await api.json<Run>(pathOf("runs", id, "/stop"), { method: "POST" });
  // The response for a finished run includes its rows, which can be large.
  if (json) return printJson({ ...run, result_rows: null });
  if (run.status === "running") {
    print(`The run ${id} ends within 15 seconds. It keeps its rows.`);
    suggest(`run watch ${id}`);
  } else print(`The run ${id} had already ended. ${describeOutcome(run)}`);
}

interface ShowOptions extends Options {
  screenshot?: string;
}

/**
 * Shows the progress of a run, or its outcome. With `screenshot`, saves the screenshot of a failed run to that file.
 */
export async function show(named: string, { json, screenshot, ...where }: ShowOptions): Promise<void> {
  if (screenshot !== undefined) await assertWritable(screenshot);
  const api = await connect(where);
  const id = await findId(api, "runs", named);
  const run = await api.get<Run>(pathOf("runs", id), { rows: false });
  if (screenshot !== undefined) {
    const response = await api.send(pathOf("runs", id, "/screenshot"), {});
    await writeWhole(screenshot, new Uint8Array(await response.arrayBuffer()));
  }
  if (json) return printJson(run);
  const { status, created_at, scraper_id } = run;
  print(status === "running" ? `${statusWord(run).word}: ${describeProgress(run)}` : describeOutcome(run));
  for (const problem of describeProblems(run)) print(problem);
  print(`Created ${created_at} from the scraper ${scraper_id}`);
  if (screenshot !== undefined) print(`The screenshot is in ${screenshot}`);
  if (suggestionsOf(run).length > 0) suggest(`scraper repair ${scraper_id}`);
}
