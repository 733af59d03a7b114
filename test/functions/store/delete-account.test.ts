import { ScanCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "@jest/globals";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { inArray } from "../../../functions/batches/check-inputs.ts";
import { startBatch } from "../../../functions/batches/start-batch.ts";
import { accountKey, createAccount, getAccount, listAccounts } from "../../../functions/store/accounts.ts";
import { deleteAccount } from "../../../functions/store/delete-account.ts";
import { claimRun } from "../../../functions/store/runs/run-state.ts";
import { webhookSecrets } from "../../../functions/store/webhooks.ts";
import { startLife, takeTurnAndFail } from "../workers/life.ts";
import { startTable } from "./local-table.ts";
import { definition, storeScraper } from "./samples.ts";

const table = await startTable();
const none = async () => {};

/** An account with one of everything. */
async function scene() {
  const life = await startLife(table, {
    creditLimit: 100,
    scrape: takeTurnAndFail,
  });
  const { account, clock } = life;
  const now = () => new Date(clock.time);
  await createApiKey(table, account, now());
  await createApiKey(table, account, now(), { label: "second" });
  await webhookSecrets(table, account, () => "whsec_test");
  await storeScraper(table, account, definition, now());
  const run = await life.start();
  await life.execute(run);
  const batch = await startBatch(life.deps, {
    account,
    source: "api",
    settings: { scraper_id: life.scraper.id, concurrency: 1 },
    inputs: { inputs: [{ open: "https://example.org/" }], placeOf: inArray },
  });
  if (batch.outcome !== "started") throw new Error(batch.outcome);
  await life.advance(batch.batch);
  for (const { ref } of life.runs.splice(1)) await life.execute(ref);
  await life.advance(batch.batch);
  return { ...life, now, run, remove: (secrets = none) => deleteAccount(table, account, now(), secrets) };
}

/** The keys of what the table has of an account, without what expires within a day. */
async function leftOf(account: string): Promise<string[]> {
  const items: Record<string, unknown>[] = [];
  let next: Record<string, unknown> | undefined;
  do {
    const page = await table.db.send(
      new ScanCommand({ TableName: table.name, ExclusiveStartKey: next, ConsistentRead: true }),
    );
    items.push(...(page.Items ?? []));
    next = page.LastEvaluatedKey;
  } while (next !== undefined);
  return items
    .filter(({ pk, account: owner }) => owner === account || `${pk}#`.startsWith(`ACCOUNT#${account}#`))
    .map(({ pk, sk }) => `${pk} ${sk}`)
    .filter((key) => !/#IDEMPOTENCY#|#HOST#/.test(key));
}

test("a deleted account leaves nothing, and others stay as they are", async () => {
  const other = await scene();
  const { account, remove } = await scene();
  const before = await leftOf(other.account);
  for (const part of [
    "#RUNS",
    "#ROWS",
    "#EVIDENCE",
    "#BATCHES",
    "#BATCH#",
    "#CREDITS",
    "#SCRAPERS",
    "WEBHOOK_SECRETS",
    "KEY#",
  ])
    expect((await leftOf(account)).join()).toContain(part);
  let hasRemovedSecrets = false;
  const removed = await remove(async () => {
    hasRemovedSecrets = true;
  });
  expect([removed, hasRemovedSecrets]).toEqual(["deleted", true]);
  expect(await leftOf(account)).toEqual([]);
  expect(await leftOf(other.account)).toEqual(before);
  expect(await remove()).toBe("unknown");
});

test("a run in progress keeps the account as it is", async () => {
  const { account, start, now, remove } = await scene();
  await claimRun(table, await start(), now(), 45_000);
  const before = await leftOf(account);
  expect(await remove()).toEqual({ running: 1, isBegun: false });
  expect(await leftOf(account)).toEqual(before);
});

test("a batch in progress keeps the account as it is", async () => {
  const { account, deps, scraper, remove } = await scene();
  await startBatch(deps, {
    account,
    source: "api",
    settings: { scraper_id: scraper.id, concurrency: 1 },
    inputs: { inputs: [{ open: "https://example.org/" }], placeOf: inArray },
  });
  const before = await leftOf(account);
  expect(await remove()).toEqual({ running: 1, isBegun: false });
  expect(await leftOf(account)).toEqual(before);
});

test("very many runs that have expired do not hold up a deletion", async () => {
  const { account, remove } = await scene();
  await table.db.send(
    new UpdateCommand({
      TableName: table.name,
      Key: accountKey(account),
      UpdateExpression: "ADD run_count :expired",
      ExpressionAttributeValues: { ":expired": 20_000 },
    }),
  );
  expect(await remove()).toBe("deleted");
  expect(await leftOf(account)).toEqual([]);
});

test("a deletion that is interrupted anywhere is completed by the next one", async () => {
  const { account, remove } = await scene();
  let left = 0;
  let deletes = 0;
  table.db.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        if (commandName.startsWith("Delete")) {
          if (left === 0) throw new Error("The process ended.");
          left -= 1;
          deletes += 1;
        }
        return next(args);
      },
    { step: "initialize", name: "ending" },
  );
  let result: unknown;
  for (let allowed = 1; result !== "deleted" && allowed < 80; allowed += 1) {
    left = allowed;
    result = await remove().catch(() => "interrupted");
    if (result === "interrupted") expect(await getAccount(table, account)).toBeDefined();
  }
  table.db.middlewareStack.remove("ending");
  expect(result).toBe("deleted");
  expect(deletes).toBeGreaterThan(10);
  expect(await leftOf(account)).toEqual([]);
});

test("an account with the name of a deleted one starts anew", async () => {
  const { account, run, clock, remove, now, start, execute, read } = await scene();
  await remove();
  clock.time += 60_000;
  const created_at = now().toISOString();
  await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at });
  expect(await listAccounts(table)).toContainEqual({
    name: account,
    credit_limit: null,
    rate_limit: null,
    created_at,
  });
  await expect(start()).rejects.toThrow("unknown_scraper");
  const scraper = await storeScraper(table, account, definition, now());
  const next = await start({ request: { scraper_id: scraper.id } });
  await execute(next);
  expect(await read(next)).toMatchObject({ status: "failed", row_count: 1 });
  await expect(read(run)).rejects.toThrow("no run");
});
