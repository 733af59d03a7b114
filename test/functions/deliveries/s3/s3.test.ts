import { afterAll, expect, test } from "@jest/globals";
import type { Delivery } from "../../../../functions/contract/scrapers/delivery.ts";
import { startTable } from "../../store/local-table.ts";
import { startDeliveries, titles } from "../rows-in-life.ts";
import { startS3 } from "./stub.ts";

const table = await startTable();
const s3 = await startS3();
afterAll(() => s3.close());

const bucket = (more: object = {}): Delivery => ({
  type: "s3",
  bucket: "prices",
  region: "eu-central-1",
  endpoint: `http://${s3.host}`,
  prefix: "shop/bücher",
  format: "csv",
  mode: "replace",
  secret: "bucket-key",
  ...more,
});

const start = (
  delivery: Delivery,
  secret = "AKIA:secret/key+",
  hosts: string[] = [],
  allowHosts = [s3.host],
) =>
  startDeliveries(table, [delivery], {
    readSecrets: async () => new Map([["bucket-key", { value: secret, hosts }]]),
    egress: { allowHosts },
  });

test("a small file is one request", async () => {
  const life = await start(bucket());
  s3.requests.length = 0;
  const ref = await life.run({ rows: titles("a") });
  await life.send();
  expect(await life.outcome(ref)).toEqual({ state: "delivered", answers: ["1 row in shop/bücher.csv"] });
  expect(s3.objects.get("prices/shop/bücher.csv")).toBe("title\r\na\r\n");
  expect(s3.requests).toEqual(["PUT x-id"]);
});

test("a large file is sent in parts", async () => {
  const life = await start(bucket({ prefix: "large", format: "jsonl" }));
  s3.requests.length = 0;
  const rows = Array.from({ length: 180 }, (_, at) => ({ title: `${at} ${"x".repeat(100_000)}` }));
  const ref = await life.run({ rows });
  await life.send();
  expect(await life.outcome(ref)).toMatchObject({ state: "delivered" });
  expect(s3.objects.get("prices/large.jsonl")).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  expect(s3.requests).toEqual(["POST uploads", "PUT part", "PUT part", "PUT part", "POST uploadId"]);
});

test.each([
  ["NoSuchBucket", 404, "There is no bucket prices"],
  ["AccessDenied", 403, "may not write"],
  ["InvalidAccessKeyId", 403, 'does not know the access key in the secret "bucket-key"'],
  ["SignatureDoesNotMatch", 403, "is wrong"],
  ["SomethingNew", 418, "418 SomethingNew"],
])("the error %s is explained", async (code, status, message) => {
  const life = await start(bucket());
  s3.fail({ status, code });
  const ref = await life.run({ rows: titles("a") });
  await life.send();
  s3.fail(undefined);
  const { state, answers } = await life.outcome(ref);
  expect([state, answers[0]]).toEqual(["pending", expect.stringContaining(message)]);
  expect(answers[0]).not.toContain("AKIA");
});

test.each<[string, Parameters<typeof start>, string]>([
  ["a secret of another form", [bucket(), "no-colon"], "the id of an access key, a colon"],
  ["a secret for other hosts", [bucket(), undefined, ["s3.example"]], "it may go to s3.example only"],
  ["a host that is not public", [bucket(), undefined, [], []], "can't be reached"],
  ["no secret", [bucket({ secret: "other" })], 'no secret "other"'],
])("%s is explained", async (_, [delivery, ...rest], message) => {
  const life = await start(delivery, ...rest);
  const before = s3.objects.size;
  const ref = await life.run({ rows: titles("a") });
  await life.send();
  expect((await life.outcome(ref)).answers[0]).toContain(message);
  expect(s3.objects.size).toBe(before);
});
