import { expect, test } from "@jest/globals";
import type { SessionView } from "../../../functions/contract/session.ts";
import { putSession } from "../../../functions/store/sessions.ts";
import { findingsOf } from "./axe.ts";
import { complaints } from "./console-world.ts";
import { worldOfFile } from "./world-of-file.ts";

const world = await worldOfFile({});

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
