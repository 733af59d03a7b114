import { expect, test } from "@jest/globals";
import { createAccount } from "../../../functions/store/accounts.ts";
import { admit, putApiKey, revokeApiKey, sha256 } from "../../../functions/store/api-keys.ts";
import { startTable } from "./local-table.ts";
import { isWrite, withSend } from "./with-send.ts";

const table = await startTable();
const now = new Date("2026-11-21T00:00:00.000Z");
const KEY = "the key";

test("while nothing can be stored, a key that is valid is admitted to reads alone", async () => {
  const created_at = now.toISOString();
  await createAccount(table, { name: "reader", credit_limit: null, rate_limit: 7, created_at });
  for (const id of ["valid", "revoked"])
    await putApiKey(table, { id, account: "reader", scope: "read", created_at }, sha256(KEY));
  await revokeApiKey(table, "revoked", now);
  const full = withSend(table, async (send, command) => {
    if (isWrite(command)) throw new Error("The disk is full.");
    return send();
  });
  const read = { isRead: true };
  expect(await admit(full, "valid", KEY, now, read)).toMatchObject({ account: "reader", limit: 7, count: 0 });
  await expect(admit(full, "valid", KEY, now)).rejects.toThrow("The disk is full.");
  for (const [id, key] of [
    ["valid", "another key"],
    ["revoked", KEY],
    ["unknown", KEY],
  ] as const)
    await expect(admit(full, id, key, now, read)).rejects.toThrow("The disk is full.");
});
