const whole = new Intl.NumberFormat("en");

/** 1,234,567 */
export const count = (value: number): string => whole.format(value);

/** "1 row", "2,000 rows". `many`: the plural, if it is not the word with an s. */
export const counted = (value: number, word: string, many = `${word}s`): string =>
  `${count(value)} ${value === 1 ? word : many}`;

/** 1.2 MB */
export function bytes(value: number): string {
  if (value < 1_000) return `${value} B`;
  return value < 1_000_000 ? `${(value / 1_000).toFixed(0)} kB` : `${(value / 1_000_000).toFixed(1)} MB`;
}
