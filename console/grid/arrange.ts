import type { Row } from "../api/api.ts";

export interface Order {
  column: string;
  isDescending: boolean;
}

/** Which rows are shown, and in which order. */
export interface Arrangement {
  /** Only rows with this text are shown; "": all rows. */
  search: string;
  /** The column that must have the text; undefined: any of them. */
  inColumn?: string | undefined;
  order?: Order | undefined;
}

/** Whether an arrangement shows all rows in their own order. */
export const isPlain = ({ search, order }: Arrangement): boolean => search === "" && order === undefined;

/** The indexes of the rows that an arrangement shows, in its order. Rows without a value in the column come last. */
export function arrange(rows: readonly Row[], { search, inColumn, order }: Arrangement): number[] {
  const wanted = search.toLowerCase();
  const has = (value: string | undefined) => value?.toLowerCase().includes(wanted) === true;
  const indexes = [...rows.keys()].filter((index) => {
    if (wanted === "") return true;
    const row = rows[index] ?? {};
    return inColumn === undefined ? Object.values(row).some(has) : has(row[inColumn]);
  });
  return order === undefined ? indexes : sorted(rows, indexes, order);
}

const collator = new Intl.Collator("en", { numeric: true });

function sorted(rows: readonly Row[], indexes: readonly number[], { column, isDescending }: Order): number[] {
  const valued: [number, string][] = [];
  const empty: number[] = [];
  for (const index of indexes) {
    const value = rows[index]?.[column] ?? "";
    if (value === "") empty.push(index);
    else valued.push([index, value]);
  }
  const numbers = valued.map(([, value]) => numberIn(value));
  const areNumbers = numbers.every((number) => number !== undefined);
  const sign = isDescending ? -1 : 1;
  const places = [...valued.keys()].sort((one, other) => {
    const found = areNumbers
      ? (numbers[one] ?? 0) - (numbers[other] ?? 0)
      : collator.compare(valued[one]?.[1] ?? "", valued[other]?.[1] ?? "");
    // Rows with equal values keep their order, in both directions.
    return sign * found;
  });
  return [...places.map((place) => valued[place]?.[0] ?? 0), ...empty];
}

/** One number with a little text around it, such as "£1,299.00" or "12 reviews". */
const NUMBER = /^\D{0,12}?([-−]?\d[\d.,'’\s]*)\D{0,12}$/;

/**
 * The number in a text, if it is the only one. A comma or point is the decimal one if it is the last of both kinds, or if
 * the only one does not precede exactly three digits.
 */
export function numberIn(value: string): number | undefined {
  const [, found] = NUMBER.exec(value) ?? [];
  if (found === undefined) return undefined;
  const digits = found
    .replace("−", "-")
    .replaceAll(/['’\s]/g, "")
    .replace(/[.,]$/, "");
  const last = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","));
  const whole = digits.slice(0, last);
  const isDecimal =
    last !== -1 && !whole.includes(digits[last] ?? "") && (/[.,]/.test(whole) || digits.length - last !== 4);
  const plain = isDecimal
    ? `${whole.replaceAll(/[.,]/g, "")}.${digits.slice(last + 1)}`
    : digits.replaceAll(/[.,]/g, "");
  return Number(plain);
}
