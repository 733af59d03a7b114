/** The files of the console by their path below its root, such as `index.html` and `assets/main-4F2K.js`. */
export type ConsoleFiles = ReadonlyMap<string, Uint8Array>;

/** The page that all of the console's addresses have. */
export const INDEX = "index.html";
/** The folder of all other files. Their names have a hash of their content. */
export const ASSETS = "assets";

/** First parts of the paths that the console's own router handles. None of them is used by the API. */
export const PAGES = ["scrapers", "runs", "record", "settings"] as const;

/** Whether an address shows a page of the console. */
export const isPage = (path: string): boolean =>
  path === "/" || PAGES.some((page) => path === `/${page}` || path.startsWith(`/${page}/`));

/** Addresses of the API, also with a typo such as `//v1/runs`: a program asks for them, whatever it accepts. */
export const API_PATH = /^\/+v1(\/|$)/;
