import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Secret } from "../../../functions/secrets/secret.ts";
import { withSecrets } from "../../../functions/secrets/with-secrets.ts";
import { newSessionKey, SESSION_KEY } from "../../../functions/sessions/session-key.ts";
import { withSession } from "../../../functions/sessions/with-session.ts";
import { deleteSession } from "../../../functions/store/sessions.ts";
import { installLibraries } from "../../install-libraries.ts";
import { type Site, sendHtml, startSite } from "../../site/site.ts";
import { type Engine, startEngine, type Told } from "../scraping/harness.ts";
import { startTable } from "../store/local-table.ts";
import type { IdentityProvider } from "./identity-provider/start.ts";

// Jest remembers what was not there when it was first looked for, so the program that uses the libraries comes after them.
installLibraries(join(import.meta.dirname, "identity-provider"));
const { CLIENT, PASSWORD, SEED, startIdentityProvider } = await import("./identity-provider/start.ts");

/*
 * A shop whose customers sign in at an OpenID provider of another host, with a password and a one-time code. The days are
 * simulated for all but the browser: the clock of this process jumps.
 */

/** A little more than a day, because the provider tolerates clocks that differ. */
const DAY_MS = 86_460_000;
/** How long the shop's own cookie lasts: each run of the next day is sent to the provider. */
const SHOP_MS = DAY_MS / 3;

const table = await startTable();
const RealDate = Date;
let ahead = 0;
class JumpingDate extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    if (args.length === 0) super(JumpingDate.now());
    else super(args[0]);
  }
  static override now(): number {
    return RealDate.now() + ahead;
  }
}

let engine: Engine;
let shop: Site;
let provider: IdentityProvider;
/** When the shop's own sessions end, by their cookies. */
const customers = new Map<string, number>();
const secrets = new Map<string, Secret>();
let owner = 0;

beforeAll(async () => {
  globalThis.Date = JumpingDate as DateConstructor;
  shop = await startSite();
  provider = await startIdentityProvider(shop.url("/callback"));
  serveShop();
  const hosts = [provider.host];
  secrets
    .set("password", { value: PASSWORD, hosts })
    .set("seed", { value: SEED, hosts })
    .set(SESSION_KEY, newSessionKey());
  const readSecrets = async () => secrets;
  engine = await startEngine([shop.host, provider.host], {
    wrap: (scrape) => (job, context) => {
      owner += 1;
      const deps = { table, readSecrets, now: () => new Date() };
      const scrapeSignedIn = withSession(scrape, deps, "acme", `run ${owner}`);
      return withSecrets(scrapeSignedIn, readSecrets, "acme")(job, context);
    },
  });
});
afterAll(async () => {
  globalThis.Date = RealDate;
  await engine.close();
  await provider.close();
  await shop.close();
});
beforeEach(async () => {
  customers.clear();
  provider.ahead = 0;
  await deleteSession(table, "acme", "shop");
  // One-time codes are accepted once, also over tests.
  ahead += DAY_MS;
});

/** The shop: a client of the provider, by the authorization code flow. */
function serveShop(): void {
  const cookieOf = (header: string | undefined, name: string) =>
    new RegExp(`(?:^|; )${name}=([^;]*)`).exec(header ?? "")?.[1] ?? "";
  shop.setRoute("/orders", (request, response) => {
    if ((customers.get(cookieOf(request.headers.cookie, "shop")) ?? 0) > Date.now())
      return sendHtml(
        response,
        "<a href=/out>Sign out</a><ul class=orders><li>Order 1</li><li>Order 2</li></ul>",
      );
    const state = randomBytes(8).toString("hex");
    const query = new URLSearchParams({
      client_id: CLIENT.client_id,
      response_type: "code",
      scope: "openid",
      redirect_uri: shop.url("/callback"),
      state,
    });
    response.setHeader("set-cookie", `state=${state}; Path=/; HttpOnly; SameSite=Lax`);
    response.writeHead(302, { location: `${provider.issuer}/auth?${query}` }).end();
  });
  shop.setRoute("/callback", async (request, response) => {
    const query = new URL(request.url ?? "", shop.origin).searchParams;
    if (query.get("state") !== cookieOf(request.headers.cookie, "state"))
      return sendHtml(response, "The state is not that of this browser.", 400);
    const credentials = `${CLIENT.client_id}:${encodeURIComponent(CLIENT.client_secret)}`;
    const answer = await fetch(`${provider.issuer}/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: query.get("code") ?? "",
        redirect_uri: shop.url("/callback"),
      }),
    });
    const { id_token: idToken = "" } = (await answer.json()) as { id_token?: string };
    const claims = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString() || "{}");
    if (claims.sub !== "me") return sendHtml(response, "Unknown customer.", 403);
    const token = randomBytes(16).toString("hex");
    customers.set(token, Date.now() + SHOP_MS);
    const expires = new Date(Date.now() + SHOP_MS).toUTCString();
    response.setHeader("set-cookie", `shop=${token}; Path=/; HttpOnly; Expires=${expires}`);
    response.writeHead(302, { location: "/orders" }).end();
  });
}

const signIn = [
  { type: "write_input", field_name: "E-mail", value: "me@shop.example" } as const,
  { type: "write_input", field_name: "Password", value: "{{secret:password}}", submit: true } as const,
  { type: "write_input", field_name: "Code", value: "{{totp:seed}}", submit: true } as const,
];

function run(): Promise<Told> {
  const visit = { type: "visit", url: shop.url("/orders") } as const;
  const list: Step = { type: "get_list", selector: ".orders li", fields: [{ name: "text" }] };
  return engine.run({
    steps: [visit, list],
    session: { name: "shop", check: { text: "Sign out" }, steps: [visit, ...signIn] },
  });
}

const ORDERS = [{ text: "Order 1" }, { text: "Order 2" }];

test("one sign-in with a second factor serves the runs of days, until the provider's session ends", async () => {
  const before = provider.signIns;
  const signIns: number[] = [];
  for (let day = 0; day < 20; day += 1) {
    const { rows, failure } = await run();
    expect(failure).toBeUndefined();
    expect(rows).toEqual(ORDERS);
    signIns.push(provider.signIns - before);
    ahead += DAY_MS;
  }
  expect(signIns).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4]);
});

test("of runs at the same time, one signs in", async () => {
  const before = provider.signIns;
  for (const { rows, failure } of await Promise.all([run(), run(), run()])) {
    expect(failure).toBeUndefined();
    expect(rows).toEqual(ORDERS);
  }
  expect(provider.signIns).toBe(before + 1);
});

test("a clock that is off fails the run, which says what to check, and has no rows of the page that asks for the code", async () => {
  provider.ahead = 300_000;
  const { rows, failure } = await run();
  expect(rows).toEqual([]);
  expect(failure?.code).toBe("session_expired");
  expect(failure?.message).toContain("If the site has refused the one-time code, check the clock");
  provider.ahead = 0;
  expect((await run()).rows).toEqual(ORDERS);
});
