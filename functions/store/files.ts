import type { Readable } from "node:stream";
import type { RunRef, StoredRun } from "../runs/run.ts";

/** Keeps the contents of files, which are too large for the table: in S3 on AWS, in the data folder on one machine. */
export interface FileStore {
  /** Stores a file as a whole, or not at all. Replaces the one with this key. @throws whatever `content` throws */
  put(key: string, content: AsyncIterable<Buffer>): Promise<void>;
  /** The content of a file. @throws FileMissing */
  read(key: string): Promise<Readable>;
  /** Deletes the files whose keys begin with this. */
  remove(prefix: string): Promise<void>;
}

export class FileMissing extends Error {
  override readonly name = "FileMissing";
}

/** The key of a file of a run. It names the time when the run expires, because its file expires then, too. */
export const fileKey = ({ account, id, expires_at }: RunRef & Pick<StoredRun, "expires_at">, name: string) =>
  `${account}/${id}.${expires_at ?? "kept"}/${name}`;

/** What the keys of a run's files begin with. */
export const filesOfRun = ({ account, id }: RunRef) => `${account}/${id}.`;

/** What the keys of an account's files begin with. */
export const filesOfAccount = (account: string) => `${account}/`;

/** When the files in a folder of a run expire, in seconds since the epoch; undefined: never. */
export const expiryIn = (folder: string): number | undefined => {
  const [, seconds] = /\.(\d+)$/.exec(folder) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
};

/** Whether a run may have files. */
export const mayHaveFiles = ({ steps }: Pick<StoredRun, "steps">): boolean =>
  steps.some((step) => step.type === "get_list" && step.files !== undefined);

/** For a table that is opened without a place for files. */
export const NO_FILES: FileStore = {
  put: () => Promise.reject(new Error("There is no place for files.")),
  read: (key) => Promise.reject(new FileMissing(`There is no file ${key}.`)),
  remove: async () => {},
};
