import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps/steps.ts";
import { RunFailure } from "../../../../functions/runs/failure.ts";
import { createScraper } from "../../../../functions/scraping/engine.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

const card = (n: number) => `<a class=card href="/detail/${n}">Lamp ${n}</a>`;

test.concurrent("a list by addresses that no step visits is resumed after its first page", async () => {
  site.setRoute("/list", (request, response) => {
    sendHtml(response, card(Number(request.url?.split("=")[1])));
  });
  const job = {
    steps: [{ type: "get_list", selector: ".card", fields: [{ name: "name" }] }] satisfies Step[],
    pagination: { type: "url_template", url: site.url("/list?page={page}"), max_pages: 3 } as const,
  };
  const [first] = (await engine.run(job)).batches;
  if (!first) throw new Error("The first page has a batch.");
  const rest = await engine.run({ ...job, from: { checkpoint: first.checkpoint, rowCount: 1 } });
  expect(rest.rows).toEqual([{ name: "Lamp 2" }, { name: "Lamp 3" }]);
});

test.concurrent("the rows whose pages the caller accepted are kept, although pages behind them are loaded", async () => {
  const rows = Array.from({ length: 10 }, (_, n) => n);
  site.setRoute("/shop", rows.map(card).join(""));
  for (const n of rows) site.setRoute(`/detail/${n}`, `<b class=price>${n}.00</b>`);
  const details = { url_field: "url", fields: [{ name: "price", selector: ".price" }] };
  let loads = 0;
  const batches = createScraper(engine.browsers)(
    {
      steps: [
        { type: "visit", url: site.url("/shop") },
        { type: "get_list", selector: ".card", fields: [{ name: "url", attribute: "href" }], details },
      ],
      pagination: { type: "none" },
      rowsLimit: 100,
    },
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

test.concurrent("the steps of rows that an earlier execution has handed over are not performed again", async () => {
  const rows = Array.from({ length: 25 }, (_, n) => n);
  const row = (n: number) => `<p class=ad><b>Ad ${n}</b><button data-n=${n}>Show</button><i></i></p>`;
  site.setRoute(
    "/ads",
    `${rows.map(row).join("")}<script>addEventListener("click", async ({ target }) => {
      target.nextSibling.textContent = await (await fetch("/phone?" + target.dataset.n)).text();
    })</script>`,
  );
  const asked: string[] = [];
  site.setRoute("/phone", ({ url = "" }, response) => {
    asked.push(url);
    response.end(url.slice("/phone?".length));
  });
  const job = {
    steps: [
      { type: "visit", url: site.url("/ads") },
      {
        type: "get_list",
        selector: ".ad",
        fields: [
          { name: "name", selector: "b" },
          { name: "phone", selector: "i" },
        ],
        each: [{ type: "click", selector: "button" }],
      },
    ] satisfies Step[],
    pagination: { type: "none" } as const,
  };
  const [first] = (await engine.run(job)).batches;
  if (!first) throw new Error("The list has a batch.");
  const rowCount = first.rows.length;
  expect(rowCount).toBeLessThan(25);
  asked.length = 0;
  const rest = await engine.run({ ...job, from: { checkpoint: first.checkpoint, rowCount } });
  expect(rest.rows).toEqual(rows.slice(rowCount).map((n) => ({ name: `Ad ${n}`, phone: String(n) })));
  expect(asked).toEqual(rows.slice(rowCount).map((n) => `/phone?${n}`));
});
