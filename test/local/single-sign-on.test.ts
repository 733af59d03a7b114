import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "@jest/globals";
import { apiHandlers } from "../../functions/api/api-handlers.ts";
import { createAccount } from "../../functions/store/accounts.ts";
import { listAuditEntries } from "../../functions/store/audit.ts";
import { createGateway } from "../../local/http/gateway.ts";
import {
  createIdentify,
  parseUserRoles,
  type SignOnOptions,
  signOnOf,
  type UserRoles,
} from "../../local/http/single-sign-on.ts";
import { startTable } from "../functions/store/local-table.ts";
import { noQueues, unusedByApi } from "../no-files.ts";

const roles: UserRoles = {
  users: { ann: "admin", bob: "read", josé: "write" },
  groups: { editors: "write", readers: "read" },
};
const ON: SignOnOptions = { port: 4000, trustUserHeader: "X-Forwarded-User" };

describe("start", () => {
  test.each<[string, Partial<SignOnOptions>, UserRoles | undefined, RegExp]>([
    ["without roles", {}, undefined, /needs --user-roles/],
    ["on all interfaces, without the proxy's address", { host: "0.0.0.0" }, roles, /--trusted-proxy/],
    ["on another interface, without the proxy's address", { host: "192.168.0.7" }, roles, /--trusted-proxy/],
    ["trusting everybody", { trustedProxy: ["0.0.0.0/0"] }, roles, /trusts too many/],
    ["trusting everybody, by IPv6", { host: "::", trustedProxy: ["10.0.0.1", "::/0"] }, roles, /too many/],
    ["trusting a name", { trustedProxy: ["proxy"] }, roles, /not an IP address/],
    ["trusting a network of no bits", { trustedProxy: ["10.0.0.0/"] }, roles, /not an IP address/],
    ["with a header of another meaning", { trustUserHeader: "Authorization" }, roles, /can't be used/],
    ["with groups in such a header", { trustGroupsHeader: "Cookie" }, roles, /can't be used/],
    ["if scrapers may reach it", { allowHost: ["localhost:4000"] }, roles, /seems to be this service/],
    ["with roles alone", { trustUserHeader: undefined }, roles, /needs --trust-user-header/],
    [
      "with a proxy alone",
      { trustUserHeader: undefined, trustedProxy: ["10.0.0.1"] },
      undefined,
      /--trusted-proxy needs --trust-user-header/,
    ],
  ])("is refused %s", (_, options, given, problem) => {
    expect(() => signOnOf({ ...ON, ...options } as SignOnOptions, given)).toThrow(problem);
  });

  test("has no single sign-on by default", () => {
    expect(signOnOf({ port: 4000, host: "0.0.0.0" }, undefined)).toBeUndefined();
  });
});

test.each([
  ['{"users":{"ann":"owner"}}', /users\.ann: must be one of read, run, write, admin/],
  ['{"user":{"ann":"admin"}}', /user/],
  ["ann: admin", /must be JSON/],
])("a file with roles that can't be used is refused: %s", (text, problem) => {
  expect(() => parseUserRoles(text)).toThrow(problem);
});

type Event = Parameters<ReturnType<typeof createIdentify>>[0];
const latin1 = (text: string) => Buffer.from(text).toString("latin1");

function identify(
  headers: Record<string, string>,
  {
    from = "127.0.0.1",
    method = "GET",
    options = {},
    others,
  }: {
    from?: string;
    method?: string;
    options?: Partial<SignOnOptions>;
    others?: UserRoles["others"];
  } = {},
) {
  const signOn = signOnOf({ ...ON, ...options }, { ...roles, others });
  if (signOn === undefined) throw new Error("It is off.");
  const event = { headers, httpMethod: method, requestContext: { identity: { sourceIp: from } } };
  return createIdentify(signOn, "default")(event as unknown as Event);
}
const user = (name: string, more = {}) => ({ "x-forwarded-user": name, ...more });

describe("the user header", () => {
  test.each([
    ["127.0.0.1", undefined, true],
    ["127.8.0.1", undefined, true],
    ["::1", undefined, true],
    ["::ffff:127.0.0.1", undefined, true],
    ["10.0.0.7", undefined, false],
    ["::ffff:10.0.0.7", undefined, false],
    ["", undefined, false],
    ["10.0.0.7", ["10.0.0.7"], true],
    ["::ffff:10.0.0.7", ["10.0.0.7"], true],
    ["10.0.0.8", ["10.0.0.7"], false],
    ["127.0.0.1", ["10.0.0.7"], false],
    ["10.9.9.9", ["10.0.0.0/8"], true],
    ["11.0.0.1", ["10.0.0.0/8"], false],
    ["fd00::7", ["fd00::/64"], true],
    ["fd01::7", ["fd00::/64"], false],
  ])("from %s, trusting %s, counts: %s", (from, trustedProxy, counts) => {
    const person = identify(user("ann"), { from, options: { trustedProxy } });
    expect(person).toEqual(counts ? { account: "default", user: "ann", scope: "admin" } : undefined);
  });

  test("that is absent names nobody", () => {
    expect(identify({})).toBeUndefined();
    expect(identify({ "x-forwarded-email": "ann" })).toBeUndefined();
  });

  test.each(["", " ", "mallory, ann", "ann,", "a\u0000b", "a".repeat(201)])("with %j is refused", (name) => {
    expect(() => identify(user(name))).toThrow(expect.objectContaining({ status: 401 }));
  });

  test("may be encoded as UTF-8", () => {
    expect(identify(user(latin1("josé")))).toMatchObject({ user: "josé", scope: "write" });
  });
});

describe("the role of a user", () => {
  const options = { trustGroupsHeader: "X-Forwarded-Groups" };
  const inGroups = (name: string, groups: string) => user(name, { "x-forwarded-groups": groups });
  test.each([
    ["its own", inGroups("bob", "editors"), "read"],
    ["the highest of its groups", inGroups("carl", "readers, editors,other"), "write"],
    ["that of a group", inGroups("carl", "readers"), "read"],
  ])("is %s", (_, headers, scope) => {
    expect(identify(headers, { options })).toMatchObject({ scope });
  });

  test.each([
    ["has none", inGroups("carl", "other")],
    ["is called like a property of each object", user("constructor")],
  ])("that %s is refused, unless all others have one", (_, headers) => {
    expect(() => identify(headers, { options })).toThrow(expect.objectContaining({ status: 403 }));
    expect(identify(headers, { options, others: "read" })).toMatchObject({ scope: "read" });
  });

  test("is not taken from groups without --trust-groups-header", () => {
    expect(() => identify(inGroups("carl", "editors"))).toThrow(expect.objectContaining({ status: 403 }));
  });
});

describe("a request with the session of a user", () => {
  const origin = "https://gleaner.example";
  test.each([
    ["GET", {}, true],
    ["GET", { "sec-fetch-site": "same-origin" }, true],
    ["GET", { "sec-fetch-site": "none" }, true],
    ["GET", { "sec-fetch-site": "cross-site" }, false],
    ["GET", { "sec-fetch-site": "same-site" }, false],
    ["POST", {}, false],
    ["DELETE", {}, false],
    ["PUT", {}, false],
    // The gateway has compared it with the host.
    ["POST", { origin }, true],
    ["POST", { origin, "sec-fetch-site": "same-origin" }, true],
    ["POST", { "sec-fetch-site": "same-origin" }, true],
    ["POST", { "sec-fetch-site": "none" }, false],
    ["POST", { origin, "sec-fetch-site": "cross-site" }, false],
    ["DELETE", { "sec-fetch-site": "same-site" }, false],
  ])("%s with %j passes: %s", (method, headers, passes) => {
    const ask = () => identify(user("ann", headers), { method });
    if (passes) expect(ask()).toMatchObject({ user: "ann" });
    else expect(ask).toThrow(expect.objectContaining({ status: 403 }));
  });
});

const table = await startTable();

describe("the service", () => {
  const log = { info() {}, error() {} };
  const running: ReturnType<typeof createGateway>[] = [];
  afterAll(async () => {
    for (const server of running) await new Promise((resolve) => server.close(resolve));
  });

  async function serve(trustedProxy?: string[]) {
    const now = () => new Date("2026-11-21T00:00:00.000Z");
    await createAccount(table, { name: "default", credit_limit: null, rate_limit: null, created_at: "" });
    const signOn = signOnOf({ ...ON, trustedProxy }, roles);
    const handlers = apiHandlers({
      table,
      queues: noQueues,
      now,
      log,
      ...unusedByApi,
      baseUrl: () => "http://127.0.0.1:9",
      identify: signOn && createIdentify(signOn, "default"),
    });
    const gateway = createGateway(handlers, log);
    running.push(gateway);
    await once(gateway.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(url + path, { ...init, headers: { "x-forwarded-user": "ann", ...init.headers } });
    return { url, ask };
  }

  test("takes the user of a trusted proxy, checks the role, and records the user", async () => {
    const { url, ask } = await serve();
    const account = await (await ask("/v1/account")).json();
    expect(account).toMatchObject({
      id: "default",
      access: { user: "ann", key_id: null, scope: "admin", expires_at: null },
    });
    const create = (name: string, headers = {}) =>
      ask("/v1/scrapers", {
        method: "POST",
        headers: { "x-forwarded-user": name, "content-type": "application/json", ...headers },
        body: JSON.stringify({ name: "Books", steps: [{ type: "visit", url: "https://example.org/" }] }),
      });
    expect((await create("ann")).status).toBe(403);
    expect((await create("ann", { origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await create("bob", { origin: url })).status).toBe(403);
    const created = await create("ann", { origin: url });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    expect(await listAuditEntries(table, "default", { limit: 9 })).toMatchObject([
      { actor: { type: "user", id: null, name: "ann" }, action: "scraper.create", target: id },
    ]);
    const mcp = await ask("/v1/mcp", {
      method: "POST",
      headers: { origin: url, "content-type": "application/json" },
      body: "{}",
    });
    expect([mcp.status, await mcp.text()]).toEqual([403, expect.stringContaining("API key")]);
  });

  test("ignores the header of anybody else, who needs a key", async () => {
    const { ask } = await serve(["10.0.0.7"]);
    for (const path of ["/v1/account", "/v1/scrapers", "/v1/audit"])
      expect((await ask(path)).status).toBe(401);
  });
});
