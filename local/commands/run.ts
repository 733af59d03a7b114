import { writeFile } from "node:fs/promises";
import { getEvidence } from "../../functions/store/runs/evidence.ts";
import { getRun } from "../../functions/store/runs/runs.ts";
import { type Where, withService } from "../connect.ts";
import { UsageError } from "../data-folder.ts";
import { print } from "../print.ts";

interface Options extends Where {
  account: string;
  screenshot?: string;
  json?: boolean;
}

/** Shows how a run ended and, if it failed, what the page looked like. */
export async function show(id: string, { account, screenshot, json, ...where }: Options): Promise<void> {
  const { run, evidence } = await withService(where, async (table) => {
    const ref = { account, id };
    return { run: await getRun(table, ref), evidence: await getEvidence(table, ref) };
  });
  if (run === undefined) throw new UsageError(`The account "${account}" has no run with the id "${id}".`);
  if (screenshot !== undefined) {
    if (evidence?.screenshot === undefined) throw new UsageError(`There is no screenshot of the run ${id}.`);
    await writeFile(screenshot, evidence.screenshot);
  }
  const { status, row_count, credits_used, attempt, created_at, finished_at, error, warnings = [] } = run;
  const page = evidence ? { url: evidence.url, title: evidence.title } : null;
  if (json) {
    const shown = {
      id,
      status,
      row_count,
      credits_used,
      attempts: attempt,
      created_at,
      finished_at,
      error,
      warnings,
      page,
    };
    return print(JSON.stringify(shown, null, 2));
  }
  print(`${status}: ${row_count} rows, ${credits_used} credits, created ${created_at}, attempt ${attempt}`);
  if (error !== null) print(`${error.code} at step ${error.step ?? "–"}: ${error.message}`);
  for (const { code, step, field, count, message } of warnings) {
    const times = count === undefined ? "" : ` (${count})`;
    const where = field === undefined ? "" : `, field ${field}`;
    print(`Warning ${code}${times} at step ${step ?? "–"}${where}: ${message}`);
  }
  if (page !== null) print(`The page was ${page.url} "${page.title}"`);
  if (screenshot !== undefined) print(`Its screenshot is in ${screenshot}`);
}
