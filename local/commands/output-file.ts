import type { Stats } from "node:fs";
import { access, constants, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { wrongUse } from "../command-error.ts";

/** Checks that a file can be written, before a command uses credits. @throws CommandError if it can't be written */
export async function assertWritable(path: string): Promise<void> {
  const target = await stat(path).catch(() => undefined);
  if (target?.isDirectory()) throw wrongUse(`${path} is a folder. Name a file in it.`);
  // A device or a pipe is written directly, without a temporary file in its folder.
  if (target !== undefined && !target.isFile()) return;
  const folder = dirname(path);
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw wrongUse(
      `There is no folder ${folder} for the file ${path}. Create the folder, or name another one.`,
    );
  }
  const isDenied = await access(folder, constants.W_OK).then(
    () => false,
    () => true,
  );
  if (isDenied) throw wrongUse(`You have no permission to write to the folder ${folder}. Name another one.`);
}

/** Writes a file, or replaces it. If that fails or is interrupted, the file stays as it was. */
export async function writeWhole(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const target: Stats | undefined = await stat(path).catch(() => undefined);
  // Only a regular file can be replaced by a rename. A device or a pipe is written directly.
  if (target !== undefined && !target.isFile()) return writeFile(path, content);
  const part = `${path}.${process.pid}.part`;
  try {
    await writeFile(part, content);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
