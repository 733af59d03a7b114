import type { ChangeKind, RowChange } from "../../contract/runs/changes.ts";
import type { Row } from "../../contract/runs/run.ts";
import { columnsOf } from "../../rows/columns.ts";
import { formats } from "../../rows/formats.ts";
import { readChanges } from "../../store/runs/run-changes.ts";
import { getRun } from "../../store/runs/runs.ts";
import { HttpError, notFound } from "../http-error.ts";
import { begun } from "../rows-response.ts";
import type { ApiHandler } from "../types.ts";

/** The most changes in a batch, so that little garbage collects between two batches. */
const BATCH = 200;

/** The columns of a table besides those of the fields: the kind of a change, and the old value of each field. */
interface Columns {
  kind: string;
  old: ReadonlyMap<string, string>;
}

/** Fields keep their names: what would have the name of a field, such as "change", ends with an underscore. */
function columnsFor(fields: readonly string[]): Columns {
  const taken = new Set(fields);
  const free = (name: string): string => (taken.has(name) ? free(`${name}_`) : name);
  return { kind: free("change"), old: new Map(fields.map((name) => [name, free(`old.${name}`)])) };
}

export const getRunChanges: ApiHandler<"getRunChanges"> = async ({ account, id, query }, { table }) => {
  const run = await getRun(table, { account, id });
  if (run === undefined) throw notFound("run");
  const { changes } = run;
  if (changes === undefined)
    throw new HttpError(
      409,
      run.status === "running"
        ? "The run is in progress. Its changes are known when it ends."
        : "The run was not compared with others: its lists have no key, its steps were overridden, it belongs to a batch, it failed without rows, or its log says why.",
    );
  const { kinds, format, bom, download } = query;
  const isFlat = format === "csv" || format === "xlsx";
  const { contentType, write } = formats[format];
  const fields = columnsOf(run.steps);
  const columns = columnsFor(fields);
  const content = write(
    await begun(() =>
      batchesOf(ofKinds(readChanges(table, run, changes), kinds), isFlat ? columns : undefined),
    ),
    {
      columns: [columns.kind, ...fields, ...columns.old.values()],
      isWhole: true,
      bom,
      escapesFormulas: query.escape === "formulas",
      isTyped: !query.text,
    },
  );
  return {
    content,
    headers: {
      "content-type": contentType,
      ...(download && { "content-disposition": `attachment; filename="changes-${id}.${format}"` }),
    },
  };
};

async function* ofKinds(
  changes: AsyncIterable<Buffer>,
  kinds: readonly ChangeKind[],
): AsyncGenerator<Buffer> {
  const begins = kinds.map((kind) => Buffer.from(`{"kind":"${kind}"`));
  for await (const change of changes)
    if (begins.some((begin) => change.subarray(0, begin.length).equals(begin))) yield change;
}

/** `columns`: those of a table; absent: the changes stay as they are. */
async function* batchesOf(
  changes: AsyncIterable<Buffer>,
  columns: Columns | undefined,
): AsyncGenerator<Buffer[]> {
  let batch: Buffer[] = [];
  for await (const change of changes) {
    batch.push(columns ? flat(change, columns) : change);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** A change as a row of a table. */
function flat(json: Buffer, columns: Columns): Buffer {
  const { kind, row, old } = JSON.parse(json.toString()) as RowChange;
  // Without a prototype, a field named __proto__ is a field like any other.
  const cells: Row = Object.create(null);
  for (const [name, value] of Object.entries(row ?? {})) cells[name] = value;
  for (const [name, value] of Object.entries(old ?? {})) cells[columns.old.get(name) ?? ""] = value ?? "";
  cells[columns.kind] = kind;
  return Buffer.from(JSON.stringify(cells));
}
