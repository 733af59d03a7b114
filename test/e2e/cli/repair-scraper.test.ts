import { afterAll, expect, test } from "@jest/globals";
import type { Run } from "../../../functions/contract/runs/run.ts";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { startSite } from "../../site/site.ts";
import { startWorld } from "../harness.ts";
import { gleaner } from "./gleaner.ts";

/* A scraper that worked, a site that is redesigned, and `gleaner scraper repair`. */

const site = await startSite();
const world = await startWorld({ allowHosts: [site.host] });
afterAll(async () => {
  await world.stop();
  await site.close();
});

const cli = (...args: string[]) => gleaner([...args, "--data", world.data]);
const NAMES = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir"];
const ROWS = NAMES.map((name, index) => ({ title: `${name} chair`, price: `${index + 1}9.50 EUR` }));
const before = `<ul>${ROWS.map(({ title, price }) => `<li class="product"><h3>${title}</h3><b>${price}</b></li>`).join("")}</ul>`;
/** The first row is new, and the last one is gone. */
const NOW = [{ title: "Ginkgo chair", price: "99.50 EUR" }, ...ROWS.slice(0, -1)];
const after = `<main>${NOW.map(({ title, price }) => `<div class="tile"><a class="name" href="#">${title}</a><span class="amount">${price}</span></div>`).join("")}</main>`;
const next = '<nav class="pager"><a class="forward" href="/pages?page=2">Next page</a></nav>';

const definition = (path: string) => ({
  name: "Chairs",
  steps: [
    { type: "visit", url: site.url(path) },
    {
      type: "get_list",
      selector: ".product",
      timeout_ms: 500,
      fields: [
        { name: "title", selector: "h3" },
        { name: "price", selector: "b" },
      ],
    },
  ],
});

async function runOf(id: string): Promise<Run> {
  const { body } = await world.post("/v1/runs", { scraper_id: id });
  return world.finished(body.id);
}
const scraperOf = async (id: string) => (await world.call<Scraper>(`/v1/scrapers/${id}`)).body;

test("a redesigned site: the run suggests, repair asks, and the next run is right", async () => {
  site.setRoute("/shop", before);
  const { id } = await world.putScraper(definition("/shop"));
  expect((await runOf(id)).result_rows).toEqual(ROWS);

  site.setRoute("/shop", after);
  const { error } = await runOf(id);
  expect(error).toMatchObject({
    code: "element_not_found",
    step: 1,
    suggestion: {
      selector: ".tile",
      matches: 6,
      fields: [
        { name: "title", selector: ".name" },
        { name: "price", selector: ".amount" },
      ],
      sample: ROWS.slice(0, 3),
    },
  });

  const { id: failed } = (await scraperOf(id)).last_run ?? { id: "" };
  expect((await cli("run", "show", failed)).stderr).toContain(`scraper repair ${id}`);

  // Without a terminal and --yes, nothing is applied.
  const asked = await cli("scraper", "repair", id);
  expect(asked).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Store this as version 2 of "Chairs"?'),
  });
  expect(asked.stdout).toMatch(/│ 2 +│ selector +│ \.product +│ \.tile +│\n/);
  expect(asked.stdout).toMatch(/│ 2 +│ field title +│ h3 +│ \.name +│\n/);
  expect(asked.stdout).toMatch(/│ 1 +│ title +│ Alder chair +│ Alder chair +│\n/);
  expect((await scraperOf(id)).version).toBe(1);

  const said = await cli("scraper", "repair", id, "--yes");
  expect(said.code).toBe(0);
  expect(said.stdout).toContain(`Repaired the scraper "Chairs" ${id}: it is now version 2`);
  expect((await runOf(id)).result_rows).toEqual(NOW);

  // The newest run is good now.
  expect(await cli("scraper", "repair", id, "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("suggests no other selectors"),
  });
});

test("an empty field of a successful run, and a control that was renamed", async () => {
  site.setRoute(
    "/pages",
    before.replaceAll("<ul>", '<a class="next" href="/pages?page=2">Next page</a><ul>'),
  );
  const pagination = { type: "next_button", selector: ".next", max_pages: 2 };
  const { id } = await world.putScraper({ ...definition("/pages"), pagination });
  expect((await runOf(id)).status).toBe("successful");

  site.setRoute("/pages", (request, response) => {
    const page = new URL(request.url ?? "", "http://site").searchParams.get("page");
    const html = before.replaceAll("<b>", "<i>").replaceAll("</b>", "</i>");
    response.setHeader("content-type", "text/html");
    response.end(page === "2" ? html.replaceAll("chair", "table") : html + next);
  });
  const { status, warnings } = await runOf(id);
  expect(status).toBe("successful");
  expect(warnings.map(({ code, suggestion }) => [code, suggestion?.fields ?? suggestion?.selector])).toEqual([
    ["pagination_control_missing", ".forward"],
    ["field_empty", [{ name: "price", selector: "i" }]],
  ]);

  const said = await cli("scraper", "repair", id, "--yes", "--json");
  const { scraper, changes } = JSON.parse(said.stdout);
  expect(changes).toEqual([
    { step: 1, what: { part: "field", name: "price" }, before: "b", after: "i" },
    { step: 1, what: { part: "pagination" }, before: ".next", after: ".forward" },
  ]);
  expect(scraper).toMatchObject({ version: 2, pagination: { ...pagination, selector: ".forward" } });
  const { result_rows: rows, warnings: left } = await runOf(id);
  expect(rows).toHaveLength(12);
  expect(left).toEqual([]);
});

test("nothing is changed if the scraper has changed, or if the suggestion no longer helps", async () => {
  site.setRoute("/gone", before);
  const scraper = await world.putScraper(definition("/gone"));
  await runOf(scraper.id);
  site.setRoute("/gone", after);
  await runOf(scraper.id);
  site.setRoute("/gone", "<p>We are closed.</p>");
  expect(await cli("scraper", "repair", scraper.id, "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^Nothing was changed\. The suggestion does not help: Nothing on \S+ matches/m,
    ),
  });

  await world.putScraper({ ...definition("/gone"), id: scraper.id, name: "Renamed" });
  expect(await cli("scraper", "repair", scraper.id, "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("that was version 1, and now it is version 2. Run it again first."),
  });
  expect((await scraperOf(scraper.id)).steps[1]).toMatchObject({ selector: ".product" });
});

test("a scraper that has not run", async () => {
  const { id } = await world.putScraper(definition("/new"));
  expect(await cli("scraper", "repair", id, "--yes")).toMatchObject({
    code: 1,
    stderr: 'Nothing was changed. The scraper "Chairs" has not run yet.\n',
  });
});
