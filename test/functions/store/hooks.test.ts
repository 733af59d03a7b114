import { describe, expect } from "@jest/globals";
import { HOOKS_MAX } from "../../../functions/contract/hooks/hook.ts";
import { createAccount, getAccount } from "../../../functions/store/accounts.ts";
import {
  createHook,
  deleteHooks,
  getHook,
  hasHooks,
  listHooks,
  setDisabled,
} from "../../../functions/store/hooks/hooks.ts";
import { startTables } from "./engines.ts";
import { repeating } from "./with-send.ts";

const NOW = new Date("2026-11-21T00:00:00.000Z");
const hook = (number: number) => ({
  url: `https://example.org/${number}`,
  format: "standard" as const,
  events: ["run.finished" as const],
  scraper_id: null,
});
let accounts = 0;

for (const { name, table, test } of await startTables()) {
  const newAccount = async () => {
    accounts += 1;
    const account = `account-${accounts}`;
    await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
    return account;
  };

  describe(`hooks on ${name}`, () => {
    test("as many as an account may have, whoever creates them at the same time", async () => {
      const account = await newAccount();
      expect(await hasHooks(table, account)).toBe(false);
      const results = await Promise.all(
        Array.from({ length: HOOKS_MAX + 3 }, (_, number) => createHook(table, account, hook(number), NOW)),
      );
      const created = results.filter(({ outcome }) => outcome === "created");
      expect(created).toHaveLength(HOOKS_MAX);
      expect(results.filter(({ outcome }) => outcome === "too_many")).toHaveLength(3);
      const hooks = await listHooks(table, account);
      expect(new Set(hooks.map(({ id }) => id)).size).toBe(HOOKS_MAX);
      expect(await hasHooks(table, account)).toBe(true);
    });

    test("the same address twice is one hook", async () => {
      const account = await newAccount();
      const [first, second] = await Promise.all([1, 1].map((n) => createHook(table, account, hook(n), NOW)));
      expect([first?.outcome, second?.outcome].toSorted()).toEqual(["created", "exists"]);
      const ofScraper = { ...hook(1), scraper_id: "0199a3f2-7a10-7c11-8d0a-5be01f6a0001" };
      expect((await createHook(table, account, ofScraper, NOW)).outcome).toBe("created");
    });

    test("a write whose answer is lost counts", async () => {
      const account = await newAccount();
      const created = await createHook(repeating(table), account, hook(1), NOW);
      expect(created.outcome).toBe("created");
      expect(await listHooks(table, account)).toHaveLength(1);
      expect(await deleteHooks(repeating(table), account, () => true)).toBe(true);
      expect(await deleteHooks(table, account, () => true)).toBe(false);
    });

    test("a deleted hook's number is not given again, and the account remembers that it had hooks", async () => {
      const account = await newAccount();
      const first = await createHook(table, account, hook(1), NOW);
      await deleteHooks(table, account, () => true);
      const second = await createHook(table, account, hook(1), NOW);
      const numbers = [first, second].map((one) => ("hook" in one ? one.hook.id.slice(-10) : ""));
      expect(numbers).toEqual(["0000000001", "0000000002"]);
      expect(await getAccount(table, account)).toMatchObject({ has_hooks: true });
    });

    test("the first reason why a hook is disabled stays", async () => {
      const account = await newAccount();
      const created = await createHook(table, account, hook(1), NOW);
      const id = "hook" in created ? created.hook.id : "";
      await setDisabled(table, account, id, { at: "1", reason: "first" });
      await setDisabled(table, account, id, { at: "2", reason: "second" });
      expect((await getHook(table, account, id))?.disabled).toEqual({ at: "1", reason: "first" });
      await setDisabled(table, account, id, null);
      expect((await getHook(table, account, id))?.disabled).toBeNull();
    });

    test("an account that does not exist can have no hooks", async () => {
      await expect(createHook(table, "nobody", hook(1), NOW)).rejects.toThrow();
    });
  });
}
