/** The addresses of a series, by their index. */
export type AddressSeries = (index: number) => string;

/** A number as it is usually written. */
const NUMBER = /^(0|[1-9]\d{0,14})$/;

/**
 * The series that starts with these addresses: one number in them grows by the same each time. The first page of a list
 * may have an address without the number.
 */
export function seriesOf(first: string, second: string, third: string): AddressSeries | undefined {
  const parts = second.split(/(\d+)/);
  const others = third.split(/(\d+)/);
  const [position, ...more] = parts.flatMap((part, index) => (part === others[index] ? [] : [index]));
  if (position === undefined || more.length > 0 || others.length !== parts.length) return undefined;
  const number = numberOf(parts[position]);
  const step = numberOf(others[position]) - number;
  const start = number - step;
  // Both comparisons are false for NaN.
  if (!(step > 0 && start >= 0)) return undefined;
  const series: AddressSeries = (index) => parts.with(position, String(start + index * step)).join("");
  const isFirst = first === series(0) || isBeginning(start, step);
  const isOneSite = [first, series(3)].every((each) => URL.parse(each)?.origin === URL.parse(second)?.origin);
  // A fragment names a part of the same page.
  return isFirst && isOneSite && !second.includes("#") ? series : undefined;
}

const numberOf = (text = ""): number => (NUMBER.test(text) ? Number(text) : Number.NaN);

/** Whether a series may start with this number: lists count pages from 0 or 1, and rows from 0. */
const isBeginning = (start: number, step: number) => start === 0 || (start === 1 && step === 1);
