import { expect, test } from "@jest/globals";
import type { StepOf } from "../../../../../functions/contract/steps/steps.ts";
import { RunFailure } from "../../../../../functions/runs/failure.ts";
import type {
  createLookahead,
  LoadedPage,
} from "../../../../../functions/scraping/lists/ahead/pages-ahead.ts";
import { PagesAhead } from "../../../../../functions/scraping/lists/ahead/pages-ahead.ts";
import type { ListRun } from "../../../../../functions/scraping/lists/list-reader.ts";
import type { ListResult } from "../../../../../functions/scraping/lists/source.ts";
import type { Tab } from "../../../../../functions/scraping/page/tab.ts";

/* Which pages are loaded ahead, and which of them count. Nothing is loaded here: the pages are made up. */

const list: StepOf<"get_list"> = { type: "get_list", selector: "li", fields: [{ name: "name" }] };
const addressOf = (number: number) => `https://shop.example/?page=${number}`;

/** A page as the session finds it. What is left out is as on all pages. */
interface Shown {
  /** Undefined: the address does not lead to the page. */
  url?: string | undefined;
  /** Where its control leads. */
  next?: string | null;
  storageState?: string | null;
  cookieChanges?: number;
  waitMs?: number;
}

/** The same page as another tab finds it. */
interface Loaded extends Partial<ListResult> {
  error?: Error;
  isCutOff?: boolean;
  /** Whether its tab has gone on to another document. */
  isGone?: boolean;
}

interface Walk {
  count?: number;
  limit?: number;
  maxPages?: number;
  concurrency?: number;
  frame?: string;
  shown?: (number: number) => Shown;
  loaded?: (number: number) => Loaded;
}

const resultOf = (number: number, more: Partial<ListResult> = {}): ListResult =>
  ({
    state: "rows",
    rows: [1, 2, 3].map((n) => ({ name: `${number}-${n}` })),
    url: addressOf(number),
    digest: `${number}`,
    storageState: "",
    hasGap: false,
    hasUnseen: false,
    isRepeated: false,
    ...more,
  }) as ListResult;

/** Goes through the pages of a list, as a next_button does, and tells which were loaded by whom. */
async function walk({
  count = 10,
  limit = 1_000,
  maxPages = 1_000,
  concurrency = 4,
  frame,
  shown = () => ({}),
  loaded = () => ({}),
}: Walk) {
  const told = {
    begun: [] as number[],
    own: [] as number[],
    ahead: [] as number[],
    loads: 0,
    rows: [] as unknown[],
  };
  let isClosed = false;
  /** The page that was taken last. */
  let current = 0;
  const session = {
    cookieChanges: 0,
    tab: { document: { waitMs: 50 } },
    politeness: { tabsFor: () => concurrency },
    loads: { add: () => (told.loads += 1) },
  };
  const lookaheadOf = (() => ({
    ask(first, count) {
      for (let number = first; number < first + count; number += 1)
        if (!told.begun.includes(number)) told.begun.push(number);
    },
    has: (number) => !isClosed && told.begun.includes(number),
    take(number) {
      current = number;
      const { error, isCutOff = false, isGone, ...more } = loaded(number);
      const tab = { main: { number: isGone ? 2 : 1, isCutOff } } as Tab;
      return Promise.resolve<LoadedPage>({
        tab,
        documents: 1,
        ...(error ? { error } : { result: resultOf(number, more) }),
      });
    },
    continueWith: () => void told.ahead.push(current),
    release() {},
    close() {
      isClosed = true;
    },
  })) satisfies typeof createLookahead;
  const step = { ...list, ...(frame && { frame }) };
  const progress = { limit, pagesWanted: maxPages };
  const ahead = new PagesAhead({ session, list: { step }, progress } as unknown as ListRun, lookaheadOf);
  let arrived: ListResult | undefined;
  for (let number = 1; number <= Math.min(count, maxPages); number += 1) {
    const { storageState = "", cookieChanges = 0, waitMs = 50, ...page } = shown(number);
    const result = arrived ?? resultOf(number, { storageState });
    if (!arrived) told.own.push(number);
    session.cookieChanges = cookieChanges;
    session.tab.document.waitMs = waitMs;
    ahead.note({ ...result, storageState }, number, "url" in page ? page.url : addressOf(number));
    told.rows.push(...result.rows.slice(0, progress.limit));
    progress.limit -= result.rows.length;
    if (progress.limit <= 0 || number >= maxPages) break;
    progress.pagesWanted = Math.min(maxPages - number, Math.ceil(progress.limit / 3));
    const preloaded = await ahead.expected();
    const { next = number < count ? addressOf(number + 1) : null } = page;
    // The session goes to the page itself where the control leads elsewhere.
    arrived = preloaded && preloaded.address === next ? ahead.accept() : undefined;
    if (preloaded && !arrived) ahead.close();
    if (!preloaded) ahead.begin(next);
  }
  return { ...told, isClosed };
}

test("the third page tells the addresses of the next ones, of which more and more load ahead", async () => {
  const { own, ahead, begun, loads, isClosed } = await walk({ count: 30, maxPages: 10 });
  expect(own).toEqual([1, 2, 3]);
  expect(ahead).toEqual([4, 5, 6, 7, 8, 9, 10]);
  expect(loads).toBe(7);
  expect(isClosed).toBe(false);
  expect(begun).toEqual([4, 5, 6, 7, 8, 9, 10]);
  // Where the last page is not known, a few are requested in vain.
  expect(Math.max(...(await walk({})).begun)).toBeLessThanOrEqual(10 + 3);
});

test("few are loaded at first, and never more than are wanted or than the host allows", async () => {
  expect((await walk({ count: 3 })).begun).toEqual([4, 5]);
  expect((await walk({ count: 3, concurrency: 2 })).begun).toEqual([4]);
  expect((await walk({ count: 3, concurrency: 1 })).begun).toEqual([]);
  expect((await walk({ maxPages: 8, count: 30 })).begun).toEqual([4, 5, 6, 7, 8]);
  expect((await walk({ limit: 23, count: 30 })).begun).toEqual([4, 5, 6, 7, 8]);
  expect((await walk({ limit: 24, count: 30 })).begun).toEqual([4, 5, 6, 7, 8]);
});

test("a page ahead with more rows than are wanted does not count if something is wrong with it", async () => {
  const { rows, ahead } = await walk({ limit: 14 });
  expect(ahead).toEqual([4, 5]);
  expect(rows).toHaveLength(14);
  const beyond = await walk({ limit: 14, loaded: () => ({ hasGap: true }) });
  expect(beyond.ahead).toEqual([4]);
  expect(beyond.own).toEqual([1, 2, 3, 5]);
});

test.each<[string, Walk]>([
  ["the server is fast", { shown: () => ({ waitMs: 5 }) }],
  ["one answer was fast", { count: 3, shown: (number) => (number === 2 ? { waitMs: 5 } : {}) }],
  ["the list is in a frame", { frame: "#list" }],
  [
    "the addresses can't be told",
    { shown: (number) => ({ next: `https://shop.example/?token=${3 ** number}` }) },
  ],
  ["the control states no address", { shown: () => ({ next: null }) }],
  ["pages have no address", { shown: () => ({ url: undefined }) }],
  ["each page changes the storage", { shown: (number) => ({ storageState: `page ${number}` }) }],
  ["the storage is unknown", { shown: () => ({ storageState: null }) }],
  ["each page changes a cookie", { shown: (number) => ({ cookieChanges: number }) }],
  ["the host wants a delay", { concurrency: 1 }],
])("no page is loaded ahead where %s", async (_, how) => {
  const { begun, ahead } = await walk(how);
  expect({ begun, ahead }).toEqual({ begun: [], ahead: [] });
});

test("a cookie or a storage that stays is no obstacle", async () => {
  const { ahead } = await walk({
    shown: () => ({ cookieChanges: 1, storageState: "a=1" }),
    loaded: () => ({ storageState: "a=1" }),
  });
  expect(ahead).toContain(10);
});

const at =
  <T extends object>(wanted: number, what: T) =>
  (number: number): T | Record<string, never> =>
    number === wanted ? what : {};

test.each<[string, Walk]>([
  ["its server redirected", { loaded: at(7, { url: addressOf(1) }) }],
  ["it has no list", { loaded: at(7, { state: "missing", rows: [] }) }],
  ["it failed", { loaded: at(7, { error: new RunFailure("http_error", "403") }) }],
  ["it was cut off", { loaded: at(7, { isCutOff: true }) }],
  ["its tab went on to another document", { loaded: at(7, { isGone: true }) }],
  ["it changed the storage", { loaded: at(7, { storageState: "page 7" }) }],
  ["the page before changed the storage", { shown: at(6, { storageState: "page 6" }) }],
  ["the page before changed a cookie", { shown: (number) => ({ cookieChanges: number < 6 ? 0 : 1 }) }],
  ["the page before has another address than was told", { shown: at(6, { url: addressOf(60) }) }],
  ["the control of the page before leads elsewhere", { shown: at(6, { next: addressOf(9) }) }],
])("a page does not count where %s, and no page after it is loaded ahead", async (_, how) => {
  const { own, ahead, isClosed } = await walk(how);
  expect(ahead).toEqual([4, 5, 6]);
  expect(own).toEqual([1, 2, 3, 7, 8, 9, 10]);
  expect(isClosed).toBe(true);
});

test("a failure of a page ahead makes the host's pages load one by one, if it says so", async () => {
  const failure = new RunFailure("http_error", "429");
  const noted: unknown[] = [];
  const politeness = {
    tabsFor: () => 4,
    load: async () => {
      throw failure;
    },
    backOff: async (...args: unknown[]) => void noted.push(...args),
  };
  const session = { cookieChanges: 0, tab: { document: { waitMs: 50 } }, politeness };
  let open: Parameters<typeof createLookahead>[1] | undefined;
  const lookaheadOf = ((...[, opening]: Parameters<typeof createLookahead>) => {
    open = opening;
    const take = () => Promise.reject(new Error("No page is taken."));
    return { ask() {}, has: () => false, take, continueWith() {}, release() {}, close() {} };
  }) satisfies typeof createLookahead;
  const progress = { pagesWanted: 9, limit: 100 };
  const ahead = new PagesAhead(
    { session, list: { step: list }, progress } as unknown as ListRun,
    lookaheadOf,
  );
  for (const number of [1, 2]) ahead.note(resultOf(number), number, addressOf(number));
  ahead.begin(addressOf(3));
  await expect(open?.({} as Tab, 4)).rejects.toBe(failure);
  expect(noted).toEqual([addressOf(4), failure]);
});
