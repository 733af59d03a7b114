import { setTimeout as sleep } from "node:timers/promises";
import { type Api, commands, type Kind, pathOf } from "../client/api.ts";
import { NotAnswered } from "../client/api-error.ts";
import { EXIT } from "../command-error.ts";
import { note, printJsonLine } from "../terminal/print.ts";
import { StatusLine } from "../terminal/status-line.ts";
import { duration } from "./run/progress.ts";

/** How long to wait for a service that does not respond, in ms. A restart takes less time. */
const OUTAGE_MS = 120_000;

/** The pause between two requests, in ms, after watching for `ms`. */
const pauseAfter = (ms: number) => (ms < 30_000 ? 1_000 : ms < 300_000 ? 2_000 : 5_000);

/** What can be followed: a run or a batch. */
interface Followed {
  status: string;
  progress?: object | null;
}

interface Following<T> {
  kind: Exclude<Kind, "scrapers">;
  id: string;
  /** Prints each new state as a line of JSON. */
  json: boolean | undefined;
  /** Describes what is in progress, for the status line. */
  describe: (item: T) => string | Promise<string>;
}

/**
 * Shows the progress of a run or a batch until it has finished, and returns it. Survives a restart of the service. Ctrl-C
 * exits the process; the run or the batch continues.
 */
export async function follow<T extends Followed>(
  api: Api,
  { kind, id, json, describe }: Following<T>,
): Promise<T> {
  const line = new StatusLine();
  const begun = Date.now();
  let last = "";
  let answeredAt = begun;
  const onInterrupt = () => {
    line.clear();
    const what = commands[kind];
    note(
      `The ${what} continues. Watch it with \`npx gleaner ${what} watch ${id}\`, or stop it with \`npx gleaner ${what} stop ${id}\`.`,
    );
    process.exit(EXIT.interrupted);
  };
  process.once("SIGINT", onInterrupt);
  try {
    for (;;) {
      const clock = duration((Date.now() - begun) / 1000);
      try {
        const item = await api.get<T>(pathOf(kind, id), kind === "runs" ? { rows: false } : {});
        answeredAt = Date.now();
        const state = JSON.stringify({ ...item, progress: item.progress && { ...item.progress, at: null } });
        if (json && state !== last) printJsonLine(item);
        last = state;
        if (item.status !== "running") return item;
        line.show(await describe(item), clock);
      } catch (error) {
        const isGone = Date.now() - answeredAt > OUTAGE_MS;
        if (!(error instanceof NotAnswered) || last === "" || isGone) throw error;
        line.show("waiting for the service, which does not answer", clock);
      }
      await sleep(pauseAfter(Date.now() - begun));
    }
  } finally {
    line.clear();
    process.removeListener("SIGINT", onInterrupt);
  }
}
