import { numberedBy, siteOf } from "./page-address.ts";

// The scores of `addressScore`, by what the address of a control is.

/** The address has a higher page number. */
export const CONTINUES = 22;
/** The last part of the address has a number more, as in `list2.html`. */
const CONTINUES_NAME = 15;
/** Another site. */
export const OTHER_SITE = -60;
/** Another article, or the comments of one. */
export const OTHER_ARTICLE = -55;
/** Another record, such as the next topic of a forum. */
const OTHER_RECORD = -100;
/** Another host of the same domain. */
const OTHER_HOST = -15;
/** Another folder of the same site, without a digit in the query. */
export const ELSEWHERE = -25;
/** The address of the current page. */
const UNCHANGED = -10;

/** Query parameters with which forums open the next topic. */
const NEXT_TOPIC = /[?&;](?:goto|go|view|prev_next)=(?:next|prev)/i;
/** Names of query parameters with the id of a record. */
const RECORD = /^(?:p|t|id|[anptg]id|item|article|post|story|thread|topic|news_?id)$/i;

/** Addresses of pages of comments. */
const COMMENTS = /comment-page|[?&]c(?:omment)?page=/i;

/** Scores how likely `target` is the next page of the list at `here`, from -100 to 22. 0 if it is unknown. */
export function addressScore(here: URL, target: URL | undefined): number {
  if (!target) return 0;
  if (siteOf(target) !== siteOf(here)) return domainOf(target) === domainOf(here) ? OTHER_HOST : OTHER_SITE;
  if (target.href === withoutHash(here)) return UNCHANGED;
  if (COMMENTS.test(target.href)) return OTHER_ARTICLE;
  const numbered = numberedBy(here, target);
  if (numbered) return numbered.number > (numbered.from ?? 0) ? CONTINUES : 0;
  if (NEXT_TOPIC.test(target.search) || isOtherRecord(here, target)) return OTHER_RECORD;
  if (target.pathname === here.pathname) return 0;
  if (continuesName(here, target)) return CONTINUES_NAME;
  if ((isTitle(here) && isTitle(target)) || (isDated(here) && isDated(target))) return OTHER_ARTICLE;
  const isBelow = target.pathname.startsWith(folderOf(here)) && here.pathname !== "/";
  return isBelow || /\d/.test(target.search) ? 0 : ELSEWHERE;
}

/** Whether `target` has a higher page number than `here`, and not that of the first page. */
export function growsTo(here: URL, target: URL | undefined): boolean {
  const numbered = target && numberedBy(here, target);
  return numbered !== undefined && numbered.number > Math.max(1, numbered.from ?? 1);
}

/** Whether two addresses name things of the same kind, such as articles: same folder, or both with a date. */
export function areSiblings(here: URL, target: URL): boolean {
  const names = [nameOf(here), nameOf(target)];
  return folderOf(here) === folderOf(target) ? !names.includes("") : isDated(here) && isDated(target);
}

/** Whether the name of a control shares words with the last part of its address, as the title of an article does. */
export function isNamedAfter(name: string, target: URL): boolean {
  const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const address = words(decoded(nameOf(target)).replace(/\.\w{2,5}$/, ""));
  const said = [...words(name)].filter((word) => !/^\d+$/.test(word));
  const common = said.filter((word) => address.has(word)).length;
  return common > 1 && common >= said.length / 2;
}

/** Decodes percent-encoding; returns the text unchanged if it is not valid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The last two parts of a host name, or three if the last two are short, as in `co.uk`. */
function domainOf({ hostname }: URL): string {
  const labels = hostname.split(".");
  const [second = "", last = ""] = labels.slice(-2);
  return labels.slice(second.length <= 3 && last.length === 2 ? -3 : -2).join(".");
}

const withoutHash = (url: URL): string => url.href.replace(/#.*$/, "");
/** The last part of the path. */
const nameOf = ({ pathname }: URL): string => pathname.replace(/\/$/, "").split("/").at(-1) ?? "";
const folderOf = ({ pathname }: URL): string => {
  const path = pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return folder === path ? pathname : folder;
};

/** Whether an address ends with the words of a title, as those of articles do. */
const isTitle = (url: URL): boolean => /^[^=]*$/.test(nameOf(url)) && nameOf(url).split(/[-_]/).length > 3;

/** Whether an address has a date, as those of articles and of monthly archives do. */
const isDated = ({ pathname }: URL): boolean =>
  /\/(?:19|20)\d\d\/\d{1,2}\/(?:\d{1,2}\/)?[^/]*[a-z]|\/(?:19|20)\d\d[-/]\d{1,2}\/?$/i.test(pathname);

/** The address of a record with an id, such as `/post/89960443749`. */
const RECORD_PATH = /^(.*?\/)(\d{5,})(?:[-/.]|$)/;

/** Whether two addresses differ by the id of a record. */
function isOtherRecord(here: URL, target: URL): boolean {
  const [from, to] = [nameOf(here), nameOf(target)];
  const ids = [here, target].map(({ pathname }) => RECORD_PATH.exec(pathname));
  if (ids[0] && ids[1] && ids[0][1] === ids[1][1] && ids[0][2] !== ids[1][2]) return true;
  if (from !== to)
    return from.replace(/\d+/g, "0") === to.replace(/\d+/g, "0") && /\d{3}/.test(from) && !/page/i.test(from);
  const changed = [...target.searchParams].filter(([name, value]) => here.searchParams.get(name) !== value);
  return (
    changed.length === 1 &&
    changed.every(([name]) => RECORD.test(name) && here.searchParams.get(name) !== null)
  );
}

/** Whether the last part of `target` is that of `here` with one more number, as in `list.html` and `list2.html`. */
function continuesName(here: URL, target: URL): boolean {
  if (folderOf(here) !== folderOf(target) && here.pathname !== folderOf(target)) return false;
  const isIndex = here.pathname === folderOf(target);
  const from = isIndex ? ["index"] : wordsOf(nameOf(here));
  const to = wordsOf(nameOf(target));
  if (!to.some((word) => /\d/.test(word) && !from.includes(word))) return false;
  const plain = (words: readonly string[]) => words.filter((word) => !/\d/.test(word));
  const stems = (words: readonly string[]) =>
    words.map((word) => word.replace(/\d{1,5}$/, "")).filter(Boolean);
  return (
    plain(from).every((word) => stems(to).includes(word)) &&
    plain(to).every((word) => from.includes(word)) &&
    stems(from).every((word) => stems(to).includes(word)) &&
    to.length - from.length <= 1
  );
}

/** The words of a file name in lower case, without words that mean "page". */
const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .replace(/\.\w{2,5}$/, "")
    .split(/[-_.,~+:]/)
    .filter((word) => !/^(?:|p|pg|pag|page|pagina|seite|strona|strana)$/.test(word));
