import { afterAll, expect, test } from "@jest/globals";
import { withService } from "../../../local/connect.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

const { GLEANER_SECRETS_KEY = "" } = process.env;
process.env.GLEANER_SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");
afterAll(() => {
  process.env.GLEANER_SECRETS_KEY = GLEANER_SECRETS_KEY;
});

/** Its service is in this process, and so has the same key for secrets. */
const world = await worldOfFile({});

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
