import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { Scraper, ScraperDefinition } from "../../../functions/contract/scrapers/scraper.ts";
import type { Api } from "../../client/api.ts";
import { confirm } from "../../terminal/confirm.ts";
import { print, printJson, suggest } from "../../terminal/print.ts";
import { assertWritable, writeWhole } from "../output-file.ts";
import { stableJson } from "./definition-file.ts";

/** Checks that a file can be written, and asks before it is replaced. */
export async function confirmOutput(path: string, yes: boolean | undefined): Promise<void> {
  await assertWritable(path);
  if (existsSync(path)) await confirm(`${path} already exists. Replace it?`, yes);
}

/** Stores a new scraper, and prints it. */
export async function store(
  api: Api,
  definition: ScraperDefinition,
  json: boolean | undefined,
): Promise<void> {
  const headers = { "idempotency-key": randomUUID() };
  const request = { method: "POST", body: definition, headers } as const;
  const { body: scraper } = await api.json<Scraper>("/v1/scrapers", request);
  if (json) printJson(scraper);
  else print(`Stored the scraper "${scraper.name}" as ${scraper.id}`);
  suggest(`run start ${scraper.id} --watch -o rows.xlsx`);
}

/** Writes a definition to a file, and prints it. */
export async function save(
  definition: ScraperDefinition,
  path: string,
  json: boolean | undefined,
): Promise<void> {
  await writeWhole(path, stableJson(definition));
  if (json) printJson(definition);
  else print(`Wrote the scraper "${definition.name}" to ${path}`);
  suggest(`scraper put ${path}`);
}
