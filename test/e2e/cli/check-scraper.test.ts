import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { newFolder } from "../../new-folder.ts";
import { sendHtml, startSite } from "../../site/site.ts";
import { startWorld } from "../harness.ts";
import { gleaner } from "./gleaner.ts";
import { items, paged } from "./lists.ts";

/* What `gleaner scraper check` finds out about a scraper. */

const site = await startSite();
const world = await startWorld({ allowHosts: [site.host] });
const dir = await newFolder();
afterAll(async () => {
  await world.stop();
  await site.close();
});

const cli = (...args: string[]) => gleaner([...args, "--data", world.data]);
const list = {
  type: "get_list",
  selector: "li",
  fields: [{ name: "title", selector: "b" }],
  timeout_ms: 1_000,
};
const next = { type: "next_button", selector: "[rel=next]" };
site.setRoute(
  "/pages",
  paged("/pages", (page) => items(20, page * 100)),
);
site.setRoute(
  "/twice",
  paged("/twice", () => items(20)),
);
site.setRoute("/plain", items(60));
const definition = (path: string, change: object = {}) => ({
  name: "Checked",
  steps: [
    { type: "visit", url: site.url(path) },
    { ...list, ...change },
  ],
  pagination: next,
});
async function fileWith(content: object): Promise<string> {
  const file = join(dir, "checked.json");
  await writeFile(file, JSON.stringify(content));
  return file;
}

test("shows the time of each step, what fields have, and what page 2 brought", async () => {
  const { id } = await world.putScraper(definition("/pages"));
  const said = await cli("scraper", "check", id);
  expect(said.code).toBe(0);
  expect(said.stdout).toMatch(/^Checked\n {2}1\. open \S+: \d+ ms\n {2}2\. read the list li: \d+ ms\n/);
  expect(said.stdout).toMatch(/│ title +│ 100 % +│ text +│ Item 100 \| Item 101 \| Item 102 │\n/);
  expect(said.stdout).toContain("Page 1: 20 rows\nPage 2: 20 rows, all of them new\nGood: ");
  expect(said.stderr).toContain(`Next: npx gleaner run start ${id} --watch -o rows.xlsx`);
});

test("prints its inspections as JSON, and stores no run", async () => {
  const { id } = await world.putScraper(definition("/pages"));
  const said = await cli("scraper", "check", id, "--json", "--pages", "3");
  const { good, problems, inspections } = JSON.parse(said.stdout);
  expect([said.code, good, problems, inspections.length]).toEqual([0, true, [], 1]);
  expect(inspections[0].pages.map((page: { new_rows: number }) => page.new_rows)).toEqual([20, 20, 20]);
  expect(inspections[0].rows).toHaveLength(60);
  expect((await world.call<Scraper>(`/v1/scrapers/${id}`)).body.last_run).toBeNull();
});

test.each([
  [
    "a step that fails",
    definition("/pages", { selector: ".gone" }),
    /Problem: It failed at step 2: Nothing on .* matches/,
  ],
  [
    "a field that no row has",
    definition("/pages", {
      fields: [
        { name: "title", selector: "b" },
        { name: "price", selector: ".gone" },
      ],
    }),
    /Problem: No row has a value for the field price\. Check its selector\./,
  ],
  ["the same rows on page 2", definition("/twice"), /Problem: .* (same rows|second page)/],
  [
    "no second page",
    {
      ...definition("/plain"),
      pagination: { type: "url_template", url: `${site.url("/nowhere")}?page={page}` },
    },
    /Problem: /,
  ],
])("exits with 1 for %s", async (_, content, problem) => {
  const file = await fileWith(content);
  const said = await cli("scraper", "check", file);
  expect(said).toMatchObject({ code: 1, stdout: expect.stringMatching(problem) });
  expect(said.stderr).toContain(`Change ${file}, and check it again.`);
  const { good, problems } = JSON.parse((await cli("scraper", "check", file, "--json")).stdout);
  expect([good, problems.length > 0]).toEqual([false, true]);
});

test.each([
  [{ type: "visit", url: "http://localhost:8099/" }, "--allow-host localhost:8099"],
  [{ type: "write_input", value: "{{secret:gone}}" }, 'The account has no secret "gone"'],
])("gives no advice to change a file that may be right: %j", async (step, message) => {
  const { steps, ...rest } = definition("/pages");
  const file = await fileWith({ ...rest, steps: [steps[0], step, steps[1]] });
  const said = await cli("scraper", "check", file);
  expect(said).toMatchObject({ code: 1, stdout: expect.stringContaining(message) });
  expect(said.stdout).not.toContain("│ field");
  expect(said.stderr).not.toContain("Change ");
});

test("does not end with praise where there are warnings", async () => {
  site.setRoute("/more", `<p>1–20 of 57</p>${items(20)}`);
  const said = await cli(
    "scraper",
    "check",
    await fileWith({ ...definition("/more"), pagination: { type: "none" } }),
  );
  expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining("Warning rows_may_be_missing: ") });
  expect(said.stdout).toMatch(/has values\. But look at the warnings above\.\n$/);
  expect(said.stdout).not.toContain("Good");
});

test("reads one page of a scraper without pagination", async () => {
  const said = await cli(
    "scraper",
    "check",
    await fileWith({ ...definition("/plain"), pagination: { type: "none" } }),
  );
  expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining("Page 1: 50 rows\nGood: ") });
});

test("opens the pages of a few rows, and does not take those for pages of the list", async () => {
  site.setRoute("/one", "<h1>Details</h1><p class=note>Signed</p>");
  const rows = Array.from(
    { length: 20 },
    (_, row) => `<li><b>Item ${row}</b><a href="/one?${row}">more</a></li>`,
  );
  site.setRoute("/linked", `<ul>${rows.join("")}</ul>`);
  const fields = [...list.fields, { name: "url", selector: "a", attribute: "href" }];
  const details = { url_field: "url", fields: [{ name: "note", selector: ".note" }] };
  const content = definition("/linked", { fields, details });
  const alone = await cli("scraper", "check", await fileWith({ ...content, pagination: { type: "none" } }));
  expect(alone).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/│ note +│ 100 % +│ text +│ Signed/),
  });
  const said = await cli("scraper", "check", await fileWith(content), "--json");
  const { problems, inspections } = JSON.parse(said.stdout);
  expect(problems).toEqual(["There was no second page. Check the pagination, unless the list has one page."]);
  expect(
    inspections.map(({ pages }: { pages: { rows: number }[] }) => pages.map((page) => page.rows)),
  ).toEqual([[20], [5]]);
});

test("counts the steps of a page that fails for a moment once", async () => {
  let answers = 0;
  site.setRoute("/moment", (_, response) => {
    answers += 1;
    sendHtml(response, items(3), answers === 1 ? 503 : 200);
  });
  const content = { ...definition("/moment"), pagination: { type: "none" } };
  const said = await cli("scraper", "check", await fileWith(content), "--json");
  const [{ steps }] = JSON.parse(said.stdout).inspections;
  expect([said.code, answers]).toEqual([0, 2]);
  expect(steps.map(({ index }: { index: number }) => index)).toEqual([0, 1]);
});

test("takes only what is a scraper", async () => {
  expect(await cli("scraper", "check", join(dir, "none.json"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is no file"),
  });
  expect(await cli("scraper", "check", "01a1fc3c-acb4-7463-96cb-370000000001")).toMatchObject({ code: 4 });
  expect(await cli("scraper", "check", await fileWith({ name: "", steps: [] }))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/These problems were found:\n.*name: must not be empty/),
  });
  expect(await cli("scraper", "check", "x.json", "--pages", "4")).toMatchObject({ code: 2 });
});
