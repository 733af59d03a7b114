import { describe, expect, test } from "@jest/globals";
import type { Row, RunWarning } from "../../../functions/contract/runs/run.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Snapshot, SnapshotElement } from "../../../functions/proposals/snapshot.ts";
import { type FailureCode, RunFailure } from "../../../functions/runs/failure.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { startTable } from "../store/local-table.ts";
import { startLife } from "./life.ts";

const table = await startTable();

const ROWS: Row[] = ["Alder", "Birch", "Cedar", "Dogwood"].map((name) => ({ title: `${name} chair` }));
const LIST: Step = { type: "get_list", selector: ".product", fields: [{ name: "title", selector: "h3" }] };
const STEPS: Step[] = [{ type: "visit", url: "https://shop.example/" }, LIST];

/** The page after its redesign: a box with a link for each row. */
const page = (rows: readonly Row[], box = "tile"): Snapshot => {
  const element = (parent: number, tag: string, name?: string, text?: string): SnapshotElement => ({
    parent,
    tag,
    ...(name && { attributes: { class: name } }),
    ...(text && { texts: [[0, text]] }),
    box: [0, 0, 100, 100],
    flags: 1,
  });
  const boxes = rows.flatMap(({ title }, index) => [
    element(1, "div", box),
    element(2 + index * 2, "a", "name", title),
  ]);
  return {
    base: "https://shop.example/",
    url: "https://shop.example/",
    title: "Shop",
    width: 1_280,
    height: 1_000,
    viewHeight: 800,
    omitted: 0,
    elements: [element(-1, "html"), element(0, "body"), ...boxes],
  };
};

const SUGGESTION = {
  selector: ".tile",
  matches: 4,
  sample: ROWS.slice(0, 3),
  fields: [{ name: "title", selector: ".name" }],
};
const EMPTY: RunWarning = { code: "field_empty", message: "It is empty.", step: 1, field: "title" };

/** What one run of the engine does: rows, warnings, a failure. */
interface Attempt {
  rows?: Row[];
  warnings?: RunWarning[];
  failure?: RunFailure;
  page?: Snapshot | string;
}

/** Runs one after another, with the engine's promise to capture the page where that is wanted. */
async function runsOf(attempts: Attempt[], steps = STEPS) {
  const captured: boolean[] = [];
  const scrape: Scrape = async function* (_, { capture }) {
    const { rows = [], warnings = [], failure, page: shown = page(ROWS) } = attempts[captured.length] ?? {};
    yield { rows, checkpoint: {}, warnings };
    const isWanted = capture?.wants?.(failure, warnings) === true;
    captured.push(isWanted);
    const snapshot = typeof shown === "string" ? shown : JSON.stringify(shown);
    if (isWanted) await capture?.onCapture({ url: "https://shop.example/", snapshot });
    if (failure) throw failure;
    return "done";
  };
  const life = await startLife(table, {
    scrape,
    scraper: { steps: steps.map((step, at) => ({ ...step, id: `${at}` })) },
  });
  const runs = [];
  for (const _ of attempts) {
    const ref = await life.start();
    await life.execute(ref);
    runs.push(await life.read(ref));
  }
  return { runs, captured, logged: life.logged };
}

const missing = (code: FailureCode = "element_not_found") =>
  new RunFailure(code, "Nothing matches.", { step: 1 });

describe("suggestions at the end of a run", () => {
  test("a failure has the selector of the elements with the rows of the last good run", async () => {
    const { runs } = await runsOf([
      { rows: ROWS },
      { failure: new RunFailure("http_error", "It is down.") },
      { failure: missing() },
    ]);
    expect(runs.map(({ error }) => error?.suggestion)).toEqual([undefined, undefined, SUGGESTION]);
    expect(runs[2]?.error).toMatchObject({ code: "element_not_found", step: 1 });
  });

  test("a warning of an empty field has one for this field, from a run that had values", async () => {
    const { runs, captured } = await runsOf([
      { rows: ROWS },
      { rows: [{ other: "x" }], warnings: [EMPTY], page: page(ROWS, "product") },
      { rows: [{ other: "x" }], warnings: [{ ...EMPTY, field: "gone" }, EMPTY] },
    ]);
    expect(captured).toEqual([false, true, true]);
    expect(runs[1]?.warnings).toEqual([{ ...EMPTY, suggestion: { ...SUGGESTION, selector: ".product" } }]);
    expect(runs[2]?.warnings.map(({ suggestion }) => suggestion?.fields)).toEqual([
      undefined,
      SUGGESTION.fields,
    ]);
    expect(runs[2]?.status).toBe("successful");
  });

  test("the page is asked for only where a suggestion can come of it", async () => {
    const { captured } = await runsOf([
      { failure: missing() },
      { rows: ROWS },
      { failure: new RunFailure("timeout", "It took too long.", { step: 1 }) },
      { failure: new RunFailure("element_not_found", "No step is to blame.") },
      { rows: ROWS, warnings: [{ ...EMPTY, code: "rows_repeated" }] },
      { failure: missing("fields_not_found") },
    ]);
    expect(captured).toEqual([false, false, false, false, false, true]);
  });

  test("not for a list in a frame, whose page the capture does not have", async () => {
    const { captured } = await runsOf(
      [{ rows: ROWS }, { failure: missing() }],
      [STEPS[0] as Step, { ...LIST, frame: "iframe" } as Step],
    );
    expect(captured).toEqual([false, false]);
  });

  test("a run without a good one before has none", async () => {
    const { runs } = await runsOf([{ failure: missing() }, { failure: missing() }]);
    expect(runs[1]?.error).toEqual({ code: "element_not_found", message: "Nothing matches.", step: 1 });
  });

  test("a page that can't be read leaves the run as it is, and the log says so", async () => {
    const { runs, logged } = await runsOf([{ rows: ROWS }, { failure: missing(), page: "{" }]);
    expect(runs[1]?.error).toEqual({ code: "element_not_found", message: "Nothing matches.", step: 1 });
    expect(logged.map(({ message }) => message)).toContain("No suggestion could be made");
  });
});
