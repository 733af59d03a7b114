import { rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { newApiKey } from "../../../functions/accounts/api-key-format.ts";
import { RunFailure } from "../../../functions/runs/failure.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { type ApiKey, putApiKey, sha256 } from "../../../functions/store/api-keys.ts";
import { openLocalTable, tableOf } from "../../../local/backend.ts";
import { FORMAT } from "../../../local/dynamodb/table-format.ts";
import { definition, storeScraper } from "../../functions/store/samples.ts";
import { startLife } from "../../functions/workers/life.ts";

/*
 * Writes a table of the current format, to be kept beside this file: node test/local/tables/write.ts. Its account has a
 * key, a scraper with a schedule, and three runs: one successful and delivered, one in progress with a checkpoint, and one
 * failed with evidence, whose webhook is not delivered yet.
 */

const path = `${import.meta.dirname}/format-${FORMAT}.sqlite`;
const draft = `${path}.draft`;

const schedule = { interval: "1 day", timezone: "Europe/Paris", anchor: "2026-11-22T08:00:00.000Z" };
const rows = [{ title: "Emma" }, { title: "Ulysses" }];
const down = new RunFailure("http_error", "The shop is down.", { step: 0 });
down.evidence = { url: "https://shop.example/", title: "Down", screenshot: Buffer.from("a picture") };

const successful: Scrape = async function* (_, { onPageLoad }) {
  onPageLoad();
  yield { rows, checkpoint: { page: 1 } };
  return "done";
};
const interrupted: Scrape = async function* (_, { onPageLoad, turns }) {
  await turns?.take("shop.example", 10, Number.POSITIVE_INFINITY);
  onPageLoad();
  yield { rows: rows.slice(0, 1), checkpoint: { page: 2 } };
  return "handover";
};
const failing: Scrape = async function* (_, { onPageLoad }) {
  onPageLoad();
  yield { rows: rows.slice(0, 1), checkpoint: { page: 1 } };
  throw down;
};

const dynamoDb = openLocalTable(draft);
const table = tableOf(dynamoDb);
const life = await startLife(table, {
  creditLimit: 100,
  scraper: { webhook_url: "https://hooks.example/run" },
  scrape: successful,
});
const { account, deps } = life;
const now = deps.now();
await storeScraper(table, account, { ...definition, schedule }, now, new Date(schedule.anchor));
const created_at = now.toISOString();
const kept: ApiKey = { id: newApiKey().id, account, label: "kept", scope: "write", created_at };
await putApiKey(table, kept, sha256("the kept key"));
const first = await life.start();
await life.execute(first);
await life.deliver(first);
await life.execute(await life.start(), { scrape: interrupted });
await life.execute(await life.start(), { scrape: failing });
dynamoDb.close();

await rm(path, { force: true });
const db = new DatabaseSync(draft);
db.prepare("VACUUM INTO ?").run(path);
db.close();
await rm(draft);
