import type { Caller } from "../../../functions/api/types.ts";

/** A caller who may do everything. */
export const caller: Caller = {
  scope: "write",
  key: { id: "0123456789ab", account: "acme", scope: "write", created_at: "2026-11-21T00:00:00.000Z" },
};
