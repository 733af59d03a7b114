import type { Row } from "../../functions/contract/runs/run.ts";
import { at, difference } from "../../test/widgets/runner.ts";
import type { Task } from "../../test/widgets/task.ts";
import type { Reading } from "./peer.ts";
import type { Verdict } from "./table.ts";

export type Judged = { verdict: Verdict; reason: string };

/** Compares what a library has read with the rows that the page has. `Error`: what it says instead; undefined: it did not end. */
export function judge(reading: Reading | Error | undefined, task: Task, origin: string): Judged {
  if (!reading) return { verdict: "not in time", reason: "" };
  if (reading instanceof Error) return { verdict: "says so", reason: firstLine(reading.message) };
  const [rows, expected] = [reading.rows.map(plain), at(origin, task.expected).map(plain)];
  if (sorted(rows) === sorted(expected)) return { verdict: "right", reason: "" };
  if (reading.doubt !== undefined) return { verdict: "says so", reason: reading.doubt };
  return { verdict: "silent", reason: difference(rows, expected) };
}

/** A row whose white space and blank values don't count: libraries treat them in different ways. */
const plain = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .map(
        ([name, value]) =>
          [
            name,
            String(value ?? "")
              .replace(/\s+/g, " ")
              .trim(),
          ] as const,
      )
      .filter(([, value]) => value !== "")
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Rows as a text to compare. Their order does not count. */
const sorted = (rows: readonly Row[]): string =>
  rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join("\n");

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 200);
