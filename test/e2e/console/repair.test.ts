import { afterAll, expect, test } from "@jest/globals";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { startSite } from "../../site/site.ts";
import { worldOfFile } from "./world-of-file.ts";

const site = await startSite();
afterAll(() => site.close());
const world = await worldOfFile({ allowHosts: [site.host] });

const NAMES = ["Alder", "Birch", "Cedar", "Dogwood"];
const rows = (row: (name: string, number: number) => string) =>
  NAMES.map((name, at) => row(name, at + 1)).join("");

/** A scraper whose site was redesigned after its first run, and its failed run. */
async function brokenScraper(path: string): Promise<{ id: string; run: string }> {
  site.setRoute(
    path,
    rows((name, number) => `<li class="product"><h3>${name} chair</h3><b>${number}9 EUR</b></li>`),
  );
  const { id } = await world.putScraper({
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
  const run = async () =>
    (await world.finished((await world.post("/v1/runs", { scraper_id: id })).body.id)).id;
  await run();
  site.setRoute(
    path,
    rows(
      (name, number) =>
        `<div class="tile"><a class="name">${name} chair</a> <i class="amount">${number}9 EUR</i></div>`,
    ),
  );
  return { id, run: await run() };
}
const scraperOf = async (id: string) => (await world.call<Scraper>(`/v1/scrapers/${id}`)).body;

test("a failed run shows old and new rows side by side, and saves only when a person says so", async () => {
  const { id, run } = await brokenScraper("/chairs");
  const page = await world.open(`/runs/${run}`);
  const start = page.getByRole("button", { name: "Try the suggestion" });
  await start.press("Enter");
  const dialog = page.getByRole("dialog", { name: "The suggested selectors" });
  const cells = (of: string) => dialog.getByRole("table", { name: of }).getByRole("cell").allTextContents();
  await dialog.waitFor();
  expect(await cells("Selectors before and after")).toEqual([
    ".product",
    ".tile",
    "h3",
    ".name",
    "b",
    ".amount",
  ]);
  expect((await cells("4 rows of the last good run, and now")).slice(0, 4)).toEqual([
    ...["Alder chair", "Alder chair"],
    ...["19 EUR", "19 EUR"],
  ]);

  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect((await scraperOf(id)).version).toBe(1);

  await start.press("Enter");
  await dialog.getByRole("button", { name: "Save as version 2" }).press("Enter");
  await page.getByText("Saved as version 2.").waitFor();
  expect((await scraperOf(id)).steps[1]).toMatchObject({ selector: ".tile" });
});

test("nothing can be saved if the suggestion no longer helps, or if the scraper has changed", async () => {
  const { id, run } = await brokenScraper("/gone");
  site.setRoute("/gone", "<p>Closed</p>");
  const page = await world.open(`/runs/${run}`);
  await page.getByRole("button", { name: "Try the suggestion" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The suggestion does not help").waitFor();
  expect(await dialog.getByRole("button", { name: /Save/ }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Cancel" }).click();

  const { steps } = await scraperOf(id);
  await world.putScraper({ id, name: "Renamed", steps });
  await page.getByRole("button", { name: "Try the suggestion" }).click();
  await page.getByText("that was version 1, and now it is version 2").waitFor();
});
