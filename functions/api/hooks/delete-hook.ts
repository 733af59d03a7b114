import { deleteHooks } from "../../store/hooks/hooks.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const deleteHook: ApiHandler<"deleteHook"> = async ({ account, id }, { table }) => {
  if (!(await deleteHooks(table, account, (hook) => hook.id === id))) throw notFound("hook");
  return {};
};
