import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { getRunChanges } from "../../../functions/api/runs/get-run-changes.ts";
import { deleteSeen } from "../../../functions/api/scrapers/delete-seen.ts";
import type { ApiDeps } from "../../../functions/api/types.ts";
import { ChangesQuery } from "../../../functions/contract/runs/rows-query.ts";
import { readMemory } from "../../../functions/store/scraper-memory.ts";
import { startTable } from "../store/local-table.ts";
import { comparedRuns, goods, listWith } from "../workers/compared-runs.ts";
import { caller } from "./caller.ts";

const table = await startTable();
const deps = { table } as ApiDeps;

/** A run with one change of each kind, and what its route answers. */
async function changedRun() {
  const { run, life, start } = await comparedRuns(table);
  await run(goods("a b c"));
  await run(goods("a b"));
  const { run: stored } = await run(goods("a b d", { a: '=1,"2"' }));
  const { account } = life;
  const get = async (query: Record<string, string>, id = stored.id) => {
    const parsed = v.parse(ChangesQuery, query);
    const request = { account, caller, id, query: parsed, body: undefined, headers: {} };
    const { content } = await getRunChanges(request, deps);
    const parts = await Array.fromAsync(content as AsyncIterable<Buffer | string>);
    return parts.map(String).join("");
  };
  return { get, account, life, start };
}

test("changes come with their rows and old values, in each format, and by their kinds", async () => {
  const { get } = await changedRun();
  const row = { sku: "a", name: "Thing a", price: '=1,"2"' };
  const all = [
    { kind: "changed", row, old: { price: "10" } },
    { kind: "new", row: { sku: "d", name: "Thing d", price: "10" } },
    { kind: "removed", row: { sku: "c", name: "Thing c", price: "10" } },
  ];
  expect(JSON.parse(await get({}))).toEqual(all);
  const lines = (await get({ format: "jsonl", kinds: "removed,new" })).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([all[1], all[2]]);
  expect(await get({ format: "csv", bom: "0", kinds: "changed", escape: "formulas" })).toBe(
    'change,sku,name,price,old.sku,old.name,old.price\r\nchanged,a,Thing a,"\'=1,""2""",,,10\r\n',
  );
  expect(() => v.parse(ChangesQuery, { kinds: "renamed" })).toThrow("must be kinds of changes");
});

test("in a table, fields named as other columns keep their values", async () => {
  const fields = [{ name: "sku" }, { name: "change" }, { name: "old.change" }];
  const { run, life } = await comparedRuns(table, { steps: [listWith({ fields })] });
  await run([{ sku: "a", change: "+1 %", "old.change": "x" }]);
  const { run: stored } = await run([{ sku: "a", change: "+2 %", "old.change": "x" }]);
  const query = v.parse(ChangesQuery, { format: "csv", bom: "0" });
  const request = { account: life.account, caller, id: stored.id, query, body: undefined, headers: {} };
  const { content } = await getRunChanges(request, deps);
  expect((await Array.fromAsync(content as AsyncIterable<Buffer | string>)).join("")).toBe(
    "change_,sku,change,old.change,old.sku,old.change_,old.old.change\r\nchanged,a,+2 %,x,,+1 %,\r\n",
  );
});

test("a run that is in progress was not compared, and an unknown one does not exist", async () => {
  const { get, start } = await changedRun();
  await expect(get({}, (await start()).id)).rejects.toMatchObject({ status: 409 });
  await expect(get({}, "01a1fc3c-acb4-7463-96cb-370000000001")).rejects.toMatchObject({ status: 404 });
});

test("a scraper forgets its rows; one that does not exist can't", async () => {
  const { account, life } = await changedRun();
  const request = { account, caller, query: {}, body: undefined, headers: {} };
  const memory = () => readMemory(table, { account, scraper_id: life.scraper.id }, new Date(life.clock.time));
  expect(await memory()).toBeDefined();
  expect(await deleteSeen({ ...request, id: life.scraper.id }, deps)).toEqual({});
  expect(await memory()).toBeUndefined();
  await expect(deleteSeen({ ...request, id: "no" }, deps)).rejects.toMatchObject({ status: 404 });
});
