import { randomBytes } from "node:crypto";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { sha256 } from "./api-keys.ts";
import { type Table, TTL_ATTRIBUTE } from "./table.ts";

/** Longer than a run can wait and last. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/**
 * The partitions of all tickets. They are not among those of accounts, so a function can be allowed to use the latter
 * without being able to create a ticket.
 */
export const TICKETS = "TICKET#";

const keyOf = (ticket: string) => ({ pk: `${TICKETS}${sha256(ticket)}`, sk: "TICKET" });

/** Creates a ticket, which proves that its holder works on a run of the account. Only its hash is stored. */
export async function issueTicket(
  { db, name: TableName }: Table,
  account: string,
  now: Date,
): Promise<string> {
  // The prefix lets logs recognize it (see functions/redact.ts).
  const ticket = `ticket_${randomBytes(32).toString("base64url")}`;
  const expires = Math.ceil((now.getTime() + LIFETIME_MS) / 1000);
  const Item = { ...keyOf(ticket), account, [TTL_ATTRIBUTE]: expires };
  await db.send(new PutCommand({ TableName, Item }));
  return ticket;
}

/** The account that a ticket is for; undefined if the ticket does not exist or has expired. */
export async function accountOfTicket(
  { db, name: TableName }: Table,
  ticket: string,
  now: Date,
): Promise<string | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName, Key: keyOf(ticket), ConsistentRead: true }));
  // DynamoDB removes expired items within days, not at once.
  return Item !== undefined && Item[TTL_ATTRIBUTE] * 1000 > now.getTime() ? Item.account : undefined;
}
