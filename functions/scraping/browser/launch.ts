import type { ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { within } from "../time-limit.ts";
import { BROWSER_MS } from "../timing.ts";
import {
  type BrowserGuard,
  type BrowserLimits,
  guardBrowser,
  killGroup,
  withChild,
  withFreeSpace,
} from "./guard.ts";
import type { ChromiumInstall } from "./install.ts";
import { processesOf, rootHasNoSandbox, statusOf } from "./process-usage.ts";

/**
 * The argument of a browser without its sandbox. It still forks the processes of its pages from a zygote, which has the
 * libraries loaded: a new page takes 12 ms and 18 ms of CPU time less than by NO_ZYGOTE.
 */
export const NO_SANDBOX = "--no-sandbox";
/** Starts the process of each page anew. The browser takes it only without its sandbox. */
export const NO_ZYGOTE = "--no-zygote";

/** A browser on disk, and the arguments that it needs wherever it runs. */
export interface Program extends ChromiumInstall {
  args: readonly string[];
}

/** A browser process, and how to end it. */
export interface Launched {
  browser: Browser;
  pid: number;
  /** In ms since the epoch. */
  startedAt: number;
  guard: BrowserGuard;
  close(): Promise<void>;
}

export async function launch(
  program: Program | undefined,
  args: readonly string[],
  limits: BrowserLimits,
): Promise<Launched> {
  const home = await mkdtemp(join(tmpdir(), "gleaner-browser-"));
  const removeHome = () => rm(home, { recursive: true, force: true, maxRetries: 3 });
  try {
    const options: LaunchOptions = {
      args: [...args, ...(program?.args ?? [])],
      chromiumSandbox: !args.includes(NO_SANDBOX),
      env: { HOME: home, TMPDIR: home, ...program?.env },
      timeout: BROWSER_MS.start,
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
      await within(BROWSER_MS.close, browser.close()).catch(() => {});
      guard.stop();
      killGroup(child);
      await removeHome().catch(() => {});
    };
    return {
      browser,
      pid: child.pid as number,
      startedAt: Date.now(),
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

/** A process that sees only some system calls, and only the processes of a namespace of its own. */
const IN_SANDBOX = /^NSpid:\s+\d+\s+\d.*^Seccomp:\s+2$/ms;

/** Why Chromium can't use its sandbox, where that needs no try. */
export function sandboxRuledOut(args: readonly string[]): string | undefined {
  if (args.includes(NO_SANDBOX)) return "it is disabled";
  return rootHasNoSandbox();
}

/** Why Chromium can't use its sandbox here; undefined: it can. On Linux, it is tried with an empty page. */
export async function whyNoSandbox(
  program: Program | undefined,
  args: readonly string[],
  limits: BrowserLimits,
): Promise<string | undefined> {
  const ruledOut = sandboxRuledOut(args);
  if (ruledOut !== undefined || process.platform !== "linux") return ruledOut;
  // A browser may fail for other reasons, too.
  const hasIt = (await isSandboxed(program, args, limits)) || (await isSandboxed(program, args, limits));
  return hasIt ? undefined : "the system does not let this user create the namespaces that it needs";
}

async function isSandboxed(
  program: Program | undefined,
  args: readonly string[],
  limits: BrowserLimits,
): Promise<boolean> {
  try {
    const { browser, pid, close } = await launch(program, args, limits);
    try {
      await (await browser.newPage()).evaluate("1");
      return processesOf(pid).some((one) => IN_SANDBOX.test(statusOf(one)));
    } finally {
      await close();
    }
  } catch {
    return false;
  }
}
