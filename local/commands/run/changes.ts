import { pipeline } from "node:stream/promises";
import type { Run } from "../../../functions/contract/runs/run.ts";
import { connect, pathOf } from "../../client/api.ts";
import { findId } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { wrongUse } from "../../command-error.ts";
import { note, print, printJson } from "../../terminal/print.ts";
import { assertWritable, writeWhole } from "../output-file.ts";
import { bodyOf, type Format, formatOf, shown } from "./rows.ts";

interface Options extends Where {
  kinds?: string;
  format?: Format;
  output?: string;
  json?: boolean;
}

/** Prints the changes of a run, or writes them to a file. The numbers of changes go to standard error. */
export async function changes(named: string, options: Options): Promise<void> {
  const { kinds, format: wanted, output, json, ...where } = options;
  if (json && output === undefined && wanted !== undefined && wanted !== "jsonl")
    throw wrongUse("Without --output, --json prints JSON Lines. Use only one of --json and --format.");
  const format = json && output === undefined ? "jsonl" : formatOf(wanted, output);
  if (format === "xlsx" && output === undefined && process.stdout.isTTY)
    throw wrongUse("An xlsx file is not for a terminal. Name a file with --output.");
  if (output !== undefined) await assertWritable(output);
  const api = await connect(where);
  const id = await findId(api, "runs", named);
  const run = await api.get<Run>(pathOf("runs", id), { rows: "false" });
  const response = await api.send(pathOf("runs", id, "/changes"), {
    query: { format, kinds, ...(output === undefined ? { bom: "0" } : { escape: "formulas" }) },
  });
  const body = bodyOf(response, api);
  if (output !== undefined) await writeWhole(output, body);
  else await pipeline(process.stdout.isTTY ? shown(body) : body, process.stdout, { end: false });
  if (json && output !== undefined) printJson({ id, file: output, format, changes: run.changes });
  else if (output !== undefined) print(`Wrote ${output}: ${summaryOf(run)}`);
  else note(summaryOf(run));
}

function summaryOf({ changes }: Run): string {
  if (changes === null) return "";
  const { baseline, mostly_changed: mostly, message } = changes;
  const numbers = `${changes.new} new, ${changes.changed} changed, ${changes.removed} removed, ${changes.same} the same`;
  const fields = mostly.map(({ field, count }) => ` The field "${field}" differs in ${count} rows.`).join("");
  const against = baseline === null ? "" : `, compared with the run ${baseline}`;
  return `${numbers}${against}.${fields}${message === null ? "" : ` ${message}`}`;
}
