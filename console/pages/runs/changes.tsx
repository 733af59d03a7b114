import { useState } from "preact/hooks";
import { columnsOf } from "../../../functions/rows/columns.ts";
import { api, type ChangeKind, type Row, type RowChange, type Run } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { forConsole } from "../../format/advice.ts";
import { fileName } from "../../format/file-name.ts";
import { count, counted } from "../../format/numbers.ts";
import { beginningOf } from "../../grid/text.ts";
import { place } from "../../router/router.ts";
import { Button } from "../../ui/button.tsx";
import { FileDialog } from "../../ui/file-dialog.tsx";
import { Empty, ErrorState, Loading, Notice } from "../../ui/states.tsx";
import { names } from "./names.ts";

/** How many changes of a kind are shown. The file has all. */
const SHOWN = 200;

const KINDS: readonly { kind: ChangeKind; title: string }[] = [
  { kind: "new", title: "New" },
  { kind: "changed", title: "Changed" },
  { kind: "removed", title: "Removed" },
];

type Compared = NonNullable<Run["changes"]>;

/** What is new, changed or removed in a run since the last good one, one kind at a time. */
export function Changes({ run }: { run: Run }) {
  const { changes } = run;
  const [isExporting, setExporting] = useState(false);
  if (changes === null) return <NotCompared run={run} />;
  const some = KINDS.find(({ kind }) => changes[kind] > 0)?.kind;
  const wanted = place.value.query.get("kind");
  const current = KINDS.find(({ kind }) => kind === wanted)?.kind ?? some ?? "new";
  return (
    <div class="stack">
      <Facts changes={changes} />
      <div class="rows-head">
        <nav class="segments" aria-label="Kinds of changes">
          {KINDS.map(({ kind, title }) => (
            <a
              key={kind}
              href={`/runs/${run.id}/changes?kind=${kind}`}
              aria-current={kind === current ? "page" : undefined}
            >
              {title} {count(changes[kind])}
            </a>
          ))}
        </nav>
        {some !== undefined && (
          <Button class="small" onClick={() => setExporting(true)}>
            Export
          </Button>
        )}
      </div>
      {changes[current] === 0 ? (
        <Empty title={`No ${current} rows`} />
      ) : (
        <ChangeList run={run} kind={current} all={changes[current]} />
      )}
      {isExporting && (
        <FileDialog
          title="Export changes"
          load={(format, signal) => api.changesFile(run.id, format, signal)}
          name={(format) =>
            fileName(`${names.value.get(run.scraper_id) ?? ""} changes`, run.created_at, format)
          }
          onClose={() => setExporting(false)}
        >
          <p class="soft">All changes of the run, of each kind, with their old values.</p>
        </FileDialog>
      )}
    </div>
  );
}

function NotCompared({ run }: { run: Run }) {
  if (run.status === "running") {
    return (
      <Empty title="Not compared yet">
        <p>The changes are known when the run ends.</p>
      </Empty>
    );
  }
  return (
    <Empty title="This run was not compared">
      <p>
        Runs are compared if a list of the scraper has a key, by which its rows are recognized.{" "}
        <a href="/help/changes">Changes between runs</a> says how, and which runs are left out.
      </p>
    </Empty>
  );
}

function Facts({ changes: { baseline, same, mostly_changed, final, message } }: { changes: Compared }) {
  return (
    <>
      {baseline !== null && (
        <p class="lead">
          Compared with <a href={`/runs/${baseline}`}>the last good run</a>. {counted(same, "row")}{" "}
          {same === 1 ? "is" : "are"} the same.
        </p>
      )}
      {message !== null && (
        <Notice tone="info" title={final ? "About this comparison" : "These changes are not final"}>
          <p>{forConsole(message)}</p>
        </Notice>
      )}
      {mostly_changed.length > 0 && (
        <Notice tone="warn" title="Fields that differ in more than half of the rows">
          <ul>
            {mostly_changed.map(({ field, count: rows }) => (
              <li key={field}>
                <code>{field}</code> in {counted(rows, "row")}
              </li>
            ))}
          </ul>
          <p>
            They do not count as changes. Leave out those that always differ by <code>ignore</code> of the
            list, in the JSON of the definition.
          </p>
        </Notice>
      )}
    </>
  );
}

function ChangeList({ run, kind, all }: { run: Run; kind: ChangeKind; all: number }) {
  const { data, error, reload } = useLoad(
    (signal) => api.readChanges(run.id, kind, SHOWN, signal),
    [run.id, kind],
  );
  if (data === undefined) {
    return error === undefined ? (
      <Loading what="the changes" lines={8} />
    ) : (
      <ErrorState error={error} retry={reload} />
    );
  }
  const label = `${KINDS.find((one) => one.kind === kind)?.title} rows`;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: A keyboard has to scroll a wide table. */}
      <section class="table-frame" tabIndex={0} aria-label={label}>
        <table class="table differences">
          <caption class="visually-hidden">{label}</caption>
          {kind === "changed" ? (
            <ChangedRows run={run} changes={data} />
          ) : (
            <WholeRows run={run} changes={data} />
          )}
        </table>
      </section>
      {data.length < all && (
        <p class="hint">
          The first {count(data.length)} of {count(all)}. <b>Export</b> saves all.
        </p>
      )}
    </>
  );
}

interface ChangesProps {
  run: Run;
  changes: readonly RowChange[];
}

/** A line for each field that has changed, with its old and its new value. */
function ChangedRows({ run, changes }: ChangesProps) {
  const keys = run.steps.flatMap((step) => (step.type === "get_list" && step.key ? [step.key] : []));
  const nameOf = (row: Row) => {
    const key = keys.find((fields) => fields.some((field) => row[field])) ?? [];
    return key.map((field) => row[field]).join(", ");
  };
  return (
    <>
      <Head columns={["Row", "Field", "Before", "Now"]} />
      <tbody>
        {changes.flatMap(({ row, old }, index) => {
          const fields = Object.keys(old ?? {});
          const head = (
            <th scope="rowgroup" rowSpan={Math.max(1, fields.length)}>
              {beginningOf(nameOf(row ?? {}))}
            </th>
          );
          if (fields.length === 0) {
            return (
              <tr key={index}>
                {head}
                <td colSpan={3}>Its old values are no longer stored.</td>
              </tr>
            );
          }
          return fields.map((field, at) => (
            <tr key={`${index} ${field}`}>
              {at === 0 && head}
              <td>{field}</td>
              <Value value={old?.[field]} />
              <Value value={row?.[field]} />
            </tr>
          ));
        })}
      </tbody>
    </>
  );
}

/** New or removed rows. */
function WholeRows({ run, changes }: ChangesProps) {
  const columns = columnsOf(run.steps);
  return (
    <>
      <Head columns={columns} />
      <tbody>
        {changes.map(({ row }, index) => (
          <tr key={index}>
            {row === null ? (
              <td colSpan={columns.length}>This row is no longer stored: its run was deleted.</td>
            ) : (
              columns.map((name) => <Value key={name} value={row[name]} />)
            )}
          </tr>
        ))}
      </tbody>
    </>
  );
}

const Head = ({ columns }: { columns: readonly string[] }) => (
  <thead>
    <tr>
      {columns.map((name) => (
        <th key={name} scope="col">
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

const Value = ({ value }: { value: string | null | undefined }) => (
  <td>{value == null ? <span class="soft">none</span> : <bdi>{beginningOf(value)}</bdi>}</td>
);
