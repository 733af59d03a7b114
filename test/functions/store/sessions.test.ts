import { expect, test } from "@jest/globals";
import { deleteSession, listSessions, putSession } from "../../../functions/store/sessions.ts";
import { startTable } from "./local-table.ts";

const table = await startTable();

test("all sessions are listed, also if their states are larger than a page of the table", async () => {
  const names = ["a", "b", "c", "d"];
  for (const name of names)
    await putSession(
      table,
      "sessions",
      { name, sealed: Buffer.alloc(350_000), hosts: [], saved_at: "2026-11-21T00:00:00.000Z" },
      "any",
    );
  expect((await listSessions(table, "sessions")).map(({ name }) => name)).toEqual(names);
});

test("a run with a state that was deleted does not replace the one of a later sign-in", async () => {
  const state = (minute: number) => ({
    ...{ name: "shop", sealed: Buffer.from("state"), hosts: [] },
    saved_at: `2026-11-21T00:0${minute}:00.000Z`,
  });
  const loaded = await putSession(table, "again", state(0), "any");
  await deleteSession(table, "again", "shop");
  const signedIn = await putSession(table, "again", state(1), "any");
  expect(await putSession(table, "again", state(2), loaded ?? 0)).toBeUndefined();
  expect(await putSession(table, "again", state(3), signedIn ?? 0)).toBeGreaterThan(signedIn ?? 0);
});
