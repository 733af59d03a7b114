/** The address of a page that differs from that of another page by one number. */
export interface NumberedAddress {
  /** The address with `{page}` in place of the number. */
  template: string;
  /** The number in the address. */
  number: number;
}

/** Names of query parameters that hold the number of a page, or the number of its first row. */
const PAGE_NAME =
  /^(?:p|pg|page|pagina|pagenum|pageno|page_?number|paged|seite|strana|str|start|offset|from|s|skip|first|begin|limitstart|currentpage|pn|cp|pagenumber|pageindex)$/i;

/**
 * Compares the addresses of two pages. If they differ only by one number that counts pages or rows, returns both
 * numbers: `from` is that of `current`, `number` is that of `other`. If `current` has no number, it is the first page,
 * and `from` is undefined. Returns undefined if the addresses differ in another way.
 */
export function numberedBy(
  current: URL,
  other: URL,
): (NumberedAddress & { from: number | undefined }) | undefined {
  if (siteOf(current) !== siteOf(other)) return undefined;
  const found = byQuery(current, other) ?? byPath(current, other);
  return found && isPageNumber(found.from, found.number) ? found : undefined;
}

function byQuery(current: URL, other: URL): (NumberedAddress & { from: number | undefined }) | undefined {
  if (trim(current.pathname) !== trim(other.pathname)) return undefined;
  const changed = [...other.searchParams].filter(([name, value]) => current.searchParams.get(name) !== value);
  // The address of the first page may lack parameters that the others have, such as the sort order or the page size.
  const isAdded = changed.every(([name]) => !current.searchParams.has(name));
  const ofPage = isAdded ? changed.filter(([name]) => PAGE_NAME.test(name)) : changed;
  const [name, value] = ofPage[0] ?? changed[0] ?? [];
  if ((changed.length !== 1 && !(isAdded && ofPage.length === 1)) || name === undefined) return undefined;
  if (!/^\d{1,7}$/.test(value ?? "")) return undefined;
  const before = current.searchParams.get(name);
  if (
    before === null
      ? !PAGE_NAME.test(name.replace(/^.*[[_-](?=\w)|\]$/g, "")) && !PAGE_NAME.test(name)
      : !/^\d{1,7}$/.test(before)
  )
    return undefined;
  const template = new URL(other);
  template.searchParams.set(name, "PAGE-NUMBER");
  return {
    template: template.href.replace("PAGE-NUMBER", "{page}"),
    number: Number(value),
    from: before === null ? undefined : Number(before),
  };
}

function byPath(current: URL, other: URL): (NumberedAddress & { from: number | undefined }) | undefined {
  if (current.search !== other.search && current.search !== "") return undefined;
  const match =
    /^(.*?)(\/?(?:page|p|seite|pagina|paged?|strana|pag|start|offset)?[-_/=]?)(\d{1,6})(\/?|\.\w{2,5})$/i.exec(
      other.pathname,
    );
  if (!match) return undefined;
  const [, head = "", word = "", number = "", tail = ""] = match;
  if (/\b(?:19|20)\d\d$/.test(head + word.replace(/\W+$/, ""))) return undefined;
  const template = `${other.origin}${head}${word}{page}${tail}${other.search}`;
  const path = current.pathname;
  const isLike = path.startsWith(head + word) && path.endsWith(tail);
  const here = isLike
    ? /^\d{1,6}$/.exec(path.slice(head.length + word.length, path.length - tail.length))
    : null;
  if (here) return { template, number: Number(number), from: Number(here[0]) };
  const isFirst =
    trim(current.pathname.replace(/\.\w{2,5}$/, "")) === trim(head.replace(/[-_.]$/, "")) &&
    /page|seite|pag|strana|^\/p|start|offset/i.test(word);
  return isFirst ? { template, number: Number(number), from: undefined } : undefined;
}

/** The host without "www.", with the port. */
export const siteOf = ({ host }: URL): string => host.replace(/^www\./, "");

/** A larger number is rather the id of a record than the number of a page, unless it counts rows. */
const PAGES_MAX = 1_000;
/** The least number of rows of a page, for addresses that count rows. */
const ROWS_LEAST = 10;

/** Whether two numbers in addresses count pages or rows, and are not ids, days or years. */
function isPageNumber(from: number | undefined, to: number): boolean {
  if (from === undefined || from <= 100) return true;
  if (from <= PAGES_MAX && Math.abs(to - from) < ROWS_LEAST) return true;
  return divisor(from, to) >= ROWS_LEAST || divisor(from - 1, to - 1) >= ROWS_LEAST;
}

/** The greatest common divisor. */
const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/** A path without the slashes at its end. Not by a pattern, which takes the square of the length for many slashes. */
function trim(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}
