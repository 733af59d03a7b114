import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { LeasedBrowser } from "../../../../functions/scraping/browser/leased-browser.ts";
import { pageScriptCode } from "../../../../functions/scraping/page-script/bundles/page-script.ts";
import type { HtmlAnswer, HtmlRequest } from "../../../../functions/scraping/page-script/protocol.ts";
import { messyPage } from "../../../site/messy-html.ts";
import { sendHtml } from "../../../site/site.ts";
import { type ListedPage, type ListedSite, plainPage, startNumberedSite } from "./numbered-site.ts";

/** Generated pages: what their HTML says, if it says something for certain, is what a browser shows. */

const { engine, site, compare } = await startNumberedSite();
let leased: LeasedBrowser;
beforeAll(async () => {
  leased = await engine.browsers.lease();
});
afterAll(() => leased.close());

const seeds = (process.env.MESSY_SEEDS ?? "1,2,3,15").split(",").map(Number);

test.concurrent.each(seeds)("texts of the messy page %i", async (seed) => {
  let cells = 0;
  const page = messyPage(seed);
  const html = page.html.replace(/ data-cell(?=[\s>])/g, () => {
    cells += 1;
    return ` data-cell="${cells}"`;
  });
  site.setRoute(`/messy-${seed}`, html);
  site.setRoute(`/messy-${seed}.css`, (_, response) => {
    response.writeHead(200, { "content-type": "text/css" }).end(page.css);
  });
  const context = await leased.browser.newContext({ proxy: { server: leased.egress.proxyUrl } });
  const tab = await context.newPage();
  await tab.goto(site.url(`/messy-${seed}`));
  await tab.evaluate(pageScriptCode);
  const body = Buffer.from(html).toString("latin1");
  const request = { body, charset: null, url: tab.url(), fields: [{}], control: {} };
  const told = await tab.evaluate(
    ({ request, cells }) => {
      const { readHtml } = (
        globalThis as never as { __gleaner: { readHtml: (request: HtmlRequest) => string } }
      ).__gleaner;
      return Array.from({ length: cells }, (_, index) => {
        const selector = `[data-cell="${index + 1}"]`;
        const answer: HtmlAnswer = JSON.parse(readHtml({ ...request, selector }));
        const shown = document.querySelector<HTMLElement>(selector)?.innerText.trim();
        return { answer: "browserRequired" in answer ? answer.browserRequired : answer.cells, shown };
      });
    },
    { request, cells },
  );
  await context.close();
  const certain = told.filter(({ answer }) => typeof answer !== "string");
  expect(certain.map(({ answer }) => answer)).toEqual(certain.map(({ shown }) => [[shown]]));
  // Rules that only computed styles tell about leave nothing certain.
  expect(certain.length).toBeGreaterThan(seed % 2 === 0 ? -1 : cells / 10);
});

/** A random list, the same for each seed. */
function randomList(seed: number): ListedSite {
  let state = seed * 7_919 + 17;
  const random = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const odd = 2 + Math.floor(random() * 8);
  const name = pick<(n: number) => string>([
    (n) => `Lamp ${n}`,
    (n) => `\n  <b>Lamp</b>  <i class=c${n % 4}>${n}</i>`,
    (n) => `Lamp &amp; ${n}${n % 11 === 0 ? "<br>x" : ""}`,
    (n) => `<span class=c${n % 3}>Lamp</span>${n % 17 === 5 ? "&shy;" : ""} ${n}`,
    (n) => `Lamp ${n % 9 === 4 ? "<p>in two</p>" : ""} ${n}`,
  ]);
  const css = pick([
    "",
    ".c1{color:red}",
    ".c3{display:none}",
    ".c2:hover{text-transform:uppercase}",
    ".c0::before{content:'x'}",
  ]);
  const script = pick([
    "",
    "",
    "document.title += '!'",
    "for (const at of document.querySelectorAll('.odd .name')) at.textContent += '?'",
  ]);
  const change = pick<(page: ListedPage) => ListedPage>([
    (page) => page,
    (page) => ({ ...page, rows: page.rows.replace("card", "card odd") }),
    (page) => ({ ...page, rows: page.rows.replace(/<li.*?<\/li>/s, "") }),
    (page) => ({ ...page, rows: page.rows.replace(/<span class="name">.*?<\/a>/s, "</a>") }),
    (page) => ({ ...page, head: `${page.head}<style>.name{text-transform:uppercase}</style>` }),
    (page) => ({ ...page, rows: "" }),
    (page) => ({
      ...page,
      next: page.next.replace("<a ", "<a onclick='location = \"?page=9\"; return false' "),
    }),
    (page) => ({ ...page, next: page.next.replace("<a ", "<a style='display:none' ") }),
    (page) => ({ ...page, next: page.next.replace(/page=\d+/, "page=1") }),
  ]);
  const failing = pick([0, 0, 0, 404]);
  return {
    css,
    pages: 3 + Math.floor(random() * 12),
    html(page) {
      const from = page.number * 3 - 2;
      const card = (n: number) =>
        `<li class="card"><a href="p/${n}"><span class="name">${name(n)}</span></a></li>`;
      const rows = page.rows && [from, from + 1, from + 2].map(card).join("\n");
      const shown = { ...page, rows };
      return plainPage(page.number === odd ? change(shown) : shown).replace(
        "</body>",
        script && `<script>${script}</script></body>`,
      );
    },
    serve(page, response) {
      if (page.number !== odd || failing !== 404) return false;
      sendHtml(response, "Gone", failing);
      return true;
    },
  };
}

const lists = (process.env.LIST_SEEDS ?? "1,2,3,4").split(",").map(Number);

/* Some of them end in a page that is not found, or where the list is missing: then both runs fail alike. */
test.concurrent.each(lists)("the random list %i", async (seed) => {
  await compare(randomList(seed));
});
