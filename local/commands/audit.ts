import type { AuditEntry } from "../../functions/contract/audit/audit.ts";
import { listAuditEntries } from "../../functions/store/audit.ts";
import { type Where, withService } from "../connect.ts";
import { tableOf } from "../table-of.ts";
import { print, printJson } from "../terminal/print.ts";

/**
 * Lists the changes of an account, newest first. The account may be deleted: its deletion is kept.
 */
export async function audit({
  account,
  limit,
  json,
  ...where
}: Where & { account: string; limit: number; json?: boolean }): Promise<void> {
  const entries = await withService(where, (table) => listAuditEntries(table, account, { limit }));
  if (json) return printJson(entries);
  if (entries.length === 0) return print(`The audit log has no changes of the account "${account}".`);
  print(tableOf(["time", "who", "action", "what"], entries.map(rowOf)));
}

const rowOf = ({ at, actor: { type, id, name }, action, target }: AuditEntry): string[] => [
  at,
  [type, id, name !== null && `(${name})`].filter(Boolean).join(" "),
  action,
  target ?? "",
];
