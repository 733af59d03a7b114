import { randomInt } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "@jest/globals";
import { type Attempt, attempt, attemptUntilSent } from "../attempts.ts";
import { KEY_FILE, settingsFor, startGoogle } from "./google-server.ts";

const server = await startGoogle();
afterAll(() => server.close());
beforeEach(() => {
  server.fill({ Sheet1: [] });
  server.onRequest(() => undefined);
});

const ROWS = 100_000;
const sent = (mode: Attempt["settings"]["mode"]): Attempt => ({
  settings: settingsFor(mode, { secret: "key" }),
  host: server.host,
  secret: KEY_FILE,
  google: { ...server.google, requestBytes: 500_000 },
  rows: ROWS,
  run: 1,
});
const expected = [
  ["sku", "title"],
  ...Array.from({ length: ROWS }, (_, sku) => [`${sku}`, `Lamp ${sku} of run 1`]),
];
const isComplete = () => JSON.stringify(server.cells("Prices")) === JSON.stringify(expected);

test.each(["append", "replace", "upsert"] as const)(
  "100,000 rows whose sender or answers are lost at random, %s: every row is there once",
  async (mode) => {
    const losing = {
      name: "answer",
      kill: async () => {
        const fault = randomInt(2) === 0 ? "lost before" : "lost after";
        server.onRequest(() => {
          server.onRequest(() => undefined);
          return fault;
        });
      },
    } as const;
    const kills = await attemptUntilSent(sent(mode), "100,000 rows in Prices", losing);
    expect([kills, server.cells("Prices")?.length, isComplete()]).toEqual([kills, ROWS + 1, true]);
  },
  300_000,
);

test("two attempts at the same time write every row once", async () => {
  const both = await Promise.all([attempt(sent("append"), 0), attempt(sent("append"), 0)]);
  expect(both.some((said) => said?.includes("delivered"))).toBe(true);
  expect(isComplete()).toBe(true);
}, 120_000);
