import { useState } from "preact/hooks";
import { api, type TaggedScraper } from "../../api/api.ts";
import { messageOf } from "../../api/api-error.ts";
import { useLoad } from "../../api/use-load.ts";
import { RunBars } from "../../charts/run-bars.tsx";
import { counted } from "../../format/numbers.ts";
import { navigate, place } from "../../router/router.ts";
import { RunDialog } from "../../run-with/run-dialog.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { StatusBadge } from "../../ui/status.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import type { PageProps } from "../page-props.ts";
import { noteNames } from "../runs/names.ts";
import { RunTable } from "../runs/run-table.tsx";
import { DefinitionTab } from "./definition-tab.tsx";
import { DestinationsTab } from "./destinations-tab.tsx";
import { LastRows } from "./last-rows.tsx";
import { Overview } from "./overview.tsx";
import { ScheduleTab } from "./schedule-tab.tsx";
import { WebhookTab } from "./webhook-tab.tsx";

const TABS = [
  { id: "overview", title: "Overview" },
  { id: "rows", title: "Rows" },
  { id: "runs", title: "Runs" },
  { id: "definition", title: "Definition" },
  { id: "schedule", title: "Schedule" },
  { id: "webhook", title: "Webhook" },
  { id: "destinations", title: "Destinations" },
] as const;

const PARENT = { title: "Scrapers", href: "/scrapers" };

/** The page of a scraper, with tabs for its overview, rows, runs, definition, schedule, webhook and destinations. */
export function ScraperPage({ id, tab }: PageProps) {
  const { data, error, reload, set } = useLoad(
    (signal) => api.getScraper(id, signal),
    [id],
    ({ scraper }) => scraper.last_run?.status === "running",
  );
  if (data === undefined) {
    return (
      <Page title="Scraper" parent={PARENT}>
        {error === undefined ? (
          <Loading what="the scraper" lines={12} />
        ) : (
          <ErrorState error={error} retry={reload} />
        )}
      </Page>
    );
  }
  const { scraper } = data;
  noteNames([scraper]);
  const current = TABS.find((one) => one.id === tab)?.id ?? "overview";
  const tabs = TABS.map((one) => ({
    ...one,
    href: one.id === "overview" ? `/scrapers/${id}` : `/scrapers/${id}/${one.id}`,
  }));
  const { last_run, version, updated_at } = scraper;
  return (
    <Page
      title={scraper.name}
      parent={PARENT}
      badge={last_run !== null && <StatusBadge of={last_run} />}
      facts={
        <>
          {last_run === null ? (
            <span>Never run</span>
          ) : (
            <span>
              Last run <Time at={last_run.created_at} />, {counted(last_run.row_count, "row")}
            </span>
          )}
          <span>
            Version {version}, changed <Time at={updated_at} />
          </span>
        </>
      }
      actions={<Actions tagged={data} isEditing={current === "definition"} />}
    >
      <Tabs label="Parts of the scraper" tabs={tabs} current={current} />
      {current === "overview" && <Overview scraper={scraper} />}
      {current === "rows" && <LastRows scraper={scraper} />}
      {current === "runs" && <RunsOfScraper id={id} />}
      {current === "definition" && <DefinitionTab tagged={data} onStored={set} />}
      {current === "schedule" && <ScheduleTab tagged={data} onStored={set} />}
      {current === "webhook" && <WebhookTab tagged={data} onStored={set} />}
      {current === "destinations" && <DestinationsTab tagged={data} onStored={set} />}
    </Page>
  );
}

/** @param isEditing whether the tab below has the button that leads to the recorder, with its draft */
function Actions({ tagged: { scraper }, isEditing }: { tagged: TaggedScraper; isEditing: boolean }) {
  const [busy, setBusy] = useState(false);
  const [opened, setOpened] = useState<"delete" | "run">();
  const close = () => setOpened(undefined);
  const run = async () => {
    setBusy(true);
    try {
      navigate(`/runs/${(await api.startRun({ scraper_id: scraper.id })).id}`);
    } catch (error) {
      toast(messageOf(error), { isBad: true });
      setBusy(false);
    }
  };
  return (
    <>
      <Button needs="write" onClick={() => setOpened("delete")}>
        Delete
      </Button>
      {!isEditing && <ButtonLink href={`/record?scraper=${scraper.id}`}>Edit in the recorder</ButtonLink>}
      <Button needs="run" onClick={() => setOpened("run")}>
        Run with…
      </Button>
      <Button needs="run" kind="primary" busy={busy} onClick={run}>
        Run now
      </Button>
      {opened === "run" && <RunDialog scraper={scraper} onClose={close} />}
      {opened === "delete" && (
        <Confirm
          title="Delete this scraper?"
          action="Delete the scraper"
          onClose={close}
          onConfirm={async () => {
            await api.deleteScraper(scraper.id);
            toast("The scraper is deleted.");
            navigate("/scrapers", { replace: true });
          }}
        >
          <p>“{scraper.name}” and its schedule are deleted for good. Its runs stay, with their rows.</p>
        </Confirm>
      )}
    </>
  );
}

/** All runs of a scraper, newest first. */
function RunsOfScraper({ id }: { id: string }) {
  const page = Math.max(1, Number(place.value.query.get("page")) || 1);
  const { data, error, reload } = useLoad(
    (signal) => api.listRuns({ scraperId: id, page }, signal),
    [id, page],
    ({ data }) => data.some(({ status }) => status === "running"),
  );
  if (data === undefined) {
    return error === undefined ? (
      <Loading what="runs" lines={10} />
    ) : (
      <ErrorState error={error} retry={reload} />
    );
  }
  if (data.data.length === 0) return <Empty title={page === 1 ? "Never run" : "No more runs"} />;
  return (
    <div class="stack">
      <RunBars runs={data.data} />
      <RunTable runs={data.data} />
      <Pager page={page} next={data.next_page} href={(to) => `/scrapers/${id}/runs?page=${to}`} />
    </div>
  );
}
