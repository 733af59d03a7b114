import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import * as v from "valibot";
import type { ConsoleFiles } from "../../console/build/files.ts";
import { isHttpUrl } from "../../functions/contract/http-url.ts";
import { UserAgent } from "../../functions/contract/scrapers/scraper.ts";
import { parseProxyList } from "../../functions/egress/connect/proxy-list.ts";
import { isLoopback } from "../../functions/egress/policy/is-loopback.ts";
import { parseSmtpSettings } from "../../functions/egress/requests/send-mail.ts";
import { reachable } from "../client/target.ts";
import { UsageError } from "../data/data-folder.ts";
import { readPrivateFile } from "../data/private-file.ts";
import { parseUserRoles, type SignOn, signOnOf } from "../http/single-sign-on.ts";
import { jsonLog } from "../json-log.ts";
import { type Service, startService } from "../service.ts";

const noSandboxWarning = (reason: string) =>
  `Warning: Chromium runs without its sandbox, because ${reason}. A page that takes over the browser can do what the service can: see docs/hosting.md#the-browsers-sandbox.`;

/** After this time, in ms, the process exits even if the stop is not complete. A stop usually takes 1 or 2 seconds. */
const STOP_MS = 4_500;

/**
 * The heap at most doubles, in percent, before V8 collects what outlived some requests, such as streams. Where the machine has much
 * memory, V8 would let it grow fourfold: a run with 10,000 files and their archive took 219 MB over idle in place of 147.
 */
const HEAP_GROWTH = "--heap-growing-percent=100";

export interface StartOptions {
  port: number;
  host?: string;
  name?: string[];
  data: string;
  allowHost?: string[];
  proxies?: string;
  smtp?: string;
  trustUserHeader?: string;
  trustGroupsHeader?: string;
  trustedProxy?: string[];
  userRoles?: string;
  deliverTo?: string;
  publicUrl?: string;
  userAgent?: string;
  runDays?: number;
  metricsPort?: number;
  /** Whether to also serve the example bookshop. */
  example?: boolean;
  /** Returns the console's files, in place of the built ones. For the development of the console. */
  consoleFiles?: () => Promise<ConsoleFiles>;
}

/**
 * A line that says how to open the console. The link has the API key in its fragment, which browsers never send to a
 * server. After the first start, it is only printed to a terminal, so that logs contain no keys.
 */
function consoleHint({ url, credentials, isNew, isKeyValid }: Service): string {
  const base = reachable(url);
  return isKeyValid && (isNew || process.stdout.isTTY)
    ? `Open the console, signed in: ${base}/#key=${credentials.api_key}`
    : `The console is at ${base}`;
}

/** Says where the API key is. After the first start, the key itself is not printed, so that logs contain no keys. */
function tellKey({ credentials, isNew, isKeyValid }: Service, data: string): void {
  if (isNew) {
    console.log(
      `The account "${credentials.account}" was created. Its API key, also kept in ${data}/credentials.json:`,
    );
    console.log(`  ${credentials.api_key}`);
  } else if (!isKeyValid) {
    console.log(
      `The API key in ${data}/credentials.json is not valid: it was revoked, or the table is that of another data folder. Create another key with \`npx gleaner key create --account ${credentials.account}\`, or delete that file and start again to get a new one.`,
    );
  } else {
    console.log(`The API key of the account "${credentials.account}" is in ${data}/credentials.json`);
  }
}

/** Single sign-on with the roles of its file. @throws UsageError */
async function readSignOn(options: StartOptions): Promise<SignOn | undefined> {
  const { userRoles } = options;
  const roles = userRoles && (await readPrivateFile(userRoles, "roles of users", parseUserRoles));
  return signOnOf(options, roles || undefined);
}

/** The folder for files with rows, as an absolute path. @throws UsageError if it is none that can be written to */
async function folderFor(path: string): Promise<string> {
  try {
    const folder = await realpath(path);
    if (!(await stat(folder)).isDirectory()) throw new UsageError(`--deliver-to ${path} is not a folder.`);
    await access(folder, constants.W_OK | constants.X_OK);
    return folder;
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "does not exist. Create it first" : `can't be written to: ${code}`;
    throw new UsageError(`--deliver-to ${path} ${why}.`, { cause });
  }
}

/** Runs the service until SIGINT or SIGTERM. */
export async function start(options: StartOptions): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  const { port, host, name: names = [], allowHost = [], data, userAgent, consoleFiles } = options;
  const { publicUrl, runDays, metricsPort } = options;
  if (publicUrl !== undefined && !isHttpUrl(publicUrl))
    throw new UsageError(
      "--public-url must be an http:// or https:// URL, such as https://gleaner.example.com.",
    );
  const named = v.safeParse(v.optional(UserAgent), userAgent);
  if (!named.success) throw new UsageError(`--user-agent ${named.issues[0].message}.`);
  const proxies =
    options.proxies === undefined ? [] : await readPrivateFile(options.proxies, "proxies", parseProxyList);
  const smtp =
    options.smtp === undefined
      ? undefined
      : await readPrivateFile(options.smtp, "settings of the mail server", parseSmtpSettings);
  const signOn = await readSignOn(options);
  const shop = options.example ? await (await import("../example-shop.ts")).startExampleShop() : undefined;
  const service = await startService({
    port,
    host,
    names,
    data,
    allowHosts: [...allowHost, ...(shop ? [shop.host] : [])],
    exampleUrl: shop?.url,
    proxies,
    smtp,
    signOn,
    deliverTo: options.deliverTo === undefined ? undefined : await folderFor(options.deliverTo),
    publicUrl,
    userAgent,
    runDays,
    metricsPort,
    consoleFiles,
    trace: process.env.GLEANER_TRACE === "1",
    log: jsonLog,
  }).catch(async (error) => {
    await shop?.close();
    throw error;
  });
  console.log(`Gleaner is listening on ${service.url}`);
  if (service.metricsUrl) console.log(`The metrics are at ${service.metricsUrl}`);
  if (shop) console.log(`The example bookshop is open at ${shop.url}`);
  if (shop?.notice !== undefined) console.error(shop.notice);
  if (host !== undefined && !isLoopback(host)) {
    console.error(
      "Warning: others can reach this address, and the service has no TLS: API keys and rows cross the network unencrypted. Put a reverse proxy with TLS in front of it.",
    );
  }
  service.whyNoSandbox().then((reason) => {
    if (reason !== undefined) console.error(noSandboxWarning(reason));
  });
  tellKey(service, data);
  console.log(consoleHint(service));
  const stop = () => {
    setTimeout(() => process.exit(1), STOP_MS).unref();
    Promise.all([service.stop(), shop?.close()]).then(
      () => process.exit(0),
      (error) => {
        jsonLog.error("The service could not be stopped", { error });
        process.exit(1);
      },
    );
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}
