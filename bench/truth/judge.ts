import type { Row } from "../../functions/contract/runs/run.ts";
import { at, difference } from "../../test/widgets/runner.ts";
import type { Task } from "../../test/widgets/task.ts";
import type { Subject } from "./pages.ts";
import { type Reading, urlOf } from "./peer.ts";
import type { Verdict } from "./table.ts";

export type Judged = { verdict: Verdict; reason: string };

/** Compares what a library has read with the rows that the page has. `Error`: what it says instead; undefined: it did not end. */
export function judge(
  reading: Reading | Error | undefined,
  { task, isIncomplete }: Pick<Subject, "task" | "isIncomplete">,
  origin: string,
): Judged {
  if (!reading) return { verdict: "not in time", reason: "" };
  if (reading instanceof Error) return { verdict: "says so", reason: firstLine(reading.message) };
  const plain = plainOf(task, origin);
  const [rows, expected] = [reading.rows.map(plain), at(origin, task.expected).map(plain)];
  const isEqual = sorted(rows) === sorted(expected);
  if (isEqual && !(isIncomplete && reading.doubt === undefined)) return { verdict: "right", reason: "" };
  if (reading.doubt !== undefined) return { verdict: "says so", reason: reading.doubt };
  if (isEqual) return { verdict: "silent", reason: "what the page could not give is not mentioned" };
  return { verdict: "silent", reason: difference(rows, expected) };
}

/** Rows without white space, blank values and relative addresses, none of which counts: libraries treat them in different ways. */
function plainOf(task: Task, origin: string): (row: Row) => Row {
  const fields = task.steps.flatMap((step) => (step.type === "get_list" ? step.fields : []));
  const links = new Set(fields.filter(({ attribute }) => attribute === "href").map(({ name }) => name));
  const shown = (name: string, value: unknown) => {
    const text = String(value ?? "");
    const link = links.has(name) && text !== "" ? URL.parse(text, urlOf(task, { origin }))?.href : undefined;
    return (link ?? text).replace(/\s+/g, "");
  };
  return (row) =>
    Object.fromEntries(
      Object.entries(row)
        .map(([name, value]) => [name, shown(name, value)] as const)
        .filter(([, value]) => value !== "")
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
}

/** Rows as a text to compare. Their order does not count. */
const sorted = (rows: readonly Row[]): string =>
  rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join("\n");

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 200);
