import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps/steps.ts";
import type { Lookup } from "../../../../functions/egress/connect/resolve.ts";
import { multiProcessArgs } from "../../../../functions/scraping/browser/browsers.ts";
import { type Site, startSite } from "../../../site/site.ts";
import { certificate } from "../../../site/tls/certificate.ts";
import {
  startUpstreamProxy,
  type UpstreamProxy,
  type UpstreamProxyOptions,
} from "../../../site/upstream-proxy.ts";
import { startEngine } from "../harness.ts";

/*
 * A page of a site that only the proxy can find: its names resolve to public addresses here, and to loopback there.
 */

const user = "renter";
const password = "p@ss:wörd";
const name = "the residential proxy for Peru";
const lookup: Lookup = async () => [{ address: "8.8.8.8", family: 4 }];
/** What the pages and their requests hold, as the sites see it. */
const seen: string[] = [];
let site: Site;
const secure = createServer(certificate, (incoming, response) => {
  seen.push(incoming.rawHeaders.join());
  response.setHeader("Access-Control-Allow-Origin", "*").end("<ul><li>in secret</li></ul>");
});

beforeAll(async () => {
  site = await startSite();
  await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  secure.closeAllConnections();
  secure.close();
  await site.close();
});

interface Through {
  respectRobots?: boolean;
  proxy?: Partial<UpstreamProxyOptions>;
  /** Of the address that the operator has set up. */
  givenPassword?: string;
  url?: string;
  limits?: { connectMs?: number; idleMs?: number };
}

async function run({
  proxy: options,
  givenPassword = password,
  url = "http://shop.test/",
  limits = {},
  respectRobots,
}: Through) {
  const hosts = {
    "shop.test": site.host,
    "cdn.test": site.host,
    "secure.test": `127.0.0.1:${(secure.address() as AddressInfo).port}`,
  };
  const proxy: UpstreamProxy = await startUpstreamProxy({ user, password, hosts, ...options });
  const upstream = { url: `http://${user}:${encodeURIComponent(givenPassword)}@${proxy.host}`, name };
  const engine = await startEngine([], {
    upstream,
    lookup,
    limits,
    args: [...multiProcessArgs, "--ignore-certificate-errors"],
  });
  try {
    const steps: Step[] = [
      { type: "visit", url },
      { type: "get_list", selector: "li", fields: [{ name: "text" }] },
    ];
    return { proxy, told: await engine.run({ steps, respectRobots }) };
  } finally {
    await engine.close();
    await proxy.close();
  }
}

test("a page, what it embeds and what its scripts fetch come through the proxy, which alone sees the password", async () => {
  site.setRoute("/", (incoming, response) => {
    seen.push(incoming.rawHeaders.join());
    response.setHeader("content-type", "text/html");
    response.end('<ul></ul><script src="http://cdn.test/rows.js"></script>');
  });
  site.setRoute("/rows.js", (incoming, response) => {
    seen.push(incoming.rawHeaders.join());
    response.setHeader("content-type", "text/javascript");
    response.end(`fetch("https://secure.test/").then((answer) => answer.text()).then((text) => {
      document.querySelector("ul").innerHTML = text;
    });`);
  });
  const { proxy, told } = await run({});
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual([{ text: "in secret" }]);
  expect(proxy.asked).toEqual(
    expect.arrayContaining([
      "GET http://shop.test:80/",
      "GET http://cdn.test:80/rows.js",
      "CONNECT secure.test:443",
    ]),
  );
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  expect(new Set(proxy.credentials)).toEqual(new Set([authorization]));
  expect(seen).toHaveLength(3);
  expect(seen.join()).not.toMatch(/proxy-authorization|renter/i);
  expect(seen.join()).not.toContain(authorization.slice(6));
});

test("what is private here is refused before the proxy hears of it", async () => {
  const { proxy, told } = await run({ url: "http://169.254.169.254/latest/meta-data/" });
  expect(told.failure).toMatchObject({ code: "blocked_address" });
  expect(proxy.asked).toEqual([]);
});

test.each<[string, Through]>([
  ["http", {}],
  ["https", { url: "https://secure.test/" }],
  ["for robots.txt, http", { respectRobots: true }],
  ["for robots.txt, https", { respectRobots: true, url: "https://secure.test/" }],
])("a wrong password is tried once, %s", async (_, through) => {
  const { proxy, told } = await run({ givenPassword: "wrong", ...through });
  expect(told.failure).toMatchObject({
    code: "proxy_failed",
    message: expect.stringContaining(`${name} refused its credentials`),
    step: 0,
  });
  expect(told.failure?.message).toMatch(/ask the operator/i);
  expect(told.failure?.message).not.toMatch(/wrong\b|renter/);
  expect(proxy.asked).toHaveLength(1);
});

const hang = { connectMs: 1_000, idleMs: 1_000 };

test.concurrent.each([
  [
    "a proxy that hangs, http",
    { proxy: { hangs: true }, limits: hang },
    "navigation_failed",
    `through ${name}: shop.test:80 did not answer in time`,
  ],
  [
    "a proxy that hangs, https",
    { proxy: { hangs: true }, limits: hang, url: "https://secure.test/" },
    "navigation_failed",
    `through ${name}: secure.test:443 was not reached in time`,
  ],
  [
    "a site that the proxy does not find",
    { proxy: { hosts: { "secure.test": "127.0.0.1:9" } }, url: "https://secure.test/" },
    "navigation_failed",
    `through ${name}: the proxy answered 502 for secure.test:443`,
  ],
] as const)("%s is told by the proxy's type and country", async (_, through, code, message) => {
  const { proxy, told } = await run(through);
  expect(told.failure).toMatchObject({ code, message: expect.stringContaining(message), step: 0 });
  expect(told.failure?.message).toMatch(/ask the operator/i);
  expect(told.failure?.message).not.toContain(proxy.host);
  expect(told.failure?.message).not.toMatch(/wrong\b|w%C3%B6rd|renter/);
});
