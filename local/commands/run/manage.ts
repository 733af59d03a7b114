import { writeFile } from "node:fs/promises";
import type { Run } from "../../../functions/contract/run.ts";
import { connect, pathOf } from "../../client/api.ts";
import { ApiError } from "../../client/api-error.ts";
import type { Where } from "../../client/target.ts";
import { CommandError, EXIT } from "../../command-error.ts";
import { tableOf } from "../../table-of.ts";
import { confirm } from "../../terminal/confirm.ts";
import { note, print, printJson, suggest } from "../../terminal/print.ts";
import { assertWritable } from "../output-file.ts";
import { counted, describeOutcome, describeProblems, describeProgress } from "./progress.ts";

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
  const runs: Run[] = [];
  for await (const run of api.list<Run>("/v1/runs", { rows: false, scraper_id: scraper, status })) {
    if (runs.push(run) === limit) break;
  }
  if (json) return printJson(runs);
  if (runs.length === 0) {
    const what = scraper === undefined && status === undefined ? "runs yet" : "runs that match";
    return note(`There are no ${what}. Start a run with \`npx gleaner run start ID\`.`);
  }
  const rows = runs.map(({ id, scraper_id, status: state, error, row_count, credits_used, created_at }) => [
    id,
    scraper_id,
    error === null ? state : `${state}: ${error.code}`,
    row_count,
    credits_used,
    created_at,
  ]);
  print(tableOf(["id", "scraper", "status", "rows", "credits", "created"], rows));
}

export async function stop(id: string, { json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  const { body: run } = await api.json<Run>(pathOf("runs", id, "/stop"), { method: "POST" });
  // The response for a finished run includes its rows, which can be large.
  if (json) return printJson({ ...run, result_rows: null });
  if (run.status === "running") {
    print(`The run ${id} ends within 15 seconds. It keeps its rows.`);
    suggest(`run watch ${id}`);
  } else print(`The run ${id} had already ended. ${describeOutcome(run)}`);
}

export async function remove(
  id: string,
  { json, yes, ...where }: Options & { yes?: boolean },
): Promise<void> {
  const api = await connect(where);
  const path = pathOf("runs", id);
  if (!yes) {
    const { row_count, created_at } = await api.get<Run>(path, { rows: false });
    await confirm(
      `Permanently delete the run ${id} of ${created_at} with its ${counted(row_count, "row")}?`,
      yes,
    );
  }
  try {
    await api.json(path, { method: "DELETE" });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
    const message = `The run ${id} is in progress. Stop it first: \`npx gleaner run stop ${id}\`.`;
    throw new CommandError(EXIT.failed, message, { cause: error });
  }
  if (json) printJson({ id, deleted: true });
  else print(`Deleted the run ${id}.`);
}

interface ShowOptions extends Options {
  screenshot?: string;
}

/**
 * Shows the progress of a run, or its outcome. With `screenshot`, saves the screenshot of a failed run to that file.
 */
export async function show(id: string, { json, screenshot, ...where }: ShowOptions): Promise<void> {
  if (screenshot !== undefined) await assertWritable(screenshot);
  const api = await connect(where);
  const run = await api.get<Run>(pathOf("runs", id), { rows: false });
  if (screenshot !== undefined) {
    const response = await api.send(pathOf("runs", id, "/screenshot"), {});
    await writeFile(screenshot, new Uint8Array(await response.arrayBuffer()));
  }
  if (json) return printJson(run);
  const { status, created_at, scraper_id } = run;
  print(status === "running" ? `Running: ${describeProgress(run)}` : describeOutcome(run));
  for (const problem of describeProblems(run)) print(problem);
  print(`Created ${created_at} from the scraper ${scraper_id}`);
  if (screenshot !== undefined) print(`The screenshot is in ${screenshot}`);
}
