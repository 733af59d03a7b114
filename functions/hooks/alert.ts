import type { Alert, AlertFacts, AlertType } from "../contract/hooks/hook.ts";
import { COMPARING } from "../runs/warning.ts";
import type { StoredAlert } from "./hook.ts";
import { counted, oneLine, timeText } from "./text.ts";

const NAME_MAX = 100;
const ERROR_MAX = 500;

/** An alert as receivers get it. `consoleUrl`: the base URL of the console. */
export function alertOf({ event, facts, created_at }: StoredAlert, consoleUrl: string | undefined): Alert {
  const { title, message, path } = texts[event](facts);
  const url = consoleUrl === undefined ? null : consoleUrl.replace(/\/$/, "") + path;
  return { type: event, timestamp: created_at, data: { title, message, url, ...facts } };
}

interface Text {
  title: string;
  message: string;
  /** The page of the console. */
  path: string;
}

const nameOf = ({ scraper }: AlertFacts): string =>
  scraper?.name ? `“${oneLine(scraper.name, NAME_MAX)}”` : "A deleted scraper";

const sentences = (...parts: (string | undefined | false)[]): string =>
  parts.filter((part) => typeof part === "string" && part !== "").join(" ");

const runPath = ({ run }: AlertFacts) => `/runs/${run?.id}`;

/** Why a run failed, or how its figures differ from the usual ones; empty if it did not, and they don't. */
function failureOf({ run }: AlertFacts): string {
  if (!run?.error) {
    const unusual = run?.warnings.filter(({ code }) => COMPARING.has(code)) ?? [];
    return unusual.map(({ message }) => oneLine(message, ERROR_MAX)).join(" ");
  }
  return `${oneLine(run.error.message, ERROR_MAX)} (${oneLine(run.error.code, NAME_MAX)})`;
}

function rowsOf({ run }: AlertFacts): string {
  const rows = counted(run?.row_count ?? 0, "row");
  const warnings = run?.warnings.length ?? 0;
  return warnings === 0 ? rows : `${rows} and ${counted(warnings, "warning")}`;
}

const texts: Record<AlertType, (facts: AlertFacts) => Text> = {
  "scraper.failing": (facts) => ({
    title: `${nameOf(facts)} ${facts.run?.error?.code === "session_expired" ? "is signed out" : "is failing"}`,
    message: sentences(
      `Since ${timeText(facts.since ?? "")}: ${failureOf(facts)}`,
      facts.last_good_at !== null && `The last good run ended at ${timeText(facts.last_good_at)}.`,
      "There is no further alert until it recovers.",
    ),
    path: runPath(facts),
  }),
  "scraper.recovered": (facts) => ({
    title: `${nameOf(facts)} works again`,
    message: sentences(
      `The run that ended at ${timeText(facts.run?.finished_at ?? "")} has ${rowsOf(facts)}.`,
      facts.since !== null && `It had been failing since ${timeText(facts.since)}.`,
    ),
    path: runPath(facts),
  }),
  "run.changed": (facts) => {
    const { new: added = 0, changed = 0, removed = 0 } = facts.run?.changes ?? {};
    const kinds = [
      [added, "new"],
      [changed, "changed"],
      [removed, "removed"],
    ] as const;
    const parts = kinds.flatMap(([count, kind]) =>
      count === 0 ? [] : [`${count.toLocaleString("en-US")} ${kind}`],
    );
    return {
      title: `${nameOf(facts)} has changed: ${parts.join(", ")}`,
      message: `These are rows of the run that ended at ${timeText(facts.run?.finished_at ?? "")}, compared with the last good run before it. In all, it has ${rowsOf(facts)}.`,
      path: runPath(facts),
    };
  },
  "run.finished": (facts) => {
    const isFailed = facts.run?.status === "failed";
    const ended = `The run that began at ${timeText(facts.run?.created_at ?? "")} ended at ${timeText(facts.run?.finished_at ?? "")}`;
    return {
      title: isFailed ? `A run of ${nameOf(facts)} failed` : `A run of ${nameOf(facts)} was successful`,
      message: sentences(`${ended} with ${rowsOf(facts)}.`, failureOf(facts)),
      path: runPath(facts),
    };
  },
  "batch.finished": (facts) => {
    const { total = 0, successful = 0, warned = 0, failed = 0 } = facts.batch ?? {};
    const { row_count = 0, finished_at = "" } = facts.batch ?? {};
    const warnings = warned === 0 ? "" : ` (${warned.toLocaleString("en-US")} with warnings)`;
    const outcome = `${counted(successful, "input")} successful${warnings}, ${failed.toLocaleString("en-US")} failed`;
    return {
      title: `A batch of ${nameOf(facts)} has finished`,
      message: `It ended at ${timeText(finished_at)}. Of ${counted(total, "input")}: ${outcome}. It has ${counted(row_count, "row")}.`,
      path: `/batches/${facts.batch?.id}`,
    };
  },
  "credits.low": ({ credits }) => {
    const { used = 0, limit = 0 } = credits ?? {};
    const left = Math.max(0, limit - used);
    return {
      title: left === 0 ? "No credits are left this month" : `${counted(left, "credit")} left this month`,
      message: `${used.toLocaleString("en-US")} of ${counted(limit, "credit")} are used. Without credits, runs fail. The operator of the service can raise the limit.`,
      path: "/settings",
    };
  },
  "hook.test": () => ({
    title: "This is a test of a hook",
    message: "Alerts of Gleaner arrive here.",
    path: "/settings",
  }),
};

/** How urgent an alert is. */
export type Mood = "bad" | "good" | "neutral";

export function moodOf({ type, data: { run } }: Alert): Mood {
  if (type === "scraper.failing" || type === "credits.low" || run?.status === "failed") return "bad";
  return type === "scraper.recovered" ? "good" : "neutral";
}
