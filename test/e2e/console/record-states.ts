import type { Page } from "playwright-core";

interface RecordState {
  path: (example: { shop: string; scraper: string }) => string;
  isLink?: boolean;
  prepare?: (page: Page) => Promise<unknown>;
}

const books = ({ shop }: { shop: string }) => `/record?url=${encodeURIComponent(`${shop}/books`)}`;
const proved = (page: Page) => page.getByText("12 new rows on page 2").first().waitFor();
/** On the bundled shop, once the rows of two pages are there. */
const onBooks = (prepare: (page: Page) => Promise<unknown>): RecordState => ({
  path: books,
  async prepare(page) {
    await proved(page);
    await prepare(page);
  },
});

/**
 * Clicks where the first element of a kind stands on the picture. The picture itself does not tell: a tab of the same width
 * as the engine's opens the page.
 */
async function pointAt(page: Page, kind: string): Promise<void> {
  const address = new URL(page.url()).searchParams.get("url") ?? "";
  const tab = await page.context().newPage();
  await tab.setViewportSize({ width: 1280, height: 800 });
  await tab.goto(address);
  const box = await tab.locator(kind).first().boundingBox();
  await tab.close();
  const picture = page.locator(".picture");
  await picture.scrollIntoViewIfNeeded();
  const { width = 0 } = (await picture.boundingBox()) ?? {};
  const scale = width / Number(await picture.getAttribute("data-width"));
  const { x = 0, y = 0, width: across = 0, height = 0 } = box ?? {};
  await picture.click({ position: { x: (x + across / 2) * scale, y: (y + height / 2) * scale } });
}

/** The recorder in the states that people meet. */
export const recordStates: Record<string, RecordState> = {
  "record-empty": { path: () => "/record" },
  "record-no-address": {
    path: () => "/record",
    async prepare(page) {
      await page.getByLabel("Address of a page with a list").fill("hello");
      await page.keyboard.press("Enter");
    },
  },
  "record-not-found": {
    path: ({ shop }) => `/record?url=${encodeURIComponent(`${shop}/nothing`)}`,
    prepare: (page) => page.getByText("The page could not be opened").waitFor(),
  },
  record: onBooks(async () => {}),
  "record-values": onBooks(async (page) => {
    await page.getByRole("button", { name: "Change the values of the column book_author" }).click();
    await page.getByLabel("Change the values", { exact: true }).selectOption("number");
    await page.getByRole("dialog").getByText("Stays as it is").first().waitFor();
  }),
  "record-form": onBooks((page) => page.getByRole("button", { name: "Form", exact: true }).click()),
  "record-json": onBooks((page) => page.getByRole("button", { name: "JSON" }).click()),
  "record-all-open": onBooks(async (page) => {
    await page.getByRole("button", { name: "As a list" }).click();
    await page.getByRole("button", { name: "Remove the column stars" }).click();
    await page.getByRole("button", { name: "Add the column stars" }).waitFor();
    await page.getByText("Limit, schedule, webhook, proxy").click();
    await page.getByLabel("Run on a schedule").check();
    await page.getByText("Every day").first().waitFor();
  }),
  "record-step": onBooks((page) => page.getByRole("button", { name: "Read the list" }).click()),
  "record-input": onBooks(async (page) => {
    await page.getByRole("button", { name: "As a list" }).click();
    await page.getByRole("button", { name: "Type", exact: true }).click();
    await page.getByRole("listbox").selectOption({ label: "Input “Search books”" });
    await page.getByRole("button", { name: "Fill it in" }).click();
  }),
  "record-input-on-picture": onBooks(async (page) => {
    await page.getByRole("button", { name: "Type", exact: true }).click();
    await pointAt(page, "select");
    await page.getByRole("dialog").waitFor();
  }),
  "record-value": onBooks(async (page) => {
    await page.getByRole("button", { name: "Single value", exact: true }).click();
    await pointAt(page, "h1");
    await page.getByRole("dialog").waitFor();
  }),
  "record-details": onBooks(async (page) => {
    await page.getByRole("button", { name: "Pick values there…" }).click();
    await page.getByText("This is the page of the first row").waitFor();
  }),
  "record-link": { path: books, isLink: true },
  "record-stored": {
    path: ({ scraper }) => `/record?scraper=${scraper}`,
    prepare: (page) => page.getByText(/rows? on (?:the page|page 1)/).waitFor(),
  },
};
