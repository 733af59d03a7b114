import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { books } from "../../../examples/shop/books.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

/* Runs with values of their own, and batches. */

const world = await worldOfFile();
const definition = {
  name: "Books by address",
  steps: [
    { id: "open", type: "visit", url: `${world.shopUrl}/books` },
    { id: "title", type: "get_text", selector: "h1", field_name: "title" },
  ],
};
const book = (index: number) => `${world.shopUrl}${books[index]?.path}`;
const batchId = async (page: Page): Promise<string> => {
  await page.waitForURL(/\/batches\/[\w-]+$/);
  return page.url().split("/").at(-1) ?? "";
};
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element?.textContent;
  });

/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused(page))?.startsWith(name)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${name} is not reached by Tab`);
}

test("by keyboard alone, a run starts with another address, and again with the same", async () => {
  const { id } = await world.putScraper(definition);
  const page = await world.open(`/scrapers/${id}`);
  await page.getByRole("button", { name: "Run with…" }).waitFor();
  await tabTo(page, "Run with…");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  expect(await focused(page)).toBe("once");
  await tabTo(page, "Address (open)");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(book(0));
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\//);
  const run = page.url().split("/").at(-1) ?? "";
  expect((await world.finished(run)).result_rows).toEqual([{ title: books[0]?.title }]);
  await page.getByText("Successful").first().waitFor();
  await tabTo(page, "Run again…");
  await page.keyboard.press("Enter");
  await page.getByText(`In the scraper: ${world.shopUrl}/books`).waitFor();
  await tabTo(page, "Address (open)");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => !url.pathname.endsWith(run));
  const again = await world.finished(page.url().split("/").at(-1) ?? "");
  expect(again.result_rows).toEqual([{ title: books[0]?.title }]);
  expect(complaints).toEqual([]);
});

test("pasted addresses become a batch with its inputs, its rows, and its failed inputs again", async () => {
  const [open, title] = definition.steps;
  // No title is a number, which is a warning.
  const steps = [open, { ...title, transform: [{ type: "number" }] }];
  const { id } = await world.putScraper({ ...definition, steps });
  const page = await world.open(`/scrapers/${id}`);
  await page.getByRole("button", { name: "Run with…" }).click();
  await page.getByLabel("for many inputs").check();
  await page.getByLabel("Values, one per line").fill([book(0), `${world.shopUrl}/gone`, book(1)].join("\n"));
  await page.getByText("3 inputs, one for each line.").waitFor();
  await page.getByRole("button", { name: "Start the batch" }).click();
  const first = await batchId(page);
  await world.finishedBatch(first);
  await page.getByRole("link", { name: "Check rows 2" }).click();
  await page.getByRole("gridcell", { name: book(1) }).waitFor();
  expect(await page.getByRole("gridcell", { name: "Check rows" }).count()).toBe(2);
  await page.getByRole("link", { name: "Failed or stopped 1" }).click();
  await page.getByRole("gridcell", { name: /answered with HTTP 404/ }).waitFor();
  expect(await page.getByRole("gridcell", { name: "Failed" }).count()).toBe(1);
  await page.getByRole("link", { name: "Rows", exact: true }).click();
  await page.getByRole("columnheader", { name: "input.open" }).waitFor();
  await page.getByRole("gridcell", { name: books[1]?.title ?? "", exact: true }).waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: "CSV", exact: true }).click();
  expect((await download).suggestedFilename()).toMatch(/^Books-by-address-\d{4}-\d\d-\d\d\.csv$/);
  await page.getByRole("button", { name: "Run the failed ones again" }).click();
  await page.getByRole("button", { name: "Start a batch" }).click();
  await page.waitForURL((url) => /^\/batches\/[\w-]+$/.test(url.pathname) && !url.pathname.endsWith(first));
  expect(await world.finishedBatch(await batchId(page))).toMatchObject({ total: 1, failed: 1 });
  expect(complaints).toEqual([]);
});

test("a file with a column that is no step is refused with the reason, and one with other columns is not", async () => {
  const { id } = await world.putScraper(definition);
  const page = await world.open(`/scrapers/${id}`);
  await page.getByRole("button", { name: "Run with…" }).click();
  await page.getByLabel("for many inputs").check();
  await page.getByLabel("The inputs are").selectOption("file");
  const upload = (text: string) =>
    page
      .getByLabel("CSV file", { exact: true })
      .setInputFiles({ name: "books.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await upload(`address\n${book(0)}\n`);
  await page.getByRole("button", { name: "Start the batch" }).click();
  await page.getByRole("alert").getByRole("listitem").waitFor();
  complaints.splice(0);
  await upload(`article;open\nA-1;${book(0)}\n`);
  await page.getByRole("button", { name: "Start the batch" }).click();
  const batch = await batchId(page);
  expect(await world.finishedBatch(batch)).toMatchObject({ successful: 1, source: "app" });
  await page.getByRole("gridcell", { name: "A-1" }).waitFor();
  expect(complaints).toEqual([]);
});

test("scrapers are found by name, and several are deleted at once", async () => {
  for (const name of ["Lamps", "Lamps in oak", "Chairs"]) await world.putScraper({ ...definition, name });
  const page = await world.open("/scrapers");
  await page.getByLabel("Search by name").fill("lamps");
  await page.getByRole("link", { name: "Chairs" }).waitFor({ state: "detached" });
  await page.getByLabel("Select Lamps", { exact: true }).check();
  await page.getByLabel("Select Lamps in oak").check();
  await page.getByRole("button", { name: "Delete 2 scrapers" }).click();
  await page.getByRole("button", { name: "Delete them" }).click();
  await page.getByText("No scraper has such a name").waitFor();
  await page.getByLabel("Search by name").fill("");
  await page.getByRole("link", { name: "Chairs" }).waitFor();
  expect(complaints).toEqual([]);
});

test("10,000 inputs scroll from the first to the last, and the batch stops when it is asked to", async () => {
  const slow = { id: "wait", type: "wait", selector: "#never", timeout_ms: 60_000 };
  const { id: scraper_id } = await world.putScraper({ ...definition, steps: [...definition.steps, slow] });
  const inputs = Array.from({ length: 10_000 }, (_, index) => ({ open: `${world.shopUrl}/?page=${index}` }));
  const { body } = await world.post("/v1/batches", { scraper_id, inputs });
  const page = await world.open(`/batches/${body.id}`);
  const grid = page.getByRole("grid");
  await grid.waitFor();
  await grid.focus();
  await page.keyboard.press("Control+End");
  await page.getByRole("gridcell", { name: `${world.shopUrl}/?page=9999` }).waitFor();
  expect(await page.getByRole("gridcell").count()).toBeLessThan(200);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop the batch" }).click();
  await world.finishedBatch(body.id);
  await page.getByText("Finished").waitFor();
  await page.getByRole("gridcell", { name: "Stopped" }).first().waitFor();
  expect(complaints).toEqual([]);
});

test("the help of a page leads to other pages of the documentation, and to their parts", async () => {
  const page = await world.open("/batches");
  await page.getByRole("link", { name: "Help" }).click();
  await page.getByRole("heading", { level: 1, name: "Batches" }).waitFor();
  await page.locator('.document a[href="/help/schedules#run-it-for-many-inputs"]').first().click();
  const part = page.getByRole("heading", { name: "Run it for many inputs" });
  await part.waitFor();
  await page.waitForFunction(() => scrollY > 0);
  expect((await part.boundingBox())?.y).toBeLessThan(800);
  expect(complaints).toEqual([]);
});
