import type { FetchFile } from "../functions/egress/requests/fetch-file.ts";
import type { Queues } from "../functions/queues.ts";
import { sweptSchedules } from "../functions/schedules/schedules.ts";

/** For tests in which nothing is fetched. */
export const noFiles: FetchFile = () => Promise.reject(new Error("There are no files."));

/** For tests in which nothing is encrypted. */
export const noKeys = () => Promise.reject(new Error("There are no keys."));

/** Queues that nobody reads. */
export const noQueues: Queues = {
  sendRun: async () => {},
  sendWebhook: async () => {},
  sendBatch: async () => {},
};

/** What the API needs, for requests that use none of it. */
export const unusedByApi = {
  schedules: sweptSchedules,
  inspect: async () => undefined,
  allowHosts: () => [],
  fetchFile: noFiles,
  sessionKey: noKeys,
};
