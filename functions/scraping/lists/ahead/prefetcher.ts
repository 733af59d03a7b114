interface PrefetchOptions<T> {
  load(index: number): Promise<T>;
  /** How many may load at the same time, of those that are loaded ahead. Absent: `load` itself waits. */
  width?(index: number): number;
  /** Bytes of a part. Absent: they don't matter. */
  sizeOf?(part: T): number;
}

/** Bytes that wait to be taken, after which no more is loaded ahead. */
const WAITING_BYTES = 4 * 1024 ** 2;

interface Part<T> {
  promise: Promise<T>;
  /** Bytes, once it has arrived. */
  size: number;
}

/** Loads the parts of a series in order, before they are needed. */
export class Prefetcher<T> {
  readonly #options: PrefetchOptions<T>;
  readonly #parts = new Map<number, Part<T>>();
  /** The next part to load ahead, and the one after the last. */
  #next = 0;
  #end = 0;
  #pending = 0;

  constructor(options: PrefetchOptions<T>) {
    this.#options = options;
  }

  /** Whether a part is loading or was loaded, and was not taken. */
  has(index: number): boolean {
    return this.#parts.has(index);
  }

  /** Asks for `count` parts from `from` on. No part is loaded twice. */
  ask(from: number, count: number): void {
    this.#next = Math.max(this.#next, from);
    this.#end = from + count;
    this.#loadNext();
  }

  /** A part, which starts to load now if it was not asked for. */
  take(index: number): Promise<T> {
    this.#next = Math.max(this.#next, index + 1);
    const { promise } = this.#parts.get(index) ?? this.#load(index);
    this.#parts.delete(index);
    this.#loadNext();
    return promise;
  }

  /** Drops all parts, and loads no others. */
  close(): void {
    this.#parts.clear();
    this.#end = 0;
  }

  #loadNext(): void {
    const { width } = this.#options;
    while (this.#next < this.#end) {
      if (width && this.#pending >= width(this.#next)) return;
      const waiting = this.#parts.values().reduce((sum, { size }) => sum + size, 0);
      if (waiting >= WAITING_BYTES) return;
      this.#next += 1;
      this.#load(this.#next - 1);
    }
  }

  #load(index: number): Part<T> {
    const part = { promise: this.#options.load(index), size: 0 };
    this.#parts.set(index, part);
    this.#pending += 1;
    const note = (size: number) => {
      part.size = size;
      this.#pending -= 1;
      this.#loadNext();
    };
    // An error matters only if the part is needed.
    part.promise.then(
      (loaded) => note(this.#options.sizeOf?.(loaded) ?? 0),
      () => note(0),
    );
    return part;
  }
}

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
