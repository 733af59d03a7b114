import type { IncomingHttpHeaders } from "node:http";
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scrapers/scraper.ts";
import type { HostTurns } from "../../../../functions/runs/host-turns.ts";
import type { ScrapeJob } from "../../../../functions/scraping/job.ts";
import { type Handler, sendHtml, startSite } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";
import { startEngine, type Told } from "../harness.ts";

const { engine, site } = await startEngineAndSite();

/** When each page was asked for, in ms. */
let arrivals: { path: string; at: number; headers: IncomingHttpHeaders }[] = [];
const record =
  (handler: Handler): Handler =>
  (request, response) => {
    arrivals.push({ path: request.url ?? "", at: performance.now(), headers: request.headers });
    return handler(request, response);
  };
beforeEach(() => {
  arrivals = [];
  site.requests.length = 0;
  setRobots(undefined);
});

const setRobots = (text: string | undefined, status = text === undefined ? 404 : 200) =>
  site.setRoute("/robots.txt", (_, response) => {
    response.writeHead(status, { "content-type": "text/plain" }).end(text);
  });

/** Three rows a page, with whatever leads on. */
const setPages = (path: string, count: number, control: (page: number) => string = () => "") =>
  site.setRoute(
    path,
    record((request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
      const rows = [1, 2, 3].map((n) => `<li class=card><a href="/item/${page}-${n}">${page}-${n}</a></li>`);
      sendHtml(response, `<ul>${page <= count ? rows.join("") : ""}</ul>${control(page)}`);
    }),
  );
const link = (path: string, count: number) => (page: number) =>
  page < count ? `<a class=next href="${path}?page=${page + 1}">Next</a>` : "";
const setItems = () => {
  for (let page = 1; page <= 9; page += 1)
    for (let n = 1; n <= 3; n += 1)
      site.setRoute(
        `/item/${page}-${n}`,
        record((request, response) => sendHtml(response, `<h1>${request.url}</h1>`)),
      );
};

interface Wanted extends Partial<ScrapeJob> {
  details?: boolean;
  deadline?: number;
  turns?: HostTurns;
}
const run = (path: string, { details, deadline, turns, ...job }: Wanted = {}): Promise<Told> =>
  engine.run(
    {
      steps: [
        { type: "visit", url: site.url(path) },
        {
          type: "get_list",
          selector: ".card",
          fields: [
            { name: "name", selector: "a" },
            { name: "url", selector: "a", attribute: "href" },
          ],
          timeout_ms: 3_000,
          ...(details && { details: { url_field: "url", fields: [{ name: "title", selector: "h1" }] } }),
        },
      ],
      ...job,
    },
    deadline,
    turns,
  );
const names = (told: Told) => told.rows.map((row) => row.name);
const byLink: Pagination = { type: "next_button", selector: ".next" };
/** Turns that are free at once, and the pauses with which they were taken. That a run waits for them is tested in pace.test.ts. */
function recordedTurns() {
  const taken: number[] = [];
  const turns: HostTurns = {
    closedUntil: async () => 0,
    take: async (_, delayMs) => {
      taken.push(delayMs);
      return 0;
    },
    close: async () => {},
  };
  return { turns, taken };
}

describe("robots.txt", () => {
  test("keeps pagination out of a page, which is not even asked for; the rows before it stay", async () => {
    setRobots("User-agent: *\nDisallow: /kept?page=3");
    setPages("/kept", 5, link("/kept", 5));
    const told = await run("/kept", { pagination: byLink });
    expect(names(told)).toEqual(["1-1", "1-2", "1-3", "2-1", "2-2", "2-3"]);
    expect(told.failure).toMatchObject({ code: "robots_disallowed", step: 1 });
    expect(told.failure?.message).toBe(
      `${site.url("/kept?page=3")} may not be visited: line 2 of ${site.origin}/robots.txt disallows it for automated visitors. If the site's owner gives you permission, set "respect_robots": false in the scraper.`,
    );
    expect(site.requests).not.toContain("/kept?page=3");
    expect(told.loads).toBe(2);
  });

  test("a scraper can go on all the same, without asking for it", async () => {
    setRobots("User-agent: *\nDisallow: /");
    setPages("/all", 3, link("/all", 3));
    const told = await run("/all", { pagination: byLink, respectRobots: false });
    expect(told.failure).toBeUndefined();
    expect(told.rows).toHaveLength(9);
    expect(site.requests).not.toContain("/robots.txt");
  });

  test("does not decide about a page that a step names, unless the scraper wants it", async () => {
    setRobots("User-agent: *\nDisallow: /named");
    setPages("/named", 1);
    expect((await run("/named")).rows).toHaveLength(3);
    expect(site.requests).not.toContain("/robots.txt");
    const obedient = await run("/named", { respectRobots: true });
    expect(obedient.failure).toMatchObject({ code: "robots_disallowed", step: 0 });
    expect(arrivals).toHaveLength(1);
  });

  test("is looked at again where a script's control leads to, before the page is read", async () => {
    setRobots("User-agent: *\nDisallow: /scripted?page=2");
    setPages(
      "/scripted",
      3,
      (page) => `<button class=next onclick="location.href='/scripted?page=${page + 1}'">Next</button>`,
    );
    const told = await run("/scripted", { pagination: byLink });
    expect(told.failure).toMatchObject({ code: "robots_disallowed" });
    expect(told.rows).toHaveLength(3);
  });

  test("is looked at where an address redirects to", async () => {
    setRobots("User-agent: *\nDisallow: /private");
    setPages("/leads", 2, () => '<a class=next href="/innocent">Next</a>');
    site.setRedirect("/innocent", "/private");
    setPages("/private", 1);
    const told = await run("/leads", { pagination: byLink });
    expect(told.failure).toMatchObject({ code: "robots_disallowed" });
    expect(told.failure?.message).toContain(site.url("/private"));
    expect(told.rows).toHaveLength(3);
  });

  test("of another site decides about that site's pages", async () => {
    const other = await startSite();
    const both = await startEngine([site.host, other.host]);
    other.setRoute("/robots.txt", (_, response) => void response.end("User-agent: *\nDisallow: /"));
    setPages("/away", 1, () => `<a class=next href="${other.url("/list")}">Next</a>`);
    const told = await both.run({
      steps: [
        { type: "visit", url: site.url("/away") },
        { type: "get_list", selector: ".card", fields: [{ name: "name" }] },
      ],
      pagination: byLink,
    });
    expect(told.failure).toMatchObject({ code: "robots_disallowed" });
    expect(other.requests).toEqual(["/robots.txt"]);
    await both.close();
    await other.close();
  });

  test("keeps details and templates out", async () => {
    setRobots("User-agent: *\nDisallow: /item/1-3\nDisallow: /template?page=2");
    setPages("/with-details", 1);
    setItems();
    const details = await run("/with-details", { details: true });
    expect(details.failure).toMatchObject({ code: "robots_disallowed" });
    expect(names(details)).toEqual(["1-1", "1-2"]);
    expect(site.requests).not.toContain("/item/1-3");
    setPages("/template", 3);
    const template: Pagination = { type: "url_template", url: site.url("/template?page={page}"), start: 2 };
    const pages = await run("/template", { pagination: template });
    expect(pages.failure).toMatchObject({ code: "robots_disallowed" });
    expect(pages.rows).toHaveLength(3);
  });

  test("that can't be had keeps everyone out, and says why", async () => {
    setRobots("", 503);
    setPages("/unsure", 2, link("/unsure", 2));
    const told = await run("/unsure", { pagination: byLink });
    expect(told.failure?.message).toContain(
      "/robots.txt could not be read (the server answered with HTTP 503), which disallows automated visits",
    );
    expect(told.rows).toHaveLength(3);
  });

  test("asks for a pause between pages, and gets it", async () => {
    setRobots("User-agent: *\nCrawl-delay: 0.4");
    setPages("/slowly", 3, link("/slowly", 3));
    const { turns, taken } = recordedTurns();
    expect((await run("/slowly", { pagination: byLink, turns })).rows).toHaveLength(9);
    expect(arrivals).toHaveLength(3);
    // Steps may open the first page without a pause.
    expect(taken.slice(-2)).toEqual([400, 400]);
  });
});

describe("pace", () => {
  test.each<[string, Wanted]>([
    ["next_button", { pagination: { ...byLink, delay_ms: 300 } as Pagination }],
    [
      "url_template",
      { pagination: { type: "url_template", url: "{site}/paced?page={page}", start: 2, delay_ms: 300 } },
    ],
    ["details", { pagination: { type: "none", delay_ms: 300 }, details: true }],
  ])("delay_ms is asked for before each page of %s", async (_, wanted) => {
    setPages("/paced", 3, link("/paced", 3));
    setItems();
    const { pagination } = wanted;
    const { turns, taken } = recordedTurns();
    const told = await run("/paced", {
      ...wanted,
      turns,
      ...(pagination?.type === "url_template" && {
        pagination: { ...pagination, url: pagination.url.replace("{site}", site.origin) },
      }),
    });
    expect(told.failure).toBeUndefined();
    expect(arrivals.length).toBeGreaterThanOrEqual(3);
    expect(taken).toEqual(arrivals.map(() => 300));
  });

  test("a Retry-After holds for every tab of the run, and is told to the account's other runs", async () => {
    setPages("/busy", 1);
    setItems();
    let refusedAt: number | undefined;
    site.setRoute(
      "/item/1-1",
      record((_, response) => {
        if (refusedAt !== undefined) return sendHtml(response, "<h1>first</h1>");
        refusedAt = performance.now();
        response.writeHead(429, { "retry-after": "1" }).end();
      }),
    );
    const closed: { host: string; inMs: number }[] = [];
    const turns: HostTurns = {
      closedUntil: async () => 0,
      take: async () => 0,
      close: async (host, until) => void closed.push({ host, inMs: until - Date.now() }),
    };
    const told = await run("/busy", { details: true, turns });
    expect(told.rows.map((row) => row.title)).toEqual(["first", "/item/1-2", "/item/1-3"]);
    const again = arrivals.filter(({ path }) => path === "/item/1-1")[1];
    expect((again?.at ?? 0) - (refusedAt ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(closed).toMatchObject([{ host: site.host }]);
    expect(closed[0]?.inMs).toBeGreaterThan(900);
  });

  test("a run waits for the turn that it was given", async () => {
    setPages("/turn", 1);
    const asked: unknown[] = [];
    const turns: HostTurns = {
      closedUntil: async () => 0,
      take: async (...args) => {
        asked.push(args.slice(0, 2));
        return Date.now() + 400;
      },
      close: async () => {},
    };
    const before = performance.now();
    await run("/turn", { pagination: { type: "none", delay_ms: 2_000 }, turns });
    expect((arrivals[0]?.at ?? 0) - before).toBeGreaterThanOrEqual(400);
    expect(asked).toEqual([[site.host, 2_000]]);
  });

  test("without a delay, a host is looked up once in a run", async () => {
    setPages("/once", 3, link("/once", 3));
    const asked: string[] = [];
    const turns: HostTurns = {
      closedUntil: async (host) => {
        asked.push(host);
        return 0;
      },
      take: async () => 0,
      close: async () => {},
    };
    expect((await run("/once", { pagination: byLink, turns })).rows).toHaveLength(9);
    expect(asked).toEqual([site.host]);
  });

  test("what takes too long to wait for is left to a later execution", async () => {
    setPages("/later", 1);
    const opensAt = Date.now() + 200_000;
    const turns = { closedUntil: async () => opensAt, take: async () => opensAt, close: async () => {} };
    for (const delay_ms of [0, 1_000]) {
      const told = await run("/later", { pagination: { type: "none", delay_ms }, turns });
      expect(told.outcome).toMatchObject({ notBefore: opensAt, failure: { code: "host_busy" } });
    }
    expect(arrivals).toEqual([]);
  });

  test("a Retry-After of hours fails the run at once", async () => {
    site.setRoute("/hours", (_, response) => void response.writeHead(429, { "retry-after": "7200" }).end());
    const told = await run("/hours");
    expect(told.failure).toMatchObject({ code: "http_error", httpStatus: 429 });
    expect(site.requests).toEqual(["/hours"]);
  });

  test("a long Retry-After, too, and a run goes on where it was", async () => {
    let refused = false;
    setPages("/resumed", 3, link("/resumed", 3));
    const pages = link("/resumed", 3);
    site.setRoute("/resumed", (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
      if (page === 2 && !refused) {
        refused = true;
        response.writeHead(503, { "retry-after": "300" }).end();
        return;
      }
      sendHtml(response, `<ul><li class=card><a href="/item/${page}-1">${page}</a></ul>${pages(page)}`);
    });
    const template: Pagination = {
      type: "url_template",
      url: site.url("/resumed?page={page}"),
      start: 2,
      max_pages: 3,
    };
    const first = await run("/resumed", { pagination: template });
    expect(names(first)).toEqual(["1"]);
    expect(first.outcome).toMatchObject({ notBefore: expect.any(Number) });
    const checkpoint = first.batches.at(-1)?.checkpoint ?? {};
    const second = await run("/resumed", { pagination: template, from: { checkpoint, rowCount: 1 } });
    expect(names(second)).toEqual(["2", "3"]);
    expect(second.outcome).toBe("done");
  });
});

describe("pages of a template", () => {
  const template = (path: string, more: object = {}): Pagination => ({
    type: "url_template",
    url: site.url(`${path}?page={page}`),
    ...more,
  });

  test.each([
    ["without a robots.txt", undefined],
    ["with one that keeps nobody out of them", "User-agent: *\nDisallow: /cart"],
  ])("load side by side, in order, and only the ones that were used count: %s", async (_, robots) => {
    setRobots(robots);
    let open = 0;
    let most = 0;
    const count = 10;
    site.setRoute("/wide", async (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
      open += 1;
      most = Math.max(most, open);
      // On a slow machine, the fourth may come late.
      for (let waited = 0; page > 1 && most < 4 && waited < 500; waited += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      // The later, the sooner.
      await new Promise((resolve) => setTimeout(resolve, 200 - page * 10));
      open -= 1;
      sendHtml(response, page > count ? "none" : `<li class=card><a href=/x>${page}</a></li>`);
    });
    const told = await run("/wide?page=1", { pagination: template("/wide") });
    expect(told.failure).toBeUndefined();
    expect(names(told)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
    expect(most).toBe(4);
    // Ten pages, and the one that added nothing.
    expect(told.loads).toBe(11);
  });

  test("are not loaded beyond what is wanted", async () => {
    setPages("/narrow", 99);
    const told = await run("/narrow?page=1", { pagination: template("/narrow"), rowsLimit: 8 });
    expect(names(told)).toHaveLength(8);
    expect(told.loads).toBe(3);
    expect(arrivals.map(({ path }) => path).sort()).toEqual([1, 2, 3].map((n) => `/narrow?page=${n}`));
    const bounded = await run("/narrow?page=1", { pagination: template("/narrow", { max_pages: 2 }) });
    expect(bounded.rows).toHaveLength(6);
    expect(arrivals).toHaveLength(5);
  });

  test("what comes behind the list's end is not looked at", async () => {
    site.setRoute("/ends", (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page"));
      if (page > 3) sendHtml(response, "broken", page === 4 ? 404 : 500);
      else sendHtml(response, `<li class=card><a href=/x>${page}</a></li>`);
    });
    const told = await run("/ends?page=1", { pagination: template("/ends") });
    expect(told.failure).toBeUndefined();
    expect(names(told)).toEqual(["1", "2", "3"]);
    expect(told.loads).toBe(3);
  });
});

describe("the user agent", () => {
  const identity = async (userAgent?: string) => {
    site.setRoute(
      "/who",
      record((_, response) =>
        sendHtml(
          response,
          `<p id=agent></p><p id=brands></p><script>
            agent.textContent = navigator.userAgent;
            brands.textContent = JSON.stringify(navigator.userAgentData.toJSON());
          </script>`,
        ),
      ),
    );
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url("/who") },
        { type: "get_text", field_name: "agent", selector: "#agent" },
        { type: "get_text", field_name: "brands", selector: "#brands" },
      ],
      ...(userAgent && { userAgent }),
    });
    return { headers: arrivals.at(-1)?.headers ?? {}, ...told.rows[0] } as {
      headers: IncomingHttpHeaders;
      agent: string;
      brands: string;
    };
  };

  test("names the real browser and us, the same everywhere", async () => {
    const { headers, agent, brands } = await identity();
    expect(agent).toMatch(/ Chrome\/\d+\.0\.0\.0 Safari\/537\.36 Gleaner\/0\.1$/);
    expect(headers["user-agent"]).toBe(agent);
    expect(headers["sec-ch-ua"]).toMatch(/^"Chromium";v="\d+"/);
    expect(headers["sec-ch-ua"] + brands).not.toMatch(/Headless/);
    expect(JSON.parse(brands)).toMatchObject({ platform: "Linux", mobile: false });
  });

  test("is what the scraper says", async () => {
    const { headers, agent } = await identity("Books-Bot/2.0 (+https://books.example/bot)");
    expect(agent).toBe("Books-Bot/2.0 (+https://books.example/bot)");
    expect(headers["user-agent"]).toBe(agent);
  });
});
