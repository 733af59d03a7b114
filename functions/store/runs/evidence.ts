import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Evidence } from "../../runs/failure.ts";
import type { RunRef, StoredRun } from "../../runs/run.ts";
import { accountPartition, type Table, unlessConditionFails } from "../table.ts";

/** What the page looked like when a run failed: one item, well under DynamoDB's 400 KB. */
export const evidenceKey = ({ account, id }: RunRef) => ({
  pk: `${accountPartition(account)}#RUN#${id}#EVIDENCE`,
  sk: "EVIDENCE",
});

interface StoredEvidence extends Evidence {
  /** The attempt that failed; absent in what earlier versions of the service have stored. */
  attempt?: number;
}

/** Stores the evidence of an attempt, unless a later one has stored its own. Returns its size in bytes. */
export async function putEvidence(
  { db, name: TableName }: Table,
  run: RunRef & Pick<StoredRun, "attempt" | "expires_at">,
  evidence: Evidence,
): Promise<number> {
  const { attempt, expires_at } = run;
  const expiry = expires_at === undefined ? {} : { expires_at };
  const put = new PutCommand({
    TableName,
    Item: { ...evidenceKey(run), ...evidence, attempt, ...expiry },
    ConditionExpression: "attribute_not_exists(attempt) OR attempt <= :attempt",
    ExpressionAttributeValues: { ":attempt": attempt },
  });
  await unlessConditionFails(db.send(put));
  const { url, title, screenshot } = evidence;
  return Buffer.byteLength(url + title) + (screenshot?.length ?? 0);
}

/** Undefined if no attempt has stored any. */
export async function getEvidence(
  { db, name: TableName }: Table,
  ref: RunRef,
): Promise<StoredEvidence | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName, Key: evidenceKey(ref) }));
  if (Item === undefined) return undefined;
  const { url, title, screenshot, attempt } = Item;
  return {
    url,
    title,
    ...(screenshot && { screenshot: Buffer.from(screenshot) }),
    ...(attempt !== undefined && { attempt }),
  };
}

/** The evidence of the failure that ended a run; undefined if there is none. */
export async function evidenceOf(table: Table, run: StoredRun): Promise<Evidence | undefined> {
  if (run.status !== "failed") return undefined;
  const evidence = await getEvidence(table, run);
  // An attempt whose end could not be stored leaves its evidence, and another one ends the run.
  const isOther = evidence?.attempt !== undefined && evidence.attempt !== run.attempt;
  return isOther ? undefined : evidence;
}
