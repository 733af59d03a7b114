import type { Run } from "../../functions/contract/runs/run.ts";
import type { Scraper } from "../../functions/contract/scrapers/scraper.ts";
import { CommandError, EXIT } from "../command-error.ts";
import { type Api, commands, type Kind } from "./api.ts";

const WHOLE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const START_OF_ID = /^[0-9a-f-]+$/;
/** How many scrapers, runs or batches an error message lists. */
const LISTED = 5;

type Item = Pick<Run, "id" | "created_at"> & Partial<Pick<Scraper, "name">>;

/**
 * Finds the id of a scraper, a run or a batch that the user names: by the id, the first characters of it, or `latest` for
 * the newest one; a scraper also by its name, in any letter case. A whole id is returned without a request.
 * @throws CommandError if nothing has this name, or several do
 */
export async function findId(api: Api, kind: Kind, text: string): Promise<string> {
  const named = text.toLowerCase();
  if (WHOLE_ID.test(named)) return named;
  const found: Item[] = [];
  const isStart = START_OF_ID.test(named);
  if (kind === "scrapers" || isStart || named === "latest") {
    for await (const item of api.list<Item>(`/v1/${kind}`, kind === "runs" ? { rows: false } : {})) {
      if (named === "latest") return item.id;
      if ((isStart && item.id.startsWith(named)) || item.name?.toLowerCase() === named) found.push(item);
      // Ids begin with the time of creation, and the newest come first, so no other run or batch can match.
      else if (kind !== "scrapers" && item.id < named) break;
    }
  }
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first.id;
  throw new CommandError(EXIT.notFound, first === undefined ? notFound(kind, text) : ambiguous(text, found));
}

function notFound(kind: Kind, text: string): string {
  const what = commands[kind];
  const list = `\`npx gleaner ${what} list\` lists the ${kind}.`;
  if (text.toLowerCase() === "latest") return `There are no ${kind} yet. ${list}`;
  const name = kind === "scrapers" ? "its name, its id" : "its id";
  return `There is no ${what} "${text}". Use ${name}, the first characters of the id, or latest. ${list}`;
}

function ambiguous(text: string, found: readonly Item[]): string {
  const lines = found
    .slice(0, LISTED)
    .map(({ id, name, created_at }) => `  ${id}  ${name === undefined ? created_at : `"${name}"`}`);
  const more = found.length > LISTED ? [`  … and ${found.length - LISTED} more`] : [];
  return [`"${text}" names more than one. Use more characters of one of these ids:`, ...lines, ...more].join(
    "\n",
  );
}

/** The names of scrapers by id, as far as the scrapers still exist. Reads no more of the list than necessary. */
export async function scraperNames(api: Api, ids: Iterable<string>): Promise<Map<string, string>> {
  const wanted = new Set(ids);
  const names = new Map<string, string>();
  if (wanted.size === 0) return names;
  for await (const { id, name } of api.list<Scraper>("/v1/scrapers")) {
    if (wanted.has(id)) names.set(id, name);
    if (names.size === wanted.size) break;
  }
  return names;
}
