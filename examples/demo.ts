import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Table from "cli-table3";
import type { Run } from "../functions/contract/runs/run.ts";
import { startShop } from "./shop/server.ts";

/*
 * The main use case from end to end, with the command line and the HTTP API only: a browser reads a shop's catalogue, and
 * the rows arrive by webhook.
 */

const GLEANER = fileURLToPath(new URL("../bin/gleaner.js", import.meta.url));
const SCRAPER = fileURLToPath(new URL("./shop-catalogue.json", import.meta.url));
const TIMEOUT_MS = 45_000;

const say = (text: string) => console.log(`\n▸ ${text}`);
const show = (text: string) => console.log(text.replace(/^/gm, "    "));
const gleaner = async (...args: string[]) =>
  (await promisify(execFile)(process.execPath, [GLEANER, ...args])).stdout.trim();

const folder = await mkdtemp(join(tmpdir(), "gleaner-demo-"));
const shop = await startShop();
const receiver = await startReceiver();
let errors = "";
const service = spawn(
  process.execPath,
  [
    GLEANER,
    "start",
    "--port",
    "0",
    "--data",
    folder,
    "--allow-host",
    new URL(shop.url).host,
    "--allow-host",
    new URL(receiver.url).host,
  ],
  { stdio: ["ignore", "pipe", "pipe"] },
);
service.stderr.on("data", (chunk) => {
  errors += chunk;
});
try {
  await demo();
} catch (error) {
  console.error(errors);
  throw error;
} finally {
  service.kill("SIGTERM");
  if (service.exitCode === null) await once(service, "exit");
  receiver.close();
  await shop.close();
  await rm(folder, { recursive: true, force: true });
}

async function demo(): Promise<void> {
  say(`A small bookshop is open at ${shop.url}`);

  const baseUrl = await readBaseUrl(service);
  say(`The service runs at ${baseUrl}, with its data in a temporary folder`);
  const { api_key: apiKey } = JSON.parse(await readFile(join(folder, "credentials.json"), "utf8"));

  say("Store the scraper examples/shop-catalogue.json:");
  show("$ npx gleaner scraper put examples/shop-catalogue.json");
  const scraper = JSON.parse(
    await gleaner("scraper", "put", await scraperFile(), "--data", folder, "--json"),
  );
  show(`Stored the scraper "${scraper.name}" as ${scraper.id}`);

  say(
    "Create a run with the API. It overrides the search text, extracts at most 8 rows and calls a webhook:",
  );
  const form = {
    scraper_id: scraper.id,
    "steps[0][id]": "search",
    "steps[0][value]": "paperback",
    rows_limit: "8",
    webhook_url: receiver.url,
  };
  const fields = Object.entries(form).map(([name, value]) => `  -d '${name}=${value}'`);
  show([`$ curl ${baseUrl}/v1/runs -H 'Authorization: Bearer glr_…' \\`, fields.join(" \\\n")].join("\n"));
  const response = await fetch(`${baseUrl}/v1/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: new URLSearchParams(form),
  });
  const created = (await response.json()) as Run;
  if (response.status !== 201) throw new Error(JSON.stringify(created));
  show(`201 Created: run ${created.id} is ${created.status}`);

  say("Chromium opens the shop, chooses a category, searches, and reads the list page by page …");
  const run = await receiver.received;
  const seconds = (Date.parse(run.finished_at ?? "") - Date.parse(run.created_at)) / 1000;
  show(
    `The webhook arrived: the run is ${run.status} after ${seconds.toFixed(1)} s, with ${run.result_rows?.length} rows for ${run.credits_used} credits`,
  );
  if (run.status !== "successful") throw new Error(run.error?.message);

  say("Its rows:");
  show(tableOf(run.result_rows ?? []));

  if (run.warnings.length > 0) {
    say(
      "Its warnings. Both are harmless here: the search has one page, and none of its books has an old price:",
    );
    for (const { code, message } of run.warnings) show(`${code}: ${message}`);
  }

  say(`The run, from GET ${baseUrl}/v1/runs/${run.id}:`);
  const stored = await fetch(`${baseUrl}/v1/runs/${run.id}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const json = (await stored.json()) as Run;
  show(JSON.stringify({ ...json, result_rows: json.result_rows?.slice(0, 1) }, null, 2));
  show(`(the first of its ${json.result_rows?.length} rows)`);

  say("Next, start the service with the shop, and open the link that it prints:");
  show("$ npm start");
  say("docs/tutorial.md leads from the address of a page to a spreadsheet in five minutes");
}

/** The base URL that the service prints when it is ready. */
async function readBaseUrl(child: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    // Read on after that: a service whose output nobody reads any more ends.
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      const match = /listening on (http:\S+)\n/.exec(output);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    child.once("exit", () => reject(new Error("The service did not start.")));
  });
}

/** The example, with the actual address of the shop. */
async function scraperFile(): Promise<string> {
  const path = join(folder, "shop-catalogue.json");
  const definition = await readFile(SCRAPER, "utf8");
  await writeFile(path, definition.replaceAll("http://localhost:4100", shop.url));
  return path;
}

/** A webhook receiver for one run. */
async function startReceiver() {
  let resolve: (run: Run) => void;
  const received = new Promise<Run>((onRun, reject) => {
    resolve = onRun;
    setTimeout(
      () => reject(new Error(`No webhook arrived within ${TIMEOUT_MS / 1000} s.`)),
      TIMEOUT_MS,
    ).unref();
  });
  received.catch(() => undefined);
  const server = createServer(async (request, response) => {
    const body = await Array.fromAsync(request as AsyncIterable<Buffer>);
    response.end("thank you");
    resolve(JSON.parse(Buffer.concat(body).toString()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/runs`,
    received,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function tableOf(rows: readonly Record<string, string>[]): string {
  const columns = ["name", "author", "price", "old_price", "rating", "stock"];
  const table = new Table({ head: columns, style: { head: [], border: [] } });
  for (const row of rows) table.push(columns.map((column) => row[column] ?? ""));
  return table.toString();
}
