import type { StoredBatch } from "../../batches/batch.ts";
import type { RunWebhook } from "../../contract/runs/run-webhook.ts";
import { deliveryJson } from "../../deliveries/delivery-json.ts";
import type { RunRef, StoredRun } from "../../runs/run.ts";
import { webhookJson } from "../../runs/webhook-json.ts";
import { getBatch } from "../../store/batches/batches.ts";
import { listDeliveries } from "../../store/deliveries.ts";
import { isBatchId } from "../../store/runs/numbering.ts";
import { getRun } from "../../store/runs/runs.ts";
import type { Table } from "../../store/table.ts";
import { notFound } from "../http-error.ts";

/** A run, or a batch if the id is that of one. @throws HttpError 404 */
export async function findRunOrBatch(table: Table, ref: RunRef): Promise<StoredRun | StoredBatch> {
  const found = isBatchId(ref.id) ? await getBatch(table, ref) : await getRun(table, ref);
  if (found === undefined) throw notFound("run");
  return found;
}

/** The deliveries of the webhook and the rows of a run or a batch. */
export async function deliveriesOf(
  table: Table,
  ended: StoredRun | StoredBatch,
  now: Date,
): Promise<RunWebhook> {
  const deliveries = await listDeliveries(table, ended, now);
  return webhookJson(
    ended,
    deliveries.map((delivery) => deliveryJson(delivery, now)),
    now,
  );
}
