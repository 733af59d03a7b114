import { getAccount } from "../store/accounts.ts";
import type { ApiHandler } from "./types.ts";

/** A run is stored even if its queue fails, but then it starts late. */
export const getHealth: ApiHandler<"getHealth"> = async (_, { table, checkQueues }) => {
  await Promise.all([getAccount(table, ""), checkQueues?.()]);
  return { json: { status: "ok" } };
};
