import { once } from "node:events";
import { access, constants, mkdir, stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { createBrowsers, lacksGlibc } from "../../../functions/scraping/browser/browsers.ts";
import { hasPackedChromium } from "../../../functions/scraping/browser/install.ts";
import { cacheFolder } from "../../data/cache-folder.ts";
import { configFolder } from "../../data/config-folder.ts";
import { DataFolder } from "../../data/data-folder.ts";
import { defaultData } from "../../data/default-data.ts";
import { checkTable } from "../../dynamodb/table-format.ts";
import { portProblem } from "../../port-problem.ts";
import { isNew } from "../../prepare-table.ts";
import type { Finding } from "./finding.ts";

const GB = 1024 ** 3;
/** In bytes: enough for the unpacked browser, the browser profile of a run, and some rows. */
const FREE_NEEDED = GB / 2;
const FREE_WANTED = 2 * GB;

/** Always fine: bin/gleaner.js has already rejected unsupported versions. */
export const node = (): Finding => ({ state: "ok", message: `${process.version} at ${process.execPath}` });

/** Starts and closes a browser, as a run does. */
export async function browser(): Promise<Finding> {
  const browsers = createBrowsers({ cacheFolder: cacheFolder(), egress: { allowHosts: [] } });
  try {
    await mkdir(cacheFolder(), { recursive: true });
    const leased = await browsers.lease();
    await leased.close();
    const reason = await browsers.whyNoSandbox();
    if (reason === undefined) return { state: "ok", message: "Chromium starts" };
    return {
      state: "warning",
      message: `Chromium starts, but without its sandbox: ${reason}`,
      advice: "See docs/hosting.md#the-browsers-sandbox. Don't run the service as root.",
    };
  } catch (error) {
    const { message, cause } = error as Error;
    // What the browser has printed, such as the name of a library.
    const [, said] = /\[err\] (.*)/.exec(String(cause)) ?? [];
    return {
      state: "problem",
      message: said === undefined ? message : `${message} It said: ${said}`,
      advice: adviceForBrowser(),
    };
  } finally {
    await browsers.close();
  }
}

function adviceForBrowser(): string {
  if (lacksGlibc())
    return "See docs/hosting.md#in-a-container. Commands that use a service elsewhere need no browser.";
  return hasPackedChromium
    ? `Install the libraries that the message names, or delete ${cacheFolder()} if it is damaged.`
    : "Install Google Chrome.";
}

/** Checks the permissions of the folder, and its table. The service may use it meanwhile. */
export async function dataFolder(data = defaultData()): Promise<Finding> {
  const path = resolve(data);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    return { state: "note", message: `${path} does not exist`, advice: "`npx gleaner start` creates it." };
  }
  if (!found.isDirectory()) {
    return {
      state: "problem",
      message: `${path} is not a folder`,
      advice: "Choose another folder with --data.",
    };
  }
  if (isOpen(found.mode)) {
    return { state: "problem", message: `others can read ${path}`, advice: `Run \`chmod 700 ${path}\`.` };
  }
  await access(path, constants.R_OK | constants.W_OK);
  const folder = new DataFolder(data);
  if (await isNew(folder))
    return { state: "ok", message: `only you can read ${path}, which has no table yet` };
  checkTable(folder.tablePath);
  return { state: "ok", message: `only you can read ${path}, and its table is not damaged` };
}

/** Checks that other users can't read the files with keys in the user's configuration folder. */
export async function settings(): Promise<Finding> {
  const open: string[] = [];
  for (const name of ["profiles.json", "secrets.key"]) {
    const path = join(configFolder(), name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && isOpen(found.mode)) open.push(path);
  }
  if (open.length === 0)
    return { state: "ok", message: `no one else can read the keys in ${configFolder()}` };
  return {
    state: "problem",
    message: `others can read ${open.join(" and ")}`,
    advice: `Run \`chmod 600 ${open.join(" ")}\`.`,
  };
}

const isOpen = (mode: number) => process.platform !== "win32" && (mode & 0o077) !== 0;

export async function disk(data = defaultData()): Promise<Finding> {
  const path = await existing(resolve(data));
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  const message = `${(free / GB).toFixed(1)} GB free at ${path}`;
  if (free >= FREE_WANTED) return { state: "ok", message };
  const advice =
    "Free some space, delete runs with `npx gleaner run delete`, or choose another disk with --data.";
  return { state: free < FREE_NEEDED ? "problem" : "warning", message, advice };
}

/** The folder, or its nearest ancestor that exists. */
async function existing(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined || dirname(path) === path ? path : existing(dirname(path));
}

export async function port(number: number, data = defaultData()): Promise<Finding> {
  const folder = new DataFolder(data);
  const service = folder.isInUse() ? await folder.readService() : undefined;
  if (service !== undefined && new URL(service.url).port === String(number)) {
    return { state: "ok", message: `the running service listens on ${number}` };
  }
  const server = createServer().listen(number, "127.0.0.1");
  try {
    await once(server, "listening");
    return { state: "ok", message: `${number} is free` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      state: service === undefined ? "problem" : "note",
      message: `${number} ${portProblem(code) ?? `can't be used: ${code}`}`,
      advice: "Stop what listens there, or choose another port with `npx gleaner start --port NUMBER`.",
    };
  } finally {
    server.close();
  }
}
