import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { NewRun, RunRef, StoredRun } from "../../../functions/runs/run.ts";
import { type Account, createAccount, takeNumber } from "../../../functions/store/accounts.ts";
import { newId } from "../../../functions/store/runs/numbering.ts";
import { claimRun, finishRun } from "../../../functions/store/runs/run-state.ts";
import { createRun } from "../../../functions/store/runs/runs.ts";
import { takeScraperRunNumber } from "../../../functions/store/runs/scraper-runs.ts";
import {
  createScraper,
  type NewScraper,
  newScraperId,
  type StoredScraper,
} from "../../../functions/store/scrapers.ts";
import type { Table } from "../../../functions/store/table.ts";

export const definition = {
  name: "Books",
  steps: [
    { id: "open", type: "visit", url: "https://example.org/books" },
    { id: "list", type: "get_list", selector: "li", fields: [{ name: "title" }] },
  ],
  pagination: { type: "none" },
  rows_limit: 10,
  schedule: null,
  proxy: { type: "none" },
  webhook_url: null,
} satisfies NewScraper;

let accounts = 0;

/** Creates an account that no other test uses. */
export async function newAccount(
  table: Table,
  limits: Partial<Pick<Account, "credit_limit" | "rate_limit">> = {},
): Promise<string> {
  accounts += 1;
  const name = `account-${accounts}`;
  const created_at = new Date().toISOString();
  await createAccount(table, { name, credit_limit: null, rate_limit: null, created_at, ...limits });
  return name;
}

/** Stores a scraper under a new id. */
export async function storeScraper(
  table: Table,
  account: string,
  scraper: NewScraper,
  now: Date,
  dueAt?: Date,
): Promise<StoredScraper> {
  const id = await newScraperId(table, account, now);
  const stored = await createScraper(table, account, id, scraper, now, dueAt);
  if (stored === undefined) throw new Error(`There is a scraper ${id} already.`);
  return stored;
}

/** Stores a run, of a new account if none is given, and claims it for a minute. */
export async function claimNew(table: Table, now = new Date(), of?: string): Promise<StoredRun> {
  const account = of ?? (await newAccount(table));
  const scraper = await storeScraper(table, account, definition, now);
  const claimed = await claimRun(table, await storeRun(table, account, scraper, { now }), now, 60_000);
  if (claimed === undefined) throw new Error("not claimed");
  return claimed;
}

/** Takes a run, and ends it without a row. */
export async function endRun(table: Table, run: RunRef, status: "successful" | "failed", now = new Date()) {
  const claim = await claimRun(table, run, now, 1_000);
  if (claim === undefined) throw new Error("not claimed");
  const result = { row_count: 0, row_bytes: 0, segments: [], credits_used: 0, warnings: [], elapsed_ms: 0 };
  await finishRun(table, claim, result, { status, error: null, finished_at: now.toISOString() }, undefined);
}

/** Everything in the table that belongs to a run. */
export async function leftOf(
  { db, name: TableName }: Table,
  { id }: RunRef,
): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await db.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return Items.filter((item) => item.id === id || String(item.pk).includes(`#RUN#${id}#`));
}

/** Stores a run of a scraper as the API would. */
export async function storeRun(
  table: Table,
  account: string,
  scraper: StoredScraper,
  options: { now?: Date; dueAt?: Date; webhookUrl?: string; expiresAt?: number } = {},
): Promise<NewRun> {
  const { now = new Date(), dueAt = now, webhookUrl = null, expiresAt } = options;
  const id = newId(await takeNumber(table, account, "run"), now);
  const scraperNumber = await takeScraperRunNumber(table, account, scraper.id, id);
  const run: NewRun = {
    id,
    account,
    scraper_id: scraper.id,
    source: "api",
    status: "running",
    credits_used: 0,
    steps: scraper.steps,
    rows_limit: scraper.rows_limit,
    webhook_url: webhookUrl,
    created_at: now.toISOString(),
    finished_at: null,
    error: null,
    warnings: [],
    scraper_version: scraper.version,
    pagination: scraper.pagination,
    proxy: scraper.proxy,
    scraper_number: scraperNumber,
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  };
  await createRun(table, run, dueAt);
  return run;
}
