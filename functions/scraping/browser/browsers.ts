import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import type { EgressOptions } from "../../egress/start-egress.ts";
import type { Upstream } from "../../egress/upstream-route.ts";
import { RunFailure } from "../../runs/failure.ts";
import {
  type BrowserGuard,
  type BrowserLimits,
  defaultLimits,
  guardBrowser,
  killGroup,
  withChild,
} from "./guard.ts";
import { type ChromiumInstall, installChromium } from "./install.ts";
import { openWorkplace, type Workplace, type WorkplaceOptions } from "./run-context.ts";

/** Longest wait for a browser to start, and for one to close before its processes are killed. */
const START_MS = 30_000;
const CLOSE_MS = 2_000;

/** Arguments everywhere: nothing reaches the network but through the proxy of a run's own context. */
const commonArgs = [
  "--no-sandbox",
  "--no-zygote",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-domain-reliability",
  "--no-pings",
  // A page that allocates without end crashes before the machine does.
  "--js-flags=--max-old-space-size=1536",
  // Frames of other sites stay in their page's process: one agent reaches them all.
  "--disable-site-isolation-trials",
  // Traffic outside of a run's context goes to a port where nothing listens; names are resolved by the proxy.
  "--proxy-server=http://127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Launch arguments on a machine where the browser may start processes of its own. */
export const multiProcessArgs: readonly string[] = commonArgs;

/** Launch arguments where it may not, as on Lambda. */
export const singleProcessArgs: readonly string[] = [
  ...commonArgs,
  "--single-process",
  "--in-process-gpu",
  // There is no software renderer unpacked, and a single process dies with the attempt to start one.
  "--disable-software-rasterizer",
  "--disable-setuid-sandbox",
  "--disk-cache-size=33554432",
];

/** Images are not even decoded, which blocking their requests would not save. */
const NO_IMAGES = "--blink-settings=imagesEnabled=false";

export interface BrowsersOptions {
  /** Where the packed browser is unpacked, once per version. */
  cacheFolder: string;
  /** A browser to use instead of the packed one. */
  executablePath?: string;
  args?: readonly string[];
  limits?: Partial<BrowserLimits>;
  /** What every run may reach. */
  egress: Omit<EgressOptions, "upstream">;
  /** What browsers call themselves where a run does not say; absent: what they are, and our name. */
  userAgent?: string | undefined;
}

/** A browser process of one run, with a page that is open. */
export interface LeasedBrowser extends Workplace {
  /** Why it was ended in the middle of its work: its page wanted more than a run may have. */
  failure(): RunFailure | undefined;
  /** Ends the process, bounded in time, and removes what it left on disk. Never throws. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  /** Images, fonts, films and trackers are loaded only where a scraper asks for it. */
  loadImages?: boolean | undefined;
  /** What the browser calls itself. */
  userAgent?: string | undefined;
  /** The proxy that the run's traffic takes; absent: none. */
  upstream?: Upstream | undefined;
}

export interface Browsers {
  /**
   * Starts a browser and opens a page ahead of the run that will take it; safe to call at any time and more than
   * once.
   */
  warm(): void;
  /** @throws RunFailure `browser_failed` */
  lease(options?: LeaseOptions): Promise<LeasedBrowser>;
  /** Ends every browser that is still there. */
  close(): Promise<void>;
}

/** Every run gets a browser process of its own: nothing of one run can reach or slow the next. */
export function createBrowsers(options: BrowsersOptions): Browsers {
  const args = options.args ?? multiProcessArgs;
  const limits = { ...defaultLimits(), ...options.limits };
  const open = new Set<LeasedBrowser>();
  let install: Promise<ChromiumInstall | undefined> | undefined;
  let spare: Promise<LeasedBrowser> | undefined;

  /** The packed browser is for x86-64 Linux; elsewhere the installed Chrome is used. */
  const findInstall = async (): Promise<ChromiumInstall | undefined> => {
    if (options.executablePath) return { executablePath: options.executablePath, env: {} };
    if (process.platform !== "linux" || process.arch !== "x64") return undefined;
    return installChromium(options.cacheFolder);
  };

  const start = async (wanted: LeaseOptions = {}): Promise<LeasedBrowser> => {
    const { loadImages = false, userAgent = options.userAgent, upstream } = wanted;
    install ??= findInstall();
    const installed = await install.catch((error) => {
      install = undefined;
      throw error;
    });
    const launched = await launch(installed, loadImages ? args : [...args, NO_IMAGES], limits);
    const egress = { ...options.egress, ...(upstream && { upstream }) };
    const furniture = { egress, userAgent, loadsAll: loadImages, onExcess: launched.guard.end };
    const leased = await furnish(launched, furniture);
    open.add(leased);
    leased.browser.on("disconnected", () => open.delete(leased));
    return leased;
  };

  return {
    warm() {
      spare ??= start();
      // Whoever takes it sees the error.
      spare.catch(() => {});
    },
    async lease(wanted) {
      // The spare one is of the usual kind.
      const isUsual = !wanted?.loadImages && !wanted?.userAgent && !wanted?.upstream;
      const taken = isUsual ? (spare ?? start()) : start(wanted);
      if (isUsual) spare = undefined;
      try {
        const leased = await taken;
        return leased.browser.isConnected() ? leased : await start(wanted);
      } catch (cause) {
        throw new RunFailure(
          "browser_failed",
          "The browser could not be started. Check the memory and the disk space of the machine that runs the scraper.",
          { cause },
        );
      }
    },
    async close() {
      await spare?.catch(() => {});
      spare = undefined;
      await Promise.all([...open].map((leased) => leased.close()));
    },
  };
}

/** A browser process, and how to end it. */
interface Launched {
  browser: Browser;
  guard: BrowserGuard;
  close(): Promise<void>;
}

async function furnish(launched: Launched, options: WorkplaceOptions): Promise<LeasedBrowser> {
  try {
    const workplace = await openWorkplace(launched.browser, options);
    return {
      ...workplace,
      failure: launched.guard.failure,
      async close() {
        await Promise.all([launched.close(), workplace.egress.close()]);
      },
    };
  } catch (error) {
    await launched.close();
    throw error;
  }
}

async function launch(
  install: ChromiumInstall | undefined,
  args: readonly string[],
  limits: BrowserLimits,
): Promise<Launched> {
  const home = await mkdtemp(join(tmpdir(), "gleaner-browser-"));
  const removeHome = () => rm(home, { recursive: true, force: true, maxRetries: 3 });
  try {
    const options: LaunchOptions = {
      args: [...args],
      env: { HOME: home, TMPDIR: home, ...install?.env },
      timeout: START_MS,
      handleSIGHUP: false,
      handleSIGINT: false,
      handleSIGTERM: false,
    };
    if (install) {
      options.executablePath = join(home, "start");
      await writeFile(options.executablePath, startScript(install.executablePath));
      await chmod(options.executablePath, 0o700);
    } else {
      options.channel = "chrome";
    }
    const { result: browser, child } = await withChild(() => chromium.launch(options));
    const guard = guardBrowser(child, limits);
    let closing: Promise<void> | undefined;
    const end = async () => {
      const timer = new AbortController();
      await Promise.race([browser.close().catch(() => {}), delay(CLOSE_MS, timer.signal)]);
      timer.abort();
      guard.stop();
      killGroup(child);
      await removeHome().catch(() => {});
    };
    return {
      browser,
      guard,
      close() {
        closing ??= end();
        return closing;
      },
    };
  } catch (error) {
    await removeHome().catch(() => {});
    throw error;
  }
}

/** `exec` keeps the pid, which is also the process group's; core files of a crash could fill the disk. */
const startScript = (executablePath: string) => `#!/bin/sh
ulimit -c 0
exec '${executablePath}' "$@"
`;

const delay = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
