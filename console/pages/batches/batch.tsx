import { useState } from "preact/hooks";
import { api, type Batch } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { csvHead } from "../../format/csv-head.ts";
import { count, counted } from "../../format/numbers.ts";
import { duration } from "../../format/time.ts";
import { Rows } from "../../grid/rows.tsx";
import { navigate } from "../../router/router.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { StatusBadge } from "../../ui/status.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import type { PageProps } from "../page-props.ts";
import { lookUpNames, names } from "../runs/names.ts";
import { SOURCES, tookMs } from "../runs/run-table.tsx";
import { InputList } from "./input-list.tsx";

const PARENT = { title: "Batches", href: "/batches" };

/** The page of a batch: how far it is, its inputs, and the rows of all its runs. */
export function BatchPage({ id, tab }: PageProps) {
  const { data, error, reload, set } = useLoad(
    async (signal) => {
      const found = await api.getBatch(id, signal);
      await lookUpNames([found], signal);
      return found;
    },
    [id],
    ({ status }) => status === "running",
  );
  if (data === undefined) {
    return (
      <Page title="Batch" parent={PARENT}>
        {error === undefined ? (
          <Loading what="the batch" lines={12} />
        ) : (
          <ErrorState error={error} retry={reload} />
        )}
      </Page>
    );
  }
  const current = tab === "rows" ? "rows" : "inputs";
  const tabs = [
    { id: "inputs", title: "Inputs", href: `/batches/${id}` },
    { id: "rows", title: "Rows", href: `/batches/${id}/rows` },
  ];
  return (
    <Page
      title={names.value.get(data.scraper_id) ?? "Batch"}
      parent={PARENT}
      badge={<StatusBadge of={data} />}
      facts={<Facts batch={data} />}
      actions={<Actions batch={data} onBatch={set} />}
    >
      <Shares batch={data} />
      <Tabs label="Parts of the batch" tabs={tabs} current={current} />
      {current === "inputs" && <InputList batch={data} />}
      {current === "rows" && <RowsOfBatch batch={data} />}
    </Page>
  );
}

function Facts({ batch }: { batch: Batch }) {
  const { scraper_id, scraper_version, total, row_count, credits_used, created_at, source } = batch;
  return (
    <>
      <span>
        Started <Time at={created_at} />
      </span>
      <span>{duration(tookMs({ ...batch, started_at: null }))}</span>
      <span>{counted(total, "input")}</span>
      <span>{counted(row_count, "row")}</span>
      <span>{counted(credits_used, "credit")}</span>
      <span>by {SOURCES[source]}</span>
      <span>
        <a href={`/scrapers/${scraper_id}`}>Scraper</a>, version {count(scraper_version)}
      </span>
    </>
  );
}

const PARTS = ["successful", "failed", "running", "waiting"] as const;

/** A bar with the shares of the inputs by status. The filter below has the numbers. */
function Shares({ batch }: { batch: Batch }) {
  if (batch.status !== "running") return null;
  const done = batch.successful + batch.failed;
  return (
    <section class="card progress" aria-label="Progress">
      <svg class="shares" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        {PARTS.map((part, index) => {
          const before = PARTS.slice(0, index).reduce((sum, one) => sum + batch[one], 0);
          const [x, width] = [(before * 100) / batch.total, (batch[part] * 100) / batch.total];
          return <rect key={part} class={part} x={x} width={width} height={1} />;
        })}
      </svg>
      <p class="facts">
        <span>
          {count(done)} of {counted(batch.total, "input")} done
        </span>
        <span>{count(batch.running)} running</span>
      </p>
    </section>
  );
}

interface ActionsProps {
  batch: Batch;
  onBatch: (batch: Batch) => void;
}

function Actions({ batch, onBatch }: ActionsProps) {
  const { id, scraper_id, status, stopping, failed, total, row_count, waiting, running } = batch;
  const [asked, setAsked] = useState<"stop" | "delete" | "continue">();
  const close = () => setAsked(undefined);
  if (status === "running") {
    return (
      <>
        <Button needs="run" kind="danger" busy={stopping} onClick={() => setAsked("stop")}>
          {stopping ? "Stopping" : "Stop"}
        </Button>
        {asked === "stop" && (
          <Confirm
            title="Stop this batch?"
            action="Stop the batch"
            onClose={close}
            onConfirm={async () => {
              onBatch(await api.stopBatch(id));
              close();
            }}
          >
            <p>
              {counted(waiting + running, "input")} will fail, with the code <code>stopped</code>. The rows so
              far stay. You can continue later with the failed inputs.
            </p>
          </Confirm>
        )}
      </>
    );
  }
  return (
    <>
      <Button needs="write" onClick={() => setAsked("delete")}>
        Delete
      </Button>
      {failed > 0 && (
        <Button needs="run" kind="primary" onClick={() => setAsked("continue")}>
          Run the failed ones again
        </Button>
      )}
      {asked === "continue" && (
        <Confirm
          title={`Run ${counted(failed, "failed input")} again?`}
          action="Start a batch"
          kind="primary"
          onClose={close}
          onConfirm={async () => {
            const { rows_limit, concurrency, webhook_url } = batch;
            const settings = { scraper_id, rows_limit, concurrency, webhook_url };
            const next = await api.createBatch({ ...settings, inputs_from: { failed_of: id } });
            navigate(`/batches/${next.id}`);
          }}
        >
          <p>
            They become a batch of their own, with the current version of the scraper and the settings of this
            batch.
          </p>
        </Confirm>
      )}
      {asked === "delete" && (
        <Confirm
          title="Delete this batch?"
          action="Delete the batch"
          onClose={close}
          onConfirm={async () => {
            await api.deleteBatch(id);
            toast("The batch is deleted.");
            navigate("/batches", { replace: true });
          }}
        >
          <p>
            Its {counted(total, "input")}, their runs and {counted(row_count, "row")} are deleted for good.
            Its credits stay counted.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** The rows of all runs of a batch. Each begins with the values of its input. */
function RowsOfBatch({ batch }: { batch: Batch }) {
  const { id, scraper_id, created_at, row_count, status } = batch;
  const { data, error, reload } = useLoad(async (signal) => csvHead(await api.rowsHead(id, signal)), [id]);
  if (data === undefined) {
    return error === undefined ? (
      <Loading what="the rows" lines={8} />
    ) : (
      <ErrorState error={error} retry={reload} />
    );
  }
  const isRunning = status === "running";
  const name = names.value.get(scraper_id) ?? "";
  return (
    <Rows
      owner={{ of: "batches", id, scraper_id, name, created_at, row_count, isRunning }}
      names={data}
      isInserted
      empty={
        <Empty title={isRunning ? "No rows yet" : "No rows"}>
          {isRunning ? "They appear here after each run." : "None of its runs has rows."}
        </Empty>
      }
    />
  );
}
