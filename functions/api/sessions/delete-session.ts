import { deleteSession as remove } from "../../store/sessions.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const deleteSession: ApiHandler<"deleteSession"> = async ({ account, id }, { table }) => {
  if (!(await remove(table, account, id))) throw notFound("session");
  return {};
};
