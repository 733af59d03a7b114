import { useState } from "preact/hooks";
import { api, type Scraper } from "../../api/api.ts";
import { type Loaded, useLoad } from "../../api/use-load.ts";
import { count, counted } from "../../format/numbers.ts";
import { inWords } from "../../format/schedule.ts";
import { place, setQuery } from "../../router/router.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Field } from "../../ui/field.tsx";
import { NewScraper } from "../../ui/new-scraper.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { StatusBadge } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";

interface Listed {
  scrapers: Scraper[];
  next: number | null;
}

/** The page of all scrapers, newest first. It can show those whose names have a text, and delete several. */
export function Scrapers() {
  const { query } = place.value;
  const page = Math.max(1, Number(query.get("page")) || 1);
  const search = query.get("search") ?? "";
  const isSearch = search.trim() !== "";
  const listed = useLoad(
    (signal) => (isSearch ? readAll(signal) : readPage(page, signal)),
    [isSearch, page],
    ({ scrapers }) => scrapers.some(({ last_run }) => last_run?.status === "running"),
  );
  const { data, error, reload } = listed;
  const isNone = data?.scrapers.length === 0 && !isSearch;
  return (
    <Page
      title="Scrapers"
      actions={
        <ButtonLink kind="primary" href="/record">
          New scraper
        </ButtonLink>
      }
    >
      {!(isNone && page === 1) && (
        <Field
          label="Search by name"
          type="search"
          value={search}
          onValue={(value) => setQuery({ search: value, page: "" })}
        />
      )}
      {data === undefined && error !== undefined && <ErrorState error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading what="scrapers" lines={8} />}
      {isNone && (
        <Empty title={page === 1 ? "No scrapers yet" : "No more scrapers"}>
          {page === 1 && (
            <>
              <p>A scraper opens pages, reads a list, and turns it into rows.</p>
              <NewScraper />
            </>
          )}
        </Empty>
      )}
      {data !== undefined && !isNone && <ScraperTable listed={listed} all={data} search={search.trim()} />}
      {data !== undefined && !isSearch && (
        <Pager page={page} next={data.next} href={(to) => `/scrapers?page=${to}`} />
      )}
    </Page>
  );
}

async function readPage(page: number, signal: AbortSignal): Promise<Listed> {
  const { data, next_page } = await api.listScrapers(page, signal);
  return { scrapers: data, next: next_page };
}

async function readAll(signal: AbortSignal): Promise<Listed> {
  const scrapers: Scraper[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const read: Listed = await readPage(page, signal);
    scrapers.push(...read.scrapers);
    page = read.next;
  }
  return { scrapers, next: null };
}

interface ScraperTableProps {
  listed: Loaded<Listed>;
  all: Listed;
  search: string;
}

function ScraperTable({ listed, all, search }: ScraperTableProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isAsked, setAsked] = useState(false);
  const words = search.toLowerCase();
  const shown = all.scrapers.filter(({ name }) => name.toLowerCase().includes(words));
  const chosen = shown.filter(({ id }) => selected.has(id));
  const toggle = (id: string, isOn: boolean) =>
    setSelected((before) => new Set(isOn ? [...before, id] : [...before].filter((one) => one !== id)));
  const selection: Column<Scraper> = {
    title: "Select",
    cell: ({ id, name }) => (
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={selected.has(id)}
        onChange={(event) => toggle(id, event.currentTarget.checked)}
      />
    ),
  };
  const remove = async () => {
    for (const { id } of chosen) await api.deleteScraper(id);
    setAsked(false);
    setSelected(new Set());
    toast(`Deleted ${counted(chosen.length, "scraper")}.`);
    await listed.reload();
  };
  if (shown.length === 0) return <Empty title="No scraper has such a name" />;
  return (
    <>
      <Table caption="Scrapers" columns={[...COLUMNS, selection]} items={shown} keyOf={({ id }) => id} />
      {chosen.length > 0 && (
        <div class="buttons">
          <Button needs="write" kind="danger" onClick={() => setAsked(true)}>
            Delete {counted(chosen.length, "scraper")}
          </Button>
          <Button onClick={() => setSelected(new Set())}>Select none</Button>
        </div>
      )}
      {isAsked && (
        <Confirm
          title={`Delete ${counted(chosen.length, "scraper")}?`}
          action="Delete them"
          onClose={() => setAsked(false)}
          onConfirm={remove}
        >
          <p>These scrapers and their schedules are deleted for good. Their runs stay, with their rows.</p>
          <ul class="names">
            {chosen.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        </Confirm>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Scraper>[] = [
  { title: "Name", cell: ({ id, name }) => <a href={`/scrapers/${id}`}>{name}</a> },
  {
    title: "Last run",
    cell: ({ last_run }) =>
      last_run === null ? <span class="status none">Never run</span> : <StatusBadge of={last_run} />,
  },
  { title: "Started", isMinor: true, cell: ({ last_run }) => last_run && <Time at={last_run.created_at} /> },
  { title: "Rows", isNumber: true, cell: ({ last_run }) => last_run && count(last_run.row_count) },
  {
    title: "Schedule",
    isMinor: true,
    cell: ({ schedule }) =>
      schedule === null ? "By hand" : schedule.paused ? `Paused (${schedule.interval})` : inWords(schedule),
  },
];
