import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Row } from "../../../../functions/contract/run.ts";
import type { Step } from "../../../../functions/contract/steps.ts";
import type { ScrapeJob } from "../../../../functions/scraping/job.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";
import { plainPage, rowsOf, startNumberedSite } from "./numbered-site.ts";

/* What a run that reads pages by HTTP asks for, counts, warns of and resumes. */

const { engine, site, compare } = await startNumberedSite();
const other = await startEngineAndSite();
const fields = [{ name: "name", selector: ".name" }];

/** A list of `pages` pages, and the steps that read it. */
function list(
  pages: number,
  more: {
    head?: string;
    latencyMs?: number;
    onRequest?: (page: number, headers: IncomingHttpHeaders) => void;
  } = {},
) {
  const path = site.newPath();
  site.setRoute(path, async (request, response) => {
    const number = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    if (more.latencyMs) await sleep(more.latencyMs);
    more.onRequest?.(number, request.headers);
    const next = number < pages ? `<a class=next href="${path}?page=${number + 1}">Next</a>` : "";
    sendHtml(response, plainPage({ number, head: more.head ?? "", rows: rowsOf(number), next }));
  });
  const steps: Step[] = [
    { type: "visit", url: site.url(path) },
    { type: "get_list", selector: ".card", fields },
  ];
  const job = { steps, pagination: { type: "next_button", selector: ".next" } } as const;
  return { path, job: job satisfies Partial<ScrapeJob> };
}
const names = (rows: readonly Row[]) => rows.map((row) => row.name);
const lamps = (pages: number) => Array.from({ length: pages * 3 }, (_, index) => `Lamp ${index + 1}`);

test.concurrent("asks with the headers of the browser", async () => {
  const asked: { page: number; headers: IncomingHttpHeaders }[] = [];
  const { job } = list(3, { onRequest: (page, headers) => asked.push({ page, headers }) });
  await engine.run({ ...job, engine: "browser", concurrency: 1 });
  const browser = asked.splice(0);
  const told = await engine.run({ ...job, engine: "auto", concurrency: 1 });
  expect(names(told.rows)).toEqual(lamps(3));
  // The first page is opened, and its HTML is that of the browser; the last one is read by HTTP, then opened.
  expect(asked.map(({ page }) => page)).toEqual([1, 2, 3, 3]);
  const headers = [0, 1, 2, 2].map((index) => browser[index]?.headers);
  // A page that is opened by its address.
  headers.push({ ...headers.pop(), "sec-fetch-site": "none" });
  expect(asked.map(({ headers }) => headers)).toEqual(headers);
});

test.concurrent("warns where it opens pages, if it is asked to read them by HTTP", async () => {
  const doubtful = list(3, { head: "<style>.name{text-transform:uppercase}</style>" });
  const told = await engine.run({ ...doubtful.job, engine: "http" });
  expect(names(told.rows)).toEqual(lamps(3).map((name) => name.toUpperCase()));
  expect(told.warnings).toMatchObject([{ code: "http_not_used", step: 1 }]);
  expect(told.warnings[0]?.message).toContain(
    `${site.url(doubtful.path)}: the text of an element <span> depends on its layout`,
  );
  const framed = { ...list(3).job, pagination: { type: "none" } } as const;
  expect((await engine.run({ ...framed, engine: "http" })).warnings).toEqual([]);
  expect((await engine.run({ ...list(3).job, engine: "http" })).warnings).toEqual([]);
  const more = { type: "infinite_scroll" } as const;
  expect((await engine.run({ ...list(3).job, pagination: more, engine: "http" })).warnings).toMatchObject([
    { code: "http_not_used", message: expect.stringContaining("only used for a next_button") },
  ]);
  const special = list(3);
  const [visit, get] = special.job.steps as [Step, Extract<Step, { type: "get_list" }>];
  const steps = [visit, { ...get, selector: ".card:visible" }];
  const { warnings, rows } = await engine.run({ ...special.job, steps, engine: "http" });
  expect(names(rows)).toEqual(lamps(3));
  expect(warnings).toMatchObject([
    { code: "http_not_used", message: expect.stringContaining("the selector .card:visible") },
  ]);
});

test.concurrent("keeps the delay between pages", async () => {
  const times: number[] = [];
  const { job } = list(4, { onRequest: () => times.push(Date.now()) });
  const told = await engine.run({ ...job, pagination: { ...job.pagination, delay_ms: 300 }, engine: "auto" });
  expect(names(told.rows)).toEqual(lamps(4));
  const pauses = times.slice(1).map((time, index) => time - (times[index] as number));
  // A timer may fire a little early.
  expect(Math.min(...pauses)).toBeGreaterThan(280);
});

test.concurrent("does not ask for what robots.txt disallows", async () => {
  const asked: string[] = [];
  other.site.setRoute("/robots.txt", (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).end("User-agent: *\nDisallow: /list?page=4");
  });
  other.site.setRoute("/list", (request, response) => {
    asked.push(request.url ?? "");
    const number = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const next = `<a class=next href="/list?page=${number + 1}">Next</a>`;
    sendHtml(response, plainPage({ number, head: "", rows: rowsOf(number), next }));
  });
  const steps: Step[] = [
    { type: "visit", url: other.site.url("/list") },
    { type: "get_list", selector: ".card", fields },
  ];
  const told = await other.engine.run({
    steps,
    pagination: { type: "next_button", selector: ".next" },
    engine: "auto",
  });
  expect(told.failure?.code).toBe("robots_disallowed");
  expect(names(told.rows)).toEqual(lamps(3));
  expect(asked).not.toContain("/list?page=4");
});

test.concurrent("resumes after each batch", async () => {
  const { job } = list(12);
  const whole = await engine.run({ ...job, engine: "auto" });
  expect(names(whole.rows)).toEqual(lamps(12));
  expect(whole.loads).toBe(12);
  let rowCount = 0;
  for (const { rows, checkpoint } of whole.batches) {
    rowCount += rows.length;
    const from = { checkpoint: JSON.parse(JSON.stringify(checkpoint)), rowCount };
    const rest = await engine.run({ ...job, engine: "auto", from });
    expect(rest.failure).toBeUndefined();
    expect(names(rest.rows)).toEqual(lamps(12).slice(rowCount));
    // What is counted again is the page that the run resumes at.
    expect(rest.loads + rowCount / 3).toBe(12);
  }
});

/** How long a style sheet waits for a request that may not come. */
const SHEET_MS = 3_000;

test.concurrent("asks for pages while the style sheets of the first one are on their way", async () => {
  const asked: string[] = [];
  const second = Promise.withResolvers<void>();
  const css = `${site.newPath()}.css`;
  site.setRoute(css, async (_, response) => {
    await Promise.race([second.promise, sleep(SHEET_MS)]);
    asked.push("css");
    response.writeHead(200, { "content-type": "text/css" }).end();
  });
  const { job } = list(4, {
    head: `<link rel=stylesheet href="${css}">`,
    // Servers that answer at once need no pages ahead.
    latencyMs: 60,
    onRequest(page) {
      asked.push(`page ${page}`);
      if (page === 2) second.resolve();
    },
  });
  const told = await engine.run({ ...job, engine: "auto", concurrency: 4 });
  expect(names(told.rows)).toEqual(lamps(4));
  expect(told.loads).toBe(4);
  expect(asked.slice(0, 2)).toEqual(["page 1", "page 2"]);
});

test.concurrent("asks for no page ahead that is not wanted", async () => {
  const asked: number[] = [];
  const { job } = list(9, { latencyMs: 60, onRequest: (page) => asked.push(page) });
  for (const [limits, pages] of [
    [{ rowsLimit: 3 }, [1]],
    [{ rowsLimit: 6 }, [1, 2, 2]],
    [{ pagination: { ...job.pagination, max_pages: 3 } }, [1, 2, 3, 3]],
  ] as const) {
    await engine.run({ ...job, ...limits, engine: "auto", concurrency: 4 });
    expect(asked.splice(0).toSorted()).toEqual(pages);
  }
});

test.concurrent("takes rows once by their key", async () => {
  const repeated = (page: number) => rowsOf(page, (n) => `Lamp ${n % 7}`);
  const { browser } = await compare({
    html: (page) => plainPage({ ...page, rows: repeated(page.number) }),
    fields: [{ name: "name", selector: ".name" }],
    key: ["name"],
  });
  expect(browser.rows).toHaveLength(7);
});

test.concurrent("reads the same while pages load ahead in the browser", async () => {
  for (const head of ["", "<script>window.ready = 1</script>"]) {
    const { job } = list(15, { head });
    const told = await engine.run({ ...job, engine: "auto", concurrency: 4 });
    expect(names(told.rows)).toEqual(lamps(15));
    expect(told.loads).toBe(15);
  }
});
