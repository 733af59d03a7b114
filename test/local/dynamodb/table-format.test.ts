import { copyFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, test } from "@jest/globals";
import { runJson } from "../../../functions/runs/run-json.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { listAccounts } from "../../../functions/store/accounts.ts";
import { isValidApiKey, listApiKeys } from "../../../functions/store/api-keys.ts";
import { creditsUsed } from "../../../functions/store/credits.ts";
import { allDue } from "../../../functions/store/runs/due.ts";
import { getEvidence } from "../../../functions/store/runs/evidence.ts";
import { readLog } from "../../../functions/store/runs/run-log.ts";
import { listRuns } from "../../../functions/store/runs/runs.ts";
import { dueOccurrences } from "../../../functions/store/schedules.ts";
import type { Table } from "../../../functions/store/table.ts";
import { webhookSecrets } from "../../../functions/store/webhooks.ts";
import { executeRun } from "../../../functions/workers/execute-run.ts";
import { openLocalTable, tableOf } from "../../../local/backend.ts";
import { describeProblem } from "../../../local/describe-problem.ts";
import { FORMAT, type Migrations, migrateTable, readFormat } from "../../../local/dynamodb/table-format.ts";
import { newFolder } from "../../new-folder.ts";

const KEPT = join(import.meta.dirname, "..", "tables");

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await newFolder();
  path = join(folder, "table.sqlite");
});

/** Runs `work` on the table as this version opens it. */
async function onTable<T>(work: (table: Table) => Promise<T>): Promise<T> {
  const dynamoDb = openLocalTable(path);
  try {
    return await work(tableOf(dynamoDb));
  } finally {
    dynamoDb.close();
  }
}

const formats = Array.from({ length: FORMAT }, (_, index) => index + 1);

test.each(formats)("a kept table of format %i is read, and its run in progress goes on", async (format) => {
  await copyFile(join(KEPT, `format-${format}.sqlite`), path);
  migrateTable(path);
  await onTable(async (table) => {
    const [account] = await listAccounts(table);
    expect(account).toMatchObject({ credit_limit: 100, rate_limit: null });
    const name = account?.name ?? "";
    const [key] = await listApiKeys(table, name);
    expect(key).toMatchObject({ label: "kept", scope: "write" });
    expect(await isValidApiKey(table, key?.id ?? "", "the kept key", new Date())).toBe(true);
    expect(await webhookSecrets(table, name, () => "new")).toEqual([expect.stringMatching(/^whsec_/)]);
    const later = new Date("2026-12-01T00:00:00.000Z");
    expect(await Array.fromAsync(dueOccurrences(table, later))).toMatchObject([
      { account: name, scheduled_at: "2026-11-22T08:00:00.000Z" },
    ]);

    const runs = async () => (await listRuns(table, name, { page: 1 })).items;
    const [failed, waiting, successful] = await runs();
    if (!failed || !waiting || !successful) throw new Error("There are not three runs.");
    const served = async (run: typeof failed) =>
      JSON.parse((await Array.fromAsync(runJson(table, run), String)).join(""));
    expect(await served(successful)).toMatchObject({
      status: "successful",
      credits_used: 1,
      result_rows: [{ title: "Emma" }, { title: "Ulysses" }],
    });
    expect(successful).toMatchObject({ webhook_outcome: "delivered", webhook_log: [{ status: 200 }] });
    expect(await served(failed)).toMatchObject({
      status: "failed",
      error: { code: "http_error", step: 0 },
      result_rows: [{ title: "Emma" }],
    });
    expect(await getEvidence(table, failed)).toMatchObject({ title: "Down" });
    const codes = (await readLog(table, failed)).map(({ code }) => code);
    expect(codes).toEqual(["started", "rows", "failed"]);
    const due = (await Array.fromAsync(allDue(table, "RUN", later))).map(({ id }) => id);
    expect(due.toSorted()).toEqual([failed.id, waiting.id].toSorted());

    await execute(table, waiting);
    const [, resumed] = await runs();
    expect(await served(resumed ?? waiting)).toMatchObject({
      status: "successful",
      result_rows: [{ title: "Emma" }, { title: "Walden" }],
    });
    expect(await creditsUsed(table, name, "2026-11")).toBe(4);
  });
});

/** Executes a run that has to resume at page 2. */
async function execute(table: Table, run: { account: string; id: string }): Promise<void> {
  const now = () => new Date("2026-11-21T00:01:00.000Z");
  const scrape: Scrape = async function* (job, { onPageLoad }) {
    expect(job.from?.checkpoint).toEqual({ page: 2 });
    onPageLoad();
    yield { rows: [{ title: "Walden" }], checkpoint: { page: 3 } };
    return "done";
  };
  const quiet = async () => {};
  const deps = {
    table,
    scrape,
    now,
    queues: { sendRun: quiet, sendWebhook: quiet, sendBatch: quiet },
    readSecrets: async () => new Map(),
    upstreamFor: async () => undefined,
    log: { info() {}, error() {} },
  };
  await executeRun(deps, run, now().getTime() + 600_000);
}

/** A migration, as a later version may have it. */
const relabel = (label: string) => (db: DatabaseSync) =>
  void db.prepare(`UPDATE items SET _item = json_set(_item, '$.label.S', ?) WHERE sk = 'KEY'`).run(label);

/** The format of a table, and the label of its key. */
function read(file: string) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const { label } =
      db.prepare("SELECT _item ->> '$.label.S' AS label FROM items WHERE sk = 'KEY'").get() ?? {};
    return { format: readFormat(db, file), label };
  } finally {
    db.close();
  }
}

test("a migration changes a copy, which takes the place of the table; the previous one stays", async () => {
  // What the service wrote last before it was killed is not in the file yet, but in its log.
  const running = join(folder, "running.sqlite");
  await copyFile(join(KEPT, `format-${FORMAT}.sqlite`), running);
  const db = new DatabaseSync(running);
  db.exec("PRAGMA journal_mode = WAL");
  relabel("written last")(db);
  for (const end of ["", "-wal"]) await copyFile(running + end, path + end);
  db.close();

  const steps = { [FORMAT]: () => {}, [FORMAT + 1]: relabel("migrated") };
  const before = migrateTable(path, { format: FORMAT + 2, steps });
  expect(before).toBe(`${path}.format-${FORMAT}`);
  expect(read(path)).toEqual({ format: FORMAT + 2, label: "migrated" });
  expect(read(before ?? "")).toEqual({ format: FORMAT, label: "written last" });
  expect(migrateTable(path, { format: FORMAT + 2, steps })).toBeUndefined();
});

test("a migration that fails, or that is missing, leaves the table as it was", async () => {
  await copyFile(join(KEPT, `format-${FORMAT}.sqlite`), path);
  const bytes = await readFile(path);
  const fail = () => {
    throw new Error("no");
  };
  const to = (steps: Migrations) => () => migrateTable(path, { format: FORMAT + 2, steps });
  expect(to({ [FORMAT]: relabel("half"), [FORMAT + 1]: fail })).toThrow("no");
  expect(to({ [FORMAT + 1]: relabel("half") })).toThrow(
    `A version of Gleaner that is too old has written ${path}, and this version can't migrate it.`,
  );
  expect(await readFile(path)).toEqual(bytes);
  expect(await readdir(folder)).toEqual(["table.sqlite"]);
});

/** A file that SQLite can read. */
function write(sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

const marked = (format: number) => `PRAGMA application_id = ${0x474c4e52}; PRAGMA user_version = ${format}`;

test.each([
  ["of a newer version", marked(FORMAT + 1), "A newer version of Gleaner has written PATH, and this version"],
  [
    "of an older version",
    marked(FORMAT - 1),
    "An older version of Gleaner has written PATH. Restart the service",
  ],
  [
    "from before the first release",
    "CREATE TABLE items (pk); PRAGMA user_version = 1",
    "PATH is not a table of Gleaner, or",
  ],
  ["of another program", "CREATE TABLE albums (title)", "PATH is not a table of Gleaner, or"],
])("a table %s is refused in one line, and stays as it was", async (_, sql, message) => {
  write(sql);
  const bytes = await readFile(path);
  let said = "";
  try {
    openLocalTable(path);
  } catch (error) {
    said = describeProblem(error);
  }
  expect(said).toContain(message.replace("PATH", path));
  expect(said).not.toContain("\n");
  expect(await readFile(path)).toEqual(bytes);
  expect(await readdir(folder)).toEqual(["table.sqlite"]);
});
