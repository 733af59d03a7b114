import { setTimeout as sleep } from "node:timers/promises";
import type { Hook, HookAlert, HookWithAlerts } from "../../functions/contract/hooks/hook.ts";
import {
  DEFAULT_EVENTS,
  hookUrl,
  type TestResult,
  targetOf,
  testResult,
} from "../../functions/hooks/hook-words.ts";
import { type Api, connect, pathOf } from "../client/api.ts";
import { findId, scraperNames } from "../client/find-id.ts";
import type { Where } from "../client/target.ts";
import { CommandError, EXIT } from "../command-error.ts";
import { tableOf } from "../table-of.ts";
import { note, print, printJson, suggest } from "../terminal/print.ts";

interface Options extends Where {
  json?: boolean;
}

/** How often the result of a test is asked for, in ms. */
const POLL_MS = 300;

/** Creates a hook. An e-mail address needs no `mailto:`. */
export async function add(
  format: string,
  address: string,
  {
    event = DEFAULT_EVENTS,
    scraper,
    json,
    ...where
  }: Options & { event?: readonly string[]; scraper?: string },
): Promise<void> {
  const api = await connect(where);
  const scraper_id = scraper === undefined ? null : await findId(api, "scrapers", scraper);
  const body = { url: hookUrl(format, address), format, events: event, scraper_id };
  const { body: hook } = await api.json<Hook>("/v1/hooks", { method: "POST", body });
  if (json) return printJson(hook);
  print(`Created the hook ${hook.id}. It is told of ${hook.events.join(", ")}.`);
  suggest(`hook test ${hook.id}`);
}

export async function list({ json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  const hooks = await Array.fromAsync(api.list<Hook>("/v1/hooks"));
  if (json) return printJson(hooks);
  if (hooks.length === 0) return note("There are no hooks yet. Create one with `npx gleaner hook add`.");
  const names = await scraperNames(
    api,
    hooks.flatMap(({ scraper_id }) => scraper_id ?? []),
  );
  const rows = hooks.map(({ id, format, url, events, scraper_id, disabled }) => [
    id,
    format,
    targetOf(url),
    events.join("\n"),
    scraper_id === null ? "all" : (names.get(scraper_id) ?? scraper_id),
    disabled?.at ?? "",
  ]);
  print(tableOf(["id", "format", "to", "events", "scrapers", "disabled"], rows));
}

/** Sends a test to a hook, and waits for the first attempt to deliver it. */
export async function test(named: string, { json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  const id = await findId(api, "hooks", named);
  const { body } = await api.json<HookWithAlerts>(pathOf("hooks", id, "/test"), { method: "POST" });
  const sent = body.alerts.find(({ event }) => event === "hook.test");
  const { alert, result } = await untilAttempted(api, id, sent?.id);
  if (json) printJson(alert);
  if (!result.isDelivered) throw new CommandError(EXIT.failed, result.message);
  if (!json) print(result.message);
}

/** The test, when an attempt to deliver it has ended. */
async function untilAttempted(
  api: Api,
  id: string,
  alertId: string | undefined,
): Promise<{ alert: HookAlert; result: TestResult }> {
  for (;;) {
    const hook = await api.get<HookWithAlerts>(pathOf("hooks", id));
    const alert = hook.alerts.find((one) => one.id === alertId);
    if (alert === undefined) throw new CommandError(EXIT.notFound, "The test is gone. Send another one.");
    const result = testResult(hook, alert);
    if (result !== undefined) return { alert, result };
    await sleep(POLL_MS);
  }
}
