import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Handler } from "../../site/site.ts";
import { cardList, cards, lamps, type Page, type Pages, pageOf, SITE, visit } from "../page.ts";
import { answer, firstThen } from "../parts/documents.ts";

/* Sites and pages in trouble: what is an error, and what is tried again. */

const status =
  (code: number, headers = {}, body = "<h1>Error</h1>"): Handler =>
  (_, response) =>
    void response.writeHead(code, { "content-type": "text/html", ...headers }).end(body);
const later = (code: number): Handler => status(code, { "retry-after": "0" }, "later");

/** Sends the start of a longer document, and breaks off. */
const breakOff =
  (start: string): Handler =>
  (_, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/html", "content-length": "9999" });
    response.write(start, () => setTimeout(() => response.destroy(), 100));
  };

const visitOnly = (handler: Handler, code: string, message?: string): Page => ({
  routes: { "/": handler },
  failure: { code, step: 0, url: `${SITE}/`, ...(message !== undefined && { message }) },
});
/** Answers with a status and a page that sets a cookie after a while and asks again. */
const tested =
  (code: number): Handler =>
  (request, response) => {
    const isTested = request.headers.cookie?.includes(`tested${code}=1`);
    // The browser may send a request before a cookie that a script has just set.
    const script = `document.cookie = "tested${code}=1"; setTimeout(() => location.reload(), 4000)`;
    if (isTested) return answer(cards(code, code))(request, response);
    return status(code, {}, `<h1>One moment</h1><script>${script}</script>`)(request, response);
  };
const text: Step = { type: "get_text", field_name: "name", selector: ".card" };

/** Slower than each document is noticed, on a busy machine too. */
const endless = (again: string) => answer(`<h1>Wait</h1>${again}`, { ms: 60 });
const keepsNavigating = (most: number): Page => ({
  failure: { code: "navigation_failed", message: "keeps navigating" },
  check: ({ loads }) => assert.ok(loads < most, `${loads} pages were counted`),
});

export default {
  "HTTP 429, 502 and 503 are tried again, and counted once": {
    routes: Object.fromEntries(
      [429, 502, 503].map((code) => [`/${code}`, firstThen(later(code), answer(cards(code, code)))]),
    ),
    steps: [429, 502, 503].flatMap((code): Step[] => [
      visit(`/${code}`),
      { ...text, field_name: String(code) } as Step,
    ]),
    rows: [{ 429: "Lamp 429", 502: "Lamp 502", 503: "Lamp 503" }],
    loads: 3,
  },
  "a next page that fails for a moment is loaded again": {
    html: `${cards(1, 2)}<a class=next href="/next">Next</a>`,
    routes: { "/next": firstThen(status(503), answer(cards(3, 3))) },
    pagination: { type: "next_button", selector: ".next" },
    rows: lamps(1, 3),
    loads: 2,
  },
  "HTTP 403, 429 and 503 of a page that tests the browser, and then loads the page that was asked for": {
    routes: Object.fromEntries([403, 429, 503].map((code) => [`/${code}`, tested(code)])),
    steps: [403, 429, 503].flatMap((code): Step[] => [
      visit(`/${code}`),
      { ...text, field_name: String(code) } as Step,
    ]),
    rows: [{ 403: "Lamp 403", 429: "Lamp 429", 503: "Lamp 503" }],
    loads: 3,
    check: (_, site) => assert.equal(site.requests.length, 6),
  },
  "pages with statuses that the scraper accepts": {
    html: `${cards(1, 2)}<a href="/gone">Next</a>`,
    routes: { "/gone": status(410, {}, `${cards(3, 4)}<a href="/broken">Next</a>`), "/broken": status(500) },
    pagination: { type: "next_button", field_name: "Next" },
    accept_status: [404, 410],
    rows: lamps(1, 4),
    failure: { code: "http_error", message: "/broken answered with HTTP 500" },
    engines: ["browser", "auto"],
  },
  "HTTP 403 is named by its status, with a picture": {
    ...visitOnly(status(403), "http_error", "403"),
    loads: 0,
    check: ({ failure }) => assert.ok(failure?.evidence?.screenshot),
  },
  "HTTP 500 is named by its status, after it was tried again": visitOnly(status(500), "http_error", "500"),
  "HTTP 410 with what is no page is named by its status": visitOnly(
    status(410, { "content-type": "application/zip" }),
    "http_error",
    "410",
  ),
  ...Object.fromEntries(
    [590, 999].map((code) => [
      `HTTP ${code} is named by its status, and asked for once`,
      {
        ...visitOnly(status(code), "http_error", `HTTP ${code}`),
        check: (_, { requests }) => assert.equal(requests.filter((path) => path === "/").length, 1),
      } satisfies Page,
    ]),
  ),
  "a connection that is cut": visitOnly(({ socket }) => void socket.destroy(), "navigation_failed"),
  "redirects without end": visitOnly(status(302, { location: "/" }), "navigation_failed", "redirect"),
  "JSON instead of a page": visitOnly(
    status(200, { "content-type": "application/json" }),
    "not_html",
    "json",
  ),
  "no content": {
    routes: { "/": (_, response) => void response.writeHead(204).end() },
    failure: { code: "not_html", step: 0, message: "204" },
  },
  "a server without TLS": {
    routes: ({ host }) => ({ "/": status(302, { location: `https://${host}/` }) }),
    failure: { code: "navigation_failed", step: 0 },
    check: ({ failure }, { host }) => assert.equal(failure?.evidence?.url, `https://${host}/`),
  },
  "a page that breaks off before its list is loaded again, and counted once": {
    routes: { "/": firstThen(breakOff("<title>Lamps</title>"), answer(cards(1, 2))) },
    steps: [visit(), cardList],
    rows: lamps(1, 2),
    loads: 1,
  },
  "a page that breaks off between its rows is loaded again, and counted once": {
    routes: { "/": firstThen(breakOff(cards(1, 3)), answer(cards(1, 5))) },
    steps: [visit(), cardList],
    rows: lamps(1, 5),
    loads: 1,
  },
  "a page of a template that breaks off between its rows is loaded again, and counted once": {
    html: cards(1, 5),
    routes: { "/2": firstThen(breakOff(cards(6, 8)), answer(cards(6, 10))), "/3": "<p>No more</p>" },
    steps: [visit(), cardList],
    pagination: { type: "url_template", url: `${SITE}/{page}`, start: 2 },
    rows: lamps(1, 10),
    // The page that says that there are no more was loaded, too.
    loads: 3,
  },
  "a page that breaks off each time gives the rows that it has, with a warning, and is counted once": {
    routes: { "/": breakOff(cards(1, 3)) },
    steps: [visit(), cardList],
    rows: lamps(1, 3),
    loads: 1,
    warnings: [{ code: "rows_may_be_missing", step: 1, message: "broke off before its end, each time" }],
  },
  "a page without any content is loaded again, and counted once": {
    variants: {
      "a list": {
        routes: () => ({ "/": firstThen(answer(""), answer(cards(1, 3))) }),
        steps: [visit(), cardList],
        rows: lamps(1, 3),
        loads: 1,
      },
      "a text": {
        routes: () => ({ "/": firstThen(answer("<!doctype html>\n"), answer(cards(1, 3))) }),
        steps: [visit(), text],
        rows: [{ name: "Lamp 1" }],
        loads: 1,
      },
      "the page of a row": {
        html: cards(1, 1),
        routes: () => ({ "/p/1": firstThen(answer(""), answer("<h1>Lamp</h1>")) }),
        steps: [
          visit(),
          {
            ...cardList,
            fields: [{ name: "url", selector: "a", attribute: "href" }],
            details: { url_field: "url", fields: [{ name: "title", selector: "h1" }] },
          },
        ],
        rows: [{ url: `${SITE}/p/1`, title: "Lamp" }],
        loads: 2,
      },
      "each time": {
        html: "",
        steps: [visit(), cardList],
        failure: { code: "element_not_found", step: 1, message: "a page without content" },
      },
      "each time, where the list may be missing": {
        html: "",
        steps: [visit(), { ...cardList, optional: true }],
      },
    },
  },
  "a page that can't be unpacked says nothing of its selectors": {
    routes: { "/": status(200, { "content-encoding": "gzip" }, cards(1, 2)) },
    failure: { code: "navigation_failed", step: 1 },
    variants: { "a list": {}, "a text": { steps: [visit(), { ...text, timeout_ms: 1_000 } as Step] } },
  },
  "a page that is not complete in time says nothing of its selectors": {
    routes: { "/": (_, response) => void response.write("<h1>Lamps</h1>") },
    steps: [visit(), { ...cardList, timeout_ms: 1_500 }],
    failure: {
      ...{ code: "timeout", step: 1 },
      message:
        /^http\S+ did not load in full within the timeout of the list's step\. .* increase the step's timeout_ms/,
    },
  },
  "scripts and style sheets that never answer, on all pages of a list": {
    routes: {
      "/": (request, response) => {
        const page = pageOf(request);
        const next = page < 4 ? `<a href="/?page=${page + 1}">Next</a>` : "";
        const head = `<link rel=stylesheet href="/never.css?${page}"><script async src="/never/async.js"></script>`;
        const script = `<script src="/never.js?${page}"></script>`;
        return answer(`${head}${script}${cards(page, page)}${script}${next}`)(request, response);
      },
      ...Object.fromEntries(["/never.css", "/never.js", "/never/async.js"].map((path) => [path, () => {}])),
    },
    steps: [visit(), { ...cardList, timeout_ms: 1_500 }],
    pagination: { type: "next_button", field_name: "Next" },
    rows: lamps(1, 4),
    warnings: [
      {
        code: "resource_timeout",
        step: 1,
        message: /^http\S+\/never\.css, .*\/never\.js did not answer in time/,
      },
    ],
  },
  "a script that the site fails to send": {
    routes: { "/": `${cards(1, 2)}<script src="/app.js"></script>`, "/app.js": status(503) },
    steps: [visit(), cardList],
    rows: lamps(1, 2),
    warnings: [{ code: "resource_failed", step: 1, message: /^http\S+\/app\.js failed \(status 503\)/ }],
  },
  "a script that another site fails to send": {
    html: `${cards(1, 2)}<script src="http://elsewhere.invalid/app.js"></script>`,
    steps: [visit(), cardList],
    rows: lamps(1, 2),
  },
  "a page that leads to itself without end, by a refresh": {
    routes: { "/": endless(`<meta http-equiv=refresh content="0">`) },
    steps: [visit(), cardList],
    ...keepsNavigating(30),
  },
  "a page that leads to itself without end, by a script": {
    routes: { "/": endless("<script>location.reload()</script>") },
    steps: [visit(), { ...text, timeout_ms: 30_000 } as Step],
    ...keepsNavigating(30),
  },
  "a page that leads to itself without end, by a script, while a step waits": {
    routes: { "/": endless("<script>location.reload()</script>") },
    steps: [visit(), { type: "wait", value: 3_000 }, cardList],
    ...keepsNavigating(130),
    slow: "A hundred documents take their time.",
  },
} satisfies Pages;
