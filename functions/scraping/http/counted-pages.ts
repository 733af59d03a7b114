import type { Warned } from "../lists/list-failures.ts";

/* Sites that count the pages themselves: each request of the same address, such as "/next", leads one page further. */

const numbersOf = (url: string): string[] => url.match(/\d+/g) ?? [];

/** Whether an address says which page it leads to, by a number that the address of the page before does not have. */
export function saysPage(before: string, url: string): boolean {
  const numbers = numbersOf(url);
  for (const known of numbersOf(before)) {
    const at = numbers.indexOf(known);
    if (at >= 0) numbers.splice(at, 1);
  }
  return numbers.length > 0;
}

/** Warns that an address was requested more than once, and leads to another page each time. */
export const warnCounted = ({ session, list }: Warned, url: string): void =>
  session.warnings.add({
    code: "rows_may_be_missing",
    message: `${url} leads to another page each time that it is requested, and it was requested by HTTP and in the browser. Rows may be missing. Set "engine" to "browser".`,
    step: list.index,
  });
