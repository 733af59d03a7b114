import { statusWord, statusWords } from "../../../functions/contract/runs/status-words.ts";
import { api, type Run, type Scraper } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { Fill } from "../../charts/fill.tsx";
import { RunBars } from "../../charts/run-bars.tsx";
import { forConsole } from "../../format/advice.ts";
import { tellingRuns, troubledSince } from "../../format/trouble.ts";
import { NextTimes } from "../../ui/next-times.tsx";
import { Section } from "../../ui/page.tsx";
import { Empty, ErrorState, Loading, Notice } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { RunTable } from "../runs/run-table.tsx";

const RECENT = 5;

/** The overview tab of a scraper: its newest runs, its schedule, and the share of successful runs. */
export function Overview({ scraper }: { scraper: Scraper }) {
  const { id, last_run, schedule } = scraper;
  const { data, error, reload } = useLoad(
    (signal) => api.listRuns({ scraperId: id }, signal),
    [id, last_run?.id, last_run?.status],
  );
  const runs = data?.data ?? [];
  const newest = runs[0];
  return (
    <div class="columns">
      <div class="stack">
        {data === undefined && error === undefined && <Loading what="runs" />}
        {data === undefined && error !== undefined && <ErrorState error={error} retry={reload} />}
        {data !== undefined && newest === undefined && (
          <Empty title="Never run">
            <p>Run it now to see its rows.</p>
          </Empty>
        )}
        {newest !== undefined && <LastFailure run={newest} />}
        <RunBars runs={runs} />
        {newest !== undefined && (
          <Section
            title="Newest runs"
            aside={runs.length > RECENT && <a href={`/scrapers/${id}/runs`}>All runs</a>}
          >
            <RunTable runs={runs.slice(0, RECENT)} />
          </Section>
        )}
      </div>
      <aside class="stack" aria-label="Health and schedule">
        <div class="card">
          <h2 class="card-title">Schedule</h2>
          {schedule === null ? (
            <p class="soft">It runs only when somebody starts it.</p>
          ) : (
            <NextTimes schedule={schedule} />
          )}
          <p>
            <a href={`/scrapers/${id}/schedule`}>{schedule === null ? "Set a schedule" : "Change it"}</a>
          </p>
        </div>
        {runs.length > 0 && (
          <div class="card">
            <h2 class="card-title">Health</h2>
            <Health runs={runs} />
          </div>
        )}
        {newest !== undefined && newest.row_count > 0 && <Fill run={newest} />}
      </aside>
    </div>
  );
}

/** How many of the newest finished runs were successful. Runs that a user stopped don't count. */
function Health({ runs }: { runs: readonly Run[] }) {
  const told = tellingRuns(runs);
  const since = troubledSince(told);
  const good = told.filter(({ status }) => status === "successful").length;
  if (told.length === 0) return <p class="soft">No run has finished yet.</p>;
  return (
    <>
      <p>
        <strong>
          {good} of {told.length}
        </strong>{" "}
        {told.length === 1 ? "run was" : "runs were"} successful
      </p>
      {since !== undefined && (
        <p class="soft">
          Failed or to be checked since <Time at={since} />
        </p>
      )}
      <div class="ticks" aria-hidden="true">
        {told.toReversed().map((run) => (
          <span key={run.id} class={statusWord(run).tone} />
        ))}
      </div>
    </>
  );
}

function LastFailure({ run }: { run: Run }) {
  const { id, error, warnings } = run;
  if (error !== null && statusWord(run) === statusWords.failed) {
    return (
      <Notice tone="bad" title="The last run failed">
        <p>{forConsole(error.message)}</p>
        <p>
          <a href={`/runs/${id}`}>See where, and what the page looked like</a>
        </p>
      </Notice>
    );
  }
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warn" title="Check the rows of the last run">
      <ul>
        {warnings.map(({ message }) => (
          <li key={message}>{forConsole(message)}</li>
        ))}
      </ul>
    </Notice>
  );
}
