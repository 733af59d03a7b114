import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { books } from "../../../examples/shop/books.ts";
import type { Hook } from "../../../functions/contract/hooks/hook.ts";
import type { Inspection } from "../../../functions/contract/inspections/inspection.ts";
import type { Delivery } from "../../../functions/contract/scrapers/delivery.ts";
import { setDisabled } from "../../../functions/store/hooks/hooks.ts";
import { putSession } from "../../../functions/store/sessions.ts";
import { PROJECT_FOLDER } from "../../../lib/project-folder.ts";
import type { ConsoleWorld } from "./console-world.ts";
import { storeRun } from "./stored-run.ts";

/** The ids of what `fillWithExamples` has made. */
export interface Example {
  /** The address of the shop. */
  shop: string;
  scraper: string;
  unused: string;
  /** A scraper whose only run failed. */
  failing: string;
  run: string;
  failed: string;
  warned: string;
  running: string;
  /** A finished batch with a failed input, and one in progress. */
  batch: string;
  runningBatch: string;
}

const DAY_MS = 86_400_000;

/** Scrapers and runs of every kind, as of somebody who has used the service for two weeks. */
export async function fillWithExamples(world: ConsoleWorld): Promise<Example> {
  const { account } = world.service.credentials;
  const text = await readFile(join(PROJECT_FOLDER, "examples", "shop-catalogue.json"), "utf8");
  const shop = JSON.parse(text.replaceAll("http://localhost:4100", world.shopUrl));
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  const schedule = { interval: "1 day", timezone: "Europe/London", next_run: `${tomorrow}T09:00:00.000Z` };
  // The secrets are missing, so the deliveries are tried again.
  const deliveries: Delivery[] = [
    {
      ...{ type: "s3", bucket: "prices", region: "eu-central-1", prefix: "shop/books" },
      ...{ format: "csv", mode: "append", secret: "prices-bucket" },
    },
    {
      ...{ type: "google_sheets", spreadsheet: "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde" },
      ...{ sheet: "Prices", mode: "replace", secret: "sheets-key" },
    },
  ];
  const webhook_url = world.receiverUrl;
  const { id: scraper } = await world.putScraper({ ...shop, schedule, webhook_url, deliveries });
  const { id: failing } = await world.putScraper({ ...shop, name: "Jobs in Leeds" });
  const { id: prices } = await world.putScraper({ ...shop, name: "Prices of espresso machines" });
  const { id: unused } = await world.putScraper({ ...shop, name: "Opening hours of libraries" });
  const picture = await pictureOfShop(world);
  const now = Date.now();
  for (let day = 14; day > 0; day -= 1) {
    const at = new Date(now - day * DAY_MS);
    const rows = 34 + ((day * 5) % 9);
    const error =
      day === 9 ? { code: "http_error", message: "The server answered with 503.", step: 0 } : undefined;
    await world.withTable((table) =>
      storeRun(table, {
        ...{ account, scraperId: scraper, rows: error ? 12 : rows, at, ms: 3_000 + ((day * 1_777) % 4_000) },
        ...(error && { error }),
      }),
    );
  }
  const warning = {
    ...{ code: "field_empty", step: 3, field: "old_price" },
    message: "No row has the field old_price. Check its selector if the page shows it.",
  };
  const warned = await world.withTable((table) =>
    storeRun(table, {
      account,
      scraperId: prices,
      rows: 24,
      at: new Date(now - 7_200_000),
      warnings: [warning],
    }),
  );
  const message =
    "No element matches .book-card. Check the selector, or whether the page shows the list only after a click.";
  const failed = await world.withTable((table) =>
    storeRun(table, {
      ...{ account, scraperId: failing, rows: 0, at: new Date(now - 3_600_000), screenshot: picture },
      error: { code: "element_not_found", message, step: 3 },
    }),
  );
  const run = await world.finished((await world.post("/v1/runs", { scraper_id: scraper })).body.id);
  // Its second page is a minute away, which costs no CPU time. The test ends earlier.
  const visit = { type: "visit", url: world.shopUrl };
  const steps = [{ ...visit, id: "open" }, ...Array.from({ length: 20 }, () => visit)];
  const pagination = { type: "none", delay_ms: 60_000 };
  const slow = await world.putScraper({ name: "Events in Bristol", steps, pagination });
  const running = (await world.post("/v1/runs", { scraper_id: slow.id })).body.id;
  const batch = await makeBatch(world);
  const { body: runningBatch } = await world.post("/v1/batches", {
    scraper_id: slow.id,
    inputs: Array.from({ length: 40 }, (_, index) => ({ open: `${world.shopUrl}/?week=${index + 1}` })),
    concurrency: 1,
  });
  await addHooks(world, scraper);
  await addSession(world);
  await world.setLimits({ credit_limit: 5_000 });
  return {
    ...{ shop: world.shopUrl, scraper, unused, failing, run: run.id, failed, warned, running, batch },
    runningBatch: runningBatch.id,
  };
}

/** Hooks: one that is disabled, one of the scraper, and one whose receiver answers. */
async function addHooks(world: ConsoleWorld, scraper_id: string): Promise<void> {
  const events = ["scraper.failing", "scraper.recovered"];
  const slack = "https://hooks.slack.com/services/T0001/B0001/xxxxxxxxxxxxxxxxxxxxxxxx";
  const { body: hook } = await world.post<Hook>("/v1/hooks", { url: slack, format: "slack", events });
  const disabled = {
    at: hook.created_at,
    reason: "The receiver answered with 410: it takes no more alerts. no_service",
  };
  await world.withTable((table) => setDisabled(table, world.service.credentials.account, hook.id, disabled));
  await world.post("/v1/hooks", { url: "https://ntfy.sh/my-alerts", format: "ntfy", events, scraper_id });
  await world.post("/v1/hooks", { url: world.receiverUrl, format: "standard", events: ["batch.finished"] });
}

/** A kept sign-in of two hosts. Nothing can unseal its state. */
async function addSession(world: ConsoleWorld): Promise<void> {
  const session = {
    name: "shop",
    sealed: Buffer.from("sealed"),
    hosts: ["accounts.shop.example", "shop.example"],
    saved_at: new Date(Date.now() - 3_600_000).toISOString(),
  };
  await world.withTable((table) => putSession(table, world.service.credentials.account, session, "any"));
}

/** A batch of three books, one of which there is not. Returns its id. */
async function makeBatch(world: ConsoleWorld): Promise<string> {
  const { id: scraper_id } = await world.putScraper({
    name: "Books by address",
    steps: [
      { id: "open", type: "visit", url: `${world.shopUrl}/books` },
      { type: "get_text", selector: "h1", field_name: "title" },
    ],
  });
  const inputs = [
    `${world.shopUrl}${books[0]?.path}`,
    `${world.shopUrl}/gone`,
    `${world.shopUrl}${books[1]?.path}`,
  ];
  const { body } = await world.post("/v1/batches", {
    scraper_id,
    inputs: inputs.map((open, index) => ({ open, article: `A-${index + 1}` })),
  });
  return (await world.finishedBatch(body.id)).id;
}

/** Drawn by the engine. A plain tab of a busy machine now and then refuses to be captured. */
async function pictureOfShop(world: ConsoleWorld): Promise<Buffer> {
  const inspection = { url: `${world.shopUrl}/books`, want: ["screenshot"] };
  const { body } = await world.post<Inspection>("/v1/inspections", inspection);
  return Buffer.from(body.screenshot as string, "base64");
}
