import { resolve } from "node:path";
import type { ConsoleFiles } from "../console/build/files.ts";
import type { ServiceFacts } from "../console/build/service-facts.ts";
import { apiKeyId } from "../functions/accounts/api-key-format.ts";
import { createApiKey } from "../functions/accounts/create-key.ts";
import { apiHandlers } from "../functions/api/api-handlers.ts";
import type { ApiDeps } from "../functions/api/types.ts";
import { DeliveryFailure } from "../functions/deliveries/delivery.ts";
import { createGoogle } from "../functions/deliveries/google-sheets/google.ts";
import type { ProxyList } from "../functions/egress/connect/proxy-list.ts";
import { type PolicyOptions, parseAuthority } from "../functions/egress/policy/address-policy.ts";
import { isLoopback } from "../functions/egress/policy/is-loopback.ts";
import { createFileFetcher } from "../functions/egress/requests/fetch-file.ts";
import { createPoster } from "../functions/egress/requests/post-json.ts";
import { createMailer, type SmtpSettings } from "../functions/egress/requests/send-mail.ts";
import type { Log } from "../functions/log.ts";
import { RUN_TIMING, type RunTiming } from "../functions/run-timing.ts";
import { sweptSchedules } from "../functions/schedules/schedules.ts";
import { sessionKey } from "../functions/sessions/session-key.ts";
import { createAccount } from "../functions/store/accounts.ts";
import { isValidApiKey } from "../functions/store/api-keys.ts";
import type { Table } from "../functions/store/table.ts";
import { advanceBatch } from "../functions/workers/advance-batch.ts";
import { deliverWebhook } from "../functions/workers/deliver-webhook.ts";
import { sqsHandler } from "../functions/workers/sqs-handler.ts";
import { type SweepDeps, sweep } from "../functions/workers/sweep.ts";
import { type Backend, openBackend, queuesOf, tableOf } from "./backend.ts";
import { isDefaultData, reachable } from "./client/target.ts";
import { type Credentials, DataFolder, UsageError } from "./data/data-folder.ts";
import { FilesFolder } from "./data/files-folder.ts";
import { folderWriter } from "./deliveries/folder-writer.ts";
import type { LocalDynamoDb } from "./dynamodb/client.ts";
import { type Executor, startExecutor } from "./executor.ts";
import { consoleFiles } from "./http/console-files.ts";
import { createConsoleSite, once as loadOnce } from "./http/console-site.ts";
import { createGateway } from "./http/gateway.ts";
import { closeServer, listen } from "./http/listen.ts";
import { secretRoutes } from "./http/secret-routes.ts";
import { type OpenWindow, signInRoutes } from "./http/sign-in-routes.ts";
import { createIdentify, type SignOn } from "./http/single-sign-on.ts";
import { createInspector } from "./inspections/inspector.ts";
import { Counters } from "./metrics/counters.ts";
import { createMetricsServer } from "./metrics/metrics-server.ts";
import { serviceMetrics } from "./metrics/service-metrics.ts";
import { prepareTable } from "./prepare-table.ts";
import { recover } from "./recover.ts";
import { startScheduler } from "./scheduler.ts";
import { secretReader } from "./secrets/secret-reader.ts";
import { SecretsFolder } from "./secrets/secrets-folder.ts";

const LOOPBACK = "127.0.0.1";
/** The timeout of one delivery of a webhook or of rows, the same as that of the function on AWS. */
export const WEBHOOK_TIMEOUT_MS = 12 * 60_000;
/** The timeout of the work on a batch after one message, the same as that of the function on AWS. */
export const BATCH_TIMEOUT_MS = 150_000;

export interface ServiceOptions {
  /** Port of the API; 0 takes a free one. */
  port: number;
  /** Address to listen on; loopback by default. */
  host?: string | undefined;
  /** Port of the metrics, on the same address; 0 takes a free one. By default, there are none. */
  metricsPort?: number | undefined;
  /** Host names that the Host header may contain, besides localhost and IP addresses. */
  names?: readonly string[];
  /** The folder for all data. */
  data: string;
  /** Private `host:port`s that scrapes and webhooks may reach. */
  allowHosts: readonly string[];
  /** The upstream proxies that scrapers may use; none by default. */
  proxies?: ProxyList;
  /** The address at which people open the console, for links in alerts; that of this machine by default. */
  publicUrl?: string | undefined;
  /** The mail server that sends alerts by e-mail; none by default. */
  smtp?: SmtpSettings | undefined;
  /** Single sign-on by a proxy; none by default. */
  signOn?: SignOn | undefined;
  /** The folder below which scrapers may have files written; none by default. */
  deliverTo?: string | undefined;
  /** The default user agent of scrapers' browsers. */
  userAgent?: string | undefined;
  /** How many days runs are kept; for ever by default. */
  runDays?: number | undefined;
  log: Log;
  /** Returns the files of the console; called for each request. By default, those of the source or the npm package. */
  consoleFiles?: (() => Promise<ConsoleFiles>) | undefined;
  /** The URL of a page with a list that the console offers as an example. */
  exampleUrl?: string | undefined;
  timing?: RunTiming;
  /** Whether to measure the stages of runs, for their logs. */
  trace?: boolean;
  /** Opens the table and the queues. Tests replace it to inject faults. */
  openBackend?: (tablePath: string) => Backend;
  /** Opens the windows in which people sign in to sites. Tests replace it, because they have no Google Chrome. */
  openWindow?: OpenWindow;
}

export interface Service extends FirstAccount {
  /** Base URL of the API. */
  url: string;
  /** URL of the metrics. */
  metricsUrl: string | undefined;
  /** Why the browsers run without their sandbox; undefined if they have it, or can't be started. */
  whyNoSandbox(): Promise<string | undefined>;
  stop(): Promise<void>;
}

/**
 * Runs the whole service in this process.
 * @throws UsageError if the data folder, the port or an allowed host can't be used
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  options.allowHosts.forEach(assertHostAndPort);
  const folder = new DataFolder(options.data);
  const lock = await folder.lock();
  const closers: Closer[] = [];
  try {
    const service = await startParts(options, folder, closers);
    const stop = async () => {
      await closeAll(closers);
      await lock.release();
    };
    return { ...service, stop };
  } catch (error) {
    await closeAll(closers);
    await lock.remove();
    throw error;
  }
}

type Closer = () => Promise<unknown>;

/** Closes all parts in reverse order, even if some fail. @throws AggregateError with the errors of those that failed */
async function closeAll(closers: Closer[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closers.toReversed()) await close().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, "Some parts of the service did not close.");
}

function assertHostAndPort(host: string): void {
  if (parseAuthority(host) !== null) return;
  throw new UsageError(`--allow-host needs a host and a port, such as localhost:4100. It got "${host}".`);
}

/** Starts the parts one after the other. Adds a function to `closers` that stops each part. */
async function startParts(
  options: ServiceOptions,
  folder: DataFolder,
  closers: Closer[],
): Promise<Omit<Service, "stop">> {
  const { allowHosts, log, timing = RUN_TIMING } = options;
  await prepareTable(folder, log);
  const backend = (options.openBackend ?? openBackend)(folder.tablePath);
  const { dynamoDb } = backend;
  closers.push(async () => {
    dynamoDb.close();
    // The next service checks the table.
    if (!dynamoDb.isDamaged()) await folder.removeService();
  });
  const files = new FilesFolder(folder.filesPath);
  closers.push(startUpkeep(dynamoDb, files, log));
  const table = tableOf(dynamoDb, files);
  const queues = queuesOf(backend);
  const now = () => new Date();
  const account = await firstAccount(folder, table, now());
  const identify = options.signOn && createIdentify(options.signOn, account.credentials.account);

  const counters = new Counters();
  const deps = { table, queues, now, log, timing, meter: counters, runDays: () => options.runDays };
  const egress = { allowHosts, refusalAdvice };
  const secrets = new SecretsFolder(folder.secretsPath);
  const inspector = createInspector({
    ...deps,
    ...options,
    readSecrets: secretReader(secrets),
    egress,
  });
  closers.push(inspector.stop);
  const { inspect } = inspector;
  const fetchFile = createFileFetcher(egress);
  let url = "";
  const apiDeps: ApiDeps = {
    ...deps,
    schedules: sweptSchedules,
    inspect,
    fetchFile,
    sessionKey: (account) => sessionKey(secretReader(secrets), account),
    allowHosts: () => allowHosts,
    identify,
    sendsMail: () => options.smtp !== undefined,
    hasFolder: () => options.deliverTo !== undefined,
    baseUrl: () => reachable(url),
  };
  url = await startGateway(options, { apiDeps, secrets }, closers);

  await recover(deps);
  const workers = startWorkers(options, {
    ...deps,
    backend,
    egress,
    secrets,
    consoleUrl: () => options.publicUrl ?? reachable(url),
  });
  closers.push(workers.stop);
  const scheduler = startScheduler({ ...deps, fetchFile });
  closers.push(scheduler.stop);

  const browsers = () => workers.browsers() + inspector.browsers();
  const metricsUrl = await startMetrics(options, { counters, backend, browsers, folder }, closers);
  await folder.writeService({ url, pid: process.pid });
  return { url, metricsUrl, ...account, whyNoSandbox: workers.whyNoSandbox };
}

/** Serves the API, the console and the routes of the console alone. Returns the URL. */
async function startGateway(
  options: ServiceOptions,
  { apiDeps, secrets }: { apiDeps: ApiDeps; secrets: SecretsFolder },
  closers: Closer[],
): Promise<string> {
  const { port, host = LOOPBACK, names = [], log } = options;
  const facts = factsOf(options);
  const signIns = signInRoutes(apiDeps, options.openWindow);
  closers.push(signIns.close);
  const gateway = createGateway(apiHandlers(apiDeps), log, {
    names,
    site: createConsoleSite(options.consoleFiles ?? loadOnce(consoleFiles), facts),
    localRoutes: [...secretRoutes({ ...apiDeps, secrets }), ...(facts.opensWindows ? signIns.routes : [])],
  });
  const url = await listen(gateway, { port, host, option: "--port" });
  closers.push(() => closeServer(gateway));
  return url;
}

/** Serves the metrics, if there is a port for them. Returns their URL. */
async function startMetrics(
  { metricsPort: port, host = LOOPBACK, log }: ServiceOptions,
  parts: { counters: Counters; backend: Backend; browsers: () => number; folder: DataFolder },
  closers: Closer[],
): Promise<string | undefined> {
  if (port === undefined) return undefined;
  const { counters, backend, browsers, folder } = parts;
  const { runs, webhooks, batches } = backend;
  const measured = { counters, queues: { runs, webhooks, batches }, browsers, tablePath: folder.tablePath };
  const server = createMetricsServer(() => serviceMetrics(measured), log);
  const url = await listen(server, { port, host, option: "--metrics-port" });
  closers.push(() => closeServer(server));
  return `${url}/metrics`;
}

const refusalAdvice = (host: string) =>
  `If this host is yours, restart the service with --allow-host ${host}.`;

interface WorkerDeps extends SweepDeps {
  backend: Backend;
  egress: PolicyOptions;
  secrets: SecretsFolder;
  /** The base URL of the console, for links in alerts. */
  consoleUrl: () => string;
}

/** Starts the executor, the webhook delivery, the work on batches and the sweeper. `stop` ends them. */
function startWorkers(
  { proxies, smtp, deliverTo, userAgent, timing = RUN_TIMING, trace = false }: ServiceOptions,
  { backend, egress, secrets, consoleUrl, ...deps }: WorkerDeps,
): Executor {
  const { runs, webhooks, batches } = backend;
  const post = createPoster(egress);
  const sendMail = smtp && createMailer(smtp);
  const stopping = new AbortController();
  const destinations = {
    readSecrets: secretReader(secrets),
    egress,
    writeFile: deliverTo === undefined ? undefined : folderWriter(deliverTo),
    google: createGoogle(egress),
  };
  const executor = startExecutor({
    ...deps,
    timing,
    readSecrets: secretReader(secrets),
    runs,
    egress,
    proxies,
    userAgent,
    // The callback itself does nothing, but its presence makes the executor measure the stages and log the times.
    onStage: trace ? () => {} : undefined,
  });
  const deliverer = sqsHandler(
    (ref) =>
      deliverWebhook({ ...deps, post, sendMail, consoleUrl, destinations, stopping: stopping.signal }, ref),
    deps.log,
  );
  webhooks.start(deliverer, WEBHOOK_TIMEOUT_MS);
  const advancer = sqsHandler((ref, deadline) => advanceBatch(deps, ref, deadline), deps.log);
  batches.start(advancer, BATCH_TIMEOUT_MS);
  const sweeper = setInterval(() => {
    sweep(deps).catch((error) => deps.log.error("The sweep failed", { error }));
  }, timing.overdueMs / 2);
  return {
    ...executor,
    async stop() {
      clearInterval(sweeper);
      stopping.abort(new DeliveryFailure("The service was stopped during the attempt."));
      await Promise.all([executor.stop(), webhooks.stop(), batches.stop()]);
    },
  };
}

interface FirstAccount {
  credentials: Credentials;
  /** Whether this start created the account and its key. */
  isNew: boolean;
  /** Whether the key of the account is valid. It is not if it was revoked, or if the table is that of another folder. */
  isKeyValid: boolean;
}

/** Reads the first account and its key. The first start creates them. */
async function firstAccount(folder: DataFolder, table: Table, now: Date): Promise<FirstAccount> {
  const known = await folder.readCredentials();
  if (known !== undefined) {
    return { credentials: known, isNew: false, isKeyValid: await isKnown(table, known, now) };
  }
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
  return { credentials, isNew: true, isKeyValid: true };
}

async function isKnown(table: Table, { api_key: key }: Credentials, now: Date): Promise<boolean> {
  const id = apiKeyId(key);
  return id !== undefined && isValidApiKey(table, id, key, now);
}

/** Those of the options of the service that its console is told about. */
interface Options {
  exampleUrl?: string | undefined;
  data: string;
  host?: string | undefined;
  names?: readonly string[];
  publicUrl?: string | undefined;
  signOn?: object | undefined;
  proxies?: readonly { type: string }[];
}

/** What the console is told. The data folder is told on one machine only. */
export function factsOf({ host, ...options }: Options): ServiceFacts {
  const { exampleUrl, data, names = [], publicUrl, signOn, proxies = [] } = options;
  const listensLocally = host === undefined || isLoopback(host);
  return {
    exampleUrl,
    dataFolder: listensLocally && !isDefaultData(data) ? resolve(data) : undefined,
    proxies: [...new Set(proxies.map(({ type }) => type))],
    setsSecrets: true,
    // A proxy, through which others reach the service, needs one of the three.
    opensWindows: listensLocally && signOn === undefined && names.length === 0 && publicUrl === undefined,
    signsOn: signOn !== undefined,
  };
}

/** The interval of syncs. A power failure can lose the writes since the last sync. A killed process loses none. */
const SYNC_MS = 1_000;
const EXPIRY_MS = 60_000;
/** How many items are removed in one transaction. Requests wait meanwhile. */
const EXPIRED_AT_ONCE = 500;

/** Regularly flushes the table to the disk, and removes expired items and files. Returns a function that stops this. */
function startUpkeep(dynamoDb: LocalDynamoDb, files: FilesFolder, log: Log): () => Promise<void> {
  let syncing = Promise.resolve();
  let removing = Promise.resolve();
  const sync = setInterval(() => {
    syncing = syncing
      .then(() => dynamoDb.sync())
      .catch((error) => log.error("The table could not be written to the disk", { error }));
  }, SYNC_MS);
  const expiry = setInterval(() => {
    try {
      while (dynamoDb.removeExpired(new Date(), EXPIRED_AT_ONCE) === EXPIRED_AT_ONCE);
    } catch (error) {
      log.error("Expired items could not be removed", { error });
    }
    removing = removing
      .then(() => files.removeExpired(new Date()))
      .catch((error) => log.error("Expired files could not be removed", { error }));
  }, EXPIRY_MS);
  return async () => {
    clearInterval(sync);
    clearInterval(expiry);
    await Promise.all([syncing, removing]);
  };
}
