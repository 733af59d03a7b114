import { useEffect, useMemo, useState } from "preact/hooks";
import { statusWord, statusWords } from "../../../functions/contract/runs/status-words.ts";
import { api, type Batch, type BatchInput, type InputFilter, type Row } from "../../api/api.ts";
import { forConsole } from "../../format/advice.ts";
import { count } from "../../format/numbers.ts";
import { columnsFor, type GridColumn } from "../../grid/columns.ts";
import { Grid } from "../../grid/grid.tsx";
import { RowSource } from "../../grid/row-source.ts";
import { place } from "../../router/router.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";

/** How many inputs a page of the API has. */
const PAGE = 50;
const STATUSES = ["waiting", "running", "successful", "warned", "failed"] as const;

/** The inputs of a batch with their statuses, all or those with one status. */
export function InputList({ batch }: { batch: Batch }) {
  const wanted = place.value.query.get("status");
  const status = STATUSES.find((one) => one === wanted);
  return (
    <div class="stack">
      <nav class="segments" aria-label="Status">
        {[undefined, ...STATUSES].map((one) => (
          <a
            key={one ?? ""}
            href={`/batches/${batch.id}${one === undefined ? "" : `?status=${one}`}`}
            aria-current={status === one ? "page" : undefined}
          >
            {titleOf(one)} {count(one === undefined ? batch.total : batch[one])}
          </a>
        ))}
      </nav>
      <InputGrid key={status ?? ""} batch={batch} status={status} />
    </div>
  );
}

/** An input that was stopped has failed, too. Those with rows to check are some of the successful ones. */
const titleOf = (status: InputFilter | undefined): string => {
  if (status === undefined) return "All";
  if (status === "warned") return statusWords.check_rows.word;
  const { word } = statusWord({ status, error: null, warnings: [] });
  return status === "failed" ? `${word} or stopped` : word;
};

function InputGrid({ batch, status }: { batch: Batch; status: InputFilter | undefined }) {
  const { id } = batch;
  const { source, inputAt } = useMemo(() => inputSource(id, status), [id, status]);
  useEffect(() => () => source.close(), [source]);
  const total = status === undefined ? batch.total : batch[status];
  source.setCount(total);
  const state = [batch.waiting, batch.running, batch.successful, batch.failed].join();
  useEffect(() => source.outdate(), [source, state]);
  void source.version.value;
  const first = source.get(0);
  useEffect(() => {
    if (first === undefined && total > 0) source.want(0, 0);
  });
  const [columns, setColumns] = useState<GridColumn[]>();
  useEffect(() => {
    if (columns !== undefined || first === undefined) return;
    const rows = Array.from({ length: PAGE }, (_, index) => source.get(index) ?? {});
    const values = rows.flatMap((row) => Object.keys(row).filter((name) => name.startsWith("input.")));
    // The status of an input changes, so its column has room for the longest word.
    const longest = Object.values(statusWords).map(({ word }) => ({ Status: word }));
    setColumns(columnsFor(["Status", ...new Set(values), "Rows", "Message"], [...rows, ...longest]));
  });
  if (total === 0) return <Empty title={status === undefined ? "No inputs" : "No inputs with this status"} />;
  if (columns === undefined) {
    return source.error.value === undefined ? (
      <Loading what="the inputs" lines={8} />
    ) : (
      <ErrorState error={source.error.value} retry={() => source.retry()} />
    );
  }
  return (
    <>
      <Grid
        source={source}
        columns={columns}
        onColumns={setColumns}
        label="Inputs"
        cells={CELLS}
        opened={(index, onClose) => <OpenedInput input={inputAt(index)} onClose={onClose} />}
      />
      <p class="hint">
        Arrow keys move, <kbd>Enter</kbd> or a double click shows an input and its run.
      </p>
    </>
  );
}

const CELLS = {
  Status: ({ Status, tone, run }: Row) => {
    const badge = <span class={`status ${tone}`}>{Status}</span>;
    return run === undefined ? (
      badge
    ) : (
      <a href={`/runs/${run}`} tabIndex={-1}>
        {badge}
      </a>
    );
  },
};

/**
 * Reads inputs as rows of a grid, two pages of the API for each block. The names of values begin with "input.", so
 * that none of them is like the name of another column.
 */
function inputSource(id: string, status: InputFilter | undefined) {
  const inputs = new Map<number, BatchInput>();
  const source = new RowSource(async (offset, limit, signal) => {
    const pages = Array.from({ length: Math.ceil(limit / PAGE) }, (_, at) => 1 + offset / PAGE + at);
    const found = await Promise.all(pages.map((page) => api.listInputs(id, status, page, signal)));
    const data = found.flatMap((page) => page.data);
    for (const [at, input] of data.entries()) inputs.set(offset + at, input);
    const rows = data.map(rowOf);
    return { rows, size: JSON.stringify(rows).length };
  });
  return { source, inputAt: (index: number) => inputs.get(index) };
}

function rowOf(input: BatchInput): Row {
  const { values, run_id, status, row_count, error } = input;
  const { word, tone } = statusWord(input);
  const named = Object.entries(values).map(([name, value]) => [`input.${name}`, value]);
  return {
    ...Object.fromEntries(named),
    Status: word,
    Rows: status === "waiting" || (status === "running" && row_count === 0) ? "" : count(row_count),
    Message: forConsole(error?.message ?? input.warnings[0]?.message ?? ""),
    tone,
    ...(run_id !== null && { run: run_id }),
  };
}

function OpenedInput({ input, onClose }: { input: BatchInput | undefined; onClose: () => void }) {
  if (input === undefined) return null;
  const { word, tone } = statusWord(input);
  return (
    <Dialog
      title={`Input ${count(input.index + 1)}`}
      onClose={onClose}
      actions={input.run_id !== null && <ButtonLink href={`/runs/${input.run_id}`}>Open its run</ButtonLink>}
    >
      <p class="facts">
        <span class={`status ${tone}`}>{word}</span>
        <span>{count(input.row_count)} rows</span>
      </p>
      <dl class="pairs">
        {Object.entries(input.values).map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      {input.error !== null && <p>{forConsole(input.error.message)}</p>}
      {input.warnings.map(({ message }) => (
        <p key={message}>{forConsole(message)}</p>
      ))}
    </Dialog>
  );
}
