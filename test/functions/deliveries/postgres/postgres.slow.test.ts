import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeEach, describe, expect, test } from "@jest/globals";
import { Client } from "pg";
import { sendTable } from "../../../../functions/deliveries/postgres/send-table.ts";
import type { Secret } from "../../../../functions/secrets/secret.ts";
import { startTable } from "../../store/local-table.ts";
import { type Attempt, attempt, attemptUntilSent } from "../attempts.ts";
import { deliverByKey } from "../rows-in-life.ts";
import { logOf, next, old, type Postgres, type RunRows, settingsFor } from "../sending.ts";
import { PASSWORD, startPostgres } from "./server.ts";

const table = await startTable();
const server = await startPostgres();
const admin = new Client({ ...at("postgres"), password: PASSWORD });
await admin.connect();
await admin.query("CREATE DATABASE shop");
await admin.query("CREATE ROLE reader LOGIN PASSWORD 'reads'");
const shop = new Client({ ...at("shop"), password: PASSWORD });
await shop.connect();
const query = async (sql: string): Promise<unknown[][]> =>
  (await shop.query({ text: sql, rowMode: "array" })).rows;
afterAll(async () => {
  await shop.end();
  await admin.end();
  await server.stop();
});
beforeEach(() => query("DROP SCHEMA public CASCADE; CREATE SCHEMA public"));

function at(database: string) {
  return { host: "127.0.0.1", port: server.port, user: "postgres", database };
}

/** Sends rows. The answer is what the log of the delivery says. */
function send(
  mode: Postgres["mode"],
  sent: RunRows,
  settings: Partial<Postgres> = {},
  secret: Partial<Secret> = {},
  allowHosts = [`127.0.0.1:${server.port}`],
) {
  const deps = {
    readSecrets: async () => new Map([["key", { value: PASSWORD, hosts: [], ...secret }]]),
    egress: { allowHosts },
  };
  const all = settingsFor(server.port, mode, { user: "postgres", ...settings });
  return logOf((sending) => sendTable(sending, deps), all, sent);
}
const prices = () => query("SELECT sku, price FROM prices ORDER BY sku, price");

describe("append", () => {
  test("adds the rows of each run once; empty values are NULL", async () => {
    expect(await send("append", old)).toBe("2 rows in public.prices");
    expect(await send("append", old)).toBe("2 rows in public.prices");
    await send("append", next);
    expect(await prices()).toEqual([
      ["1", "10"],
      ["2", "20"],
      ["2", null],
      ["3", "30"],
    ]);
  });

  test("adds the rows of an older run, too", async () => {
    await send("append", next);
    await send("append", old);
    expect(await prices()).toHaveLength(4);
  });

  test("fills a table that was removed anew", async () => {
    await send("append", old);
    await query("DROP TABLE prices");
    await send("append", old);
    expect(await prices()).toHaveLength(2);
  });

  test("uses the types of a table that is there, and adds the columns that it lacks", async () => {
    await query(
      "CREATE TABLE prices (id serial PRIMARY KEY, sku varchar(3), price numeric(6,2), seen date DEFAULT now())",
    );
    await query("INSERT INTO prices (sku) VALUES ('own')");
    const rows = [{ sku: "1", price: "10.5", Title: "Lamp" }];
    expect(await send("append", { rows, columns: ["sku", "price", "Title"] })).toBe("1 row in public.prices");
    expect(await query(`SELECT id, sku, price, "Title" FROM prices ORDER BY id`)).toEqual([
      [1, "own", null, null],
      [2, "1", "10.50", "Lamp"],
    ]);
  });
});

describe("replace", () => {
  test("leaves the rows of the newest run", async () => {
    await send("replace", old);
    await send("replace", next);
    expect(await send("replace", old)).toMatch(/^skipped: .*newer run/);
    expect(await prices()).toEqual([
      ["2", "20"],
      ["3", "30"],
    ]);
    expect(await send("replace", { rows: [], run: 3 })).toBe("0 rows in public.prices");
    expect(await prices()).toEqual([]);
  });

  test("deletes no rows that others have written", async () => {
    await query("CREATE TABLE prices (sku text, price text); INSERT INTO prices VALUES ('own', '1')");
    expect(await send("replace", old)).toContain("would be deleted");
    await send("append", old);
    expect(await send("replace", next)).toContain("would be deleted");
    expect(await prices()).toHaveLength(3);
    await query("DELETE FROM prices");
    await send("replace", next);
    expect(await prices()).toHaveLength(2);
  });

  test("leaves the old rows if the new ones fail", async () => {
    await send("replace", old);
    await query("ALTER TABLE prices ADD CHECK (price <> '30')");
    expect(await send("replace", next)).toContain("rule of the table prices");
    expect(await prices()).toEqual([
      ["1", "10"],
      ["2", null],
    ]);
  });
});

describe("upsert", () => {
  test("updates rows by the key, adds the others, and never writes older ones over newer ones", async () => {
    await send("upsert", old);
    await send("upsert", next);
    expect(await send("upsert", old)).toMatch(/^skipped: .*newer run/);
    expect(await prices()).toEqual([
      ["1", "10"],
      ["2", "20"],
      ["3", "30"],
    ]);
  });

  test("repairs rows when it is repeated", async () => {
    await send("upsert", next);
    await query("DELETE FROM prices WHERE sku = '3'; UPDATE prices SET price = 'x'");
    expect(await send("upsert", next)).toBe("2 rows in public.prices");
    expect(await prices()).toEqual([
      ["2", "20"],
      ["3", "30"],
    ]);
  });

  test("tells how many rows have no key", async () => {
    const rows = [{ sku: "1", price: "1" }, { price: "2" }, { sku: "1", price: "3" }];
    expect(await send("upsert", { rows })).toBe("2 rows in public.prices; 1 row without a key left out");
    expect(await prices()).toEqual([["1", "3"]]);
  });

  test("needs a unique index, and a key", async () => {
    await query("CREATE TABLE prices (sku int, price text)");
    expect(await send("upsert", old)).toContain("has no unique index");
    await query("CREATE UNIQUE INDEX ON prices (sku)");
    expect(await send("upsert", old)).toBe("2 rows in public.prices");
    expect(await send("upsert", { ...old, key: undefined })).toContain("can't be told apart");
  });
});

describe("what fails is told, and nothing is written:", () => {
  const value = {
    rows: [
      { sku: "1", price: "9" },
      { sku: "2", price: "from 9,50" },
      { sku: "3", price: "8" },
    ],
  };
  test.each<[string, string, RunRows, string]>([
    [
      "a value that is no number",
      "price int",
      value,
      'The value "from 9,50" does not fit the column "price" of "public"."prices", whose type is integer.',
    ],
    [
      "a value that is too long",
      "price varchar(8)",
      value,
      'The value "from 9,50" does not fit the column "price" of "public"."prices", whose type is character varying(8).',
    ],
    [
      "a number that is too large",
      "price smallint",
      { rows: [{ price: "99999" }] },
      'The value "99999" does not fit',
    ],
    ["an empty value", "price text NOT NULL", old, "The column price of prices must not be empty"],
    [
      "a value that is there already",
      "price text UNIQUE",
      { rows: [{ price: "1" }, { price: "1" }] },
      "(price)=(1) already exists.",
    ],
  ])("%s", async (_, column, sent, message) => {
    await query(`CREATE TABLE prices (sku text, ${column})`);
    expect(await send("append", sent)).toContain(message);
    expect(await prices()).toEqual([]);
  });

  const reader = { user: "reader" };
  test.each<[string, string, Partial<Postgres>, Partial<Secret>?, string[]?]>([
    ["a wrong password", 'password in the secret "key"', {}, { value: "wrong" }],
    ["a user that does not exist", "The server refused the user nobody", { user: "nobody" }],
    ["a database that does not exist", "has no database other", { database: "other" }],
    ["a schema that does not exist", "has no schema other", { schema: "other" }],
    [
      "a user that may make no table",
      "lacks a right: permission denied for schema public",
      reader,
      { value: "reads" },
    ],
    ["a certificate that is not trusted", "is not trusted: ", { tls: "verify-full" }],
    ["a host that is not public", "is not a public address", { tls: "require" }, {}, []],
    [
      "rows without TLS for a host that is not allowed",
      "a host that the operator of the service allows",
      {},
      {},
      [],
    ],
    ["a secret of other hosts", "it may go to db.example only", {}, { hosts: ["db.example"] }],
    ["a port where nobody listens", "ECONNREFUSED", { port: 1024 }, {}, ["127.0.0.1:1024"]],
  ])("%s", async (...[, message, settings, secret, allowed]) => {
    expect(await send("append", old, settings, secret, allowed)).toContain(message);
  });

  test("TLS that the server does not offer", async () => {
    // What a server without TLS answers to a request for it.
    const plain = createServer((socket) => socket.once("data", () => socket.end("N"))).listen(0, "127.0.0.1");
    await once(plain, "listening");
    const { port } = plain.address() as AddressInfo;
    const answer = await send("append", old, { tls: "require", port }, {}, [`127.0.0.1:${port}`]);
    plain.close();
    expect(answer).toContain("offers no TLS");
  });
});

test("rows go through TLS", async () => {
  expect(await send("append", old, { tls: "require" })).toBe("2 rows in public.prices");
});

test("a table, a schema and fields with any name", async () => {
  await query('CREATE SCHEMA "My ""schema"""');
  const names = ['a"b', "x".repeat(70), "__proto__", "Ünï'; DROP TABLE prices; --"];
  const row = Object.fromEntries(names.map((name, index) => [name, `${index}`]));
  const rows = [Object.defineProperty(row, "__proto__", { value: "2", enumerable: true })];
  const place = { schema: 'My "schema"', table: "Prices; of 'all'" };
  expect(await send("upsert", { rows, columns: names, key: ['a"b'] }, place)).toMatch(/^1 row in/);
  expect(await query(`SELECT * FROM "My ""schema"""."Prices; of 'all'"`)).toEqual([["0", "1", "2", "3"]]);
  await query('DROP SCHEMA "My ""schema""" CASCADE');
});

test("the rows of runs are updated by the key of their list", async () => {
  const settings = settingsFor(server.port, "upsert", { user: "postgres" });
  const destinations = {
    readSecrets: async () => new Map([["key", { value: PASSWORD, hosts: [] }]]),
    egress: { allowHosts: [`127.0.0.1:${server.port}`] },
  };
  const delivered = { state: "delivered", answers: ["2 rows in public.prices"] };
  expect(await deliverByKey(table, settings, destinations)).toEqual([delivered, delivered]);
  expect(await query("SELECT title FROM prices ORDER BY title")).toEqual([["a"], ["b"], ["c"]]);
});

describe("100,000 rows, whose sender or connection is killed at random", () => {
  const ROWS = 100_000;
  const sent = (mode: Postgres["mode"]): Attempt => ({
    settings: settingsFor(server.port, mode, { user: "postgres" }),
    host: `127.0.0.1:${server.port}`,
    secret: PASSWORD,
    rows: ROWS,
    run: 1,
  });
  const connection = {
    name: "connection",
    kill: () =>
      query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gleaner'"),
  };
  const distinct = () =>
    query(
      `SELECT count(*)::int, count(DISTINCT sku)::int, min(sku::int), max(sku::int), count(*) FILTER (WHERE title = 'Lamp ' || sku || ' of run 1')::int FROM prices`,
    );

  test.each(["append", "replace", "upsert"] as const)(
    "%s: every row is there once",
    async (mode) => {
      const kills = await attemptUntilSent(sent(mode), "100,000 rows in public.prices", connection);
      expect([kills, ...(await distinct())]).toEqual([kills, [ROWS, ROWS, 0, ROWS - 1, ROWS]]);
    },
    120_000,
  );

  test("two attempts at the same time write every row once", async () => {
    const both = await Promise.all([attempt(sent("append"), 0), attempt(sent("append"), 0)]);
    expect(both.some((said) => said?.includes("delivered"))).toBe(true);
    expect(await distinct()).toEqual([[ROWS, ROWS, 0, ROWS - 1, ROWS]]);
  }, 60_000);
});
