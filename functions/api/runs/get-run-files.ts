import { Readable } from "node:stream";
import { formats, type ReadRows } from "../../rows/formats.ts";
import { readRowBatches } from "../../rows/read-row-batches.ts";
import { zipOfFiles } from "../../rows/zip.ts";
import type { StoredRun } from "../../runs/run.ts";
import { FileMissing, fileKey } from "../../store/files.ts";
import { type FileEntry, runFiles } from "../../store/runs/run-files.ts";
import { getRun } from "../../store/runs/runs.ts";
import type { Table } from "../../store/table.ts";
import { HttpError, notFound } from "../http-error.ts";
import { begun } from "../rows-response.ts";
import type { ApiHandler, ApiResponse } from "../types.ts";

/** The properties of a file that clients get. */
const COLUMNS = ["number", "name", "url", "row", "field", "bytes", "type", "sha256", "error"];

/** Which files: `limit` of them from the one with the index `offset` on. */
interface Range {
  offset: number;
  limit: number;
}

export const getRunFiles: ApiHandler<"getRunFiles"> = async (
  { account, id, query },
  { table, responseMaxBytes },
) => {
  const run = await getRun(table, { account, id });
  if (run === undefined) throw notFound("run");
  const { format, number, offset, limit, bom, download } = query;
  if (number !== undefined) return oneFile(table, run, number);
  const range = { offset, limit };
  const list = (): AsyncGenerator<Buffer[]> => readRowBatches(table, runFiles(run), range);
  const written = (name: "json" | "jsonl" | "csv", read: ReadRows) =>
    formats[name].write(read, {
      columns: COLUMNS,
      isWhole: false,
      bom,
      escapesFormulas: false,
      isTyped: false,
    });
  const headers = { "gleaner-run-status": run.status };
  if (format === "zip") {
    if (responseMaxBytes !== undefined) await assertSmall(list, range, responseMaxBytes);
    const files = zipOfFiles(entriesOf(list()), {
      list: Readable.from(written("csv", list), { objectMode: false }),
      read: (entry) => table.files.read(fileKey(run, entry.key)),
    });
    return { content: files, headers: { ...headers, ...attached("application/zip", `files-${id}.zip`) } };
  }
  const { contentType } = formats[format];
  const type = download ? attached(contentType, `files-${id}.${format}`) : { "content-type": contentType };
  return { content: written(format, await begun(list)), headers: { ...headers, ...type } };
};

/** The content of one file. It never comes as what a browser would show: it may be a page with scripts. */
async function oneFile(table: Table, run: StoredRun, number: number): Promise<ApiResponse> {
  const list = readRowBatches(table, runFiles(run), { offset: number - 1, limit: 1 });
  const { value: entry } = await entriesOf(list).next();
  if (entry === undefined)
    throw new HttpError(404, `The run has no file ${number}; it has ${run.files?.row_count ?? 0} files.`);
  const { key, name, error } = entry as FileEntry;
  if (error !== null) throw new HttpError(404, `The run could not download file ${number}. ${error}`);
  try {
    const content = await table.files.read(fileKey(run, key));
    return {
      content,
      headers: { ...attached("application/octet-stream", name), "gleaner-run-status": run.status },
    };
  } catch (cause) {
    if (!(cause instanceof FileMissing)) throw cause;
    throw new HttpError(404, `File ${number} of the run is no longer stored.`, { cause });
  }
}

async function* entriesOf(batches: AsyncIterable<Buffer[]>): AsyncGenerator<FileEntry, undefined> {
  for await (const batch of batches)
    for (const entry of batch) yield JSON.parse(entry.toString()) as FileEntry;
}

/** @throws HttpError if the files are more than a response can have */
async function assertSmall(
  list: () => AsyncGenerator<Buffer[]>,
  { offset }: Range,
  most: number,
): Promise<void> {
  let sum = 0;
  let fitting = 0;
  for await (const { bytes } of entriesOf(list())) {
    sum += bytes ?? 0;
    if (sum <= most) fitting += 1;
  }
  if (sum <= most) return;
  const mb = (bytes: number) => Math.ceil(bytes / 1_000_000);
  throw new HttpError(
    400,
    `The files have ${mb(sum)} MB, and a response has at most ${mb(most)} MB. Get them in parts: format=zip&offset=${offset}&limit=${fitting} is the first one, and the next one begins with offset=${offset + fitting}. The command \`gleaner run files\` gets all of them.`,
  );
}

/** The headers of a file that browsers save. */
const attached = (type: string, name: string) => ({
  "content-type": type,
  "content-disposition": `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\%]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`,
  "x-content-type-options": "nosniff",
});
