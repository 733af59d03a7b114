import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scraper } from "../../../functions/contract/scraper.ts";
import { type Api, connect, pathOf } from "../../client/api.ts";
import type { Where } from "../../client/target.ts";
import { CommandError, EXIT } from "../../command-error.ts";
import { UsageError } from "../../data-folder.ts";
import { describeProblem } from "../../describe-problem.ts";
import { confirm } from "../../terminal/confirm.ts";
import { note, print, printError, printJson } from "../../terminal/print.ts";
import { fileOf, readDefinitionFile } from "./definition-file.ts";

/** Opens a scraper in the user's editor, and stores what they save. */
export async function edit(id: string, { json, ...where }: Where & { json?: boolean }): Promise<void> {
  const api = await connect(where);
  const { body: stored, headers } = await api.json<Scraper>(pathOf("scrapers", id));
  const folder = await mkdtemp(join(tmpdir(), "gleaner-edit-"));
  const path = join(folder, `${id}.json`);
  const before = fileOf(stored);
  await writeFile(path, before, { mode: 0o600 });
  const scraper = await editUntilStored(api, { id, path, before, etag: headers.get("etag") });
  await rm(folder, { recursive: true });
  if (json) printJson(scraper ?? stored);
  else if (scraper === undefined) note(`The scraper "${stored.name}" is unchanged.`);
  else print(`Replaced the scraper "${scraper.name}" ${id}: it is now version ${scraper.version}`);
}

/** Undefined if nothing was changed. What was typed is never lost: after an error, the file stays. */
async function editUntilStored(
  api: Api,
  { id, path, before, etag }: { id: string; path: string; before: string; etag: string | null },
): Promise<Scraper | undefined> {
  for (;;) {
    await openEditor(path);
    if ((await readFile(path, "utf8")) === before) return undefined;
    try {
      const { json } = await readDefinitionFile(path);
      const headers: Record<string, string> = etag === null ? {} : { "if-match": etag };
      return (await api.json<Scraper>(pathOf("scrapers", id), { method: "PUT", body: json, headers })).body;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      printError(describeProblem(error));
      note(`What you wrote is in ${path}.`);
      await confirm("Edit it again?", false);
    }
  }
}

async function openEditor(path: string): Promise<void> {
  const editor =
    process.env.VISUAL || process.env.EDITOR || (process.platform === "win32" ? "notepad" : "vi");
  // The variable may have arguments, as in "code --wait".
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
