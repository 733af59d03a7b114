import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { revokeApiKey } from "../../../functions/store/api-keys.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

/* Who may use the console, and how it is served. */

const world = await worldOfFile();

const newKey = (account = world.service.credentials.account) =>
  world.withTable((table) => createApiKey(table, account, new Date()));

test("a link with a key signs in after a question, and leaves the key neither in the address nor in the history", async () => {
  const page = await world.follow("/runs");
  const question = page.getByRole("dialog", { name: "Sign in with the key of the link?" });
  await question.getByRole("button", { name: "Don’t sign in" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(page.url()).toBe(`${world.service.url}/runs`);
  expect(await page.evaluate("sessionStorage.length")).toBe(0);
  await page.goto(`${world.service.url}/runs#key=${world.service.credentials.api_key}`);
  await question.getByRole("button", { name: "Use the key of the link" }).click();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  expect(page.url()).toBe(`${world.service.url}/runs`);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  expect(page.url()).not.toContain("key");
  await page.reload();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  expect(await page.evaluate("document.cookie + JSON.stringify(localStorage)")).toBe("{}");
  expect(complaints).toEqual([]);
});

test("a wrong key is refused with a reason; the right one leads to the page of the address", async () => {
  const page = await world.open("/settings", { key: null });
  await page.getByLabel("API key").fill("glr_nothing");
  await page.getByLabel("API key").press("Enter");
  await page.getByText("The service does not accept this key.").waitFor();
  await page.getByLabel("API key").fill("ключ");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("The service does not accept this key.").waitFor();
  await page.getByLabel("API key").fill(` ${world.service.credentials.api_key} `);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.evaluate("sessionStorage.length")).toBe(0);
});

test("what a key does not permit is disabled, with the reason", async () => {
  const { key } = await world.withTable((table) =>
    createApiKey(table, world.service.credentials.account, new Date(), { scope: "read" }),
  );
  const page = await world.open("/settings", { key });
  const button = page.getByRole("button", { name: "Add a hook", disabled: true });
  await button.waitFor();
  expect(await button.getAttribute("title")).toBe(
    "This needs the scope “write”. You have “read”. Ask whoever runs the service.",
  );
  await button.click({ force: true });
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a key that is revoked meanwhile leads to the sign-in page, which says why, and back", async () => {
  const { id, key } = await newKey();
  const page = await world.open("/", { key });
  await page.getByRole("heading", { name: "Turn a web page into rows" }).waitFor();
  await world.withTable((table) => revokeApiKey(table, id, new Date()));
  await page.getByRole("link", { name: "Scrapers" }).click();
  await page.getByText("Your API key is no longer valid").waitFor();
  const other = await newKey();
  await page.getByLabel("API key").fill(other.key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Scrapers", level: 1 }).waitFor();
});

const callAs = (key: string, path: string, init?: RequestInit) =>
  fetch(world.service.url + path, { ...init, headers: { authorization: `Bearer ${key}` } });

/** The names of an account's scrapers. */
async function scrapers(key: string): Promise<string[]> {
  const answer = await callAs(key, "/v1/scrapers");
  const { data } = (await answer.json()) as { data: { name: string }[] };
  return data.map(({ name }) => name);
}

/** A recording whose key is refused when it is saved. */
async function refusedRecording(): Promise<Page> {
  const { id, key } = await newKey();
  const page = await world.open(`/record?url=${encodeURIComponent(`${world.shopUrl}/books`)}`, { key });
  await page.getByText("12 rows on page 1, 12 new rows on page 2").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Kept");
  await world.withTable((table) => revokeApiKey(table, id, new Date()));
  await page.getByRole("button", { name: "Save scraper" }).click();
  await page.getByText("you can continue where you were").waitFor();
  return page;
}

test("what is recorded waits for another key of the same account, and is saved then", async () => {
  const page = await refusedRecording();
  // Nothing behind the question can be reached.
  for (const _ of [1, 2, 3]) await page.keyboard.press("Escape");
  await page.getByLabel("API key").fill("glr_nothing");
  await page.getByLabel("API key").press("Enter");
  await page.getByText("The service does not accept this key.").waitFor();
  await page.getByLabel("API key").fill((await newKey()).key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/scraper=/);
  await page.getByRole("heading", { name: "Kept", level: 1 }).waitFor();
  expect(await page.title()).toBe("Kept · Gleaner");
  expect(await scrapers(world.service.credentials.api_key)).toEqual(["Kept"]);
  const id = new URL(page.url()).searchParams.get("scraper");
  await callAs(world.service.credentials.api_key, `/v1/scrapers/${id}`, { method: "DELETE" });
});

test("another account gets nothing of it", async () => {
  const page = await refusedRecording();
  const limits = { credit_limit: null, rate_limit: null };
  await world.withTable((table) =>
    createAccount(table, { name: "stranger", ...limits, created_at: new Date().toISOString() }),
  );
  const { key } = await newKey("stranger");
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  // Until the service has taken the key, the page behind the question is still the one before.
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // It has the address of the page alone, which is opened for it.
  await page.getByText("12 rows on page 1, 12 new rows on page 2").waitFor();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).not.toBe("Kept");
  expect(await scrapers(key)).toEqual([]);
  expect(await scrapers(world.service.credentials.api_key)).toEqual([]);
});

test("a link with another key asks who is signed in first, in the same tab and in a new one", async () => {
  const { key } = await newKey();
  const own = world.service.credentials.api_key;
  const page = await world.open("/settings");
  await page.getByRole("heading", { name: "Account" }).waitFor();
  const other = await page.context().newPage();
  const stored = (tab: Page) => tab.evaluate('sessionStorage.getItem("gleaner.key")');
  for (const tab of [page, other]) {
    await tab.goto(`${world.service.url}/settings#key=${key}`);
    const question = tab.getByRole("dialog", { name: "Sign in with another key?" });
    await question.getByRole("button", { name: "Stay signed in" }).click();
    await question.waitFor({ state: "detached" });
    expect(tab.url()).toBe(`${world.service.url}/settings`);
    expect(await stored(tab)).toBe(own);
    await tab.goto(`${world.service.url}/settings#key=${key}`);
    await tab.getByRole("button", { name: "Use the key of the link" }).click();
    await question.waitFor({ state: "detached" });
    expect(await stored(tab)).toBe(key);
    await tab.goto(`${world.service.url}/settings#key=${own}`);
    await tab.getByRole("button", { name: "Use the key of the link" }).click();
    await question.waitFor({ state: "detached" });
  }
  expect(complaints).toEqual([]);
});

test("a link with another key signs in as another one, in a tab that is open already", async () => {
  const page = await world.open("/settings", { key: "glr_nothing" });
  await page.getByText("Your API key is no longer valid").waitFor();
  await page.goto(`${world.service.url}/settings#key=${world.service.credentials.api_key}`);
  await page.getByRole("button", { name: "Use the key of the link" }).click();
  await page.getByRole("heading", { name: "Account" }).waitFor();
  expect(page.url()).toBe(`${world.service.url}/settings`);
});

test("a new tab is signed in by another one, and signing out ends both", async () => {
  const page = await world.open("/runs");
  await page.getByText("No runs yet").waitFor();
  const other = await page.context().newPage();
  await other.goto(`${world.service.url}/scrapers`);
  await other.getByText("No scrapers yet").waitFor();
  await other.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(complaints).toEqual([]);
});

test("a new tab is signed in by another one that answers late", async () => {
  const page = await world.open("/runs");
  await page.getByText("No runs yet").waitFor();
  await page.evaluate(() => {
    const post = BroadcastChannel.prototype.postMessage;
    const late: (() => void)[] = [];
    BroadcastChannel.prototype.postMessage = function (message) {
      late.push(() => post.call(this, message));
    };
    Object.assign(window, {
      answer: () => {
        for (const send of late.splice(0)) send();
      },
    });
  });
  const other = await page.context().newPage();
  await other.goto(`${world.service.url}/scrapers`);
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.evaluate("answer()");
  await other.getByText("No scrapers yet").waitFor();
  expect(complaints).toEqual([]);
});

test("what is shown stays while the service can't be reached, and is loaded again afterwards", async () => {
  const page = await world.open("/runs");
  await page.getByText("No runs yet").waitFor();
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Scrapers" }).click();
  // The code of a page can't be loaded either, unless it is there already.
  await page.getByRole("heading", { name: "Offline" }).waitFor();
  // Another page is left by a link as before.
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  await page.getByRole("link", { name: "Scrapers" }).click();
  await page.getByRole("heading", { name: "Offline" }).waitFor();
  await page.context().setOffline(false);
  await page.getByText("No scrapers yet").waitFor();
});

test("the page has a strict policy, and every address shows it, also one that is mistyped", async () => {
  const get = (path: string, accept = "text/html") =>
    fetch(world.service.url + path, { headers: { accept } });
  for (const path of ["/", "/scrapers", "/runs/some-id/timeline", "/record?url=https://example.org/"]) {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toContain("require-trusted-types-for 'script'");
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    expect(headers.get("cache-control")).toBe("no-cache");
  }
  const page = await (await get("/")).text();
  const script = /src="(\/assets\/main-[^"]+)"/.exec(page)?.[1] ?? "";
  const { headers } = await get(script, "*/*");
  expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(headers.get("cache-control")).toContain("immutable");
  expect((await get("/nothing")).status).toBe(404);
  expect((await get("/nothing", "application/json")).headers.get("content-type")).toBe("application/json");
  for (const path of ["/assets/main-00000000.js", "/v1/nothing"]) {
    expect((await get(path)).headers.get("content-type")).toBe("application/json");
  }
  const mistyped = await world.open("/nothing");
  await mistyped.getByRole("heading", { name: "No such page" }).waitFor();
});
