import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { type Api, connect, pathOf } from "../../client/api.ts";
import { findId } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { UsageError } from "../../data/data-folder.ts";
import { confirm } from "../../terminal/confirm.ts";
import { note, print, printJsonLine } from "../../terminal/print.ts";
import { writeWhole } from "../output-file.ts";
import {
  comparable,
  type DefinitionFile,
  fileOf,
  isUnchanged,
  readDefinitionFile,
} from "./definition-file.ts";

interface Options extends Where {
  dir: string;
  yes?: boolean;
  json?: boolean;
}

/** Writes stored scrapers to files. A scraper whose id is already in a file of the folder replaces that file. */
export async function pull(named: string[], { dir, yes, json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  await mkdir(dir, { recursive: true });
  const files = await definitionsIn(dir);
  let count = 0;
  for await (const scraper of scrapersOf(api, named)) {
    const file = files.find(({ id }) => id === scraper.id);
    const path = file?.path ?? freePath(dir, scraper, files);
    const written = await write(path, file, scraper, yes);
    files.push({ path, text: "", json: null, id: scraper.id, version: undefined });
    count += 1;
    if (json) printJsonLine({ id: scraper.id, file: path, version: scraper.version, written });
    else print(`${written ? "Wrote" : "Unchanged:"} ${path}`);
  }
  if (count === 0) note("The account has no scrapers yet.");
}

async function* scrapersOf(api: Api, named: string[]): AsyncGenerator<Scraper> {
  if (named.length === 0) yield* api.list<Scraper>("/v1/scrapers");
  for (const text of named) {
    yield await api.get<Scraper>(pathOf("scrapers", await findId(api, "scrapers", text)));
  }
}

async function definitionsIn(folder: string): Promise<DefinitionFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const read = names.map((name) => readDefinitionFile(join(folder, name)).catch(() => undefined));
  const readable = (await Promise.all(read)).filter((file) => file !== undefined);
  const unreadable = names
    .map((name) => join(folder, name))
    .filter((path) => !readable.some((file) => file.path === path));
  // Files that are not valid JSON are kept too, so their names are not free.
  return [
    ...readable,
    ...unreadable.map((path) => ({ path, text: "", json: null, id: undefined, version: undefined })),
  ];
}

/**
 * A path for a new file in the folder, named after the scraper. If the name is taken, the end of the id is added. Both
 * come from the service, so only letters and digits of them become part of the path.
 */
function freePath(dir: string, { id, name }: Scraper, files: DefinitionFile[]): string {
  const slug = slugOf(name) || "scraper";
  const path = join(dir, `${slug}.json`);
  return files.some((file) => file.path === path) ? join(dir, `${slug}-${slugOf(id.slice(-8))}.json`) : path;
}

const slugOf = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);

/** Writes a scraper to a file. Returns false if the file is already equal. Asks before it replaces a different one. */
async function write(
  path: string,
  file: DefinitionFile | undefined,
  scraper: Scraper,
  yes: boolean | undefined,
): Promise<boolean> {
  const text = fileOf(scraper);
  if (file === undefined) {
    // The file system may ignore the case of names, so a name that is in no list may still be taken.
    if (existsSync(path))
      throw new UsageError(`${path} is the file of another scraper. Move it, and pull again.`);
    await writeWhole(path, text);
    return true;
  }
  const isSame = isUnchanged(comparable(file.json, scraper, new Date()));
  if (isSame && (file.version === undefined || file.version === scraper.version)) return false;
  if (!isSame) {
    await confirm(`${path} differs from the stored scraper ${scraper.id}. Replace the file?`, yes);
  }
  await writeWhole(path, text);
  return true;
}
