import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startShop } from "../../examples/shop/server.ts";
import { createApiKey } from "../../functions/accounts/create-key.ts";
import type { Batch } from "../../functions/contract/batches/batch.ts";
import type { Run } from "../../functions/contract/runs/run.ts";
import type { Scraper } from "../../functions/contract/scrapers/scraper.ts";
import type { Log } from "../../functions/log.ts";
import { createAccount, setLimits } from "../../functions/store/accounts.ts";
import { getBatch } from "../../functions/store/batches/batches.ts";
import { getRun } from "../../functions/store/runs/runs.ts";
import type { Table } from "../../functions/store/table.ts";
import { withService } from "../../local/connect.ts";
import { type Service, type ServiceOptions, startService } from "../../local/service.ts";
import { onFailure } from "../jest/failure-notes.ts";
import { putScraper } from "../put-scraper.ts";
import { listenReachably, SHARED_SERVICE, type SharedService } from "./shared/shared-service.ts";

/** A webhook as it came in. */
export interface Delivery {
  headers: IncomingMessage["headers"];
  run: Run;
}

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** The whole service, a shop to scrape and a receiver of webhooks, each on its own loopback port. */
export interface World {
  service: Pick<Service, "url" | "credentials">;
  /** The data folder. */
  data: string;
  shopUrl: string;
  receiverUrl: string;
  deliveries: Delivery[];
  /** One request with the key of the world's account. */
  call<T = Record<string, unknown>>(path: string, init?: RequestInit): Promise<Answer<T>>;
  /** POSTs JSON. */
  post<T = Run>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  putScraper(definition: object, account?: string): Promise<Scraper>;
  /** Sets limits of the world's account. */
  setLimits(limits: Parameters<typeof setLimits>[2]): Promise<unknown>;
  /** Work on the running service's table, as the command line does it. */
  withTable<T>(work: (table: Table) => Promise<T>): Promise<T>;
  /** A run as it is when it has left `running`. */
  finished(id: string): Promise<Run>;
  /** The same for a batch. */
  finishedBatch(id: string): Promise<Batch>;
  stop(): Promise<void>;
}

/** A world with a service of its own. */
export interface OwnWorld extends World {
  /** What the service logged. */
  logged: string[];
}

/** More requests than any test makes. */
const RATE_LIMIT = 1_000_000;

/**
 * A world of a new account on the service that many files share. Its files must neither use the account "default" nor
 * restart or block the service.
 */
export async function joinWorld(): Promise<World> {
  const { url, data, shopUrl }: SharedService = JSON.parse(process.env[SHARED_SERVICE] ?? "");
  const receiver = await startReceiver(listenReachably);
  const account = `account-${randomUUID()}`;
  const { key } = await withService({ data }, async (table) => {
    const limits = { credit_limit: null, rate_limit: RATE_LIMIT };
    await createAccount(table, { name: account, ...limits, created_at: new Date().toISOString() });
    return createApiKey(table, account, new Date());
  });
  const service = { url, credentials: { account, api_key: key } };
  const world = worldOf({ service, data, shopUrl, ...receiver, stop: () => stop() });
  const stop = async () => {
    const { body } = await world.call<{ data: Run[] }>("/v1/runs?status=running");
    for (const { id } of body.data) await world.post(`/v1/runs/${id}/stop`, {});
    receiver.close();
  };
  return world;
}

/** A world with a service of its own, in this process. */
export async function startWorld(options: Partial<ServiceOptions> = {}): Promise<OwnWorld> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), "gleaner-e2e-")));
  const logged: string[] = [];
  const receiver = await startReceiver(async (server) => {
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  const shop = await startShop();
  const keep =
    (level: string): Log["info"] =>
    (message, fields) =>
      void logged.push(JSON.stringify({ level, message, ...fields, error: String(fields?.error ?? "") }));
  onFailure("the end of the service's log", () => logged.slice(-30).join("\n"));
  const service = await startService({
    port: 0,
    data,
    log: { info: keep("INFO"), error: keep("ERROR") },
    ...options,
    allowHosts: [new URL(shop.url).host, new URL(receiver.receiverUrl).host, ...(options.allowHosts ?? [])],
  });
  const stop = async () => {
    await service.stop();
    receiver.close();
    await shop.close();
    await rm(data, { recursive: true });
  };
  const world = worldOf({ service, data, shopUrl: shop.url, ...receiver, stop });
  await world.setLimits({ rate_limit: RATE_LIMIT });
  return { ...world, logged };
}

/** Receives webhooks. */
async function startReceiver(listen: (server: Server) => Promise<void>) {
  const deliveries: Delivery[] = [];
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    deliveries.push({ headers: request.headers, run: JSON.parse(body.toString()) });
    response.end();
  });
  await listen(receiver);
  const close = () => {
    receiver.close();
    receiver.closeAllConnections();
  };
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  return { receiverUrl, deliveries, close };
}

type Parts = Pick<World, "service" | "data" | "shopUrl" | "receiverUrl" | "deliveries" | "stop">;

function worldOf({ service, data, shopUrl, receiverUrl, deliveries, stop }: Parts): World {
  const { account, api_key } = service.credentials;
  const call = async <T>(path: string, init: RequestInit = {}): Promise<Answer<T>> => {
    const headers = { authorization: `Bearer ${api_key}`, ...init.headers };
    const response = await fetch(service.url + path, { ...init, headers });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  // Waits on the table: waiting by GET would use up the key's rate limit.
  const ended = (read: (table: Table) => Promise<{ status: string } | undefined>) =>
    withService({ data }, async (table) => {
      while ((await read(table))?.status === "running") await sleep(100);
    });
  return {
    service,
    data,
    shopUrl,
    receiverUrl,
    deliveries,
    call,
    post: (path, body, headers = {}) =>
      call(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      }),
    putScraper: (definition, of = account) =>
      withService({ data }, (table) => putScraper(table, of, definition, new Date())),
    setLimits: (limits) => withService({ data }, (table) => setLimits(table, account, limits)),
    withTable: (work) => withService({ data }, work),
    async finished(id) {
      await ended((table) => getRun(table, { account, id }));
      return (await call<Run>(`/v1/runs/${id}`)).body;
    },
    async finishedBatch(id) {
      await ended((table) => getBatch(table, { account, id }));
      return (await call<Batch>(`/v1/batches/${id}`)).body;
    },
    stop,
  };
}
