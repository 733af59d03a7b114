import { hookJson } from "../../hooks/hook-json.ts";
import { listHooks as readAll } from "../../store/hooks/hooks.ts";
import type { ApiHandler } from "../types.ts";

export const listHooks: ApiHandler<"listHooks"> = async ({ account }, { table }) => ({
  json: { next_page: null, data: (await readAll(table, account)).map(hookJson) },
});
