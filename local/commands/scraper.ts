import { readFile } from "node:fs/promises";
import Table from "cli-table3";
import { webhookProblems } from "../../functions/api/scrapers/webhook-problems.ts";
import type { Scraper } from "../../functions/contract/scraper.ts";
import { ValidationError } from "../../functions/contract/validate.ts";
import { deleteScraper } from "../../functions/scrapers/delete-scraper.ts";
import { putScraper } from "../../functions/scrapers/put-scraper.ts";
import { showScrapers } from "../../functions/scrapers/scraper-json.ts";
import { listScrapers } from "../../functions/store/scrapers.ts";
import { type Where, withService } from "../connect.ts";
import { UsageError } from "../data-folder.ts";
import { print } from "../print.ts";
import { requireAccount } from "../require-account.ts";

interface Options extends Where {
  account: string;
  json?: boolean;
}

export async function putScraperFile(file: string, { account, json, ...where }: Options): Promise<void> {
  const definition = await readDefinition(file);
  const scraper = await withService(where, async (table, schedules, _secrets, allowHosts) => {
    await requireAccount(table, account);
    const problems = webhookProblems(definition, allowHosts);
    if (problems.length > 0) throw new ValidationError(problems);
    return putScraper(table, account, definition, new Date(), schedules);
  });
  print(json ? JSON.stringify(scraper, null, 2) : `Stored the scraper "${scraper.name}" as ${scraper.id}`);
}

export async function listAllScrapers({ account, json, ...where }: Options): Promise<void> {
  const scrapers = await withService(where, async (table) => {
    await requireAccount(table, account);
    const now = new Date();
    const all: Scraper[] = [];
    for (let page: number | null = 1; page !== null; ) {
      const { items, nextPage }: Awaited<ReturnType<typeof listScrapers>> = await listScrapers(
        table,
        account,
        page,
      );
      all.push(...(await showScrapers(table, account, items, now)));
      page = nextPage;
    }
    return all;
  });
  if (json) print(JSON.stringify(scrapers, null, 2));
  else if (scrapers.length === 0) print(`The account "${account}" has no scrapers yet.`);
  else print(tableOf(scrapers));
}

export async function deleteScraperOf(id: string, { account, ...where }: Options): Promise<void> {
  await withService(where, async (table, schedules) => {
    await requireAccount(table, account);
    if (await deleteScraper(table, account, id, schedules)) return;
    throw new UsageError(`The account "${account}" has no scraper ${id}.`);
  });
  print(`Deleted the scraper ${id}. Its runs stay.`);
}

function tableOf(scrapers: readonly Scraper[]): string {
  const table = new Table({
    head: ["id", "name", "steps", "created", "next run"],
    style: { head: [], border: [] },
  });
  for (const { id, name, steps, created_at, schedule } of scrapers) {
    table.push([id, name, steps.length, created_at, schedule?.next_run ?? ""]);
  }
  return table.toString();
}

async function readDefinition(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (cause instanceof SyntaxError)
      throw new UsageError(`${file} is not valid JSON: ${message}`, { cause });
    if (code === "ENOENT") throw new UsageError(`There is no file ${file}.`, { cause });
    throw new UsageError(`${file} can't be read: ${message}`, { cause });
  }
}
