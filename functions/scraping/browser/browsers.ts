import { existsSync } from "node:fs";
import type { Upstream } from "../../egress/connect/upstream-route.ts";
import type { EgressOptions } from "../../egress/proxy/start-egress.ts";
import { RunFailure } from "../../runs/failure.ts";
import { BROWSERS } from "../limits.ts";
import { BROWSER_MS } from "../timing.ts";
import { type BrowserLimits, defaultLimits } from "./guard.ts";
import { hasPackedChromium, installChromium } from "./install.ts";
import {
  type Launched,
  launch,
  NO_SANDBOX,
  NO_ZYGOTE,
  type Program,
  sandboxRuledOut,
  whyNoSandbox,
} from "./launch.ts";
import { type LeasedBrowser, leaseOf } from "./leased-browser.ts";
import { noteBrowser, PAGE_SIZE } from "./page-opener.ts";

/** Features of the browser that no scraper needs: they send requests that can't be checked for secrets. */
export const UNNEEDED: readonly string[] = ["FedCm", "Prerender2", "Prerender2FallbackPrefetchSpecRules"];
/** Prefetches by speculation rules have no switch. So none may be in progress at a time. */
export const NO_PREFETCHES =
  "PrefetchMultipleActiveSetSizeLimitForBase:prefetch_multiple_active_set_size_limit_for_base_value/0";
/** The features that Playwright enables and disables. The browser only reads the last list of each. */
const ENABLED_BY_PLAYWRIGHT = "CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies";
const DISABLED_BY_PLAYWRIGHT =
  "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,msForceBrowserSignIn,msEdgeUpdateLaunchServicesPreferredVersion";

/**
 * Launch arguments where the browser may start processes of its own, and everywhere: all traffic goes through the proxy of a
 * run's own context.
 */
export const multiProcessArgs: readonly string[] = [
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-domain-reliability",
  "--no-pings",
  // Ways to send something that no scraper needs, and that the browser does not show before it sends it.
  `--disable-features=${[DISABLED_BY_PLAYWRIGHT, ...UNNEEDED].join(",")}`,
  `--enable-features=${[ENABLED_BY_PLAYWRIGHT, NO_PREFETCHES].join(",")}`,
  // A page that allocates without end crashes before the machine runs out of memory.
  "--js-flags=--max-old-space-size=1536",
  // Frames of other sites stay in their page's process, where one DevTools session reaches them all.
  "--disable-site-isolation-trials",
  // Traffic outside a run's context goes to a port where nothing listens; the proxy resolves names.
  "--proxy-server=http://127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/**
 * Arguments of a browser whose frames the engine draws. Animations run in the page's thread, because only that one has the
 * page's time.
 */
const drawnArgs: readonly string[] = [
  "--enable-begin-frame-control",
  "--run-all-compositor-stages-before-draw",
  "--disable-threaded-animation",
  // What a script scrolls smoothly would take as many frames as its animation has.
  "--disable-smooth-scrolling",
  // By default, the screen is smaller than a page.
  `--screen-info={${PAGE_SIZE.width}x${PAGE_SIZE.height}}`,
];

/** Arguments of the packed browser. Its software renderer is not unpacked, and a process that can't draw only costs time. */
export const packedArgs: readonly string[] = ["--in-process-gpu", "--disable-software-rasterizer"];

/** Where pages share the browser's process, the clock of one run's page would be that of the next. */
const SINGLE_PROCESS = "--single-process";

/** Launch arguments where it may not, as on Lambda, which has no sandbox for it either. */
export const singleProcessArgs: readonly string[] = [
  ...multiProcessArgs,
  ...packedArgs,
  ...drawnArgs,
  NO_SANDBOX,
  NO_ZYGOTE,
  SINGLE_PROCESS,
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

interface LeaseOptions {
  /** The account of the run; absent: the browser serves nobody else. */
  account?: string | undefined;
  /** Images, fonts, films and trackers are loaded only where a scraper asks for it. */
  loadImages?: boolean | undefined;
  /** The user agent string. */
  userAgent?: string | undefined;
  /** The proxy that the run's traffic takes; absent: none. */
  upstream?: Upstream | undefined;
}

export interface Browsers {
  /** Whether all pages of a browser share its process, and with it their time. */
  readonly sharesTime: boolean;
  /**
   * Starts a browser ahead of the run that will take it. Safe to call at any time and more than once.
   */
  warm(): void;
  /** @throws RunFailure `browser_failed` */
  lease(options?: LeaseOptions): Promise<LeasedBrowser>;
  /** Ends every browser that is still open. */
  close(): Promise<void>;
}

/** Where Debian's package `chromium-headless-shell` puts it. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";

/** Only a headless shell lets the engine draw its frames. */
const isHeadlessShell = (executablePath: string): boolean => /headless/i.test(executablePath);

/** A browser that the operator has installed. */
const ownProgram = (executablePath: string): Program => ({
  executablePath,
  env: {},
  args: isHeadlessShell(executablePath) ? ["--in-process-gpu", ...drawnArgs] : [],
});

/**
 * Arguments where the browser has no sandbox. In the image for arm64, that is Debian's headless shell. QEMU, with which other
 * processors run that image, can't fork pages from a zygote.
 */
const unsandboxedArgs = (program: Program | undefined): readonly string[] =>
  program && isHeadlessShell(program.executablePath) ? [NO_SANDBOX, NO_ZYGOTE] : [NO_SANDBOX];

/** Whether this is a Linux without glibc, for which there is no browser. */
export function lacksGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return process.platform === "linux" && header.glibcVersionRuntime === undefined;
}

/** What a run says whose browser could not be started. */
function notStarted(): string {
  return lacksGlibc()
    ? "The browser could not be started: it needs glibc, and this system has another C library, such as musl on Alpine. Run Gleaner's image there."
    : "The browser could not be started. Check the memory and the disk space of the machine that runs the scraper.";
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
    if (executablePath) return ownProgram(executablePath);
    // Without the packed browser, Debian's headless shell is used, or else the installed Chrome.
    if (hasPackedChromium)
      return { ...(await installChromium(cacheFolder)), args: [...packedArgs, ...drawnArgs] };
    return existsSync(HEADLESS_SHELL) ? ownProgram(HEADLESS_SHELL) : undefined;
  };
  const program = await findProgram();
  const noSandbox = await whyNoSandbox(program, args, limits);
  return {
    program,
    args: noSandbox === undefined ? args : [...new Set([...args, ...unsandboxedArgs(program)])],
    noSandbox,
  };
}

/** Browsers of this machine. */
export interface OwnBrowsers extends Browsers {
  /** Why they run without their sandbox; undefined: they have it. */
  whyNoSandbox(): Promise<string | undefined>;
  /** How many are open, with those that wait for a run. */
  count(): number;
}

/** After so much time, a browser is replaced by a new one. */
const MOST_MS = 10 * 60_000;

/** A spare browser has the usual user agent, and no proxy. */
const isUsual = ({ userAgent, upstream }: LeaseOptions) => !userAgent && !upstream;

/** Undefined where it did not start, or has died since. */
async function alive(spare: Promise<LeasedBrowser>): Promise<LeasedBrowser | undefined> {
  const leased = await spare.catch(() => undefined);
  if (leased?.browser.isConnected() && leased.failure() === undefined) return leased;
  await leased?.close();
  return undefined;
}

/**
 * Every run gets a context of its own, in a browser process that no other run uses at the same time. After a run that went
 * well, the process may serve the next run of the same account: to start one takes half of a short run.
 */
export function createBrowsers(options: BrowsersOptions): OwnBrowsers {
  const limits = { ...defaultLimits(), ...options.limits };
  const open = new Set<LeasedBrowser>();
  const starting = new Set<Promise<LeasedBrowser>>();
  const spares = new SpareBrowsers();
  /** Whose runs use them. */
  const accounts = new WeakMap<LeasedBrowser, string>();
  let isClosing = false;
  let setup: Promise<Setup> | undefined;

  const prepare = (): Promise<Setup> => {
    setup ??= setUp(options, limits).catch((error) => {
      setup = undefined;
      throw error;
    });
    return setup;
  };

  const sharesTime = options.args?.includes(SINGLE_PROCESS) ?? false;
  const canServeNext = ({ startedAt }: Launched, runs: number) =>
    !isClosing && runs < BROWSERS.runs && Date.now() < startedAt + MOST_MS && !sharesTime;

  const openContext = async (launched: Launched, lease: LeaseOptions, runs = 1): Promise<LeasedBrowser> => {
    const { loadImages = false, userAgent = options.userAgent, upstream } = lease;
    const leased = await leaseOf(launched, {
      egress: { ...options.egress, ...(upstream && { upstream }) },
      userAgent,
      loadsAll: loadImages,
      canStay: () => accounts.has(leased) && isUsual(lease) && canServeNext(launched, runs),
      onLeft: () =>
        keep(openContext(launched, { loadImages }, runs + 1), { account: accounts.get(leased), loadImages }),
      onClosed: () => open.delete(leased),
    });
    open.add(leased);
    // Whoever waits for it finds it closed, as if it had been closed just after.
    if (isClosing) await leased.close();
    return leased;
  };

  const start = async (lease: LeaseOptions = {}): Promise<LeasedBrowser> => {
    const { program, args } = await prepare();
    if (isClosing) throw new Error("the browsers are closed");
    const launched = await launch(program, lease.loadImages ? args : [...args, NO_IMAGES], limits);
    noteBrowser(launched.browser, sharesTime);
    return openContext(launched, lease);
  };

  /** Lets `close` wait for it. */
  const noted = (leased: Promise<LeasedBrowser>): Promise<LeasedBrowser> => {
    starting.add(leased);
    return leased.finally(() => starting.delete(leased));
  };
  const keep = (leased: Promise<LeasedBrowser>, purpose?: Purpose) => spares.add(noted(leased), purpose);

  return {
    sharesTime,
    count: () => open.size,
    whyNoSandbox: async () =>
      sandboxRuledOut(options.args ?? multiProcessArgs) ?? (await prepare()).noSandbox,
    warm() {
      // The last message of a queue may come when nobody closes another browser any more.
      if (!isClosing && spares.isEmpty) keep(start());
    },
    async lease(wanted = {}) {
      const spare = isUsual(wanted) ? spares.take(wanted) : undefined;
      try {
        const leased = (spare && (await alive(spare))) ?? (await noted(start(wanted)));
        if (wanted.account !== undefined) accounts.set(leased, wanted.account);
        return leased;
      } catch (cause) {
        throw new RunFailure("browser_failed", notStarted(), { cause });
      }
    },
    async close() {
      isClosing = true;
      // It may have a browser open, too.
      await setup?.catch(() => {});
      await Promise.all([...open].map((leased) => leased.close()));
      await Promise.all([spares.close(), Promise.allSettled(starting)]);
    },
  };
}

/** Whose next run a browser is for. */
interface Purpose {
  /** The account that alone may take it; undefined: it has served nobody. */
  account?: string | undefined;
  /** A browser is started with images or without. */
  loadImages?: boolean | undefined;
}

interface Spare extends Purpose {
  leased: Promise<LeasedBrowser>;
  timer?: NodeJS.Timeout;
}

/** Browsers that are ready for a run. */
class SpareBrowsers {
  readonly #spares = new Set<Spare>();
  readonly #dropping = new Set<Promise<void>>();

  get isEmpty(): boolean {
    return this.#spares.size === 0;
  }

  /** Keeps a browser. One that dies, or does not start, is not kept. */
  add(leased: Promise<LeasedBrowser>, { account, loadImages = false }: Purpose = {}): void {
    const spare: Spare = { account, loadImages, leased };
    this.#spares.add(spare);
    const [oldest] = this.#spares;
    if (oldest && this.#spares.size > BROWSERS.spares) this.#drop(oldest);
    if (account !== undefined) {
      spare.timer = setTimeout(() => this.#drop(spare), BROWSER_MS.spare);
      spare.timer.unref();
    }
    leased.then(
      ({ browser }) => browser.on("disconnected", () => this.#drop(spare)),
      () => this.#drop(spare),
    );
  }

  /** One for a run of this account, if there is one. */
  take({ account, loadImages = false }: Purpose): Promise<LeasedBrowser> | undefined {
    const spares = [...this.#spares].filter((spare) => spare.loadImages === loadImages);
    const own = account === undefined ? undefined : spares.find((spare) => spare.account === account);
    const spare = own ?? spares.find((each) => each.account === undefined);
    if (spare) this.#remove(spare);
    return spare?.leased;
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    for (const spare of this.#spares) this.#drop(spare);
    await Promise.all(this.#dropping);
  }

  #remove(spare: Spare): boolean {
    clearTimeout(spare.timer);
    return this.#spares.delete(spare);
  }

  /** Ends a browser that nobody has taken. */
  #drop(spare: Spare): void {
    if (!this.#remove(spare)) return;
    const closing = spare.leased.then((leased) => leased.close()).catch(() => {});
    this.#dropping.add(closing);
    closing.finally(() => this.#dropping.delete(closing));
  }
}
