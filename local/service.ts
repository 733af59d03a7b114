import { once } from "node:events";
import { createApiKey } from "../functions/accounts/create-key.ts";
import { apiHandlers } from "../functions/api/api-handlers.ts";
import { createPoster } from "../functions/egress/post-json.ts";
import type { ProxyList } from "../functions/egress/proxy-list.ts";
import type { Log } from "../functions/log.ts";
import { createQueues } from "../functions/queues.ts";
import { RUN_TIMING, type RunTiming } from "../functions/run-timing.ts";
import { createAccount } from "../functions/store/accounts.ts";
import { openTable, type Table } from "../functions/store/table.ts";
import { deliverWebhook } from "../functions/workers/deliver-webhook.ts";
import { sqsHandler } from "../functions/workers/sqs-handler.ts";
import { sweep } from "../functions/workers/sweep.ts";
import { type Credentials, DataFolder, UsageError } from "./data-folder.ts";
import { TABLE_NAME } from "./dynamodb-client.ts";
import { type Emulators, startEmulators } from "./emulators.ts";
import { startExecutor } from "./executor.ts";
import { createGateway } from "./gateway.ts";
import { startPump } from "./queue-pump.ts";
import { recover } from "./recover.ts";
import { startScheduler } from "./scheduler.ts";
import { secretReader } from "./secret-reader.ts";
import { SecretsFolder } from "./secrets-folder.ts";

const HOST = "127.0.0.1";
/** Webhooks delivered at a time: one account's dead receivers leave most of them to the others. */
const WEBHOOKS = { concurrency: 64, perGroup: 16 };
/** The deliverer's time-out on AWS. */
const WEBHOOK_TIMEOUT_MS = 60_000;

export interface ServiceOptions {
  /** Port of the API; 0 takes a free one. */
  port: number;
  /** Where everything is kept. */
  data: string;
  /** `host:port` that scrapes and webhooks may reach although they are not public. */
  allowHosts: readonly string[];
  /** The upstream proxies that scrapers may ask for; none where nothing is said. */
  proxies?: ProxyList;
  /** What scrapers' browsers call themselves, where a scraper does not say. */
  userAgent?: string | undefined;
  log: Log;
  /** How soon somebody takes over what went silent. */
  timing?: RunTiming;
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
  const { port, data, allowHosts, log, timing = RUN_TIMING, proxies, userAgent } = options;
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

    const deps = { table, queues, now, log, timing };
    const gateway = createGateway(apiHandlers(deps), log);
    await listen(gateway, port);
    const url = `http://${HOST}:${(gateway.address() as { port: number }).port}`;
    closers.push(() => closeServer(gateway));

    await recover(table, queues, now());
    const executor = startExecutor({
      ...deps,
      readSecrets: secretReader(new SecretsFolder(folder.secretsPath)),
      sqs: emulators.sqs,
      queueUrl: emulators.queueUrls.runs,
      allowHosts,
      proxies,
      userAgent,
    });
    const post = createPoster({ allowHosts });
    const deliverer = startPump({
      sqs: emulators.sqs,
      queueUrl: emulators.queueUrls.webhooks,
      handler: sqsHandler((ref) => deliverWebhook({ ...deps, post }, ref), log),
      ...WEBHOOKS,
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      log,
    });
    const sweeper = setInterval(() => {
      sweep(deps).catch((error) => log.error("The sweep failed", { error }));
    }, timing.overdueMs / 2);
    closers.push(async () => {
      clearInterval(sweeper);
      await Promise.all([executor.stop(), deliverer.stop()]);
    });

    const scheduler = startScheduler(deps);
    closers.push(scheduler.stop);

    const { dynamoDbEndpoint, sqsEndpoint } = emulators;
    await folder.writeService({ url, dynamoDbEndpoint, sqsEndpoint, pid: process.pid });
    return { url, credentials, isNew, stop: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
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
