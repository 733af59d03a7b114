import { randomUUID } from "node:crypto";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { type Api, connect, pathOf } from "../../client/api.ts";
import { ApiError } from "../../client/api-error.ts";
import type { Where } from "../../client/target.ts";
import { CommandError, EXIT, exitCodeOf } from "../../command-error.ts";
import { describeProblem } from "../../describe-problem.ts";
import { note, print, printError, printJsonLine, suggest } from "../../terminal/print.ts";
import { writeWhole } from "../output-file.ts";
import {
  comparable,
  type DefinitionFile,
  isUnchanged,
  readDefinitionFile,
  withVersion,
} from "./definition-file.ts";

type Outcome = "stored" | "replaced" | "unchanged";

/** Stores the definitions in files. If one of several files fails, the others are still stored. */
export async function put(paths: string[], { json, ...where }: Where & { json?: boolean }): Promise<void> {
  const api = await connect(where);
  const files = paths.map((path) => ({ path }));
  for (const { path } of files) {
    try {
      const file = await readDefinitionFile(path);
      const { scraper, outcome } = await putFile(api, file);
      if (json) printJsonLine(scraper);
      else print(saying[outcome](scraper));
      if (outcome === "stored" && files.length === 1 && !json) advise(scraper, path);
    } catch (error) {
      if (files.length === 1) throw error;
      process.exitCode ||= exitCodeOf(error);
      printError(`${path}: ${describeProblem(error)}`);
    }
  }
}

const saying: Record<Outcome, (scraper: Scraper) => string> = {
  stored: ({ name, id }) => `Stored the scraper "${name}" as ${id}`,
  replaced: ({ name, id, version }) => `Replaced the scraper "${name}" ${id}: it is now version ${version}`,
  unchanged: ({ name, id, version }) => `The scraper "${name}" ${id} is unchanged: version ${version}`,
};

function advise({ id }: Scraper, path: string): void {
  note(
    `To change it with ${path} later, add "id": "${id}" to the file. Without an id, each put stores a new scraper.`,
  );
  suggest(`run start ${id} --watch`);
}

async function putFile(api: Api, file: DefinitionFile): Promise<{ scraper: Scraper; outcome: Outcome }> {
  if (file.id === undefined) {
    const headers = { "idempotency-key": randomUUID() };
    const request = { method: "POST", body: file.json, headers } as const;
    return { scraper: (await api.json<Scraper>("/v1/scrapers", request)).body, outcome: "stored" };
  }
  const now = new Date();
  const { body: stored, headers } = await read(api, file, file.id);
  const outcome = isUnchanged(comparable(file.json, stored, now)) ? "unchanged" : "replaced";
  const scraper = outcome === "unchanged" ? stored : await replace(api, file, stored, headers);
  await keepVersion(file, scraper.version);
  return { scraper, outcome };
}

async function read(api: Api, { path }: DefinitionFile, id: string) {
  try {
    return await api.json<Scraper>(pathOf("scrapers", id));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    const advice = `To store ${path} as a new scraper, remove "id" from it.`;
    throw new CommandError(EXIT.notFound, `${error.message} ${advice}`, { cause: error });
  }
}

async function replace(
  api: Api,
  { path, json, version }: DefinitionFile,
  stored: Scraper,
  headers: Headers,
): Promise<Scraper> {
  if (version !== undefined && version !== stored.version) {
    throw new CommandError(
      EXIT.failed,
      `Somebody else has changed the scraper ${stored.id}: it is now version ${stored.version}, but ${path} was made from version ${version}. ` +
        `See \`npx gleaner scraper diff ${path}\`. To replace the stored one anyway, change "version" in the file to ${stored.version}.`,
    );
  }
  const etag = headers.get("etag");
  const request = {
    method: "PUT",
    body: json,
    headers: etag === null ? {} : { "if-match": etag },
  } as const;
  return (await api.json<Scraper>(pathOf("scrapers", stored.id), request)).body;
}

/** If the file contains a version, updates it to the stored version. */
async function keepVersion({ path, text, version }: DefinitionFile, now: number): Promise<void> {
  if (version !== undefined && version !== now) await writeWhole(path, withVersion(text, now));
}
