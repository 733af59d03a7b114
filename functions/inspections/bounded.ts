import type { Inspection } from "../contract/inspections/inspection.ts";
import type { Row, RunWarning } from "../contract/runs/run.ts";

/** Maximum size of an inspection as JSON. A response of a Lambda function has at most 6 MB. */
export const ANSWER_MAX_BYTES = 5 * 1024 ** 2;
/** Maximum lengths of the values in rows. They are tried one after another until the inspection is small enough. */
const VALUE_LENGTHS = [100_000, 10_000, 1_000];

/** The parts that can be left out. */
const PARTS = ["rows", "map", "screenshot", "lists", "forms", "pagination"] as const;
type Part = (typeof PARTS)[number];

/**
 * Limits an inspection to 5 MiB of JSON: cuts long values of rows, and if that is not enough, leaves out the largest
 * parts. Adds a warning that says so.
 */
export function bounded(inspection: Inspection): Inspection {
  let answer = inspection;
  for (const length of VALUE_LENGTHS) {
    if (isSmall(answer)) return answer;
    answer = shortened(inspection, length) ?? answer;
  }
  return withoutLargest(answer, inspection.warnings);
}

/** The inspection with values of at most `length` characters in its rows; undefined if none is longer. */
function shortened(inspection: Inspection, length: number): Inspection | undefined {
  const { rows } = inspection;
  if (!rows?.some((row) => Object.values(row).some((value) => value.length > length))) return undefined;
  return withWarning(
    { ...inspection, rows: rows.map((row) => cut(row, length)) },
    `The rows are too large for an answer, so their values end after ${length} characters. A run stores whole values. To see more here, lower rows_limit, or read fewer fields.`,
  );
}

/**
 * The inspection without its largest parts.
 * @param warnings those to use if rows are left out: without the warning that values of rows were cut
 */
function withoutLargest(inspection: Inspection, warnings: Inspection["warnings"]): Inspection {
  let answer = inspection;
  const left: Part[] = [];
  while (!isSmall(answer)) {
    const sized = PARTS.map((part) => ({ part, size: sizeOf(answer[part]) }));
    const { part } = sized.reduce((most, each) => (each.size > most.size ? each : most));
    if (answer[part] === null) return answer;
    left.push(part);
    const without = Object.fromEntries(left.map((each) => [each, null]));
    const others = left.includes("rows") ? warnings : inspection.warnings;
    answer = withWarning(
      { ...inspection, ...without, warnings: others },
      `The answer would be too large, so these parts were left out: ${left.join(", ")}. Ask for them one at a time in "want", or lower rows_limit.`,
    );
  }
  return answer;
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const isSmall = (inspection: Inspection) => sizeOf(inspection) <= ANSWER_MAX_BYTES;

const withWarning = (inspection: Inspection, message: string): Inspection => {
  const warning: RunWarning = { code: "answer_too_large", message, step: null };
  return { ...inspection, warnings: [...inspection.warnings, warning] };
};

const cut = (row: Row, length: number): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value.slice(0, length)]));
