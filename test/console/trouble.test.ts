import { expect, test } from "@jest/globals";
import type { Run } from "../../console/api/api.ts";
import { tellingRuns, troubledSince } from "../../console/format/trouble.ts";

const run = (day: number, more: Partial<Run> = {}) =>
  ({
    id: String(day),
    status: "successful",
    error: null,
    warnings: [],
    stopping: false,
    finished_at: `2030-01-0${day}T00:00:00.000Z`,
    ...more,
  }) as unknown as Run;
const failed = (day: number, code = "http_error") =>
  run(day, { status: "failed", error: { code, message: "", step: null } });
const doubtful = (day: number) => run(day, { warnings: [{ code: "field_empty", message: "", step: null }] });
const since = (...runs: Run[]) => troubledSince(tellingRuns(runs))?.slice(0, 10);

test("trouble begins with the first run after the last good one", () => {
  expect(since(failed(5), doubtful(4), failed(3), run(2), failed(1))).toBe("2030-01-03");
  expect(since(failed(2), failed(1))).toBe("2030-01-01");
  expect(since(run(2), failed(1))).toBeUndefined();
  expect(since()).toBeUndefined();
});

test("runs in progress and runs that a user stopped say nothing", () => {
  const running = run(5, { status: "running", finished_at: null });
  expect(since(running, failed(4, "stopped"), failed(3), run(2))).toBe("2030-01-03");
  expect(since(running, failed(4, "stopped"), run(3))).toBeUndefined();
});
