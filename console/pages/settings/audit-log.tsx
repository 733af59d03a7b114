import { useState } from "preact/hooks";
import { type AuditEntry, api } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/page.tsx";
import { ErrorState, Loading } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: "When", cell: ({ at }) => <Time at={at} /> },
  { title: "Who", cell: ({ actor: { type, name, id } }) => `${name ?? id ?? "somebody"} (${type})` },
  { title: "What", cell: ({ action }) => <code>{action}</code> },
  { title: "Of", cell: ({ target }) => <span class="mono">{target ?? "the account"}</span>, isMinor: true },
];

/** Who changed what in the account, newest first. */
export function AuditLog() {
  /** The entry before which the page begins; undefined for the first page. */
  const [before, setBefore] = useState<string>();
  const { data, error, reload } = useLoad((signal) => api.listAudit(before, signal), [before]);
  return (
    <Section title="Audit log">
      <p class="lead">Who changed what. Entries have no values, and are kept for 400 days.</p>
      {data === undefined && error !== undefined && <ErrorState error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading what="the audit log" lines={8} />}
      {data !== undefined && (
        <Table caption="Changes" columns={COLUMNS} items={data.data} keyOf={({ id }) => id} />
      )}
      <div class="buttons">
        {before !== undefined && (
          <Button class="small" onClick={() => setBefore(undefined)}>
            Newest
          </Button>
        )}
        {typeof data?.next === "string" && (
          <Button class="small" onClick={() => setBefore(data.next ?? undefined)}>
            Older
          </Button>
        )}
      </div>
    </Section>
  );
}
