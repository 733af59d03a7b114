import type { RunFile } from "../../contract/runs/file.ts";
import type { StoredFiles, StoredRows, StoredRun } from "../../runs/run.ts";
import { accountPartition } from "../table.ts";
import type { RunRows } from "./read-rows.ts";

/** A file of a run as its list stores it. `key`: the end of the key of its content. */
export interface FileEntry extends RunFile {
  key: string;
}

/** The partition with the pieces of a run's list of files. */
export const filesPartition = (account: string, runId: string) =>
  `${accountPartition(account)}#RUN#${runId}#FILES`;

/** A list without files. */
export const NO_ENTRIES: StoredRows = { row_count: 0, row_bytes: 0, segments: [] };

/** The list of a run's files, to be read as rows are: each is a `FileEntry`. */
export const runFiles = ({ account, id, files }: Pick<StoredRun, "account" | "id" | "files">): RunRows => ({
  account,
  id,
  partition: filesPartition(account, id),
  ...((files ?? NO_ENTRIES) satisfies StoredRows | StoredFiles),
});
