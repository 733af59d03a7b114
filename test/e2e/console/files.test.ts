import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "@jest/globals";
import { startSite } from "../../site/site.ts";
import { findingsOf } from "./axe.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

const site = await startSite();
afterAll(() => site.close());
const world = await worldOfFile({ allowHosts: [site.host] });

test("the Files tab of a run lists its files, and saves one or all", async () => {
  site.setRoute("/lamp.pdf", (_, response) => void response.end("%PDF-1.7 lamp"));
  site.setRoute("/", '<ul><li><a href="/lamp.pdf">Lamp</a></li><li><a href="/gone.pdf">Desk</a></li></ul>');
  const { id } = await world.putScraper({
    name: "Manuals",
    steps: [
      { type: "visit", url: site.url("/") },
      {
        type: "get_list",
        selector: "li",
        fields: [{ name: "name" }, { name: "pdf", selector: "a", attribute: "href" }],
        files: { field: "pdf" },
      },
    ],
  });
  const run = await world.finished((await world.post("/v1/runs", { scraper_id: id })).body.id);
  const page = await world.open(`/runs/${run.id}/files`);
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
}, 120_000);
