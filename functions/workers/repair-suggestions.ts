import type { Row, RunWarning, Suggestion } from "../contract/runs/run.ts";
import type { Step } from "../contract/steps/steps.ts";
import type { Log } from "../log.ts";
import type { Broken } from "../proposals/repair/suggest.ts";
import { readRowBatches } from "../rows/read-row-batches.ts";
import type { RunFailure } from "../runs/failure.ts";
import type { StoredRun } from "../runs/run.ts";
import type { CaptureRequest } from "../scraping/page/pictures/capture.ts";
import { listRuns } from "../store/runs/runs.ts";
import type { Table } from "../store/table.ts";
import { ComputationEnded, Thread } from "../threads/thread.ts";

interface SuggestionDeps {
  table: Table;
  now: () => Date;
  log: Log;
}

/** The time for one suggestion. Most take some milliseconds, and a page of 20,000 elements about a second. */
const SUGGEST_MS = 5_000;
/** How many rows of the last good run are looked for: so many of its first and of its last ones, which may be on another page. */
const ROWS = 100;
/** Their most bytes as JSON. */
const ROWS_MAX_BYTES = 1_000_000;
/** The most bytes of all suggestions of a run as JSON. They are stored in the run's item, which has to stay small. */
const ALL_MAX_BYTES = 5_000;

/** What failures and warnings say that a selector finds nothing, and what it was to find. */
const brokenParts: Readonly<Record<string, Broken["part"]>> = {
  element_not_found: "element",
  fields_not_found: "fields",
  field_empty: "fields",
  pagination_control_missing: "control",
};

/** A failure or a warning. */
type Doubt = Pick<RunWarning, "code" | "step" | "field">;

/** The step that a failure or a warning is about, and what found nothing; undefined if it is about something else. */
function brokenBy({ code, step: index }: Doubt, run: StoredRun): Broken | undefined {
  const step = run.steps[index ?? -1];
  const part = Object.hasOwn(brokenParts, code) ? brokenParts[code] : undefined;
  if (!step || !part || ("frame" in step && step.frame !== undefined)) return undefined;
  return { step, part, pagination: run.pagination };
}

/**
 * Suggests other selectors for those that find nothing, from the page at the end of a run and the rows of the last good
 * run of its scraper. The page is neither stored nor sent anywhere.
 */
export class RepairSuggestions {
  readonly #deps: SuggestionDeps;
  readonly #run: StoredRun;
  #snapshot: string | undefined;

  constructor(deps: SuggestionDeps, run: StoredRun) {
    this.#deps = deps;
    this.#run = run;
  }

  /** Asks for the page; undefined if there can be no good run before. Runs of batches read other pages. */
  get capture(): CaptureRequest | undefined {
    const { scraper_number: number } = this.#run;
    if (number === undefined || number === 1) return undefined;
    return {
      wantsScreenshot: false,
      wants: (failure, warnings) =>
        (failure ? [failure] : warnings).some((doubt) => brokenBy(doubt, this.#run) !== undefined),
      onCapture: ({ snapshot }) => {
        this.#snapshot = snapshot;
      },
    };
  }

  /**
   * Adds suggestions to the failure, or else to the warnings, of a run that ends. Without the page or a good run before,
   * there are none. Never throws: a run ends without suggestions if they can't be made.
   * @returns the warnings
   */
  async addTo(failure: RunFailure | undefined, warnings: readonly RunWarning[]): Promise<RunWarning[]> {
    const { log } = this.#deps;
    try {
      return await this.#added(failure, warnings);
    } catch (error) {
      if (!(error instanceof ComputationEnded))
        log.error("No suggestion could be made", { runId: this.#run.id, error });
      return [...warnings];
    }
  }

  async #added(failure: RunFailure | undefined, warnings: readonly RunWarning[]): Promise<RunWarning[]> {
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return [...warnings];
    await using thread = new Thread();
    const suggest = async (doubt: Doubt) => {
      const broken = brokenBy(doubt, this.#run);
      const rows = broken && (await this.#earlierRows(doubt, broken.step));
      return rows && thread.run("suggestRepair", { snapshot, broken, rows }, SUGGEST_MS);
    };
    if (failure) {
      failure.suggestion = await suggest(failure);
      return [...warnings];
    }
    let bytes = 0;
    const added: RunWarning[] = [];
    for (const warning of warnings) {
      const found = await suggest(warning);
      const suggestion = found && ofField(found, warning.field);
      bytes += suggestion ? JSON.stringify(suggestion).length : 0;
      added.push(suggestion && bytes <= ALL_MAX_BYTES ? { ...warning, suggestion } : warning);
    }
    return added;
  }

  /** Rows of the last good run of the scraper: one without the same doubt. */
  async #earlierRows(doubt: Doubt, step: Step): Promise<Row[] | undefined> {
    const { table, now } = this.#deps;
    const { account, id, scraper_id: scraperId } = this.#run;
    const { items } = await listRuns(table, account, { page: 1, scraperId, now: now() });
    const isSame = ({ code, step: index, field }: Doubt) =>
      code === doubt.code && index === doubt.step && field === doubt.field;
    const good = items.find(
      (run) =>
        run.id !== id && run.status === "successful" && run.row_count > 0 && !run.warnings.some(isSame),
    );
    return good && this.#rowsOf(good, step);
  }

  async #rowsOf(run: StoredRun, step: Step): Promise<Row[]> {
    const names = step.type === "get_list" ? step.fields.map(({ name }) => name) : undefined;
    const rows: Row[] = [];
    let bytes = 0;
    const ends = [0, run.row_count - ROWS].filter((offset, index) => index === 0 || offset >= ROWS);
    for (const offset of ends)
      for await (const batch of readRowBatches(this.#deps.table, run, { offset, limit: ROWS }))
        for (const json of batch) {
          bytes += json.length;
          if (bytes > ROWS_MAX_BYTES) return rows;
          const row = JSON.parse(json.toString()) as Row;
          if (names?.some((name) => Object.hasOwn(row, name)) !== false) rows.push(row);
        }
    return rows;
  }
}

/** The part of a suggestion for one field; undefined if it has none for it. All of it, if no field is named. */
function ofField(suggestion: Suggestion, field: string | undefined): Suggestion | undefined {
  if (field === undefined) return suggestion;
  const fields = (suggestion.fields ?? []).filter(({ name }) => name === field);
  return fields.length === 0 ? undefined : { ...suggestion, fields };
}
