import * as v from "valibot";
import { AUDIT_ACTIONS } from "./audit-actions.ts";

/** Who made a change. */
export const Actor = v.object({
  type: v.pipe(
    v.picklist(["key", "user", "operator"]),
    v.description(
      "`key`: a client with an API key. `user`: a person who has signed in. `operator`: whoever runs the service, by the command line.",
    ),
  ),
  id: v.pipe(v.nullable(v.string()), v.description("The id of the key; null for others.")),
  name: v.pipe(
    v.nullable(v.string()),
    v.description(
      "The label of the key if it has one, the name of the person, or that of the operator's user on their machine.",
    ),
  ),
});
export type Actor = v.InferOutput<typeof Actor>;

/** A change of an account. */
export const AuditEntry = v.object({
  id: v.string(),
  at: v.pipe(v.string(), v.isoTimestamp(), v.description("ISO 8601 UTC date-time.")),
  actor: Actor,
  action: v.picklist(AUDIT_ACTIONS),
  target: v.pipe(
    v.nullable(v.string()),
    v.description("The id or the name of what was changed; null for the account itself."),
  ),
});
export type AuditEntry = v.InferOutput<typeof AuditEntry>;
