import { expect, test } from "@jest/globals";
import type { Run } from "../../functions/contract/runs/run.ts";
import { describeOutcome, describeProblems, describeProgress } from "../../local/commands/run/progress.ts";

const running = {
  status: "running",
  steps: [
    { id: "open", type: "visit", url: "https://example.org/" },
    { id: "search", type: "write_input", field_name: "Search", value: "hats" },
    { id: "list", type: "get_list", selector: "li", fields: [{ name: "text" }] },
  ],
  created_at: "2030-01-01T00:00:00.000Z",
  started_at: "2030-01-01T00:00:01.000Z",
  finished_at: null,
  stopping: false,
  progress: { step: 0, page: 0, rows: 0, credits: 0, at: "2030-01-01T00:00:01.000Z" },
  row_count: 0,
  credits_used: 0,
  error: null,
  warnings: [],
} as unknown as Run;
const far = { step: 2, page: 12, rows: 2400, credits: 12, at: "2030-01-01T00:00:15.000Z" };

test.each<[string, Partial<Run>]>([
  ["waiting for a free browser", { started_at: null, progress: null }],
  ["opening the browser", { progress: null }],
  ["resuming after 20 rows", { progress: null, row_count: 20 }],
  ["running its 3 steps", {}],
  ["step 3 of 3: read the list li · page 12 · 2,400 rows · 12 credits", { progress: far }],
  [
    'step 2 of 3: type "hats" into "Search" · page 1 · 0 rows · 1 credit',
    { progress: { ...far, step: 1, page: 1, rows: 0, credits: 1 } },
  ],
  ["stopping", { stopping: true, progress: far }],
])("shows %j", (text, state) => expect(describeProgress({ ...running, ...state })).toBe(text));

test("shows what the run waits for", () => {
  const waiting = {
    seq: 3,
    at: "",
    code: "waiting",
    step: null,
    message: "The run waits for its host until then.",
  } as const;
  expect(describeProgress({ ...running, progress: far }, waiting)).toBe(waiting.message);
});

test("tells how a run ended, and what is wrong with its rows", () => {
  const ended = { ...running, finished_at: "2030-01-01T01:02:03.000Z", row_count: 1, credits_used: 1 };
  expect(describeOutcome({ ...ended, status: "successful" })).toBe(
    "Successful: 1 row for 1 credit in 1 h 2 min",
  );
  const error = { code: "element_not_found", message: "Nothing there.", step: 2 };
  const warning = { code: "field_empty", message: "Empty.", step: 2, field: "text", count: 3 };
  const failed = { ...ended, status: "failed", error, warnings: [warning] } as Run;
  expect(describeOutcome(failed)).toMatch(/^Failed with 1 row/);
  expect(describeOutcome({ ...failed, error: { ...error, code: "stopped" } })).toMatch(/^Stopped with/);
  expect(describeProblems(failed)).toEqual([
    "element_not_found at step 3 (read the list li): Nothing there.",
    "Warning field_empty (3) at step 3 (read the list li), field text: Empty.",
  ]);
});
