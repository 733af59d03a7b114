import type { Page } from "playwright-core";

/** What it took a person to record a scraper. */
export interface Recorded {
  clicks: number;
  seconds: number;
  /** The id of the stored scraper; null: the person gave up. */
  scraper: string | null;
}

/** Waits that no person would sit out. */
const PATIENCE_MS = 60_000;

/** Records a scraper as somebody does who looks at the rows, and takes the first sensible proposal. */
export async function record(page: Page, address: string): Promise<Recorded> {
  let clicks = 0;
  const started = performance.now();
  const click = async (name: string | RegExp) => {
    await page.getByRole("button", { name }).first().click({ timeout: PATIENCE_MS });
    clicks += 1;
  };
  const settled = async () => {
    await page
      .getByText(/rows? on (?:the page|page 1)|could not be (?:opened|read)|No list was found/)
      .first()
      .waitFor({ timeout: PATIENCE_MS });
    await page.locator(".status.busy").first().waitFor({ state: "detached", timeout: PATIENCE_MS });
  };
  try {
    await page.getByLabel("Address of a page with a list").fill(address);
    await click("Find its lists");
    await settled();
    // It waits until the recorder has found the pagination.
    await click("Save scraper");
    await page.waitForURL(/scraper=/, { timeout: PATIENCE_MS });
    const scraper = new URL(page.url()).searchParams.get("scraper");
    return { clicks, seconds: (performance.now() - started) / 1_000, scraper };
  } catch {
    return { clicks, seconds: (performance.now() - started) / 1_000, scraper: null };
  }
}
