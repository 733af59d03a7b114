import type { Delivery } from "../contract/scrapers/delivery.ts";
import type { Lookup } from "../egress/connect/resolve.ts";
import type { PolicyOptions } from "../egress/policy/address-policy.ts";
import type { RowsSource } from "../rows/rows-source.ts";
import type { SecretReader } from "../secrets/secret.ts";
import type { Table } from "../store/table.ts";
import type { StoredDelivery } from "./delivery.ts";
import type { Google } from "./google-sheets/google.ts";

/** A file to write, whole or not at all. */
export interface NewFile {
  /** Of the folder or bucket, with / between names. */
  path: string;
  contentType: string;
  content: AsyncIterable<string | Buffer>;
  /** Called when all content was written, just before the file gets its name. @throws if it must not */
  beforeEnd: () => Promise<void>;
  /** Identifies the writer. Two writers with the same id never write at the same time. */
  writer: string;
  signal: AbortSignal;
}

/** @throws DeliveryFailure */
export type WriteFile = (file: NewFile) => Promise<void>;

/** What sending rows needs of the place where the service runs. */
export interface DestinationDeps {
  readSecrets: SecretReader;
  /** Which hosts may be reached. */
  egress: PolicyOptions & { lookup?: Lookup };
  /** Writes a file below the folder that the operator allows; absent if there is none, as on AWS. */
  writeFile?: WriteFile | undefined;
  /** Calls Google's API. */
  google: Google;
}

/** The rows of one run or batch on their way to one destination. */
export interface Sending<Settings extends Delivery = Delivery> {
  table: Table;
  delivery: StoredDelivery;
  settings: Settings;
  rows: RowsSource;
  /** When the run or batch was created, ISO 8601. */
  created_at: string;
  /** The rows of runs and batches sort by it, from old to new. */
  order: string;
  now: () => Date;
  signal: AbortSignal;
}

/** How a delivery has ended, and what it did, for people. */
export interface Sent {
  outcome: "delivered" | "skipped";
  message: string;
}
