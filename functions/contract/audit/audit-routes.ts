import * as v from "valibot";
import { PAGE_SIZE, type Route } from "../route.ts";
import { AuditEntry } from "./audit.ts";

/** The id of an entry: its time, and random digits. Ids sort by time. */
const ENTRY_ID = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_[0-9a-f]{8}$/;

export const AuditLog = v.object({
  next: v.pipe(
    v.nullable(v.string()),
    v.description("The value of `before` for the next page; null on the last page."),
  ),
  data: v.pipe(v.array(AuditEntry), v.maxLength(PAGE_SIZE)),
});

export const auditRoutes = {
  listAuditEntries: {
    method: "GET",
    path: "/v1/audit",
    scope: "write",
    summary: "List the changes of the account, newest first",
    description:
      "Returns a page of at most 50 entries of the audit log: who changed what, and when. Entries have no values, and are kept for 400 days.",
    query: v.object({
      before: v.optional(
        v.pipe(
          v.string(),
          v.regex(ENTRY_ID, "must be the `next` of an earlier response"),
          v.description("Only entries before this one: the `next` of the last response."),
        ),
      ),
    }),
    status: 200,
    response: AuditLog,
  },
} as const satisfies Record<string, Route>;
