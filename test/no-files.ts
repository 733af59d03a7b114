import type { FetchFile } from "../functions/egress/requests/fetch-file.ts";

/** For tests in which nothing is fetched. */
export const noFiles: FetchFile = () => Promise.reject(new Error("There are no files."));

/** For tests in which nothing is encrypted. */
export const noKeys = () => Promise.reject(new Error("There are no keys."));
