import type { Batch } from "../../functions/contract/batches/batch.ts";
import type { Hook } from "../../functions/contract/hooks/hook.ts";
import type { Run } from "../../functions/contract/runs/run.ts";
import type { Scraper } from "../../functions/contract/scrapers/scraper.ts";
import { type Api, commands, connect, type Kind, pathOf } from "../client/api.ts";
import { ApiError } from "../client/api-error.ts";
import { findId } from "../client/find-id.ts";
import type { Where } from "../client/target.ts";
import { CommandError, EXIT, exitCodeOf } from "../command-error.ts";
import { describeProblem } from "../describe-problem.ts";
import { confirm } from "../terminal/confirm.ts";
import { print, printError, printJsonLine } from "../terminal/print.ts";
import { counted } from "./run/progress.ts";

interface Options extends Where {
  yes?: boolean;
  json?: boolean;
}

/** Deletes scrapers, runs, batches or hooks after one question. If one of several can't be deleted, the others still are. */
export async function remove(
  kind: Kind,
  named: readonly string[],
  { yes, json, ...where }: Options,
): Promise<void> {
  const api = await connect(where);
  const ids = new Set<string>();
  for (const text of named) ids.add(await findId(api, kind, text));
  if (!yes) {
    const lines: string[] = [];
    for (const id of ids) lines.push(await describe[kind](api, id));
    const what = lines.length === 1 ? lines[0] : `\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
    await confirm(`Permanently delete ${what} at ${api.target.url}?`, yes);
  }
  for (const id of ids) {
    try {
      await removeOne(api, kind, id);
      if (json) printJsonLine({ id, deleted: true });
      else print(`Deleted the ${commands[kind]} ${id}.${kind === "scrapers" ? " Its runs stay." : ""}`);
    } catch (error) {
      if (ids.size === 1) throw error;
      process.exitCode ||= exitCodeOf(error);
      printError(describeProblem(error));
    }
  }
}

const describe: Record<Kind, (api: Api, id: string) => Promise<string>> = {
  async scrapers(api, id) {
    return `the scraper "${(await api.get<Scraper>(pathOf("scrapers", id))).name}" ${id}`;
  },
  async runs(api, id) {
    const { row_count, created_at } = await api.get<Run>(pathOf("runs", id), { rows: false });
    return `the run ${id} of ${created_at} with its ${counted(row_count, "row")}`;
  },
  async batches(api, id) {
    const { total, row_count, created_at } = await api.get<Batch>(pathOf("batches", id));
    return `the batch ${id} of ${created_at} with its runs, ${counted(total, "input")} and ${counted(row_count, "row")}`;
  },
  async hooks(api, id) {
    const { format, created_at } = await api.get<Hook>(pathOf("hooks", id));
    return `the hook ${id} of ${created_at} with the format ${format}`;
  },
};

async function removeOne(api: Api, kind: Kind, id: string): Promise<void> {
  try {
    await api.json(pathOf(kind, id), { method: "DELETE" });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
    const what = commands[kind];
    const message = `The ${what} ${id} is in progress. Stop it first: \`npx gleaner ${what} stop ${id}\`.`;
    throw new CommandError(EXIT.failed, message, { cause: error });
  }
}
