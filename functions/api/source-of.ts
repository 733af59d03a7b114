import type { RunSource } from "../contract/runs/run-status.ts";

const sources: ReadonlyMap<string | undefined, RunSource> = new Map([
  ["console", "app"],
  ["mcp", "integration"],
  ["integration", "integration"],
]);

/** The source of what a request creates, by its header Gleaner-Client. */
export const sourceOf = (headers: Record<string, string | undefined>): RunSource =>
  sources.get(headers["gleaner-client"]) ?? "api";
