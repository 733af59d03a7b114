const whole = new Intl.NumberFormat("en");

/** A number with thousands separators: "1,234,567". */
export const count = (value: number): string => whole.format(value);

/** A number and a noun: "1 row", "2,000 rows". `many` is the plural, if it is not formed with an s. */
export const counted = (value: number, word: string, many = `${word}s`): string =>
  `${count(value)} ${value === 1 ? word : many}`;

/** A size in bytes with its unit: "1.2 MB". */
export function bytes(value: number): string {
  if (value < 1_000) return `${value} B`;
  return value < 1_000_000 ? `${(value / 1_000).toFixed(0)} kB` : `${(value / 1_000_000).toFixed(1)} MB`;
}
