import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import type { Row } from "../../../functions/contract/runs/run.ts";
import { complaints } from "./console-world.ts";
import { storeRun } from "./stored-run.ts";
import { worldOfFile } from "./world-of-file.ts";

/* The grid of a run's rows. */

const world = await worldOfFile();

async function openRows(fields: readonly string[], rows: number, row: (index: number) => Row): Promise<Page> {
  const list = { type: "get_list", selector: "li", fields: fields.map((name) => ({ name })) };
  const steps = [{ type: "visit", url: "https://example.org/" }, list];
  const { id } = await world.putScraper({ name: "Stored", rows_limit: rows, steps });
  const run = await world.withTable((table) =>
    storeRun(table, { account: world.service.credentials.account, scraperId: id, rows, row }),
  );
  const page = await world.open(`/runs/${run}`, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("grid").waitFor();
  return page;
}

const cell = (page: Page, text: string) => page.getByRole("gridcell", { name: text, exact: true });

test("1,000,000 rows scroll from the first to the last, and only some of them are in the page", async () => {
  const page = await openRows(["name", "number"], 1_000_000, (index) => ({
    name: `item ${index}`,
    number: String(index * 7),
  }));
  const grid = page.getByRole("grid");
  await cell(page, "item 0").waitFor();
  expect(await grid.getAttribute("aria-rowcount")).toBe("1000001");
  await grid.focus();
  await page.keyboard.press("Control+End");
  await cell(page, "6999993").waitFor();
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Home");
  const place = await grid.getAttribute("aria-activedescendant");
  expect(Number(place?.split("-").at(-2))).toBeLessThan(999_990);
  // The scroll bar goes to the middle, and the wheel from there line by line.
  await grid.evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2;
  });
  await page
    .getByRole("gridcell", { name: /^item 50\d{4}$|^item 49\d{4}$/ })
    .first()
    .waitFor();
  const first = async () =>
    Number((await grid.getByRole("row").nth(2).getAttribute("aria-rowindex")) ?? Number.NaN);
  const before = await first();
  await grid.hover();
  await page.mouse.wheel(0, 300);
  while ((await first()) === before) await page.waitForTimeout(20);
  expect((await first()) - before).toBe(10);
  expect(await page.getByRole("gridcell").count()).toBeLessThan(200);
  await grid.focus();
  await page.keyboard.press("Control+Home");
  await cell(page, "item 0").waitFor();
  expect(complaints).toEqual([]);
});

test("hostile values are text: never markup, never a link that is no address of the web", async () => {
  const huge = "x".repeat(1_000_000);
  const values: Row[] = [
    { value: "<script>document.title='hacked'</script><img src=x onerror=document.title='hacked'>" },
    { value: "javascript:document.title='hacked'" },
    { value: "data:text/html,<b>hi</b>" },
    { value: "a\u0000b\u001b[31mc" },
    { value: "\u202Eבדיקה abc" },
    { value: "👩‍👩‍👧‍👦 family 🏳️‍🌈" },
    { value: "https://example.org/?a=1&b=%22" },
    { value: huge },
    {},
    { value: "" },
  ];
  const page = await openRows(["value"], values.length, (index) => values[index] ?? {});
  await page.getByText("<script>document.title='hacked'").waitFor();
  const links = page.getByRole("grid").getByRole("link");
  expect(await links.count()).toBe(1);
  expect(await links.first().getAttribute("href")).toBe("https://example.org/?a=1&b=%22");
  expect(await links.first().getAttribute("rel")).toBe("noopener noreferrer");
  await cell(page, "a␀b␛[31mc").waitFor();
  expect(await page.getByRole("grid").locator("script, img").count()).toBe(0);
  await page.getByRole("gridcell", { name: /^xxx/ }).dblclick();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1.0 MB").waitFor();
  expect((await dialog.locator(".value").textContent())?.length).toBe(1_000_000);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("gridcell", { name: /^javascript:/ }).dblclick();
  await dialog.getByText("javascript:document.title").waitFor();
  expect(await dialog.getByRole("link").count()).toBe(0);
  expect(await page.title()).toBe("Stored · Gleaner");
  expect(complaints).toEqual([]);
});

test("cells are selected and copied by keyboard, and columns hidden and resized", async () => {
  const page = await openRows(["a", "b", "c"], 500, (index) => ({
    a: `a${index}`,
    b: index === 0 ? "=1+1" : `b${index}`,
    c: "two\nlines",
  }));
  const grid = page.getByRole("grid");
  await cell(page, "a0").click();
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+c");
  await page.getByText("Copied 6 cells.").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
    'a0\t\'=1+1\t"two\nlines"\na1\tb1\t"two\nlines"',
  );
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  await page.getByText("Copied 1,500 cells.").waitFor();
  expect(String(await page.evaluate("navigator.clipboard.readText()"))).toContain("a499\tb499");

  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "b", exact: true }).uncheck();
  await page.getByRole("slider", { name: "Width of a" }).fill("240");
  await page.keyboard.press("Escape");
  await page.getByText("(1 hidden)").waitFor();
  expect(await grid.getByRole("columnheader", { name: "b", exact: true }).count()).toBe(0);
  const header = grid.getByRole("columnheader", { name: "a", exact: true });
  const width = async () => (await header.boundingBox())?.width ?? 0;
  expect(await width()).toBe(240);
  const box = await header.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 240, (box?.y ?? 0) + 10);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 10);
  await page.mouse.up();
  expect(await width()).toBe(300);
  await page.reload();
  await grid.waitFor();
  expect(await width()).toBe(300);
  expect(complaints).toEqual([]);
});

test("500 columns are there when they are scrolled to", async () => {
  const names = Array.from({ length: 500 }, (_, index) => `column ${index}`);
  const page = await openRows(names, 3, (row) =>
    Object.fromEntries(names.map((name, index) => [name, `${row}/${index}`])),
  );
  await cell(page, "0/0").waitFor();
  expect(await page.getByRole("gridcell").count()).toBeLessThan(150);
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await cell(page, "0/499").waitFor();
  expect(complaints).toEqual([]);
});
