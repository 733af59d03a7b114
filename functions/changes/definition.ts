import { createHash } from "node:crypto";
import type { StoredRun } from "../runs/run.ts";

type Defined = Pick<StoredRun, "steps" | "pagination">;
type Visiting = Pick<
  StoredRun,
  "proxy" | "headers" | "cookies" | "user_agent" | "http_credentials" | "session"
>;

/** A digest of what the fields of a run's rows depend on: the figures of a run with another one say nothing about them. */
export const definitionOf = ({ steps, pagination }: Defined): string => digestOf([steps, pagination]);

/** The same with what a site may show other rows for: who asks, and from where. A run with another one has another baseline. */
export function baselineOf({ steps, pagination, ...run }: Defined & Visiting): string {
  const { proxy, headers, cookies, user_agent, http_credentials, session } = run;
  const from = proxy.type === "none" ? undefined : proxy;
  const visit = [from, headers, cookies, user_agent, http_credentials, session?.name];
  const isPlain = visit.every((one) => one === undefined);
  return digestOf([steps, pagination, ...(isPlain ? [] : visit)]);
}

const digestOf = (parts: unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts, withoutDetails)).digest("base64url");

/** Leaves out what changes neither the rows nor their fields, and sorts names: the table does not keep their order. */
function withoutDetails(name: string, value: unknown): unknown {
  if (["id", "timeout_ms", "optional", "ignore", "delay_ms"].includes(name)) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
