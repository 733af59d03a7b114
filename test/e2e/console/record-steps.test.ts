import { afterAll, expect, test } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import type { Run } from "../../../functions/contract/runs/run.ts";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { withService } from "../../../local/connect.ts";
import { sendHtml, startSite } from "../../site/site.ts";
import { listenReachably } from "../shared/shared-service.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

/* Steps that are recorded on the page, stored, opened again and changed: in the end, a run brings the right rows. */

const site = await startSite(0, listenReachably);
afterAll(() => site.close());
const world = await worldOfFile();

const PASSWORD = "pl4nted-in-the-recorder";
const item = (number: number) =>
  `<li class="item"><h3>Item ${number}</h3><p class="price">€ ${number},50</p></li>`;
const items = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => item(from + index)).join("");
const listOfItems = (from: number, to: number) =>
  `<main><h1>Items</h1><ul class="items">${items(from, to)}</ul></main>`;
const titles = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `Item ${from + index}`);

const record = (path: string) => world.open(`/record?url=${encodeURIComponent(site.url(path))}`);
const rowsRead = (page: Page, count: number) => page.getByText(`${count} rows on the page`).waitFor();

/** Uses an element of the page by the list of elements, in a mode of the recorder. */
async function use(page: Page, mode: string, words: string): Promise<void> {
  await page.locator(".chips-state .status").waitFor({ state: "detached" });
  const twin = page.getByRole("button", { name: /^As a (?:list|picture)$/ });
  if ((await twin.textContent()) === "As a list") await twin.click();
  await page.getByRole("button", { name: mode, exact: true }).click();
  const elements = page.getByRole("listbox");
  const option = elements.getByRole("option", { name: words }).first();
  await elements.selectOption((await option.getAttribute("value")) ?? "");
  await elements.press("Enter");
}

async function save(page: Page): Promise<Scraper> {
  await page.getByRole("button", { name: "Save scraper" }).click();
  await page.waitForURL(/scraper=/);
  return stored(page);
}

async function saveChanges(page: Page, version: number): Promise<Scraper> {
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText(`Saved as version ${version}`).waitFor();
  return stored(page);
}

const stored = async (page: Page) =>
  (await world.call<Scraper>(`/v1/scrapers/${new URL(page.url()).searchParams.get("scraper")}`)).body;

async function runOf(scraper: Scraper): Promise<Run> {
  const { body } = await world.post("/v1/runs", { scraper_id: scraper.id });
  return world.finished(body.id);
}

/** Opens a stored scraper in the recorder, as somebody does days later. */
const reopen = ({ id }: Scraper) => world.open(`/record?scraper=${id}`);

const dialogOf = (page: Page) => page.getByRole("dialog");

test("a sign-in with a stored secret: no answer and no definition has its value", async () => {
  const { account } = world.service.credentials;
  await withService(world, (_, secrets) =>
    secrets.put(account, "items_password", { value: PASSWORD, hosts: [site.host] }, new Date()),
  );
  site.setRoute(
    "/sign-in",
    `<h1>Sign in</h1><form method="post" action="/items"><label>Email <input name="email" type="email"></label>
    <label>Password <input name="password" type="password"></label><button>Sign in</button></form>`,
  );
  site.setRoute("/items", async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const form = new URLSearchParams(body);
    const isRight = form.get("password") === PASSWORD && form.get("email") === "ada@example.org";
    sendHtml(response, isRight ? listOfItems(1, 7) : "<h1>Wrong password</h1>", isRight ? 200 : 403);
  });
  const page = await record("/sign-in");
  const answers: string[] = [];
  page.on("response", async (response) => {
    if (response.url().endsWith("/v1/inspections")) answers.push(await response.text().catch(() => ""));
  });
  await use(page, "Type", "Input “Email”");
  await dialogOf(page).getByLabel("Text").fill("ada@example.org");
  await dialogOf(page).getByRole("button", { name: "Type it" }).click();
  await page
    .getByRole("button", { name: /Type “ada@example.org” into “Email”/ })
    .first()
    .waitFor();
  await use(page, "Type", "Input “Password”");
  // A password is a secret without asking. A name that is not stored fails, and says what to do.
  await dialogOf(page).getByLabel("Name of the secret").fill("no_such_secret");
  await dialogOf(page).getByLabel("Then press Enter").check();
  await dialogOf(page).getByRole("button", { name: "Type it" }).click();
  await page
    .getByText(/no_such_secret.*Add it on the settings page/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: /Type .* into “Password” failed/ }).click();
  await dialogOf(page).getByLabel("Value").fill("{{secret:items_password}}");
  await dialogOf(page).getByRole("button", { name: "Try it" }).click();
  await rowsRead(page, 7);
  const scraper = await save(page);
  expect(scraper.steps.map(({ type }) => type)).toEqual(["visit", "write_input", "write_input", "get_list"]);
  expect(scraper.steps[2]).toMatchObject({ value: "{{secret:items_password}}", submit: true });
  expect((await runOf(scraper)).result_rows?.map((row) => row.title)).toEqual(titles(1, 7));

  const later = await reopen(scraper);
  await rowsRead(later, 7);
  await later.getByText("the picture has dots in the places of secrets, and no images").waitFor();
  await later.locator(".picture img").waitFor();
  await later.getByLabel("Name of the column title", { exact: true }).fill("item");
  await later.keyboard.press("Enter");
  const changed = await saveChanges(later, 2);
  expect(answers.length).toBeGreaterThan(3);
  for (const text of [...answers, await page.content(), await later.content(), JSON.stringify(changed)])
    expect(text).not.toContain(PASSWORD);
  expect(complaints).toEqual([]);
});

test("a wait for what comes late, changed to what comes later", async () => {
  // What comes after so long is waited for by steps that ask for it.
  site.setRoute(
    "/late",
    `<p id="state">Prices are being computed</p>${listOfItems(1, 3)}<script>
    setTimeout(async () => {
      const more = await (await fetch("/late/items")).text();
      if (more === "") return;
      document.querySelector(".items").insertAdjacentHTML("beforeend", more);
      state.id = "done";
    }, 9_000);
    </script>`,
  );
  let isComputed = false;
  site.setRoute("/late/items", (_, response) => void response.end(isComputed ? items(4, 9) : ""));
  const chip = (tab: Page) =>
    tab.getByRole("list", { name: "Steps" }).getByRole("button", { name: "Wait for" });
  const page = await record("/late");
  await rowsRead(page, 3);
  await use(page, "Wait", "Text “Prices are being computed”");
  await chip(page).first().waitFor();
  await rowsRead(page, 3);
  const scraper = await save(page);
  expect(scraper.steps[1]).toMatchObject({ type: "wait" });

  const later = await reopen(scraper);
  await rowsRead(later, 3);
  isComputed = true;
  await chip(later).first().click();
  await dialogOf(later).getByLabel("Selector").fill("#done");
  await dialogOf(later).getByRole("button", { name: "Try it" }).click();
  await rowsRead(later, 9);
  const changed = await saveChanges(later, 2);
  expect(changed.steps[1]).toMatchObject({ type: "wait", selector: "#done" });
  expect((await runOf(changed)).result_rows?.map((row) => row.title)).toEqual(titles(1, 9));
  expect(complaints).toEqual([]);
});

test("a menu that opens under the pointer, and another entry of it", async () => {
  const menu = `<style>nav ul { display: none } nav:hover ul { display: block }</style>
    <nav><b tabindex="0">Departments</b><ul><li><a href="/lamps">Lamps</a></li><li><a href="/chairs">Chairs</a></li></ul></nav>`;
  site.setRoute("/departments", `${menu}<p>Choose a department.</p>`);
  site.setRoute("/lamps", listOfItems(1, 5));
  site.setRoute("/chairs", listOfItems(21, 24));
  const page = await record("/departments");
  await use(page, "Hover", "Text “Departments”");
  await page
    .getByRole("button", { name: /^\S* ?Point at/ })
    .first()
    .waitFor();
  await use(page, "Click", "Link “Lamps”");
  await rowsRead(page, 5);
  const scraper = await save(page);
  expect(scraper.steps.map(({ type }) => type)).toEqual(["visit", "hover", "click", "get_list"]);
  expect((await runOf(scraper)).result_rows?.map((row) => row.title)).toEqual(titles(1, 5));

  const later = await reopen(scraper);
  await rowsRead(later, 5);
  await later.getByRole("button", { name: "Click “Lamps”", exact: false }).first().click();
  await dialogOf(later).getByLabel("Name of the element").fill("Chairs");
  await dialogOf(later).getByRole("button", { name: "Try it" }).click();
  await rowsRead(later, 4);
  const changed = await saveChanges(later, 2);
  expect((await runOf(changed)).result_rows?.map((row) => row.title)).toEqual(titles(21, 24));
  expect(complaints).toEqual([]);
});

test("a list that a button makes longer, proved and read to its end", async () => {
  site.setRoute(
    "/more",
    `${listOfItems(1, 10)}<button id="more">Show more items</button><script>
    let shown = 10;
    more.onclick = async () => {
      const html = await (await fetch("/more/items?from=" + (shown + 1))).text();
      document.querySelector(".items").insertAdjacentHTML("beforeend", html);
      shown += 10;
      if (shown >= 37) more.remove();
    };
    </script>`,
  );
  site.setRoute("/more/items", (request, response) => {
    const from = Number(new URL(request.url ?? "", site.origin).searchParams.get("from"));
    sendHtml(response, items(from, Math.min(37, from + 9)));
  });
  const page = await record("/more");
  await page.getByText(/10 rows on (?:the page|page 1)/).waitFor();
  // The button is found, tried and taken without a click.
  await page.getByText("10 new rows on page 2").first().waitFor();
  const scraper = await save(page);
  expect(scraper.pagination).toMatchObject({ type: "load_more" });
  expect((await runOf(scraper)).result_rows?.map((row) => row.title)).toEqual(titles(1, 37));
  expect(complaints).toEqual([]);
});

test("what is pointed at while the steps still run is not used, and the page says so", async () => {
  site.setRoute("/slow", `<label>Find <input></label>${listOfItems(1, 3)}`);
  const page = await record("/slow");
  await rowsRead(page, 3);
  const late = Promise.withResolvers<void>();
  await page.route("**/v1/inspections", async (route) => {
    const response = await route.fetch();
    await late.promise;
    await route.fulfill({ response });
  });
  await use(page, "Click", "Heading “Items”");
  const elements = page.getByRole("listbox");
  await elements.press("Enter");
  const said = page.getByText("Point at it again when it is there");
  await said.waitFor();
  late.resolve();
  await said.waitFor({ state: "detached" });
  await rowsRead(page, 3);
  expect(
    await page
      .getByRole("list", { name: "Steps" })
      .getByText(/^Click/)
      .count(),
  ).toBe(1);
  expect(complaints).toEqual([]);
});

test("what an input gets is asked for beside it, without leaving the page", async () => {
  site.setRoute(
    "/form",
    // The second input stands where the first one's dialog does not cover it.
    `<style>body { margin: 0 } input { position: absolute; top: 80px; width: 200px; height: 30px }</style>
    <label>First<input style="left: 60px"></label><label>Second<input style="left: 1000px"></label>`,
  );
  const page = await record("/form");
  const picture = page.locator(".picture");
  await picture.waitFor();
  await page.locator(".chips-state .status").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Type", exact: true }).click();
  const isEarly = page.getByText("Point at it again when it is there");
  /** Points at an input, by how far it stands from the left of the page, until its dialog opens. */
  const point = async (left: number, dialog: Locator) => {
    for (;;) {
      await page.locator(".picture:not(.is-old)").waitFor();
      const { width = 0 } = (await picture.boundingBox()) ?? {};
      const scale = width / Number(await picture.getAttribute("data-width"));
      await picture.click({ position: { x: (left + 100) * scale, y: 95 * scale } });
      await dialog.or(isEarly).first().waitFor();
      if ((await dialog.count()) > 0) return scale;
    }
  };
  const first = page.getByRole("dialog", { name: "First" });
  const second = page.getByRole("dialog", { name: "Second" });
  const scale = await point(60, first);
  expect(await first.getByLabel("Text").evaluate((input) => input === document.activeElement)).toBe(true);
  const [box, frame] = [await first.boundingBox(), await picture.boundingBox()];
  const below = (box?.y ?? 0) - ((frame?.y ?? 0) + 110 * scale);
  expect(Math.abs(below)).toBeLessThan(40);
  expect(Math.abs((box?.x ?? 0) - ((frame?.x ?? 0) + 60 * scale))).toBeLessThan(40);
  // The next input is one click away.
  await point(1_000, second);
  expect(await first.count()).toBe(0);
  await page.keyboard.press("Escape");
  await second.waitFor({ state: "detached" });
  await page.setViewportSize({ width: 320, height: 640 });
  await point(60, first);
  const narrow = await first.boundingBox();
  expect(narrow?.x).toBeGreaterThanOrEqual(0);
  expect((narrow?.x ?? 0) + (narrow?.width ?? 0)).toBeLessThanOrEqual(320);
  expect((narrow?.y ?? 0) + (narrow?.height ?? 0)).toBeLessThanOrEqual(640);
  await first.getByLabel("Text").fill("here");
  await page.keyboard.press("Enter");
  await page
    .getByRole("button", { name: /Type “here” into “First”/ })
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
});

test("a page that is three times as wide keeps its scale, and is pointed at beyond the edge", async () => {
  const far = "<b style='position:absolute;left:3600px;top:120px;font-size:60px'>Far away</b>";
  site.setRoute("/wide", `<div style="width:4098px">${listOfItems(1, 6)}${far}</div>`);
  const page = await record("/wide");
  await rowsRead(page, 6);
  const picture = page.locator(".picture");
  const [width = 0, visible = 0] = await picture.evaluate(({ clientWidth, parentElement }) => [
    clientWidth,
    parentElement?.clientWidth ?? 0,
  ]);
  expect(width / visible).toBeCloseTo(3, 1);
  await picture.hover({ position: { x: (3_650 * width) / 4_098, y: (150 * width) / 4_098 } });
  const outline = picture.locator(".outline.hovered");
  await outline.waitFor();
  expect(await outline.getAttribute("x")).toBe("3600");
  expect(complaints).toEqual([]);
});
