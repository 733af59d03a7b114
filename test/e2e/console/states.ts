import type { Dialog, Page } from "playwright-core";
import type { Example } from "./examples.ts";
import { recordStates } from "./record-states.ts";

/** A page in one of its states: its address, and what is done there. */
export interface State {
  path: (example: Example) => string;
  /** Whether a link from elsewhere leads there. */
  isLink?: boolean;
  prepare?: (page: Page) => Promise<unknown>;
}

/** Every page of the console in the states that people meet. */
export const states: Record<string, State> = {
  home: { path: () => "/" },
  scrapers: { path: () => "/scrapers" },
  "scrapers-selected": {
    path: () => "/scrapers?search=o",
    prepare: async (page) => {
      for (const name of ["Jobs in Leeds", "Opening hours of libraries"])
        await page.getByLabel(`Select ${name}`).check();
      await page.getByRole("button", { name: "Delete 2 scrapers" }).click();
    },
  },
  "scrapers-empty": { path: () => "/scrapers?page=9" },
  scraper: { path: ({ scraper }) => `/scrapers/${scraper}` },
  "scraper-charts-as-tables": {
    path: ({ scraper }) => `/scrapers/${scraper}`,
    prepare: async (page) => {
      await page.getByRole("button", { name: "As a table" }).first().click();
    },
  },
  "scraper-failing": { path: ({ failing }) => `/scrapers/${failing}` },
  "scraper-never-run": { path: ({ unused }) => `/scrapers/${unused}` },
  "scraper-rows": { path: ({ scraper }) => `/scrapers/${scraper}/rows` },
  "scraper-runs": { path: ({ scraper }) => `/scrapers/${scraper}/runs` },
  "scraper-definition": {
    path: ({ scraper }) => `/scrapers/${scraper}/definition`,
    prepare: async (page) => {
      await page.getByText("Read the list .book-card").click();
      await page.getByRole("button", { name: "Add a list" }).click();
      await page.getByLabel("On its schedule, run it for many inputs").check();
    },
  },
  "scraper-json": {
    path: ({ scraper }) => `/scrapers/${scraper}/definition`,
    prepare: (page) => page.getByRole("button", { name: "JSON", exact: true }).click(),
  },
  "scraper-schedule": { path: ({ scraper }) => `/scrapers/${scraper}/schedule` },
  "scraper-webhook": { path: ({ scraper }) => `/scrapers/${scraper}/webhook` },
  "scraper-destinations": { path: ({ scraper }) => `/scrapers/${scraper}/destinations` },
  "scraper-destinations-none": { path: ({ unused }) => `/scrapers/${unused}/destinations` },
  "scraper-destination": {
    path: ({ scraper }) => `/scrapers/${scraper}/destinations`,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Add a destination" }).click();
      await page.getByLabel("Type").selectOption("postgres");
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator(".field-error").first().waitFor();
    },
  },
  "scraper-delete": {
    path: ({ scraper }) => `/scrapers/${scraper}`,
    prepare: (page) => page.getByRole("button", { name: "Delete" }).click(),
  },
  "scraper-run-with": {
    path: ({ scraper }) => `/scrapers/${scraper}`,
    prepare: (page) => page.getByRole("button", { name: "Run with…" }).click(),
  },
  ...Object.fromEntries(
    ["pasted", "file", "rows_of"].map((source): [string, State] => [
      `scraper-run-with-${source}`,
      {
        path: ({ scraper }) => `/scrapers/${scraper}`,
        prepare: async (page) => {
          await page.getByRole("button", { name: "Run with…" }).click();
          await page.getByLabel("for many inputs").check();
          await page.getByLabel("The inputs are").selectOption(source);
          await page.getByRole("button", { name: "Start the batch" }).click();
          await page.locator(".field-error").waitFor();
        },
      },
    ]),
  ),
  batches: { path: () => "/batches" },
  batch: { path: ({ batch }) => `/batches/${batch}` },
  "batch-input": {
    path: ({ batch }) => `/batches/${batch}?status=failed`,
    prepare: async (page) => {
      await page.getByRole("grid").focus();
      await page.keyboard.press("Enter");
    },
  },
  "batch-again": {
    path: ({ batch }) => `/batches/${batch}`,
    prepare: (page) => page.getByRole("button", { name: "Run the failed ones again" }).click(),
  },
  "batch-rows": { path: ({ batch }) => `/batches/${batch}/rows` },
  "batch-running": { path: ({ runningBatch }) => `/batches/${runningBatch}` },
  "batch-stop": {
    path: ({ runningBatch }) => `/batches/${runningBatch}`,
    prepare: (page) => page.getByRole("button", { name: "Stop" }).click(),
  },
  runs: { path: () => "/runs" },
  run: { path: ({ run }) => `/runs/${run}` },
  "run-value": {
    path: ({ run }) => `/runs/${run}`,
    prepare: async (page) => {
      await page.getByRole("grid").focus();
      await page.keyboard.press("Enter");
    },
  },
  "run-columns": {
    path: ({ run }) => `/runs/${run}`,
    prepare: (page) => page.getByRole("button", { name: "Columns" }).click(),
  },
  "run-export": {
    path: ({ run }) => `/runs/${run}`,
    prepare: (page) => page.getByRole("button", { name: "Export" }).click(),
  },
  "run-sorted": {
    path: ({ run }) => `/runs/${run}`,
    prepare: async (page) => {
      await page.getByLabel("Search").fill("a");
      await page.getByLabel("Sort by").selectOption({ label: "price, descending" });
      await page.getByText(/\d rows found/).waitFor();
    },
  },
  "run-stop": {
    path: ({ running }) => `/runs/${running}`,
    prepare: (page) => page.getByRole("button", { name: "Stop" }).click(),
  },
  "run-not-compared": { path: ({ run }) => `/runs/${run}/changes` },
  "run-timeline": { path: ({ run }) => `/runs/${run}/timeline` },
  "run-request": { path: ({ run }) => `/runs/${run}/request` },
  "run-webhook": { path: ({ run }) => `/runs/${run}/webhook` },
  "run-failed": { path: ({ failed }) => `/runs/${failed}` },
  "run-warned": { path: ({ warned }) => `/runs/${warned}` },
  "run-running": { path: ({ running }) => `/runs/${running}` },
  "run-unknown": { path: () => "/runs/00000000-0000-7000-8000-000000000000" },
  settings: { path: () => "/settings" },
  "settings-secret": {
    path: () => "/settings",
    prepare: (page) => page.getByRole("button", { name: "Add a secret" }).click(),
  },
  "settings-hook": {
    path: () => "/settings",
    prepare: (page) => page.getByRole("button", { name: "Add a hook" }).click(),
  },
  "settings-hook-test": {
    path: () => "/settings",
    prepare: async (page) => {
      await page.getByRole("button", { name: /^Test the hook to 127/ }).click();
      await page.getByText("The test arrived.").waitFor();
    },
  },
  "settings-sign-in": {
    path: () => "/settings",
    prepare: (page) => page.getByRole("button", { name: "Sign in…" }).click(),
  },
  "settings-session-delete": {
    path: () => "/settings",
    prepare: (page) => page.getByRole("button", { name: "Delete the session shop" }).click(),
  },
  help: { path: () => "/help/webhooks" },
  ...recordStates,
  "no-such-page": { path: () => "/nothing/here" },
};

/** Shows a page in a state, without loading the console again. */
export async function showPage(page: Page, name: string, example: Example): Promise<void> {
  const { path, isLink, prepare } = states[name] as State;
  // What the last state has changed is left.
  const leave = (dialog: Dialog) => void dialog.accept();
  page.on("dialog", leave);
  // By another page, so that nothing of the last state stays.
  await page.evaluate(goTo, { addresses: ["/nothing", path(example)], isLink });
  page.off("dialog", leave);
  await settled(page);
  await prepare?.(page);
  await settled(page);
}

/** Goes from page to page of the console, and waits until each is there. Runs in the page. */
async function goTo({ addresses, isLink = false }: { addresses: string[]; isLink?: boolean | undefined }) {
  for (const address of addresses) {
    document.querySelector(".page")?.setAttribute("data-left", "");
    history.pushState(isLink ? null : { isOwn: true }, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
    while (document.querySelector(".page:not([data-left])") === null)
      await new Promise((drawn) => requestAnimationFrame(drawn));
  }
}

/** Waits until the page shows what it is for. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator(".loading").first().waitFor({ state: "detached" });
}
