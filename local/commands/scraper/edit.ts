import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { type Api, connect, pathOf } from "../../client/api.ts";
import { ApiError } from "../../client/api-error.ts";
import { findId } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { CommandError, EXIT } from "../../command-error.ts";
import { UsageError } from "../../data/data-folder.ts";
import { describeProblem } from "../../describe-problem.ts";
import { confirm } from "../../terminal/confirm.ts";
import { note, print, printError, printJson } from "../../terminal/print.ts";
import { fileOf, readDefinitionFile } from "./definition-file.ts";

/** Opens a scraper in the user's editor, and stores the saved file. */
export async function edit(named: string, { json, ...where }: Where & { json?: boolean }): Promise<void> {
  const api = await connect(where);
  const id = await findId(api, "scrapers", named);
  const before = await retrieve(api, id);
  const folder = await mkdtemp(join(tmpdir(), "gleaner-edit-"));
  const path = join(folder, `${id}.json`);
  await writeFile(path, before.text, { mode: 0o600 });
  const scraper = await editUntilStored(api, before, path);
  await rm(folder, { recursive: true });
  if (json) printJson(scraper ?? before.scraper);
  else if (scraper === undefined) note(`The scraper "${before.scraper.name}" is unchanged.`);
  else print(`Replaced the scraper "${scraper.name}" ${id}: it is now version ${scraper.version}`);
}

/** A stored scraper with the text of its definition file, and the if-match header for replacing only this version. */
interface Retrieved {
  scraper: Scraper;
  text: string;
  headers: Record<string, string>;
}

async function retrieve(api: Api, id: string): Promise<Retrieved> {
  const { body: scraper, headers } = await api.json<Scraper>(pathOf("scrapers", id));
  const etag = headers.get("etag");
  return { scraper, text: fileOf(scraper), headers: etag === null ? {} : { "if-match": etag } };
}

/**
 * Opens the editor until the file is stored, and returns the stored scraper; undefined if the user changed nothing.
 * After an error, the file stays, so that no work is lost.
 */
async function editUntilStored(api: Api, first: Retrieved, path: string): Promise<Scraper | undefined> {
  const { id } = first.scraper;
  for (let stored = first; ; ) {
    await openEditor(path);
    if ((await readFile(path, "utf8")) === stored.text) return undefined;
    try {
      const { json } = await readDefinitionFile(path);
      const { headers } = stored;
      return (await api.json<Scraper>(pathOf("scrapers", id), { method: "PUT", body: json, headers })).body;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const hasChanged = error instanceof ApiError && error.status === 412;
      if (hasChanged) stored = await keepNewer(api, id, path);
      else printError(describeProblem(error));
      note(`What you wrote is in ${path}.`);
      await confirm("Edit it again?", false);
    }
  }
}

/** Handles a conflict: writes the version that is stored now to a second file, and returns it. */
async function keepNewer(api: Api, id: string, path: string): Promise<Retrieved> {
  const newer = await retrieve(api, id);
  const newerPath = path.replace(/\.json$/, ".stored.json");
  await writeFile(newerPath, newer.text, { mode: 0o600 });
  const { version } = newer.scraper;
  printError(
    `The scraper has changed since you retrieved it: version ${version} is in ${newerPath}. Add its changes to yours. If you edit again and save, your file replaces version ${version}.`,
  );
  return newer;
}

async function openEditor(path: string): Promise<void> {
  const editor =
    process.env.VISUAL || process.env.EDITOR || (process.platform === "win32" ? "notepad" : "vi");
  // EDITOR and VISUAL may contain arguments, as in "code --wait", so a shell has to parse them.
  const child =
    process.platform === "win32"
      ? spawn(`${editor} "${path}"`, { shell: true, stdio: "inherit" })
      : spawn("sh", ["-c", `${editor} "$1"`, "sh", path], { stdio: "inherit" });
  const [code] = await once(child, "close");
  if (code === 0) return;
  throw new CommandError(
    EXIT.failed,
    `The editor "${editor}" exited with ${code}. Nothing was stored. To use another editor, set EDITOR.`,
  );
}
