import { readFileSync } from "node:fs";
import type { BrowserLimits } from "./guard.ts";
import { launch, NO_SANDBOX, type Program } from "./launch.ts";
import { processesOf } from "./process-usage.ts";
import { rootHasNoSandbox } from "./root.ts";

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

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "latin1");
  } catch {
    // The process has ended.
    return "";
  }
}
