import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Evidence } from "../runs/failure.ts";
import type { RunRef, StoredRun } from "../runs/run.ts";
import { accountPartition, type Table } from "./table.ts";

/** What the page looked like when a run failed: one item, well under DynamoDB's 400 KB. */
export const evidenceKey = ({ account, id }: RunRef) => ({
  pk: `${accountPartition(account)}#RUN#${id}#EVIDENCE`,
  sk: "EVIDENCE",
});

export async function putEvidence(
  { db, name: TableName }: Table,
  run: RunRef & Pick<StoredRun, "expires_at">,
  evidence: Evidence,
): Promise<void> {
  const { expires_at } = run;
  const expiry = expires_at === undefined ? {} : { expires_at };
  await db.send(new PutCommand({ TableName, Item: { ...evidenceKey(run), ...evidence, ...expiry } }));
}

/** Undefined if the run has none. */
export async function getEvidence(
  { db, name: TableName }: Table,
  ref: RunRef,
): Promise<Evidence | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName, Key: evidenceKey(ref) }));
  if (Item === undefined) return undefined;
  const { url, title, screenshot } = Item;
  return { url, title, ...(screenshot && { screenshot: Buffer.from(screenshot) }) };
}
