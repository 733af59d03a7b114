import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { RunFailure } from "../../../functions/runs/failure.ts";
import { getEvidence } from "../../../functions/store/runs/evidence.ts";
import { numberOf } from "../../../functions/store/runs/numbering.ts";
import { readRows } from "../../../functions/store/runs/read-rows.ts";
import { getRun, listRuns } from "../../../functions/store/runs/runs.ts";
import { listRunsByStatus } from "../../../functions/store/runs/statuses.ts";
import { openLocalTable, tableOf } from "../../../local/backend.ts";
import { newFolder } from "../../new-folder.ts";
import { START, startLife } from "../workers/life.ts";
import { endRun, storeRun } from "./samples.ts";
import { isWrite, withSend } from "./with-send.ts";

/* Runs that are kept for some days. */

const DAY_MS = 24 * 3600_000;
const DAYS = 30;
/** In the future of whoever runs these tests, so that nothing has expired by itself. */
const NOW = new Date(Date.now() + DAY_MS);
const EXPIRES = Math.ceil(NOW.getTime() / 1000) + DAYS * 24 * 3600;

const folder = await newFolder();
const dynamoDb = openLocalTable(join(folder, "table.sqlite"));
const table = tableOf(dynamoDb);
afterAll(async () => {
  dynamoDb.close();
});

const rows = Array.from({ length: 20_000 }, (_, id) => ({ id: `${id} ${crypto.randomUUID()}` }));

/** A run that failed after many rows, and each item that was written of it. */
async function runOf(days: number | undefined) {
  const items = new Map<string, unknown>();
  const watched = withSend(table, (send, command) => {
    const writes = (command.input.TransactItems as { Update: object }[] | undefined) ?? [command.input];
    if (isWrite(command)) {
      for (const write of writes.map((one) => ("Update" in one ? one.Update : one))) {
        const { Item, Key } = write as { Item?: Record<string, unknown>; Key?: Record<string, unknown> };
        const { pk, sk } = (Item ?? Key) as { pk: string; sk: string };
        if (Item !== undefined || !items.has(`${pk} ${sk}`)) items.set(`${pk} ${sk}`, Item?.expires_at);
      }
    }
    return send();
  });
  const life = await startLife(watched, {
    async *scrape() {
      yield { rows, checkpoint: {} };
      const failure = new RunFailure("timeout", "Too late.", { step: 0 });
      failure.evidence = { url: "https://example.org/", title: "Example" };
      throw failure;
    },
  });
  life.clock.time = NOW.getTime();
  Object.assign(life.deps, { runDays: () => days });
  const ref = await life.start();
  await life.execute(ref);
  const number = String(numberOf(ref.id)).padStart(12, "0");
  const own = [...items].filter(
    ([key]) =>
      key.includes(ref.id) || key.includes(`#RUNS ${number}`) || key.endsWith(`#RUNS ${number}#STATE`),
  );
  return { ref, own: new Map(own) };
}

describe("a run", () => {
  test("all that is stored of it expires at once, and then it is gone", async () => {
    const { ref, own } = await runOf(DAYS);
    expect([...own.keys()].filter((key) => key.includes("#ROWS "))).not.toEqual([]);
    expect([...own.keys()].filter((key) => key.includes("#EVIDENCE "))).not.toEqual([]);
    expect([...own.keys()].filter((key) => key.includes("#RUNS "))).toHaveLength(2);
    for (const expires of own.values()) expect(expires).toBe(EXPIRES);

    const [before, after] = [new Date(EXPIRES * 1000 - 1), new Date(EXPIRES * 1000)];
    const run = await getRun(table, ref, before);
    if (run === undefined) throw new Error("no run");
    const text = Buffer.concat(await Array.fromAsync(readRows(table, run)));
    expect(JSON.parse(`[${text}]`)).toEqual(rows);
    expect(run.error?.code).toBe("timeout");
    expect((await listRuns(table, ref.account, { page: 1, now: before })).items).toHaveLength(1);

    // DynamoDB removes the items later, in any order.
    expect(await getRun(table, ref, after)).toBeUndefined();
    for (const scraperId of [undefined, run.scraper_id]) {
      const list = await listRuns(table, ref.account, { page: 1, scraperId, now: after });
      expect(list).toEqual({ items: [], nextPage: null });
    }
    while (dynamoDb.removeExpired(after, 500) > 0);
    expect(await getRun(table, ref, before)).toBeUndefined();
    expect(await getEvidence(table, ref)).toBeUndefined();
    await expect(Array.fromAsync(readRows(table, run))).rejects.toThrow("damaged");
  });

  test("is kept for ever where the service has no such setting", async () => {
    const { ref, own } = await runOf(undefined);
    expect(own.size).toBeGreaterThan(3);
    for (const expires of own.values()) expect(expires).toBeUndefined();
    while (dynamoDb.removeExpired(new Date(START + 100 * 365 * DAY_MS), 500) > 0);
    expect((await getRun(table, ref))?.row_count).toBe(rows.length);
    expect(await getEvidence(table, ref)).toMatchObject({ title: "Example" });
  });
});

describe("a list of which most has expired", () => {
  const GONE = 200;
  const LEFT = 70;

  test.each([
    ["and is still there", false],
    ["and was removed", true],
  ])("%s has full pages, for few requests", async (_, remove) => {
    const life = await startLife(table, { scrape: async function* () {} as never });
    const old = new Date(NOW.getTime() - 60 * DAY_MS);
    const expiresAt = Math.floor(NOW.getTime() / 1000);
    for (let count = 0; count < GONE; count += 1) {
      await storeRun(table, life.account, life.scraper, { now: old, expiresAt });
    }
    const ids: string[] = [];
    for (let count = 0; count < LEFT; count += 1)
      ids.unshift((await storeRun(table, life.account, life.scraper, { now: old })).id);
    if (remove) while (dynamoDb.removeExpired(NOW, 500) > 0);

    for (const scraperId of [undefined, life.scraper.id]) {
      for (const time of ["first", "second"]) {
        let requests = 0;
        const watched = withSend(table, (send) => {
          requests += 1;
          return send();
        });
        const pages = [];
        for (const page of [1, 2, 3])
          pages.push(await listRuns(watched, life.account, { page, scraperId, now: NOW }));
        expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids);
        expect(pages.map(({ nextPage }) => nextPage)).toEqual([2, null, null]);
        if (time === "second") expect(requests).toBeLessThanOrEqual(scraperId === undefined ? 6 : 8);
      }
    }
  });

  test("and of which the statuses were read costs no more for it", async () => {
    const life = await startLife(table, { scrape: async function* () {} as never });
    const { account, scraper } = life;
    const now = new Date(NOW.getTime() - 60 * DAY_MS);
    const expiresAt = Math.floor(NOW.getTime() / 1000);
    const ids: string[] = [];
    for (let count = 0; count < 200 + LEFT; count += 1) {
      const isLeft = count >= 200;
      const options = { now, ...(!isLeft && { expiresAt }) };
      const { id } = await storeRun(table, account, scraper, options);
      await endRun(table, { account, id }, "failed", now);
      if (isLeft) ids.unshift(id);
    }
    for (const scraperId of [undefined, scraper.id]) {
      const before = await listRunsByStatus(table, account, { page: 5, scraperId, status: "failed" }, now);
      expect(before.items).toHaveLength(50);
    }
    while (dynamoDb.removeExpired(NOW, 500) > 0);
    for (const scraperId of [undefined, scraper.id]) {
      let requests = 0;
      const watched = withSend(table, (send) => {
        requests += 1;
        return send();
      });
      const pages = [];
      for (const page of [1, 2])
        pages.push(await listRunsByStatus(watched, account, { page, scraperId, status: "failed" }, NOW));
      expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids);
      expect(pages.map(({ nextPage }) => nextPage)).toEqual([2, null]);
      expect(requests).toBeLessThanOrEqual(scraperId === undefined ? 12 : 16);
    }
  });
});
