import { gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { readCsvUrl } from "../../../functions/batches/sources/csv-url.ts";
import { parseSitemap, readSitemap } from "../../../functions/batches/sources/sitemap.ts";
import { ValidationError } from "../../../functions/contract/validate.ts";
import { EgressError } from "../../../functions/egress/egress-error.ts";
import type { FetchFile } from "../../../functions/egress/requests/fetch-file.ts";
import { wildcardTest } from "../../../functions/wildcard.ts";

interface File {
  status?: number;
  contentType?: string;
  body?: string | Buffer;
}

/** A web with these files, and how often each was fetched. */
function web(files: Record<string, File>) {
  const fetches: string[] = [];
  const fetchFile: FetchFile = async (url, { maxBytes }) => {
    fetches.push(url);
    const { status = 200, contentType = "", body = "" } = files[url] ?? { status: 404 };
    const bytes = Buffer.from(body);
    if (bytes.length > maxBytes) throw new EgressError("limit_exceeded", "The file is too large");
    return { url, status, contentType, bytes };
  };
  return { fetchFile, fetches };
}

const messageOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => new Error("no problem"),
    (problem: unknown) => problem,
  );
  if (!(error instanceof ValidationError)) throw error;
  return error.problems.map(({ message }) => message).join();
};

const site = "https://shop.example";
const urlset = (...urls: string[]) =>
  `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;
const index = (...urls: string[]) =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc> ${url} </loc></sitemap>`).join("")}</sitemapindex>`;

test("sitemaps may be nested, compressed, and name themselves and each other", async () => {
  const { fetchFile, fetches } = web({
    [`${site}/sitemap.xml`]: { body: index(`${site}/a.xml.gz`, "/b.xml", `${site}/sitemap.xml`) },
    [`${site}/a.xml.gz`]: {
      body: gzipSync(urlset(`${site}/p/1`, `${site}/p/2?a=1&amp;b=2`, `${site}/about`)),
    },
    [`${site}/b.xml`]: { body: index(`${site}/sitemap.xml`, `${site}/c.xml`) },
    [`${site}/c.xml`]: { body: urlset(`${site}/p/1`, `<![CDATA[${site}/p/3?x=1&y=2]]>`) },
  });
  const { inputs } = await readSitemap(
    { fetchFile },
    { url: `${site}/sitemap.xml`, match: `${site}/p/*`, step: "open" },
  );
  expect(inputs).toEqual(["/p/1", "/p/2?a=1&b=2", "/p/3?x=1&y=2"].map((path) => ({ open: site + path })));
  expect(fetches).toEqual(["/sitemap.xml", "/a.xml.gz", "/b.xml", "/c.xml"].map((path) => site + path));
});

test("a sitemap without an end, a bomb, and one without addresses are problems", async () => {
  const endless: FetchFile = async (url) => ({
    url,
    status: 200,
    contentType: "",
    bytes: Buffer.from(index(`${url}x`, `${url}y`)),
  });
  const read = (fetchFile: FetchFile) =>
    messageOf(readSitemap({ fetchFile }, { url: `${site}/s`, step: "open" }));
  expect(await read(endless)).toBe("has more than 500 sitemaps");
  const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024));
  expect(await read(web({ [`${site}/s`]: { body: bomb } }).fetchFile)).toBe(
    "can't be read: https://shop.example/s is larger than 52428800 bytes",
  );
  expect(await read(web({ [`${site}/s`]: { body: "<urlset/>" } }).fetchFile)).toBe("has no addresses");
  expect(await read(web({}).fetchFile)).toBe("can't be read: the server answered with HTTP 404");
});

test("a sitemap may be a list of addresses", () => {
  expect(parseSitemap("https://a.example/1\r\nhttps://a.example/2\n\n")).toEqual({
    isIndex: false,
    addresses: ["https://a.example/1", "https://a.example/2"],
  });
});

test("a sitemap with elements that do not end is read at once", () => {
  for (const part of ["<!--", "<loc><![CDATA[", "<loc>", " ", "\n<loc>\t "])
    expect(parseSitemap(`<urlset><loc>${part.repeat(300_000)}`).addresses).toEqual([]);
});

test.each(["", "s:"])("pictures and comments are no addresses of a sitemap with the prefix %p", (at) => {
  const url = `<${at}url><${at}loc>${site}/p/1</${at}loc><image:image><image:loc>${site}/1.jpg</image:loc></image:image></${at}url>`;
  const old = `<!-- <${at}loc>${site}/p/0</${at}loc> -->`;
  expect(parseSitemap(`<?xml version="1.0"?><${at}urlset>${old}${url}</${at}urlset>`)).toEqual({
    isIndex: false,
    addresses: [`${site}/p/1`],
  });
});

test.each([
  ["a*c", ["ac", "abc", "a/b/c"], ["abcd", "xac"]],
  ["*", ["", "anything"], []],
  ["*b*b*", ["bb", "abcbd"], ["b", "abc"]],
  ["ab", ["ab"], ["abc", "a"]],
  ["ab*ba", ["abba", "abxba"], ["aba", "ab"]],
  ["a*b*b", ["abb", "axbxb"], ["ab"]],
])("the pattern %s", (pattern, matching, others) => {
  const matches = wildcardTest(pattern);
  expect(matching.filter((text) => !matches(text))).toEqual([]);
  expect(others.filter(matches)).toEqual([]);
});

test.each(["latin1", "utf8"] as const)(
  "a CSV file at an address has the inputs of a file: %s",
  async (encoding) => {
    const { fetchFile } = web({
      [`${site}/words.csv`]: {
        // As servers state for all files.
        contentType: "text/csv; charset=ISO-8859-1",
        body: Buffer.from("w;n\ngrün;1\n", encoding),
      },
    });
    const { inputs } = await readCsvUrl({ fetchFile }, `${site}/words.csv`);
    expect(inputs).toEqual([{ w: "grün", n: "1" }]);
  },
);

test("an address that needs a sign-in says so", async () => {
  const page = "<!DOCTYPE html><title>Sign in</title>";
  const { fetchFile } = web({
    [`${site}/page`]: { contentType: "text/html; charset=utf-8", body: page },
    [`${site}/untyped`]: { body: page },
    [`${site}/private`]: { status: 403 },
  });
  const read = (path: string) => messageOf(readCsvUrl({ fetchFile }, site + path));
  for (const path of ["/page", "/untyped"]) expect(await read(path)).toMatch(/leads to a web page.*sign-in/);
  expect(await read("/private")).toBe(
    "can't be read: the server answered with HTTP 403. It may need a sign-in; publish the file",
  );
  const refused: FetchFile = () =>
    Promise.reject(new EgressError("blocked_address", "10.0.0.1 is not public"));
  expect(await messageOf(readCsvUrl({ fetchFile: refused }, `${site}/x`))).toBe(
    "can't be read: 10.0.0.1 is not public",
  );
});
