import type { ComponentType } from "preact";
import type { PageProps } from "./page-props.ts";

export interface PageEntry {
  /** The pattern of the path. It may contain `{id}` and `{tab?}`. */
  path: string;
  /** Loads the component. The build puts each page into its own file. */
  load: () => Promise<ComponentType<PageProps>>;
}

/**
 * All pages. The last one is shown at all other addresses. The first path segments are also listed in build/files.ts,
 * for the server.
 */
export const pages: readonly PageEntry[] = [
  { path: "/", load: async () => (await import("./home/home.tsx")).Home },
  { path: "/scrapers", load: async () => (await import("./scrapers/scrapers.tsx")).Scrapers },
  { path: "/scrapers/{id}/{tab?}", load: async () => (await import("./scrapers/scraper.tsx")).ScraperPage },
  { path: "/runs", load: async () => (await import("./runs/runs.tsx")).Runs },
  { path: "/runs/{id}/{tab?}", load: async () => (await import("./runs/run.tsx")).RunPage },
  { path: "/batches", load: async () => (await import("./batches/batches.tsx")).Batches },
  { path: "/batches/{id}/{tab?}", load: async () => (await import("./batches/batch.tsx")).BatchPage },
  { path: "/record", load: async () => (await import("../record/record.tsx")).Record },
  { path: "/settings", load: async () => (await import("./settings/settings.tsx")).Settings },
  { path: "/help/{id?}", load: async () => (await import("./help/help.tsx")).Help },
  { path: "*", load: async () => (await import("./not-found.tsx")).NotFound },
];
