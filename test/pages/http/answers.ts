import { gzipSync } from "node:zlib";
import { sendHtml } from "../../site/site.ts";
import { type Pages, visit } from "../page.ts";
import {
  IDLE_SCRIPT,
  instead,
  listed,
  listStep,
  notByHttp,
  numbered,
  plainPage,
  rowsOf,
  withScript,
} from "../parts/numbered.ts";

/* Lists whose server answers in its own way. */

const latin = (html: string) => Buffer.from(html, "latin1");
const lion = (n: number) => `Löwe ${n}`;
/** "ランプ" in Shift_JIS. */
const LAMP = "\x83\x89\x83\x93\x83\x76";

/** Four pages with names in an encoding, which the header and the markup state. */
const encoded = (
  header: string,
  encode: (html: string) => Buffer,
  {
    markup = "utf-8",
    name = lion,
    shown = lion,
    ...more
  }: {
    markup?: string;
    name?: typeof lion;
    shown?: typeof lion;
    warnings?: [ReturnType<typeof notByHttp>];
  } = {},
) =>
  numbered({
    pages: 4,
    serve(page, _, response) {
      const html = plainPage({ ...page, rows: rowsOf(page.number, name) });
      response
        .writeHead(200, { "content-type": header })
        .end(encode(html.replace('charset="utf-8"', `charset="${markup}"`)));
      return true;
    },
    rows: listed(1, 4, shown),
    ...more,
  });

const nextButton = { type: "next_button", selector: ".next" } as const;

export default {
  encodings: {
    variants: {
      "windows-1252": encoded("text/html; charset=windows-1252", latin, { markup: "windows-1252" }),
      "windows-1252 by the markup": encoded("text/html", latin, { markup: "iso-8859-1" }),
      "the header contradicts the markup": encoded("text/html; charset=windows-1252", latin),
      "invalid bytes": encoded("text/html; charset=utf-8", latin, {
        shown: (n) => `L\ufffdwe ${n}`,
        warnings: [notByHttp("the browser has not kept its HTML")],
      }),
      shift_jis: encoded("text/html; charset=shift_jis", latin, {
        name: (n) => LAMP + n,
        shown: (n) => `ランプ${n}`,
      }),
      "utf-16": encoded("text/html", (html) => Buffer.from(`\ufeff${html}`, "utf16le"), {
        warnings: [notByHttp("page=2: it does not state its encoding")],
      }),
      "utf-8 with a mark, compressed": encoded("text/html", (html) => Buffer.from(`\ufeff${html}`)),
      none: encoded(
        "text/html",
        (html) => Buffer.from(html.replace(/<meta.*?>/, "").replaceAll("ö", "&ouml;")),
        {
          warnings: [notByHttp("it does not state its encoding")],
        },
      ),
    },
  },
  compressed: numbered({
    serve(page, _, response) {
      response
        .writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
        .end(gzipSync(plainPage(page)));
      return true;
    },
  }),
  "a redirect": numbered({
    serve(page, { url = "" }, response) {
      const isRedirected = page.number === 7 && !url.includes("again");
      if (isRedirected) response.writeHead(302, { location: `${url}&again` }).end();
      return isRedirected;
    },
    warnings: [notByHttp("page=7: its server answered with HTTP 302")],
  }),
  // The page after one whose cookie it lacks asks to sign in. A page comes again if it is read both ways.
  "cookies that each page sets anew": numbered({
    isStateful: true,
    serve(page, { headers }, response) {
      const cookies = headers.cookie?.split("; ").sort().join("; ") ?? "";
      const isNext = [-1, 0, 1].some((offset) => cookies === `all=1; far=1; page=${page.number + offset}`);
      response.setHeader("set-cookie", [
        `page=${page.number}; Path=/; HttpOnly; Max-Age=60`,
        "all=1; Path=/; SameSite=Lax",
        "far=1; Path=/; Max-Age=315360000000",
        "gone=1; Path=/; Max-Age=0",
        "old=1; Path=/; Expires=Fri, 01 Jan 1960 00:00:00 GMT",
        "else=1; Path=/other",
        "foreign=1; Path=/; Domain=other.example",
      ]);
      if (isNext || page.number === 1) return false;
      sendHtml(response, "Sign in");
      return true;
    },
  }),
  "a cookie that only the browser can store": numbered({
    pages: 4,
    serve(_, __, response) {
      response.setHeader("set-cookie", "__Host-a=1");
      return false;
    },
    warnings: [notByHttp("it sets a cookie that only the browser can store")],
  }),
  "a page that fails for good": numbered({
    serve: instead(
      ({ number }) => number === 5,
      (response) => sendHtml(response, "Broken", 501),
    ),
    rows: listed(1, 4),
    failure: { code: "http_error", message: "501" },
    warnings: [notByHttp("page=5: ")],
  }),
  "pages that fail once": numbered({
    serve: instead(
      ({ number, times }) => (number === 4 || number === 6) && times === 1,
      (response) => sendHtml(response, "Busy", 503),
    ),
    warnings: [notByHttp("page=4: ")],
  }),
  "a page that is cut off once": numbered({
    serve: instead(
      ({ number, times }) => number === 5 && times === 1,
      (response, page) => {
        const html = plainPage(page);
        response.writeHead(200, {
          "content-type": "text/html; charset=utf-8",
          "content-length": html.length + 9,
        });
        response.end(html, () => response.destroy());
      },
    ),
    warnings: [notByHttp("page=5: ")],
  }),
  limits: {
    variants: {
      "8 rows": numbered({ rows_limit: 8, rows: listed(1, 3).slice(0, 8), loads: 3 }),
      "9 rows": numbered({ rows_limit: 9, rows: listed(1, 3), loads: 3 }),
      "14 rows": numbered({ rows_limit: 14, rows: listed(1, 5).slice(0, 14), loads: 5 }),
      "2 pages": numbered({ pagination: { ...nextButton, max_pages: 2 }, rows: listed(1, 2), loads: 2 }),
      "7 pages": numbered({ pagination: { ...nextButton, max_pages: 7 }, rows: listed(1, 7), loads: 7 }),
      "a list of one page": numbered({ pages: 1, loads: 1, warnings: ["pagination_control_missing"] }),
      "a list of two pages with scripts": numbered({ pages: 2, html: withScript(IDLE_SCRIPT), loads: 2 }),
    },
  },
  "rows that come again are taken once by their key": numbered({
    steps: [visit("/list"), { ...listStep, fields: [listStep.fields[0]], key: ["name"] }],
    html: (page) => plainPage({ ...page, rows: rowsOf(page.number, (n) => `Lamp ${n % 7}`) }),
    rows: [1, 2, 3, 4, 5, 6, 0].map((n) => ({ name: `Lamp ${n}` })),
  }),
} satisfies Pages;
