import { setTimeout as sleep } from "node:timers/promises";
import type { LogEvent } from "../../../functions/contract/runs/run-log.ts";
import { type Api, connect, pathOf } from "../../client/api.ts";
import { findId } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { print, printJsonLine } from "../../terminal/print.ts";

const PAUSE_MS = 2_000;

interface RunLog {
  next: number;
  finished: boolean;
  data: LogEvent[];
}

/** The events of a run from number `after` on. */
export const readLog = (api: Api, id: string, after: number): Promise<RunLog> =>
  api.get(pathOf("runs", id, "/log"), { after });

/** Prints the events of a run. With `follow`, waits for further events until the run ends. */
export async function log(
  named: string,
  { follow, json, ...where }: Where & { follow?: boolean; json?: boolean },
): Promise<void> {
  const api = await connect(where);
  const id = await findId(api, "runs", named);
  for (let after = 0; ; ) {
    const { data, next, finished } = await readLog(api, id, after);
    for (const event of data) {
      if (json) printJsonLine(event);
      else print(line(event));
    }
    if (finished || !follow) return;
    after = next;
    await sleep(PAUSE_MS);
  }
}

function line({ at, code, step, message, url, ms }: LogEvent): string {
  const where = step === null ? "" : ` at step ${step + 1}`;
  // The message of a step begins with its number.
  const what = code === "step" ? message : `${code}${where}: ${message}`;
  const facts = [url, ms === undefined ? undefined : `${ms} ms`].filter((fact) => fact !== undefined);
  return `${at} ${what}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`;
}
