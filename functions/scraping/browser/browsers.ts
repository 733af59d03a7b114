import type { ChildProcess } from "node:child_process";
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
  withFreeSpace,
} from "./guard.ts";
import { type ChromiumInstall, installChromium } from "./install.ts";
import { openRunContext, type RunContext, type RunContextOptions } from "./run-context.ts";

/** Longest wait for a browser to start, and for one to close before its processes are killed. */
const START_MS = 30_000;
const CLOSE_MS = 2_000;

/** Arguments everywhere: all traffic goes through the proxy of a run's own context. */
const commonArgs = [
  "--no-sandbox",
  "--no-zygote",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-domain-reliability",
  "--no-pings",
  // A page that allocates without end crashes before the machine runs out of memory.
  "--js-flags=--max-old-space-size=1536",
  // Frames of other sites stay in their page's process, where one DevTools session reaches them all.
  "--disable-site-isolation-trials",
  // Traffic outside a run's context goes to a port where nothing listens; the proxy resolves names.
  "--proxy-server=http://127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Arguments of the packed browser. Its software renderer is not unpacked, and a process that can't draw only costs time. */
const packedArgs = ["--in-process-gpu", "--disable-software-rasterizer"];

/** Launch arguments where the browser may start processes of its own. */
export const multiProcessArgs: readonly string[] = commonArgs;

/** Launch arguments where it may not, as on Lambda. */
export const singleProcessArgs: readonly string[] = [
  ...commonArgs,
  ...packedArgs,
  "--single-process",
  "--disable-setuid-sandbox",
  "--disk-cache-size=33554432",
];

/** Skips decoding, too, which blocking the requests would not. */
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
  /** The user agent string of runs that state none; absent: the engine's own. */
  userAgent?: string | undefined;
}

/** A browser process of one run, with an open tab. */
export interface LeasedBrowser extends RunContext {
  /** Why it was terminated during the run: its page exceeded a limit, or was about to send a secret elsewhere. */
  failure(): RunFailure | undefined;
  /** Terminates it. The first failure counts. */
  end(failure: RunFailure): void;
  /** Ends the process within a time limit, and removes what it left on disk. Never throws. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  /** Images, fonts, films and trackers are loaded only where a scraper asks for it. */
  loadImages?: boolean | undefined;
  /** The user agent string. */
  userAgent?: string | undefined;
  /** The proxy that the run's traffic takes; absent: none. */
  upstream?: Upstream | undefined;
}

export interface Browsers {
  /**
   * Starts a browser ahead of the run that will take it. Safe to call at any time and more than once.
   */
  warm(): void;
  /** @throws RunFailure `browser_failed` */
  lease(options?: LeaseOptions): Promise<LeasedBrowser>;
  /** Ends every browser that is still open. */
  close(): Promise<void>;
}

/** Every run gets a browser process of its own: no run can reach or slow the next. */
export function createBrowsers(options: BrowsersOptions): Browsers {
  const args = options.args ?? multiProcessArgs;
  const limits = { ...defaultLimits(), ...options.limits };
  const open = new Set<LeasedBrowser>();
  let program: Promise<Program | undefined> | undefined;
  let spare: Promise<LeasedBrowser> | undefined;

  /** The packed browser is for x86-64 Linux; elsewhere the installed Chrome is used. */
  const findProgram = async (): Promise<Program | undefined> => {
    if (options.executablePath) return { executablePath: options.executablePath, env: {}, args: [] };
    if (process.platform !== "linux" || process.arch !== "x64") return undefined;
    return { ...(await installChromium(options.cacheFolder)), args: packedArgs };
  };

  const start = async (wanted: LeaseOptions = {}): Promise<LeasedBrowser> => {
    const { loadImages = false, userAgent = options.userAgent, upstream } = wanted;
    program ??= findProgram();
    const found = await program.catch((error) => {
      program = undefined;
      throw error;
    });
    const launched = await launch(found, loadImages ? args : [...args, NO_IMAGES], limits);
    const egress = { ...options.egress, ...(upstream && { upstream }) };
    const leased = await openIn(launched, {
      egress,
      userAgent,
      loadsAll: loadImages,
      onExcess: launched.guard.end,
      onClosed: () => open.delete(leased),
    });
    open.add(leased);
    return leased;
  };

  return {
    warm() {
      if (spare) return;
      const starting = start();
      spare = starting;
      // A spare browser that dies, or does not start, is not kept.
      const drop = (leased?: LeasedBrowser) => {
        if (spare !== starting) return;
        spare = undefined;
        leased?.close();
      };
      starting.then(
        (leased) => leased.browser.on("disconnected", () => drop(leased)),
        () => drop(),
      );
    },
    async lease(wanted) {
      // The spare browser has no options.
      const isUsual = !wanted?.loadImages && !wanted?.userAgent && !wanted?.upstream;
      const taken = isUsual ? (spare ?? start()) : start(wanted);
      if (isUsual) spare = undefined;
      try {
        const leased = await taken;
        if (leased.browser.isConnected()) return leased;
        await leased.close();
        return await start(wanted);
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

/** A browser on disk, and the arguments that it needs wherever it runs. */
interface Program extends ChromiumInstall {
  args: readonly string[];
}

/** A browser process, and how to end it. */
interface Launched {
  browser: Browser;
  guard: BrowserGuard;
  close(): Promise<void>;
}

async function openIn(
  launched: Launched,
  { onClosed, ...options }: RunContextOptions & { onClosed: () => void },
): Promise<LeasedBrowser> {
  try {
    const runContext = await openRunContext(launched.browser, options);
    return {
      ...runContext,
      failure: launched.guard.failure,
      end: launched.guard.end,
      async close() {
        await Promise.all([launched.close(), runContext.egress.close()]);
        onClosed();
      },
    };
  } catch (error) {
    await launched.close();
    throw error;
  }
}

async function launch(
  program: Program | undefined,
  args: readonly string[],
  limits: BrowserLimits,
): Promise<Launched> {
  const home = await mkdtemp(join(tmpdir(), "gleaner-browser-"));
  const removeHome = () => rm(home, { recursive: true, force: true, maxRetries: 3 });
  try {
    const options: LaunchOptions = {
      args: [...args, ...(program?.args ?? [])],
      env: { HOME: home, TMPDIR: home, ...program?.env },
      timeout: START_MS,
      handleSIGHUP: false,
      handleSIGINT: false,
      handleSIGTERM: false,
    };
    if (program) {
      options.executablePath = join(home, "start");
      await writeFile(options.executablePath, startScript(program.executablePath));
      await chmod(options.executablePath, 0o700);
    } else {
      options.channel = "chrome";
    }
    const allowed = await withFreeSpace(limits);
    const { result: browser, child } = await withChild(() => chromium.launch(options));
    const guard = guardBrowser(child, allowed, [home, ...profileOf(child)]);
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

/** The folder that Playwright made for the browser's profile, and removes when the browser has exited. */
const profileOf = ({ spawnargs }: ChildProcess): string[] =>
  spawnargs.flatMap((arg) => /^--user-data-dir=(.*)/.exec(arg)?.[1] ?? []);

/** `exec` keeps the pid, which is also the process group's. Core files of a crash could fill the disk. */
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
