import { FILES } from "../contract/runs/file.ts";
import { readRowBatches } from "../rows/read-row-batches.ts";
import type { StoredFiles, StoredRun } from "../runs/run.ts";
import type { BatchFile, FileSink } from "../scraping/job.ts";
import { fileKey } from "../store/files.ts";
import { RowWriter } from "../store/runs/rows.ts";
import { type FileEntry, filesPartition, NO_ENTRIES, runFiles } from "../store/runs/run-files.ts";
import type { Table } from "../store/table.ts";

/** The files of one attempt at a run. Their contents are stored at once, and count when the run's state lists them. */
export class RunFiles implements FileSink {
  readonly #table: Table;
  readonly #run: StoredRun;
  readonly #entries: RowWriter;
  readonly #known: Set<string>;
  #bytes: number;
  #failed: number;

  private constructor(table: Table, run: StoredRun, known: Set<string>) {
    const { bytes, failed } = run.files ?? { bytes: 0, failed: 0 };
    this.#table = table;
    this.#run = run;
    this.#entries = new RowWriter(
      table,
      { ...run, partition: filesPartition(run.account, run.id) },
      run.files ?? NO_ENTRIES,
    );
    this.#known = known;
    this.#bytes = bytes;
    this.#failed = failed;
  }

  static async open(table: Table, run: StoredRun): Promise<RunFiles> {
    const known = new Set<string>();
    for await (const batch of readRowBatches(table, runFiles(run), { offset: 0, limit: FILES.count }))
      for (const entry of batch) known.add(addressKey(JSON.parse(entry.toString()) as FileEntry));
    return new RunFiles(table, run, known);
  }

  get count(): number {
    return this.#entries.rowCount;
  }

  get bytes(): number {
    return this.#bytes;
  }

  has(key: string): boolean {
    return this.#known.has(key);
  }

  put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    return this.#table.files.put(fileKey(this.#run, this.#contentKey(key)), content);
  }

  /**
   * Lists the files of a batch.
   * @param firstRow the index of its first row in the run
   * @returns the bytes that they add to what the run stores
   */
  append(files: readonly BatchFile[], firstRow: number): number {
    const { rowBytes: before } = this.#entries;
    let bytes = 0;
    for (const { row, field, url, key, name, content } of files) {
      const number = this.count + 1;
      const isFailed = "error" in content;
      const entry: FileEntry = {
        number,
        name: `${String(number).padStart(NUMBER_DIGITS, "0")}-${name}`,
        url,
        row: firstRow + row,
        field,
        ...(isFailed
          ? { bytes: null, type: null, sha256: null, error: content.error }
          : { ...content, error: null }),
        key: this.#contentKey(key),
      };
      this.#entries.append([entry]);
      this.#known.add(key);
      if (isFailed) this.#failed += 1;
      else bytes += content.bytes;
    }
    this.#bytes += bytes;
    return bytes + this.#entries.rowBytes - before;
  }

  /** Stores the list, and returns what the run's state has to contain about it. */
  async flush(): Promise<StoredFiles | undefined> {
    if (this.count === 0) return undefined;
    return { ...(await this.#entries.flush()), bytes: this.#bytes, failed: this.#failed };
  }

  /** Another attempt must not replace what this one has listed. */
  #contentKey(key: string): string {
    return `${this.#run.attempt}-${key}`;
  }
}

/** So that the names of all files sort in the order of the rows. */
const NUMBER_DIGITS = String(FILES.count).length;

const addressKey = ({ key }: FileEntry) => key.slice(key.indexOf("-") + 1);
