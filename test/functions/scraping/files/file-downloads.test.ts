import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps/steps.ts";
import { RunFailure } from "../../../../functions/runs/failure.ts";
import type { BatchFile, FileSink, SecretResolver } from "../../../../functions/scraping/job.ts";
import { startSite } from "../../../site/site.ts";
import { startEngine } from "../harness.ts";

/* Files that the rows of a list name, as the engine downloads them. */

const PDF = Buffer.from("%PDF-1.7 a manual");
const sha256 = (content: Buffer | string) => createHash("sha256").update(content).digest("hex");

/** What is stored, by key, and the keys that are listed already. */
const stored = new Map<string, string>();
const known = new Set<string>();
const sink: FileSink = {
  count: 0,
  bytes: 0,
  has: (key) => known.has(key),
  async put(key, content) {
    stored.set(key, Buffer.concat(await Array.fromAsync(content)).toString());
  },
};
const site = await startSite();
/** The same server by another name, which is another host. */
const otherHost = site.host.replace("127.0.0.1", "localhost");
/** What must not leave the site: it stands for a secret. */
const SECRET = "s3cr3t-value";
let hasSecrets = false;
const engine = await startEngine([site.host, otherHost], {
  wrap: (scrape) =>
    async function* listing(job, context) {
      const batches = scrape(job, { ...context, files: sink, ...(hasSecrets && { secrets }) });
      for (;;) {
        const next = await batches.next();
        if (next.done) return next.value;
        for (const { key } of next.value.files ?? []) known.add(key);
        yield next.value;
      }
    },
});
afterAll(async () => {
  await engine.close();
  await site.close();
});
/** Secrets that may go to the site alone. */
const secrets: SecretResolver = {
  url: (template) => template,
  text: (template) => template,
  refusal: async ({ url, headers }) =>
    new URL(url).host !== site.host && [url, ...headers].some((text) => text.includes(SECRET))
      ? new RunFailure("secret_unavailable", "A secret must not be sent there.")
      : undefined,
  isKeptFrom: (address) => new URL(address).host !== site.host,
  onFirstUse: (listener) => listener(),
  socketRefusal: () => undefined,
};
const route = (path: string, content: Buffer | string, headers: Record<string, string> = {}, status = 200) =>
  site.setRoute(path, (_, response) => {
    response.writeHead(status, headers).end(content);
  });

/** Reads rows with these addresses, in attributes that stay as they are. */
async function download(addresses: readonly string[], { files = {}, visit = {}, job = {} } = {}) {
  const path = site.newPath();
  const cells = addresses.map((address) => `<li data-file="${address}">x</li>`);
  site.setRoute(path, (_, response) => {
    response
      .writeHead(200, { "content-type": "text/html", "set-cookie": "seen=1" })
      .end(`<ul>${cells.join("")}</ul>`);
  });
  const list: Step = {
    type: "get_list",
    selector: "li",
    fields: [{ name: "text" }, { name: "file", attribute: "data-file" }],
    files: { field: "file", ...files },
  };
  const told = await engine.run({ steps: [{ type: "visit", url: site.url(path), ...visit }, list], ...job });
  let first = 0;
  const found: BatchFile[] = [];
  for (const batch of told.batches) {
    for (const file of batch.files ?? []) found.push({ ...file, row: first + file.row });
    first += batch.rows.length;
  }
  return { ...told, path, files: found };
}
const messageOf = (file: BatchFile | undefined) =>
  file && "error" in file.content ? file.content.error : undefined;

test("each address is downloaded once, with the row that names it first; rows keep their addresses", async () => {
  route("/a.pdf", PDF, { "content-type": "application/pdf" });
  route("/b", gzipSync("text"), { "content-type": "text/plain", "content-encoding": "gzip" });
  const addresses = ["/a.pdf", "", " ", "/b", "/a.pdf", "/a.pdf", "/b"];
  const { files, rows, warnings, failure } = await download(addresses);
  expect({ warnings, failure }).toEqual({ warnings: [], failure: undefined });
  expect(rows.map(({ file }) => file)).toEqual(addresses);
  expect(files.map(({ key: _, ...file }) => file)).toEqual([
    {
      row: 0,
      field: "file",
      url: "/a.pdf",
      name: "a.pdf",
      content: { bytes: PDF.length, type: "application/pdf", sha256: sha256(PDF) },
    },
    {
      row: 3,
      field: "file",
      url: "/b",
      name: "b",
      content: { bytes: 4, type: "text/plain", sha256: sha256("text") },
    },
  ]);
  expect(files.map(({ key }) => stored.get(key))).toEqual([PDF.toString(), "text"]);
  expect(site.requests.filter((path) => path === "/a.pdf" || path === "/b")).toHaveLength(2);
  // Those of a run that resumes are listed already.
  expect((await download(["/a.pdf", "/b"])).files).toEqual([]);
});

test("a file gets the cookies of its host, and names the page", async () => {
  const asked: unknown[] = [];
  site.setRoute("/asked", ({ headers: { cookie, referer } }, response) => {
    asked.push({ cookie, referer });
    response.end("x");
  });
  const { path } = await download(["/asked"]);
  expect(asked).toEqual([{ cookie: "seen=1", referer: site.url(path) }]);
});

test("redirects are followed, and cookies set on the way count", async () => {
  site.setRoute("/gate", (_, response) => {
    response.writeHead(302, { location: "/behind/x.pdf", "set-cookie": "ticket=7; Path=/" }).end();
  });
  site.setRoute("/behind/x.pdf", ({ headers }, response) => {
    response.writeHead(headers.cookie?.includes("ticket=7") ? 200 : 403).end(PDF);
  });
  const { files } = await download(["/gate"]);
  expect(files).toMatchObject([{ url: "/gate", name: "x.pdf", content: { type: "application/pdf" } }]);
});

test("a file that fails is listed with its error, and the run warns", async () => {
  site.setRoute("/endless", (_, response) => {
    const write = (): void => {
      if (!response.destroyed) response.write("x".repeat(64_000), () => setImmediate(write));
    };
    write();
  });
  route("/large", "x".repeat(2_000));
  route("/bomb", gzipSync("x".repeat(100_000)), { "content-encoding": "gzip" });
  route("/login.pdf", "<!doctype html><form>", { "content-type": "application/pdf" });
  route("/empty", "");
  site.setRoute("/cut", (_, response) => {
    response.writeHead(200, { "content-length": "900" }).write("short", () => response.destroy());
  });
  site.setRedirect("/inside", "http://169.254.169.254/latest/meta-data");
  site.setRedirect("/scheme", "file:///etc/passwd");
  site.setRedirect("/circle", "/circle");
  route("/fine", "fine");
  const cases: [string, RegExp][] = [
    ["/missing.pdf", /answered with HTTP 404/],
    ["/endless", /is larger than 1000 bytes\. Set "max_bytes"/],
    ["/large", /is larger than 1000 bytes/],
    ["/bomb", /is larger than 1000 bytes/],
    ["/login.pdf", /answered with a web page in place of a file/],
    ["/empty", /answered with nothing: the file is empty/],
    ["/cut", /its transfer was cut off/],
    ["/inside", /can't be opened: Gleaner opens public addresses only/],
    ["/scheme", /redirects to an invalid web address/],
    ["/circle", /redirects endlessly/],
    ["http://10.0.0.1/x.pdf", /can't be opened: Gleaner opens public addresses only/],
    ["data:image/gif;base64,R0lGODlhAQ", /is not an address of a file on the web/],
    ["http://[", /is not an address of a file on the web/],
  ];
  const { files, rows, warnings, failure } = await download([...cases.map(([url]) => url), "/fine"], {
    files: { max_bytes: 1_000 },
  });
  expect(failure).toBeUndefined();
  expect(rows).toHaveLength(cases.length + 1);
  expect(files.map(({ url }) => url)).toEqual([...cases.map(([url]) => url), "/fine"]);
  for (const [index, [, message]] of cases.entries()) expect(messageOf(files[index])).toMatch(message);
  expect(files.at(-1)).toMatchObject({ content: { bytes: 4 } });
  expect(warnings).toEqual([
    {
      code: "files_missing",
      message: expect.stringMatching(/^Some files could not be downloaded\. The first: .*HTTP 404/),
      step: 1,
      field: "file",
      count: cases.length,
    },
  ]);
});

test("a temporary failure is retried", async () => {
  let requests = 0;
  site.setRoute("/flaky", (_, response) => {
    requests += 1;
    response.writeHead(requests === 1 ? 503 : 200).end(PDF);
  });
  const { files } = await download(["/flaky"]);
  expect({ requests, files }).toMatchObject({ requests: 2, files: [{ content: { bytes: PDF.length } }] });
});

test("what robots.txt disallows is not downloaded, unless the scraper says so", async () => {
  route("/robots.txt", "User-agent: *\nDisallow: /private/", { "content-type": "text/plain" });
  for (const name of ["x", "y"]) route(`/private/${name}.pdf`, PDF);
  const { files } = await download(["/private/x.pdf"]);
  expect(messageOf(files[0])).toMatch(/may not be visited/);
  const ignored = await download(["/private/y.pdf"], { job: { respectRobots: false } });
  expect(ignored.files).toMatchObject([{ content: { bytes: PDF.length } }]);
});

test("the scraper's own host gets its headers, and its credentials if it asks for them", async () => {
  const asked: unknown[] = [];
  site.setRoute("/protected", ({ headers: { authorization, "x-key": key } }, response) => {
    asked.push({ authorization, key });
    if (authorization) response.end("x");
    else response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
  });
  const job = { access: { headers: { "X-Key": "k" }, http_credentials: { username: "u", password: "p" } } };
  const { files } = await download(["/protected"], { job });
  expect(files).toMatchObject([{ content: { bytes: 1 } }]);
  const authorization = `Basic ${Buffer.from("u:p").toString("base64")}`;
  expect(asked).toEqual([
    { authorization: undefined, key: "k" },
    { authorization, key: "k" },
  ]);
});

test("another host gets no cookies, headers or credentials", async () => {
  const asked: unknown[] = [];
  site.setRoute("/elsewhere", ({ headers }, response) => {
    const { host, cookie, referer, authorization, "x-key": key } = headers;
    asked.push({ host, cookie, referer, authorization, key });
    response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
  });
  site.setRedirect("/leads-elsewhere", `http://${otherHost}/elsewhere`);
  const job = { access: { headers: { "X-Key": "k" }, http_credentials: { username: "u", password: "p" } } };
  const { files } = await download([`http://${otherHost}/elsewhere`, "/leads-elsewhere"], { job });
  for (const file of files) expect(messageOf(file)).toMatch(/HTTP 401/);
  const nothing = { cookie: undefined, authorization: undefined, key: undefined };
  const one = { host: otherHost, referer: `${site.origin}/`, ...nothing };
  expect(asked).toEqual([one, one]);
});

test("no request is made for a file whose address carries a secret to another host", async () => {
  route("/kept", "kept");
  const before = site.requests.length;
  const addresses = [`http://${otherHost}/?q=${SECRET}`, `/kept?q=${SECRET}`];
  hasSecrets = true;
  const { files } = await download(addresses);
  hasSecrets = false;
  expect(messageOf(files[0])).toBe("A secret must not be sent there.");
  expect(files[1]).toMatchObject({ content: { bytes: 4 } });
  const requests = site.requests.slice(before).filter((path) => path.includes(SECRET));
  expect(requests).toEqual([`/kept?q=${SECRET}`]);
});

test("rows are handed over a few at a time, so that a run can pause between them", async () => {
  const paths = Array.from({ length: 10 }, (_, index) => `/part-${index}`);
  for (const path of paths) route(path, path);
  const { batches, files } = await download(paths);
  expect(batches.map(({ rows }) => rows.length)).toEqual([4, 4, 2]);
  expect(batches.map(({ checkpoint }) => (checkpoint as { skip?: number }).skip)).toEqual([4, 8, 0]);
  expect(files.map(({ url }) => url)).toEqual(paths);
});

test("a field of the details is resolved against the page of its row", async () => {
  route("/goods/sheet.pdf", PDF);
  site.setRoute("/goods/1", '<i data-sheet="sheet.pdf"></i>');
  const path = site.newPath();
  site.setRoute(path, '<ul><li><a href="/goods/1">1</a></li></ul>');
  const { batches } = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      {
        type: "get_list",
        selector: "li",
        fields: [{ name: "url", selector: "a", attribute: "href" }],
        details: { url_field: "url", fields: [{ name: "sheet", selector: "i", attribute: "data-sheet" }] },
        files: { field: "sheet" },
      },
    ],
  });
  expect(batches.flatMap(({ files = [] }) => files)).toMatchObject([
    { url: "sheet.pdf", content: { bytes: PDF.length } },
  ]);
});
