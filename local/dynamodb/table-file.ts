import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { DamagedFile, onSqliteFile } from "../data/sqlite-problem.ts";
import type { Index, Key, Schema } from "./schema.ts";
import { assertFormat, FORMAT, readFormat, writeFormat } from "./table-format.ts";
import type { Item } from "./values.ts";

/** Selects the items of a table or index to read, in the order of their sort keys. */
export interface Range {
  /** The index to read; undefined for the table itself. */
  index: Index | undefined;
  /** The value of the partition key; undefined for all partitions. */
  hash: string | undefined;
  /** Conditions on the sort key. All of them must be true. */
  bounds: readonly { comparator: "=" | "<" | "<=" | ">" | ">="; value: string }[];
  isForward: boolean;
  /** The key of the item to start after: the key values in the index, if one is read, then those in the table. */
  after: readonly string[] | undefined;
}

/** How long to wait, in ms, while another process, such as the command line, has locked the file. */
const BUSY_MS = 5_000;
/**
 * The size of the write-ahead log at which SQLite copies it to the database file (a checkpoint), in bytes. It is large,
 * because the write that starts a checkpoint takes longer.
 */
const LOG_BYTES = 16 * 1024 * 1024;
const PAGE_BYTES = 4096;
const TOKEN_LIFETIME_MS = 10 * 60_000;

const quote = (name: string) => `"${name}"`;

/**
 * A table with its indexes in one SQLite file. Each item is stored as JSON. The keys of indexes are generated columns,
 * which SQLite computes from that JSON, so that an item and its index entries can't differ.
 */
export class TableFile {
  readonly path: string;
  /** Set when a read or a write finds that the file is damaged. Then nothing more may be read or written. */
  damage: DamagedFile | undefined;
  readonly #schema: Schema;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** Opens or creates the file. @throws UsageError if it can't be used, or has another format */
  constructor(path: string, schema: Schema) {
    this.path = path;
    this.#schema = schema;
    this.#db = onSqliteFile(path, () => new DatabaseSync(path, { timeout: BUSY_MS }));
    try {
      onSqliteFile(path, () => this.#open());
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  #open(): void {
    // Read first, so that the file of another program is not changed.
    const format = readFormat(this.#db, this.path);
    if (format !== undefined) assertFormat(this.path, format);
    // In the mode NORMAL, no write is lost if the process is killed. A power failure can lose the last writes; to
    // prevent that, LocalDynamoDb has `sync`.
    this.#db.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${LOG_BYTES};
        PRAGMA wal_autocheckpoint = ${LOG_BYTES / PAGE_BYTES}`,
    );
    if (format === undefined) this.transaction(() => this.#create());
  }

  #create(): void {
    // Another process may have created the table meanwhile.
    if (readFormat(this.#db, this.path) !== undefined) return;
    const { keys, indexes, ttlAttribute } = this.#schema;
    const [hash, range] = [quote(keys.hash), quote(keys.range)];
    const names = new Set(indexes.flatMap((index) => [index.keys.hash, index.keys.range]));
    const columns = [...names]
      .filter((name) => name !== keys.hash && name !== keys.range)
      .map((name) => `${quote(name)} TEXT AS (_item ->> '$.${name}.S'),`);
    this.#db.exec(`
      CREATE TABLE items (
        ${hash} TEXT NOT NULL, ${range} TEXT NOT NULL, _item TEXT NOT NULL,
        _expires INTEGER AS (CAST(_item ->> '$.${ttlAttribute}.N' AS INTEGER)),
        ${columns.join("\n        ")}
        PRIMARY KEY (${hash}, ${range})
      ) STRICT;
      CREATE INDEX _expires ON items (_expires) WHERE _expires IS NOT NULL;
      CREATE TABLE _tokens (token TEXT PRIMARY KEY, digest TEXT NOT NULL, at INTEGER NOT NULL) STRICT`);
    for (const index of indexes) this.#createIndex(index);
    writeFormat(this.#db, FORMAT);
  }

  #createIndex({ name, keys }: Index): void {
    const table = this.#schema.keys;
    const columns = [keys.hash, keys.range, table.hash, table.range].map(quote);
    const where = [keys.hash, keys.range].map((key) => `${quote(key)} IS NOT NULL`).join(" AND ");
    this.#db.exec(`CREATE INDEX ${quote(name)} ON items (${columns.join(", ")}) WHERE ${where}`);
  }

  get(key: Key): Item | undefined {
    const { hash, range } = this.#schema.keys;
    const found = this.#one(
      `SELECT _item FROM items WHERE ${quote(hash)} = ? AND ${quote(range)} = ?`,
      key.hash,
      key.range,
    );
    return found && this.#parse(found._item);
  }

  put(key: Key, item: Item): void {
    const { hash, range } = this.#schema.keys;
    this.#run(
      `INSERT INTO items (${quote(hash)}, ${quote(range)}, _item) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET _item = excluded._item`,
      key.hash,
      key.range,
      JSON.stringify(item),
    );
  }

  delete(key: Key): void {
    const { hash, range } = this.#schema.keys;
    this.#run(`DELETE FROM items WHERE ${quote(hash)} = ? AND ${quote(range)} = ?`, key.hash, key.range);
  }

  /** Yields the items of a range. They are read lazily. */
  *read({ index, hash, bounds, isForward, after }: Range): Generator<Item> {
    const table = this.#schema.keys;
    const keys = index?.keys ?? table;
    const where = index ? [`${quote(keys.hash)} IS NOT NULL`, `${quote(keys.range)} IS NOT NULL`] : [];
    const values: SQLInputValue[] = [];
    if (hash !== undefined) {
      where.push(`${quote(keys.hash)} = ?`);
      values.push(hash);
    }
    for (const { comparator, value } of bounds) {
      where.push(`${quote(keys.range)} ${comparator} ?`);
      values.push(value);
    }
    const order = [
      ...(hash === undefined ? [keys.hash] : []),
      keys.range,
      ...(index ? [table.hash, table.range] : []),
    ].map(quote);
    if (after !== undefined) {
      const marks = order.map(() => "?").join(", ");
      where.push(`(${order.join(", ")}) ${isForward ? ">" : "<"} (${marks})`);
      values.push(...after.slice(-order.length));
    }
    const sql = `SELECT _item FROM items ${index ? `INDEXED BY ${quote(index.name)}` : ""}
      ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""}
      ORDER BY ${order.map((column) => `${column} ${isForward ? "ASC" : "DESC"}`).join(", ")}`;
    for (const row of this.#statement(sql).iterate(...values)) yield this.#parse(row._item);
  }

  /**
   * Runs `work` in a transaction. If it throws, all its changes are rolled back. No other process can write meanwhile.
   */
  transaction<T>(work: () => T): T {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#db.exec("COMMIT");
      return result;
    } catch (error) {
      // After some errors, such as a full disk, SQLite has already ended the transaction.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  /** The digest of the request that used this client request token within the last ten minutes. `now` is in ms. */
  digestOf(token: string, now: number): string | undefined {
    const found = this.#one(
      "SELECT digest FROM _tokens WHERE token = ? AND at > ?",
      token,
      now - TOKEN_LIFETIME_MS,
    );
    return found?.digest as string | undefined;
  }

  keepToken(token: string, digest: string, now: number): void {
    this.#run("INSERT OR REPLACE INTO _tokens VALUES (?, ?, ?)", token, digest, now);
  }

  /**
   * Removes up to `limit` items whose time to live has expired, and all expired tokens. `now` is in ms. Returns the
   * number of removed items.
   */
  removeExpired(now: number, limit: number): number {
    return this.transaction(() => {
      this.#run("DELETE FROM _tokens WHERE at <= ?", now - TOKEN_LIFETIME_MS);
      return this.#run(
        "DELETE FROM items WHERE rowid IN (SELECT rowid FROM items WHERE _expires <= ? LIMIT ?)",
        Math.floor(now / 1000),
        limit,
      );
    });
  }

  close(): void {
    this.#db.close();
  }

  /** @throws DamagedFile */
  #parse(item: unknown): Item {
    try {
      return JSON.parse(item as string);
    } catch (error) {
      throw new DamagedFile(this.path, "an item is not valid JSON", error);
    }
  }

  #one(sql: string, ...values: SQLInputValue[]): Record<string, unknown> | undefined {
    return this.#statement(sql).get(...values);
  }

  #run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  #statement(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
