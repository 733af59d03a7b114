import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { Inspection } from "../../../functions/contract/inspections/inspection.ts";
import { ANSWER_MAX_BYTES, bounded } from "../../../functions/inspections/bounded.ts";

const inspection: Inspection = {
  ok: true,
  error: null,
  steps: [],
  page: null,
  rows: [{ title: "A" }],
  fields: [],
  lists: [],
  pagination: [],
  forms: [],
  consent: null,
  map: null,
  screenshot: null,
  warnings: [{ code: "page_too_large", message: "It has many elements.", step: null }],
  pages: [],
  credits_used: 1,
  ms: 1,
};
const rowsOf = (count: number, length: number) =>
  Array.from({ length: count }, () => ({ title: "A", text: "\u20ac".repeat(length) }));
const sizeOf = (answer: Inspection) => Buffer.byteLength(JSON.stringify(answer));
const warned = (answer: Inspection) => answer.warnings.slice(inspection.warnings.length);

test("an answer that is small enough stays as it is", () => {
  expect(bounded(inspection)).toBe(inspection);
});

test("long values of rows are cut as little as necessary, and a warning says so", () => {
  const answer = bounded({ ...inspection, rows: rowsOf(50, 200_000) });
  expect(sizeOf(answer)).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
  expect(answer.rows?.map(({ title, text }) => [title, text?.length])).toEqual(Array(50).fill(["A", 10_000]));
  expect(warned(answer)).toEqual([
    { code: "answer_too_large", message: expect.stringContaining("end after 10000 characters"), step: null },
  ]);
});

test("the largest parts are left out where shorter values do not help, and a warning names them", () => {
  const screenshot = "a".repeat(4 * 1024 ** 2);
  const rows = Array.from({ length: 150 }, () =>
    Object.fromEntries(Array.from({ length: 100 }, (_, field) => [`f${field}`, "a".repeat(1_000)])),
  );
  const answer = bounded({ ...inspection, rows, screenshot });
  expect(sizeOf(answer)).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
  expect(answer).toMatchObject({ rows: null, screenshot });
  expect(warned(answer)).toEqual([
    { code: "answer_too_large", message: expect.stringContaining("left out: rows."), step: null },
  ]);
  expect(v.parse(Inspection, answer)).toEqual(answer);
});

test("an answer that is too large without rows says the same", () => {
  const rows = rowsOf(1, 2_000);
  const answer = bounded({ ...inspection, rows: null, screenshot: "a".repeat(ANSWER_MAX_BYTES) });
  expect(answer).toMatchObject({ rows: null, screenshot: null });
  const short = bounded({ ...inspection, rows, screenshot: "a".repeat(ANSWER_MAX_BYTES) });
  expect(short.screenshot).toBeNull();
  expect(short.warnings.map(({ message }) => message)).toEqual([
    "It has many elements.",
    expect.stringContaining("end after 1000 characters"),
    expect.stringContaining("left out: screenshot."),
  ]);
  expect(warned(answer)).toHaveLength(1);
});
