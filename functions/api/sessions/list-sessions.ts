import { listSessions as readAll } from "../../store/sessions.ts";
import type { ApiHandler } from "../types.ts";

export const listSessions: ApiHandler<"listSessions"> = async ({ account }, { table }) => ({
  json: {
    next_page: null,
    data: (await readAll(table, account)).map(({ name, hosts, saved_at }) => ({ name, hosts, saved_at })),
  },
});
