import type { FetchFile } from "../functions/egress/fetch-file.ts";

/** For tests in which nothing is fetched. */
export const noFiles: FetchFile = () => Promise.reject(new Error("There are no files."));
