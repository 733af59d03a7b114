import { once } from "node:events";
import { homedir } from "node:os";
import { join } from "node:path";
import { createApiKey } from "../functions/accounts/create-key.ts";
import { handlers } from "../functions/api/handlers.ts";
import { type ApiDeps, type HttpHandler, httpHandler } from "../functions/api/http.ts";
import { type RouteName, routes } from "../functions/contract/routes.ts";
import { createPoster } from "../functions/egress/post-json.ts";
import { startEgress } from "../functions/egress/start-egress.ts";
import type { Log } from "../functions/log.ts";
import { createQueues } from "../functions/queues.ts";
import { createBrowsers } from "../functions/scraping/browser.ts";
import { createScraper } from "../functions/scraping/scrape-run.ts";
import { createAccount } from "../functions/store/accounts.ts";
import { openTable, type Table } from "../functions/store/table.ts";
import { deliverWebhook } from "../functions/workers/deliver-webhook.ts";
import { executeRun } from "../functions/workers/execute-run.ts";
import { sqsHandler } from "../functions/workers/sqs-handler.ts";
import { sweep } from "../functions/workers/sweep.ts";
import { type Credentials, DataFolder, UsageError } from "./data-folder.ts";
import { TABLE_NAME } from "./dynamodb-client.ts";
import { type Emulators, startEmulators } from "./emulators.ts";
import { createGateway } from "./gateway.ts";
import { startPump } from "./queue-pump.ts";
import { recover } from "./recover.ts";

const HOST = "127.0.0.1";
/** Runs executed at a time: each is a browser. */
const RUNS = { concurrency: 2, perGroup: 2 };
/** Webhooks delivered at a time: one account's dead receivers leave most of them to the others. */
const WEBHOOKS = { concurrency: 64, perGroup: 16 };
/** The executor's time-out on AWS (Lambda's longest), and the deliverer's. */
const TIMEOUT_MS = { runs: 15 * 60_000, webhooks: 60_000 };
const SWEEP_MS = 30_000;

export interface ServiceOptions {
  /** Port of the API; 0 takes a free one. */
  port: number;
  /** Where everything is kept. */
  data: string;
  /** `host:port` that scrapes and webhooks may reach although they are not public. */
  allowHosts: readonly string[];
  log: Log;
  /** DynamoDB and SQS; the embedded ones where nothing else is said. */
  startEmulators?: (folder: string) => Promise<Emulators>;
}

export interface Service {
  /** Base URL of the API. */
  url: string;
  credentials: Credentials;
  /** Whether account and key were made by this start. */
  isNew: boolean;
  stop(): Promise<void>;
}

/**
 * The whole service in this process.
 * @throws UsageError when the data folder or the port is taken, or an allowed host is misspelled
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { port, data, allowHosts, log } = options;
  const folder = new DataFolder(data);
  const lock = await folder.lock();
  const closers: (() => Promise<unknown>)[] = [lock.release];
  const closeAll = async () => {
    for (const close of closers.reverse()) await close();
  };
  try {
    const emulators = await (options.startEmulators ?? startEmulators)(folder.tablePath);
    closers.push(emulators.close);
    const table = openTable(emulators.dynamoDb, TABLE_NAME);
    const queues = createQueues(emulators.sqs, emulators.queueUrls);
    const now = () => new Date();
    const { credentials, isNew } = await firstAccount(folder, table, now());

    const browsers = createBrowsers({ cacheFolder: cacheFolder() });
    const stopping = new AbortController();
    const scrape = createScraper(browsers);
    const openEgress = () => startEgress({ allowHosts });
    const executeDeps = { table, queues, scrape, startEgress: openEgress, now, log, stop: stopping.signal };
    const deliverDeps = { table, queues, post: createPoster({ allowHosts }), now, log };

    const gateway = createGateway(apiHandlers({ table, queues, now, log }), log);
    await listen(gateway, port);
    const url = `http://${HOST}:${(gateway.address() as { port: number }).port}`;
    closers.push(() => closeServer(gateway));

    await recover(table, queues, now());
    const pumps = [
      startPump({
        sqs: emulators.sqs,
        queueUrl: emulators.queueUrls.runs,
        handler: sqsHandler((ref, deadline) => executeRun(executeDeps, ref, deadline), log),
        ...RUNS,
        timeoutMs: TIMEOUT_MS.runs,
        log,
      }),
      startPump({
        sqs: emulators.sqs,
        queueUrl: emulators.queueUrls.webhooks,
        handler: sqsHandler((ref) => deliverWebhook(deliverDeps, ref), log),
        ...WEBHOOKS,
        timeoutMs: TIMEOUT_MS.webhooks,
        log,
      }),
    ];
    const sweeper = setInterval(() => {
      sweep({ table, queues, now, log }).catch((error) => log.error("The sweep failed", { error }));
    }, SWEEP_MS);
    closers.push(async () => {
      clearInterval(sweeper);
      stopping.abort();
      await Promise.all([browsers.close(), ...pumps.map((pump) => pump.stop())]);
    });

    const { dynamoDbEndpoint, sqsEndpoint } = emulators;
    await folder.writeService({ url, dynamoDbEndpoint, sqsEndpoint, pid: process.pid });
    return { url, credentials, isNew, stop: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function apiHandlers(deps: ApiDeps): Record<RouteName, HttpHandler> {
  const bind = <N extends RouteName>(name: N) => [name, httpHandler(name, handlers[name], deps)] as const;
  return Object.fromEntries((Object.keys(routes) as RouteName[]).map(bind)) as Record<RouteName, HttpHandler>;
}

/** The account `default` and a key for it, made on the first start. */
async function firstAccount(folder: DataFolder, table: Table, now: Date) {
  const known = await folder.readCredentials();
  if (known !== undefined) return { credentials: known, isNew: false };
  const account = "default";
  await createAccount(table, {
    name: account,
    credit_limit: null,
    rate_limit: null,
    created_at: now.toISOString(),
  });
  const { key } = await createApiKey(table, account, now);
  const credentials = { account, api_key: key };
  await folder.writeCredentials(credentials);
  return { credentials, isNew: true };
}

/** Where the browser is unpacked once for all services of this user; private to the user, unlike the temp folder. */
const cacheFolder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gleaner");

async function listen(server: ReturnType<typeof createGateway>, port: number): Promise<void> {
  server.listen(port, HOST);
  try {
    await once(server, "listening");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EADDRINUSE") throw cause;
    throw new UsageError(`Port ${port} is taken. Choose another one with --port, or 0 for any free one.`, {
      cause,
    });
  }
}

async function closeServer(server: ReturnType<typeof createGateway>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
