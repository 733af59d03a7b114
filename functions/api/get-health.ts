import { getAccount } from "../store/accounts.ts";
import type { ApiHandler } from "./types.ts";

/** A run is stored also while its queue fails, but then it begins late. */
export const getHealth: ApiHandler<"getHealth"> = async (_, { table, checkQueues }) => {
  await Promise.all([getAccount(table, ""), checkQueues?.()]);
  return { json: { status: "ok" } };
};
