import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { newFolder } from "../../new-folder.ts";
import { findingsOf } from "./axe.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

const folder = await newFolder();
const world = await worldOfFile({ deliverTo: folder });

test("destinations are added, filled, edited and removed by keyboard; the changes are in the audit log", async () => {
  const { id } = await world.putScraper({
    name: "Books",
    steps: [
      { type: "visit", url: world.shopUrl },
      { type: "get_text", selector: "h1", field_name: "title" },
    ],
  });
  await world.finished((await world.post("/v1/runs", { scraper_id: id })).body.id);
  const stored = async () => (await world.call<Scraper>(`/v1/scrapers/${id}`)).body.deliveries;
  const page = await world.open(`/scrapers/${id}/destinations`);
  const { keyboard } = page;
  await page.getByText("No destinations yet").waitFor();

  await page.getByRole("button", { name: "Add a destination" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Type").and(page.locator(":focus")).waitFor();
  await dialog.getByLabel("Type").selectOption("folder");
  await keyboard.press("Tab");
  await keyboard.type("../outside");
  await keyboard.press("Enter");
  await dialog.getByText("must be names of at most 200 bytes").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await keyboard.press("ControlOrMeta+a");
  await keyboard.type("shop/books");
  await keyboard.press("Enter");
  const card = page.getByRole("listitem").filter({ hasText: "shop/books" });
  await card.getByText("No rows were sent in the last 30 days.").waitFor();
  const settings = { type: "folder", path: "shop/books", format: "csv", mode: "append" };
  expect(await stored()).toEqual([settings]);

  await page.getByRole("button", { name: "Send the last rows" }).press("Enter");
  await card.getByText("Delivered").waitFor();
  await card.getByText(/1 row in shop\/books\/.*\.csv/).waitFor();
  expect(await readdir(join(folder, "shop", "books"))).toHaveLength(1);
  expect(await findingsOf(page)).toEqual([]);

  await card.getByRole("button", { name: "Edit" }).press("Enter");
  await dialog.getByLabel("Mode").selectOption("replace");
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("listitem").filter({ hasText: "shop/books.csv" }).waitFor();
  expect(await stored()).toEqual([{ ...settings, mode: "replace" }]);

  await page.getByRole("button", { name: "Remove the destination shop/books.csv" }).press("Enter");
  await dialog.getByRole("button", { name: "Remove", exact: true }).press("Enter");
  await page.getByText("No destinations yet").waitFor();
  expect(await stored()).toBeUndefined();

  await page.goto(`${world.service.url}/settings`);
  const changes = page.getByRole("table", { name: "Changes" });
  await changes.getByText("run.resend_webhook").waitFor();
  expect(await changes.getByText("scraper.replace").count()).toBe(3);
  // The refusal of the path.
  expect(complaints).toEqual([expect.stringContaining("status of 400")]);
});
