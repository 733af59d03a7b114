import { useState } from "preact/hooks";
import { api, type Run, type Scraper } from "../../api/api.ts";
import { hasStatus, messageOf } from "../../api/api-error.ts";
import { useLoad } from "../../api/use-load.ts";
import { count, counted } from "../../format/numbers.ts";
import { duration } from "../../format/time.ts";
import { navigate } from "../../router/router.ts";
import { RunDialog } from "../../run-with/run-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Json } from "../../ui/json.tsx";
import { Page, type PageFrameProps, Section } from "../../ui/page.tsx";
import { ErrorState, Loading } from "../../ui/states.tsx";
import { StatusBadge } from "../../ui/status.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import type { PageProps } from "../page-props.ts";
import { Changes } from "./changes.tsx";
import { Failure, Warnings } from "./failure.tsx";
import { Files } from "./files.tsx";
import { lookUpNames, names } from "./names.ts";
import { Progress } from "./progress.tsx";
import { Repair } from "./repair.tsx";
import { RowsOfRun } from "./rows-of-run.tsx";
import { SOURCES, tookMs } from "./run-table.tsx";
import { Timeline } from "./timeline.tsx";
import { useLog } from "./use-log.ts";
import { Webhook } from "./webhook.tsx";

const TABS = [
  { id: "rows", title: "Rows" },
  { id: "changes", title: "Changes" },
  { id: "files", title: "Files" },
  { id: "timeline", title: "Timeline" },
  { id: "request", title: "Request" },
  { id: "webhook", title: "Webhook" },
] as const;

/** The page of a run: its failure, warnings and progress, and tabs with its rows, changes, files, timeline, request and webhook. */
export function RunPage({ id, tab }: PageProps) {
  const loaded = useLoad(
    async (signal) => {
      const found = await api.getRun(id, signal);
      await lookUpNames([found], signal);
      return found;
    },
    [id],
    ({ status }) => status === "running",
  );
  const { data: run, error, reload } = loaded;
  const log = useLog(id, run?.status === "running" || tab === "timeline");
  if (run === undefined) {
    return (
      <Page title="Run" parent={RUNS}>
        {error === undefined ? (
          <Loading what="the run" lines={12} />
        ) : (
          <ErrorState error={error} retry={reload} />
        )}
      </Page>
    );
  }
  const { files } = run;
  const shown = TABS.filter(({ id: one }) => files || one !== "files");
  const current = shown.find((one) => one.id === tab)?.id ?? "rows";
  const tabs = shown.map((one) => ({
    ...one,
    href: one.id === "rows" ? `/runs/${id}` : `/runs/${id}/${one.id}`,
  }));
  return (
    <Page
      {...headOf(run, names.value.get(run.scraper_id) ?? "Run")}
      actions={<Actions run={run} onRun={loaded.set} />}
    >
      <Failure run={run} />
      <Warnings run={run} />
      <Repair run={run} />
      <Progress run={run} log={log} />
      <Tabs label="Parts of the run" tabs={tabs} current={current} />
      {current === "rows" && <RowsOfRun run={run} />}
      {current === "changes" && <Changes run={run} />}
      {current === "files" && files && <Files run={run} files={files} />}
      {current === "timeline" && <Timeline run={run} log={log} />}
      {current === "request" && <Request run={run} />}
      {current === "webhook" && <Webhook run={run} />}
    </Page>
  );
}

const RUNS = { title: "Runs", href: "/runs" };

function headOf(run: Run, name: string): Omit<PageFrameProps, "children"> {
  return {
    title: name,
    parent: { title: "Scraper", href: `/scrapers/${run.scraper_id}` },
    badge: <StatusBadge of={run} />,
    facts: (
      <>
        <span>
          Started <Time at={run.created_at} />
        </span>
        <span>{run.started_at === null ? "waiting for a browser" : duration(tookMs(run))}</span>
        <span>{counted(run.row_count, "row")}</span>
        <span>{counted(run.progress?.credits ?? run.credits_used, "credit")}</span>
        <span>by {SOURCES[run.source]}</span>
        {run.scraper_version !== null && <span>version {count(run.scraper_version)}</span>}
        {run.batch_id !== null && (
          <span>
            part of <a href={`/batches/${run.batch_id}`}>a batch</a>
          </span>
        )}
      </>
    ),
  };
}

function Actions({ run, onRun }: { run: Run; onRun: (run: Run) => void }) {
  const [asked, setAsked] = useState<"stop" | "delete">();
  const [scraper, setScraper] = useState<Scraper>();
  const [busy, setBusy] = useState(false);
  const isRunning = run.status === "running";
  const close = () => setAsked(undefined);
  const again = async () => {
    setBusy(true);
    try {
      setScraper((await api.getScraper(run.scraper_id)).scraper);
    } catch (error) {
      toast(hasStatus(error, 404) ? "Its scraper was deleted." : messageOf(error), { isBad: true });
    }
    setBusy(false);
  };
  return (
    <>
      {isRunning && (
        <Button needs="run" kind="danger" busy={run.stopping} onClick={() => setAsked("stop")}>
          {run.stopping ? "Stopping" : "Stop"}
        </Button>
      )}
      {/* The runs of a batch are deleted with it. */}
      {!isRunning && run.batch_id === null && (
        <Button needs="write" onClick={() => setAsked("delete")}>
          Delete
        </Button>
      )}
      <Button needs="run" kind={isRunning ? undefined : "primary"} busy={busy} onClick={again}>
        Run again…
      </Button>
      {scraper !== undefined && (
        <RunDialog scraper={scraper} earlier={run} onClose={() => setScraper(undefined)} />
      )}
      {asked === "stop" && (
        <Confirm
          title="Stop this run?"
          action="Stop the run"
          onClose={close}
          onConfirm={async () => {
            onRun(await api.stopRun(run.id));
            close();
          }}
        >
          <p>It keeps the rows that it has read. It can’t be continued.</p>
        </Confirm>
      )}
      {asked === "delete" && (
        <Confirm
          title="Delete this run?"
          action="Delete the run"
          onClose={close}
          onConfirm={async () => {
            await api.deleteRun(run.id);
            toast("The run is deleted.");
            navigate("/runs", { replace: true });
          }}
        >
          <p>
            Its {counted(run.row_count, "row")}, its files, its timeline and its screenshot are deleted for
            good. Its credits stay counted.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** The steps and settings of a run, and a curl command that starts a similar run. */
function Request({ run }: { run: Run }) {
  const { scraper_id, rows_limit, webhook_url, steps } = run;
  const command = [
    `curl ${location.origin}/v1/runs \\`,
    `  -H "Authorization: Bearer $GLEANER_KEY" \\`,
    `  -d scraper_id=${scraper_id} \\`,
    `  -d rows_limit=${rows_limit}`,
  ].join("\n");
  return (
    <div class="stack">
      <Section title="Steps and settings">
        <Json value={{ rows_limit, webhook_url, steps }} what="the request" />
      </Section>
      <Section title="The same request with the API" aside={<CopyButton text={command} what="the command" />}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls has to be reached by keyboard. */}
        <pre class="code card" tabIndex={0}>
          {command}
        </pre>
      </Section>
    </div>
  );
}
