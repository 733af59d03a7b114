import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ROWS_LIMIT_DEFAULT } from "../../../functions/contract/runs/rows-limit.ts";
import type { Schedule, Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { ValidationError } from "../../../functions/contract/validate.ts";
import { nextOccurrence } from "../../../functions/schedules/next-run.ts";
import { type Definition, readDefinition } from "../../../functions/scrapers/definition.ts";
import { UsageError } from "../../data/data-folder.ts";

/** The content of a definition file. It is valid JSON, but may be an invalid definition. */
export interface DefinitionFile {
  path: string;
  text: string;
  json: unknown;
  /** The id and the version of the stored scraper that the file is a copy of. */
  id: string | undefined;
  version: number | undefined;
}

/** Reads a definition file. @throws UsageError if the file can't be read, or is not valid JSON */
export async function readDefinitionFile(path: string): Promise<DefinitionFile> {
  let text: string;
  try {
    text = (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new UsageError(`There is no file ${path}.`, { cause });
    if (code === "EISDIR")
      throw new UsageError(`${path} is a folder. Name the files in it, such as ${join(path, "*.json")}.`, {
        cause,
      });
    throw new UsageError(`${path} can't be read: ${message}`, { cause });
  }
  try {
    const json: unknown = JSON.parse(text);
    const { id, version } = (json ?? {}) as Record<string, unknown>;
    return {
      path,
      text,
      json,
      id: typeof id === "string" ? id : undefined,
      version: typeof version === "number" ? version : undefined,
    };
  } catch (cause) {
    throw new UsageError(`${path} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

/** The order of keys in a file, for all objects of a definition. Other keys follow in alphabetical order. */
export const KEY_ORDER = [
  ...["id", "version", "type", "name", "steps", "pagination", "rows_limit"],
  ...["schedule", "interval", "next_run", "timezone", "paused", "proxy", "country", "webhook_url"],
  ...["deliveries", "path", "bucket", "region", "endpoint", "prefix", "format"],
  ...["host", "port", "database", "user", "schema", "table", "spreadsheet", "sheet", "mode", "tls", "secret"],
  ...["inputs", "inputs_from", "csv_url", "sitemap", "rows_of", "failed_of"],
  ...["scraper_id", "run_id", "batch_id", "match", "field"],
  ...["load_images", "user_agent", "clock", "engine", "concurrency", "respect_robots"],
  ...["only_new", "stop_after_known_pages", "expect", "rows_min", "filled", "fail", "session", "check"],
  ...["headers", "cookies", "http_credentials", "username", "password", "accept_status"],
  ...[
    "url",
    "field_name",
    "selector",
    "json",
    "source",
    "path",
    "until",
    "column",
    "frame",
    "attribute",
    "value",
    "text",
    "gone",
    "submit",
  ],
  ...[
    "all",
    "separator",
    "transform",
    "locale",
    "pattern",
    "part",
    "list",
    "fields",
    "key",
    "ignore",
    "scope",
    "each",
    "details",
    "url_field",
    "files",
    "max_bytes",
  ],
  ...["start", "step", "load_more", "required", "max_pages", "delay_ms", "optional", "timeout_ms"],
];
const rank = (key: string) => (KEY_ORDER.includes(key) ? KEY_ORDER.indexOf(key) : KEY_ORDER.length);

/** The text of a JSON value in stable key order. */
export const stableJson = (value: unknown): string => `${JSON.stringify(inOrder(value), null, 2)}\n`;

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(
    ([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1),
  );
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]));
}

/** The text of the definition file of a stored scraper. It leaves out the fields that only the service sets. */
export function fileOf({ created_at: _, updated_at: __, last_run: ___, ...definition }: Scraper): string {
  return stableJson(definition);
}

/**
 * Prepares a file and the stored scraper for a comparison: fills in all defaults, and treats a schedule whose
 * `next_run` has passed as equal to the stored one that continues it. Undefined if this version of Gleaner finds one of
 * them invalid.
 */
export function comparable(
  file: unknown,
  stored: Scraper,
  now: Date,
): { file: object; stored: object } | undefined {
  try {
    const wanted = readDefinition(file);
    return {
      file: plain({ ...wanted, schedule: sameOr(wanted.schedule, stored.schedule, now) }),
      stored: plain(readDefinition(stored)),
    };
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}

/** The stored schedule if the one in the file leads to the same next run; otherwise the one in the file. */
function sameOr(wanted: Schedule | null, stored: Scraper["schedule"], now: Date): Schedule | null {
  if (wanted === null || stored === null) return wanted;
  const { interval, timezone, next_run, paused = false } = wanted;
  const { paused: isPaused = false } = stored;
  if (interval !== stored.interval || timezone !== stored.timezone || paused !== isPaused) return wanted;
  if (next_run === undefined) return stored;
  return nextOccurrence(stored, new Date(next_run), now).toISOString() === stored.next_run ? stored : wanted;
}

const plain = ({ scraper, schedule }: Definition): object => ({
  ...scraper,
  rows_limit: scraper.rows_limit ?? ROWS_LIMIT_DEFAULT,
  schedule,
});

export const isUnchanged = (pair: ReturnType<typeof comparable>): boolean =>
  pair !== undefined && isDeepStrictEqual(inOrder(pair.file), inOrder(pair.stored));

/** Replaces the version in the text of a file, without other changes. */
export const withVersion = (text: string, version: number): string =>
  text.replace(/(?<=(?<!\\)"version"\s*:\s*)\d+/, String(version));
