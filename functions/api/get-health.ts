import { getAccount } from "../store/accounts.ts";
import type { ApiHandler } from "./types.ts";

/** Checks the table and the queues. Without a queue, runs are still stored, but start late. */
export const getHealth: ApiHandler<"getHealth"> = async (_, { table, checkQueues }) => {
  await Promise.all([getAccount(table, ""), checkQueues?.()]);
  return { json: { status: "ok" } };
};
