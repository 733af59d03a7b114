import type { DeliveryOf } from "../contract/scrapers/delivery.ts";
import { formats } from "../rows/formats.ts";
import type { RowsSource } from "../rows/rows-source.ts";
import { COLUMNS_MAX, ROWS_MAX } from "../rows/xlsx.ts";
import { leaveTarget, takeTarget } from "../store/deliveries.ts";
import { DeliveryFailure } from "./delivery.ts";
import type { Sending, Sent, WriteFile } from "./destinations.ts";
import { targetOf } from "./target.ts";
import { whileHeld } from "./while-held.ts";

type FileDelivery = DeliveryOf<"folder" | "s3">;

/**
 * Writes the rows to a file. With `append`, each run has its own file, which a repetition replaces. With `replace`, one run at a
 * time writes the file, and none that is older than the one whose rows it has.
 * @throws DeliveryFailure
 */
export async function sendFile(
  sending: Sending<FileDelivery>,
  path: string,
  write: WriteFile,
): Promise<Sent> {
  const { settings, rows, delivery, created_at, signal } = sending;
  const { format, mode } = settings;
  const contentType = formats[format].contentType;
  const file = { contentType, writer: delivery.id };
  if (mode === "append") {
    const name = `${path}/${created_at.replaceAll(":", "-")}-${rows.id}.${format}`;
    await write({
      ...file,
      path: name,
      signal,
      content: contentOf(rows, format, signal),
      beforeEnd: async () => {},
    });
    return { outcome: "delivered", message: `${counted(rows.row_count)} in ${name}` };
  }
  const name = `${path}.${format}`;
  return whileNewest(sending, async (own, beforeEnd) => {
    await write({ ...file, path: name, signal: own, content: contentOf(rows, format, own), beforeEnd });
    return { outcome: "delivered", message: `${counted(rows.row_count)} in ${name}` };
  });
}

export const counted = (rows: number): string =>
  `${rows.toLocaleString("en-US")} ${rows === 1 ? "row" : "rows"}`;

/**
 * Does work on a destination that gets the rows of one run at a time. Skips a run that is older than the one whose rows it
 * has. `check`: throws if the work must not be completed.
 */
async function whileNewest(
  { table, delivery, settings, order, now, signal }: Sending,
  work: (signal: AbortSignal, check: () => Promise<void>) => Promise<Sent>,
): Promise<Sent> {
  const target = targetOf(settings);
  const take = () => takeTarget(table, delivery, target, { order, now: now() });
  const taken = await take();
  if (taken === "busy") throw new DeliveryFailure("The rows of another run are being written there.");
  let isDone = false;
  try {
    if (taken.isOlder)
      return {
        outcome: "skipped",
        message: "The rows were not sent: those of a newer run are there, and would be replaced.",
      };
    const isHeld = async () => (await take()) !== "busy";
    const sent = await whileHeld(isHeld, signal, (own) =>
      work(own, async () => {
        own.throwIfAborted();
        if (!(await isHeld())) throw new DeliveryFailure("The rows of another run are being written there.");
      }),
    );
    isDone = true;
    return sent;
  } finally {
    await leaveTarget(table, delivery, target, isDone ? order : undefined);
  }
}

async function* contentOf(
  rows: RowsSource,
  format: FileDelivery["format"],
  signal: AbortSignal,
): AsyncGenerator<string | Buffer> {
  const { columns, row_count } = rows;
  if (format === "xlsx" && (row_count > ROWS_MAX || columns.length > COLUMNS_MAX))
    throw new DeliveryFailure(
      `An xlsx file has at most ${ROWS_MAX.toLocaleString("en-US")} rows and ${COLUMNS_MAX.toLocaleString("en-US")} columns. Choose csv or jsonl.`,
    );
  const all = () => rows.read({ offset: 0, limit: Number.POSITIVE_INFINITY });
  const options = { columns, isWhole: true, bom: false, escapesFormulas: false, isTyped: true };
  for await (const piece of formats[format].write(all, options)) {
    signal.throwIfAborted();
    yield piece;
  }
}
