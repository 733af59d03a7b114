import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { RunRef, StoredRun } from "../../runs/run.ts";
import { type Table, unlessConditionFails, unlessConflicts } from "../table.ts";
import { runKeys } from "./run-keys.ts";

/**
 * How long a request for a run counts as watching it. A request extends this time only near its end.
 */
const WATCH_MS = 90_000;
const EXTEND_MS = 30_000;

/**
 * Lets the executor of a run in progress know that somebody watches it. Writes once a minute at most. It is no
 * transition, so it leaves the mark of the newest one.
 */
export async function markWatched(
  { db, name: TableName }: Table,
  run: RunRef & Pick<StoredRun, "status" | "watched_until">,
  now: Date,
): Promise<void> {
  if (run.status !== "running" || isWatched(run, new Date(now.getTime() + EXTEND_MS))) return;
  const update = new UpdateCommand({
    TableName,
    Key: runKeys(run)?.state,
    UpdateExpression: "SET watched_until = :until",
    ConditionExpression: "id = :id AND #status = :running",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ":id": run.id,
      ":running": "running",
      ":until": new Date(now.getTime() + WATCH_MS).toISOString(),
    },
  });
  await unlessConditionFails(unlessConflicts(() => db.send(update)));
}

export const isWatched = ({ watched_until: until }: Pick<StoredRun, "watched_until">, now: Date): boolean =>
  until !== undefined && Date.parse(until) > now.getTime();
