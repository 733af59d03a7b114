import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "@jest/globals";
import type { Hook } from "../../../functions/contract/hooks/hook.ts";
import { findingsOf } from "./axe.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

let isGone = false;
const receiver = createServer((_request, response) => {
  response.statusCode = isGone ? 410 : 200;
  response.end(isGone ? "no_service" : "ok");
});
await once(receiver.listen(0, "127.0.0.1"), "listening");
afterAll(() => void receiver.close());
const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const world = await worldOfFile({ allowHosts: [host] });

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
    await keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  };
  await runTest("The test arrived.");
  isGone = true;
  await runTest(
    "The test did not arrive: the status 410. no_service The hook is disabled until a test arrives.",
  );
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
