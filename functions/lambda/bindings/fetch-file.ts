import { createFileFetcher, type FetchFile } from "../../egress/requests/fetch-file.ts";
import { allowHosts } from "./environment.ts";
import { once } from "./once.ts";

const fetcher = once(() => createFileFetcher({ allowHosts: allowHosts() }));

/** Gets files by the egress rules of the stack. */
export const fetchFile: FetchFile = (...request) => fetcher()(...request);
