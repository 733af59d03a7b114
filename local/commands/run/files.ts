import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import type { RunFile } from "../../../functions/contract/runs/file.ts";
import { zipOfFiles } from "../../../functions/rows/zip.ts";
import { type Api, connect, pathOf } from "../../client/api.ts";
import { NotAnswered } from "../../client/api-error.ts";
import { findId } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { wrongUse } from "../../command-error.ts";
import { tableOf } from "../../table-of.ts";
import { note, print, printJson } from "../../terminal/print.ts";
import { assertWritable, writeWhole } from "../output-file.ts";
import { counted } from "./progress.ts";
import { bodyOf } from "./rows.ts";

/** Lists the files of a run, or saves them into a folder or a ZIP archive. */
export async function files(
  named: string,
  { output, json, ...where }: Where & { output?: string; json?: boolean },
): Promise<void> {
  const isArchive = output !== undefined && /\.zip$/i.test(output);
  if (isArchive) await assertWritable(output);
  const api = await connect(where);
  const id = await findId(api, "runs", named);
  const path = pathOf("runs", id, "/files");
  const { body: found, headers } = await api.json<RunFile[]>(path);
  if (headers.get("gleaner-run-status") === "running")
    note("The run is in progress: these are its files so far.");
  const existing = found.filter(({ bytes }) => bytes !== null);
  if (output === undefined) list(found, json);
  else {
    const contentOf = (file: RunFile) => downloaded(api, path, file);
    if (isArchive) await writeWhole(output, archiveOf(await listAsCsv(api, path), existing, contentOf));
    else await saveInto(output, existing, contentOf);
    if (json) printJson({ id, output, files: existing.length });
    else print(`Wrote ${output}: ${counted(existing.length, "file")}`);
  }
  const failed = found.length - existing.length;
  if (failed > 0 && !json)
    note(`The run could not download ${counted(failed, "file")}: \`run files ${id}\` says why.`);
}

function list(found: readonly RunFile[], json: boolean | undefined): void {
  if (json) {
    printJson(found);
    return;
  }
  if (found.length === 0) {
    note('The run has no files. A list downloads files if it has "files" with the field of their addresses.');
    return;
  }
  const rows = found.map(({ name, bytes, type, row, url, error }) => [
    name,
    bytes ?? "",
    type ?? "",
    row,
    error ?? url,
  ]);
  print(tableOf(["name", "bytes", "type", "row", "address or error"], rows));
}

/** The content of a file. @throws NotAnswered if it is not the one that the list names */
async function* downloaded(api: Api, path: string, { number, sha256 }: RunFile): AsyncGenerator<Buffer> {
  const response = await api.send(path, { query: { number } });
  const digest = createHash("sha256");
  for await (const chunk of bodyOf(response, api)) {
    digest.update(chunk);
    yield Buffer.from(chunk);
  }
  if (digest.digest("hex") !== sha256)
    throw new NotAnswered(api.target, `file ${number} did not come as a whole`);
}

type ContentOf = (file: RunFile) => AsyncIterable<Buffer>;

/** Saves files into a folder, except those that are there already. */
async function saveInto(folder: string, found: readonly RunFile[], contentOf: ContentOf): Promise<void> {
  const existing = await stat(folder).catch(() => undefined);
  if (existing?.isFile())
    throw wrongUse(`${folder} is a file. Name a folder, or a file that ends with .zip.`);
  await mkdir(folder, { recursive: true });
  for (const file of found) {
    // The service gives no name that leads elsewhere; another one might.
    const path = join(folder, basename(file.name));
    if (!(await hasContent(path, file))) await writeWhole(path, contentOf(file));
  }
}

async function hasContent(path: string, { bytes, sha256 }: RunFile): Promise<boolean> {
  const { size } = (await stat(path).catch(() => undefined)) ?? {};
  if (size !== bytes) return false;
  const digest = createHash("sha256");
  for await (const chunk of createReadStream(path)) digest.update(chunk);
  return digest.digest("hex") === sha256;
}

async function listAsCsv(api: Api, path: string): Promise<Readable> {
  const response = await api.send(path, { query: { format: "csv" } });
  return Readable.from(bodyOf(response, api), { objectMode: false });
}

async function* archiveOf(
  csv: Readable,
  found: readonly RunFile[],
  contentOf: ContentOf,
): AsyncGenerator<Uint8Array> {
  yield* zipOfFiles(Readable.from(found), {
    list: csv,
    read: async (file) => Readable.from(contentOf(file), { objectMode: false }),
  });
}
