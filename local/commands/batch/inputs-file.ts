import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { buffer } from "node:stream/consumers";
import { CommandError, EXIT, wrongUse } from "../../command-error.ts";

/** What a request to create a batch gets from the option `--inputs`. */
export type Inputs =
  | { inputs: unknown }
  | { inputs_from: unknown }
  | { file: { type: string; bytes: Buffer } };

const types: Record<string, string> = {
  ".csv": "text/csv",
  ".tsv": "text/csv",
  ".txt": "text/csv",
  ".jsonl": "application/jsonl",
  ".ndjson": "application/jsonl",
};

/**
 * Reads the inputs of a batch: a file, `-` for standard input, or the address of a CSV file, which the service reads. A JSON
 * file has an array of inputs, or an object that says where the service gets them.
 * @throws CommandError if the file can't be read, or if its format is not known
 */
export async function readInputs(source: string): Promise<Inputs> {
  if (/^https?:\/\//.test(source)) return { inputs_from: { csv_url: source } };
  if (source === "-") return ofBytes(await buffer(process.stdin), undefined);
  const extension = extname(source).toLowerCase();
  if (extension !== ".json" && types[extension] === undefined)
    throw wrongUse(
      `The format of ${source} is not clear. Inputs are a .csv, .jsonl or .json file. Spreadsheets can save their sheets as CSV.`,
    );
  try {
    return ofBytes(await readFile(source), extension);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(EXIT.wrongUse, `${source} can't be read: ${(cause as Error).message}`, { cause });
  }
}

/** Without an extension, the first character shows the format. */
function ofBytes(bytes: Buffer, extension: string | undefined): Inputs {
  const start = bytes
    .toString("latin1", 0, 100)
    .replace(/^\u00ef\u00bb\u00bf/, "")
    .trimStart()[0];
  if (extension === ".json" || (extension === undefined && start === "[")) {
    const json = parsed(bytes);
    return Array.isArray(json) ? { inputs: json } : { inputs_from: json };
  }
  const type = extension === undefined ? (start === "{" ? types[".jsonl"] : types[".csv"]) : types[extension];
  return { file: { type: type ?? "text/csv", bytes } };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString().replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new CommandError(EXIT.wrongUse, `The inputs are not valid JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
}
