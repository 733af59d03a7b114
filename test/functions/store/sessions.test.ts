import { expect, test } from "@jest/globals";
import { listSessions, putSession } from "../../../functions/store/sessions.ts";
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
