import type { InputValues } from "../contract/batches/batch.ts";
import { type RowRange, readRowBatches } from "../rows/read-row-batches.ts";
import { InputReader } from "../store/batches/inputs.ts";
import { type Block, runsOfInputs } from "../store/batches/outcomes.ts";
import { damaged } from "../store/runs/read-rows.ts";
import type { Table } from "../store/table.ts";
import { inputColumn, type StoredBatch } from "./batch.ts";

/** Runs that are read at a time: both items of each fit into one request. */
const RUNS_AT_ONCE = 50;

/** Some rows of one run. */
interface Part extends RowRange {
  index: number;
}

/**
 * Rows of the finished runs of a batch, each as JSON, in batches and in the order of the inputs. Each row begins with the
 * values of its input.
 * @throws RowsDamaged if not exactly these rows are stored
 */
export async function* readBatchRows(
  table: Table,
  batch: StoredBatch,
  blocks: AsyncIterable<Block>,
  range: RowRange,
): AsyncGenerator<Buffer[]> {
  const reader = new InputReader(table, batch);
  for await (const parts of inGroups(partsOf(blocks, range))) {
    const runs = await runsOfInputs(
      table,
      batch,
      parts.map(({ index }) => index),
    );
    for (const { index, offset, limit } of parts) {
      const run = runs.get(index);
      if (run === undefined) throw damaged(batch, `the run of input ${index} is missing`);
      const prefix = prefixOf(await reader.read(index));
      for await (const rows of readRowBatches(table, run, { offset, limit }))
        yield rows.map((row) => withPrefix(prefix, row));
    }
  }
}

/** Which rows of which runs a range has. Runs without rows are left out. */
async function* partsOf(blocks: AsyncIterable<Block>, { offset, limit }: RowRange): AsyncGenerator<Part> {
  let skip = offset;
  let left = limit;
  for await (const { first, outcomes } of blocks) {
    for (const [at, { rows }] of outcomes.entries()) {
      const wanted = Math.min(rows - skip, left);
      if (wanted > 0) {
        yield { index: first + at, offset: skip, limit: wanted };
        left -= wanted;
      }
      skip = Math.max(0, skip - rows);
      if (left === 0) return;
    }
  }
}

async function* inGroups(parts: AsyncIterable<Part>): AsyncGenerator<Part[]> {
  let group: Part[] = [];
  for await (const part of parts) {
    if (group.push(part) < RUNS_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

const OPEN = "{".charCodeAt(0);

/** The values of an input as the beginning of a JSON object; only the brace if it has none. */
function prefixOf(input: InputValues): Buffer {
  const named = Object.entries(input).map(([name, value]) => [inputColumn(name), value]);
  return Buffer.from(JSON.stringify(Object.fromEntries(named)).slice(0, -1));
}

/** The JSON object of a row, after a prefix that begins with its brace. */
function withPrefix(prefix: Buffer, row: Buffer): Buffer {
  if (row[0] !== OPEN) throw new Error("A row is not a JSON object.");
  const isEmpty = row.length === 2;
  const comma = isEmpty || prefix.length === 1 ? "" : ",";
  return Buffer.concat([prefix, Buffer.from(comma), row.subarray(1)]);
}
