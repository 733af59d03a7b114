import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { getRunFiles } from "../../../functions/api/runs/get-run-files.ts";
import type { ApiDeps } from "../../../functions/api/types.ts";
import type { RunFile } from "../../../functions/contract/runs/file.ts";
import { FilesQuery } from "../../../functions/contract/runs/rows-query.ts";
import type { RunRef } from "../../../functions/runs/run.ts";
import type { BatchFile, FileSink, Scrape } from "../../../functions/scraping/job.ts";
import { deleteAccount } from "../../../functions/store/delete-account.ts";
import { deleteRun } from "../../../functions/store/runs/delete-run.ts";
import { filesPartition } from "../../../functions/store/runs/run-files.ts";
import { bytesOf, storedBytes } from "../../../functions/store/storage.ts";
import { queryAll, type Table } from "../../../functions/store/table.ts";
import { FilesFolder } from "../../../local/data/files-folder.ts";
import { newFolder } from "../../new-folder.ts";
import { caller } from "../api/caller.ts";
import { startTable } from "../store/local-table.ts";
import { definition } from "../store/samples.ts";
import { startLife } from "./life.ts";

/* The files of a run, from its executor to its client. */

const folder = await newFolder();
const files = new FilesFolder(folder);
const table: Table = { ...(await startTable()), files };

const steps = [
  { type: "visit", url: "https://shop.example/" },
  { type: "get_list", selector: "li", fields: [{ name: "pdf" }], files: { field: "pdf" } },
] as const;
const scraper = { ...definition, steps: [...steps] } as never;

async function* content(text: string) {
  yield Buffer.from(text);
}

/** Stores a file that a row names, as the engine does. */
async function stored(
  sink: FileSink | undefined,
  row: number,
  url: string,
  name = "x.pdf",
): Promise<BatchFile[]> {
  const key = `key-of-${url}`;
  if (sink === undefined) throw new Error("The run has no place for files.");
  if (sink.has(key)) return [];
  await sink.put(key, content(url));
  const type = "application/pdf";
  return [{ row, field: "pdf", url, key, name, content: { bytes: url.length, type, sha256: `of ${url}` } }];
}
const failed = (row: number, url: string): BatchFile => ({
  row,
  field: "pdf",
  url,
  key: `key-of-${url}`,
  name: "x.pdf",
  content: { error: `${url} answered with HTTP 404.` },
});

/** Two rows with a file each, one that can't be had, and one that the first row has, too. */
const twoFiles: Scrape = async function* (_, { files: sink }) {
  const rows = [{ pdf: "a" }, { pdf: "b" }];
  yield {
    rows,
    checkpoint: {},
    files: [...(await stored(sink, 0, "a")), ...(await stored(sink, 1, "b", "ü.pdf"))],
  };
  yield {
    rows: [{ pdf: "c" }, { pdf: "a" }],
    checkpoint: {},
    files: [failed(0, "c"), ...(await stored(sink, 1, "a"))],
  };
  return "done";
};

const start = (scrape: Scrape) => startLife(table, { scraper, scrape });
const answerOf = ({ account, id }: RunRef, query: Record<string, string> = {}, deps: Partial<ApiDeps> = {}) =>
  getRunFiles({ account, caller, id, query: v.parse(FilesQuery, query), body: undefined, headers: {} }, {
    table,
    ...deps,
  } as ApiDeps);
async function bytesFrom(
  ref: RunRef,
  query: Record<string, string>,
  deps: Partial<ApiDeps> = {},
): Promise<Buffer> {
  const { content: body } = await answerOf(ref, query, deps);
  const chunks = await Array.fromAsync(body as AsyncIterable<Buffer | string>);
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
}
const listOf = async (ref: RunRef): Promise<RunFile[]> => JSON.parse(String(await bytesFrom(ref, {})));

test("files are listed with their rows, and served one by one and as an archive", async () => {
  const life = await start(twoFiles);
  const ref = await life.start();
  await life.execute(ref);
  const run = await life.read(ref);
  expect(run).toMatchObject({ status: "successful", row_count: 4 });
  const [a, b] = [
    { number: 1, name: "00001-x.pdf", url: "a", row: 0, sha256: "of a" },
    { number: 2, name: "00002-ü.pdf", url: "b", row: 1, sha256: "of b" },
  ].map((file) => ({ ...file, field: "pdf", bytes: 1, type: "application/pdf", error: null }));
  const missing = { bytes: null, type: null, sha256: null, error: "c answered with HTTP 404." };
  expect(await listOf(ref)).toEqual([
    a,
    b,
    { number: 3, name: "00003-x.pdf", url: "c", row: 2, field: "pdf", ...missing },
  ]);
  const { content: body, headers } = await answerOf(ref, { number: "2" });
  expect(String(Buffer.concat(await Array.fromAsync(body as AsyncIterable<Buffer>)))).toBe("b");
  expect(headers).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename="00002-_.pdf"; filename*=UTF-8''00002-%C3%BC.pdf`,
    "x-content-type-options": "nosniff",
  });
  await expect(answerOf(ref, { number: "3" })).rejects.toMatchObject({ status: 404, message: /HTTP 404/ });
  await expect(answerOf(ref, { number: "4" })).rejects.toMatchObject({ status: 404, message: /no file 4/ });
  const archive = await bytesFrom(ref, { format: "zip" });
  expect(archive.subarray(0, 4).toString("latin1")).toBe("PK\x03\x04");
  for (const name of ["files.csv", "00001-x.pdf", "00002-ü.pdf"]) expect(archive.includes(name)).toBe(true);
  expect(archive.includes("00003-x.pdf")).toBe(false);
  expect(String(await bytesFrom(ref, { format: "csv", bom: "0", limit: "1" }))).toBe(
    "number,name,url,row,field,bytes,type,sha256,error\r\n1,00001-x.pdf,a,0,pdf,1,application/pdf,of a,\r\n",
  );
});

test("an archive that is too large for a response names its parts", async () => {
  const life = await start(twoFiles);
  const ref = await life.start();
  await life.execute(ref);
  const most = { responseMaxBytes: 1 };
  await expect(bytesFrom(ref, { format: "zip" }, most)).rejects.toMatchObject({
    status: 400,
    message: /format=zip&offset=0&limit=1 is the first one, and the next one begins with offset=1/,
  });
  expect((await bytesFrom(ref, { format: "zip", limit: "1" }, most)).includes("00001-x.pdf")).toBe(true);
  const rest = await bytesFrom(ref, { format: "zip", offset: "1" }, most);
  expect([rest.includes("00001-x.pdf"), rest.includes("00002-ü.pdf")]).toEqual([false, true]);
});

test("an archive breaks off if a file is gone", async () => {
  const life = await start(twoFiles);
  const ref = await life.start();
  await life.execute(ref);
  await files.remove(`${ref.account}/`);
  await expect(bytesFrom(ref, { format: "zip" })).rejects.toThrow("There is no file");
  await expect(answerOf(ref, { number: "1" })).rejects.toMatchObject({
    status: 404,
    message: /no longer stored/,
  });
});

test("a run that resumes lists each file once, whatever an executor stored before it died", async () => {
  const asked: string[] = [];
  const scrape: Scrape = async function* (job, { files: sink }) {
    const urls = ["a", "b", "c", "d"];
    const first = Number(job.from?.checkpoint.next ?? 0);
    for (let next = first; next < urls.length; next += 1) {
      const url = urls[next] as string;
      asked.push(url);
      const found = await stored(sink, 0, url);
      // It dies when the file is stored and before it is listed; later, it pauses.
      if (url === "c" && asked.filter((each) => each === "c").length === 1) throw new Error("killed");
      yield { rows: [{ pdf: url }], checkpoint: { next: next + 1 }, files: found };
      if (url === "a") return "handover";
    }
    return "done";
  };
  const life = await start(scrape);
  const ref = await life.start();
  for (let times = 0; times < 3; times += 1) await life.execute(ref);
  const run = await life.read(ref);
  expect(run).toMatchObject({ status: "successful", row_count: 4 });
  expect((await listOf(ref)).map(({ number, url, row }) => [number, url, row])).toEqual([
    [1, "a", 0],
    [2, "b", 1],
    [3, "c", 2],
    [4, "d", 3],
  ]);
  expect(asked).toEqual(["a", "b", "c", "c", "d"]);
  expect(String(await bytesFrom(ref, { number: "3" }))).toBe("c");
});

test("files count for the storage of the account, and go with their run", async () => {
  const life = await start(twoFiles);
  const [first, second] = [await life.start(), await life.start()];
  for (const ref of [first, second]) await life.execute(ref);
  const { account } = life;
  const sizes = await Promise.all([first, second].map(async (ref) => life.read(ref)));
  const withFiles = sizes.map((run) => bytesOf(run, run));
  expect(sizes.map(({ files: found }) => found?.bytes)).toEqual([2, 2]);
  const listed = sizes.map(({ files: found }) => 2 + (found?.row_bytes ?? 0));
  expect(sizes.map(({ other_bytes }) => other_bytes)).toEqual(listed);
  expect(await storedBytes(table, account)).toBe((withFiles[0] ?? 0) + (withFiles[1] ?? 0));
  await deleteRun(table, first, new Date(life.clock.time));
  expect(await storedBytes(table, account)).toBe(withFiles[1]);
  expect(await readdir(join(folder, account))).toEqual([`${second.id}.kept`]);
  const left = queryAll(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": filesPartition(account, first.id) },
  });
  expect(await Array.fromAsync(left)).toEqual([]);
  expect(await deleteAccount(table, account, new Date(life.clock.time), async () => {})).toBe("deleted");
  await expect(readdir(join(folder, account))).rejects.toThrow("ENOENT");
});

test("files of runs that expire name the time, and are removed then", async () => {
  const life = await start(twoFiles);
  const kept = await life.start();
  Object.assign(life.deps, { runDays: () => 3_650 });
  const expiring = await life.start();
  for (const ref of [kept, expiring]) await life.execute(ref);
  const { expires_at: at = 0 } = await life.read(expiring);
  const names = async () => (await readdir(join(folder, life.account))).sort();
  const both = [`${kept.id}.kept`, `${expiring.id}.${at}`];
  await files.removeExpired(new Date((at - 1) * 1000));
  expect(await names()).toEqual([...both].sort());
  await files.removeExpired(new Date(at * 1000));
  expect(await names()).toEqual(both.slice(0, 1));
});
