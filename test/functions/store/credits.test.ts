import { expect, test } from "@jest/globals";
import {
  addCredits,
  creditsPartitions,
  creditsUpdate,
  creditsUsed,
} from "../../../functions/store/credits.ts";
import { newId } from "../../../functions/store/runs/numbering.ts";
import { startTable } from "./local-table.ts";
import { record } from "./recorder.ts";

const table = await startTable();
const at = new Date("2026-11-30T23:59:59.999Z");

/** The key of the item that a run of this number adds its credits to. */
const itemOf = (number: number) => {
  const run = { account: "a", id: newId(number, at), created_at: at.toISOString() };
  return creditsUpdate(table, { run, credits: 1 }).Key;
};

test("runs that follow each other add to different items of the month, of which there are 16", () => {
  const keys = Array.from({ length: 32 }, (_, at) => JSON.stringify(itemOf(at)));
  expect(new Set(keys.slice(0, 16)).size).toBe(16);
  expect(keys.slice(16)).toEqual(keys.slice(0, 16));
});

test("the credits of a month are those of all its items, and of no other month or account", async () => {
  const add = (account: string, id: string, credits: number, time = at) =>
    addCredits(table, { account, id, credits, at: time });
  await add("a", newId(1, at), 1);
  await add("a", newId(2, at), 10);
  await add("a", newId(18, at), 100);
  await add("a", "an id without a number", 1_000);
  await add("a", newId(3, at), 2, new Date(at.getTime() + 1));
  await add("b", newId(1, at), 4);
  expect(await creditsUsed(table, "a", "2026-11")).toBe(1_111);
  expect(await creditsUsed(table, "a", "2026-12")).toBe(2);
  expect(await creditsUsed(table, "b", "2026-11")).toBe(4);
  expect(await creditsUsed(table, "b", "2026-12")).toBe(0);
});

test("the credits of a month are read with all reservations that were made before", async () => {
  const requests = await record(table, () => creditsUsed(table, "a", "2026-11"));
  expect(requests).toMatchObject([{ command: "QueryCommand", input: { ConsistentRead: true } }]);
});

test.each([
  ["one month", "2026-11-01T00:00:00Z", "2026-11-30T23:59:59Z", ["2026-11"]],
  // February has no 31st day.
  [
    "from the last day of a month on",
    "2027-01-31T23:59:59Z",
    "2027-03-01T00:00:00Z",
    ["2027-01", "2027-02", "2027-03"],
  ],
  ["over the end of a year", "2026-12-31T12:00:00Z", "2027-01-01T00:00:00Z", ["2026-12", "2027-01"]],
])("the months of an account's credits: %s", (_, from, to, months) => {
  const partitions = creditsPartitions("a", new Date(from), new Date(to));
  expect(partitions).toEqual(months.map((month) => `ACCOUNT#a#CREDITS#${month}`));
});
