import { numberedBy, siteOf } from "../page-address.ts";

/** What the address of a control tells of whether it shows the next page of the list at another address. */
export const CONTINUES = 22;
const CONTINUES_NAME = 15;
export const OTHER_SITE = -60;
export const OTHER_ARTICLE = -55;
const OTHER_RECORD = -100;
const OTHER_HOST = -15;
export const ELSEWHERE = -25;
const UNCHANGED = -10;

/** What forums ask for the topic after this one with. */
const NEXT_TOPIC = /[?&;](?:goto|go|view|prev_next)=(?:next|prev)/i;
/** What a parameter that tells records apart is called. */
const RECORD = /^(?:p|t|id|[anptg]id|item|article|post|story|thread|topic|news_?id)$/i;

/** Pages of what readers say about an article. */
const COMMENTS = /comment-page|[?&]c(?:omment)?page=/i;

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

/** Whether the number of a page grows from one address to the other, and is not that of the first page. */
export function growsTo(here: URL, target: URL | undefined): boolean {
  const numbered = target && numberedBy(here, target);
  return numbered !== undefined && numbered.number > Math.max(1, numbered.from ?? 1);
}

/** Whether both addresses name things of one kind: they stand in one folder, and neither counts pages. */
export function areSiblings(here: URL, target: URL): boolean {
  const names = [nameOf(here), nameOf(target)];
  return folderOf(here) === folderOf(target) ? !names.includes("") : isDated(here) && isDated(target);
}

/** Whether a control is called what the last part of its address says: it is named after an article. */
export function isNamedAfter(name: string, target: URL): boolean {
  const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const address = words(decoded(nameOf(target)).replace(/\.\w{2,5}$/, ""));
  const said = [...words(name)].filter((word) => !/^\d+$/.test(word));
  const common = said.filter((word) => address.has(word)).length;
  return common > 1 && common >= said.length / 2;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The last two parts of a host, or three where the last ones are short, as in `co.uk`. */
const domainOf = ({ hostname }: URL): string =>
  /[^.]+\.(?:[^.]{1,3}\.[^.]{2}|[^.]+)$/.exec(hostname)?.[0] ?? hostname;

const withoutHash = (url: URL): string => url.href.replace(/#.*$/, "");
const nameOf = ({ pathname }: URL): string => pathname.replace(/\/$/, "").split("/").at(-1) ?? "";
const folderOf = ({ pathname }: URL): string => pathname.replace(/[^/]+\/?$/, "");

/** Whether addresses end with the words of titles, as those of articles do. */
const isTitle = (url: URL): boolean => /^[^=]*$/.test(nameOf(url)) && nameOf(url).split(/[-_]/).length > 3;

/** Addresses of articles that have a date, and those of months. */
const isDated = ({ pathname }: URL): boolean =>
  /\/(?:19|20)\d\d\/\d{1,2}\/(?:\d{1,2}\/)?[^/]*[a-z]|\/(?:19|20)\d\d[-/]\d{1,2}\/?$/i.test(pathname);

/** A record in a folder: `/post/89960443749`. */
const RECORD_PATH = /^(.*?\/)(\d{5,})(?:[-/.]|$)/;

/** Whether addresses differ by the number of a record. */
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

/** Whether the name in one address is that in the other with a number more, as in `list.html` and `list2.html`. */
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

const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .replace(/\.\w{2,5}$/, "")
    .split(/[-_.,~+:]/)
    .filter((word) => !/^(?:|p|pg|pag|page|pagina|seite|strona|strana)$/.test(word));
