/** A start address with one range, such as `https://shop.example/list?page=[1-100]`. */
export interface Range {
  before: string;
  after: string;
  first: number;
  last: number;
  step: number;
  /** The number of digits, if numbers are filled up with zeros. */
  digits: number | undefined;
}

const RANGE = /\[(\d+)-(\d+)(?::(\d+))?\]/;

/** The first range of an address, or undefined. */
export function rangeOf(address: string): Range | undefined {
  const found = RANGE.exec(address);
  if (found === null) return undefined;
  const [text, first = "", last = "", step = "1"] = found;
  return {
    before: address.slice(0, found.index),
    after: address.slice(found.index + text.length),
    first: Number(first),
    last: Number(last),
    step: Math.max(1, Number(step)),
    digits: first.length > 1 && first.startsWith("0") ? first.length : undefined,
  };
}

/** How many numbers a range has. */
export const sizeOf = ({ first, last, step }: Range): number =>
  Math.max(0, Math.floor((last - first) / step) + 1);

/** How many addresses an address with ranges stands for. */
export function countOf(address: string): number {
  const range = rangeOf(address);
  return range === undefined ? 1 : sizeOf(range) * countOf(range.after);
}

/** The addresses that an address with ranges stands for, in their order. */
export function* addressesOf(address: string): Generator<string> {
  const range = rangeOf(address);
  if (range === undefined) {
    yield address;
    return;
  }
  for (let number = range.first; number <= range.last; number += range.step) {
    const text = String(number).padStart(range.digits ?? 0, "0");
    for (const rest of addressesOf(range.after)) yield `${range.before}${text}${rest}`;
  }
}
