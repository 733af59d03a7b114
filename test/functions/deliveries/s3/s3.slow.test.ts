import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { afterAll, expect, test } from "@jest/globals";
import type { DeliveryOf } from "../../../../functions/contract/scrapers/delivery.ts";
import { type Attempt, attempt, attemptUntilSent } from "../attempts.ts";
import { titleOf } from "../sending.ts";
import { KEY, REGION, startS3 } from "./versitygw.ts";

const Bucket = "prices";
const s3 = await startS3(Bucket);
afterAll(() => s3.stop());

const ROWS = 100_000;
/** With titles of this length, a file has four parts of 8 MB and a smaller one. */
const LENGTH = 350;

const sent = (more: Partial<DeliveryOf<"s3">>, run = 1): Attempt => ({
  settings: {
    type: "s3",
    bucket: Bucket,
    region: REGION,
    endpoint: `http://${s3.host}`,
    prefix: "shop/bücher",
    format: "csv",
    mode: "replace",
    secret: "key",
    ...more,
  },
  host: s3.host,
  secret: `${KEY.accessKeyId}:${KEY.secretAccessKey}`,
  rows: ROWS,
  run,
  length: LENGTH,
});

const contentOf = async (Key: string) =>
  (await s3.client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
const keys = async () =>
  (await s3.client.send(new ListObjectsV2Command({ Bucket }))).Contents?.map(({ Key }) => Key);
const csvOf = (run: number) =>
  `sku,title\r\n${Array.from({ length: ROWS }, (_, sku) => `${sku},${titleOf(sku, run, LENGTH)}\r\n`).join("")}`;
/** Without a difference of 36 MB in the message. */
const isRun = async (key: string, run: number) => (await contentOf(key)) === csvOf(run);
/** It is down until the attempt has given up. */
const server = { name: "server", kill: () => s3.kill() };

test("100,000 rows whose sender or server is killed at random, replace: the file has the old rows until it has the new ones", async () => {
  const key = "shop/bücher.csv";
  const message = `100,000 rows in ${key}`;
  expect(await attempt(sent({}, 0), 0)).toBe(JSON.stringify({ outcome: "delivered", message }));
  const kills = await attemptUntilSent(sent({}), message, server, async (kills) => {
    await s3.restart();
    expect([kills, await isRun(key, 0)]).toEqual([kills, true]);
  });
  expect([kills, await keys(), await isRun(key, 1)]).toEqual([kills, [key], true]);
}, 300_000);

test("100,000 rows whose sender or server is killed at random, append: each run has one file", async () => {
  const prefix = "lines";
  const fileOf = (run: number) => `${prefix}/2030-01-01T00-00-0${run}.000Z-run-${run}.csv`;
  for (const run of [1, 2]) {
    const kills = await attemptUntilSent(
      sent({ prefix, mode: "append" }, run),
      `100,000 rows in ${fileOf(run)}`,
      server,
      async (kills) => {
        await s3.restart();
        expect([kills, await keys()]).toEqual([kills, expect.not.arrayContaining([fileOf(run)])]);
      },
    );
    expect([kills, await isRun(fileOf(run), run)]).toEqual([kills, true]);
  }
  expect((await keys())?.filter((key) => key?.startsWith(prefix))).toEqual([fileOf(1), fileOf(2)]);
}, 300_000);
