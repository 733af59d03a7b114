/** The content of the console's files, by path relative to the root, such as `assets/main-4F2K.js`. */
export type ConsoleFiles = ReadonlyMap<string, Uint8Array>;

/** The HTML file that is served at every address of the console. */
export const INDEX = "index.html";
/** The folder of all other files. Their names contain a hash of their content. */
export const ASSETS = "assets";

/** The first path segments that the console's own router handles. The API uses none of them. */
export const PAGES = ["scrapers", "runs", "batches", "record", "settings", "help"] as const;

/** Whether an address shows a page of the console. */
export const isPage = (path: string): boolean =>
  path === "/" || PAGES.some((page) => path === `/${page}` || path.startsWith(`/${page}/`));

/**
 * Matches paths of the API, also with a typo such as `//v1/runs`. A client of such a path never gets the console's
 * page, even if its Accept header allows HTML.
 */
export const API_PATH = /^\/+v1(\/|$)/;
