import { cards, SCRIPT } from "../page.ts";

/** The HTML of a page, with its list and with the address of the next page. */
export type Body = (list: string, href: string) => string;

/** The list of a page: three cards. */
export const listOf = (page: number, text?: (n: number) => string): string =>
  `<ul>${cards(page * 3 - 2, page * 3, text)}</ul>`;

/** Each address is found on the page before only, because no address follows from the others. */
const pathOf = (page: number) => (page === 1 ? "/" : `/${String.fromCharCode(95 + page)}`);

/**
 * Pages whose controls are each another one, and a last page. Every second page has a script.
 * @param last HTML of the last page
 * @param text of card `n`
 */
export function linkedPages(
  bodies: readonly Body[],
  last = "",
  text?: (n: number) => string,
): Record<string, string> {
  const pages = bodies.map((body, index) => {
    const page = index + 1;
    return [pathOf(page), body(listOf(page, text), pathOf(page + 1)) + (page % 2 ? "" : SCRIPT)];
  });
  const end = bodies.length + 1;
  return Object.fromEntries([...pages, [pathOf(end), listOf(end, text) + last]]);
}
