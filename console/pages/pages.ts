import type { ComponentType } from "preact";
import type { PageProps } from "./page-props.ts";

export interface PageEntry {
  /** The address, with `{id}` and `{tab?}`. */
  path: string;
  /** Each page is a file of its own, which is loaded when the page is first shown. */
  load: () => Promise<ComponentType<PageProps>>;
}

/** All pages. Their first parts are also in build/files.ts, so that a server knows them. The last one is for all other addresses. */
export const pages: readonly PageEntry[] = [
  { path: "/", load: async () => (await import("./home/home.tsx")).Home },
  { path: "/scrapers", load: async () => (await import("./scrapers/scrapers.tsx")).Scrapers },
  { path: "/scrapers/{id}/{tab?}", load: async () => (await import("./scrapers/scraper.tsx")).ScraperPage },
  { path: "/runs", load: async () => (await import("./runs/runs.tsx")).Runs },
  { path: "/runs/{id}/{tab?}", load: async () => (await import("./runs/run.tsx")).RunPage },
  { path: "/record", load: async () => (await import("../record/record.tsx")).Record },
  { path: "/settings", load: async () => (await import("./settings/settings.tsx")).Settings },
  { path: "*", load: async () => (await import("./not-found.tsx")).NotFound },
];
