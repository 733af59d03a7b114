import type { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { RunFile } from "../contract/runs/file.ts";

interface ZipOptions<File> {
  /** The list of the files, as CSV. */
  list: Readable;
  /** Opens the content of a file. */
  read: (file: File) => Promise<Readable>;
}

/**
 * A ZIP archive with files and their list, as a stream. One file at a time is open. If a file can't be read, the archive
 * breaks off, so nobody takes it for complete.
 */
export async function* zipOfFiles<File extends Pick<RunFile, "name" | "bytes">>(
  entries: AsyncIterable<File>,
  { list, read }: ZipOptions<File>,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on("error", (error) => output.destroy(error));
  const mtime = new Date();
  const opened = new Set<Readable>([list]);
  zip.addReadStream(list, "files.csv", { mtime });
  for await (const entry of entries) {
    if (entry.bytes === null) continue;
    // Most files are compressed already.
    const options = { mtime, compress: false, size: entry.bytes };
    zip.addReadStreamLazy(entry.name, options, (done) => {
      read(entry).then(
        (content) => {
          opened.add(content);
          content.once("close", () => opened.delete(content));
          done(null, content);
        },
        (error) => output.destroy(error),
      );
    });
  }
  zip.end();
  try {
    yield* output as AsyncIterable<Buffer>;
  } finally {
    for (const stream of opened) stream.destroy();
  }
}
