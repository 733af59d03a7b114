import type { Row } from "../../../functions/contract/runs/run.ts";
import type { Delivery, DeliveryOf } from "../../../functions/contract/scrapers/delivery.ts";
import type { StoredDelivery } from "../../../functions/deliveries/delivery.ts";
import type { Sending, Sent } from "../../../functions/deliveries/destinations.ts";
import type { RowsSource } from "../../../functions/rows/rows-source.ts";

export type Postgres = DeliveryOf<"postgres">;

export const settingsFor = (
  port: number,
  mode: Postgres["mode"],
  more: Partial<Postgres> = {},
): Postgres => ({
  type: "postgres",
  host: "127.0.0.1",
  port,
  database: "shop",
  user: "gleaner",
  schema: "public",
  table: "prices",
  mode,
  tls: "disable",
  secret: "key",
  ...more,
});

/** The rows of a run on their way to a table. `number`: later runs have greater ones. */
export function senderOf<Settings extends Delivery>(
  settings: Settings,
  rows: Pick<RowsSource, "columns" | "key" | "row_count"> & Partial<RowsSource>,
  number = 1,
): Sending<Settings> {
  const id = `run-${number}`;
  const created_at = `2030-01-01T00:00:0${number}.000Z`;
  return {
    // The state of a run is in the database that gets its rows.
    table: undefined as never,
    delivery: { account: "demo", scraper_id: "shop" } as StoredDelivery,
    settings,
    rows: { what: "run", id, read: async function* () {}, ...rows },
    created_at,
    order: `${created_at} ${id}`,
    now: () => new Date(created_at),
    signal: new AbortController().signal,
  };
}

/** These rows, 200 at a time as they come from the table. `onRead`: called before each part. */
export const rowsFrom = (
  count: number,
  rowAt: (index: number) => Row,
  onRead: () => void = () => {},
): Pick<RowsSource, "row_count" | "read"> => ({
  row_count: count,
  async *read({ offset }) {
    for (let at = offset; at < count; at += 200) {
      onRead();
      const length = Math.min(200, count - at);
      yield Array.from({ length }, (_, index) => Buffer.from(JSON.stringify(rowAt(at + index))));
    }
  },
});

/** Rows of the run `run`. The key is `sku` unless it is given, also as undefined. */
export interface RunRows {
  rows: Row[];
  columns?: string[];
  key?: string[] | undefined;
  run?: number;
}

/** Rows of two runs. One row is in both. */
export const old: RunRows = {
  rows: [
    { sku: "1", price: "10" },
    { sku: "2", price: "" },
  ],
};
export const next: RunRows = {
  rows: [
    { sku: "2", price: "20" },
    { sku: "3", price: "30" },
  ],
  run: 2,
};

/** Sends rows. The answer is what the log of the delivery says. */
export async function logOf<Settings extends Delivery>(
  send: (sending: Sending<Settings>) => Promise<Sent>,
  settings: Settings,
  { rows, run, ...more }: RunRows,
): Promise<string> {
  const read = rowsFrom(rows.length, (index) => rows[index] as Row);
  const source = { columns: ["sku", "price"], key: ["sku"], ...more, ...read };
  try {
    const { outcome, message } = await send(senderOf(settings, source, run));
    return outcome === "delivered" ? message : `skipped: ${message}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The title of a row that a process sends. */
export const titleOf = (sku: number, run: number, length = 0): string =>
  `Lamp ${sku} of run ${run}`.padEnd(length, ".");
