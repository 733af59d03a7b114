import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { LeasedBrowser } from "../../../../functions/scraping/browser/leased-browser.ts";
import type { ListAnswer } from "../../../../functions/scraping/page-script/protocol.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

/* What a style sheet can do is read once in a run, as long as the browser takes the sheet from its cache. */

const { engine, site } = await startEngineAndSite();
let leased: LeasedBrowser;
beforeAll(async () => {
  leased = await engine.browsers.lease();
});
afterAll(() => leased.close());

const UPPER = ".card{text-transform:uppercase}";
const PLAIN = ".card{color:red}";
const TIMEOUT = 20_000;

interface Styled {
  /** The style sheet, by how often it was asked for. */
  css: (request: number) => string;
  cached: boolean;
  head?: (css: string) => string;
}

/** Three pages with the same style sheet. Returns their addresses. */
function openPages({
  css,
  cached,
  head = (href) => `<link rel=stylesheet href="${href}">`,
}: Styled): string[] {
  const path = site.newPath();
  let requests = 0;
  site.setRoute(`${path}.css`, (_, response) => {
    requests += 1;
    const headers = { "content-type": "text/css", "cache-control": cached ? "max-age=60" : "no-store" };
    response.writeHead(200, headers).end(css(requests));
  });
  site.setRoute(path, (_, response) => {
    const cards = Array.from({ length: 20 }, (_, index) => `<li class=card>Lamp ${index}</li>`).join("");
    sendHtml(response, `<!doctype html>${head(`${path}.css`)}<ul>${cards}</ul>`);
  });
  return [1, 2, 3].map((page) => `${site.url(path)}?page=${page}`);
}

/** What the engine reads of each page in turn: the first row's text, and how many style sheets it has learned. */
async function readEach(urls: readonly string[]) {
  const { tab } = leased;
  const read: { text: string | null | undefined; learned: number }[] = [];
  for (const url of urls) {
    await tab.navigate(url, TIMEOUT);
    const request = {
      selector: ".card",
      fields: [{}],
      part: "all",
      limit: 100,
      waitMs: TIMEOUT,
      reveal: false,
    } as const;
    const answer: ListAnswer = JSON.parse(await tab.call("readList", request, { timeout: TIMEOUT }));
    tab.sheets.learn(answer.learned);
    read.push({ text: answer.cells[0]?.[0], learned: answer.learned.length });
  }
  return read;
}

test("a style sheet from the cache is read once", async () => {
  const read = await readEach(openPages({ css: () => UPPER, cached: true }));
  expect(read).toEqual([
    { text: "LAMP 0", learned: 1 },
    { text: "LAMP 0", learned: 0 },
    { text: "LAMP 0", learned: 0 },
  ]);
});

test("a style sheet that is loaded again is read again", async () => {
  const css = (request: number) => (request === 2 ? UPPER : PLAIN.padEnd(UPPER.length));
  const read = await readEach(openPages({ css, cached: false }));
  expect(read.map(({ text }) => text)).toEqual(["Lamp 0", "LAMP 0", "Lamp 0"]);
  expect(read.map(({ learned }) => learned)).toEqual([1, 1, 1]);
});

test("a style sheet that imports another one is read on each page", async () => {
  const other = `${site.newPath()}.css`;
  site.setRoute(other, (_, response) => {
    response.writeHead(200, { "content-type": "text/css", "cache-control": "max-age=60" }).end(UPPER);
  });
  const css = () => `@layer base; @import url("${other}"); ${PLAIN}`;
  const read = await readEach(openPages({ css, cached: true }));
  expect(read).toEqual(Array(3).fill({ text: "LAMP 0", learned: 0 }));
});

test("a style sheet of which pages have found different things is not remembered", async () => {
  const { tab } = leased;
  const suspects = { own: [], inside: [], inlined: [], hiding: [], inert: [], lazy: false };
  const urls = openPages({ css: () => UPPER, cached: true });
  const [first] = await readEach(urls.slice(0, 1));
  expect(first).toEqual({ text: "LAMP 0", learned: 1 });
  const codes: string[] = [];
  leased.sheets.watch((code) => codes.push(code));
  const [, key] = /"key":("[^"]*css[^"]*")/.exec(codes[0]?.slice(codes[0].lastIndexOf('{"key"')) ?? "") ?? [];
  tab.sheets.learn([{ key: JSON.parse(key ?? ""), suspects }]);
  tab.sheets.learn([{ key: JSON.parse(key ?? ""), suspects }]);
  expect(codes).toHaveLength(2);
  expect(codes[1]).toContain('"suspects":null');
  expect(await readEach(urls.slice(1))).toEqual([
    { text: "LAMP 0", learned: 1 },
    { text: "LAMP 0", learned: 1 },
  ]);
});

test("a style sheet that a script may change, or that has no address, is read on each page", async () => {
  const script = (page: string) => `<script>
    const sheet = document.styleSheets[0];
    if (location.search === "?page=${page}") sheet.cssRules[0].style.textTransform = "uppercase";
  </script>`;
  for (const [head, texts] of [
    [(href: string) => `<link rel=stylesheet href="${href}">${script("2")}`, ["Lamp 0", "LAMP 0", "Lamp 0"]],
    [() => `<style>${UPPER}</style>`, ["LAMP 0", "LAMP 0", "LAMP 0"]],
  ] as const) {
    const read = await readEach(openPages({ css: () => PLAIN, cached: true, head }));
    expect(read).toEqual(texts.map((text) => ({ text, learned: 0 })));
  }
});

test("tabs that are opened later know the style sheets, too", async () => {
  const urls = openPages({ css: () => UPPER, cached: true });
  const codes: string[] = [];
  await readEach(urls.slice(0, 1));
  leased.sheets.watch((code) => codes.push(code));
  expect(codes).toHaveLength(1);
  expect(codes[0]).toContain(new URL(urls[0] ?? "").pathname);
  await readEach(openPages({ css: () => UPPER, cached: true }).slice(0, 1));
  expect(codes).toHaveLength(2);
});
