import { afterAll, beforeAll } from "@jest/globals";
import type { Page } from "playwright-core";
import type { LeasedBrowser } from "../../../../functions/scraping/browser/leased-browser.ts";
import { pageScriptCode } from "../../../../functions/scraping/page-script/bundles/page-script.ts";
import type { HtmlAnswer, HtmlRequest } from "../../../../functions/scraping/page-script/http/parse-html.ts";
import { messyPage } from "../../../site/messy-html.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

export interface ReadText {
  answer: HtmlAnswer;
  /** What the browser shows. */
  shown: string | undefined;
}

/** Reads HTML in a page that shows it. */
export async function startHtmlReader() {
  const { engine, site } = await startEngineAndSite();
  let leased: LeasedBrowser;
  let page: Page;
  beforeAll(async () => {
    leased = await engine.browsers.lease();
    page = await (await leased.browser.newContext({ proxy: { server: leased.egress.proxyUrl } })).newPage();
  });
  afterAll(() => leased.close());

  /** Opens a page, and reads its HTML for each selector of a list. */
  async function readEach(
    html: string,
    selectors: readonly string[],
    more: Partial<HtmlRequest> = {},
  ): Promise<ReadText[]> {
    site.setRoute("/page", html);
    await page.goto(site.url("/page"));
    await page.evaluate(pageScriptCode);
    const body = Buffer.from(html).toString("latin1");
    const request = { body, charset: null, url: page.url(), fields: [{}], control: {}, ...more };
    return page.evaluate(
      ({ request, selectors }) => {
        const { readHtml } = (
          globalThis as never as { __gleaner: { readHtml: (request: HtmlRequest) => string } }
        ).__gleaner;
        return selectors.map((selector) => {
          const answer: HtmlAnswer = JSON.parse(readHtml({ ...request, selector }));
          const shown = document.querySelector<HTMLElement>(selector)?.innerText?.trim();
          return { answer, shown };
        });
      },
      { request, selectors },
    );
  }

  /**
   * Reads the texts of a messy page.
   * @param every of how many texts one is read
   * @returns those that its HTML says for certain, and how many were read
   */
  async function readMessy(seed: number, every = 1) {
    let count = 0;
    const { html, css } = messyPage(seed);
    const numbered = html.replace(/ data-cell(?=[\s>])/g, () => {
      count += 1;
      return ` data-cell="${count}"`;
    });
    site.setRoute(`/messy-${seed}.css`, (_, response) => {
      response.writeHead(200, { "content-type": "text/css" }).end(css);
    });
    const selectors = Array.from(
      { length: Math.ceil(count / every) },
      (_, index) => `[data-cell="${index * every + 1}"]`,
    );
    const told = await readEach(numbered, selectors);
    const certain = told.flatMap(({ answer, shown }) =>
      "browserRequired" in answer ? [] : [{ cells: answer.cells, shown }],
    );
    return { certain, count: selectors.length };
  }
  return { engine, site, readEach, readMessy };
}
