import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { inArray } from "../../../functions/batches/check-inputs.ts";
import type { Delivery } from "../../../functions/contract/scrapers/delivery.ts";
import type { StoredStep } from "../../../functions/contract/scrapers/scraper.ts";
import { DeliveryFailure } from "../../../functions/deliveries/delivery.ts";
import type { WriteFile } from "../../../functions/deliveries/destinations.ts";
import { RunFailure } from "../../../functions/runs/failure.ts";
import { folderWriter } from "../../../local/deliveries/folder-writer.ts";
import { newFolder } from "../../new-folder.ts";
import { startTable } from "../store/local-table.ts";
import { startDeliveries, titles } from "./rows-in-life.ts";

const table = await startTable();
const folder = (mode: "append" | "replace"): Delivery => ({
  type: "folder",
  path: "shop/books",
  format: "csv",
  mode,
});

async function scene(deliveries: Delivery[], scraper = {}) {
  const root = await newFolder();
  const writeFile = folderWriter(root);
  const life = await startDeliveries(table, deliveries, { writeFile }, scraper);
  const files = async () => (await readdir(root, { recursive: true })).filter((name) => name.includes("."));
  const texts = async () =>
    Promise.all((await files()).sort().map((name) => readFile(join(root, name), "utf8")));
  return { ...life, root, files, texts };
}

test("append: each run has a file of its own, which a repetition of the delivery replaces", async () => {
  const { run, send, files, texts, listed, deliver, outcome } = await scene([folder("append")]);
  const first = await run({ rows: titles("a", "b") });
  await send();
  await run({ rows: titles("c") });
  await send();
  const [delivery] = await listed(first);
  if (delivery !== undefined) await deliver(delivery);
  expect(await texts()).toEqual(["title\r\na\r\nb\r\n", "title\r\nc\r\n"]);
  const [name = ""] = (await files()).sort();
  expect(name).toBe(`${first.account}/shop/books/2026-11-21T00-00-01.000Z-${first.id}.csv`);
  expect(await outcome(first)).toEqual({ state: "delivered", answers: [`2 rows in ${name}`] });
});

test("replace: one file has the rows of the newest run, also if it has none", async () => {
  const { run, send, files, texts, account } = await scene([folder("replace")]);
  await run({ rows: titles("a", "b") });
  await send();
  expect(await files()).toEqual([`${account}/shop/books.csv`]);
  await run({});
  await send();
  expect(await texts()).toEqual(["title\r\n"]);
});

test("replace: accounts with the same path don't replace each other's files", async () => {
  const root = await newFolder();
  const writeFile = folderWriter(root);
  for (const title of ["mine", "theirs"]) {
    const { run, send, account } = await startDeliveries(table, [folder("replace")], { writeFile });
    await run({ rows: titles(title) });
    await send();
    expect(await readFile(join(root, account, "shop/books.csv"), "utf8")).toBe(`title\r\n${title}\r\n`);
  }
  expect(await readdir(root)).toHaveLength(2);
});

test("replace: a run that is delivered late does not replace the rows of a newer one", async () => {
  const { run, send, webhooks, texts, outcome } = await scene([folder("replace")]);
  const old = await run({ rows: titles("old") });
  const late = webhooks.splice(0);
  await run({ rows: titles("new") });
  await send();
  webhooks.push(...late);
  await send();
  expect(await texts()).toEqual(["title\r\nnew\r\n"]);
  expect(await outcome(old)).toMatchObject({
    state: "skipped",
    answers: [expect.stringContaining("newer run")],
  });
});

test("replace: while the rows of one run are written, those of another one wait", async () => {
  const hold = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const written: string[] = [];
  const writeFile: WriteFile = async ({ content, beforeEnd }) => {
    begun.resolve();
    await hold.promise;
    let text = "";
    for await (const piece of content) text += piece;
    await beforeEnd();
    written.push(text);
  };
  const life = await startDeliveries(table, [folder("replace")], { writeFile });
  await life.run({ rows: titles("old") });
  const first = life.send();
  await begun.promise;
  const newer = await life.run({ rows: titles("new") });
  await life.send();
  expect(await life.outcome(newer)).toMatchObject({
    state: "pending",
    answers: [expect.stringContaining("another run")],
  });
  hold.resolve();
  await first;
  await life.pass(5);
  expect(written).toEqual(["title\r\nold\r\n", "title\r\nnew\r\n"]);
  expect(await life.outcome(newer)).toMatchObject({ state: "delivered" });
});

test("a destination that fails is tried again, and the log says why", async () => {
  let left = 2;
  const life = await startDeliveries(table, [folder("append")], {
    async writeFile() {
      left -= 1;
      if (left >= 0) throw new DeliveryFailure("The disk is full.");
    },
  });
  const ref = await life.run({ rows: titles("a") });
  await life.pass(4);
  expect(await life.outcome(ref)).toEqual({
    state: "delivered",
    answers: ["The disk is full.", "The disk is full.", expect.stringContaining("1 row in")],
  });
});

test("each destination has its own delivery", async () => {
  const { run, send, texts, listed } = await scene([
    folder("replace"),
    { type: "folder", path: "lines", format: "jsonl", mode: "replace" },
  ]);
  const ref = await run({ rows: titles("ü") });
  await send();
  expect(await texts()).toEqual(['{"title":"ü"}\n', "title\r\nü\r\n"]);
  expect((await listed(ref)).map(({ webhook_outcome }) => webhook_outcome)).toEqual([
    "delivered",
    "delivered",
  ]);
});

const warning = (code: string) => ({ code, message: "Check it.", step: null });
const keyed: StoredStep[] = [
  { id: "open", type: "visit", url: "https://example.org/" },
  { id: "list", type: "get_list", selector: "li", key: ["title"], fields: [{ name: "title" }] },
];
test.each<[string, Parameters<Awaited<ReturnType<typeof scene>>["run"]>, string | undefined]>([
  ["is good", [{ rows: titles("a") }], undefined],
  ["has a warning of rows that are there", [{ warnings: [warning("field_empty")] }], undefined],
  ["has a warning of rows that may be missing", [{ warnings: [warning("rows_may_be_missing")] }], "warning"],
  ["failed", [{ rows: titles("a"), failure: new RunFailure("http_error", "Down.") }], "failed (http_error)"],
  ["was limited by its request", [{ rows: titles("a", "b") }, { rows_limit: 2 }], "rows_limit"],
  ["has as many rows as its scraper allows", [{ rows: titles("a", "b", "c") }], undefined],
  [
    "has other values for steps",
    [{ rows: titles("a") }, { steps: [{ id: "open", url: "https://example.org/other" }] }],
    "other values",
  ],
  ["has only new rows, as its request says", [{ rows: titles("a") }, { only_new: true }], "new rows only"],
])("of a run that %s", async (_, [page, request], why) => {
  const { run, send, outcome } = await scene([folder("replace")], { rows_limit: 3, steps: keyed });
  const ref = await run(page, request);
  await send();
  const { state, answers } = await outcome(ref);
  expect(state).toBe(why === undefined ? "delivered" : "skipped");
  if (why !== undefined) expect(answers).toEqual([expect.stringContaining(why)]);
});

const input = { open: "https://example.org/1" };
const other = { inputs: [input], placeOf: inArray };
test.each<[string, Parameters<Awaited<ReturnType<typeof scene>>["batch"]>, string | undefined]>([
  ["is good", [{ rows: titles("a", "b", "c") }, undefined], undefined],
  [
    "has a run whose rows may be missing",
    [{ warnings: [warning("rows_may_be_missing")] }, undefined],
    "those of 1 of 1 inputs may not be complete",
  ],
  ["reached the limit of its request", [{ rows: titles("a", "b") }, undefined, 2], "may not be complete"],
  ["did not reach it", [{ rows: titles("a") }, undefined, 2], undefined],
  ["has other inputs than its scraper", [{ rows: titles("a") }, other], "other inputs"],
  ["failed", [{ failure: new RunFailure("http_error", "Down.") }, undefined], "1 of 1 inputs failed"],
])("of a batch that %s", async (_, args, why) => {
  const own = { rows_limit: 3, steps: keyed, inputs: [input] };
  const { batch, send, outcome } = await scene([folder("replace")], own);
  const ref = await batch(...args);
  await send();
  const { state, answers } = await outcome(ref);
  expect(state).toBe(why === undefined ? "delivered" : "skipped");
  if (why !== undefined) expect(answers).toEqual([expect.stringContaining(why)]);
});

test("the failed inputs of a batch, run again, do not replace the rows of the others", async () => {
  const { batch, send, texts, outcome } = await scene([folder("replace")], { steps: keyed });
  const first = await batch({ failure: new RunFailure("http_error", "Down.") }, other);
  const again = await batch({ rows: titles("a") }, { failed_of: first.id });
  await send();
  expect(await outcome(again)).toMatchObject({
    state: "skipped",
    answers: [expect.stringContaining("the failed ones of another batch")],
  });
  expect(await texts()).toEqual([]);
});
