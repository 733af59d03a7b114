import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import type { LeasedBrowser } from "../../../../functions/scraping/browser/leased-browser.ts";
import { PageOpener } from "../../../../functions/scraping/browser/page-opener.ts";
import { messyPage } from "../../../site/messy-html.ts";
import { type Site, startSite } from "../../../site/site.ts";
import { type Engine, startEngine } from "../harness.ts";

/**
 * What a row says is what `innerText` says on the untouched page, however the engine comes to know it. Where the text of a
 * row is defined in another way, other tests say what it is.
 */
let engine: Engine;
let site: Site;
let leased: LeasedBrowser;
beforeAll(async () => {
  site = await startSite();
  engine = await startEngine([site.host]);
  leased = await engine.browsers.lease();
});
afterAll(async () => {
  await leased.close();
  await engine.close();
  await site.close();
});

/** The texts that a page gives with nothing of the engine in it; null for elements whose `innerText` does not count. */
async function innerTexts(browser: Browser, url: string, selector: string): Promise<(string | null)[]> {
  const proxy = { server: leased.egress.proxyUrl };
  const newContext = () => browser.newContext({ proxy, viewport: null });
  const opener = await PageOpener.of(browser, newContext);
  const { page } = await opener.open();
  await page.goto(url);
  // Before the first frame, no animation has begun to hide what it hides.
  const cdp = await opener.context.newCDPSession(page);
  for (let frame = 0; frame < 2; frame += 1)
    await leased.clock.drawing.run(() => cdp.send("HeadlessExperimental.beginFrame", {}));
  const texts = await page.locator(selector).evaluateAll((elements) => {
    const isOther = (inner: Element) => {
      const { position, clip, overflow } = getComputedStyle(inner);
      const isGenerated = ["::before", "::after"].some((pseudo) =>
        /"[^"]|attr/.test(getComputedStyle(inner, pseudo).content),
      );
      return (
        inner.shadowRoot !== null ||
        isGenerated ||
        (/absolute|fixed/.test(position) && (/^rect/.test(clip) || overflow === "hidden"))
      );
    };
    return elements.map((element) => {
      const text = (element as HTMLElement).innerText.trim();
      const isHidden = !element.checkVisibility() || (text === "" && /\S/.test(element.textContent));
      return isHidden ||
        element.querySelector("ins,math,ruby,slot,sup") ||
        [element, ...element.querySelectorAll("*")].some(isOther)
        ? null
        : text;
    });
  });
  await opener.context.close();
  return texts;
}

async function engineTexts(url: string, selector: string): Promise<string[]> {
  const told = await engine.run({
    steps: [
      { type: "visit", url },
      { type: "get_list", selector, fields: [{ name: "text" }] },
    ],
    rowsLimit: 100_000,
  });
  expect(told.failure).toBeUndefined();
  return told.rows.map((row) => row.text ?? "");
}

/** Expects that texts are the ones that count. */
function expectTexts(texts: readonly string[], expected: readonly (string | null)[]): void {
  expect(texts).toHaveLength(expected.length);
  expect(texts.map((text, index) => (expected[index] === null ? null : text))).toEqual(expected);
}

const seeds = (process.env.MESSY_SEEDS ?? "1,6,23").split(",").map(Number);

test.concurrent.each(seeds)("messy page %i", async (seed) => {
  const { html, css } = messyPage(seed);
  site.setRoute(`/messy-${seed}`, html);
  site.setRoute(`/messy-${seed}.css`, (_, response) => {
    response.writeHead(200, { "content-type": "text/css" }).end(css);
  });
  const url = site.url(`/messy-${seed}`);
  const expected = await innerTexts(leased.browser, url, "[data-cell]");
  expect(expected.filter((text) => text !== null).length).toBeGreaterThan(100);
  expectTexts(await engineTexts(url, "[data-cell]"), expected);
  // The same texts in another call.
  const few = "xpath=(//*[@data-cell])[position() > 50 and position() <= 60]";
  expectTexts(await engineTexts(url, few), expected.slice(50, 60));
  // The same words where something in a calm page asks for more than `innerText`.
  if (seed % 3 !== 0) return;
  site.setRoute(`/special-${seed}`, html.replace(/( data-cell[^>]*>)/g, "$1<slot hidden></slot>"));
  const words = (text: string | null) => text?.replace(/\s+/g, "") ?? null;
  const special = await engineTexts(site.url(`/special-${seed}`), "[data-cell]");
  expectTexts(special.map(words) as string[], expected.map(words));
});

/** Each alone in its rule. */
const DECLARATIONS = [
  "display:none",
  "display:block",
  "visibility:hidden",
  "text-transform:uppercase",
  "white-space:pre",
  "white-space:var(--kept)",
  "white-space-collapse:preserve",
  "content-visibility:hidden",
  "-webkit-text-security:disc",
  "animation:gone 1s infinite both",
  "animation:var(--gone)",
  "animation-name:gone;animation-duration:1s;animation-fill-mode:both",
  "float:left",
  "position:absolute",
  "unicode-bidi:plaintext",
  "all:unset",
];

test.concurrent("a rule that sets one property alone", async () => {
  const rules = DECLARATIONS.map((declaration, index) => `.own${index},.inner${index} b{${declaration}}`);
  const cells = DECLARATIONS.map(
    (_, index) =>
      `<p class="own${index}" data-cell>Plain  text</p><p class="inner${index}" data-cell>Some <b>bold  one</b>  or\n other</p>`,
  );
  site.setRoute(
    "/alone",
    `<style>html{--kept:pre;--gone:gone 1s infinite both}@keyframes gone{from{visibility:hidden}to{visibility:hidden}}
    ${rules.join("\n")}</style>${cells.join("")}`,
  );
  const expected = await innerTexts(leased.browser, site.url("/alone"), "[data-cell]");
  expect(new Set(expected).size).toBeGreaterThan(8);
  expectTexts(await engineTexts(site.url("/alone"), "[data-cell]"), expected);
});

test.concurrent("a rule that a script adds to a media query after the first rows were read", async () => {
  const cells = (from: number) =>
    Array.from({ length: 30 }, (_, index) => `<p class="style${from}">Text ${from + index}</p>`).join("");
  site.setRoute(
    "/grouped",
    `<style>@media all{b{color:red}}</style><main>${cells(0)}</main><button onclick="more()">More</button><script>
    function more() {
      document.styleSheets[0].cssRules[0].insertRule(".style30{text-transform:uppercase}");
      document.querySelector("main").insertAdjacentHTML("beforeend", ${JSON.stringify(cells(30))});
      document.querySelector("button").remove();
    }</script>`,
  );
  const { rows } = await engine.run({
    steps: [
      { type: "visit", url: site.url("/grouped") },
      { type: "get_list", selector: "p", fields: [{ name: "text" }] },
    ],
    pagination: { type: "load_more", selector: "button" },
  });
  expect(rows.map(({ text }) => text)).toEqual(
    Array.from({ length: 60 }, (_, index) => `${index < 30 ? "Text" : "TEXT"} ${index}`),
  );
});
