/*
 * Which columns of a spreadsheet hold numbers or dates. A column does only if that is certain: one way of writing fits all of
 * its values, and no other way that fits, too, gives another value. Cells then show what the texts say.
 */

/** How a column of numbers or dates is read and shown. */
export interface ColumnType {
  kind: "number" | "date" | "time";
  /** The number for a cell: a date is the days since 1899-12-30. Undefined if the text is none. */
  read: (text: string) => number | undefined;
  /** The decimals that all numbers have; undefined if they differ. */
  decimals: number | undefined;
  /** Whether the digits of numbers stand in groups of three. */
  isGrouped: boolean;
}

/** Spreadsheets keep 15 digits. */
const DIGITS_MAX = 15;
/** Longer texts are neither numbers nor dates. */
const LENGTH_MAX = 30;

/** A way of writing numbers or dates. */
interface Notation extends Pick<ColumnType, "kind" | "read"> {
  /** For numbers, the character before the decimals. */
  decimal?: string;
}

/** Numbers without a leading zero, which postal codes have, and without spaces between groups, which phone numbers have. */
function numbers(group: string, decimal: string): Notation {
  const groups = `[1-9]\\d{0,2}(?:([${group}\u00a0\u202f'’])\\d{3})(?:\\1\\d{3})*`;
  const pattern = new RegExp(`^-?(?:0|${groups}|[1-9]\\d*)(?:\\${decimal}\\d+)?$`);
  const others = new RegExp(`[^-\\d${decimal}]`, "g");
  return {
    kind: "number",
    decimal,
    read(text) {
      if (!pattern.test(text) || text.replace(/\D/g, "").length > DIGITS_MAX) return undefined;
      return Number(text.replace(others, "").replace(decimal, "."));
    },
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const EPOCH = Date.UTC(1899, 11, 30);
/** Spreadsheets count a 29 February 1900, so earlier days differ. */
const FIRST = Date.UTC(1900, 2, 1);

/** Dates by a pattern with the groups `y`, `m` and `d`, and for times `H`, `M` and perhaps `S`. */
const dates = (kind: "date" | "time", pattern: RegExp): Notation => ({
  kind,
  read(text) {
    const found = pattern.exec(text)?.groups;
    if (found === undefined) return undefined;
    const [y = 0, m = 0, d = 0, H = 0, M = 0, S = 0] = ["y", "m", "d", "H", "M", "S"].map((name) =>
      Number(found[name] ?? 0),
    );
    const time = Date.UTC(y, m - 1, d, H, M, S);
    const at = new Date(time);
    const isReal = at.getUTCMonth() === m - 1 && at.getUTCDate() === d && H < 24 && M < 60 && S < 60;
    return isReal && time >= FIRST ? (time - EPOCH) / DAY_MS : undefined;
  },
});

/** A time with a zone stays a text, because a spreadsheet has no zones. */
const NOTATIONS: readonly Notation[] = [
  numbers(",", "."),
  numbers(".", ","),
  dates("date", /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)$/),
  dates("time", /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)[T ](?<H>\d\d):(?<M>\d\d)(?::(?<S>\d\d))?$/),
  dates("date", /^(?<d>\d{1,2})[./](?<m>\d{1,2})[./](?<y>\d{4})$/),
  dates("date", /^(?<m>\d{1,2})\/(?<d>\d{1,2})\/(?<y>\d{4})$/),
];

/** A notation that fits all values so far. */
interface Candidate {
  notation: Notation;
  /** Notations that gave another value for a text. */
  differing: Set<Notation>;
  decimals: Set<number>;
  isGrouped: boolean;
  /** Whether a number ends with a zero that a spreadsheet shows only with a fixed number of decimals. */
  hasEndingZero: boolean;
}

/** Finds out what the values of one column have in common. */
export class ColumnScan {
  /** The longest value, in characters. */
  length = 0;
  #candidates: Candidate[] = NOTATIONS.map((notation) => ({
    notation,
    differing: new Set(),
    decimals: new Set(),
    isGrouped: false,
    hasEndingZero: false,
  }));

  add(text: string): void {
    this.length = Math.max(this.length, text.length);
    if (text === "" || this.#candidates.length === 0) return;
    const read =
      text.length > LENGTH_MAX
        ? []
        : this.#candidates.flatMap((candidate) => {
            const value = candidate.notation.read(text);
            return value === undefined ? [] : [{ candidate, value }];
          });
    for (const { candidate, value } of read) {
      for (const other of read) if (other.value !== value) candidate.differing.add(other.candidate.notation);
      note(candidate, text);
    }
    this.#candidates = read.map(({ candidate }) => candidate);
  }

  /** The type of the column; undefined if it is text, or has no values. */
  type(): ColumnType | undefined {
    const [first, ...others] = this.#candidates;
    const isEmpty = this.length === 0;
    if (first === undefined || isEmpty || others.some(({ notation }) => first.differing.has(notation)))
      return undefined;
    const { notation, decimals, isGrouped, hasEndingZero } = first;
    if (decimals.size > 1 && hasEndingZero) return undefined;
    const { kind, read } = notation;
    return { kind, read, isGrouped, decimals: decimals.size === 1 ? [...decimals][0] : undefined };
  }
}

function note(candidate: Candidate, text: string): void {
  const { decimal } = candidate.notation;
  if (decimal === undefined) return;
  const [whole = "", decimals = ""] = text.split(decimal);
  candidate.decimals.add(decimals.length);
  candidate.isGrouped ||= /\d\D/.test(whole);
  candidate.hasEndingZero ||= decimals.endsWith("0");
}
