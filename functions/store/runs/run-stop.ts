import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { RunRef, RunState } from "../../runs/run.ts";
import { STOP_GRACE_MS } from "../../runs/run-limits.ts";
import type { Table } from "../table.ts";
import { runKeys } from "./run-keys.ts";
import type { Claim } from "./run-state.ts";
import { dueAt, writeState } from "./state-write.ts";

/**
 * Records that a run in progress has to stop. It is due when its executor should have ended it. Undefined if there is no
 * such run, if it has finished, or if it was asked to stop before.
 */
export const requestStop = (table: Table, ref: RunRef, now: Date): Promise<RunState | undefined> =>
  writeState(table, ref, {
    set: {
      stop_requested_at: now.toISOString(),
      ...dueAt(ref, new Date(now.getTime() + STOP_GRACE_MS)),
    },
    condition: "#status = :running AND attribute_not_exists(#stop_requested_at)",
    values: { ":running": "running" },
  });

/**
 * Whether somebody wants a run to stop, or watches it. The very latest changes may be missing. Undefined if this claim no
 * longer holds.
 */
export async function readRequests(
  { db, name: TableName }: Table,
  claim: Claim,
): Promise<Pick<RunState, "stop_requested_at" | "watched_until"> | undefined> {
  const Key = runKeys(claim)?.state;
  const { Item } = await db.send(
    new GetCommand({
      TableName,
      Key,
      ProjectionExpression: "attempt, stop_requested_at, watched_until",
    }),
  );
  return Item?.attempt === claim.attempt ? Item : undefined;
}
