import { PAGE_SIZE } from "../contract/route.ts";
import { listAuditEntries as readEntries } from "../store/audit.ts";
import type { ApiHandler } from "./types.ts";

export const listAuditEntries: ApiHandler<"listAuditEntries"> = async (
  { account, query: { before } },
  { table },
) => {
  const found = await readEntries(table, account, { before, limit: PAGE_SIZE + 1 });
  const data = found.slice(0, PAGE_SIZE);
  return { json: { next: found.length > PAGE_SIZE ? (data.at(-1)?.id ?? null) : null, data } };
};
