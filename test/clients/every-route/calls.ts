import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Batch } from "../../../functions/contract/batches/batch.ts";
import type { Route } from "../../../functions/contract/route.ts";
import { type RouteName, routes } from "../../../functions/contract/routes.ts";
import { PROJECT_FOLDER } from "../../../lib/project-folder.ts";
import type { World } from "../../e2e/harness.ts";

/** One call of a route. The programs in this folder make it with a generated client. */
export interface Call {
  operation: RouteName;
  method: string;
  path: string;
  /** The tag of the route in openapi.json, by which clients group their functions. */
  tag: string;
  id?: string;
  body?: object;
}

const readJson = async (file: string) => JSON.parse(await readFile(join(PROJECT_FOLDER, file), "utf8"));

/** Stores what the calls need, and returns a successful call of each route. */
export async function callsOf(world: World): Promise<Call[]> {
  const [open, category, search, list] = (await readJson("examples/shop-catalogue.json")).steps;
  const visit = { ...open, url: `${world.shopUrl}/books` };
  const definition = {
    name: "Books",
    // A run of a list with a key has changes.
    steps: [visit, category, search, { ...list, key: ["url"] }],
    webhook_url: world.receiverUrl,
  };
  const missing = { type: "get_list", selector: ".missing", timeout_ms: 100, fields: list.fields };
  const [first, second] = [await world.putScraper(definition), await world.putScraper(definition)];
  const failing = await world.putScraper({ name: "Failing", steps: [visit, missing] });
  const finishedRun = async (scraper_id: string) => {
    const { body } = await world.post("/v1/runs", { scraper_id });
    return (await world.finished(body.id)).id;
  };
  const run = await finishedRun(first.id);
  const finishedBatch = async () => {
    const inputs = [{ [search.id]: "paperback" }];
    const { body } = await world.post<Batch>("/v1/batches", { scraper_id: first.id, inputs });
    return (await world.finishedBatch(body.id)).id;
  };
  const batch = { id: await finishedBatch() };
  const hook = async (url: string) => {
    const body = { url, format: "standard", events: ["credits.low"] };
    return { id: (await world.post<{ id: string }>("/v1/hooks", body)).body.id };
  };
  const kept = await hook(`${world.receiverUrl}1`);
  const given: Partial<Record<RouteName, Pick<Call, "id" | "body">>> = {
    createRun: { body: { scraper_id: first.id, rows_limit: 1 } },
    getRunScreenshot: { id: await finishedRun(failing.id) },
    deleteRun: { id: await finishedRun(first.id) },
    createScraper: { body: definition },
    getScraper: { id: first.id },
    replaceScraper: { id: first.id, body: definition },
    deleteScraper: { id: second.id },
    deleteSeen: { id: first.id },
    createBatch: { body: { scraper_id: first.id, inputs: [{ [search.id]: "paperback" }] } },
    getBatch: batch,
    listBatchInputs: batch,
    getBatchRows: batch,
    stopBatch: batch,
    deleteBatch: { id: await finishedBatch() },
    createHook: { body: { url: `${world.receiverUrl}2`, format: "standard", events: ["run.finished"] } },
    getHook: kept,
    testHook: kept,
    deleteHook: await hook(`${world.receiverUrl}3`),
    putSession: { id: "shop", body: { cookies: [], origins: [] } },
    deleteSession: { id: "shop" },
    createInspection: { body: { url: world.shopUrl, want: ["lists"] } },
    callMcp: { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } },
  };
  const { paths } = await readJson("openapi.json");
  return (Object.keys(routes) as RouteName[]).map((operation) => {
    const { method, path } = routes[operation];
    const [tag] = paths[path][method.toLowerCase()].tags;
    return { operation, method, path, tag, ...(path.includes("{id}") && { id: run }), ...given[operation] };
  });
}

/** @throws Error unless a program printed, for each call, the name of its route and a status of success */
export function requireSuccess(calls: Call[], printed: string): void {
  const statuses = new Map(printed.split("\n").map((line) => line.split(" ") as [string, string]));
  const failed = calls.filter(({ operation }) => {
    const { status, otherStatus }: Route = routes[operation];
    return ![status, otherStatus].map(String).includes(statuses.get(operation) ?? "");
  });
  if (failed.length === 0) return;
  throw new Error(`These calls failed: ${failed.map(({ operation }) => operation).join(", ")}\n${printed}`);
}
