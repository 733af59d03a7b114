import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import type { Inspection } from "../../../functions/contract/inspections/inspection.ts";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

/* The recorder, on the bundled shop: what it records runs in the real engine. */

const world = await worldOfFile();

const address = (page: Page) => page.getByLabel("Address of a page with a list");
const proved = (page: Page) => page.getByText("12 rows on page 1, 12 new rows on page 2");
const name = (page: Page) => page.getByLabel("Name", { exact: true });
const column = (page: Page, of: string) => page.getByLabel(`Name of the column ${of}`, { exact: true });
/** The scraper that the recorder has stored: its id is in the address then. */
async function stored(page: Page): Promise<Scraper> {
  await page.waitForURL(/scraper=/);
  const id = new URL(page.url()).searchParams.get("scraper");
  return (await world.call<Scraper>(`/v1/scrapers/${id}`)).body;
}
const listOf = ({ steps }: Scraper) => {
  const list = steps.find(({ type }) => type === "get_list");
  if (list?.type !== "get_list") throw new Error("The scraper reads no list.");
  return list;
};

test("an address becomes a scraper by two clicks, and its run brings the rows of all pages", async () => {
  const page = await world.open("/record");
  await address(page).fill(`${world.shopUrl.replace("http://", "")}/books`);
  await page.getByRole("button", { name: "Find its lists" }).click();
  // It waits for the proof that is under way.
  await page.getByRole("button", { name: "Save scraper" }).click();
  const scraper = await stored(page);
  expect(scraper).toMatchObject({
    name: "All books · Foxed & Bound",
    pagination: { type: "next_button" },
    rows_limit: 1_000,
    schedule: null,
  });
  await page.getByRole("button", { name: "Run it now" }).click();
  await page.waitForURL(/\/runs\/[0-9a-f-]+/);
  const run = await world.finished(new URL(page.url()).pathname.split("/").at(-1) ?? "");
  expect(run).toMatchObject({ status: "successful", source: "app", row_count: 58 });
  expect(run.result_rows?.[0]).toMatchObject({ title: "The Odyssey", book_author: "Homer", price: "£3.00" });
  expect(complaints).toEqual([]);
});

test("the same by keyboard alone, with another list first, and a column renamed", async () => {
  const page = await world.open("/record");
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const tabTo = async (locator: ReturnType<Page["locator"]>) => {
    await locator.waitFor();
    for (let presses = 0; presses < 100; presses += 1) {
      if ((await locator.and(page.locator(":focus")).count()) === 1) return;
      await page.keyboard.press("Tab");
    }
    throw new Error("The Tab key does not lead there.");
  };
  await address(page).focus();
  await page.keyboard.type(`${world.shopUrl}/books`);
  await press("Enter");
  await proved(page).waitFor();
  await tabTo(page.getByRole("radio", { name: /12 rows/ }));
  await press("ArrowDown");
  await page.getByText("Second-hand books, bought fairly").first().waitFor();
  await press("ArrowUp");
  await proved(page).waitFor();
  await tabTo(column(page, "book_author"));
  await press("Control+a");
  await page.keyboard.type("author");
  await press("Enter");
  await column(page, "author").waitFor();
  await tabTo(page.getByRole("button", { name: "Remove the column stars" }));
  await press("Enter");
  await page.getByRole("button", { name: "Add the column stars" }).waitFor();
  await tabTo(name(page));
  await press("Control+a");
  await page.keyboard.type("Books by keyboard");
  await press("Enter");
  const scraper = await stored(page);
  expect(scraper.name).toBe("Books by keyboard");
  const names = listOf(scraper).fields.map((field) => field.name);
  expect(names).toContain("author");
  expect(names).not.toContain("stars");
  await tabTo(page.getByRole("button", { name: "Run it now" }));
  expect(complaints).toEqual([]);
});

test("rows like two elements are found, and steps on the picture run in the engine", async () => {
  const page = await world.open(`/record?url=${encodeURIComponent(`${world.shopUrl}/books`)}`);
  await proved(page).waitFor();
  await page.getByRole("button", { name: "As a list" }).click();
  const elements = page.getByRole("listbox");
  const use = async (words: RegExp) => {
    const label = await elements.getByRole("option", { name: words }).first().textContent();
    await elements.selectOption({ label: label ?? "" });
    await elements.press("Enter");
  };
  await page.getByRole("button", { name: "Rows like these two…" }).click();
  await use(/^Link “Travel”/);
  await use(/^Link “Nature”/);
  await page.getByText("7 rows on the page").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await proved(page).waitFor();

  await page.getByRole("button", { name: "Type", exact: true }).click();
  await use(/“Category”/);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Choose").selectOption("Travel");
  await dialog.getByRole("button", { name: "Choose it" }).click();
  await page
    .getByRole("button", { name: /Choose “Travel” in “Category”/ })
    .first()
    .waitFor();
  await page
    .getByText(/rows? on the page|new rows? on page 2/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Save scraper" }).click();
  const { steps } = await stored(page);
  expect(steps.map(({ type }) => type)).toEqual(["visit", "select_dropdown", "get_list"]);
  expect(complaints).toEqual([]);
});

test("clicks on the picture choose lists and columns, read single values and become steps", async () => {
  const page = await world.open(`/record?url=${encodeURIComponent(`${world.shopUrl}/books`)}`);
  await proved(page).waitFor();
  const picture = page.locator(".picture");
  /** Clicks the middle of the first element of the page with this text, as the picture shows it. */
  const point = async (text: string) => {
    const { map, page: size } = await inspected;
    const [, , x = 0, y = 0, width = 0, height = 0] =
      map?.elements.find((element) => element[6] === text) ?? [];
    const box = await picture.boundingBox();
    const scale = (box?.width ?? 0) / (size?.width ?? 1);
    const position = {
      x: (Number(x) + Number(width) / 2) * scale,
      y: (Number(y) + Number(height) / 2) * scale,
    };
    await picture.click({ position });
  };
  const want = ["map"];
  const inspected = world
    .post<Inspection>("/v1/inspections", { url: `${world.shopUrl}/books`, want })
    .then(({ body }) => body);

  await page.getByRole("button", { name: "List 4: 7 rows" }).click();
  await page.getByText("7 rows on the page").waitFor();
  await point("Homer");
  await proved(page).waitFor();
  await point("Homer");
  await page.getByRole("button", { name: "Add the column book_author" }).waitFor();
  await point("Vanity Fair");
  expect(await column(page, "title").count()).toBe(0);

  await page.keyboard.press("s");
  await point("1–12 of 58 books");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name of its column").fill("page");
  await dialog.getByRole("button", { name: "Add it" }).click();
  await proved(page).waitFor();
  await page.keyboard.press("c");
  await point("Travel");
  await page.getByRole("button", { name: "Click “Travel”", exact: true }).waitFor();
  await page.getByRole("button", { name: "Save scraper" }).click();
  const scraper = await stored(page);
  expect(scraper.steps.map(({ type }) => type)).toEqual(["visit", "get_text", "click", "get_list"]);
  expect(scraper.steps[2]).toMatchObject({ field_name: "Travel" });
  expect(complaints).toEqual([]);
});

test("a link from elsewhere opens no page before a click, and reaches no other route by its id", async () => {
  const page = await world.follow("/runs");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(new URL(request.url()).pathname));
  await page.getByRole("button", { name: "Use the key of the link" }).click();
  const books = `${world.shopUrl}/books`;
  await page.goto(`${world.service.url}/record?url=${encodeURIComponent(books)}`);
  const open = page.getByRole("button", { name: "Open the page" });
  await open.waitFor();
  await page.getByText(books).waitFor();
  // The account is read by the same page, after whatever the address would start.
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "Account" }).waitFor();
  expect(sent).not.toContain("/v1/inspections");
  await page.goBack();
  await open.click();
  await proved(page).waitFor();
  await page.reload();
  await proved(page).waitFor();
  await page.goto(`${world.service.url}/record?scraper=../openapi.json`);
  await open.click();
  await page.getByText("is not an id").waitFor();
  expect(sent).not.toContain("/openapi.json");
  expect(sent).not.toContain("/v1/openapi.json");
  expect(complaints).toEqual([]);
});

test("a stored scraper that fails is shown with its failed step, mended and stored again", async () => {
  const steps = [
    { type: "visit", url: `${world.shopUrl}/books` },
    { type: "click", field_name: "Ficshun", timeout_ms: 0 },
    { type: "get_list", selector: ".book-card", fields: [{ name: "title", selector: "h3" }] },
  ];
  const { id } = await world.putScraper({ name: "Misspelt", steps });
  const page = await world.open(`/record?scraper=${id}&step=1`);
  await page.getByText("Step 2 failed").waitFor();
  await page.getByRole("button", { name: /Click “Ficshun” failed/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name of the element").fill("Fiction");
  await dialog.getByRole("button", { name: "Try it" }).click();
  await page.getByText(/rows on the page/).waitFor();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Saved as version 2").waitFor();
  const { body } = await world.call<Scraper>(`/v1/scrapers/${id}`);
  expect(body.steps[1]).toMatchObject({ type: "click", field_name: "Fiction" });
  expect(complaints).toEqual([]);
});

test("two people who change one scraper see both versions, and one of them decides", async () => {
  const definition = {
    name: "Contested",
    steps: [
      { type: "visit", url: `${world.shopUrl}/books` },
      { type: "get_list", selector: ".book-card", fields: [{ name: "title", selector: "h3" }] },
    ],
  };
  const { id } = await world.putScraper(definition);
  const page = await world.open(`/record?scraper=${id}`);
  await page.getByText("12 rows on the page").waitFor();
  const put = {
    method: "PUT",
    body: JSON.stringify({ ...definition, name: "Theirs" }),
    headers: { "content-type": "application/json" },
  };
  expect((await world.call(`/v1/scrapers/${id}`, put)).status).toBe(200);
  await name(page).fill("Mine");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Somebody else has changed this scraper").waitFor();
  await page.getByRole("cell", { name: '"Theirs"' }).waitFor();
  await page.getByRole("button", { name: "Save mine instead" }).click();
  await page.getByText("Saved as version 3").waitFor();
  expect((await world.call<Scraper>(`/v1/scrapers/${id}`)).body.name).toBe("Mine");
  // The browser itself reports the answer with the status 412.
  expect(complaints.splice(0).filter((each) => !each.includes("412"))).toEqual([]);
});

test("values of each row's page become columns", async () => {
  const page = await world.open(
    `/record?url=${encodeURIComponent(`${world.shopUrl}/books?category=travel`)}`,
  );
  await page.getByRole("button", { name: "Pick values there…" }).click();
  await page.getByText("This is the page of the first row").waitFor();
  await page.getByRole("button", { name: "As a list" }).click();
  const heading = page.getByRole("option", { name: /^Heading/ }).first();
  const title = (await heading.textContent()) ?? "";
  await page.getByRole("listbox").selectOption({ label: title });
  await page.getByRole("button", { name: "Read its value" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name of its column").fill("heading");
  await dialog.getByRole("button", { name: "Add it" }).click();
  await column(page, "heading").waitFor();
  await page
    .getByRole("cell", { name: title.replace(/^Heading “|”$/g, ""), exact: true })
    .nth(1)
    .waitFor();
  await page.getByRole("button", { name: "Save scraper" }).click();
  const list = listOf(await stored(page));
  expect(list.details?.fields.map((field) => field.name)).toEqual(["heading"]);
  expect(complaints).toEqual([]);
});

test("the JSON and the form are one definition, and invalid JSON says where", async () => {
  const page = await world.open(`/record?url=${encodeURIComponent(`${world.shopUrl}/books`)}`);
  await proved(page).waitFor();
  await page.getByRole("button", { name: "JSON" }).click();
  const json = page.getByLabel("Definition");
  const text = await json.inputValue();
  const withLimit = (limit: string) =>
    text.replace('"schedule": null', `"rows_limit": ${limit},\n  "schedule": null`);
  await json.fill(withLimit("1,000"));
  const line =
    withLimit("1,000")
      .split("\n")
      .findIndex((each) => each.includes("rows_limit")) + 1;
  await page.getByText(`This is not valid JSON: line ${line}, column`).waitFor();
  await json.fill(withLimit("25").replace('"book_author"', '"writer"'));
  await page.getByRole("button", { name: "Form" }).click();
  expect(await page.getByLabel("Maximum rows").inputValue()).toBe("25");
  await page.getByRole("button", { name: "Rows", exact: true }).click();
  await page.getByText("At most 25 rows").waitFor();
  await column(page, "writer").waitFor();
  expect(complaints).toEqual([]);
});

test("an older answer that comes late changes nothing", async () => {
  const page = await world.open("/record");
  const late = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route("**/v1/inspections", async (route) => {
    const isOld = route.request().postData()?.includes("category=travel") ?? false;
    const response = await route.fetch();
    if (isOld) await late.promise;
    await route.fulfill({ response }).catch(() => undefined);
    if (isOld) answered.resolve();
  });
  await address(page).fill(`${world.shopUrl}/books?category=travel`);
  await address(page).press("Enter");
  await address(page).fill(`${world.shopUrl}/books`);
  await address(page).press("Enter");
  await proved(page).waitFor();
  late.resolve();
  await answered.promise;
  // What comes of an answer is drawn in the next frame.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await page.getByRole("radio", { name: /12 rows/ }).waitFor();
  expect(await name(page).inputValue()).toBe("All books · Foxed & Bound");
  expect(complaints).toEqual([]);
});

test("a page that refuses the visit says so, and is tried through a proxy that is set up", async () => {
  const page = await world.open("/record");
  await address(page).waitFor();
  await page.evaluate(() =>
    document
      .querySelector('meta[name="gleaner-service"]')
      ?.setAttribute("content", JSON.stringify({ proxies: ["datacenter"] })),
  );
  const proxies: unknown[] = [];
  await page.route("**/v1/inspections", async (route) => {
    const { definition } = route.request().postDataJSON();
    proxies.push(definition.proxy.type);
    const found = { code: "visit_refused", message: "The page asks for a proof.", step: null };
    const body = {
      ...{ ok: true, error: null, steps: [], rows: [], fields: [], lists: [], pagination: [], forms: [] },
      ...{ page: { url: "https://example.org/", title: "Just a moment", width: 1280, height: 800 } },
      ...{ consent: null, map: { elements: [], handles: [] }, screenshot: null, pages: [] },
      ...{ warnings: proxies.length === 1 ? [found] : [], credits_used: 1, ms: 1 },
    };
    await route.fulfill({ json: body });
  });
  await address(page).fill("example.org");
  await address(page).press("Enter");
  await page.getByText("The page refuses the visit").waitFor();
  expect(await page.getByRole("button", { name: "Save scraper" }).isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: "Try through a residential proxy" }).count()).toBe(0);
  await page.getByRole("button", { name: "Try through a datacenter proxy" }).click();
  await page.getByText("The page refuses the visit").waitFor({ state: "detached" });
  expect(proxies).toEqual(["none", "datacenter"]);
  expect(complaints).toEqual([]);
});

test("who leaves with a recording that is not saved is asked", async () => {
  const page = await world.open(`/record?url=${encodeURIComponent(`${world.shopUrl}/books`)}`);
  await proved(page).waitFor();
  const asked: string[] = [];
  page.once("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole("link", { name: "Home" }).click();
  expect(asked).toEqual(["What you recorded is not saved. Leave this page?"]);
  await proved(page).waitFor();
  page.once("dialog", (dialog) => void dialog.accept());
  await page.getByRole("link", { name: "Home" }).click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  expect(complaints).toEqual([]);
});

test("a column becomes numbers, as the dialog shows with values of the page, and so does the form of the scraper", async () => {
  const page = await world.open(`/record?url=${encodeURIComponent(`${world.shopUrl}/books`)}`);
  await proved(page).waitFor();
  const dialog = page.getByRole("dialog");
  const shows = (text: string, result: string) =>
    dialog.getByRole("row").filter({ hasText: text }).getByText(result, { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Change the values of the column price" }).click();
  await shows("£3.00", "£3.00");
  await dialog.getByLabel("Change the values").selectOption("number");
  await shows("£3.00", "3.00");
  await dialog.getByLabel("Take").selectOption("regex");
  await dialog.getByLabel("Pattern").fill("3(.*)");
  await shows("£9.00", "Stays as it is: it has nothing that the regex matches.");
  await dialog.getByLabel("Take").selectOption("number");
  await dialog.getByLabel("Written as in").fill("en-GB");
  await dialog.getByLabel("Leave out rows without a value").check();
  await shows("£9.00", "9.00");
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Save scraper" }).click();
  const scraper = await stored(page);
  const priceOf = (fields: ReturnType<typeof listOf>["fields"]) =>
    fields.find((field) => field.name === "price");
  const price = { name: "price", selector: ".price", required: true };
  expect(priceOf(listOf(scraper).fields)).toEqual({
    ...price,
    transform: [{ type: "number", locale: "en-GB" }],
  });

  await page.goto(`${world.service.url}/scrapers/${scraper.id}/definition`);
  await page.getByText("Read the list .book-card").click();
  await page.getByRole("button", { name: "Change the values of the field price" }).click();
  await dialog.getByLabel("Change them once more").selectOption("strip");
  await dialog.getByRole("button", { name: "Try it, for a credit" }).click();
  await shows("£9.00", "9.00");
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Version 2", { exact: true }).waitFor();
  const changed = await world.call<Scraper>(`/v1/scrapers/${scraper.id}`);
  expect(priceOf(listOf(changed.body).fields)).toEqual({
    ...price,
    transform: [{ type: "number", locale: "en-GB" }, { type: "strip" }],
  });
  expect(complaints).toEqual([]);
});
