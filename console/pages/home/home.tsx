import { useRef } from "preact/hooks";
import { type StatusWord, statusWord, statusWords } from "../../../functions/contract/runs/status-words.ts";
import { type AccountView, api, type Batch, type Run, type Scraper } from "../../api/api.ts";
import { type Loaded, useLoad } from "../../api/use-load.ts";
import { count, counted } from "../../format/numbers.ts";
import { inWords } from "../../format/schedule.ts";
import { shortTime } from "../../format/time.ts";
import { NewScraper } from "../../ui/new-scraper.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { StatusBadge } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { lookUpNames, names, noteNames } from "../runs/names.ts";
import { RunTable } from "../runs/run-table.tsx";
import { Example } from "./example.tsx";

/** How many pages of 50 scrapers are read to find failing scrapers and the next scheduled runs. */
const PAGES = 4;
const UPCOMING = 5;

interface Overview {
  account: AccountView;
  scrapers: Scraper[];
  /** Whether there are more scrapers than were read. */
  isPart: boolean;
  recent: Run[];
}

async function load(signal: AbortSignal): Promise<Overview> {
  const [account, scrapers, recent] = await Promise.all([
    api.account(signal),
    allScrapers(signal),
    api.listRuns({}, signal),
  ]);
  noteNames(scrapers.scrapers);
  await lookUpNames(recent.data, signal);
  return { account, ...scrapers, recent: recent.data };
}

async function allScrapers(signal: AbortSignal): Promise<Pick<Overview, "scrapers" | "isPart">> {
  const scrapers: Scraper[] = [];
  for (let page = 1; page <= PAGES; page += 1) {
    const { data, next_page } = await api.listScrapers(page, signal);
    scrapers.push(...data);
    if (next_page === null) return { scrapers, isPart: false };
  }
  return { scrapers, isPart: true };
}

interface InProgress {
  runs: Run[];
  batches: Batch[];
}

/** The runs and batches in progress. Of the batches, those among the newest ones. */
async function loadRunning(signal: AbortSignal): Promise<InProgress> {
  const [runs, batches] = await Promise.all([
    api.listRuns({ status: "running" }, signal),
    api.listBatches(1, signal),
  ]);
  const inProgress = batches.data.filter(({ status }) => status === "running");
  await lookUpNames(inProgress, signal);
  return { runs: runs.data, batches: inProgress };
}

/** The home page: failing scrapers, runs in progress, the newest runs, credits, and the next scheduled runs. */
export function Home() {
  // Only these requests are polled, because a key may send only 50 requests in 10 seconds.
  const running = useLoad(loadRunning, [], ({ runs, batches }) => runs.length + batches.length > 0);
  const ids = running.data?.runs.map(({ id }) => id).join() ?? "";
  const { data, error, reload } = useLatest(useLoad(load, [ids]));
  if (data === undefined || (running.data === undefined && running.error === undefined)) {
    return (
      <Page title="Home">
        {error === undefined ? (
          <Loading what="the overview" lines={10} />
        ) : (
          <ErrorState error={error} retry={reload} />
        )}
      </Page>
    );
  }
  if (data.scrapers.length === 0 && data.recent.length === 0) return <FirstTime />;
  return (
    <Page title="Home">
      <NewScraper />
      <div class="columns">
        <div class="stack">
          <Failing scrapers={data.scrapers} />
          {running.data && <Running {...running.data} />}
          <Recent runs={data.recent} />
        </div>
        <aside class="stack" aria-label="Credits and schedule">
          <CreditsCard account={data.account} />
          <Upcoming scrapers={data.scrapers} isPart={data.isPart} />
        </aside>
      </div>
    </Page>
  );
}

/** Keeps the previous data while newer data are loading. */
function useLatest<T>(loaded: Loaded<T>): Loaded<T> {
  const last = useRef<T | undefined>(undefined);
  last.current = loaded.data ?? last.current;
  return { ...loaded, data: last.current };
}

function FirstTime() {
  return (
    <Page title="Turn a web page into rows">
      <p class="lead">
        Give the address of a page with a list: products, jobs, articles, results. Gleaner finds the lists,
        and you choose one.
      </p>
      <div class="card first-time">
        <NewScraper autofocus />
        <Example />
      </div>
    </Page>
  );
}

/** What the owner of a scraper has to look at. */
const TO_CHECK: readonly StatusWord[] = [statusWords.failed, statusWords.check_rows];

function Failing({ scrapers }: { scrapers: readonly Scraper[] }) {
  const failing = scrapers.flatMap(({ id, name, last_run }) =>
    last_run !== null && TO_CHECK.includes(statusWord(last_run)) ? [{ id, name, last_run }] : [],
  );
  if (failing.length === 0) {
    return (
      <p class="all-well">
        <strong>All well</strong>{" "}
        <span class="soft">No scraper’s last run failed, and none has rows to check.</span>
      </p>
    );
  }
  return (
    <Section title="Needs attention">
      <ul class="list">
        {failing.map(({ id, name, last_run }) => (
          <li key={id}>
            <a class="list-main" href={`/runs/${last_run.id}`}>
              {name}
            </a>
            <StatusBadge of={last_run} />
            <span class="soft small">
              <Time at={last_run.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Running({ runs, batches }: InProgress) {
  if (runs.length + batches.length === 0) return null;
  return (
    <Section title="Running now">
      <ul class="list">
        {batches.map(({ id, scraper_id, total, successful, failed, created_at }) => (
          <li key={id}>
            <a class="list-main" href={`/batches/${id}`}>
              {names.value.get(scraper_id) ?? "…"}
            </a>
            <span class="status busy">
              {count(successful + failed)} of {counted(total, "input")}
            </span>
            <span class="soft small">
              <Time at={created_at} />
            </span>
          </li>
        ))}
        {runs.map(({ id, scraper_id, row_count, progress, created_at }) => (
          <li key={id}>
            <a class="list-main" href={`/runs/${id}`}>
              {names.value.get(scraper_id) ?? "…"}
            </a>
            <span class="status busy">{counted(Math.max(row_count, progress?.rows ?? 0), "row")}</span>
            <span class="soft small">
              <Time at={created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const RECENT = 8;

function Recent({ runs }: { runs: readonly Run[] }) {
  const shown = runs.slice(0, RECENT);
  if (runs.length === 0) {
    return (
      <Empty title="No runs yet">
        <p>Open a scraper, and run it.</p>
      </Empty>
    );
  }
  return (
    <Section title="Newest runs" aside={<a href="/runs">All runs</a>}>
      <RunTable runs={shown} names={names.value} />
    </Section>
  );
}

function CreditsCard({ account: { credits } }: { account: AccountView }) {
  const { used, limit, resets_at } = credits;
  return (
    <section class="card" aria-label="Credits">
      <h2 class="card-title">Credits</h2>
      <p class="figure">
        {count(used)} <span class="soft">{limit === null ? "used this month" : `of ${count(limit)}`}</span>
      </p>
      {limit !== null && (
        <meter min={0} max={limit} high={limit * 0.9} value={used} aria-label="Credits used" />
      )}
      <p class="hint">
        {limit === null ? "There is no limit." : `The count restarts on ${shortTime(resets_at)}.`}
      </p>
    </section>
  );
}

function Upcoming({ scrapers, isPart }: Pick<Overview, "scrapers" | "isPart">) {
  const next = scrapers
    .flatMap(({ id, name, schedule }) =>
      schedule === null || schedule.paused ? [] : [{ id, name, schedule }],
    )
    .sort((one, other) => one.schedule.next_run.localeCompare(other.schedule.next_run))
    .slice(0, UPCOMING);
  return (
    <section class="card" aria-label="Next scheduled">
      <h2 class="card-title">Next scheduled</h2>
      {next.length === 0 && <p class="soft">Nothing is scheduled.</p>}
      <ul class="upcoming">
        {next.map(({ id, name, schedule }) => (
          <li key={id}>
            <a href={`/scrapers/${id}`}>{name}</a>
            <span class="hint">
              <Time at={schedule.next_run} /> · {inWords(schedule)}
            </span>
          </li>
        ))}
      </ul>
      {isPart && <p class="hint">Among the newest {counted(scrapers.length, "scraper")}.</p>}
    </section>
  );
}
