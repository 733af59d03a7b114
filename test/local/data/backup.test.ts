import { randomUUID } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createAccount, listAccounts } from "../../../functions/store/accounts.ts";
import { openLocalTable, tableOf } from "../../../local/backend.ts";
import { restoreBackup, writeBackup } from "../../../local/data/backup.ts";
import { DataFolder } from "../../../local/data/data-folder.ts";
import { FilesFolder } from "../../../local/data/files-folder.ts";
import { FORMAT, writeFormat } from "../../../local/dynamodb/table-format.ts";
import { SecretsFolder } from "../../../local/secrets/secrets-folder.ts";
import { newFolder } from "../../new-folder.ts";

let root: string;
let folder: DataFolder;
let file: string;
let fresh: DataFolder;
let running: ReturnType<typeof openLocalTable>;
const KEY = async () => Buffer.alloc(32, 7);

const add = (name: string) =>
  createAccount(tableOf(running), {
    name,
    credit_limit: null,
    rate_limit: null,
    created_at: "2026-11-01T00:00:00.000Z",
  });

/** The names of the accounts in the table of a folder. */
async function accountsOf({ tablePath }: DataFolder): Promise<string[]> {
  const dynamoDb = openLocalTable(tablePath);
  try {
    return (await listAccounts(tableOf(dynamoDb))).map(({ name }) => name).sort();
  } finally {
    dynamoDb.close();
  }
}

beforeEach(async () => {
  root = await newFolder();
  folder = new DataFolder(join(root, "data"));
  fresh = new DataFolder(join(root, "fresh"));
  file = join(root, "backup");
  await (await folder.lock()).release();
  running = openLocalTable(folder.tablePath);
  await add("one");
  await folder.writeCredentials({ account: "one", api_key: "glr_key" });
  await new SecretsFolder(folder.secretsPath, KEY).put(
    "one",
    "shop",
    { value: "hunter2", hosts: [] },
    new Date("2026-11-01T00:00:00.000Z"),
  );
});
afterEach(async () => {
  running.close();
});

test("a backup of a folder in use, restored to a new one, has its table, credentials and secrets", async () => {
  const { bytes, secrets } = await writeBackup(folder, file);
  expect({ bytes, secrets }).toEqual({ bytes: (await stat(file)).size, secrets: 1 });
  await add("later");
  await restoreBackup(file, fresh);
  expect(await accountsOf(fresh)).toEqual(["one"]);
  expect(await fresh.readCredentials()).toEqual({ account: "one", api_key: "glr_key" });
  expect(await new SecretsFolder(fresh.secretsPath, KEY).get("one", "shop")).toMatchObject({
    value: "hunter2",
  });
  expect((await readdir(fresh.path)).sort()).toEqual([
    "credentials.json",
    "secrets",
    "service.lock",
    "table.sqlite",
  ]);
  // A restored folder can be backed up, too.
  await writeBackup(fresh, `${file}-2`);
  await restoreBackup(`${file}-2`, new DataFolder(join(root, "again")));
});

test("the files of runs are in a backup, without those that are still being written", async () => {
  const files = new FilesFolder(folder.filesPath);
  await files.put("one/01a2.kept/0a1b.pdf", Readable.from([Buffer.from([0, 255, 10])]));
  await writeFile(join(folder.filesPath, "one", "01a2.kept", `0a1c.pdf.${randomUUID()}`), "half");
  await writeBackup(folder, file);
  await restoreBackup(file, fresh);
  const read = await new FilesFolder(fresh.filesPath).read("one/01a2.kept/0a1b.pdf");
  expect(Buffer.concat(await read.toArray())).toEqual(Buffer.from([0, 255, 10]));
  expect(await readdir(join(fresh.filesPath, "one", "01a2.kept"))).toEqual(["0a1b.pdf"]);
});

test("what a transaction has not finished is not in a backup, which does not wait for it", async () => {
  const writer = new DatabaseSync(folder.tablePath);
  writer.exec("BEGIN IMMEDIATE; DELETE FROM items");
  await writeBackup(folder, file);
  writer.exec("COMMIT");
  writer.close();
  await restoreBackup(file, fresh);
  expect(await accountsOf(fresh)).toEqual(["one"]);
  expect(await accountsOf(folder)).toEqual([]);
});

test("only its owner can read a backup, and what is restored from one", async () => {
  const before = process.umask(0);
  try {
    await writeBackup(folder, file);
    await chmod(file, 0o644);
    await restoreBackup(file, fresh);
  } finally {
    process.umask(before);
  }
  await rm(file);
  await writeBackup(folder, file);
  const names = await readdir(fresh.path, { recursive: true });
  const paths = [file, fresh.path, ...names.map((name) => join(fresh.path, name))];
  for (const path of paths.filter((one) => !one.endsWith("service.lock")))
    expect({ path, others: (await stat(path)).mode & 0o077 }).toEqual({ path, others: 0 });
});

test("a backup overwrites nothing, and leaves nothing behind if it fails", async () => {
  await writeFile(file, "");
  await expect(writeBackup(folder, file)).rejects.toThrow(`${file} exists.`);
  expect((await readFile(file)).length).toBe(0);
  await expect(writeBackup(fresh, `${file}-2`)).rejects.toThrow(`${fresh.path} has no table to back up.`);
  running.close();
  await truncate(folder.tablePath, 9_000);
  await expect(writeBackup(folder, `${file}-2`)).rejects.toThrow("is damaged");
  expect((await readdir(root)).sort()).toEqual(["backup", "data"]);
  running = openLocalTable(join(root, "other.sqlite"));
});

test("a restore overwrites nothing, and works in an empty folder", async () => {
  await writeBackup(folder, file);
  await expect(restoreBackup(file, folder)).rejects.toThrow(
    `${folder.path} is not empty: it has credentials.json.`,
  );
  expect(await accountsOf(folder)).toEqual(["one"]);
  await mkdir(fresh.path);
  const lock = await fresh.lock();
  await expect(restoreBackup(file, fresh)).rejects.toThrow("is in use");
  await lock.release();
  await restoreBackup(file, fresh);
  expect(await accountsOf(fresh)).toEqual(["one"]);
});

/** Changes the SQL of a backup. */
const change = (sql: string) => {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
};

test.each<[string, () => unknown, string]>([
  ["is missing", () => rm(file), "There is no backup at "],
  ["is no SQLite file", () => writeFile(file, "hello ".repeat(2_000)), "is damaged, or is not a backup."],
  ["is cut off", () => truncate(file, 9_000), "is damaged, or is not a backup."],
  ["is a table", () => change("DROP TABLE _files"), "is a table, but not a backup."],
  ["is of another program", () => change("PRAGMA application_id = 7"), "is not a table of Gleaner"],
  [
    "is of a newer version",
    () => {
      const db = new DatabaseSync(file);
      writeFormat(db, FORMAT + 1);
      db.close();
    },
    "A newer version of Gleaner has written ",
  ],
  [
    "has a file for another place",
    () => change("INSERT INTO _files VALUES ('secrets/../../outside.json', x'00')"),
    '"secrets/../../outside.json" is not a file of a data folder.',
  ],
])("a backup that %s is refused, and the folder stays as it was", async (_, damage, message) => {
  await writeBackup(folder, file);
  await damage();
  await expect(restoreBackup(file, fresh)).rejects.toThrow(message);
  expect(await readdir(root)).not.toContain("fresh");
  await mkdir(fresh.path);
  await expect(restoreBackup(file, fresh)).rejects.toThrow(message);
  expect(await fresh.contents()).toEqual([]);
});
