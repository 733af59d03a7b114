import { describe, expect, test } from "@jest/globals";
import type { Delivery, DeliveryOf } from "../../../../functions/contract/scrapers/delivery.ts";
import { ScraperDefinition } from "../../../../functions/contract/scrapers/scraper.ts";
import { validate } from "../../../../functions/contract/validate.ts";
import { explained } from "../../../../functions/deliveries/postgres/explained.ts";
import { columnOf } from "../../../../functions/deliveries/postgres/names.ts";
import { insertSql, planOf, recordsOf, tableSql } from "../../../../functions/deliveries/postgres/plan.ts";
import { targetOf } from "../../../../functions/deliveries/target.ts";
import { senderOf, settingsFor } from "../sending.ts";

const plan = (mode: DeliveryOf<"postgres">["mode"], columns = ["sku", 'the "price"'], key = ["sku"]) =>
  planOf(senderOf(settingsFor(5432, mode), { columns, key, row_count: 0 }));

describe("the column of a field", () => {
  test.each([
    ["price", "price"],
    ["Price per m²", "Price per m²"],
    ["x".repeat(63), "x".repeat(63)],
    ["x".repeat(64), `${"x".repeat(54)}_7ce10097`],
    ["ü".repeat(40), `${"ü".repeat(27)}_`],
    ["a\u0000b", "a\ufffdb"],
  ])("%j", (field, column) => {
    expect(columnOf(field)).toContain(column);
    expect(Buffer.byteLength(columnOf(field))).toBeLessThanOrEqual(63);
  });

  test("names that differ behind the cut stay different", () => {
    const long = "x".repeat(80);
    expect(columnOf(`${long}a`)).not.toBe(columnOf(`${long}b`));
  });
});

describe("the statements", () => {
  test("make a table whose columns are text, with the key of upsert as its primary key", () => {
    expect(tableSql(plan("append"), undefined)).toBe(
      'CREATE TABLE "public"."prices" ("sku" text, "the ""price""" text)',
    );
    expect(tableSql(plan("upsert"), undefined)).toBe(
      'CREATE TABLE "public"."prices" ("sku" text NOT NULL, "the ""price""" text, PRIMARY KEY ("sku"))',
    );
  });

  test("add the columns that are missing, and nothing else", () => {
    expect(tableSql(plan("append"), ["id", "sku"])).toBe(
      'ALTER TABLE "public"."prices" ADD COLUMN "the ""price""" text',
    );
    expect(tableSql(plan("append"), ["sku", 'the "price"'])).toBeUndefined();
  });

  test("insert rows, and update those with the same key", () => {
    expect(insertSql(plan("append"))).not.toContain("CONFLICT");
    expect(insertSql(plan("upsert"))).toMatch(
      / ON CONFLICT \("sku"\) DO UPDATE SET "the ""price""" = EXCLUDED."the ""price"""$/,
    );
    expect(insertSql(plan("upsert", ["sku"]))).toMatch(/ ON CONFLICT \("sku"\) DO NOTHING$/);
  });
});

describe("the records of rows", () => {
  test("have null for what is empty or missing, and no character that PostgreSQL can't store", () => {
    expect(recordsOf(plan("append", ["a", "b", "c"]), [{ a: "1\u0000\ud800", b: "" }])).toEqual({
      records: [{ a: "1\ufffd\ufffd", b: null, c: null }],
      leftOut: 0,
    });
  });

  test("of upsert are one for each key, the last; a row without a key is left out and counted", () => {
    const rows = [{ sku: "1", color: "", price: "a" }, { price: "x" }, { sku: "1", price: "b" }];
    const keyed = plan("upsert", ["sku", "color", "price"], ["sku", "color"]);
    expect(recordsOf(keyed, rows)).toEqual({ records: [{ sku: "1", color: "", price: "b" }], leftOut: 1 });
  });

  test("of append keep equal rows", () => {
    expect(recordsOf(plan("append"), [{ sku: "1" }, { sku: "1" }]).records).toHaveLength(2);
  });
});

test("a destination is named without its user", () => {
  expect(targetOf(settingsFor(5433, "append", { host: "::1" }))).toBe(
    "postgresql://[::1]:5433/shop/public.prices",
  );
});

describe("an error", () => {
  const server = { severity: "FATAL", message: "no way" };
  test.each([
    [{ ...server, code: "28P01" }, 'the user gleaner with the password in the secret "key"'],
    [{ ...server, code: "28000" }, "pg_hba.conf"],
    [{ ...server, code: "3D000" }, "no database shop"],
    [{ ...server, code: "42501" }, "lacks a right: no way."],
    [{ ...server, code: "23502", column: "sku" }, "The column sku"],
    [{ ...server, code: "23505", detail: "Key (sku)=(1) already exists." }, "(1) already exists."],
    [{ ...server, code: "XX000" }, "XX000: no way."],
    [{ code: "ECONNREFUSED", message: "connect ECONNREFUSED 10.0.0.1:5432" }, "ECONNREFUSED"],
    [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT", message: "self-signed certificate" }, "is not trusted"],
    [{ message: "The server does not support SSL connections" }, "offers no TLS"],
    [{ message: "timeout expired" }, "did not accept a connection in time"],
    [{ message: "Connection terminated unexpectedly" }, "Connection terminated unexpectedly"],
  ])("%j says what to do", (error, message) => {
    const settings = settingsFor(5432, "append");
    const said = explained(
      Object.assign(new Error(error.message), error),
      settings,
      "db.example:5432",
    ).message;
    expect(said).toContain(message);
    // An address may be that of an internal host.
    expect(said).not.toContain("10.0.0.1");
  });
});

describe("a scraper", () => {
  const list = (more: object = {}) => ({
    type: "get_list",
    selector: "li",
    fields: [{ name: "sku", selector: "b" }],
    ...more,
  });
  const problem = (delivery: object, ...steps: object[]) => {
    const deliveries = [{ ...settingsFor(5432, "upsert"), ...delivery }] as Delivery[];
    try {
      validate(ScraperDefinition, {
        name: "Shop",
        steps: [{ type: "visit", url: "https://shop.example" }, ...steps],
        deliveries,
      });
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  const keyed = list({ key: ["sku"] });
  const nested = list({
    key: ["sku"],
    fields: [
      { name: "sku", selector: "b" },
      { name: "c", list: { selector: "p", fields: [{ name: "d", selector: "i" }] } },
    ],
  });

  test.each<[string, string, ...Parameters<typeof problem>]>([
    ["upsert by a key", "", {}, keyed],
    ["upsert without a key", "a list with a key", {}, list()],
    ["upsert without a list", "a list with a key", {}],
    ["upsert with lists of which one has no key", "a list with a key", {}, keyed, list()],
    ["upsert with rows within rows", "a list with a key", {}, nested],
    ["append without a key", "", { mode: "append" }, list()],
    ["an IPv6 host", "", { host: "2001:db8::1" }, keyed],
    ["a host with a port", "must be a host", { host: "db.example.com:5432" }, keyed],
    ["a host with a password", "must be a host", { host: "me:secret@db.example.com" }, keyed],
    ["a port of another service", "1024", { port: 25 }, keyed],
    ["a name that PostgreSQL would cut", "at most 63 bytes", { table: "ü".repeat(32) }, keyed],
    ["the bookkeeping as its table", "notes deliveries", { table: "gleaner_deliveries" }, keyed],
  ])("may or may not have %s", (_, message, ...input) => {
    if (message === "") expect(problem(...input)).toBe("");
    else expect(problem(...input)).toContain(message);
  });
});
