import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { createApiKey } from "../functions/accounts/create-key.ts";
import { apiHandlers } from "../functions/api/api-handlers.ts";
import { sweptSchedules } from "../functions/schedules/schedules.ts";
import { createAccount } from "../functions/store/accounts.ts";
import { runKeys } from "../functions/store/runs/run-keys.ts";
import type { Table } from "../functions/store/table.ts";
import { openBackend, queuesOf, tableOf } from "../local/backend.ts";
import { createGateway } from "../local/http/gateway.ts";
import { noFiles, noKeys } from "../test/no-files.ts";
import { putScraper } from "../test/put-scraper.ts";
import type { Load, LoadResult } from "./api-client.ts";

/*
 * POST and GET of the API at 50 requests a second spread over keys, rate limit on, beside a bare Node HTTP server
 * that does one PutItem or GetItem of the same item on the same table. In turn, round by round, so that both
 * see the same machine. Nothing executes the runs. The client is a thread of its own.
 */
const PER_SECOND = 50;
const REQUESTS = 500;
const ROUNDS = 3;
/** 50 requests in 10 seconds is what one key may do. */
const KEYS = 20;
const LIMIT = 3;

const folder = await mkdtemp(join(tmpdir(), "gleaner-bench-api-"));
const backend = openBackend(join(folder, "table.sqlite"));
const table = tableOf(backend.dynamoDb);
const queues = queuesOf(backend);
const log = { info() {}, error: console.error };
const deps = {
  table,
  queues,
  now: () => new Date(),
  log,
  schedules: sweptSchedules,
  inspect: async () => undefined,
  allowHosts: () => [],
  fetchFile: noFiles,
  sessionKey: noKeys,
};

const account = "bench";
await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
const keys = await Promise.all(
  Array.from({ length: KEYS }, async () => (await createApiKey(table, account, new Date())).key),
);
const scraper = await putScraper(
  table,
  account,
  {
    name: "Bench",
    steps: [
      { type: "visit", url: "https://example.org/" },
      { type: "get_list", selector: "li", fields: [{ name: "title" }, { name: "url", attribute: "href" }] },
    ],
  },
  new Date(),
);

const gateway = createGateway(apiHandlers(deps), log);
const url = await listen(gateway);
const request = JSON.stringify({ scraper_id: scraper.id, rows_limit: 10 });
const first = await fetch(`${url}/v1/runs`, {
  method: "POST",
  body: request,
  headers: { authorization: `Bearer ${keys[0]}`, "content-type": "application/json" },
});
const { id } = (await first.json()) as { id: string };
const Key = runKeys({ account, id })?.head;
const { Item: head = {} } = await table.db.send(new GetCommand({ TableName: table.name, Key }));
const bare = bareServer(table, head);
const bareUrl = await listen(bare);

const api = (method: string, path: string): Load => ({
  url: url + path,
  method,
  body: method === "POST" ? request : undefined,
  keys,
  perSecond: PER_SECOND,
  requests: REQUESTS,
});
const peer = (method: string): Load => ({ ...api(method, ""), url: `${bareUrl}/` });
const loads = {
  POST: [api("POST", "/v1/runs"), peer("POST")],
  GET: [api("GET", `/v1/runs/${id}`), peer("GET")],
} as const;

console.log(`${PER_SECOND} requests/s over ${KEYS} keys, ${ROUNDS} rounds of ${REQUESTS}; milliseconds\n`);
console.log("        API p50    p99 | bare p50    p99 | p50 API / bare");
for (const [name, [ours, theirs]] of Object.entries(loads)) {
  const times: [number[], number[]] = [[], []];
  await run({ ...ours, requests: 100 });
  await run({ ...theirs, requests: 100 });
  for (let round = 0; round < ROUNDS; round += 1) {
    times[0].push(...(await run(ours)));
    times[1].push(...(await run(theirs)));
  }
  const [p50, p99, bareP50, bareP99] = [
    quantile(times[0], 0.5),
    quantile(times[0], 0.99),
    quantile(times[1], 0.5),
    quantile(times[1], 0.99),
  ];
  const figures = [p50, p99].map((ms) => ms.toFixed(2).padStart(7)).join("");
  const bareFigures = [bareP50, bareP99].map((ms) => ms.toFixed(2).padStart(7)).join("");
  console.log(
    `${name.padEnd(5)} ${figures.padStart(16)} | ${bareFigures.padStart(15)} | ${(p50 / bareP50).toFixed(2)} (at most ${LIMIT})`,
  );
}

for (const server of [gateway, bare]) {
  server.close();
  server.closeAllConnections();
}
backend.dynamoDb.close();
await rm(folder, { recursive: true });

/** One PutItem or GetItem a request, and nothing else. */
function bareServer({ db, name: TableName }: Table, item: Record<string, unknown>): Server {
  let puts = 0;
  const Key = { pk: item.pk, sk: item.sk };
  return createServer(async (incoming, response) => {
    if (incoming.method === "POST") {
      JSON.parse(Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>)).toString());
      puts += 1;
      await db.send(new PutCommand({ TableName, Item: { ...item, pk: "BARE", sk: String(puts) } }));
      response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(item));
    } else {
      const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(Item));
    }
  });
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The milliseconds of each request of a load. */
async function run(load: Load): Promise<number[]> {
  const client = new Worker(fileURLToPath(new URL("./api-client.ts", import.meta.url)), { workerData: load });
  const [result] = (await once(client, "message")) as [LoadResult];
  if (result.failed > 0)
    throw new Error(`${result.failed} of ${load.requests} requests failed: ${result.firstFailure}`);
  await sleep(500);
  return result.times;
}

function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * at)] ?? Number.NaN;
}
