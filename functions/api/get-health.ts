import { getAccount } from "../store/accounts.ts";
import type { ApiHandler } from "./types.ts";

/** Runs are stored and executed later also while a queue fails, so the table alone decides. */
export const getHealth: ApiHandler<"getHealth"> = async (_, { table }) => {
  await getAccount(table, "");
  return { json: { status: "ok" } };
};
