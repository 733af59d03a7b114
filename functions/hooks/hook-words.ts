import type { HookAlert, HookEventType, HookWithAlerts } from "../contract/hooks/hook.ts";
import { IN_PROGRESS } from "../runs/webhook-attempt.ts";

/* What the console and the command line show of hooks. */

/** What a new hook is told, if the user does not say it. */
export const DEFAULT_EVENTS: readonly HookEventType[] = ["scraper.failing", "scraper.recovered"];

/** The address of a hook, as a person enters it. That of an e-mail needs no `mailto:`. */
export const hookUrl = (format: string, entered: string): string =>
  format === "email" && !entered.includes(":") ? `mailto:${entered}` : entered;

/** The host of a hook's address, whose path may be a secret; of an e-mail, its receiver. */
export const targetOf = (url: string): string =>
  url.startsWith("mailto:") ? url.slice(7) : new URL(url).host;

/** What has become of the first attempt to deliver a test. */
export interface TestResult {
  isDelivered: boolean;
  message: string;
}

/** The result of a test, one of the hook's alerts; undefined while no attempt has ended. */
export function testResult(hook: HookWithAlerts, { state, attempts }: HookAlert): TestResult | undefined {
  if (state === "delivered") return { isDelivered: true, message: "The test arrived." };
  const last = attempts.at(-1);
  if (state === "pending" && (last === undefined || last.answer === IN_PROGRESS)) return undefined;
  const status = (last?.status ?? null) === null ? "no response" : `the status ${last?.status}`;
  const disabled = hook.disabled === null ? "" : " The hook is disabled until a test arrives.";
  const message = `The test did not arrive: ${status}. ${last?.answer ?? ""}`.trim() + disabled;
  return { isDelivered: false, message };
}
