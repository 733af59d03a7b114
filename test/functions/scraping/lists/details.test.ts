import { describe, expect, test } from "@jest/globals";
import { RunFailure } from "../../../../functions/runs/failure.ts";
import { createScraper } from "../../../../functions/scraping/engine.ts";
import type { ScrapeJob } from "../../../../functions/scraping/job.ts";
import { type Handler, sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

const price = (n: number) => `<b class=price>${n}.00</b>`;

/** A list of `count` rows; `answer` says what the page of row `n` is, at each of its requests from 1 on. */
function setShop(count: number, answer: (n: number, request: number) => Handler) {
  const path = site.newPath();
  const asked = new Map<number, number>();
  const rows = Array.from(
    { length: count },
    (_, n) => `<a class=item href="${path}/detail/${n}">Item ${n}</a>`,
  );
  site.setRoute(path, rows.join(""));
  for (let n = 0; n < count; n += 1) {
    site.setRoute(`${path}/detail/${n}`, (request, response) => {
      asked.set(n, (asked.get(n) ?? 0) + 1);
      return answer(n, asked.get(n) ?? 0)(request, response);
    });
  }
  return { path, asked };
}

const jobOf = (path: string): Pick<ScrapeJob, "steps"> => ({
  steps: [
    { type: "visit", url: site.url(path) },
    {
      type: "get_list",
      selector: ".item",
      fields: [{ name: "name" }, { name: "url", attribute: "href" }],
      details: { url_field: "url", fields: [{ name: "price", selector: ".price" }] },
    },
  ],
});
const scrape = (path: string) => engine.run(jobOf(path));

const page =
  (n: number, status = 200): Handler =>
  (_, response) =>
    sendHtml(response, price(n), status);
const cutOff: Handler = (_, response) => {
  response.writeHead(200, { "content-type": "text/html", "content-length": "5000" });
  response.write("<h1>Item</h1>", () => response.destroy());
};

describe("a detail page that fails", () => {
  test.concurrent.each([408, 425, 429, 500, 502, 503, 504])(
    "once, with %i, is loaded again",
    async (status) => {
      const { path, asked } = setShop(3, (n, request) => page(n, n === 1 && request === 1 ? status : 200));
      const told = await scrape(path);
      expect(told).toMatchObject({ failure: undefined, warnings: [] });
      expect(told.rows.map((row) => row.price)).toEqual(["0.00", "1.00", "2.00"]);
      expect(asked.get(1)).toBe(2);
    },
  );

  test.concurrent("once, because its transfer is cut off or its connection broken, is loaded again", async () => {
    const broken: Handler = (request) => void request.socket.destroy();
    for (const fault of [cutOff, broken]) {
      const { path } = setShop(3, (n, request) => (n === 1 && request === 1 ? fault : page(n)));
      const told = await scrape(path);
      expect(told).toMatchObject({ failure: undefined, warnings: [] });
      expect(told.rows.map((row) => row.price)).toEqual(["0.00", "1.00", "2.00"]);
    }
  });

  test.concurrent("each time leaves its row as it is, and is counted", async () => {
    const faults: Handler[] = [page(1, 500), page(2, 404), cutOff, page(4, 403)];
    const { path } = setShop(6, (n) => faults[n - 1] ?? page(n));
    const told = await scrape(path);
    expect(told.failure).toBeUndefined();
    expect(told.rows.map((row) => row.price)).toEqual([
      "0.00",
      undefined,
      undefined,
      undefined,
      undefined,
      "5.00",
    ]);
    expect(told.rows.map((row) => row.name)).toEqual([0, 1, 2, 3, 4, 5].map((n) => `Item ${n}`));
    expect(told.warnings).toEqual([
      { code: "details_missing", step: 1, count: 4, message: expect.stringContaining("/detail/1") },
    ]);
    expect(told.loads).toBe(3);
  });

  test.concurrent("none of the fields is counted, too", async () => {
    const empty: Handler = (_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sold out</h1>");
    };
    const { path } = setShop(3, (n) => (n === 1 ? empty : page(n)));
    const told = await scrape(path);
    expect(told.failure).toBeUndefined();
    expect(told.rows.map((row) => row.price)).toEqual(["0.00", undefined, "2.00"]);
    expect(told.warnings).toEqual([
      {
        code: "details_missing",
        step: 1,
        count: 1,
        message: expect.stringContaining('has none of the fields "price"'),
      },
    ]);
    expect(told.loads).toBe(4);
  });

  test.concurrent("another one, to which several rows lead, is warned of", async () => {
    const toConsent: Handler = (_, response) => {
      response.writeHead(302, { location: "/consent" }).end();
    };
    site.setRoute("/consent", "<b class=price>0.99</b>");
    const { path } = setShop(5, (n) => (n > 1 ? toConsent : page(n)));
    const told = await scrape(path);
    expect(told.rows.map((row) => row.price)).toEqual(["0.00", "1.00", "0.99", "0.99", "0.99"]);
    expect(told.warnings).toEqual([
      { code: "details_repeated", step: 1, count: 3, message: expect.stringContaining("/consent, so") },
    ]);
  });

  test.concurrent("another one each is no reason for a warning", async () => {
    const moved =
      (n: number): Handler =>
      (_, response) => {
        site.setRoute(`/moved/${n}`, `<b class=price>${n}.50</b>`);
        response.writeHead(302, { location: `/moved/${n}` }).end();
      };
    const { path } = setShop(3, moved);
    const told = await scrape(path);
    expect(told).toMatchObject({ failure: undefined, warnings: [] });
    expect(told.rows.map((row) => row.price)).toEqual(["0.50", "1.50", "2.50"]);
  });

  test.concurrent("like all others fails the run, which keeps the rows", async () => {
    const { path } = setShop(3, (n) => page(n, 404));
    const told = await scrape(path);
    expect(told.failure).toMatchObject({
      code: "http_error",
      step: 1,
      message: expect.stringMatching(/all 3 rows.*\/detail\/0 answered with HTTP 404/),
    });
    expect(told.rows.map((row) => row.name)).toEqual(["Item 0", "Item 1", "Item 2"]);
    expect(told.warnings).toMatchObject([{ code: "details_missing", count: 3 }]);
  });

  test.concurrent("like the first twenty is enough to fail the run", async () => {
    const { path, asked } = setShop(60, (n) => page(n, 404));
    const told = await scrape(path);
    expect(told.failure).toMatchObject({ code: "http_error", step: 1 });
    expect(asked.size).toBeLessThan(60);
    expect(told.rows).toHaveLength(20);
    expect(told.warnings).toMatchObject([{ code: "details_missing", count: 20 }]);
  });
});

test.concurrent("an address in an attribute of the page's own may be relative", async () => {
  const path = site.newPath();
  site.setRoute(path, `<p class=item data-url="${path}/1">Item</p><p class=item data-url="Item 2">Item</p>`);
  site.setRoute(`${path}/1`, price(1));
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      {
        type: "get_list",
        selector: ".item",
        fields: [{ name: "url", attribute: "data-url" }],
        details: { url_field: "url", fields: [{ name: "price", selector: ".price" }] },
      },
    ],
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual([{ url: `${path}/1`, price: "1.00" }, { url: "Item 2" }]);
});

test.concurrent("a form that was sent is not sent again", async () => {
  let sent = 0;
  site.setRoute("/form", '<form method=post action="/send"><button>Send</button></form>');
  site.setRoute("/send", (_, response) => {
    sent += 1;
    sendHtml(response, "<h1>Error</h1>", 503);
  });
  const { failure } = await engine.run({
    steps: [
      { type: "visit", url: site.url("/form") },
      { type: "click", field_name: "Send" },
      { type: "get_text", field_name: "title", selector: "h1" },
    ],
  });
  expect(failure).toMatchObject({ code: "http_error", httpStatus: 503 });
  expect(sent).toBe(1);
});

test("the rows whose pages the caller accepted are kept, although pages behind them are loaded", async () => {
  const { path } = setShop(10, (n) => page(n));
  let loads = 0;
  const batches = createScraper(engine.browsers)(
    { ...jobOf(path), pagination: { type: "none" }, rowsLimit: 100 },
    {
      deadline: Date.now() + 120_000,
      answerMs: 10_000,
      onPageLoad: () => {
        loads += 1;
      },
      // The list, and the pages of four rows.
      async pagesAccepted() {
        if (loads > 5) throw new RunFailure("credits_exhausted", "No credits are left.");
      },
    },
  );
  const prices: unknown[] = [];
  await expect(async () => {
    for await (const batch of batches) prices.push(...batch.rows.map((row) => row.price));
  }).rejects.toMatchObject({ code: "credits_exhausted" });
  expect(prices).toEqual(["0.00", "1.00", "2.00", "3.00"]);
  expect(loads).toBe(6);
});
