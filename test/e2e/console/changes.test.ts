import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "@jest/globals";
import { startSite } from "../../site/site.ts";
import { findingsOf } from "./axe.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

const site = await startSite();
afterAll(() => site.close());
const world = await worldOfFile({ allowHosts: [site.host] });

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
  const run = async () =>
    (await world.finished((await world.post("/v1/runs", { scraper_id: id })).body.id)).id;
  show(skus, 1);
  const first = await run();
  show(skus.slice(1), 2);
  await run();
  const added = Array.from({ length: 230 }, (_, index) => `B-${index + 1}`);
  show([...skus.slice(1), ...added], 3, "12");
  const last = await run();

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
