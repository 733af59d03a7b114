import * as v from "valibot";
import { WebhookAttempt } from "../runs/webhook-attempt.ts";
import { SECRET_NAME } from "../secrets/secret-syntax.ts";

/** Maximum number of destinations of a scraper. What they and all hooks get is stored in one transaction of 100 writes. */
export const DELIVERIES_MAX = 10;

const FORMATS = ["csv", "jsonl", "xlsx"] as const;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** A path below a folder or in a bucket, which names neither that folder itself nor one above it. */
const RelativePath = v.pipe(
  v.string(),
  v.minLength(1, "must not be empty"),
  v.check((text) => bytesOf(text) <= 500, "must be at most 500 bytes"),
  v.check(
    (text) =>
      text.isWellFormed() &&
      !/[\p{Cc}\\:*?"<>|]/u.test(text) &&
      text.split("/").every((name) => /[^. ]$/.test(name) && bytesOf(name) <= 200),
    'must be names of at most 200 bytes with / between them, such as shop/books; no name is empty, ends with a dot or a space, or has one of \\ : * ? " < > |',
  ),
);

const FileMode = v.pipe(
  v.picklist(["append", "replace"]),
  v.description("`append`: a file for each run or batch. `replace`: one file with the rows of the newest."),
);
const Secret = v.pipe(
  v.string(),
  v.regex(SECRET_NAME, "must be the name of a secret: 1 to 64 characters of A-Z, a-z, 0-9, _ and -"),
);

export const FolderDelivery = v.strictObject({
  type: v.literal("folder"),
  /** Below the folder of the account: of the files with `append`; with `replace`, of the file without its extension. */
  path: RelativePath,
  format: v.picklist(FORMATS),
  mode: FileMode,
});

export const S3Delivery = v.strictObject({
  type: v.literal("s3"),
  bucket: v.pipe(
    v.string(),
    v.regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      "must be the name of a bucket: 3 to 63 of a-z, 0-9, . and -",
    ),
  ),
  region: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be a region such as eu-central-1"),
    v.maxLength(50),
  ),
  /** The service, if it is not that of AWS. */
  endpoint: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(500),
      v.check((text) => {
        const url = URL.parse(text);
        return (
          url !== null &&
          /^https?:$/.test(url.protocol) &&
          url.href === `${url.origin}/` &&
          !/[?#]/.test(text)
        );
      }, "must be an http:// or https:// address without a path, such as https://storage.example.com"),
    ),
  ),
  /** In the bucket: of the files with `append`; with `replace`, of the file without its extension. */
  prefix: RelativePath,
  format: v.picklist(FORMATS),
  mode: FileMode,
  /** The secret with the id of an access key, a colon, and its secret. */
  secret: Secret,
});

const text = (bytesMax: number) =>
  v.pipe(
    v.string(),
    v.minLength(1, "must not be empty"),
    v.check((name) => bytesOf(name) <= bytesMax, `must be at most ${bytesMax} bytes`),
    v.check((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), "must have no control characters"),
  );
const TableMode = v.pipe(
  v.picklist(["append", "replace", "upsert"]),
  v.description(
    "`append`: adds the rows. `replace`: the table has the rows of the newest run or batch. `upsert`: updates rows with the same key, and adds the others.",
  ),
);
export const POSTGRES_PORT = 5432;
/** PostgreSQL cuts longer names. */
const PostgresName = text(63);

export const PostgresDelivery = v.strictObject({
  type: v.literal("postgres"),
  host: v.pipe(
    v.string(),
    v.maxLength(253),
    v.check((host) => {
      const isName = /^[\p{L}\p{N}._-]+$/u.test(host);
      return (isName || host.includes(":")) && URL.canParse(`http://${isName ? host : `[${host}]`}/`);
    }, "must be a host such as db.example.com, without a port"),
  ),
  /** Ports below 1024 belong to other services. */
  port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(65_535)), POSTGRES_PORT),
  database: PostgresName,
  user: PostgresName,
  schema: v.optional(PostgresName, "public"),
  /** It is made if it is missing, and gets the columns that it lacks. */
  table: v.pipe(
    PostgresName,
    v.check(
      (name) => name !== "gleaner_deliveries",
      "must not be the table in which Gleaner notes deliveries",
    ),
  ),
  mode: TableMode,
  tls: v.optional(
    v.pipe(
      v.picklist(["verify-full", "require", "disable"]),
      v.description(
        "`verify-full`: encrypted; the certificate of the server is checked. `require`: it is not checked. `disable`: not encrypted; only for a host that the operator allows.",
      ),
    ),
    "verify-full",
  ),
  /** The secret with the password. */
  secret: Secret,
});

export const GoogleSheetsDelivery = v.strictObject({
  type: v.literal("google_sheets"),
  spreadsheet: v.pipe(
    v.string(),
    v.regex(
      /^[A-Za-z0-9_-]{20,100}$/,
      "must be the id of a spreadsheet, which is in its address between /d/ and /edit",
    ),
  ),
  /** The name of the tab. It is made if it is missing, and gets the columns that it lacks. */
  sheet: v.pipe(
    text(100),
    v.check(
      (name) => !name.startsWith("gleaner_deliveries"),
      "must not be one that Gleaner makes for itself",
    ),
  ),
  mode: TableMode,
  /** The secret with the key of a service account, as JSON. */
  secret: Secret,
});

/** Where the rows of good runs and batches are sent. */
export const Delivery = v.variant("type", [
  FolderDelivery,
  S3Delivery,
  PostgresDelivery,
  GoogleSheetsDelivery,
]);
export type Delivery = v.InferOutput<typeof Delivery>;
export type DeliveryOf<T extends Delivery["type"]> = Extract<Delivery, { type: T }>;

const time = v.pipe(v.string(), v.isoTimestamp(), v.description("ISO 8601 UTC date-time."));

/** The delivery of the rows of a run or a batch to one destination. */
export const RowsDelivery = v.object({
  type: v.picklist(Delivery.options.map(({ entries }) => entries.type.literal)),
  to: v.pipe(v.string(), v.description("The destination, as text.")),
  mode: v.picklist(["append", "replace", "upsert"]),
  state: v.pipe(
    v.picklist(["pending", "delivered", "failed", "skipped"]),
    v.description(
      "`pending`: not delivered yet. `failed`: no more attempts are made. `skipped`: not sent; the last attempt says why.",
    ),
  ),
  created_at: time,
  next_attempt_at: v.nullable(time),
  attempts: v.pipe(v.array(WebhookAttempt), v.description("The newest attempts, oldest first.")),
});
export type RowsDelivery = v.InferOutput<typeof RowsDelivery>;
