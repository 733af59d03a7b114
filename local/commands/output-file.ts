import { access, constants, stat } from "node:fs/promises";
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
