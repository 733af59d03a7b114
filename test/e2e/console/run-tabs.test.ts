import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "@jest/globals";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { startSite } from "../../site/site.ts";
import { listenReachably } from "../shared/shared-service.ts";
import { findingsOf } from "./axe.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

/* What the page of a run shows beside its rows: files, changes, and the repair of its scraper. */

const site = await startSite(0, listenReachably);
afterAll(() => site.close());
const world = await worldOfFile();

const runOf = async (scraper_id: string) =>
  (await world.finished((await world.post("/v1/runs", { scraper_id })).body.id)).id;

test("the Files tab of a run lists its files, and saves one or all", async () => {
  site.setRoute("/lamp.pdf", (_, response) => void response.end("%PDF-1.7 lamp"));
  site.setRoute(
    "/manuals",
    '<ul><li><a href="/lamp.pdf">Lamp</a></li><li><a href="/gone.pdf">Desk</a></li></ul>',
  );
  const { id } = await world.putScraper({
    name: "Manuals",
    steps: [
      { type: "visit", url: site.url("/manuals") },
      {
        type: "get_list",
        selector: "li",
        fields: [{ name: "name" }, { name: "pdf", selector: "a", attribute: "href" }],
        files: { field: "pdf" },
      },
    ],
  });
  const page = await world.open(`/runs/${await runOf(id)}/files`);
  await page.getByText("2 files, 13 B, 1 not downloaded").waitFor();
  await page
    .getByText(/gone\.pdf answered with HTTP 404/)
    .first()
    .waitFor();
  expect(await findingsOf(page)).toEqual([]);
  const saved = async (name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name, exact: true }).click(),
    ]);
    return { name: file.suggestedFilename(), content: await readFile(await file.path(), "latin1") };
  };
  expect(await saved("00001-lamp.pdf")).toEqual({ name: "00001-lamp.pdf", content: "%PDF-1.7 lamp" });
  const archive = await saved("Save all");
  expect(archive.name).toMatch(/^Manuals-files-[\d-]+\.zip$/);
  expect(archive.content).toContain("%PDF-1.7 lamp");
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(complaints).toEqual([]);
});

/** A page of goods. `views` is a counter, which differs on each page. */
const show = (skus: readonly string[], views: number, price = "10") =>
  site.setRoute(
    "/goods",
    skus
      .map(
        (sku) =>
          `<li class="product"><h3>${sku}</h3><b>${sku === "A-2" ? price : "10"}</b><i>${views}</i></li>`,
      )
      .join(""),
  );

test("the Changes tab has old and new values side by side, one kind at a time, and exports all", async () => {
  const skus = Array.from({ length: 12 }, (_, index) => `A-${index + 1}`);
  const fields = [
    { name: "sku", selector: "h3" },
    { name: "price", selector: "b" },
    { name: "views", selector: "i" },
  ];
  const { id } = await world.putScraper({
    name: "Goods",
    steps: [
      { type: "visit", url: site.url("/goods") },
      { type: "get_list", selector: ".product", key: ["sku"], fields },
    ],
  });
  show(skus, 1);
  const first = await runOf(id);
  show(skus.slice(1), 2);
  await runOf(id);
  const added = Array.from({ length: 230 }, (_, index) => `B-${index + 1}`);
  show([...skus.slice(1), ...added], 3, "12");
  const last = await runOf(id);

  const page = await world.open(`/runs/${last}/changes?kind=changed`);
  const cells = (of: string) => page.getByRole("table", { name: of }).getByRole("cell").allTextContents();
  const changed = page.getByRole("table", { name: "Changed rows" });
  await changed.waitFor();
  expect(await changed.getByRole("rowheader").allTextContents()).toEqual(["A-2"]);
  expect(await cells("Changed rows")).toEqual(["price", "10", "12"]);
  await page.getByText("Fields that differ in more than half of the rows").waitFor();
  await page.getByText("views in 11 rows").waitFor();
  await page.getByText("10 rows are the same.").waitFor();
  expect(await findingsOf(page)).toEqual([]);

  const kinds = page.getByRole("navigation", { name: "Kinds of changes" });
  await kinds.getByRole("link", { name: "Removed 1" }).press("Enter");
  await page.getByRole("table", { name: "Removed rows" }).waitFor();
  expect(await cells("Removed rows")).toEqual(["A-1", "10", "1"]);
  await kinds.getByRole("link", { name: "New 230" }).press("Enter");
  await page.getByText("The first 200 of 230.").waitFor();
  expect(await page.getByRole("row").count()).toBe(201);
  expect((await cells("New rows")).slice(0, 3)).toEqual(["B-1", "10", "3"]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  await page.getByRole("button", { name: "Export" }).press("Enter");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "JSON Lines" }).press("Enter");
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^Goods-changes-.*\.jsonl$/);
  expect((await readFile(await file.path(), "utf8")).trim().split("\n")).toHaveLength(232);

  const other = await world.open(`/runs/${first}/changes`);
  await other.getByText("About this comparison").waitFor();
  await other.getByText("No new rows").waitFor();
  expect(complaints).toEqual([]);
});

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
  await runOf(id);
  site.setRoute(
    path,
    rows(
      (name, number) =>
        `<div class="tile"><a class="name">${name} chair</a> <i class="amount">${number}9 EUR</i></div>`,
    ),
  );
  return { id, run: await runOf(id) };
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
