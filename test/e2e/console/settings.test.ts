import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import type { Hook } from "../../../functions/contract/hooks/hook.ts";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { withService } from "../../../local/connect.ts";
import { newFolder } from "../../new-folder.ts";
import { findingsOf } from "./axe.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

/* Secrets and hooks in the settings, and destinations of a scraper. */

const { GLEANER_SECRETS_KEY = "" } = process.env;
process.env.GLEANER_SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");
afterAll(() => {
  process.env.GLEANER_SECRETS_KEY = GLEANER_SECRETS_KEY;
});

let isGone = false;
const receiver = createServer((_request, response) => {
  response.statusCode = isGone ? 410 : 200;
  response.end(isGone ? "no_service" : "ok");
});
await once(receiver.listen(0, "127.0.0.1"), "listening");
afterAll(() => void receiver.close());
const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
const folder = await newFolder();
/** Its service is in this process, and so has the same key for secrets. */
const world = await worldOfFile({ allowHosts: [host], deliverTo: folder });

test("secrets are added, replaced and removed in the settings, and no value is shown", async () => {
  const page = await world.open("/settings");
  await page.getByText("No secrets yet").waitFor();
  expect(await page.getByText("gleaner secret set").count()).toBe(0);

  await page.getByRole("button", { name: "Add a secret" }).click();
  await page.getByLabel("Name").fill("shop_password");
  await page.getByLabel("Value").fill("abc");
  await page.getByLabel("Hosts that may get it").fill("shop.example");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("must be at least 4 characters").waitFor();
  await page.getByLabel("Value").fill("correct horse");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("cell", { name: "shop.example" }).waitFor();
  expect(await page.content()).not.toContain("correct horse");

  await page.getByRole("button", { name: "Replace the secret shop_password" }).click();
  await page.getByLabel("Hosts that may get it").fill("shop.example\nlogin.example:8443");
  await page.getByLabel("Value").fill("battery staple");
  await page.getByRole("button", { name: "Replace", exact: true }).click();
  await page.getByRole("cell", { name: "shop.example, login.example:8443" }).waitFor();

  await page.getByRole("button", { name: "Remove the secret shop_password" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("No secrets yet").waitFor();
  expect(
    await withService(world, (_table, secrets) => secrets.list(world.service.credentials.account)),
  ).toEqual([]);
  // The refusal of the short value.
  expect(complaints).toEqual([expect.stringContaining("status of 400")]);
});

test("hooks are added, tested and deleted in the settings by keyboard, and axe finds nothing", async () => {
  const page = await world.open("/settings");
  const { keyboard } = page;
  await page.getByText("No hooks yet").waitFor();

  await page.getByRole("button", { name: "Add a hook" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Format").and(page.locator(":focus")).waitFor();
  await keyboard.press("Tab");
  await keyboard.type("https://hooks.slack.com/service/T0001/B0001/x");
  await keyboard.press("Enter");
  await dialog.getByText("is not an address of this format").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await keyboard.press("ControlOrMeta+a");
  await keyboard.type(`http://${host}/secret-path`);
  for (const key of ["Tab", "Tab", "Tab", "Space"]) await keyboard.press(key);
  await dialog.getByRole("button", { name: "Add", exact: true }).press("Enter");
  const card = page.getByRole("listitem").filter({ hasText: `${host} slack` });
  await card.getByText("scraper.failing, scraper.recovered, run.changed of all scrapers").waitFor();
  await card.getByText("Enabled").waitFor();
  expect(await page.content()).not.toContain("secret-path");
  const { body } = await world.call<{ data: Hook[] }>("/v1/hooks");
  expect(body.data).toMatchObject([
    {
      ...{ url: `http://${host}/secret-path`, format: "slack", scraper_id: null },
      events: ["scraper.failing", "scraper.recovered", "run.changed"],
    },
  ]);

  const runTest = async (result: string) => {
    await card.getByRole("button", { name: "Test" }).press("Enter");
    await dialog.getByText(result).waitFor();
    expect(await findingsOf(page)).toEqual([]);
  };
  await runTest("The test arrived.");
  // Enter comes before the console knows of Escape. Escape gives the focus back to the button, and Enter tests again.
  await Promise.all([keyboard.press("Escape"), keyboard.press("Enter")]);
  await dialog.getByText("The test arrived.").waitFor();
  await keyboard.press("Escape");
  isGone = true;
  await runTest(
    "The test did not arrive: the status 410. no_service The hook is disabled until a test arrives.",
  );
  await keyboard.press("Escape");
  await card.getByText("Disabled").waitFor();
  await card.getByText(/^Disabled .*410/).waitFor();
  expect(await findingsOf(page)).toEqual([]);

  await card.getByRole("button", { name: "Delete" }).press("Enter");
  await dialog.getByRole("button", { name: "Delete", exact: true }).press("Enter");
  await page.getByText("No hooks yet").waitFor();
  expect((await world.call<{ data: Hook[] }>("/v1/hooks")).body.data).toEqual([]);
  // The refusal of the mistyped address.
  expect(complaints).toEqual([expect.stringContaining("status of 400")]);
});

test("destinations are added, filled, edited and removed by keyboard; the changes are in the audit log", async () => {
  const { id } = await world.putScraper({
    name: "Books",
    steps: [
      { type: "visit", url: world.shopUrl },
      { type: "get_text", selector: "h1", field_name: "title" },
    ],
  });
  await world.finished((await world.post("/v1/runs", { scraper_id: id })).body.id);
  const stored = async () => (await world.call<Scraper>(`/v1/scrapers/${id}`)).body.deliveries;
  const page = await world.open(`/scrapers/${id}/destinations`);
  const { keyboard } = page;
  await page.getByText("No destinations yet").waitFor();

  await page.getByRole("button", { name: "Add a destination" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Type").and(page.locator(":focus")).waitFor();
  await dialog.getByLabel("Type").selectOption("folder");
  await keyboard.press("Tab");
  await keyboard.type("../outside");
  await keyboard.press("Enter");
  await dialog.getByText("must be names of at most 200 bytes").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await keyboard.press("ControlOrMeta+a");
  await keyboard.type("shop/books");
  await keyboard.press("Enter");
  const card = page.getByRole("listitem").filter({ hasText: "shop/books" });
  await card.getByText("No rows were sent in the last 30 days.").waitFor();
  const settings = { type: "folder", path: "shop/books", format: "csv", mode: "append" };
  expect(await stored()).toEqual([settings]);

  await page.getByRole("button", { name: "Send the last rows" }).press("Enter");
  await card.getByText("Delivered").waitFor();
  await card.getByText(/1 row in \S+\/shop\/books\/.*\.csv/).waitFor();
  expect(await readdir(join(folder, world.service.credentials.account, "shop", "books"))).toHaveLength(1);
  expect(await findingsOf(page)).toEqual([]);

  await card.getByRole("button", { name: "Edit" }).press("Enter");
  await dialog.getByLabel("Mode").selectOption("replace");
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("listitem").filter({ hasText: "shop/books.csv" }).waitFor();
  expect(await stored()).toEqual([{ ...settings, mode: "replace" }]);

  await page.getByRole("button", { name: "Remove the destination shop/books.csv" }).press("Enter");
  await dialog.getByRole("button", { name: "Remove", exact: true }).press("Enter");
  await page.getByText("No destinations yet").waitFor();
  expect(await stored()).toBeUndefined();

  await page.goto(`${world.service.url}/settings`);
  const changes = page.getByRole("table", { name: "Changes" });
  await changes.getByText("run.resend_webhook").waitFor();
  expect(await changes.getByText("scraper.replace").count()).toBe(3);
  // The refusal of the path.
  expect(complaints).toEqual([expect.stringContaining("status of 400")]);
});
