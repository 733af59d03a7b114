import { expect, test } from "@jest/globals";
import { hasLinkTo, PredictedAnswers } from "../../../../functions/scraping/http/chain.ts";
import { cookiesToSet } from "../../../../functions/scraping/http/cookies.ts";
import type { HttpAnswer } from "../../../../functions/scraping/http/http-client.ts";
import { BrowserRequired } from "../../../../functions/scraping/http/http-client.ts";
import { KnownPages } from "../../../../functions/scraping/http/known-pages.ts";
import type { HttpPage } from "../../../../functions/scraping/http/page-reader.ts";
import {
  assertReadable,
  charsetOf,
  requestHeaders,
} from "../../../../functions/scraping/http/page-reader.ts";
import { emptyDocument } from "../../../../functions/scraping/page/document.ts";
import { isByMarkup, widened } from "../../../../functions/scraping/page-script/http/read-html.ts";

const html = { "content-type": "text/html; charset=utf-8" };
const answer = (more: Partial<HttpAnswer> = {}): HttpAnswer => ({
  status: 200,
  headers: html,
  cookies: [],
  body: Buffer.from(""),
  ...more,
});
const open = {
  ...emptyDocument("http://a.example/"),
  status: 200,
  headers: { ...html } as Record<string, string>,
};

/** Lets all that is due happen. */
const turns = () => new Promise((resolve) => setImmediate(resolve));

test("answers that the browser shows as the page that is open", () => {
  expect(() => assertReadable(answer(), open)).not.toThrow();
  const policy = (nonce: string) => ({ ...html, "content-security-policy": `script-src 'nonce-${nonce}'` });
  expect(() =>
    assertReadable(answer({ headers: policy("a") }), { ...open, headers: policy("b") }),
  ).not.toThrow();
});

test.each<[string, Partial<HttpAnswer>]>([
  ["another status", { status: 206 }],
  ["a redirect", { status: 302, headers: { ...html, location: "/" } }],
  ["another type", { headers: { "content-type": "application/xhtml+xml" } }],
  ["no type", { headers: {} }],
  ["another encoding", { headers: { "content-type": "text/html; charset=latin1" } }],
  ["a file", { headers: { ...html, "content-disposition": "attachment" } }],
  ["a refresh", { headers: { ...html, refresh: "5" } }],
  ["another policy", { headers: { ...html, "content-security-policy": "default-src 'none'" } }],
  ["links that hide where they are", { headers: { ...html, "referrer-policy": "no-referrer" } }],
])("answers that are in doubt: %s", (_, more) => {
  expect(() => assertReadable(answer(more), open)).toThrow();
});

test("the encoding in a Content-Type", () => {
  const of = (type: string) => charsetOf({ "content-type": type });
  expect(of('text/html;Charset="Shift_JIS"')).toBe("Shift_JIS");
  expect(of("text/html; charset = utf-8 ; x=y")).toBe("utf-8");
  expect(of("text/html; xcharset=utf-8")).toBeNull();
  expect(of("text/html")).toBeNull();
});

test("cookies as the browser takes them", () => {
  const url = "https://www.a.example/list/pages?page=2";
  const [plain, full, gone] = cookiesToSet(
    [
      "a=b=%20c",
      "d=e; Domain=a.example; Path=/list; Secure; HttpOnly; SameSite=lax; Expires=Thu, 01 Jan 2032 00:00:00 GMT",
      "f=g; Max-Age=0; Expires=Thu, 01 Jan 2032 00:00:00 GMT; Path=list",
    ],
    url,
  );
  expect(plain).toEqual({
    name: "a",
    value: "b=%20c",
    domain: "www.a.example",
    path: "/list",
    secure: false,
    httpOnly: false,
  });
  expect(full).toEqual({
    name: "d",
    value: "e",
    domain: ".a.example",
    path: "/list",
    secure: true,
    httpOnly: true,
    sameSite: "Lax",
    expires: Date.UTC(2032, 0, 1) / 1_000,
  });
  expect(gone).toMatchObject({ path: "/list", expires: expect.any(Number) });
  expect((gone?.expires ?? 0) * 1_000).toBeLessThanOrEqual(Date.now());
});

test.each([
  "Wed, 09-Nov-44 23:12:40 GMT",
  "Wednesday, 09-Nov-2044 23:12:40 GMT",
  "Wed, 9 Nov 2044 23:12:40 GMT; Path=/",
])("cookies with an end in a usual form: %s", (end) => {
  const [cookie] = cookiesToSet([`a=b; Expires=${end}`], "http://a.example/");
  expect(cookie?.expires).toBe(Date.UTC(2044, 10, 9, 23, 12, 40) / 1_000);
});

test("cookies whose end is beyond what can be stored", () => {
  const [far, farther, past] = cookiesToSet(
    [
      "a=b; Max-Age=315360000000",
      `a=b; Max-Age=${"9".repeat(400)}`,
      "a=b; Expires=Fri, 01 Jan 1960 00:00:00 GMT",
    ],
    "http://a.example/",
  );
  for (const cookie of [far, farther])
    expect(cookie?.expires).toBe(Date.UTC(9999, 11, 31, 23, 59, 59) / 1_000);
  expect(past?.expires).toBe(0);
});

test.each([
  ["https://www.a.example/", "a=b; Domain=other.example", false],
  ["https://www.a.example/", "a=b; Domain=www2.a.example", false],
  ["https://www.a.example/", "a=b; Domain=x.www.a.example", false],
  ["https://www.a.example/", "a=b; Domain=ww.a.example", false],
  ["https://www.a.example/", "a=b; Domain=.", false],
  ["https://www.a.example/", "a=b; Domain=", true],
  ["https://www.a.example/", "a=b; Domain=.A.example", true],
  ["https://www.a.example/", "a=b; Domain=www.a.example", true],
  ["http://127.0.0.1/", "a=b; Domain=0.0.1", false],
  ["http://127.0.0.1/", "a=b; Domain=127.0.0.1", true],
  ["http://a.example/", "a=b; Secure", false],
  ["http://localhost/", "a=b; Secure", true],
])("%s may set the cookie %s: %s", (url, line, isSet) => {
  expect(cookiesToSet([line], url)).toHaveLength(isSet ? 1 : 0);
});

test.each([
  ["a partition", "a=b; Secure; Partitioned"],
  ["no name", "nameless"],
  ["a name that the parser refuses", "toString=1"],
  ["an end in another form", "a=b; Expires=0"],
  ["an end whose century is in doubt", "a=b; Expires=Wed, 09-Nov-50 23:12:40 GMT"],
])("cookies that only the browser can store: %s", (_, line) => {
  expect(() => cookiesToSet(["c=d", line], "https://a.example/")).toThrow(BrowserRequired);
});

test("the headers of a request", () => {
  const navigation = {
    ":authority": "a.example",
    Host: "a.example",
    Accept: "text/html",
    Cookie: "old=1",
    "If-None-Match": "x",
    Referer: "http://a.example/before",
    "Sec-Fetch-Site": "none",
    "Cache-Control": "max-age=0",
  };
  expect(requestHeaders(navigation, [], "http://a.example/list")).toEqual({
    Accept: "text/html",
    Referer: "http://a.example/list",
    "Sec-Fetch-Site": "same-origin",
  });
  expect(
    requestHeaders(
      navigation,
      [
        { name: "a", value: "1" },
        { name: "b", value: "2" },
      ],
      "http://a.example/#x",
    ),
  ).toEqual({
    Accept: "text/html",
    Referer: "http://a.example/",
    "Sec-Fetch-Site": "same-origin",
    Cookie: "a=1; b=2",
  });
});

test("pages that are like those before", () => {
  const page = (more: Partial<HttpPage> = {}): HttpPage => ({
    url: "",
    rows: [],
    digest: "",
    texts: "",
    size: 0,
    cells: [
      ["a", "b"],
      ["c", null],
    ],
    content: "",
    target: null,
    sheets: "style",
    isInert: false,
    words: ["a", "b"],
    ...more,
  });
  const known = new KnownPages();
  known.learn(page());
  expect(known.isProven(page())).toBe(false);
  known.prove(page());
  expect(() => known.assertAlike(page({ words: ["b"], cells: [["x", ""]] }))).not.toThrow();
  for (const more of [
    { sheets: "other" },
    { isInert: true },
    { words: ["a", "c"] },
    { cells: [["", "x"]] },
    { cells: [[null, "x"]] },
    { cells: [["\u00a0", ""]] },
  ])
    expect(() => known.assertAlike(page(more))).toThrow();
  known.prove(page({ words: ["c"] }));
  known.learn(page({ words: ["c"], cells: [[" ", "x"]] }));
  expect(() => known.assertAlike(page({ words: ["a", "c"], cells: [["", "x"]] }))).not.toThrow();
});

test("addresses that are asked for ahead", async () => {
  const asked: string[] = [];
  const answers = new PredictedAnswers("/list?page=1", async (url, referer) => {
    asked.push(`${referer} > ${url}`);
    return answer();
  });
  const url = (page: number) => `http://a.example/list?page=${page}`;
  const next = async (page: number, pages: number) => {
    asked.length = 0;
    await answers.next(url(page), { pages, width: 4 });
    await turns();
    return asked;
  };
  expect(await next(2, 3)).toEqual([`/list?page=1 > ${url(2)}`]);
  expect(await next(3, 3)).toEqual([`${url(2)} > ${url(3)}`]);
  const first = [`${url(3)} > ${url(4)}`, `${url(4)} > ${url(5)}`, `${url(5)} > ${url(6)}`];
  expect(await next(4, 3)).toEqual(first);
  expect(await next(5, 9)).toEqual([`${url(6)} > ${url(7)}`, `${url(7)} > ${url(8)}`]);
  await answers.next("http://a.example/other", { pages: 9, width: 4 });
  expect(await next(7, 9)).toEqual([`http://a.example/other > ${url(7)}`]);
});

test("addresses that pages name are asked for one after the other", async () => {
  const url = (page: number) => `http://a.example/list?page=${page}&by=name`;
  const asked: string[] = [];
  const answers = new PredictedAnswers(url(1), async (address) => {
    asked.push(address);
    const number = Number(/\d+/.exec(address)?.[0]);
    const body = Buffer.from(`<a href="/list?page=${number + 1}&amp;by=name">Next</a>`);
    return answer({ body, ...(number === 5 && { cookies: ["a=b"] }) });
  });
  for (const page of [2, 3]) await answers.next(url(page), { pages: 9, width: 1 });
  await turns();
  // The cookie may decide what the sixth page is.
  expect(asked).toEqual([url(2), url(3), url(4), url(5)]);
});

test("links in HTML", () => {
  const html = Buffer.from(
    `<a href="/list/?page=3">3</a> <a href='?page=4&amp;x=1'>4</a> <a href=list?page=5>5</a> <a href="?page=60">`,
  );
  const isNamed = (address: string) => hasLinkTo(html, `http://a.example${address}`);
  for (const address of ["/list/?page=3", "/any?page=4&x=1", "/a/list?page=5", "/?page=60"])
    expect(isNamed(address)).toBe(true);
  for (const address of ["/list/?page=4", "/list?page=6", "/?page=7"]) expect(isNamed(address)).toBe(false);
});

test("selectors that depend on nothing but the markup", () => {
  for (const selector of [
    "a:first-child",
    "li:nth-child(2n + 1):not(.x)",
    '[title="a:hover"]',
    "a::before",
    ":is(a, b)",
    "x\\:hover",
  ])
    expect(isByMarkup(selector)).toBe(true);
  for (const selector of ["a:hover", "input:checked", "a:not(:focus)", ":host", "p:LANG(de)"])
    expect(isByMarkup(selector)).toBe(false);
});

test("selectors that match whatever others may ever match", () => {
  expect(widened("a.b:first-child")).toBe("a.b:first-child");
  expect(widened("a:hover > b")).toBe("a:is(*) > b");
  expect(widened("p:lang(de) i")).toBe("p:is(*) i");
  expect(widened("a::before:hover")).toBe("a::before:is(*)");
  for (const selector of ["a:not(:hover)", "li:nth-child(2 of :hover)", '[title="x"]:hover', "a\\:b:hover"])
    expect(widened(selector)).toBe("*");
});
