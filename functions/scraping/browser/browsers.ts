import type { EgressOptions } from "../../egress/start-egress.ts";
import type { Upstream } from "../../egress/upstream-route.ts";
import { RunFailure } from "../../runs/failure.ts";
import { type BrowserLimits, defaultLimits } from "./guard.ts";
import { installChromium } from "./install.ts";
import { type Launched, launch, NO_SANDBOX, type Program } from "./launch.ts";
import { openRunContext, type RunContext, type RunContextOptions } from "./run-context.ts";
import { sandboxRuledOut, whyNoSandbox } from "./sandbox.ts";

/** Arguments everywhere: all traffic goes through the proxy of a run's own context. */
const commonArgs = [
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
export const packedArgs: readonly string[] = ["--in-process-gpu", "--disable-software-rasterizer"];

/** Launch arguments where the browser may start processes of its own. */
export const multiProcessArgs: readonly string[] = commonArgs;

/** Launch arguments where it may not, as on Lambda, which has no sandbox for it either. */
export const singleProcessArgs: readonly string[] = [
  ...commonArgs,
  ...packedArgs,
  ...NO_SANDBOX,
  "--single-process",
  "--disk-cache-size=33554432",
];

/** Skips decoding, too, which blocking the requests would not. */
const NO_IMAGES = "--blink-settings=imagesEnabled=false";

export interface BrowsersOptions {
  /** Where the packed browser is unpacked, once per version. */
  cacheFolder: string;
  /** A browser to use instead of the packed one. */
  executablePath?: string;
  /** Launch arguments. The browser uses its sandbox where the system allows it, unless they say otherwise. */
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

/** What it takes to start a browser on this machine. */
interface Setup {
  /** Undefined: the installed Chrome. */
  program: Program | undefined;
  args: readonly string[];
  /** Why the browser runs without its sandbox; undefined: it has it. */
  noSandbox: string | undefined;
}

async function setUp(options: BrowsersOptions, limits: BrowserLimits): Promise<Setup> {
  const { executablePath, cacheFolder, args = multiProcessArgs } = options;
  const findProgram = async (): Promise<Program | undefined> => {
    if (executablePath) return { executablePath, env: {}, args: [] };
    // The packed browser is for x86-64 Linux; elsewhere the installed Chrome is used.
    if (process.platform !== "linux" || process.arch !== "x64") return undefined;
    return { ...(await installChromium(cacheFolder)), args: packedArgs };
  };
  const program = await findProgram();
  const noSandbox = await whyNoSandbox(program, args, limits);
  return {
    program,
    args: noSandbox === undefined ? args : [...new Set([...args, ...NO_SANDBOX])],
    noSandbox,
  };
}

/** Browsers of this machine. */
export interface OwnBrowsers extends Browsers {
  /** Why they run without their sandbox; undefined: they have it. */
  whyNoSandbox(): Promise<string | undefined>;
}

/** Every run gets a browser process of its own: no run can reach or slow the next. */
export function createBrowsers(options: BrowsersOptions): OwnBrowsers {
  const limits = { ...defaultLimits(), ...options.limits };
  const open = new Set<LeasedBrowser>();
  let setup: Promise<Setup> | undefined;
  let spare: Promise<LeasedBrowser> | undefined;

  const prepare = (): Promise<Setup> => {
    setup ??= setUp(options, limits).catch((error) => {
      setup = undefined;
      throw error;
    });
    return setup;
  };

  const start = async (lease: LeaseOptions = {}): Promise<LeasedBrowser> => {
    const { loadImages = false, userAgent = options.userAgent, upstream } = lease;
    const { program, args } = await prepare();
    const launched = await launch(program, loadImages ? args : [...args, NO_IMAGES], limits);
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
    whyNoSandbox: async () =>
      sandboxRuledOut(options.args ?? multiProcessArgs) ?? (await prepare()).noSandbox,
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
      // It may have a browser open, too.
      await setup?.catch(() => {});
      await spare?.catch(() => {});
      spare = undefined;
      await Promise.all([...open].map((leased) => leased.close()));
    },
  };
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
