import { useState } from "preact/hooks";
import { api, type Run, type RunWebhook } from "../../api/api.ts";
import { messageOf } from "../../api/api-error.ts";
import { useLoad } from "../../api/use-load.ts";
import { duration } from "../../format/time.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Section } from "../../ui/page.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { RowsDeliveries } from "./rows-deliveries.tsx";

const STATES: Record<RunWebhook["state"], { word: string; tone: string }> = {
  none: { word: "None", tone: "none" },
  waiting: { word: "Sent when the run ends", tone: "idle" },
  pending: { word: "Not accepted yet", tone: "busy" },
  delivered: { word: "Delivered", tone: "good" },
  failed: { word: "Not delivered", tone: "bad" },
};

/** The deliveries of the webhook of a run, and of its rows. */
export function Webhook({ run }: { run: Run }) {
  const { data, error, reload, set } = useLoad(
    (signal) => api.getWebhook(run.id, signal),
    [run.id, run.status],
    ({ state, deliveries }) => [{ state }, ...deliveries].some((one) => one.state === "pending"),
  );
  if (data === undefined) {
    return error === undefined ? (
      <Loading what="the webhook" lines={4} />
    ) : (
      <ErrorState error={error} retry={reload} />
    );
  }
  return (
    <div class="stack">
      {data.state === "none" ? (
        <Empty title="This run has no webhook">
          <p>With a webhook, the service sends each finished run to an address of yours.</p>
          <ButtonLink href={`/scrapers/${run.scraper_id}/webhook`}>Set one for the scraper</ButtonLink>
        </Empty>
      ) : (
        <Sent run={run} data={data} onSent={set} reload={reload} />
      )}
      {data.deliveries.length > 0 && (
        <Section title="Destinations of the rows">
          <RowsDeliveries deliveries={data.deliveries} />
        </Section>
      )}
    </div>
  );
}

interface SentProps {
  run: Run;
  data: RunWebhook;
  onSent: (data: RunWebhook) => void;
  reload: () => Promise<void>;
}

/** The state of the webhook: its address, and the attempts to send it. */
function Sent({ run, data, onSent, reload }: SentProps) {
  const [busy, setBusy] = useState(false);
  const resend = async () => {
    setBusy(true);
    try {
      onSent(await api.resendWebhook(run.id));
      await reload();
    } catch (failure) {
      toast(messageOf(failure), { isBad: true });
    }
    setBusy(false);
  };
  const { word, tone } = STATES[data.state];
  return (
    <div class="stack">
      <div class="card">
        <dl class="pairs">
          <dt>State</dt>
          <dd>
            <span class={`status ${tone}`}>{word}</span>
          </dd>
          <dt>Address</dt>
          <dd class="mono">{data.url}</dd>
          {data.next_attempt_at !== null && (
            <>
              <dt>Next attempt</dt>
              <dd>
                <Time at={data.next_attempt_at} />
              </dd>
            </>
          )}
        </dl>
      </div>
      {data.state !== "waiting" && (
        <div class="buttons">
          <Button needs="run" busy={busy || data.state === "pending"} onClick={resend}>
            Send again
          </Button>
        </div>
      )}
      {data.attempts.length > 0 && (
        <Table
          caption="Attempts"
          columns={COLUMNS}
          items={data.attempts.toReversed()}
          keyOf={({ at }) => at}
        />
      )}
    </div>
  );
}

const COLUMNS: readonly Column<RunWebhook["attempts"][number]>[] = [
  { title: "Attempt", cell: ({ at }) => <Time at={at} /> },
  { title: "Status", cell: ({ status }) => (status === null ? "No response" : String(status)) },
  { title: "Took", isNumber: true, cell: ({ duration_ms }) => duration(duration_ms) },
  { title: "Response", cell: ({ answer }) => <span class="answer mono">{answer}</span> },
];
