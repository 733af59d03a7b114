import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startShop } from "../../examples/shop/server.ts";
import type { Run } from "../../functions/contract/run.ts";
import type { Scraper } from "../../functions/contract/scraper.ts";
import type { Log } from "../../functions/log.ts";
import { getRun } from "../../functions/store/runs/runs.ts";
import type { Table } from "../../functions/store/table.ts";
import { withService } from "../../local/connect.ts";
import { type Service, type ServiceOptions, startService } from "../../local/service.ts";
import { onFailure } from "../jest/failure-notes.ts";
import { putScraper } from "../put-scraper.ts";

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
  service: Service;
  /** The data folder. */
  data: string;
  shopUrl: string;
  receiverUrl: string;
  deliveries: Delivery[];
  /** What the service logged. */
  logged: string[];
  /** One request with the default account's key. */
  call<T = Record<string, unknown>>(path: string, init?: RequestInit): Promise<Answer<T>>;
  /** POSTs JSON. */
  post<T = Run>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  putScraper(definition: object, account?: string): Promise<Scraper>;
  /** Work on the running service's table, as the command line does it. */
  withTable<T>(work: (table: Table) => Promise<T>): Promise<T>;
  /** A run as it is when it has left `running`. */
  finished(id: string): Promise<Run>;
  stop(): Promise<void>;
}

export async function startWorld(options: Partial<ServiceOptions> = {}): Promise<World> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), "gleaner-e2e-")));
  const deliveries: Delivery[] = [];
  const logged: string[] = [];
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    deliveries.push({ headers: request.headers, run: JSON.parse(body.toString()) });
    response.end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
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
    allowHosts: [new URL(shop.url).host, new URL(receiverUrl).host, ...(options.allowHosts ?? [])],
  });

  const call = async <T>(path: string, init: RequestInit = {}): Promise<Answer<T>> => {
    const headers = { authorization: `Bearer ${service.credentials.api_key}`, ...init.headers };
    const response = await fetch(service.url + path, { ...init, headers });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  return {
    service,
    data,
    shopUrl: shop.url,
    receiverUrl,
    deliveries,
    logged,
    call,
    post: (path, body, headers = {}) =>
      call(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      }),
    putScraper: (definition, account = "default") =>
      withService({ data }, (table) => putScraper(table, account, definition, new Date())),
    withTable: (work) => withService({ data }, work),
    async finished(id) {
      // Waits on the table: waiting by GET would use up the key's rate limit.
      const ref = { account: service.credentials.account, id };
      while ((await withService({ data }, (table) => getRun(table, ref)))?.status === "running")
        await sleep(100);
      return (await call<Run>(`/v1/runs/${id}`)).body;
    },
    async stop() {
      await service.stop();
      receiver.close();
      receiver.closeAllConnections();
      await shop.close();
      await rm(data, { recursive: true });
    },
  };
}
