import type { Row, RunWarning } from "../contract/runs/run.ts";
import type { Expect } from "../contract/scrapers/watching.ts";
import type { RunFigures } from "../store/scraper-memory.ts";

/** The last runs that count, and the fewest rows with which a fall says something. */
export const USUAL_RUNS = 5;
const LEAST_ROWS = 5;
/** After so many runs in a row with less than usual, theirs is the usual number if it stays. */
const LESS_RUNS = 3;

/** Counts rows, and the rows that have a value for each field. */
export class FigureCounter {
  readonly #fields: readonly string[];
  readonly #filled: number[];
  #rows = 0;

  constructor(fields: readonly string[]) {
    this.#fields = fields;
    this.#filled = fields.map(() => 0);
  }

  add(row: Row): void {
    this.#rows += 1;
    for (const [at, name] of this.#fields.entries())
      if (Object.hasOwn(row, name) && /\S/.test(row[name] as string))
        this.#filled[at] = (this.#filled[at] ?? 0) + 1;
  }

  figures(run: string): RunFigures {
    return { run, rows: this.#rows, filled: this.#filled };
  }
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}

const share = ({ rows, filled }: RunFigures, at: number) => (rows === 0 ? 0 : (filled[at] ?? 0) / rows);
const percent = (part: number) => `${Math.round(part * 1000) / 10} %`;

/** Why fewer rows than usual may be right. */
export interface RightlyLess {
  /** All lists are optional. */
  mayBeEmpty: boolean;
  /** The run has as many rows as its limit allows, which its request may have stated. */
  isAtLimit: boolean;
}

/**
 * Warns where a run has less than half of what the last runs had. Runs with less become usual once one more comes right after
 * them: if they counted before, a trouble that is over would hide the next one.
 * @returns the warnings, and what the last runs are with this one
 */
export function compareFigures(
  fields: readonly string[],
  figures: RunFigures,
  last: readonly RunFigures[],
  rightly: RightlyLess,
): { warnings: RunWarning[]; last: RunFigures[] } {
  const usual = last.filter(({ isLess }) => !isLess);
  const less = last.filter(({ isLess }) => isLess);
  const warnings = findFalls(fields, figures, usual, rightly);
  if (rightly.isAtLimit && hasFewer(figures, usual)) return { warnings, last: [...last] };
  if (warnings.length === 0) return { warnings, last: [...usual, figures].slice(-USUAL_RUNS) };
  if (less.length < LESS_RUNS) return { warnings, last: [...usual, ...less, { ...figures, isLess: true }] };
  return compareFigures(
    fields,
    figures,
    less.map(({ isLess: _, ...run }) => run),
    rightly,
  );
}

const usualRowsOf = (usual: readonly RunFigures[]) => median(usual.map((run) => run.rows));

const hasFewer = ({ rows }: RunFigures, usual: readonly RunFigures[]) => rows < usualRowsOf(usual) / 2;

function findFalls(
  fields: readonly string[],
  figures: RunFigures,
  usual: readonly RunFigures[],
  { mayBeEmpty, isAtLimit }: RightlyLess,
): RunWarning[] {
  if (usual.length === 0) return [];
  const warnings: RunWarning[] = [];
  const { rows } = figures;
  const usualRows = usualRowsOf(usual);
  const runs = usual.length === 1 ? "the last good run" : `the last ${usual.length} good runs`;
  const isRight = isAtLimit || (rows === 0 && mayBeEmpty);
  if (usualRows >= LEAST_ROWS && hasFewer(figures, usual) && !isRight)
    warnings.push({
      code: "rows_fewer_than_usual",
      message: `The run has ${rows} rows; the median of ${runs} is ${usualRows}. Compare the rows with the page: the site may show less, or ask for consent or to sign in. If the new number is right, it becomes the usual one after three runs.`,
      step: null,
      count: rows,
    });
  for (const [at, field] of fields.entries()) {
    const usualShare = median(usual.map((run) => share(run, at)));
    const now = share(figures, at);
    if (usualShare * rows < LEAST_ROWS || now >= usualShare / 2) continue;
    warnings.push({
      code: "field_emptier_than_usual",
      message: `The field "${field}" has a value in ${percent(now)} of the rows; the median of ${runs} is ${percent(usualShare)}. Check the selector of the field against the page. If the new share is right, it becomes the usual one after three runs.`,
      step: null,
      field,
      count: rows - (figures.filled[at] ?? 0),
    });
  }
  return warnings;
}

/** Warns where a run does not have what its scraper expects. */
export function checkExpectations(
  fields: readonly string[],
  figures: RunFigures,
  { rows_min: least = 0, filled = {} }: Expect,
  isAtLimit: boolean,
): RunWarning[] {
  const warnings: RunWarning[] = [];
  if (figures.rows < least && !isAtLimit)
    warnings.push({
      code: "expectation_missed",
      message: `The run has ${figures.rows} rows, and the scraper expects at least ${least}. Compare the rows with the page, or change "expect" in the scraper.`,
      step: null,
      count: figures.rows,
    });
  if (figures.rows === 0) return warnings;
  for (const [field, expected] of Object.entries(filled)) {
    const now = share(figures, fields.indexOf(field));
    if (now >= expected) continue;
    warnings.push({
      code: "expectation_missed",
      message: `The field "${field}" has a value in ${percent(now)} of the rows, and the scraper expects ${percent(expected)}. Check the selector of the field against the page, or change "expect" in the scraper.`,
      step: null,
      field,
    });
  }
  return warnings;
}
