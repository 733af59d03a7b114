import middy from "@middy/core";
import * as v from "valibot";
import { accountOfTicket } from "../store/tickets.ts";
import { now } from "./bindings/now.ts";
import { observers } from "./bindings/observe.ts";
import { readSecrets } from "./bindings/stored-secrets.ts";
import { table } from "./bindings/table.ts";

/** The event of an executor. It has no account, because the ticket determines the account. */
const Request = v.object({ ticket: v.string(), names: v.array(v.string()) });

/**
 * Reads secrets for an executor, which has no permission to read them. The ticket proves that the executor works for
 * the account.
 */
export const handler = middy(async (event: unknown) => {
  const { ticket, names } = v.parse(Request, event);
  const account = await accountOfTicket(table, ticket, now());
  if (account === undefined) throw new Error("The ticket for the secrets is unknown or has expired.");
  return Object.fromEntries(await readSecrets(account, names));
}).use(observers);
