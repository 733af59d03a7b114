import { randomBytes } from "node:crypto";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect } from "@jest/globals";
import { newApiKey } from "../../../functions/accounts/api-key-format.ts";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import type { Row } from "../../../functions/contract/runs/run.ts";
import type { NewRun, StoredRun } from "../../../functions/runs/run.ts";
import { createAccount, getAccount, setLimits, takeNumber } from "../../../functions/store/accounts.ts";
import {
  type Admission,
  admit,
  isValidApiKey,
  listApiKeys,
  RATE_WINDOW_MS,
  revokeApiKey,
  sha256,
} from "../../../functions/store/api-keys.ts";
import { creditsUsed } from "../../../functions/store/credits.ts";
import { findRecord, putRecord } from "../../../functions/store/idempotency.ts";
import { newId } from "../../../functions/store/runs/numbering.ts";
import { readRows } from "../../../functions/store/runs/read-rows.ts";
import { RowWriter } from "../../../functions/store/runs/rows.ts";
import {
  claimWebhook,
  endWebhook,
  resendWebhook,
  scheduleWebhook,
} from "../../../functions/store/runs/run-follow-up.ts";
import { claimRun, finishRun, saveProgress } from "../../../functions/store/runs/run-state.ts";
import { createRun, dropNumbers, getRun, listRuns } from "../../../functions/store/runs/runs.ts";
import { takeScraperRunNumber } from "../../../functions/store/runs/scraper-runs.ts";
import { listRunsByStatus } from "../../../functions/store/runs/statuses.ts";
import {
  deleteScraper,
  getScraper,
  listScrapers,
  replaceScraper,
} from "../../../functions/store/scrapers.ts";
import { accountOfTicket, issueTicket } from "../../../functions/store/tickets.ts";
import { rotateWebhookSecret, webhookSecrets } from "../../../functions/store/webhooks.ts";
import { startTables } from "./engines.ts";
import { record } from "./recorder.ts";
import * as samples from "./samples.ts";
import { definition, storeRun, storeScraper } from "./samples.ts";
import { repeating, withSend } from "./with-send.ts";

const later = (time: Date, ms: number) => new Date(time.getTime() + ms);

describe.each(await startTables())("the store on $name", ({ table, test }) => {
  const newAccount = (limits?: Parameters<typeof samples.newAccount>[1]) => samples.newAccount(table, limits);
  const newScraper = (account: string) => storeScraper(table, account, definition, new Date());
  const claimNew = (now?: Date) => samples.claimNew(table, now);

  const noRows = { row_count: 0, row_bytes: 0, segments: [] };
  const noResult = { ...noRows, credits_used: 0, warnings: [], elapsed_ms: 0 };
  const noProgress = { ...noResult, checkpoint: undefined };
  const success = { status: "successful", error: null, finished_at: new Date().toISOString() } as const;

  describe("accounts", () => {
    test("a name is taken once, also by two at the same time", async () => {
      const account = { name: "twice", credit_limit: null, rate_limit: null, created_at: "" };
      const results = await Promise.all([createAccount(table, account), createAccount(table, account)]);
      expect(results.sort()).toEqual([false, true]);
    });

    test("limits are set one by one, and each number is given once", async () => {
      const account = await newAccount();
      expect(await setLimits(table, account, { credit_limit: 7 })).toMatchObject({
        credit_limit: 7,
        rate_limit: null,
      });
      await setLimits(table, account, { rate_limit: 9 });
      await setLimits(table, account, { credit_limit: null });
      expect(await getAccount(table, account)).toMatchObject({ credit_limit: null, rate_limit: 9 });
      expect(await setLimits(table, "nobody", { rate_limit: 9 })).toBeUndefined();
      const numbers = await Promise.all(Array.from({ length: 9 }, () => takeNumber(table, account, "run")));
      expect(numbers.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });
  });

  describe("API keys", () => {
    test("a key admits to its account until it is revoked", async () => {
      const account = await newAccount();
      const { id, key } = await createApiKey(table, account, new Date());
      expect(await admit(table, id, key, new Date())).toMatchObject({ account, limit: 50, count: 1 });
      expect(await admit(table, id, `${key}x`, new Date())).toBeUndefined();
      expect(await admit(table, "0123456789ab", key, new Date())).toBeUndefined();
      expect(await revokeApiKey(table, id, new Date())).toMatchObject({ id, account });
      expect(await admit(table, id, key, new Date())).toBeUndefined();
      expect(await revokeApiKey(table, "0123456789ab", new Date())).toBeUndefined();
    });

    test("a key is valid until it expires, and then says since when it is not", async () => {
      const account = await newAccount();
      const start = new Date("2026-11-21T00:00:00.000Z");
      const expires_at = later(start, 1000).toISOString();
      const { id, key } = await createApiKey(table, account, start, { scope: "run", expires_at });
      expect(await admit(table, id, key, later(start, 999))).toMatchObject({
        key: { id, scope: "run", expires_at },
      });
      const requests = await record(table, async () => {
        // The window of the rate limit is still open.
        expect(await admit(table, id, key, later(start, 1000))).toEqual({ expired_at: expires_at });
      });
      expect(requests).toMatchObject([
        { command: "UpdateItemCommand" },
        { command: "GetItemCommand" },
        { command: "GetItemCommand" },
      ]);
      expect(await admit(table, id, `${key}x`, later(start, 1000))).toBeUndefined();
      expect(await isValidApiKey(table, id, key, later(start, 999))).toBe(true);
      expect(await isValidApiKey(table, id, key, later(start, 1000))).toBe(false);
      await revokeApiKey(table, id, later(start, 1001));
      expect(await admit(table, id, key, later(start, 1001))).toBeUndefined();
    });

    test("of the key itself only the hash is stored, and not even that is told", async () => {
      const account = await newAccount();
      const { id, key } = await createApiKey(table, account, new Date());
      await admit(table, id, key, new Date());
      const { Items = [] } = await table.db.send(
        new ScanCommand({
          TableName: table.name,
          FilterExpression: "contains(pk, :id) OR contains(sk, :id)",
          ExpressionAttributeValues: { ":id": id },
        }),
      );
      expect(Items.map(({ sha256 }) => sha256)).toEqual(expect.arrayContaining([sha256(key)]));
      for (const secret of [key, key.slice(16, -6)]) expect(JSON.stringify(Items)).not.toContain(secret);
      const told = [await revokeApiKey(table, id, new Date()), await listApiKeys(table, account)];
      for (const secret of [key.slice(16), sha256(key)]) expect(JSON.stringify(told)).not.toContain(secret);
    });

    test("an account's keys are listed newest first, the revoked among them, and no other's", async () => {
      const [account, other] = [await newAccount(), await newAccount()];
      const start = new Date("2026-11-21T00:00:00.000Z");
      const first = await createApiKey(table, account, start, { label: "laptop" });
      const second = await createApiKey(table, account, later(start, 1));
      await createApiKey(table, other, later(start, 2));
      await admit(table, first.id, first.key, later(start, 5));
      await admit(table, first.id, first.key, later(start, 6));
      await revokeApiKey(table, second.id, later(start, 7));
      await revokeApiKey(table, second.id, later(start, 8));
      expect(await listApiKeys(table, account)).toEqual([
        {
          id: second.id,
          account,
          scope: "write",
          created_at: "2026-11-21T00:00:00.001Z",
          revoked_at: "2026-11-21T00:00:00.007Z",
        },
        {
          id: first.id,
          account,
          label: "laptop",
          scope: "write",
          created_at: "2026-11-21T00:00:00.000Z",
          last_used_at: "2026-11-21T00:00:00.006Z",
        },
      ]);
      expect(await listApiKeys(table, "nobody")).toEqual([]);
    });

    test("a key whose first answer is lost is stored", async () => {
      const account = await newAccount();
      const { id, key } = await createApiKey(repeating(table), account, new Date());
      expect(await admit(table, id, key, new Date())).toMatchObject({ account });
    });

    test("a key that is refused is not used", async () => {
      const account = await newAccount();
      const { id, key } = await createApiKey(table, account, new Date());
      await admit(table, id, `${key}x`, new Date());
      await revokeApiKey(table, id, new Date());
      await admit(table, id, key, new Date());
      expect((await listApiKeys(table, account))[0]).not.toHaveProperty("last_used_at");
    });

    test("a request is admitted by one write, which also notes when the key was used", async () => {
      const { id, key } = await createApiKey(table, await newAccount(), new Date());
      const now = new Date();
      await admit(table, id, key, now);
      const requests = await record(table, () => admit(table, id, key, now));
      expect(requests).toMatchObject([{ command: "UpdateItemCommand", capacity: 1 }]);
      expect(JSON.stringify(requests[0]?.input)).toContain(now.toISOString());
    });

    test("keys that are unknown, wrong or revoked are refused by the same requests", async () => {
      const now = new Date();
      const account = await newAccount();
      const valid = await createApiKey(table, account, now);
      const revoked = await createApiKey(table, account, now);
      await admit(table, revoked.id, revoked.key, now);
      await revokeApiKey(table, revoked.id, now);
      const never = newApiKey();
      const refusals = [];
      for (const [id, key] of [
        [never.id, never.key],
        [valid.id, never.key],
        [revoked.id, revoked.key],
      ] as const) {
        const requests = await record(table, async () =>
          expect(await admit(table, id, key, now)).toBeUndefined(),
        );
        refusals.push(
          JSON.stringify(requests.map(({ command, input }) => ({ command, input })))
            .replaceAll(id, "ID")
            .replaceAll(sha256(key), "HASH"),
        );
      }
      expect(JSON.parse(refusals[0] ?? "")).toMatchObject([
        { command: "UpdateItemCommand" },
        { command: "GetItemCommand" },
      ]);
      expect(new Set(refusals).size).toBe(1);
    });

    test("requests at the same time are each counted once, also while the window opens", async () => {
      const account = await newAccount({ rate_limit: 7 });
      const { id, key } = await createApiKey(table, account, new Date());
      const now = new Date();
      const admissions = await Promise.all(Array.from({ length: 20 }, () => admit(table, id, key, now)));
      const counted = admissions as Admission[];
      const counts = counted.map(({ count }) => count).sort((a, b) => a - b);
      expect(counts).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
      expect(counted[0]?.limit).toBe(7);
    });

    test("requests that arrive in another order than they began are all counted", async () => {
      const { id, key } = await createApiKey(table, await newAccount(), new Date());
      const now = new Date();
      for (let count = 1; count <= 20; count += 1)
        expect(await admit(table, id, key, later(now, -count))).toMatchObject({ count });
    });

    test("a new window counts from one", async () => {
      const account = await newAccount();
      const { id, key } = await createApiKey(table, account, new Date());
      const now = new Date();
      await admit(table, id, key, now);
      expect(await admit(table, id, key, later(now, RATE_WINDOW_MS - 1))).toMatchObject({ count: 2 });
      expect(await admit(table, id, key, later(now, RATE_WINDOW_MS))).toMatchObject({
        count: 1,
        windowEnds: now.getTime() + 2 * RATE_WINDOW_MS,
      });
    });
  });

  test("an account whose first answer is lost is created; one with its name is not", async () => {
    const account = { name: "lost", credit_limit: null, rate_limit: null, created_at: "2026-11-21" };
    expect(await createAccount(repeating(table), account)).toBe(true);
    expect(await createAccount(table, { ...account, created_at: "2026-11-22" })).toBe(false);
  });

  test("a scraper whose deletion has no first answer is deleted once", async () => {
    const account = await newAccount();
    const { id } = await storeScraper(table, account, definition, new Date());
    expect(await deleteScraper(repeating(table), account, id)).toBe(true);
    expect(await deleteScraper(table, account, id)).toBe(false);
  });

  describe("clocks", () => {
    test("a window that a clock ahead has opened is opened again, and counts from one", async () => {
      const account = await newAccount({ rate_limit: 2 });
      const { id, key } = await createApiKey(table, account, new Date());
      const now = new Date();
      for (let count = 0; count < 5; count += 1) await admit(table, id, key, later(now, 2 * 3_600_000));
      expect(await admit(table, id, key, now)).toMatchObject({
        count: 1,
        windowEnds: now.getTime() + RATE_WINDOW_MS,
      });
      expect(await admit(table, id, key, later(now, -1_000))).toMatchObject({ count: 2 });
      expect(await admit(table, id, key, now)).toMatchObject({ count: 3 });
    });
  });

  describe("scrapers", () => {
    test("are read by their account alone", async () => {
      const [mine, other] = [await newAccount(), await newAccount()];
      const scraper = await newScraper(mine);
      expect(await getScraper(table, mine, scraper.id)).toEqual(scraper);
      expect(await getScraper(table, other, scraper.id)).toBeUndefined();
      expect(await getScraper(table, mine, "no-id")).toBeUndefined();
      expect(await getScraper(table, mine, newId(1, new Date()))).toBeUndefined();
    });

    test("a replaced scraper has no setting that the new definition leaves out", async () => {
      const account = await newAccount();
      const scraper = await storeScraper(table, account, { ...definition, user_agent: "Test/1" }, new Date());
      await replaceScraper(table, account, scraper, definition, new Date());
      const stored = await getScraper(table, account, scraper.id);
      expect(stored).toEqual({
        ...scraper,
        user_agent: undefined,
        version: 2,
        updated_at: stored?.updated_at,
      });
    });

    test("are replaced without losing their id, time or runs", async () => {
      const account = await newAccount();
      const scraper = await newScraper(account);
      await storeRun(table, account, scraper);
      const now = later(new Date(), 5);
      const replaced = await replaceScraper(table, account, scraper, { ...definition, name: "Other" }, now);
      expect(replaced).toEqual({ ...scraper, name: "Other", version: 2, updated_at: now.toISOString() });
      expect(await replaceScraper(table, account, scraper, definition, now)).toBeUndefined();
      expect(await listRuns(table, account, { page: 1, scraperId: scraper.id })).toMatchObject({
        items: [{ scraper_id: scraper.id }],
      });
      expect(await replaceScraper(table, await newAccount(), scraper, definition, now)).toBeUndefined();
    });

    test("are listed newest first, in pages that stay full after deletions, also after one that was interrupted", async () => {
      const account = await newAccount();
      const ids: string[] = [];
      for (let count = 0; count < 130; count += 1) ids.unshift((await newScraper(account)).id);
      const listed = async () => {
        const pages = [];
        for (const page of [1, 2, 3]) pages.push(await listScrapers(table, account, page));
        expect(pages.map(({ nextPage }) => nextPage)).toEqual([2, 3, null]);
        return pages.map(({ items }) => items.map(({ scraper }) => scraper.id));
      };
      expect(await listed()).toEqual([ids.slice(0, 50), ids.slice(50, 100), ids.slice(100)]);
      expect(await listScrapers(table, account, 4)).toEqual({ items: [], nextPage: null });
      const deleted = ids.filter((_, index) => index % 10 < 2);
      const left = ids.filter((id) => !deleted.includes(id));
      const [interrupted = "", ...others] = deleted;
      for (const id of others) expect(await deleteScraper(table, account, id)).toBe(true);
      let requests = 0;
      const dying = withSend(table, (send) => {
        requests += 1;
        if (requests > 1) throw new Error("died");
        return send();
      });
      await expect(deleteScraper(dying, account, interrupted)).rejects.toThrow("died");
      expect(await listed()).toEqual([left.slice(0, 50), left.slice(50, 100), left.slice(100)]);
      for (const page of [1, 2]) {
        const asked = await record(table, () => listScrapers(table, account, page));
        expect(asked.map(({ command }) => command)).toEqual(["BatchGetItemCommand", "QueryCommand"]);
      }
    });
  });

  describe("lists of runs", () => {
    test("have exactly the account's or the scraper's runs, newest first, for the same few requests for every page", async () => {
      const account = await newAccount();
      const [one, two] = [await newScraper(account), await newScraper(account)];
      const stored: NewRun[] = [];
      for (let count = 0; count < 102; count += 1) {
        const run = await storeRun(table, account, count % 3 === 0 ? two : one);
        stored.unshift(run);
        if (count !== 30) continue;
        // The second of two requests with one key gives its number back.
        const id = newId(await takeNumber(table, account, "run"), new Date());
        const scraper_number = await takeScraperRunNumber(table, account, two.id, id);
        await dropNumbers(table, { ...run, id, scraper_number });
      }
      const ids = async (page: number, scraperId?: string) =>
        (await listRuns(table, account, { page, scraperId })).items.map(({ id }) => id);
      for (const scraperId of [undefined, one.id, two.id]) {
        const wanted = stored.filter((run) => scraperId === undefined || run.scraper_id === scraperId);
        const all = wanted.map(({ id }) => id);
        expect(await ids(1, scraperId)).toEqual(all.slice(0, 50));
        expect(await ids(2, scraperId)).toEqual(all.slice(50, 100));
        expect(await ids(3, scraperId)).toEqual(all.slice(100));
      }
      for (const unknown of ["unknown", "x".repeat(2_500)]) expect(await ids(1, unknown)).toEqual([]);
      const other = await newAccount();
      for (const scraperId of [undefined, one.id])
        expect(await listRuns(table, other, { page: 1, scraperId })).toEqual({ items: [], nextPage: null });
      for (const scraperId of [undefined, one.id]) {
        const requests = [];
        for (const page of [1, 2])
          requests.push((await record(table, () => listRuns(table, account, { page, scraperId }))).length);
        expect(requests).toEqual(scraperId === undefined ? [2, 2] : [3, 3]);
      }
    });

    test("of a scraper whose runs took their numbers of the account in another order are in its own order", async () => {
      const account = await newAccount();
      const scraper = await newScraper(account);
      const stored: NewRun[] = [];
      const run = await storeRun(table, account, scraper);
      const ids = [];
      for (let count = 0; count < 101; count += 1)
        ids.push(newId(await takeNumber(table, account, "run"), new Date()));
      for (const id of ids.reverse()) {
        const scraper_number = await takeScraperRunNumber(table, account, scraper.id, id);
        stored.unshift({ ...run, id, scraper_number });
      }
      for (const one of stored) await createRun(table, one, new Date());
      const all = [...stored, run].map(({ id }) => id);
      // Old enough for readers to note what has no run. They must find the same afterwards.
      const now = later(new Date(), 26 * 3_600_000);
      const query = { scraperId: scraper.id, now };
      for (const time of ["first", "second"]) {
        const lists: string[][] = [[], []];
        for (const page of [1, 2, 3]) {
          const plain = await listRuns(table, account, { ...query, page });
          const running = await listRunsByStatus(
            table,
            account,
            { scraperId: scraper.id, page, status: "running" },
            now,
          );
          for (const [index, { items }] of [plain, running].entries())
            lists[index]?.push(...items.map(({ id }) => id));
        }
        expect([time, ...lists]).toEqual([time, all, all]);
      }
    });

    test("a number that was never used makes no page shorter", async () => {
      const account = await newAccount();
      const scraper = await newScraper(account);
      for (let count = 0; count < 30; count += 1) await storeRun(table, account, scraper);
      await takeNumber(table, account, "run");
      await takeScraperRunNumber(table, account, scraper.id, newId(31, new Date()));
      for (let count = 0; count < 30; count += 1) await storeRun(table, account, scraper);
      // Until then, a repeated request may still store the run.
      const now = later(new Date(), 26 * 3_600_000);
      for (const scraperId of [undefined, scraper.id]) {
        const young = await listRuns(table, account, { page: 1, scraperId });
        const first = await listRuns(table, account, { page: 1, scraperId, now });
        const second = await listRuns(table, account, { page: 2, scraperId, now });
        expect([young.items.length, first.items.length, first.nextPage]).toEqual([50, 50, 2]);
        expect([second.items.length, second.nextPage]).toEqual([10, null]);
        expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(60);
      }
    });

    test("of runs that don't fit one read are whole all the same", async () => {
      const account = await newAccount();
      const value = "x".repeat(9_000);
      const steps = Array.from(
        { length: 8 },
        (_, index) => ({ id: `s${index}`, type: "write_input", value }) as const,
      );
      const scraper = await storeScraper(table, account, { ...definition, steps }, new Date());
      const ids: string[] = [];
      for (let count = 0; count < 52; count += 1) {
        // A last page that is full has no next one.
        if (count === 50) expect((await listRuns(table, account, { page: 1 })).nextPage).toBeNull();
        ids.unshift((await storeRun(table, account, scraper)).id);
      }
      for (const scraperId of [undefined, scraper.id]) {
        const first = await listRuns(table, account, { page: 1, scraperId });
        const second = await listRuns(table, account, { page: 2, scraperId });
        expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
        expect([first.items.length, first.nextPage, second.nextPage]).toEqual([50, 2, null]);
      }
    });
  });

  describe("rows", () => {
    const writeAll = async (run: StoredRun, rows: Row[], batch = rows.length) => {
      const writer = new RowWriter(table, run, run);
      for (let at = 0; at < rows.length; at += batch) {
        writer.append(rows.slice(at, at + batch));
        if (writer.isFull) await writer.flush();
      }
      await finishRun(table, run, { ...noResult, ...(await writer.finish()) }, success, undefined);
      return readAll(run);
    };
    const readAll = async (run: StoredRun): Promise<Row[]> => {
      const stored = await getRun(table, run);
      if (stored === undefined) throw new Error("no run");
      const pieces = [];
      for await (const piece of readRows(table, stored)) pieces.push(piece);
      return JSON.parse(`[${Buffer.concat(pieces)}]`);
    };

    test("come back as they were written: none, few, with every kind of text", async () => {
      expect(await writeAll(await claimNew(), [])).toEqual([]);
      const rows: Row[] = [
        { a: "", b: "ünï 漢字 🙂 \u0000 \u2028 \"'\\" },
        {},
        JSON.parse('{"__proto__":"x","constructor":"y","":"z"}'),
        { a: "\ud800 lone" },
      ];
      expect(JSON.stringify(await writeAll(await claimNew(), rows))).toBe(JSON.stringify(rows));
    });

    test("more than fits an item is cut into pieces", async () => {
      const rows = Array.from({ length: 15_000 }, (_, index) => ({
        name: `Product ${index}`,
        text: randomBytes(24).toString("base64"),
      }));
      const run = await claimNew();
      expect(await writeAll(run, rows, 1000)).toEqual(rows);
      expect((await getRun(table, run))?.segments).not.toEqual([]);
    });

    test("one row may be larger than an item", async () => {
      const rows = [
        { a: "first" },
        { a: randomBytes(1_000_000).toString("base64") },
        { a: "é".repeat(1_000_000) },
      ];
      expect(await writeAll(await claimNew(), rows)).toEqual(rows);
    });

    test("an attempt goes on behind what the one before it stored, and nothing of what it did not", async () => {
      const now = new Date();
      const rows = Array.from({ length: 3500 }, (_, index) => ({
        text: `${index} ${randomBytes(300).toString("hex")}`,
      }));
      const first = await claimNew(now);
      const writer = new RowWriter(table, first, first);
      writer.append(rows.slice(0, 2000));
      const progress = {
        ...noProgress,
        ...(await writer.flush()),
        checkpoint: { at: 2000 },
        credits_used: 1,
      };
      await saveProgress(table, first, progress, { now, leaseUntil: now });
      writer.append(rows.slice(2000));
      writer.append(rows);
      await writer.flush();
      const second = await claimRun(table, first, now, 60_000);
      if (second === undefined) throw new Error("not claimed");
      expect(second.row_count).toBe(2000);
      expect(await writeAll(second, rows.slice(2000))).toEqual(rows);
    });
  });

  describe("webhooks", () => {
    test("secrets are made once, and two are valid while they change", async () => {
      const account = await newAccount();
      let made = 0;
      const secret = () => `secret-${++made}`;
      const [one, other] = await Promise.all([
        webhookSecrets(table, account, secret),
        webhookSecrets(table, account, secret),
      ]);
      expect(one).toEqual(other);
      const [first = ""] = one ?? [];
      const [second = "", ...rest] = await rotateWebhookSecret(table, account, secret);
      expect(rest).toEqual([first]);
      expect((await rotateWebhookSecret(table, account, secret))[1]).toBe(second);
      expect(await webhookSecrets(table, await newAccount(), secret)).not.toContain(second);
    });

    test("an attempt is claimed once and counted first; its result replaces its beginning", async () => {
      const now = new Date("2026-11-21T00:00:00.000Z");
      const account = await newAccount();
      const stored = await storeRun(table, account, await newScraper(account), {
        webhookUrl: "https://example.org/",
      });
      const run = await claimRun(table, stored, now, 1000);
      if (run === undefined) throw new Error("not claimed");
      await finishRun(table, run, noResult, success, now);
      const seen = await getRun(table, run);
      if (seen === undefined) throw new Error("no run");
      const nextAt = later(now, 60_000);
      const claims = await Promise.all([0, 1].map(() => claimWebhook(table, seen, { now, nextAt })));
      const [claimed, ...rest] = claims.filter((claim) => claim !== undefined);
      expect(rest).toEqual([]);
      if (claimed === undefined) throw new Error("not claimed");
      expect(claimed).toMatchObject({ webhook_attempts: 1, webhook_next_at: nextAt.toISOString() });
      const begun = { at: now.toISOString(), status: null, duration_ms: 0, answer: expect.any(String) };
      expect((await getRun(table, run))?.webhook_log).toEqual([begun]);
      const result = { at: now.toISOString(), status: 500, duration_ms: 12, answer: "no" };
      await scheduleWebhook(table, claimed, result, { nextAt: later(now, 5_000), due: later(now, 5_000) });
      expect((await getRun(table, run))?.webhook_log).toEqual([result]);
      // The result of an attempt that another one has followed is late, and changes nothing.
      await endWebhook(table, claimed, "delivered", { ...result, status: 200 });
      expect(await getRun(table, run)).toMatchObject({ undelivered: true, webhook_log: [result] });
    });

    test("are sent again for a finished run that has one, and for no other", async () => {
      const now = new Date();
      const without = await claimNew(now);
      const resend = async (run: StoredRun) =>
        resendWebhook(table, (await getRun(table, run)) as StoredRun, now);
      expect(await resend(without)).toBe(false);
      await finishRun(table, without, noResult, success, undefined);
      expect(await resend(without)).toBe(false);

      const account = await newAccount();
      const stored = await storeRun(table, account, await newScraper(account), {
        webhookUrl: "https://example.org/",
      });
      const run = await claimRun(table, stored, now, 1000);
      if (run === undefined) throw new Error("not claimed");
      await finishRun(table, run, noResult, success, now);
      await endWebhook(table, run, "failed");
      expect(await getRun(table, run)).toMatchObject({ webhook_outcome: "failed" });
      expect(await resend(run)).toBe(true);
      expect(await getRun(table, run)).toMatchObject({ undelivered: true, webhook_attempts: 0 });
    });
  });

  describe("idempotency", () => {
    test("the first record of a key stands for 24 hours, for its account alone", async () => {
      const [account, other] = [await newAccount(), await newAccount()];
      const run = await storeRun(table, account, await newScraper(account));
      const now = new Date();
      const record = { fingerprint: "a", run };
      expect(await putRecord(table, account, "key", record, now)).toBe(true);
      expect(await putRecord(table, account, "key", { ...record, fingerprint: "b" }, now)).toBe(false);
      expect(await findRecord(table, account, "key", later(now, 86_000_000))).toMatchObject(record);
      expect(await findRecord(table, other, "key", now)).toBeUndefined();
      const tomorrow = later(now, 86_402_000);
      expect(await findRecord(table, account, "key", tomorrow)).toBeUndefined();
      expect(await putRecord(table, account, "key", { ...record, fingerprint: "b" }, tomorrow)).toBe(true);
    });
  });

  describe("tickets", () => {
    test("name their account for 24 hours, and only their hash is stored", async () => {
      const [account, now] = [await newAccount(), new Date()];
      const requests = await record(table, async () => {
        const ticket = await issueTicket(table, account, now);
        expect(await accountOfTicket(table, ticket, later(now, 86_000_000))).toBe(account);
        expect(await accountOfTicket(table, ticket, later(now, 86_402_000))).toBeUndefined();
        expect(await accountOfTicket(table, `${ticket}x`, now)).toBeUndefined();
      });
      expect(requests[0]?.input).toMatchObject({ Item: { pk: expect.stringMatching(/^TICKET#/), account } });
      expect(JSON.stringify(requests)).not.toContain("ticket_");
    });
  });

  describe("credits", () => {
    test("count once, together with the end of the run, in the month in which it was created", async () => {
      const now = new Date("2026-11-10T12:10:00Z");
      const first = await claimNew(now);
      const { account } = first;
      const ended = { ...noResult, credits_used: 5 };
      await Promise.all(Array.from({ length: 4 }, () => finishRun(table, first, ended, success, undefined)));
      expect(await creditsUsed(table, account, "2026-11")).toBe(5);
      const stored = await storeRun(table, account, await newScraper(account), { now });
      const second = await claimRun(table, stored, later(now, 40 * 86_400_000), 1000);
      if (second === undefined) throw new Error("not claimed");
      await finishRun(table, second, ended, success, undefined);
      expect(await creditsUsed(table, account, "2026-11")).toBe(10);
      expect(await creditsUsed(table, account, "2026-12")).toBe(0);
    });
  });
});
