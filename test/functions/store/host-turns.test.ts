import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect } from "@jest/globals";
import { hostTurns } from "../../../functions/store/host-turns.ts";
import { startTables } from "./engines.ts";
import { record } from "./recorder.ts";

const HOST = "shop.example";

describe.each(await startTables())("turns on a host, on $name", ({ table, test }) => {
  let accounts = 0;
  /** A host's turns as each of an account's runs sees them, and the runs' clock. */
  const world = () => {
    accounts += 1;
    const account = `account-${accounts}`;
    const clock = { time: Date.parse("2026-11-21T00:00:00.000Z") };
    const now = () => new Date(clock.time);
    return { account, clock, run: () => hostTurns(table, account, now) };
  };

  test("each turn is taken once, the delay apart, by however many runs at the same time", async () => {
    const { clock, run } = world();
    const runs = Array.from({ length: 5 }, run);
    const latest = clock.time + 60_000;
    const taken = await Promise.all(runs.map((turns) => turns.take(HOST, 1_000, latest)));
    expect(taken.sort()).toEqual([0, 1, 2, 3, 4].map((n) => clock.time + n * 1_000));
    // Nobody has come for ten seconds: the next turn is now.
    clock.time += 10_000;
    expect(await runs[0]?.take(HOST, 1_000, clock.time)).toBe(clock.time);
  });

  test("times of a clock that was ahead don't count", async () => {
    const { clock, run } = world();
    const start = clock.time;
    clock.time += 41 * 24 * 3_600_000;
    await run().take(HOST, 30_000, clock.time);
    await run().close(HOST, clock.time + 60_000);
    clock.time = start;
    const turns = run();
    expect(await turns.closedUntil(HOST)).toBe(0);
    expect(await turns.take(HOST, 1_000, start)).toBe(start);
    expect(await turns.take(HOST, 1_000, start + 1_000)).toBe(start + 1_000);
  });

  test("a turn that would be too late is not taken", async () => {
    const { clock, run } = world();
    const turns = run();
    await turns.take(HOST, 30_000, clock.time);
    expect(await turns.take(HOST, 30_000, clock.time + 29_999)).toBe(clock.time + 30_000);
    expect(await turns.take(HOST, 30_000, clock.time + 30_000)).toBe(clock.time + 30_000);
    expect(await turns.take(HOST, 30_000, clock.time + 30_000)).toBe(clock.time + 60_000);
    // It was not taken, so it is still free.
    expect(await turns.take(HOST, 30_000, clock.time + 60_000)).toBe(clock.time + 60_000);
  });

  test("a closed host is closed for all runs of the account, until the latest time said", async () => {
    const { clock, run } = world();
    await run().close(HOST, clock.time + 20_000);
    await run().close(HOST, clock.time + 5_000);
    expect(await run().closedUntil(HOST)).toBe(clock.time + 20_000);
    expect(await run().take(HOST, 1_000, clock.time + 60_000)).toBe(clock.time + 20_000);
  });

  test("turns keep nobody out who takes none; a host that closes meanwhile does", async () => {
    const { clock, run } = world();
    await run().take(HOST, 30_000, clock.time);
    expect(await run().closedUntil(HOST)).toBe(0);
    await run().close(HOST, clock.time + 10_000);
    expect(await run().closedUntil(HOST)).toBe(clock.time + 10_000);
    expect(await run().take(HOST, 1_000, clock.time + 60_000)).toBe(clock.time + 30_000);
  });

  test("accounts and hosts know nothing of each other", async () => {
    const { clock, run } = world();
    await run().close(HOST, clock.time + 20_000);
    expect(await world().run().closedUntil(HOST)).toBe(0);
    expect(await run().closedUntil(`${HOST}:8443`)).toBe(0);
  });

  test("a look is one read, a turn of a run that paces itself one write; the item expires", async () => {
    const { account, clock, run } = world();
    const turns = run();
    expect((await record(table, () => turns.closedUntil(HOST))).map(({ command }) => command)).toEqual([
      "GetItemCommand",
    ]);
    const pages = await record(table, async () => {
      for (let page = 0; page < 4; page += 1) {
        clock.time = await turns.take(HOST, 1_000, clock.time + 60_000);
      }
    });
    expect(pages.map(({ command }) => command)).toEqual(Array(4).fill("UpdateItemCommand"));
    const Key = { pk: `ACCOUNT#${account}#HOST#${HOST}`, sk: "HOST" };
    const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key }));
    expect(Item?.expires_at * 1_000).toBeGreaterThan(clock.time);
  });
});
