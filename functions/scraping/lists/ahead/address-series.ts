/** The addresses of a series, by their index. */
export type AddressSeries = (index: number) => string;

/** A number as it is usually written. */
const NUMBER = /^(0|[1-9]\d{0,14})$/;

/**
 * The series that addresses 0, 1 and 2 begin: one number in them grows by the same each time. The first page of a list
 * may have an address without the number.
 */
export function seriesOf(first: string, second: string, third: string): AddressSeries | undefined {
  const parts = second.split(/(\d+)/);
  const others = third.split(/(\d+)/);
  const [place, ...more] = parts.flatMap((part, index) => (part === others[index] ? [] : [index]));
  if (place === undefined || more.length > 0 || others.length !== parts.length) return undefined;
  const number = numberOf(parts[place]);
  const step = numberOf(others[place]) - number;
  const start = number - step;
  // Neither holds where one of them is no number.
  if (!(step > 0 && start >= 0)) return undefined;
  const series: AddressSeries = (index) => parts.with(place, String(start + index * step)).join("");
  const isFirst = first === series(0) || isBeginning(start, step);
  const isOneSite = [first, series(3)].every((each) => URL.parse(each)?.origin === URL.parse(second)?.origin);
  // A fragment is a part of a page.
  return isFirst && isOneSite && !second.includes("#") ? series : undefined;
}

/**
 * The series that addresses 0 and 1 begin, as far as these two tell: a number is one larger in the second, or the second
 * adds one to the first, which is that of a second page.
 */
export function seriesAfter(first: string, second: string): AddressSeries | undefined {
  let same = 0;
  while (same < second.length && first[same] === second[same]) same += 1;
  const found = [...second.matchAll(/\d+/g)].flatMap(({ 0: digits, index }) => {
    if (index + digits.length <= same) return [];
    const third = second.slice(0, index) + (Number(digits) + 1) + second.slice(index + digits.length);
    const series = seriesOf(first, second, third);
    return series && (same === first.length || series(0) === first) ? series : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

const numberOf = (text = ""): number => (NUMBER.test(text) ? Number(text) : Number.NaN);

/** Whether a list counts from here: its pages from 0 or 1, its rows from 0. */
const isBeginning = (start: number, step: number) => start === 0 || (start === 1 && step === 1);
