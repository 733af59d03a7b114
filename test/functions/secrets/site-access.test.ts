import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { SiteAccess } from "../../../functions/contract/scrapers/site-access.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Secret } from "../../../functions/secrets/secret.ts";
import { withSecrets } from "../../../functions/secrets/with-secrets.ts";
import { type Site, sendHtml, startSite } from "../../site/site.ts";
import { type Engine, startEngine, type Told } from "../scraping/harness.ts";

/* What a scraper's own hosts get from it, and nobody else. */

const KEY = "k3y-of-the-shop";
const PASSWORD = "correct horse: battery";

let engine: Engine;
let site: Site;
/** Embedded in the site's pages, and the target of a redirect. */
let other: Site;
let secrets: Map<string, Secret>;
/** Where it is: another host for cookies, too, which don't tell ports apart. */
let elsewhere: string;
/** What the sites were sent. */
let received: { host: string; path: string; headers: IncomingMessage["headers"] }[];

beforeAll(async () => {
  [site, other] = [await startSite(), await startSite()];
  elsewhere = other.origin.replace("127.0.0.1", "localhost");
  engine = await startEngine([site.host, new URL(elsewhere).host], {
    wrap: (scrape) =>
      withSecrets(
        scrape,
        async (_, names) => new Map([...secrets].filter(([name]) => names.includes(name))),
        "acme",
      ),
  });
});
afterAll(async () => {
  await engine.close();
  await site.close();
  await other.close();
});
beforeEach(() => {
  received = [];
  secrets = new Map([
    ["key", { value: KEY, hosts: [] }],
    ["password", { value: PASSWORD, hosts: [] }],
  ]);
  for (const one of [site, other]) {
    const note = (request: IncomingMessage) =>
      void received.push({ host: one.host, path: request.url ?? "", headers: request.headers });
    one.setRoute("/", (request, response) => {
      note(request);
      sendHtml(
        response,
        `<ul><li>one<li>${request.headers["x-key"]}</ul><script src="/data"></script>
        <script src="${elsewhere}/data"></script><iframe src="${elsewhere}/frame"></iframe>`,
      );
    });
    for (const path of ["/data", "/frame"])
      one.setRoute(path, (request, response) => {
        note(request);
        response.end();
      });
    one.setRoute("/away", (request, response) => {
      note(request);
      response.writeHead(302, { location: `${elsewhere}/` }).end();
    });
    one.setRoute("/closed", (request, response) => {
      note(request);
      const isOpen = request.headers.authorization === basic("me", PASSWORD);
      if (isOpen) return sendHtml(response, "<ul><li>open</ul>");
      response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end("closed");
    });
  }
});

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
const list: Step = { type: "get_list", selector: "li", fields: [{ name: "text" }], timeout_ms: 2_000 };
const run = (access: SiteAccess, path = "/"): Promise<Told> =>
  engine.run({ steps: [{ type: "visit", url: site.url(path) }, list], access });
const at = (host: string) => received.filter((one) => one.host === host);

test.each([
  ["without secrets", "plain", "plain"],
  ["with secrets", "{{secret:key}}", KEY],
])(
  "headers and cookies %s go to the scraper's own host with every request, and to no other",
  async (_, value, sent) => {
    const told = await run({
      headers: { "X-Key": value, Cookie: `b=${value}` },
      cookies: [{ name: "a", value }],
    });
    expect(told).toMatchObject({ failure: undefined, rows: [{ text: "one" }, { text: value }] });
    expect(at(site.host).map(({ path }) => path)).toEqual(["/", "/data"]);
    for (const { headers } of at(site.host))
      expect(headers).toMatchObject({ "x-key": sent, cookie: `a=${sent}; b=${sent}` });
    expect(at(other.host)).toHaveLength(2);
    expect(JSON.stringify(at(other.host))).not.toContain(sent);
  },
);

test("a redirect to another host carries no header", async () => {
  const told = await run({ headers: { "X-Key": "{{secret:key}}" } }, "/away");
  expect(told).toMatchObject({ failure: undefined, rows: [{ text: "one" }, { text: "undefined" }] });
  expect(at(site.host)).toMatchObject([{ path: "/away", headers: { "x-key": KEY } }]);
  expect(JSON.stringify(at(other.host))).not.toContain(KEY);
});

test("a secret that names other hosts is not sent, and nothing is opened", async () => {
  secrets.set("key", { value: KEY, hosts: ["elsewhere.example"] });
  const { failure } = await run({ headers: { "X-Key": "{{secret:key}}" } });
  expect(failure).toMatchObject({
    code: "secret_unavailable",
    message: expect.stringContaining("elsewhere.example only"),
  });
  expect(received).toEqual([]);
});

test("a secret that no header can have is not sent", async () => {
  secrets.set("key", { value: "line\r\nX-Other: 1", hosts: [] });
  const { failure } = await run({ headers: { "X-Key": "{{secret:key}}" } });
  expect(failure).toMatchObject({
    code: "secret_unavailable",
    message: expect.stringContaining("line break"),
  });
  expect(JSON.stringify(failure)).not.toContain("X-Other");
  expect(received).toEqual([]);
});

test("a host that asks for credentials gets them", async () => {
  const told = await run(
    { http_credentials: { username: "me", password: "{{secret:password}}" } },
    "/closed",
  );
  expect(told).toMatchObject({ failure: undefined, rows: [{ text: "open" }] });
  expect(received.map(({ headers }) => headers.authorization)).toEqual([undefined, basic("me", PASSWORD)]);
});

test("wrong credentials are sent once, and fail with HTTP 401", async () => {
  const { failure } = await run({ http_credentials: { username: "me", password: "wrong" } }, "/closed");
  expect(failure).toMatchObject({ code: "http_error", httpStatus: 401 });
  expect(received.map(({ headers }) => headers.authorization)).toEqual([undefined, basic("me", "wrong")]);
});

test("another host that asks for credentials gets none", async () => {
  site.setRoute(
    "/elsewhere",
    (_, response) => void response.writeHead(302, { location: `${elsewhere}/closed` }).end(),
  );
  const { failure } = await run({ http_credentials: { username: "me", password: PASSWORD } }, "/elsewhere");
  expect(failure).toMatchObject({ code: "http_error", httpStatus: 401 });
  expect(at(other.host).map(({ headers }) => headers.authorization)).toEqual([undefined]);
});
