import { extname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Api, connect, pathOf } from "../../client/api.ts";
import { NotAnswered } from "../../client/api-error.ts";
import { findId } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { wrongUse } from "../../command-error.ts";
import { note, print, printable, printJson } from "../../terminal/print.ts";
import { assertWritable, writeWhole } from "../output-file.ts";
import { counted } from "./progress.ts";

export const FORMATS = ["csv", "jsonl", "json", "xlsx"] as const;
export type Format = (typeof FORMATS)[number];

/** What has rows. */
type Kind = "runs" | "batches";

interface Selection {
  format?: Format | undefined;
  /** Whether all values of an xlsx file are texts. */
  text?: boolean | undefined;
  output?: string | undefined;
  fields?: string | undefined;
  offset?: number | undefined;
  limit?: number | undefined;
}

export async function rows(
  named: string,
  options: Selection & Where & { json?: boolean; kind?: Kind },
): Promise<void> {
  const { kind = "runs", format: wanted, output, text, fields, offset, limit, json, ...where } = options;
  if (json && output === undefined && wanted !== undefined && wanted !== "jsonl") {
    throw wrongUse("Without --output, --json prints JSON Lines. Use only one of --json and --format.");
  }
  const format = json && output === undefined ? "jsonl" : formatOf(wanted, output);
  if (format === "xlsx" && output === undefined && process.stdout.isTTY) {
    throw wrongUse("An xlsx file is not for a terminal. Name a file with --output.");
  }
  if (output !== undefined) await assertWritable(output);
  const api = await connect(where);
  const id = await findId(api, kind, named);
  if (output !== undefined)
    return saveRows(api, id, { kind, output, format, json, text, fields, offset, limit });
  const response = await request(api, pathOf(kind, id, "/rows"), {
    ...{ format, fields, offset, limit, bom: "0" },
    ...(text && { text: "1" }),
  });
  const body = bodyOf(response, api);
  await pipeline(process.stdout.isTTY ? shown(body) : body, process.stdout, { end: false });
  tellIfRunning(response);
}

/** The given format, or else the one for the extension of the file. @throws CommandError for an unknown extension */
export function formatOf(format: Format | undefined, output: string | undefined): Format {
  if (format !== undefined) return format;
  if (output === undefined) return "csv";
  const extension = extname(output).slice(1).toLowerCase();
  const found = FORMATS.find((one) => one === extension);
  if (found !== undefined) return found;
  throw wrongUse(`The format of ${output} is not clear. End its name with .csv, .jsonl, .json or .xlsx.`);
}

/** Checks the output file before a run. @throws CommandError if rows can't be written to a file of this name */
export async function assertOutput(output: string | undefined): Promise<void> {
  if (output === undefined) return;
  formatOf(undefined, output);
  await assertWritable(output);
}

interface Save extends Selection {
  kind?: Kind;
  output: string;
  json?: boolean | undefined;
  /** Whether to print nothing to standard output. */
  quiet?: boolean | undefined;
}

/**
 * Writes the rows of a run or a batch to a file. If that fails, the file stays as it was. In CSV files, values that look like
 * formulas are escaped, because users open these files in spreadsheets.
 */
export async function saveRows(
  api: Api,
  id: string,
  { kind = "runs", output, json, quiet, text, ...selection }: Save,
): Promise<void> {
  const format = formatOf(selection.format, output);
  const query = {
    ...{ ...selection, format },
    ...(format === "csv" && { escape: "formulas" }),
    ...(text && { text: "1" }),
  };
  const response = await request(api, pathOf(kind, id, "/rows"), query);
  await writeWhole(output, bodyOf(response, api));
  const all = Number(response.headers.get("gleaner-row-count"));
  const { offset = 0, limit = all } = selection;
  const count = Math.max(0, Math.min(limit, all - offset));
  const status = statusOf(response);
  if (json) printJson({ id, file: output, format, status, row_count: count });
  else if (!quiet) print(`Wrote ${output}: ${format}, ${counted(count, "row")}`);
  tellIfRunning(response);
}

const request = (api: Api, path: string, query: Record<string, string | number | undefined>) =>
  api.send(path, { query });

export async function* bodyOf(response: Response, { target }: Api): AsyncGenerator<Uint8Array> {
  try {
    if (response.body !== null) yield* Readable.fromWeb(response.body as never);
  } catch (cause) {
    throw new NotAnswered(target, "the connection ended before all rows had come", cause);
  }
}

/** Removes terminal control sequences, because the values of rows are untrusted. */
export async function* shown(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    yield printable(decoder.decode(chunk, { stream: true }).replace(/\r(?=\n|$)/g, ""));
  }
}

const statusOf = ({ headers }: Response): string | null =>
  headers.get("gleaner-run-status") ?? headers.get("gleaner-batch-status");

function tellIfRunning(response: Response): void {
  if (statusOf(response) !== "running") return;
  const what = response.headers.has("gleaner-batch-status") ? "batch" : "run";
  note(`The ${what} is in progress: these are its rows so far.`);
}
