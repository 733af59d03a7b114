/** What a page of the fuzz does. Each choice is one that sites make. */

export const SOURCES = [
  "document",
  "fetch",
  "twoRequests",
  "xhr",
  "jsonp",
  "module",
  "timer",
  "worker",
  "html",
  "idle",
  "frames",
  "image",
  "iframe",
  "database",
  "channel",
  "stream",
  "events",
  "mutation",
  "animation",
  "resize",
  "scheduler",
  "aborted",
  "retried",
] as const;

export const DRAWINGS = [
  "html",
  "oneByOne",
  "byFrame",
  "blankFirst",
  "skeleton",
  "pricesLater",
  "loading",
  "shadow",
  "fadeIn",
  "shownLater",
  "remade",
  "allRemade",
  "remadeAgainAndAgain",
  "clones",
  "otherBox",
  "sections",
  "sortedLater",
  "filteredLater",
  "repeatedFirst",
  "countedUp",
  "viewTransition",
  "inView",
  "badge",
  "linksLater",
  "window",
  "keptPages",
] as const;

export const PAGERS = [
  "none",
  "link",
  "form",
  "button",
  "numbers",
  "fragment",
  "history",
  "more",
  "scrollSentinel",
  "scrollEvent",
  "scrollBox",
  "template",
] as const;

/** What the scraper does before it reads the list. */
export const STEPS = ["none", "tab", "search", "dropdown"] as const;

/** What else the page does all the time. */
export const NOISES = [
  "clock",
  "endlessRequest",
  "polling",
  "spinner",
  "frameLoop",
  "work",
  "advertisement",
  "attributes",
  "lateSheet",
  "title",
  "consent",
] as const;

export const ENDS = ["hidden", "disabled", "removed"] as const;
export const FIELDS = ["text", "link", "visible"] as const;
/** Where a part of each row is that the list does not show: on a page of its own, or behind a button in the row. */
export const PARTS = ["none", "none", "page", "panel", "dialog"] as const;
/** How the page of a row gets its part. */
export const PART_SOURCES = ["document", "fetch", "timer"] as const;

/** What a row is: an element with its values, a row of a table whose fields are columns, or one with rows of its own. */
export const LAYOUTS = ["cards", "cards", "table", "variants"] as const;

export const KEYS = ["none", "none", "none", "name", "price"] as const;
export const CLOCKS = ["page", "page", "page", "page", "real"] as const;

const LATENCIES = [0, 0, 30, 200, 1_200] as const;
const TIMERS = [0, 16, 120, 700, 2_500] as const;

export interface Item {
  number: number;
  name: string;
  price: string;
}

export interface PageConfig {
  source: (typeof SOURCES)[number];
  drawing: (typeof DRAWINGS)[number];
  pager: (typeof PAGERS)[number];
  step: (typeof STEPS)[number];
  noises: (typeof NOISES)[number][];
  /** What becomes of the control on the last page. */
  end: (typeof ENDS)[number];
  fields: (typeof FIELDS)[number];
  part: (typeof PARTS)[number];
  partSource: (typeof PART_SOURCES)[number];
  layout: (typeof LAYOUTS)[number];
  /** Whether each third row has no price. */
  arePricesMissing: boolean;
  /** By which field rows count once. */
  key: (typeof KEYS)[number];
  clock: (typeof CLOCKS)[number];
  /** The most rows that the scraper wants. */
  limit: number;
  /** After how many batches of rows the run is ended and resumed; 0: never. */
  resumedAfter: number;
  /** Whether names and prices come again in other rows. */
  areRecurring: boolean;
  /** Whether the page is in a frame of another one. */
  isFramed: boolean;
  engine: "browser" | "auto";
  pages: number;
  /** Rows of each page. */
  rows: number;
  /** Whether old rows go before the new ones come. */
  isCleared: boolean;
  /** How long the server takes to answer, for documents and for data, in ms. */
  documentMs: number;
  dataMs: number;
  /** The page's timers: before rows are requested, while they are drawn, and between two rows, in ms. */
  sourceMs: number;
  drawMs: number;
  gapMs: number;
}

/** A page's config, and what else its script has to know. */
export interface PageTask extends PageConfig {
  /** The page's address without its query. */
  base: string;
  page: number;
  items: Item[][];
}

/** A config that only depends on the seed (mulberry32). */
export function configOf(seed: number): PageConfig {
  let state = Math.imul(seed, 7_919);
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const noises = new Set<PageConfig["noises"][number]>();
  while (random() < 0.45) noises.add(pick(NOISES));
  const config: PageConfig = {
    source: pick(SOURCES),
    drawing: pick(DRAWINGS),
    pager: pick(PAGERS),
    step: random() < 0.6 ? "none" : pick(STEPS),
    noises: [...noises],
    end: pick(ENDS),
    fields: pick(FIELDS),
    engine: random() < 0.25 ? "auto" : "browser",
    pages: pick([2, 3, 4]),
    rows: pick([2, 3, 7]),
    isCleared: random() < 0.3,
    documentMs: pick(LATENCIES),
    dataMs: pick(LATENCIES),
    sourceMs: pick(TIMERS),
    drawMs: pick(TIMERS),
    gapMs: pick([5, 50, 200]),
    part: pick(PARTS),
    partSource: pick(PART_SOURCES),
    areRecurring: random() < 0.2,
    isFramed: random() < 0.15,
    layout: pick(LAYOUTS),
    arePricesMissing: random() < 0.2,
    key: pick(KEYS),
    clock: pick(CLOCKS),
    limit: random() < 0.2 ? pick([1, 3, 8]) : 1_000,
    resumedAfter: random() < 0.2 ? pick([1, 2]) : 0,
  };
  if (config.drawing === "window") {
    config.pager = pick(["none", "scrollBox", "more"]);
    config.rows *= 10;
    if (config.part !== "page") config.part = "none";
  }
  if (config.pager === "template") config.isFramed = false;
  // Rows of a table have neither a root nor a place of their own.
  if (["shadow", "sections", "inView", "window"].includes(config.drawing) && config.layout === "table")
    config.layout = "cards";
  if (config.drawing === "countedUp") config.arePricesMissing = false;
  if (config.drawing === "keptPages") config.fields = "visible";
  if (config.pager === "none") config.pages = 1;
  // On these, each page is another document, which begins without the step.
  if (["link", "form", "template"].includes(config.pager)) config.step = "none";
  return config;
}

/** The rows of one page, counted from 1. */
export const itemsOf = ({ rows, areRecurring, arePricesMissing }: PageConfig, page: number): Item[] =>
  Array.from({ length: rows }, (_, index) => {
    const number = (page - 1) * rows + index + 1;
    const shown = areRecurring ? ((number - 1) % 11) + 1 : number;
    return {
      number,
      name: `Item ${shown}`,
      price: arePricesMissing && number % 3 === 0 ? "" : `${shown}.50 EUR`,
    };
  });
