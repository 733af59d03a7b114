import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Run } from "../../../functions/contract/runs/run.ts";
import { startWorld } from "../harness.ts";
import { operations, resolve } from "../openapi.ts";
import { send } from "../send.ts";
import { comparable } from "./compare.ts";
import { allProbes, probes } from "./probes.ts";
import { createTenants } from "./tenants.ts";

/* Two accounts on the real service. What one asks for of the other is answered as if it had never existed. */

const world = await startWorld();
afterAll(() => world.stop());
const { mine, theirs } = await world.withTable(createTenants);
const known = probes(mine, theirs);
const ask = (path: string, key: string) =>
  send(world.service.url, { method: "GET", path, headers: { authorization: `Bearer ${key}` } });

/** All that is stored of the other account. */
const stored = () =>
  world.withTable(async (table) => {
    const { Items = [] } = await table.db.send(
      new ScanCommand({
        TableName: table.name,
        FilterExpression: "begins_with(pk, :account)",
        ExpressionAttributeValues: { ":account": `ACCOUNT#${theirs.account}` },
        ConsistentRead: true,
      }),
    );
    return Items;
  });
const before = await stored();

test.each(operations)(
  "$operationId: each input has its probes",
  ({ operationId, parameters, requestBody }) => {
    const body = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.keys(resolve(schema).properties ?? {}).map((name) => `body ${name}`),
    );
    // The digest of a response to the client itself names nothing.
    const naming = parameters.filter(({ name }) => name !== "If-None-Match");
    const inputs = [...naming.map((one) => `${one.in} ${one.name.toLowerCase()}`), ...new Set(body)];
    expect(Object.keys(known[operationId as keyof typeof known] ?? {}).sort()).toEqual(inputs.sort());
  },
);

describe("what is another account's is answered as what never was", () => {
  test.each(allProbes(known))("$name", async ({ probe }) => {
    const [value, other] = probe.values;
    const [answer, expected] = [
      await send(world.service.url, probe.theirs),
      await send(world.service.url, probe.never),
    ];
    expect(comparable(answer, value)).toEqual(comparable(expected, other));
    // What the asker's own account has of the same number was not meant either.
    for (const id of [...mine.runs, ...mine.scrapers]) {
      if (expected.status !== 201) expect(answer.text).not.toContain(id);
    }
  });

  test("the same is answered with what they ask for", async () => {
    for (const id of theirs.runs.slice(0, 2))
      expect((await ask(`/v1/runs/${id}`, theirs.key)).status).toBe(200);
    for (const id of theirs.scrapers.slice(0, 2)) {
      expect((await ask(`/v1/scrapers/${id}`, theirs.key)).status).toBe(200);
    }
  });
});

test("an account's lists hold its own and nothing else, page by page", async () => {
  for (const list of ["/v1/runs", "/v1/scrapers"]) {
    const text = (await ask(`${list}?page=1`, mine.key)).text + (await ask(`${list}?page=2`, mine.key)).text;
    for (const id of [...theirs.runs, ...theirs.scrapers]) expect(text).not.toContain(id);
  }
});

test("a key that one account has used makes the other a run of its own, once", async () => {
  const [idempotencyKey = ""] = theirs.idempotencyKeys;
  const make = async (key: string, scraperId: string | undefined) => {
    const { status, text } = await send(world.service.url, {
      method: "POST",
      path: "/v1/runs",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": `twice-${idempotencyKey}`,
      },
      body: JSON.stringify({ scraper_id: scraperId }),
    });
    return { status, run: JSON.parse(text) as Run };
  };
  const [first, second] = [await make(mine.key, mine.scrapers[0]), await make(mine.key, mine.scrapers[0])];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.run.id).toBe(first.run.id);
  expect(theirs.runs).not.toContain(first.run.id);
});

test("nothing of the other account was changed by all that", async () => {
  expect(before.length).toBeGreaterThan(100);
  expect(await stored()).toEqual(before);
});
