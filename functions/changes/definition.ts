import { createHash } from "node:crypto";
import type { Pagination } from "../contract/scrapers/scraper.ts";
import type { Step } from "../contract/steps/steps.ts";

/** A digest of what the rows of a run depend on: a run with another one has nothing to be compared with. */
export const definitionOf = (run: { steps: readonly Step[]; pagination: Pagination }): string =>
  createHash("sha256")
    .update(JSON.stringify([run.steps, run.pagination], withoutDetails))
    .digest("base64url");

/** Leaves out what changes neither the rows nor their fields, and sorts names: the table does not keep their order. */
function withoutDetails(name: string, value: unknown): unknown {
  if (["id", "timeout_ms", "optional", "ignore", "delay_ms"].includes(name)) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
