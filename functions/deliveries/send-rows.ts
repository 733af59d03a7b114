import { type RowsSource, rowsOfBatch, rowsOfRun } from "../rows/rows-source.ts";
import { getBatch } from "../store/batches/batches.ts";
import { isBatchId } from "../store/runs/numbering.ts";
import { getRun } from "../store/runs/runs.ts";
import type { Table } from "../store/table.ts";
import { DeliveryFailure, type StoredDelivery } from "./delivery.ts";
import type { DestinationDeps, Sent } from "./destinations.ts";
import { sendSheet } from "./google-sheets/send-sheet.ts";
import { sendTable } from "./postgres/send-table.ts";
import { s3Writer } from "./s3.ts";
import { sendFile } from "./send-file.ts";

export interface SendRowsDeps {
  table: Table;
  destinations: DestinationDeps;
  now: () => Date;
}

/**
 * Makes one attempt to send the rows of a run or batch to a destination.
 * @throws DeliveryFailure or EgressError if they could not be sent, and errors of reading them
 */
export async function sendRows(
  { table, destinations, now }: SendRowsDeps,
  delivery: StoredDelivery,
  signal: AbortSignal,
): Promise<Sent> {
  const found = await rowsOf(table, delivery);
  if (found === undefined) return { outcome: "skipped", message: "The run or batch was deleted." };
  const { rows, created_at } = found;
  const { settings } = delivery;
  const order = `${created_at} ${delivery.of}`;
  const sending = { table, delivery, rows, created_at, order, now, signal };
  switch (settings.type) {
    case "folder": {
      if (destinations.writeFile === undefined)
        throw new DeliveryFailure(
          "The operator of the service allows no folder. It can, on one machine, with --deliver-to.",
        );
      // Accounts share the folder of the operator. None may replace the files of another.
      return sendFile(
        { ...sending, settings },
        `${delivery.account}/${settings.path}`,
        destinations.writeFile,
      );
    }
    case "s3": {
      const write = await s3Writer(destinations, delivery.account, settings);
      return sendFile({ ...sending, settings }, settings.prefix, write);
    }
    case "postgres":
      return sendTable({ ...sending, settings }, destinations);
    case "google_sheets":
      return sendSheet({ ...sending, settings }, destinations);
  }
}

async function rowsOf(
  table: Table,
  { account, of: id }: StoredDelivery,
): Promise<{ rows: RowsSource; created_at: string } | undefined> {
  if (isBatchId(id)) {
    const batch = await getBatch(table, { account, id });
    return batch && { rows: await rowsOfBatch(table, batch), created_at: batch.created_at };
  }
  const run = await getRun(table, { account, id });
  return run && { rows: rowsOfRun(table, run), created_at: run.created_at };
}
