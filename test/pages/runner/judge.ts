import { isDeepStrictEqual } from "node:util";
import type { Row, RunWarning } from "../../../functions/contract/runs/run.ts";
import type { Told } from "../../functions/scraping/harness.ts";
import type { Site } from "../../site/site.ts";
import type { ExpectedFailure, ExpectedWarning, Page } from "../page.ts";

/** What a run must tell. */
export type Expected = {
  [K in "rows" | "warnings" | "hasAnyWarnings" | "failure" | "loads" | "check"]: Page[K] | undefined;
};

/** How what a run told differs from what its page expects, one line for each difference. */
export async function differences(told: Told, page: Expected, site: Site): Promise<string[]> {
  const found = [
    ...failureDifferences(told, page.failure),
    ...rowDifferences(told.rows, page.rows ?? []),
    ...(page.hasAnyWarnings ? [] : warningDifferences(told.warnings, page.warnings ?? [])),
  ];
  if (page.loads !== undefined && told.loads !== page.loads)
    found.push(`${told.loads} pages were loaded, not ${page.loads}`);
  if (told.failure === undefined && told.outcome !== "done")
    found.push(`the run ended as ${short(told.outcome)}`);
  try {
    await page.check?.(told, site);
  } catch (error) {
    found.push(error instanceof Error ? error.message : String(error));
  }
  return found;
}

function failureDifferences({ failure }: Told, expected: ExpectedFailure | undefined): string[] {
  if (expected === undefined) {
    return failure === undefined
      ? []
      : [`failed: ${failure.code} in step ${failure.step}: ${failure.message}`];
  }
  if (failure === undefined) return [`successful, but must fail: ${describe(expected)}`];
  const { code, step, message, url } =
    typeof expected === "string" ? ({ code: expected } as Exclude<ExpectedFailure, string>) : expected;
  const isExpected =
    failure.code === code &&
    (step === undefined || (failure.step ?? null) === step) &&
    (url === undefined || failure.evidence?.url === url) &&
    contains(failure.message, message);
  if (isExpected) return [];
  return [
    `failed: ${failure.code} in step ${failure.step} at ${failure.evidence?.url}: ${failure.message}; not ${describe(expected)}`,
  ];
}

function rowDifferences(rows: readonly Row[], expected: NonNullable<Page["rows"]>): string[] {
  if (typeof expected === "function")
    return expected(rows) ? [] : [`other rows than the page allows: ${short(rows)}`];
  if (isDeepStrictEqual(rows, expected)) return [];
  const first = expected.findIndex((row, index) => !isDeepStrictEqual(row, rows[index]));
  const index = first < 0 ? expected.length : first;
  const [row, wanted] = differingFields(rows[index], expected[index]);
  return [
    `${rows.length} rows for ${expected.length}; row ${index + 1} is ${short(row)}, not ${short(wanted)}`,
  ];
}

/** Leaves out what two rows have in common. */
function differingFields(...rows: [Row | undefined, Row | undefined]): (Row | undefined)[] {
  const [one, other] = rows;
  if (!one || !other) return rows;
  return rows.map(
    (row = {}) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => one[name] !== other[name])) as Row,
  );
}

function warningDifferences(warnings: readonly RunWarning[], expected: readonly ExpectedWarning[]): string[] {
  const left = [...warnings];
  const missing = expected.filter((one) => {
    const index = left.findIndex((warning) => fits(warning, one));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return [
    ...missing.map((warning) => `no warning ${describe(warning)}`),
    ...left.map((warning) => `warned: ${JSON.stringify(warning)}`),
  ];
}

function fits(warning: RunWarning, expected: ExpectedWarning): boolean {
  if (typeof expected === "string") return warning.code === expected;
  const { message, ...rest } = expected;
  return (
    contains(warning.message, message) &&
    Object.entries(rest).every(([key, value]) => warning[key as keyof RunWarning] === value)
  );
}

const contains = (message: string, expected: string | RegExp | undefined): boolean =>
  expected === undefined ||
  (typeof expected === "string" ? message.includes(expected) : expected.test(message));

const describe = (expected: ExpectedWarning | ExpectedFailure): string =>
  JSON.stringify(expected, (_, value) => (value instanceof RegExp ? String(value) : value));

const short = (value: unknown): string =>
  value === undefined ? "nothing" : JSON.stringify(value).slice(0, 200);
