import { afterAll, expect, test } from "@jest/globals";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import type { SessionView } from "../../../functions/contract/sessions/session.ts";
import { installChromium } from "../../../functions/scraping/browser/install.ts";
import { openSignInWindow, type SignInWindow } from "../../../functions/scraping/browser/sign-in-window.ts";
import { WindowFailed } from "../../../functions/scraping/browser/window-failed.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { putSession } from "../../../functions/store/sessions.ts";
import { cacheFolder } from "../../../local/data/cache-folder.ts";
import { sendHtml, startSite } from "../../site/site.ts";
import { startWorld } from "../harness.ts";
import { findingsOf } from "./axe.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

const { GLEANER_SECRETS_KEY = "" } = process.env;
process.env.GLEANER_SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");
const site = await startSite();
site.setRoute("/login", (_, response) => {
  response.setHeader("set-cookie", "sid=c00kie; HttpOnly; Max-Age=3600");
  sendHtml(response, "Welcome");
});
const orders = Array.from({ length: 8 }, (_, at) => `<li><b>Order ${at}</b> <i>${at + 3} EUR</i></li>`).join(
  "",
);
const LOGIN =
  '<h1>Sign in</h1><form><label>Password <input type="password"></label><button>Sign in</button></form>';
site.setRoute("/orders", ({ headers }, response) =>
  sendHtml(
    response,
    headers.cookie?.includes("sid=") ? `<a href="/out">Sign out</a><ul>${orders}</ul>` : LOGIN,
  ),
);
site.setRoute("/", (_, response) => sendHtml(response, "No cookies"));
afterAll(async () => {
  process.env.GLEANER_SECRETS_KEY = GLEANER_SECRETS_KEY;
  await site.close();
});

/** Why no browser can be opened; undefined: the packed Chromium is. */
let failure: Error | undefined;
/** The windows that were opened, and not closed by the service. */
const windows = new Set<SignInWindow>();
const world = await worldOfFile({
  allowHosts: [site.host],
  async openWindow(url) {
    if (failure !== undefined) throw failure;
    const { executablePath } = await installChromium(cacheFolder());
    const window = await openSignInWindow(url, { executablePath, handlesSignals: false });
    const opened: SignInWindow = {
      state: window.state,
      async close() {
        windows.delete(opened);
        await window.close();
      },
    };
    windows.add(opened);
    return opened;
  },
});
const local = (method: string, path: string, body?: object, key = world.service.credentials.api_key) =>
  fetch(`${world.service.url}/local/sign-ins${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

const stored = async () => (await world.call<{ data: SessionView[] }>("/v1/sessions")).body.data;

test("kept sign-ins are listed and deleted in the settings, and axe finds nothing", async () => {
  const saved_at = new Date().toISOString();
  const session = {
    name: "shop",
    sealed: Buffer.from("sealed"),
    hosts: ["a.example", "b.example"],
    saved_at,
  };
  await world.withTable((table) => putSession(table, world.service.credentials.account, session, "any"));
  const page = await world.open("/settings");
  await page.getByRole("cell", { name: "a.example, b.example" }).waitFor();
  const command = `npx gleaner session sign-in shop https://shop.example/login --data ${world.data}`;
  await page.getByText(command, { exact: true }).waitFor();

  const remove = page.getByRole("button", { name: "Delete the session shop" });
  const dialog = page.getByRole("dialog", { name: "Delete the session shop?" });
  await remove.press("Enter");
  await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
  expect(await stored()).toHaveLength(1);
  await remove.press("Enter");
  expect(await findingsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Delete", exact: true }).press("Enter");
  await page.getByText("The session shop is deleted.").waitFor();
  await page.getByText("No sessions yet").waitFor();
  expect(await stored()).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a person signs in to a site in a window of this machine", async () => {
  const page = await world.open("/settings");
  await page.getByRole("button", { name: "Sign in…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Sign in to a site" });
  const open = dialog.getByRole("button", { name: "Open the window" });
  await open.press("Enter");
  await dialog.getByText("must be 1 to 64 of A-Z, a-z, 0-9, _ and -").waitFor();
  await dialog.getByLabel("Name").fill("shop");
  await dialog.getByLabel("Address").fill("shop.example");
  await open.press("Enter");
  await dialog.getByText("must be an absolute http:// or https:// URL").waitFor();

  await dialog.getByLabel("Address").fill(site.url("/login"));
  failure = new WindowFailed("No browser could be opened.");
  await open.press("Enter");
  await dialog.getByText("No browser could be opened.").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  failure = undefined;
  await open.press("Enter");
  await dialog.getByText("Finish in the browser window, then press Done.").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  // The click with which the person comes back to this window.
  await page.mouse.click(5, 5);
  await dialog.getByRole("button", { name: "Done" }).press("Enter");
  await page.getByText("The session shop is stored.").waitFor();
  await page.getByRole("cell", { name: "127.0.0.1", exact: true }).waitFor();
  expect(await stored()).toMatchObject([{ name: "shop", hosts: ["127.0.0.1"] }]);
  expect(await page.content()).not.toContain("c00kie");
  expect(windows.size).toBe(0);

  await page.getByRole("button", { name: "Sign in…" }).press("Enter");
  await dialog.getByLabel("Name").fill("other");
  await dialog.getByLabel("Address").fill(site.url("/"));
  await open.press("Enter");
  await dialog.getByRole("button", { name: "Done" }).press("Enter");
  await dialog.getByText("The site has set no cookies, so nothing was stored.").waitFor();
  expect(windows.size).toBe(1);
  const closed = page.waitForResponse((response) => response.request().method() === "DELETE");
  await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
  expect((await closed).status()).toBe(204);
  expect(windows.size).toBe(0);
  expect(await stored()).toHaveLength(1);
  // The refusals of two inputs, of a browser that does not open, and of a site without cookies.
  expect(complaints.map((text) => /status of (\d+)/.exec(text)?.[1])).toEqual(["400", "400", "409", "409"]);
});

test("a window is stored only for its own account and session, and a key needs the scope write", async () => {
  const { account } = world.service.credentials;
  const keys = await world.withTable(async (table) => {
    const now = new Date();
    await createAccount(table, {
      ...{ name: "other", credit_limit: null, rate_limit: null },
      created_at: now.toISOString(),
    });
    return {
      other: (await createApiKey(table, "other", now)).key,
      run: (await createApiKey(table, account, now, { scope: "run" })).key,
    };
  });
  const signIn = { name: "bank", url: site.url("/login") };
  expect((await local("POST", "", signIn, keys.run)).status).toBe(403);
  expect((await local("POST", "", signIn, "glr_nothing")).status).toBe(401);
  expect(windows.size).toBe(0);
  expect((await local("POST", "", { ...signIn, name: "first" })).status).toBe(204);
  expect((await local("POST", "", signIn)).status).toBe(204);
  // The second one has replaced the first.
  expect(windows.size).toBe(1);
  expect((await local("PUT", "/first")).status).toBe(404);
  expect((await local("PUT", "/bank", undefined, keys.other)).status).toBe(404);
  expect((await local("DELETE", "/bank", undefined, keys.other)).status).toBe(204);
  expect((await local("PUT", "/bank", undefined, keys.run)).status).toBe(403);
  expect(windows.size).toBe(1);
  const done = await local("PUT", "/bank");
  expect([done.status, await done.json()]).toEqual([
    200,
    { name: "bank", hosts: ["127.0.0.1"], saved_at: expect.any(String) },
  ]);
  expect(windows.size).toBe(0);
  const { body } = await world.call<{ data: object[] }>("/v1/audit");
  expect(body.data[0]).toMatchObject({ action: "session.store", target: "bank" });

  expect((await local("POST", "", signIn)).status).toBe(204);
  for (const window of windows) await window.close();
  const gone = await local("PUT", "/bank");
  expect([gone.status, await gone.json()]).toEqual([
    404,
    { message: expect.stringContaining("The browser was closed before its cookies were stored.") },
  ]);
});

test("a service that others reach opens no windows", async () => {
  const open = await startWorld({ publicUrl: "https://gleaner.example" });
  try {
    const { status } = await open.post("/local/sign-ins", { name: "bank", url: site.url("/login") });
    expect(status).toBe(404);
  } finally {
    await open.stop();
  }
});

test("the recorder begins with a kept sign-in, and the scraper has it with what shows that it is signed in", async () => {
  const cookie = { name: "sid", value: "1", domain: "127.0.0.1", path: "/", expires: -1 };
  const state = { cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: "Lax" }], origins: [] };
  await world.call("/v1/sessions/orders", {
    ...{ method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify(state) },
  });
  const page = await world.open(`/record?url=${encodeURIComponent(site.url("/orders"))}`);
  await page.getByText("The page asks to sign in").first().waitFor();
  await page.getByLabel("Sign-in").first().selectOption("orders");
  await page.getByText("8 rows on the page").waitFor();
  await page.getByText("signed in by orders").click();
  await page.getByLabel("Text that only a signed-in visitor sees").fill("My orders");
  await page.getByRole("button", { name: "Check it" }).click();
  await page.getByText('the text "My orders" is missing').waitFor();
  await page.getByRole("button", { name: "Undo the last change" }).click();
  await page.getByText("8 rows on the page").waitFor();
  await page.getByRole("button", { name: "Save scraper" }).click();
  await page.waitForURL(/scraper=/);
  const id = new URL(page.url()).searchParams.get("scraper");
  expect((await world.call(`/v1/scrapers/${id}`)).body).toMatchObject({
    session: { name: "orders", check: { text: "Sign out" } },
    steps: [{ type: "visit" }, { fields: [{ name: "title" }, { name: "price" }] }],
  });
  expect(complaints).toEqual([]);
});
