import type { Locator, Page } from "playwright-core";

/** What it took a person to record a scraper. */
export interface Recorded {
  clicks: number;
  seconds: number;
  /** The id of the stored scraper; null: the person gave up. */
  scraper: string | null;
  /** Why the person gave up. */
  reason?: string | undefined;
}

/** Waits that no person would sit out. */
const PATIENCE_MS = 60_000;

/** What a person does in the recorder, besides taking the first proposal. */
export class Person {
  clicks = 0;
  readonly #tab: Page;

  constructor(tab: Page) {
    this.#tab = tab;
  }

  async click(name: string | RegExp): Promise<void> {
    await this.#press(this.#tab.getByRole("button", { name }).first());
  }

  /** Adds the column that has this value, unless the table has it. */
  async addColumn(value: string): Promise<void> {
    await this.settled();
    if ((await this.#tab.getByRole("cell", { name: value, exact: true }).count()) > 0) return;
    await this.#choose(value);
    await this.settled();
  }

  /** Leaves out the rows that have no value for the first column that some rows lack. */
  async keepComplete(): Promise<void> {
    await this.#press(this.#tab.getByLabel(/^Only rows that have a value for/).first());
    await this.settled();
  }

  /** Types a text into an input of the page. */
  async type(input: string, text: string): Promise<void> {
    await this.#point("Type", `Input “${input}”`);
    await this.#dialog().getByLabel("Text").fill(text);
    await this.click("Type it");
    await this.#tab.locator(".chips-state .status").waitFor({ state: "detached", timeout: PATIENCE_MS });
  }

  /** Types a stored secret into an input of the page, and presses Enter. */
  async typeSecret(input: string, name: string): Promise<void> {
    await this.#point("Type", `Input “${input}”`);
    await this.#dialog().getByLabel("Name of the secret").fill(name);
    await this.#press(this.#dialog().getByLabel("Then press Enter"));
    await this.click("Type it");
    await this.#rows();
    await this.settled();
  }

  /** Adds a value that is on the page of the first row. */
  async pickDetail(value: string): Promise<void> {
    await this.settled();
    await this.click("Pick values there…");
    await this.#tab.getByText("This is the page of the first row").waitFor({ timeout: PATIENCE_MS });
    await this.#choose(value);
    await this.#press(this.#dialog().getByRole("button", { name: "Add it" }));
    await this.settled();
  }

  /** Waits until the recorder has done what it was asked for. */
  async settled(): Promise<void> {
    await this.#tab.locator(".chips-state .status").waitFor({ state: "detached", timeout: PATIENCE_MS });
    await this.#tab.locator(".status.busy").first().waitFor({ state: "detached", timeout: PATIENCE_MS });
  }

  /** Waits for the first look at the page. */
  async looked(): Promise<void> {
    await this.#tab
      .getByText(
        /rows? on (?:the page|page 1)|could not be (?:opened|read)|No list was found|asks to sign in|No main list/,
      )
      .first()
      .waitFor({ timeout: PATIENCE_MS });
    await this.settled();
  }

  #rows = () =>
    this.#tab
      .getByText(/rows? on (?:the page|page 1)/)
      .first()
      .waitFor({ timeout: PATIENCE_MS });

  async #point(tool: string, element: string): Promise<void> {
    await this.settled();
    await this.#press(this.#tab.getByRole("button", { name: tool, exact: true }));
    await this.#choose(element);
  }

  /** Clicks an element. The script finds it in the list of elements, a person on the picture. */
  async #choose(words: string): Promise<void> {
    const asList = this.#tab.getByRole("button", { name: "As a list" });
    if ((await asList.count()) > 0) await asList.click();
    const elements = this.#tab.getByRole("listbox");
    const option = elements.getByRole("option", { name: words }).first();
    await elements.selectOption((await option.getAttribute("value")) ?? "");
    await elements.press("Enter");
    this.clicks += 1;
  }

  #dialog = () => this.#tab.getByRole("dialog");

  async #press(element: Locator): Promise<void> {
    await element.click({ timeout: PATIENCE_MS });
    this.clicks += 1;
  }
}

/** Records a scraper as somebody does who looks at the rows, and takes the first sensible proposal. */
export async function record(
  page: Page,
  address: string,
  act?: (person: Person) => Promise<void>,
): Promise<Recorded> {
  const person = new Person(page);
  page.setDefaultTimeout(PATIENCE_MS);
  const started = performance.now();
  const recorded = (scraper: string | null): Recorded => ({
    clicks: person.clicks,
    seconds: (performance.now() - started) / 1_000,
    scraper,
  });
  try {
    await page.getByLabel("Address of a page with a list").fill(address);
    await person.click("Find its lists");
    await person.looked();
    await act?.(person);
    // It waits until the recorder has found the pagination.
    await person.click("Save scraper");
    await page.waitForURL(/scraper=/, { timeout: PATIENCE_MS });
    return recorded(new URL(page.url()).searchParams.get("scraper"));
  } catch (error) {
    return { ...recorded(null), reason: String(error).split("\n")[0] };
  }
}
