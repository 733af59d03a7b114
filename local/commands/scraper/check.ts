import { statSync } from "node:fs";
import type { Inspection } from "../../../functions/contract/inspections/inspection.ts";
import type { Scraper, ScraperDefinition } from "../../../functions/contract/scrapers/scraper.ts";
import { connect, pathOf } from "../../client/api.ts";
import { findId } from "../../client/find-id.ts";
import { type InspectionBody, inspect } from "../../client/inspections.ts";
import type { Where } from "../../client/target.ts";
import { EXIT } from "../../command-error.ts";
import { problemsOf } from "../../inspections/check-report.ts";
import { note, print, printJson, suggest } from "../../terminal/print.ts";
import { working } from "../../terminal/working.ts";
import { nameOfStep } from "../step-name.ts";
import { readDefinitionFile } from "./definition-file.ts";
import { fieldsTable, pageLines } from "./inspected.ts";

/** Error codes of failures that a change of the scraper can't fix. Their messages say what to do. */
const ELSEWHERE = new Set([
  "secret_unavailable",
  "session_expired",
  "blocked_address",
  "proxy_failed",
  "host_busy",
  "credits_exhausted",
  "browser_failed",
  "internal_error",
]);
/** How many detail pages are opened. */
const DETAILED_ROWS = 5;

interface Options extends Where {
  pages: number;
  json?: boolean;
}

type Checked = Pick<ScraperDefinition, "name" | "steps"> & Partial<Pick<ScraperDefinition, "pagination">>;

interface Source {
  body: InspectionBody;
  definition: Checked;
  isStored: boolean;
}

/** Runs a scraper on few rows, stores nothing, and reports problems. The exit code is 1 if there are any. */
export async function check(named: string, { pages, json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  const { body, definition, isStored } = isFile(named)
    ? await ofFile(named)
    : ofStored(await api.get<Scraper>(pathOf("scrapers", await findId(api, "scrapers", named))));
  const inspections: Inspection[] = [];
  const problems: string[] = [];
  for (const { pages: count, rows_limit } of readings(definition, pages)) {
    const asked = { ...body, pages: count, want: ["rows" as const], ...(rows_limit && { rows_limit }) };
    const inspection = await working(`Checking ${named}`, inspect(api, asked));
    inspections.push(inspection);
    problems.push(...problemsOf(inspection, count));
    if (!inspection.ok) break;
  }
  if (problems.length > 0) process.exitCode = EXIT.failed;
  if (json) return printJson({ good: problems.length === 0, problems: [...new Set(problems)], inspections });
  print(definition.name);
  for (const inspection of inspections) tell(inspection, definition);
  for (const problem of new Set(problems)) print(`Problem: ${problem}`);
  const isGood = problems.length === 0;
  if (isGood) print(praise(inspections));
  if (inspections.some(({ error }) => error !== null && ELSEWHERE.has(error.code))) return;
  advise(named, isStored, isGood);
}

const isFile = (named: string) =>
  named.endsWith(".json") || statSync(named, { throwIfNoEntry: false })?.isFile() === true;

const ofStored = (scraper: Scraper): Source => ({
  body: { scraper_id: scraper.id },
  definition: scraper,
  isStored: true,
});

async function ofFile(path: string): Promise<Source> {
  const { json } = await readDefinitionFile(path);
  // The cast is safe: the service validates the definition before it is used here.
  return { body: { definition: json }, definition: json as Checked, isStored: false };
}

/**
 * The inspections to make: one of the first pages of the list, and one of some detail pages if the scraper opens them.
 */
function readings(
  { steps, pagination }: Checked,
  pages: number,
): Pick<InspectionBody, "rows_limit">[] & { pages: number }[] {
  const isPaged = pages > 1 && pagination !== undefined && pagination.type !== "none";
  const hasDetails = steps?.some?.(
    (step) => step.type === "get_list" && (step.details ?? step.each) !== undefined,
  );
  return [
    ...(isPaged ? [{ pages }] : []),
    ...(hasDetails ? [{ pages: 1, rows_limit: DETAILED_ROWS }] : []),
    ...(isPaged || hasDetails ? [] : [{ pages: 1 }]),
  ];
}

function tell({ steps, fields, pages, warnings }: Inspection, definition: Checked): void {
  for (const { index, type, ms } of steps) {
    const step = definition.steps[index];
    print(`  ${index + 1}. ${step === undefined ? type : nameOfStep(step)}: ${ms} ms`);
  }
  if (pages.some(({ rows }) => rows > 0)) print(fieldsTable(fields, process.stdout.columns));
  for (const line of pageLines(pages)) print(line);
  for (const { code, message } of warnings) print(`Warning ${code}: ${message}`);
}

const praise = (inspections: readonly Inspection[]) =>
  inspections.every(({ warnings }) => warnings.length === 0)
    ? "Good: all steps ran, and every field has values."
    : "All steps ran, and every field has values. But look at the warnings above.";

function advise(named: string, isStored: boolean, isGood: boolean): void {
  if (isGood) suggest(isStored ? `run start ${named} --watch -o rows.xlsx` : `scraper put ${named}`);
  else if (isStored) suggest(`scraper edit ${named}`);
  else note(`Change ${named}, and check it again.`);
}
