import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "@jest/globals";
import type { Row } from "../../../functions/contract/runs/run.ts";
import { readRowBatches } from "../../../functions/rows/read-row-batches.ts";
import type { StoredRun } from "../../../functions/runs/run.ts";
import { RowsDamaged, readRows } from "../../../functions/store/runs/read-rows.ts";
import { RowWriter } from "../../../functions/store/runs/rows.ts";
import { rowsPartition } from "../../../functions/store/runs/rows-keys.ts";
import { startTable } from "../store/local-table.ts";
import { record } from "../store/recorder.ts";

const table = await startTable();

const noRows = { row_count: 0, row_bytes: 0, segments: [] };
let runs = 0;

const newRun = () => {
  runs += 1;
  return { account: "rows", id: `run-${process.pid}-${runs}`, attempt: 1 };
};
type Run = ReturnType<typeof newRun>;

async function read(run: object, offset: number, limit = 1_000_000): Promise<Row[]> {
  const batches = await Array.fromAsync(readRowBatches(table, run as StoredRun, { offset, limit }));
  return batches.flat().map((row) => JSON.parse(row.toString()));
}

async function store(run: Run, rows: readonly Row[], every: number, before: object = noRows) {
  const writer = new RowWriter(table, run, before as typeof noRows);
  for (let at = 0; at < rows.length; at += every) {
    writer.append(rows.slice(at, at + every));
    await writer.flush();
  }
  return { ...run, ...(await writer.flush()) };
}

const row = (index: number): Row => ({
  index: String(index),
  text: `${index} },{ "\\ ${"é".repeat(index % 50)}`,
});
const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => row(from + index));

test("a piece is decompressed part by part, so that a reader holds little of it", async () => {
  const run = await store(newRun(), many(5_000), 5_000);
  const parts = await Array.fromAsync(readRows(table, run));
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
  expect(parts.reduce((sum, { length }) => sum + length, 0)).toBe(run.row_bytes);
  expect(await read(run, 4_000)).toEqual(many(1_000, 4_000));
});

test("any range of rows, over pieces of several attempts", async () => {
  const run = newRun();
  const first = await store(run, many(400), 60);
  const second = await store({ ...run, attempt: 2 }, many(300, 400), 70, first);
  const all = many(700);
  expect(await read(second, 0)).toEqual(all);
  for (const [offset, limit] of [
    [0, 1],
    [59, 3],
    [60, 1],
    [399, 2],
    [400, 1],
    [650, 1000],
    [699, 1],
    [700, 5],
    [9999, 1],
  ] as const)
    expect(await read(second, offset, limit)).toEqual(all.slice(offset, offset + limit));
  const text = Buffer.concat(await Array.fromAsync(readRows(table, second))).toString();
  expect(JSON.parse(`[${text}]`)).toEqual(all);
});

test("a row far behind costs two reads of the table, wherever it is", async () => {
  const stored = await store(newRun(), many(3_000), 30);
  for (const offset of [1, 900, 2_700, 2_970, 2_999]) {
    const requests = await record(table, async () => {
      expect(await read(stored, offset, 20)).toEqual(many(3_000).slice(offset, offset + 20));
    });
    expect(requests.length).toBeLessThanOrEqual(2);
  }
});

test("rows larger than a piece, before and after others", async () => {
  const noise = (bytes: number) => randomBytes(bytes / 2).toString("hex");
  const rows = [
    row(0),
    { text: noise(2_000_000) },
    row(2),
    { text: noise(1_000_000) },
    { text: "x".repeat(1_000_000) },
    row(5),
  ];
  const stored = await store(newRun(), rows, rows.length);
  for (const offset of rows.keys()) expect(await read(stored, offset)).toEqual(rows.slice(offset));
  expect(await read(await store(newRun(), rows.slice(0, 2), 1), 1, 1)).toEqual([rows[1]]);
});

test("rows that were stored before the keys of pieces had rows", async () => {
  const run = newRun();
  const text = Buffer.from(
    many(100)
      .map((one) => JSON.stringify(one))
      .join(","),
  );
  for (const [piece, [from, to]] of [
    [0, 1000],
    [1000, 1003],
    [1003, text.length],
  ].entries()) {
    const sk = `000001#${String(piece).padStart(9, "0")}`;
    const Item = { pk: rowsPartition(run.account, run.id), sk, data: gzipSync(text.subarray(from, to)) };
    await table.db.send(new PutCommand({ TableName: table.name, Item }));
  }
  const old = {
    ...run,
    row_count: 100,
    row_bytes: text.length,
    segments: [{ attempt: 1, from: 0, to: 2 }],
  };
  expect(await read(old, 0)).toEqual(many(100));
  expect(await read(old, 37, 5)).toEqual(many(5, 37));
  // An attempt of this version resumed the run.
  const resumed = await store({ ...run, attempt: 2 }, many(50, 100), 20, old);
  expect(await read(resumed, 0)).toEqual(many(150));
  expect(await read(resumed, 95, 30)).toEqual(many(30, 95));
  const requests = await record(table, async () => {
    expect(await read(resumed, 145)).toEqual(many(5, 145));
  });
  expect(requests.length).toBeLessThanOrEqual(2);
});

test("missing rows are an error and never a shorter list", async () => {
  const stored = await store(newRun(), many(100), 30);
  const [segment] = stored.segments;
  for (const damaged of [
    { ...stored, row_count: 101 },
    { ...stored, row_count: 99 },
    { ...stored, segments: [{ ...segment, to: 2 }] },
    { ...stored, segments: [] },
  ])
    for (const offset of [0, 50]) await expect(read(damaged, offset)).rejects.toThrow(RowsDamaged);
});
