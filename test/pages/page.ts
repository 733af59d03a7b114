import type { InferInput } from "valibot";
import type { Row } from "../../functions/contract/runs/run.ts";
import type { ScraperDefinition } from "../../functions/contract/scrapers/scraper.ts";
import type { Step } from "../../functions/contract/steps/steps.ts";
import type { EngineOptions, Told } from "../functions/scraping/harness.ts";
import type { Handler, Site } from "../site/site.ts";

/** Stands for the origin of the page's site, in HTML, scrapers and expected rows. */
export const SITE = "http://site.example";
/** Stands for another origin with the same pages. */
export const OTHER_SITE = "http://other-site.example";

/** Responses by path, with or without a query. A string is an HTML document. */
export type Routes = Record<string, string | Handler>;

type Scraper = Partial<Omit<InferInput<typeof ScraperDefinition>, "id" | "name" | "schedule" | "proxy">>;

/** A text that a message contains, or a pattern that it matches. */
type Message = string | RegExp;

/** A warning that a run must have: its code, or some of its properties. */
export type ExpectedWarning =
  | string
  | { code: string; step?: number; field?: string; count?: number; message?: Message };

export type ExpectedFailure =
  | string
  | { code: string; step?: number | null; message?: Message; url?: string };

/** A page, a scraper for it, and what its run must tell: all rows, all warnings, and the failure, if there is one. */
export interface Page extends Scraper {
  /** The document at `/`. */
  html?: string;
  /** All other responses. A function is called once for each run, so that its handlers can keep state. */
  routes?: Routes | ((site: Site) => Routes);
  /** Default: `visit()` and `cardList`. */
  steps?: Step[];
  /** All rows, in order, or a check of them where the run has to warn that some are missing. Default: none. */
  rows?: Row[] | ((rows: readonly Row[]) => boolean);
  /** All warnings, in any order. Default: none. */
  warnings?: ExpectedWarning[];
  failure?: ExpectedFailure;
  /** The number of pages that the run counts. Default: not checked. */
  loads?: number;
  /** Checks what the other properties can't express. Throws an AssertionError. */
  check?: (told: Told, site: Site) => void | Promise<void>;
  /** Each of these engines must tell the same. Default: the scraper's. */
  engines?: NonNullable<Scraper["engine"]>[];
  /** The page is run once for each of these, which replace or add properties. */
  variants?: Record<string, Omit<Page, "variants">>;
  /** How long the run may take, in ms. Default: 15 minutes. */
  deadlineMs?: number;
  /** Options of an engine that only this page uses. With them, the page starts a browser of its own. */
  own?: EngineOptions;
  /** Whether pages load side by side, which they do not in a browser of a single process. */
  isParallel?: boolean;
  /** Whether the run may have other warnings, or none. */
  hasAnyWarnings?: boolean;
  /** Whether a run that is resumed sees something else. */
  isStateful?: boolean;
  /** Why only `npm run test:slow` runs the page. */
  slow?: string;
}

/** The pages of a file, by name. */
export type Pages = Record<string, Page>;

export const visit = (path = "/"): Step => ({ type: "visit", url: SITE + path });

/** Reads the cards of `cards()`. */
export const cardList = {
  type: "get_list",
  selector: ".card",
  fields: [{ name: "name" }],
} as const satisfies Step;

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

/** Numbered cards, with links to their detail pages. */
export const cards = (from: number, to: number, text = (n: number) => `Lamp ${n}`): string =>
  range(from, to)
    .map((n) => `<li class="card"><a href="/p/${n}">${text(n)}</a></li>`)
    .join("");

/** The rows of these cards. */
export const lamps = (from: number, to: number): Row[] => range(from, to).map((n) => ({ name: `Lamp ${n}` }));

/** The value of `page` in a request's query; 1 if there is none. */
export const pageOf = ({ url = "" }: { url?: string | undefined }): number =>
  Number(new URL(url, SITE).searchParams.get("page") ?? 1);

/** A script that does nothing. A page that has one may change at any time. */
export const SCRIPT = '<script>"use strict"</script>';
