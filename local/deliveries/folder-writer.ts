import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { DeliveryFailure } from "../../functions/deliveries/delivery.ts";
import type { NewFile, WriteFile } from "../../functions/deliveries/destinations.ts";

/**
 * A writer of files below a folder. Content goes to a file beside the final one, which takes its place once it is complete:
 * nobody reads a part of a file. `root`: the folder that the operator allows. A link below it must not lead out of it.
 */
export const folderWriter =
  (root: string): WriteFile =>
  async (file) => {
    try {
      const names = file.path.split("/");
      const name = names.pop() as string;
      const folder = await folderBelow(await realpath(root), names);
      await writeIn(folder, name, file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined || error instanceof DeliveryFailure) throw error;
      throw new DeliveryFailure(`The file ${file.path} could not be written: ${advice[code] ?? code}.`, {
        cause: error,
      });
    }
  };

const advice: Record<string, string> = {
  EACCES: "the service has no permission to write there",
  EISDIR: "there is a folder with this name",
  ELOOP: "there is a symbolic link with this name",
  ENAMETOOLONG: "the name is too long for the disk",
  ENOENT: "the folder that the operator of the service allows is missing",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is a file",
  EROFS: "the disk is read-only",
};

/** Makes the folders one by one, so that none is made behind a link. */
async function folderBelow(root: string, names: readonly string[]): Promise<string> {
  let folder = root;
  for (const name of names) {
    await mkdir(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    folder = await realpath(join(folder, name));
    if (folder !== root && !folder.startsWith(root.endsWith(sep) ? root : root + sep))
      throw new DeliveryFailure(`${name} leads out of the folder that the operator of the service allows.`);
  }
  return folder;
}

async function writeIn(
  folder: string,
  name: string,
  { content, writer, signal, beforeEnd }: NewFile,
): Promise<void> {
  // The same for all attempts of a delivery: what one that was killed has left is overwritten.
  const path = join(folder, `.gleaner-${writer}.part`);
  const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
  const file = await open(path, O_CREAT | O_NOFOLLOW | O_TRUNC | O_WRONLY, 0o666);
  try {
    await fill(file, content, signal);
    await beforeEnd();
    await rename(path, join(folder, name));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function fill(file: FileHandle, content: NewFile["content"], signal: AbortSignal): Promise<void> {
  try {
    for await (const piece of content) {
      signal.throwIfAborted();
      await file.writeFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
