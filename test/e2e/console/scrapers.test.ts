import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import type { Run } from "../../../functions/contract/runs/run.ts";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { PROJECT_FOLDER } from "../../../lib/project-folder.ts";
import { listenReachably } from "../shared/shared-service.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

/* What people do with scrapers and runs, on the shop of the examples. */

/** A site that never answers. */
const silent = createServer(() => {});
await listenReachably(silent);
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
const world = await worldOfFile();

async function shopScraper(changes: object = {}): Promise<Scraper> {
  const text = await readFile(join(PROJECT_FOLDER, "examples", "shop-catalogue.json"), "utf8");
  const definition = JSON.parse(text.replaceAll("http://localhost:4100", world.shopUrl));
  return world.putScraper({ ...definition, ...changes });
}

/** Presses a button that saves a file, and returns the file. */
async function saved(page: Page, name: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name, exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

test("from the list of scrapers to a run, its rows, its timeline and a file", async () => {
  const scraper = await shopScraper();
  const page = await world.open("/scrapers");
  await page.getByRole("link", { name: scraper.name }).click();
  await page.getByText("Run it now to see its rows.").waitFor();
  await page.getByRole("button", { name: "Run now" }).click();
  await page.waitForURL(/\/runs\/[\w-]+$/);
  await page.getByText("16 rows", { exact: true }).first().waitFor();
  await page.getByRole("gridcell", { name: "Middlemarch", exact: true }).waitFor();
  await page.getByText("Successful", { exact: true }).waitFor();
  const id = page.url().split("/").at(-1) ?? "";
  expect((await world.call<Run>(`/v1/runs/${id}`)).body).toMatchObject({
    source: "app",
    status: "successful",
  });

  await page.getByRole("button", { name: "Export" }).click();
  const csv = await saved(page, "CSV");
  expect(csv.name).toMatch(/^Foxed-Bound-hardback-fiction-\d{4}-\d\d-\d\d\.csv$/);
  expect(csv.content.toString()).toMatch(/^\uFEFFname,author,price,/);
  expect(csv.content.toString()).toContain("Middlemarch");
  for (const [format, start] of [
    ["Excel workbook", "PK"],
    ["JSON", "[{"],
    ["JSON Lines", '{"name"'],
  ] as const) {
    await page.getByRole("button", { name: "Export" }).click();
    expect((await saved(page, format)).content.subarray(0, start.length).toString()).toBe(start);
  }

  await page.getByRole("link", { name: "Timeline" }).click();
  await page.getByText("The run was successful, with 16 rows.").waitFor();
  await page.getByText("Choose “Fiction” in “Category”").waitFor();
  await page.getByRole("link", { name: "Request", exact: true }).click();
  await page.getByText(`-d scraper_id=${scraper.id}`).waitFor();
  await page.getByRole("link", { name: "Webhook" }).click();
  await page.getByText("This run has no webhook").waitFor();
  expect(complaints).toEqual([]);
});

test("a run is watched live, and stopped", async () => {
  const { id } = await world.putScraper({
    name: "Silent",
    steps: [{ type: "visit", url: silentUrl }],
  });
  const page = await world.open(`/scrapers/${id}`);
  await page.getByRole("button", { name: "Run now" }).click();
  await page
    .getByRole("region", { name: "Progress" })
    .getByText(/Step 1 of 1/)
    .waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop the run" }).click();
  await page.getByText("Stopped", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Run again" }).waitFor();
  expect(complaints).toEqual([]);
});

test("a failure is above all else: message, step, picture, and the way to mend it", async () => {
  const steps = [
    { type: "visit", url: `${world.shopUrl}/books` },
    { type: "click", field_name: "Buy the moon", timeout_ms: 0 },
  ];
  const { id } = await world.putScraper({ name: "Broken", steps });
  const run = await world.finished((await world.post("/v1/runs", { scraper_id: id })).body.id);
  const page = await world.open("/");
  await page.getByRole("region", { name: "Needs attention" }).getByRole("link", { name: "Broken" }).click();
  const failure = page.getByRole("region", { name: "The run failed at step 2" });
  await failure.getByText(run.error?.message ?? "no message").waitFor();
  await failure.getByText("Click “Buy the moon”").waitFor();
  expect(await failure.getByRole("link", { name: "recorder" }).getAttribute("href")).toBe(
    `/record?scraper=${id}&step=1`,
  );
  await failure.getByRole("button", { name: "What the page looked like" }).click();
  await page.getByRole("dialog").getByRole("img").waitFor();
  expect(complaints).toEqual([]);
});

/** Waits until an answer is where somebody sees who does not scroll. */
const inSight = (answer: Locator) =>
  answer.evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        const watch = new IntersectionObserver(
          (entries) => {
            if (entries.some((entry) => entry.isIntersecting)) resolve();
          },
          { threshold: 0.9, rootMargin: "0px 0px -40px 0px" },
        );
        watch.observe(element);
      }),
  );

test("two people edit one scraper: the second sees both versions, and decides", async () => {
  const scraper = await shopScraper();
  const page = await world.open(`/scrapers/${scraper.id}/definition`);
  await page.getByLabel("Name", { exact: true }).fill("Mine");
  await page.getByText("Changes are not saved yet.").waitFor();
  await world.putScraper({ ...scraper, name: "Theirs" });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const conflict = page.getByRole("region", { name: "Somebody else has changed this scraper" });
  await inSight(conflict);
  await conflict.getByRole("row", { name: 'name "Mine" "Theirs"' }).waitFor();
  await conflict.getByRole("button", { name: "Save mine instead" }).click();
  await page.getByText("Saved as version 3.").waitFor();
  await page.getByRole("heading", { name: "Mine", level: 1 }).waitFor();

  await page.getByRole("button", { name: "JSON", exact: true }).click();
  const json = page.getByRole("textbox", { name: "Definition" });
  await json.fill((await json.inputValue()).replace('"rows_limit": 100', '"rows_limit": 7'));
  await world.putScraper({ ...scraper, name: "Theirs again" });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await conflict.getByRole("button", { name: "Keep the saved version" }).click();
  await page.getByRole("heading", { name: "Theirs again", level: 1 }).waitFor();
  // The browser reports the responses of 412.
  expect(complaints.splice(0).join()).toMatch(/412.*412/);
});

test("a definition that the service refuses shows every problem, and nothing is lost", async () => {
  const scraper = await shopScraper();
  const page = await world.open(`/scrapers/${scraper.id}/definition`);
  await page.getByText("Choose “Fiction” in “Category”").click();
  await page.getByLabel("Name of the element").first().fill("Genre");
  await page.getByText("Choose “Fiction” in “Genre”").waitFor();
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  const json = page.getByRole("textbox", { name: "Definition" });
  await json.fill("{");
  await page.getByText("This is not valid JSON").waitFor();
  expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
  await json.fill(JSON.stringify({ name: "", steps: [{ type: "click" }], colour: "red" }));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const problems = page.getByRole("alert");
  await inSight(problems);
  for (const path of ["name", "steps[0]", "colour"])
    await problems.getByText(path, { exact: true }).waitFor();
  expect(await json.inputValue()).toContain("colour");
});

test("a schedule is set with its next five times, and a webhook; then the scraper is deleted", async () => {
  const scraper = await shopScraper({ name: "Scheduled" });
  const page = await world.open(`/scrapers/${scraper.id}/schedule`);
  await page.getByRole("button", { name: "Set a schedule" }).click();
  await page.getByRole("combobox", { name: "Time zone" }).fill("Asia/Tokyo");
  await page.getByRole("textbox", { name: "Next time" }).fill("2035-06-01T09:30");
  await page.getByText("Every day at 09:30, Asia/Tokyo").waitFor();
  await page.getByText("Tue, 5 Jun 2035, 09:30").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved as version 2.").waitFor();
  await page.getByRole("link", { name: "Webhook" }).click();
  await page.getByLabel("Address").fill(world.receiverUrl);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved as version 3.").waitFor();
  expect((await world.call<Scraper>(`/v1/scrapers/${scraper.id}`)).body).toMatchObject({
    schedule: { interval: "1 day", timezone: "Asia/Tokyo", next_run: "2035-06-01T00:30:00.000Z" },
    webhook_url: world.receiverUrl,
  });
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete the scraper" }).click();
  await page.waitForURL(/\/scrapers$/);
  expect((await world.call(`/v1/scrapers/${scraper.id}`)).status).toBe(404);
  await page.goto(`${world.service.url}/scrapers/${scraper.id}`);
  await page.getByText("Not found", { exact: true }).waitFor();
});

test("a tab that nobody sees asks for nothing", async () => {
  const { id } = await world.putScraper({
    name: "Watched",
    steps: [{ type: "visit", url: silentUrl }],
  });
  const run = (await world.post("/v1/runs", { scraper_id: id })).body.id;
  const page = await world.open(`/runs/${run}`);
  await page.getByRole("region", { name: "Progress" }).waitFor();
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
  });
  const requests: string[] = [];
  // What is under way is done before the count begins.
  await page.waitForLoadState("networkidle");
  page.on("request", (request) => requests.push(request.url()));
  await page.waitForTimeout(2_500);
  expect(requests).toEqual([]);
  const next = page.waitForRequest(/\/v1\/runs\//);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: false, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await next;
  await world.post(`/v1/runs/${run}/stop`, {});
  expect(complaints).toEqual([]);
});

test("the form shows a definition with a step that it does not know, and the JSON keeps what it can't show", async () => {
  const scraper = await shopScraper();
  const page = await world.open(`/scrapers/${scraper.id}/definition`);
  const enter = async (definition: object) => {
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page.getByLabel("Definition", { exact: true }).fill(JSON.stringify(definition));
    await page.getByRole("button", { name: "Form", exact: true }).click();
  };
  await enter({ name: "Other", steps: [{ type: "visit", url: "https://example.org/" }, { type: "dance" }] });
  await page.getByText("Unknown step “dance”").click();
  await page.getByText("This console does not know steps of this type.").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Another");
  await enter({
    name: "Other",
    steps: [{ type: "get_list", selector: "li", fields: [{ name: "a" }], details: 1 }],
  });
  await page.getByText("The form can’t show this definition").waitFor();
  await enter({ name: "Mended", steps: [{ type: "visit", url: "https://example.org/" }] });
  await page.getByText("Open https://example.org/").waitFor();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Mended");
  expect(complaints).toEqual([]);
});

test("the form edits the pages of rows with a list of their own, and the inputs of the schedule", async () => {
  const scraper = await world.putScraper({
    name: "Categories",
    steps: [
      { id: "open", type: "visit", url: `${world.shopUrl}/books` },
      { id: "list", type: "get_list", selector: ".category", fields: [{ name: "url", attribute: "href" }] },
    ],
  });
  const page = await world.open(`/scrapers/${scraper.id}/definition`);
  await page.getByText("Read the list .category").click();
  await page.getByLabel("Open the page of each row").selectOption("url");
  await page.getByLabel("Name of field 1 of the row’s page").fill("heading");
  await page.getByLabel("Selector on the page of field 1 of the row’s page").fill("h1");
  await page.getByRole("button", { name: "Add a list of the row’s page" }).click();
  expect(await page.getByRole("button", { name: /^Add a list/ }).count()).toBe(0);
  await page.getByLabel("Name of the list").fill("books");
  await page.getByLabel("Selector of the rows of books").fill(".book-card");
  await page.getByLabel("Name of field 1 of books").fill("title");
  await page.getByLabel("Selector in the row of field 1 of books").fill("h2");
  await page.getByRole("button", { name: "Add a field of books" }).click();

  await page.getByLabel("On its schedule, run it for many inputs").check();
  await page
    .getByLabel("Values, one per line")
    .fill(`open\tnr\n${world.shopUrl}/a\t1\n${world.shopUrl}/b\t2`);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved as version 2.").waitFor();
  expect((await world.call<Scraper>(`/v1/scrapers/${scraper.id}`)).body).toMatchObject({
    steps: [
      {},
      {
        fields: [{ name: "url", attribute: "href" }],
        details: {
          url_field: "url",
          fields: [
            { name: "heading", selector: "h1" },
            {
              name: "books",
              list: {
                selector: ".book-card",
                fields: [{ name: "title", selector: "h2" }, { name: "field_1" }],
              },
            },
          ],
        },
      },
    ],
    inputs: [
      { open: `${world.shopUrl}/a`, nr: "1" },
      { open: `${world.shopUrl}/b`, nr: "2" },
    ],
  });
  await page.getByLabel("On its schedule, run it for many inputs").uncheck();
  await page.getByRole("button", { name: "Undo changes" }).click();
  expect(await page.getByLabel("Values, one per line").inputValue()).toContain(`${world.shopUrl}/b\t2`);
  expect(complaints).toEqual([]);
});

test("the recorder goes on with what is not saved yet, and has the same form", async () => {
  const scraper = await shopScraper({ name: "Continued" });
  const page = await world.open(`/scrapers/${scraper.id}/definition`);
  await page.getByLabel("Maximum rows").fill("7");
  await page.getByRole("button", { name: "Edit in the recorder" }).click();
  await page.waitForURL(/\/record\?scraper=/);
  await page.getByText("At most 7 rows").waitFor();
  await page.getByRole("button", { name: "Form", exact: true }).click();
  expect(await page.getByLabel("Maximum rows").inputValue()).toBe("7");
  await page.getByLabel("Maximum rows").fill("8");
  await page.getByRole("button", { name: "Rows", exact: true }).click();
  await page.getByText("At most 8 rows").waitFor();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Saved as version 2").waitFor();
  expect((await world.call<Scraper>(`/v1/scrapers/${scraper.id}`)).body.rows_limit).toBe(8);
  expect(complaints).toEqual([]);
});

test("the chart of credits has those of runs, and says that inspections count towards the month, too", async () => {
  const { id } = await shopScraper();
  const run = await world.finished((await world.post("/v1/runs", { scraper_id: id })).body.id);
  expect(run.credits_used).toBeGreaterThan(0);
  await world.post("/v1/inspections", { url: `${world.shopUrl}/books` });
  const page = await world.open("/settings");
  await page.getByText("Credits of runs by day").waitFor();
  await page.getByText("Inspections, such as those of the recorder, and deleted runs count").waitFor();
  expect(complaints).toEqual([]);
});
